// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

/// @file
/// Files of the host, read as a whole and written. Every fault is an exception that names the file.

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

/// Target of symbolic links, which need not exist.
inline std::filesystem::path link_target(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, error); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  return path;
}

/// The standard output or error, where a path leads to the same file.
inline std::FILE* standard_stream(const std::filesystem::path& path) {
  struct stat of_path, of_stream;
  if (::stat(path.c_str(), &of_path) != 0) return nullptr;
  for (std::FILE* const stream : {stdout, stderr})
    if (::fstat(::fileno(stream), &of_stream) == 0 && of_path.st_dev == of_stream.st_dev &&
        of_path.st_ino == of_stream.st_ino)
      return stream;
  return nullptr;
}

inline FileHandle open_for_reading(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError({path.string()}, "is a folder", "a file is expected");
  errno = 0;
  FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) throw InputError({path.string()}, "cannot be opened", std::strerror(errno));
  return file;
}

inline std::string read_to_end(std::FILE* file, std::uintmax_t size, std::uintmax_t limit,
                               const std::string& name) {
  const auto too_large = [&] {
    throw InputError({name}, "is too large",
                     "at most " + std::to_string(limit >> 20) + " MiB are read" +
                         (size == 0 ? " of what tells no size" : ""));
  };
  if (size > limit) too_large();
  constexpr std::size_t block = 1 << 16;
  std::string bytes(std::size_t(size) + 1, '\0');  // one more byte finds the end
  std::size_t used = 0;
  for (;;) {
    used += std::fread(bytes.data() + used, 1, bytes.size() - used, file);
    if (std::ferror(file)) throw InputError({name}, "cannot be read", std::strerror(errno));
    if (used > limit) too_large();
    if (used < bytes.size()) break;
    bytes.resize(bytes.size() + std::max(block, bytes.size() / 2));
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace detail

/// Returns the bytes of a file.
/// @throws InputError if it cannot be read, does not fit into memory, or is larger than
///         `max_file_bytes` (`max_stream_bytes` where its size is not known)
inline std::string read_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  const auto file = detail::open_for_reading(path);
  std::error_code error;
  const bool is_regular = std::filesystem::is_regular_file(path, error);
  const auto size = is_regular ? std::filesystem::file_size(path, error) : 0;  // 0 in /proc, too
  try {
    return detail::read_to_end(file.get(), size, size > 0 ? max_file_bytes : max_stream_bytes,
                               name);
  } catch (const std::bad_alloc&) {
    throw InputError({name}, "does not fit into memory", std::to_string(size) + " bytes");
  }
}

/// Checks that a file can be opened for reading.
/// @throws InputError if not
inline void check_input(const std::filesystem::path& path) { detail::open_for_reading(path); }

/// Checks that a file could be written, before the work whose results go there. Creates and changes
/// nothing.
/// @throws Error if the folder is missing or the file must not be written
inline void check_output(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& why) {
    throw Error(path.string(), "cannot be written", why,
                "does the folder exist, and may you write there?");
  };
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::none) refuse(error.message());
  if (fs::is_directory(status)) refuse("it is a folder");
  if (fs::exists(status)) {
    if (::access(path.c_str(), W_OK) != 0) refuse(std::strerror(errno));
    return;
  }
  const auto target = detail::link_target(path);
  const auto folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!target.has_filename()) refuse("it names a folder");
  if (!fs::is_directory(folder, error)) refuse("there is no folder " + folder.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(std::strerror(errno));
}

/// Checks that a folder could be created, with those above it. Creates nothing.
/// @throws Error if it could not be created
inline void check_output_folder(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  auto folder = fs::absolute(path, error).lexically_normal();
  while (fs::status(folder, error).type() == fs::file_type::not_found && folder.has_relative_path())
    folder = folder.parent_path();
  const auto refuse = [&](const std::string& why) {
    throw Error(path.string(), "the folder cannot be made", why);
  };
  if (!fs::is_directory(folder, error)) refuse(folder.string() + " is not a folder");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(std::strerror(errno));
}

/// File that is written from its beginning. A path may lead through links, or to a device; where it
/// leads to the standard output or error of the program, the bytes follow those that the program
/// has printed there before.
class OutputFile {
 public:
  /// Opens the file, and discards its former contents.
  /// @throws Error if it cannot be opened
  explicit OutputFile(std::filesystem::path path) : path_(std::move(path)) {
    errno = 0;
    file_.reset(open(path_));
    if (!file_) refuse("does the folder exist, and may you write there?");
  }

  /// Appends bytes. The system may write them later: a full disk, for example, is reported at the
  /// latest by `close()`.
  /// @throws Error if they cannot be written
  void write(std::string_view bytes) {
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) refuse();
  }

  /// Writes everything out and closes the file; nothing may be written afterwards.
  /// @throws Error if something could not be written
  void close() {
    errno = 0;
    if (std::fclose(file_.release()) != 0) refuse();
  }

 private:
  static std::FILE* open(const std::filesystem::path& path) {
    if (std::FILE* const stream = detail::standard_stream(path)) {
      std::fflush(stream);
      const int copy = ::dup(::fileno(stream));
      std::FILE* const file = copy < 0 ? nullptr : ::fdopen(copy, "wb");
      if (file == nullptr && copy >= 0) {
        const int why = errno;
        ::close(copy);
        errno = why;
      }
      return file;
    }
    return std::fopen(path.c_str(), "wb");
  }

  [[noreturn]] void refuse(std::string_view suggestion = {}) const {
    throw Error(path_.string(), "cannot be written", std::strerror(errno), suggestion);
  }

  std::filesystem::path path_;
  detail::FileHandle file_;
};

/// Writes bytes to a file, as `OutputFile` does.
/// @throws Error if it cannot be written
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.close();
}

/// Replaces a file in one step: whenever the program is stopped, the file has either the old or the
/// new contents. The bytes go to a file with the suffix `.part` first. Links are kept, devices are
/// written to directly.
/// @throws Error if it cannot be written; the old file stays as it was
inline void replace_file(const std::filesystem::path& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(path, error);
  const bool is_other = fs::exists(status) && !fs::is_regular_file(status);
  if (is_other || detail::standard_stream(path)) return write_file(path, bytes);
  const auto target = detail::link_target(path);
  fs::path part = target;
  part += ".part";
  OutputFile file(part);
  try {
    file.write(bytes);
    file.close();
    if (fs::exists(status)) fs::permissions(part, status.permissions());
    fs::rename(part, target);
  } catch (const std::exception& fault) {
    fs::remove(part, error);
    throw Error(path.string(), "cannot be replaced", fault.what());
  }
}

/// Creates a folder, and those above it, where it does not exist.
/// @throws Error if it cannot be created
inline void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(path.string(), "the folder cannot be made", error.message());
}

}  // namespace trackplex
