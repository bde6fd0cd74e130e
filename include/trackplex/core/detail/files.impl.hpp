// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace trackplex {
namespace detail {

/// Target of symbolic links, which need not exist.
TRACKPLEX_INLINE std::filesystem::path link_target(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, error); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  return path;
}

/// The standard output or error, where a path leads to the same file.
TRACKPLEX_INLINE std::FILE* standard_stream(const std::filesystem::path& path) {
  struct stat of_path, of_stream;
  if (::stat(path.c_str(), &of_path) != 0) return nullptr;
  for (std::FILE* const stream : {stdout, stderr})
    if (::fstat(::fileno(stream), &of_stream) == 0 && of_path.st_dev == of_stream.st_dev &&
        of_path.st_ino == of_stream.st_ino)
      return stream;
  return nullptr;
}

TRACKPLEX_INLINE FileHandle open_for_reading(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError({path.string()}, "is a folder", "a file is expected");
  errno = 0;
  FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) throw InputError({path.string()}, "cannot be opened", std::strerror(errno));
  return file;
}

TRACKPLEX_INLINE std::string read_to_end(std::FILE* file, std::uintmax_t size, std::uintmax_t limit,
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

TRACKPLEX_INLINE std::string read_file(const std::filesystem::path& path) {
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

TRACKPLEX_INLINE void check_input(const std::filesystem::path& path) {
  detail::open_for_reading(path);
}

TRACKPLEX_INLINE void check_output(const std::filesystem::path& path) {
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

TRACKPLEX_INLINE void check_output_folder(const std::filesystem::path& path) {
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

TRACKPLEX_INLINE OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  errno = 0;
  file_.reset(open(path_));
  if (!file_) refuse("does the folder exist, and may you write there?");
}

TRACKPLEX_INLINE void OutputFile::write(std::string_view bytes) {
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) refuse();
}

TRACKPLEX_INLINE void OutputFile::close() {
  errno = 0;
  if (std::fclose(file_.release()) != 0) refuse();
}

TRACKPLEX_INLINE std::FILE* OutputFile::open(const std::filesystem::path& path) {
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

TRACKPLEX_INLINE void OutputFile::refuse(std::string_view suggestion) const {
  throw Error(path_.string(), "cannot be written", std::strerror(errno), suggestion);
}

TRACKPLEX_INLINE void write_file(const std::filesystem::path& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.close();
}

TRACKPLEX_INLINE void replace_file(const std::filesystem::path& path, std::string_view bytes) {
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

TRACKPLEX_INLINE void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(path.string(), "the folder cannot be made", error.message());
}

}  // namespace trackplex
