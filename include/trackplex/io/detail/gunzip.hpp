// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files compressed by gzip.

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// Whether bytes begin as those of a gzip file do.
inline bool is_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

/// Returns the contents of a gzip file, of one member or several, behind which there may be zero
/// bytes; `name` is for messages.
/// @throws InputError if it is damaged or its contents have more than `capacity` bytes
inline std::string gunzip(std::string_view bytes, const std::string& name,
                          std::size_t capacity = max_stream_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
    throw Error("zlib", "could not start", {}, "there may be too little memory");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
  const auto refuse = [&](std::string_view problem, std::string_view why) {
    throw InputError({name, {}, {}, std::size_t(bytes.size() - stream.avail_in)}, problem, why);
  };
  if (bytes.size() > std::numeric_limits<uInt>::max()) refuse("it is too large", "below 4 GiB");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  std::string text;
  char block[1 << 16];
  for (int result = Z_OK; result != Z_STREAM_END || stream.avail_in > 0;) {
    if (result == Z_STREAM_END && inflateReset(&stream) != Z_OK)
      refuse("it cannot be decompressed", "zlib failed");
    stream.next_out = reinterpret_cast<Bytef*>(block);
    stream.avail_out = sizeof block;
    result = inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END)
      refuse("it cannot be decompressed", result == Z_BUF_ERROR ? "it ends early" : zError(result));
    const std::size_t written = sizeof block - stream.avail_out;
    if (written > capacity - text.size())
      refuse("its contents are too large", "more than " + std::to_string(capacity) + " bytes");
    text.append(block, written);
    const std::string_view left = bytes.substr(bytes.size() - stream.avail_in);
    if (result == Z_STREAM_END && left.find_first_not_of('\0') == left.npos) break;  // padding
  }
  return text;
}

/// Returns the contents of a file, decompressed if it is compressed by gzip.
/// @throws InputError if it cannot be read, or as `gunzip` does
inline std::string read_plain_or_gzip(const std::filesystem::path& path) {
  std::string bytes = read_file(path);
  return is_gzip(bytes) ? gunzip(bytes, path.string()) : bytes;
}

}  // namespace trackplex::io::detail
