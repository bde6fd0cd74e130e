// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Bytes compressed in the way of ROOT: records of {"ZL", method, compressed size, raw size} and a
/// zlib stream; the sizes have three bytes, the smallest first.

#include <trackplex/io/detail/byte_reader.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

inline constexpr std::string_view root_zlib_tag = "ZL";
/// Raw bytes of a record, so that even what does not shrink has a size of 24 bits.
inline constexpr std::size_t root_record_bytes = 0xff0000;

inline std::size_t read_24_bits(ByteReader& in) {
  const auto bytes = in.read_bytes(3);
  std::size_t number = 0;
  for (int i = 2; i >= 0; --i) number = number << 8 | std::uint8_t(bytes[i]);
  return number;
}

/// Appends the raw bytes of the next record. zlib shrinks by less than 1040, so that a record can
/// only state a size that it is going to have, in order of magnitude.
inline void inflate_record(ByteReader& in, std::size_t number, std::size_t capacity,
                           std::string& raw) {
  const auto place = in.place(in.offset(), "compressed record", number);
  const auto tag = in.read_bytes(root_zlib_tag.size());
  if (tag != root_zlib_tag)
    throw InputError(place, "it does not begin with ZL", {},
                     "only zlib is supported, and the file may be damaged");
  in.skip(1);
  const std::size_t size = read_24_bits(in);
  const std::size_t raw_size = read_24_bits(in);
  const auto stream = in.read_bytes(size);
  if (raw_size > 1040 * size || raw_size > capacity - raw.size())
    throw InputError(place, "it would have " + std::to_string(raw_size) + " bytes",
                     std::to_string(size) + " compressed, and all records together at most " +
                         std::to_string(capacity));
  const std::size_t first = raw.size();
  raw.resize(first + raw_size);
  uLongf written = raw_size;
  uLong used = size;
  const int result = uncompress2(reinterpret_cast<Bytef*>(raw.data() + first), &written,
                                 reinterpret_cast<const Bytef*>(stream.data()), &used);
  if (result != Z_OK || written != raw_size || used != size)
    throw InputError(place, "it cannot be decompressed",
                     result == Z_OK ? "its sizes are not those that it states" : zError(result));
}

/// The raw bytes of all records that are left.
/// @throws InputError if one is damaged, or all have more than `capacity` raw bytes
inline std::string inflate_records(ByteReader& in, std::size_t capacity) {
  std::string raw;
  for (std::size_t number = 0; in.left() > 0; ++number) inflate_record(in, number, capacity, raw);
  return raw;
}

/// Records of these bytes; `level` from 1 (fast) to 9 (small).
inline std::string deflate_records(std::string_view raw, int level) {
  ByteWriter out;
  std::string stream;
  for (std::size_t at = 0; at < raw.size(); at += root_record_bytes) {
    const auto part = raw.substr(at, root_record_bytes);
    uLongf size = compressBound(part.size());
    stream.resize(size);
    if (compress2(reinterpret_cast<Bytef*>(stream.data()), &size,
                  reinterpret_cast<const Bytef*>(part.data()), part.size(), level) != Z_OK)
      throw Error("zlib", "could not compress", {}, "there may be too little memory");
    constexpr std::uint8_t method = 8;
    out.append_bytes(root_zlib_tag);
    out.append(method);
    for (const std::size_t number : {std::size_t(size), part.size()})
      for (int byte = 0; byte < 3; ++byte) out.append(std::uint8_t(number >> (8 * byte)));
    out.append_bytes({stream.data(), size});
  }
  return out.take();
}

}  // namespace trackplex::io::detail
