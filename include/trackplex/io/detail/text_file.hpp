// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// The bytes of a file.
inline std::string read_text_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError({path.string()}, "is a folder", "a file is expected");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({path.string()}, "cannot be opened", std::strerror(errno));
  const auto expected = std::filesystem::file_size(path, ignored);
  std::string text;
  std::size_t size = 0;
  for (std::size_t more = ignored ? 0 : expected + 1; file; more = size) {  // pipes tell no size
    text.resize(size + std::max<std::size_t>(more, 1 << 12));
    file.read(text.data() + size, static_cast<std::streamsize>(text.size() - size));
    size += static_cast<std::size_t>(file.gcount());
  }
  text.resize(size);
  if (file.bad()) throw InputError({path.string()}, "cannot be read to the end");
  return text;
}

/// Opens a file for writing, or throws.
inline std::ofstream open_for_writing(const std::filesystem::path& path) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) throw Error(path.string(), "cannot be opened for writing", std::strerror(errno));
  return file;
}

/// Closes a file; a write that failed (disk full, say) is an error here at the latest.
inline void finish_writing(std::ofstream& file, const std::filesystem::path& path) {
  file.close();
  if (!file) throw Error(path.string(), "could not be written completely");
}

/// Makes a file of these bytes.
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  auto file = open_for_writing(path);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  finish_writing(file, path);
}

/// Makes a folder, and those above it, unless it is there.
inline void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(path.string(), "the folder cannot be made", error.message());
}

/// Appends the shortest decimal that reads back as the same number; `null` for NaN and inf.
template <class Number>
void append_number(std::string& text, Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) {
      text.append("null");
      return;
    }
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

}  // namespace trackplex::io::detail
