// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files compressed by xz.

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>

#include <lzma.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trackplex::lzma {

namespace detail {

/// Reason that liblzma gives for an error.
inline const char* reason_of(lzma_ret result) {
  switch (result) {
    case LZMA_BUF_ERROR:
      return "it ends early";
    case LZMA_FORMAT_ERROR:
      return "it is no xz file";
    case LZMA_OPTIONS_ERROR:
      return "it has options that liblzma does not know";
    case LZMA_MEMLIMIT_ERROR:
      return "it needs too much memory";
    case LZMA_MEM_ERROR:
      return "there is too little memory";
    default:
      return "it is damaged";
  }
}

}  // namespace detail

/// Returns the contents of an xz file, of one stream or several; `name` is for messages.
/// @throws InputError if it is damaged, needs too much memory, or its contents have more than
/// `capacity` bytes
inline std::string unxz(std::string_view bytes, const std::string& name,
                        std::size_t capacity = max_stream_bytes) {
  constexpr std::uint64_t max_memory = std::uint64_t(1) << 28;
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, max_memory, LZMA_CONCATENATED) != LZMA_OK)
    throw Error("liblzma", "could not start", {}, "there may be too little memory");
  const std::unique_ptr<lzma_stream, decltype(&lzma_end)> end(&stream, lzma_end);
  const auto refuse = [&](std::string_view problem, std::string_view why) {
    throw InputError({name, {}, {}, std::size_t(stream.total_in)}, problem, why);
  };
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  std::string text;
  std::uint8_t block[1 << 16];
  for (lzma_ret result = LZMA_OK; result != LZMA_STREAM_END;) {
    stream.next_out = block;
    stream.avail_out = sizeof block;
    result = lzma_code(&stream, LZMA_FINISH);
    if (result != LZMA_OK && result != LZMA_STREAM_END)
      refuse("it cannot be decompressed", detail::reason_of(result));
    const std::size_t written = sizeof block - stream.avail_out;
    if (written > capacity - text.size())
      refuse("its contents are too large", "more than " + std::to_string(capacity) + " bytes");
    text.append(reinterpret_cast<const char*>(block), written);
  }
  return text;
}

}  // namespace trackplex::lzma
