// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Numbers of binary SDDS files, in both byte orders.

#include <trackplex/io/sdds/sdds_file.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io::detail {

/// `longdouble` of a file: an extended number of 80 bits in the first 10 of 16 bytes.
struct SddsLongDouble {
  std::array<unsigned char, 16> bytes{};
};

/// Returns the bytes of a value in binary files; of a string, those of its length.
inline std::size_t sdds_bytes_of(SddsType type) {
  constexpr std::size_t bytes[] = {2, 2, 4, 4, 8, 8, 4, 8, sizeof(SddsLongDouble), 4, 1};
  return bytes[std::size_t(type)];
}

/// Calls f with a value of the C++ type that numbers of a type have in binary files.
template <class F>
void with_sdds_number(SddsType type, const F& f) {
  switch (type) {
    case SddsType::int16:
      return f(std::int16_t());
    case SddsType::uint16:
      return f(std::uint16_t());
    case SddsType::int32:
      return f(std::int32_t());
    case SddsType::uint32:
      return f(std::uint32_t());
    case SddsType::int64:
      return f(std::int64_t());
    case SddsType::uint64:
      return f(std::uint64_t());
    case SddsType::float32:
      return f(float());
    case SddsType::float64:
      return f(double());
    case SddsType::longdouble:
      return f(SddsLongDouble());
    case SddsType::string:
    case SddsType::character:
      return;
  }
}

/// Reverses the bytes of a number. Of a long double, SDDS reverses 12 and leaves 4.
template <class T>
void reverse_sdds_bytes(T& value) {
  auto* const bytes = reinterpret_cast<unsigned char*>(&value);
  std::reverse(bytes, bytes + (std::is_same_v<T, SddsLongDouble> ? 12 : sizeof value));
}

/// Returns the number at an address, which need not be aligned.
template <class T>
T sdds_number(const char* at, bool big_endian) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if (big_endian != (std::endian::native == std::endian::big)) reverse_sdds_bytes(value);
  return value;
}

template <class T>
void append_sdds_bytes(std::string& bytes, T value, bool big_endian) {
  if (big_endian != (std::endian::native == std::endian::big)) reverse_sdds_bytes(value);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline double double_of(const SddsLongDouble& number) {
  std::uint64_t mantissa = 0;
  for (int i = 7; i >= 0; --i) mantissa = mantissa << 8 | number.bytes[std::size_t(i)];
  const int exponent = (number.bytes[9] & 0x7f) << 8 | number.bytes[8];
  const bool is_special = exponent == 0x7fff;  // infinite or not a number
  const double size = !is_special          ? std::ldexp(double(mantissa), exponent - 16383 - 63)
                      : mantissa << 1 == 0 ? std::numeric_limits<double>::infinity()
                                           : std::numeric_limits<double>::quiet_NaN();
  return number.bytes[9] & 0x80 ? -size : size;
}

inline SddsLongDouble long_double_of(double value) {
  SddsLongDouble number;
  std::uint64_t mantissa = 0;
  int exponent = 0;
  if (std::isfinite(value)) {
    const double fraction = std::frexp(std::abs(value), &exponent);  // 0, or 1/2 to 1
    mantissa = std::uint64_t(std::ldexp(fraction, 64));
    exponent = fraction == 0. ? 0 : exponent + 16382;
  } else {
    mantissa = std::isnan(value) ? std::uint64_t(3) << 62 : std::uint64_t(1) << 63;
    exponent = 0x7fff;
  }
  for (std::size_t i = 0; i < 8; ++i) number.bytes[i] = (unsigned char)(mantissa >> 8 * i);
  number.bytes[8] = (unsigned char)(exponent);
  number.bytes[9] = (unsigned char)(exponent >> 8 | (std::signbit(value) ? 0x80 : 0));
  return number;
}

/// Appends n numbers or characters of a block, `stride` bytes apart. Returns how many were read:
/// fewer than n if one is not of 64 bits with a sign.
inline std::size_t append_sdds_numbers(SddsType type, std::string_view block, std::size_t stride,
                                       std::size_t n, bool big_endian, ColumnValues& values) {
  if (type == SddsType::character) {
    auto& list = std::get<std::vector<std::string>>(values);
    for (std::size_t i = 0; i < n; ++i) list.emplace_back(1, block[i * stride]);
    return n;
  }
  std::size_t i = 0;
  with_sdds_number(type, [&]<class T>(T) {
    using To = std::conditional_t<std::is_integral_v<T>, std::int64_t,
                                  std::conditional_t<std::is_same_v<T, float>, float, double>>;
    auto& list = std::get<std::vector<To>>(values);
    if (n > 1) list.reserve(list.size() + n);
    for (; i < n; ++i) {
      const T value = sdds_number<T>(block.data() + i * stride, big_endian);
      if constexpr (std::is_same_v<T, SddsLongDouble>) {
        list.push_back(double_of(value));
      } else {
        if constexpr (std::is_integral_v<T>)
          if (!std::in_range<std::int64_t>(value)) return;
        list.push_back(To(value));
      }
    }
  });
  return i;
}

}  // namespace trackplex::io::detail
