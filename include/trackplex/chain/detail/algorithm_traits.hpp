// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

/// @file
/// Traits of an algorithm from the parameters of its operator(): where it runs, its inputs and
/// products.

namespace trackplex::chain::detail {

template <class... T>
struct TypeList {
  static constexpr int size = int(sizeof...(T));
  template <class Wanted>
  static constexpr bool contains = (std::is_same_v<Wanted, T> || ...);
  /// Index of a type, or the size of the list.
  template <class Wanted>
  static constexpr int index_of = [] {
    int index = 0;
    (void)((std::is_same_v<Wanted, T> || (++index, false)) || ...);
    return index;
  }();
};

template <class A, class B>
struct Concatenate;
template <class... A, class... B>
struct Concatenate<TypeList<A...>, TypeList<B...>> {
  using type = TypeList<A..., B...>;
};

template <class... Lists>
struct Join {
  using type = TypeList<>;
};
template <class First, class... Rest>
struct Join<First, Rest...> {
  using type = typename Concatenate<First, typename Join<Rest...>::type>::type;
};

/// The unique types of a list, in the order of their first appearance.
template <class Seen, class... T>
struct Unique {
  using type = Seen;
};
template <class... Seen, class First, class... Rest>
struct Unique<TypeList<Seen...>, First, Rest...> {
  using Grown = std::conditional_t<TypeList<Seen...>::template contains<First>, TypeList<Seen...>,
                                   TypeList<Seen..., First>>;
  using type = typename Unique<Grown, Rest...>::type;
};

/// The parameters of operator(), as declared.
template <class Function>
struct ParametersOf {
  static_assert(sizeof(Function) == 0,
                "operator() of an algorithm is const, returns void and is no template: its "
                "parameters say what it reads and makes.");
};
template <class Algorithm, class... P>
struct ParametersOf<void (Algorithm::*)(P...) const> {
  using type = TypeList<P...>;
};
template <class Algorithm, class... P>
struct ParametersOf<void (Algorithm::*)(P...) const noexcept> {
  using type = TypeList<P...>;
};

template <class P>
inline constexpr bool is_read =
    std::is_lvalue_reference_v<P>&& std::is_const_v<std::remove_reference_t<P>>;
template <class P>
inline constexpr bool is_made = std::is_lvalue_reference_v<P> && !is_read<P>;

/// The products among parameters.
template <class... P>
struct ProductParameters {
  static_assert(((is_read<P> || is_made<P>)&&...),
                "An algorithm takes products by reference: const for what it reads, not const for "
                "what it makes.");
  template <bool Made, class Parameter>
  using IfMade = std::conditional_t<is_made<Parameter> == Made,
                                    TypeList<std::remove_cvref_t<Parameter>>, TypeList<>>;

  using All = TypeList<std::remove_cvref_t<P>...>;
  using Reads = typename Join<IfMade<false, P>...>::type;
  using Makes = typename Join<IfMade<true, P>...>::type;
};

template <class ExecutionSpace, class Parameters>
struct SplitParameters;
template <class ExecutionSpace, class... P>
struct SplitParameters<ExecutionSpace, TypeList<P...>> {
  static constexpr bool on_host = true;
  using Products = ProductParameters<P...>;
};
template <class ExecutionSpace, class... P>
struct SplitParameters<ExecutionSpace, TypeList<const ExecutionSpace&, P...>> {
  static constexpr bool on_host = false;
  using Products = ProductParameters<P...>;
};

struct NoScratch {};

/// The member type Scratch of an algorithm, for its temporary arrays.
template <class Algorithm>
struct ScratchOf {
  using type = NoScratch;
};
template <class Algorithm>
requires requires { typename Algorithm::Scratch; }
struct ScratchOf<Algorithm> {
  using type = typename Algorithm::Scratch;
};

template <class List, class Removed>
struct Without;
template <class... T, class Removed>
struct Without<TypeList<T...>, Removed> {
  using type = typename Join<
      std::conditional_t<std::is_same_v<T, Removed>, TypeList<>, TypeList<T>>...>::type;
};

template <class ExecutionSpace, class Algorithm>
struct AlgorithmTraits {
  using Split = SplitParameters<ExecutionSpace,
                                typename ParametersOf<decltype(&Algorithm::operator())>::type>;
  static constexpr bool on_host = Split::on_host;
  /// Types of the parameters after the instance.
  using All = typename Split::Products::All;
  using Scratch = typename ScratchOf<Algorithm>::type;
  using Products = typename Without<All, Scratch>::type;
  using Reads = typename Split::Products::Reads;
  using Makes = typename Without<typename Split::Products::Makes, Scratch>::type;

  static constexpr bool aliases_inputs = [] {
    if constexpr (requires { Algorithm::aliases_inputs; }) {
      return Algorithm::aliases_inputs;
    } else {
      return false;
    }
  }();
};

/// Whether the algorithm has an allocate() for these products.
template <class Algorithm, class Memory, class... Products>
inline constexpr bool allocates = requires(const Algorithm& algorithm, const Memory& memory,
                                           Products&... products) {
  algorithm.allocate(memory, products...);
};

template <class Product>
inline constexpr bool is_read_by_host = [] {
  if constexpr (requires { Product::read_by_host; }) {
    return Product::read_by_host;
  } else {
    return false;
  }
}();

/// Name of the product, or of its type.
template <class Product>
std::string product_name() {
  if constexpr (requires { typename std::bool_constant<(Product::name != nullptr)>; }) {
    return Product::name;
  } else {
    const std::string_view text = __PRETTY_FUNCTION__;
    const auto begin = text.find("Product = ") + 10;
    return std::string(text.substr(begin, text.find_first_of(";]", begin) - begin));
  }
}

}  // namespace trackplex::chain::detail
