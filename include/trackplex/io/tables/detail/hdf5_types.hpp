// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/hdf5/hdf5_reader.hpp>
#include <trackplex/hdf5/hdf5_writer.hpp>

#include <cstdint>
#include <type_traits>

namespace trackplex::io::detail {

/// HDF5 type of numbers in files.
template <class Number>
hid_t file_type() {
  return std::is_same_v<Number, std::int64_t> ? H5T_STD_I64LE
         : std::is_same_v<Number, float>      ? H5T_IEEE_F32LE
                                              : H5T_IEEE_F64LE;
}

}  // namespace trackplex::io::detail
