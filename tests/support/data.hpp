// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "source_folder.hpp"

/// Test data that is not part of the repository: tests use it where it is and say so where it is
/// not.

namespace trackplex::test {

namespace detail {
inline std::optional<std::filesystem::path> existing(const char* variable,
                                                     const char* default_folder,
                                                     const std::filesystem::path& relative) {
  const char* folder = std::getenv(variable);
  std::filesystem::path const root =
      folder ? std::filesystem::path(folder) : source_folder() / default_folder;
  std::filesystem::path const path = root / relative;
  return std::filesystem::exists(path) ? std::optional(path) : std::nullopt;
}
}  // namespace detail

/// A file or folder of the event data: below TRACKPLEX_DATA, else below ../shared/data.
inline std::optional<std::filesystem::path> data_path(const std::filesystem::path& relative = {}) {
  return detail::existing("TRACKPLEX_DATA", "../shared/data", relative);
}

/// A file or folder of the reference implementations: below TRACKPLEX_REFERENCE, else below
/// ../shared/reference.
inline std::optional<std::filesystem::path> reference_path(
    const std::filesystem::path& relative = {}) {
  return detail::existing("TRACKPLEX_REFERENCE", "../shared/reference", relative);
}

/// The path, or the running test case is skipped.
inline std::filesystem::path data_or_skip(const std::filesystem::path& relative) {
  const auto path = data_path(relative);
  if (!path) {
    SKIP("no data " + relative.string() + " (set TRACKPLEX_DATA to the folder of the event data)");
  }
  return *path;
}

/// The path, or the running test case is skipped.
inline std::filesystem::path reference_or_skip(const std::filesystem::path& relative) {
  const auto path = reference_path(relative);
  if (!path) {
    SKIP("no reference " + relative.string() +
         " (set TRACKPLEX_REFERENCE to the folder of the references)");
  }
  return *path;
}

}  // namespace trackplex::test
