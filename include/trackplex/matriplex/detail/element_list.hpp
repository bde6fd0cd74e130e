// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace trackplex {

/// Knowledge of an element when the program is compiled.
enum class PatternElement : unsigned char {
  zero,
  one,
  free,  ///< nothing: it is stored and computed with
};

namespace detail {

/// `Count` elements of a pattern, two bits each: types whose arguments they are have short names.
/// The words are no array, since nvcc repeats the types of kernels in C++ that it writes, and fails
/// to write arrays.
template <int Count>
struct ElementList {
  static constexpr int per_word = 32;
  static_assert(Count <= 4 * per_word, "A pattern has at most 128 elements.");
  std::uint64_t word0 = 0, word1 = 0, word2 = 0, word3 = 0;

  KOKKOS_FUNCTION constexpr PatternElement element(int index) const {
    const int w = index / per_word;
    const auto word = w == 0 ? word0 : w == 1 ? word1 : w == 2 ? word2 : word3;
    return PatternElement(word >> (2 * (index % per_word)) & 3u);
  }
  KOKKOS_FUNCTION constexpr void set_element(int index, PatternElement element) {
    const int w = index / per_word;
    auto& word = w == 0 ? word0 : w == 1 ? word1 : w == 2 ? word2 : word3;
    const int shift = 2 * (index % per_word);
    word = (word & ~(std::uint64_t{3} << shift)) | std::uint64_t(element) << shift;
  }

  /// Free elements before `index`: where that element is stored.
  KOKKOS_FUNCTION constexpr int free_before(int index) const {
    int count = 0;
    for (int i = 0; i < index; ++i) count += element(i) == PatternElement::free;
    return count;
  }
  KOKKOS_FUNCTION constexpr int free_elements() const { return free_before(Count); }
  KOKKOS_FUNCTION constexpr bool is_dense() const { return free_elements() == Count; }

  friend constexpr bool operator==(const ElementList&, const ElementList&) = default;
};

/// a b for what is known of a and b.
KOKKOS_FUNCTION constexpr PatternElement product(PatternElement a, PatternElement b) {
  if (a == PatternElement::zero || b == PatternElement::zero) return PatternElement::zero;
  return a == PatternElement::one && b == PatternElement::one ? PatternElement::one
                                                              : PatternElement::free;
}
/// a + b for what is known of a and b.
KOKKOS_FUNCTION constexpr PatternElement sum(PatternElement a, PatternElement b) {
  if (a == PatternElement::zero) return b;
  return b == PatternElement::zero ? a : PatternElement::free;
}
/// a - b for what is known of a and b.
KOKKOS_FUNCTION constexpr PatternElement difference(PatternElement a, PatternElement b) {
  if (b == PatternElement::zero) return a;
  return a == PatternElement::one && b == PatternElement::one ? PatternElement::zero
                                                              : PatternElement::free;
}

}  // namespace detail
}  // namespace trackplex
