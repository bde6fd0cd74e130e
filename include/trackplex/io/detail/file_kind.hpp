// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/gunzip.hpp>

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace trackplex::io::detail {

/// Format of a file of tables.
enum class FileKind { csv, sdds, hdf5 };

/// Returns the format of a file by its first bytes, whatever its name is; a compressed one is SDDS.
/// Where they tell nothing, its name does.
inline FileKind kind_of_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {  // not a pipe, which can be read once
    const trackplex::detail::FileHandle file(std::fopen(path.c_str(), "rb"));
    char head[4] = {};
    const std::string_view read(head, file ? std::fread(head, 1, sizeof head, file.get()) : 0);
    if (read == "SDDS" || is_gzip(read)) return FileKind::sdds;
    if (read == "\x89HDF") return FileKind::hdf5;
  }
  if (path.extension() == ".h5") return FileKind::hdf5;
  return path.extension() == ".sdds" ? FileKind::sdds : FileKind::csv;
}

/// Tells whether a name is that of an openPMD file to be written: it ends in .openpmd.h5.
inline bool has_openpmd_name(const std::filesystem::path& path) {
  return path.extension() == ".h5" && path.stem().extension() == ".openpmd";
}

}  // namespace trackplex::io::detail
