// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

/// @file
/// Files of the host, read as a whole and written. Every failure throws an exception that names the
/// file.

namespace trackplex {

/// Largest file that `read_file` reads, bytes (16 GiB).
inline constexpr std::uintmax_t max_file_bytes = std::uintmax_t(16) << 30;
/// Largest input without a known size that `read_file` reads, such as a pipe or a device, bytes
/// (256 MiB).
inline constexpr std::uintmax_t max_stream_bytes = std::uintmax_t(256) << 20;

namespace detail {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace detail

/// Returns the bytes of a file.
/// @throws InputError if it cannot be read, does not fit into memory, or is larger than
///         `max_file_bytes` (`max_stream_bytes` if its size is not known)
std::string read_file(const std::filesystem::path& path);

/// Checks that a file can be opened for reading.
/// @throws InputError if it cannot
void check_input(const std::filesystem::path& path);

/// Checks that a file could be written, before the work whose results go there. Does not create or
/// change anything.
/// @throws Error if the folder is missing or the file is not writable
void check_output(const std::filesystem::path& path);

/// Checks that a folder could be created, with its parents. Does not create anything.
/// @throws Error if it could not be created
void check_output_folder(const std::filesystem::path& path);

/// File that is written from its beginning. A path may lead through links, or to a device; if it is
/// the standard output or error of the program, the bytes follow the text that the program has
/// already printed there.
class OutputFile {
 public:
  /// Opens the file and discards its former contents.
  /// @throws Error if it cannot be opened
  explicit OutputFile(std::filesystem::path path);

  /// Appends bytes. The system may write them later: a full disk, for example, is reported by
  /// `close()` at the latest.
  /// @throws Error if they cannot be written
  void write(std::string_view bytes);

  /// Writes everything out and closes the file; nothing may be written afterwards.
  /// @throws Error if something could not be written
  void close();

 private:
  static std::FILE* open(const std::filesystem::path& path);

  [[noreturn]] void refuse(std::string_view suggestion = {}) const;

  std::filesystem::path path_;
  detail::FileHandle file_;
};

/// Writes bytes to a file, as `OutputFile` does.
/// @throws Error if it cannot be written
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Replaces a file atomically: even if the program is stopped, the file has either the old or the
/// new contents. The bytes go to a file with the suffix `.part` first. Links are preserved,
/// devices are written to directly.
/// @throws Error if it cannot be written; the old file is unchanged
void replace_file(const std::filesystem::path& path, std::string_view bytes);

/// Creates a folder and its parents, if it does not exist.
/// @throws Error if it cannot be created
void make_folder(const std::filesystem::path& path);

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/files.impl.hpp>
#endif
