// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace trackplex::io::detail {

/// Tells whether both are files, of different contents.
inline bool are_different_files(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  const auto is_file = [&](const auto& path) {
    return std::filesystem::is_regular_file(path, error);
  };
  if (!is_file(a) || !is_file(b) || std::filesystem::equivalent(a, b, error)) return false;
  return read_file(a) != read_file(b);
}

/// Returns the path of a file that another file names: in the folder of that one, or else in the
/// working folder. A remark says which it is where both have one and they differ.
inline std::filesystem::path find_beside(const std::filesystem::path& folder,
                                         const std::filesystem::path& name,
                                         std::vector<std::string>& remarks) {
  const auto beside = folder / name;
  if (name.is_absolute()) return beside;
  std::error_code error;
  if (!std::filesystem::exists(beside, error))
    return std::filesystem::exists(name, error) ? name : beside;
  if (are_different_files(beside, name))
    remarks.push_back("'" + beside.string() + "' is read, not the other '" + name.string() +
                      "' in the working folder");
  return beside;
}

}  // namespace trackplex::io::detail
