// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/byte_reader.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

inline constexpr std::size_t mdf_header_bytes = 48;
inline constexpr std::size_t mdf_checked_from = 16;  ///< first byte under the checksum
inline constexpr std::size_t mdf_bank_header_bytes = 8;
inline constexpr std::uint16_t mdf_bank_magic = 0xcbcb;

/// Bob Jenkins' one-at-a-time hash, over signed bytes.
inline std::uint32_t mdf_checksum(std::string_view bytes) {
  std::uint32_t hash = 0;
  for (const char byte : bytes) {
    hash += std::uint32_t(static_cast<signed char>(byte));
    hash += hash << 10;
    hash ^= hash >> 6;
  }
  hash += hash << 3;
  hash ^= hash >> 11;
  return hash + (hash << 15);
}

/// The header of an event after its three sizes.
struct MdfHeader {
  std::uint32_t checksum = 0;    ///< 0: none
  std::uint8_t compression = 0;  ///< low four bits: 0 for none, or ROOT's; the others: a hint
  std::uint8_t layout = 0x37;    ///< version 3, seven words from the trigger mask on
  std::uint8_t data_type = 1;    ///< banks
  std::uint8_t spare = 0;
  std::array<std::uint32_t, 4> trigger_mask = {~0u, ~0u, ~0u, ~0u};
  std::uint32_t run = 0;
  std::uint32_t orbit = 0;
  std::uint32_t bunch = 0;

  bool compressed() const { return (compression & 0xf) != 0; }
};

/// Reads the header of an event from the sizes on, and checks it. `event` is the whole event.
inline MdfHeader read_mdf_header(ByteReader& in, std::string_view event) {
  in.skip(12);
  MdfHeader header;
  header.checksum = in.read<std::uint32_t>();
  const auto place = in.place(in.offset(), "header");
  for (auto* byte : {&header.compression, &header.layout, &header.data_type, &header.spare})
    *byte = in.read<std::uint8_t>();
  in.read_all(header.trigger_mask);
  for (auto* word : {&header.run, &header.orbit, &header.bunch}) *word = in.read<std::uint32_t>();
  const auto checksum = mdf_checksum(event.substr(mdf_checked_from));
  if (header.checksum != 0 && header.checksum != checksum)
    throw InputError(place, "the checksum is " + std::to_string(checksum),
                     "the header says " + std::to_string(header.checksum), "the event is damaged");
  if (header.layout != MdfHeader().layout || header.data_type != MdfHeader().data_type ||
      (header.compression & 0xf) > 9)
    throw InputError(place, "another kind of header than is known",
                     "version and length " + std::to_string(header.layout) + ", data type " +
                         std::to_string(header.data_type) + ", compression " +
                         std::to_string(header.compression & 0xf));
  return header;
}

/// A whole event with this header and body.
inline std::string mdf_frame(MdfHeader header, std::string_view body, bool checksum) {
  constexpr std::size_t capacity = 0xffffffff;
  const std::size_t size = mdf_header_bytes + body.size();
  if (size > capacity) throw CapacityError("MDF event", "bytes", size, capacity);
  ByteWriter checked;
  for (const auto byte : {header.compression, header.layout, header.data_type, header.spare})
    checked.append(byte);
  checked.append_all(header.trigger_mask);
  for (const auto word : {header.run, header.orbit, header.bunch}) checked.append(word);
  checked.append_bytes(body);
  ByteWriter out;
  for (int copy = 0; copy < 3; ++copy) out.append(std::uint32_t(size));
  out.append(checksum ? mdf_checksum(checked.bytes()) : 0u);
  out.append_bytes(checked.bytes());
  return out.take();
}

/// A bank as it stands in the body of an event.
struct MdfBank {
  std::uint8_t type = 0;
  std::uint8_t version = 0;
  std::uint16_t source = 0;
  std::string_view payload;
  std::size_t number = 0;  ///< in the event
  std::size_t offset = 0;  ///< of its header in the body

  InputPlace place(const ByteReader& in) const { return in.place(offset, "bank", number); }
};

inline MdfBank read_mdf_bank(ByteReader& in, std::size_t number) {
  MdfBank bank;
  bank.number = number;
  bank.offset = in.offset();
  if (in.left() < mdf_bank_header_bytes)
    throw InputError(bank.place(in), "the event ends in the header of this bank");
  if (const auto magic = in.read<std::uint16_t>(); magic != mdf_bank_magic)
    throw InputError(bank.place(in), "it begins with " + std::to_string(magic) + " instead of " +
                                         std::to_string(mdf_bank_magic));
  const std::size_t length = in.read<std::uint16_t>();
  bank.type = in.read<std::uint8_t>();
  bank.version = in.read<std::uint8_t>();
  bank.source = in.read<std::uint16_t>();
  if (length < mdf_bank_header_bytes || length - mdf_bank_header_bytes > in.left())
    throw InputError(
        bank.place(in), "its length is " + std::to_string(length),
        "the event has " + std::to_string(in.left()) + " bytes after the 8 of its header");
  bank.payload = in.read_bytes(length - mdf_bank_header_bytes);
  in.skip(std::min(in.left(), (4 - length % 4) % 4));
  return bank;
}

inline void append_mdf_bank(ByteWriter& out, std::uint8_t type, int version, std::uint16_t source,
                            std::string_view payload) {
  constexpr std::size_t capacity = 0xffff - mdf_bank_header_bytes;
  if (payload.size() > capacity) throw CapacityError("MDF bank", "bytes", payload.size(), capacity);
  if (version < 0 || version > 0xff)
    throw UsageError("MDF bank", "its version is " + std::to_string(version),
                     "a version has 8 bits");
  out.append(mdf_bank_magic);
  out.append(std::uint16_t(mdf_bank_header_bytes + payload.size()));
  out.append(type);
  out.append(std::uint8_t(version));
  out.append(source);
  out.append_bytes(payload);
  constexpr std::string_view zeros("\0\0\0", 3);
  out.append_bytes(zeros.substr(0, (4 - payload.size() % 4) % 4));
}

}  // namespace trackplex::io::detail
