// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <system_error>

namespace trackplex::io::detail {

/// Last of the folders that has this file or folder; the first one if none has it.
inline const std::filesystem::path& last_folder_with(std::span<const std::filesystem::path> folders,
                                                     const std::filesystem::path& name) {
  std::error_code error;
  for (std::size_t i = folders.size(); i-- > 0;)
    if (std::filesystem::exists(folders[i] / name, error)) return folders[i];
  return folders.front();
}

}  // namespace trackplex::io::detail
