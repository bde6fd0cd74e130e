// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// HDF5 types of numbers.

#include <hdf5.h>

#include <cstdint>
#include <type_traits>

namespace trackplex::hdf5 {

/// Whether numbers of a type are read and written: std::int64_t, float and double.
template <class Number>
inline constexpr bool is_number =
    std::is_same_v<Number, std::int64_t> || std::is_same_v<Number, std::uint64_t> ||
    std::is_same_v<Number, float> || std::is_same_v<Number, double>;

/// Returns the HDF5 type of numbers in memory.
template <class Number>
hid_t memory_type() {
  static_assert(is_number<Number>, "Numbers are integers of 64 bits, float or double.");
  return std::is_same_v<Number, std::int64_t>    ? H5T_NATIVE_INT64
         : std::is_same_v<Number, std::uint64_t> ? H5T_NATIVE_UINT64
         : std::is_same_v<Number, float>         ? H5T_NATIVE_FLOAT
                                                 : H5T_NATIVE_DOUBLE;
}

/// Returns the HDF5 type of numbers in files, little-endian.
template <class Number>
hid_t file_type() {
  static_assert(is_number<Number>, "Numbers are integers of 64 bits, float or double.");
  return std::is_same_v<Number, std::int64_t>    ? H5T_STD_I64LE
         : std::is_same_v<Number, std::uint64_t> ? H5T_STD_U64LE
         : std::is_same_v<Number, float>         ? H5T_IEEE_F32LE
                                                 : H5T_IEEE_F64LE;
}

}  // namespace trackplex::hdf5
