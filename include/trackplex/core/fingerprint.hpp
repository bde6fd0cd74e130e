// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>

namespace trackplex {

/// 64-bit FNV-1a hash of the bytes of values (G. Fowler, L. C. Noll, K.-P. Vo): tells whether
/// complete outputs have the same bits.
class Fingerprint {
 public:
  /// Adds the bytes of a number.
  template <class T>
  requires(std::is_arithmetic_v<T>) Fingerprint& add(const T& value) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = 0; i < sizeof(T); ++i) state_ = (state_ ^ bytes[i]) * 0x100000001b3u;
    return *this;
  }
  /// Adds the number of values in a range, as 64 bits, then the values.
  template <class Range>
  requires(!std::is_arithmetic_v<Range>) Fingerprint& add(const Range& values) {
    add(std::uint64_t(std::size(values)));
    for (const auto& value : values) add(value);
    return *this;
  }

  /// Returns the hash of everything added so far.
  std::uint64_t value() const { return state_; }

  /// Returns the hash as 16 hexadecimal digits.
  std::string hex() const;

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/fingerprint.impl.hpp>
#endif
