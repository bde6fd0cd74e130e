# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which standard headers a header uses, and whether it includes them.

Lists names that the project uses, not all there are; names that it does not know pass.
"""

import re

# Header -> names of namespace std.
PROVIDES = {
    "algorithm":
        "adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal equal_range fill fill_n "
        "find find_if find_if_not for_each generate is_permutation is_sorted lexicographical_compare lower_bound max "
        "max_element merge min min_element minmax_element none_of nth_element partial_sort partition remove_if replace "
        "reverse rotate sort stable_partition stable_sort swap_ranges transform unique upper_bound",
    "array": "array",
    "atomic":
        "atomic atomic_flag atomic_ref memory_order_acq_rel memory_order_acquire memory_order_relaxed "
        "memory_order_release memory_order_seq_cst",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countr_zero endian has_single_bit popcount rotl",
    "bitset": "bitset",
    "charconv": "chars_format from_chars to_chars",
    "chrono": "chrono",
    "cmath":
        "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor fma fmod "
        "frexp hypot ilogb isfinite isinf isnan ldexp lerp lgamma llround log log10 log1p log2 lround modf nearbyint "
        "nextafter pow remainder rint round scalbn signbit sin sinh sqrt tan tanh tgamma trunc",
    "compare": "partial_ordering strong_ordering",
    "complex": "complex",
    "concepts":
        "constructible_from convertible_to copyable default_initializable derived_from equality_comparable floating_point "
        "integral invocable movable predicate regular_invocable same_as signed_integral totally_ordered unsigned_integral",
    "condition_variable": "condition_variable",
    "csignal": "raise sig_atomic_t signal",
    "cstddef": "max_align_t",
    "cstdint": "int16_t int32_t int64_t int8_t intptr_t uint16_t uint32_t uint64_t uint8_t uintptr_t",
    "cstdio": "FILE fclose ferror fflush fopen fprintf fputc fputs fread fwrite printf rename snprintf",
    "cstdlib": "_Exit abort atoi getenv quick_exit strtod strtol",
    "cstring": "memcmp memcpy memmove memset strcmp strerror strlen strncmp",
    "deque": "deque",
    "exception": "current_exception exception_ptr rethrow_exception terminate uncaught_exceptions",
    "filesystem": "filesystem",
    "fstream": "fstream ifstream ofstream",
    "functional": "bit_xor cref equal_to function invoke multiplies plus ref reference_wrapper",
    "future": "async future promise",
    "iomanip": "setfill setprecision setw",
    "iostream": "cerr cin cout",
    "iterator": "back_inserter istream_iterator istreambuf_iterator iter_value_t iterator_traits make_move_iterator ssize",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "addressof make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "call_once lock_guard mutex once_flag scoped_lock unique_lock",
    "new": "align_val_t bad_alloc nothrow",
    "numbers": "numbers",
    "numeric": "accumulate exclusive_scan gcd inclusive_scan inner_product iota partial_sum reduce",
    "optional": "nullopt optional",
    "queue": "priority_queue queue",
    "random": "mt19937 mt19937_64 normal_distribution random_device uniform_int_distribution uniform_real_distribution",
    "regex": "regex regex_match smatch",
    "set": "set",
    "span": "span",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "domain_error invalid_argument length_error logic_error out_of_range overflow_error runtime_error",
    "stop_token": "stop_source stop_token",
    "string": "stod stoi stoul to_string",
    "string_view": "string_view",
    "system_error": "error_code system_error",
    "thread": "this_thread thread",
    "tuple": "apply forward_as_tuple make_tuple tie tuple tuple_cat",
    "type_traits":
        "add_const_t bool_constant conditional_t decay_t enable_if_t false_type integral_constant is_arithmetic_v "
        "is_base_of_v is_const_v is_constructible_v is_convertible_v is_enum_v is_floating_point_v is_integral_v "
        "is_invocable_v is_lvalue_reference_v is_reference_v is_same_v is_trivially_copyable_v is_void_v make_signed_t "
        "make_unsigned_t remove_const_t remove_cvref_t remove_reference_t true_type type_identity type_identity_t "
        "underlying_type_t",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility":
        "as_const cmp_equal cmp_greater cmp_greater_equal cmp_less cmp_less_equal exchange forward in_place "
        "index_sequence integer_sequence make_index_sequence make_integer_sequence piecewise_construct",
    "variant": "get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
# Names that several headers provide; the first one is suggested.
SEVERAL = {
    "abs": "cmath cstdlib",
    "begin": "iterator array map span string string_view vector",
    "byte": "cstddef",
    "declval": "utility type_traits",
    "distance": "iterator",
    "end": "iterator array map span string string_view vector",
    "erase": "string vector",
    "erase_if": "vector deque map set string",
    "errc": "system_error charconv",
    "exception": "exception stdexcept",
    "exit": "cstdlib",
    "get": "tuple array utility variant",
    "getline": "string",
    "greater": "functional",
    "hash": "functional string",
    "initializer_list": "initializer_list string vector",
    "invoke_result_t": "type_traits",
    "ios": "ios fstream iostream sstream",
    "istream": "istream fstream iostream sstream",
    "less": "functional map set",
    "make_pair": "utility map",
    "micro": "ratio chrono",
    "milli": "ratio chrono",
    "move": "utility algorithm",
    "nano": "ratio chrono",
    "next": "iterator",
    "nullptr_t": "cstddef",
    "ostream": "ostream fstream iostream sstream",
    "pair": "utility map",
    "prev": "iterator",
    "ptrdiff_t": "cstddef",
    "ranges": "algorithm ranges",
    "remove": "algorithm cstdio",
    "size": "iterator array map string vector",
    "size_t": "cstddef array cstdint cstdio cstdlib cstring map memory new span string string_view tuple utility vector",
    "streamsize": "ios fstream istream ostream",
    "string": "string",
    "swap": "utility algorithm string vector",
    "to_array": "array",
    "tuple_element_t": "tuple array utility",
    "tuple_size_v": "tuple array utility",
}
OF_NAME = {name: (header,) for header, names in PROVIDES.items() for name in names.split()}
OF_NAME |= {name: tuple(headers.split()) for name, headers in SEVERAL.items()}


def missing(code):
    """Name -> header that it needs and the code, without comments, does not include; with the line of the name."""
    included = set(re.findall(r"#\s*include\s*<([a-z_]+)>", code))
    found = {}
    for match in re.finditer(r"\bstd::(\w+)", code):
        name = match.group(1)
        headers = OF_NAME.get(name)
        if headers and name not in found and not included.intersection(headers):
            found[name] = (headers[0], code.count("\n", 0, match.start()) + 1)
    return found
