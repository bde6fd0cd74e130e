// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// LHCb's raw data as the readout writes them (MDF files). Little endian; one event after another:
///
///   event   u32 size in bytes, three times; u32 checksum of what follows, or 0; u8 compression; u8
///           version 3 and length 7; u8 type of the data 1; u8 unused; u32 trigger mask (4 words),
///           run, orbit, bunch; body
///   body    banks, or records of zlib streams that hold them (see detail/root_records.hpp)
///   bank    u16 0xcbcb, u16 length with these 8 bytes, u8 type, u8 version, u16 source, payload,
///           padded to whole words
///
/// The banks of VP, UT, ODIN and the truth of simulated events are read; others are counted.

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/mdf_event.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io {

/// Reader of the events in the contents of an MDF file, one by one:
///
///   for (auto reader = open_mdf(path);;) {
///     try {
///       auto event = reader.next();
///       if (!event) break;
///       ...
///     } catch (const InputError& error) {
///       // this event is damaged; the next call gives the one after it
///     }
///   }
class MdfReader {
 public:
  /// Starts at the first event of `bytes`, the contents of a file. `name` is for messages and the
  /// names of events: "NAME: event 3 (run 6718861, number 6001)".
  MdfReader(std::string bytes, std::string name, MdfTruth truth = MdfTruth::read)
      : bytes_(std::move(bytes)), name_(std::move(name)), truth_(truth) {}

  /// Returns the next event, or nothing at the end.
  /// @throws InputError if the event is damaged; the next call returns the event after it. Only if
  /// the size of the event is damaged, the rest of the file is lost, as the message says, and the
  /// next call returns nothing.
  std::optional<MdfEvent> next() {
    if (offset_ == bytes_.size()) return {};
    const std::size_t number = n_events_, first = offset_;
    const std::size_t size = pass_frame();
    return detail::read_mdf_event(std::string_view(bytes_).substr(first, size), name_, number,
                                  first, truth_);
  }

  /// Skips the next event, of which only the size is read; returns false at the end.
  /// @throws InputError if the size is damaged; the rest of the file is lost then
  bool skip() {
    if (offset_ == bytes_.size()) return false;
    pass_frame();
    return true;
  }

 private:
  /// Goes to the next event, and returns the size of this one.
  std::size_t pass_frame() {
    const std::size_t number = n_events_++;
    const std::size_t first = std::exchange(offset_, bytes_.size());
    const std::size_t size = frame_size(first, number);
    offset_ = first + size;
    return size;
  }
  std::size_t frame_size(std::size_t first, std::size_t number) const {
    const std::size_t left = bytes_.size() - first;
    const InputPlace place{name_, "event " + std::to_string(number), {}, first};
    const std::string lost = "the last " + std::to_string(left) + " bytes of the file are lost";
    if (left < detail::mdf_header_bytes)
      throw InputError(place, "the file ends in its header", {}, lost);
    detail::ByteReader in(std::string_view(bytes_).substr(first), name_);
    const std::size_t size = in.read<std::uint32_t>();
    if (in.read<std::uint32_t>() != size || in.read<std::uint32_t>() != size)
      throw InputError(place, "its three sizes are not equal", {}, lost);
    if (size < detail::mdf_header_bytes || size > left)
      throw InputError(place, "it has " + std::to_string(size) + " bytes",
                       size > left
                           ? std::to_string(left) + " are left"
                           : "its header alone has " + std::to_string(detail::mdf_header_bytes),
                       lost);
    return size;
  }

  std::string bytes_;
  std::string name_;
  MdfTruth truth_;
  std::size_t offset_ = 0;
  std::size_t n_events_ = 0;
};

/// Reads a whole file into memory and returns a reader of its events.
/// @throws InputError if the file cannot be read
inline MdfReader open_mdf(const std::filesystem::path& path, MdfTruth truth = MdfTruth::read) {
  return {read_file(path), path.string(), truth};
}

/// Reads all events of a file, with their truth.
/// @throws InputError at the first event that is damaged
inline std::vector<MdfEvent> read_mdf(const std::filesystem::path& path) {
  std::vector<MdfEvent> events;
  auto reader = open_mdf(path);
  while (auto event = reader.next()) events.push_back(std::move(*event));
  return events;
}

/// Options for writing MDF files.
struct MdfOptions {
  int compression = 0;   ///< level of zlib from 1 (fast) to 9 (small), or 0 for none
  bool checksum = true;  ///< writes checksums, else 0
};

/// Returns the contents of a file, which read back as these events: their VP and UT banks, run,
/// number, and truth. MdfEvent::other_banks are not written.
/// @throws UsageError if the compression level does not exist
/// @throws UsageError, InputError, CapacityError if an event could not be read back
inline std::string mdf_bytes(std::span<const MdfEvent> events, const MdfOptions& options = {}) {
  if (options.compression < 0 || options.compression > 9)
    throw UsageError("MDF file",
                     "compression " + std::to_string(options.compression) + " does not exist",
                     "0 to 9 are allowed");
  detail::ByteWriter out;
  for (const auto& event : events) {
    detail::MdfHeader header;
    header.run = event.raw.run;
    std::string body = detail::mdf_body(event);
    if (body.size() > detail::mdf_max_body_bytes)
      throw CapacityError(event.raw.name, "bytes", body.size(), detail::mdf_max_body_bytes);
    if (options.compression > 0) {
      const std::size_t raw_size = body.size();
      body = detail::deflate_records(body, options.compression);
      const std::size_t hint = std::min<std::size_t>(raw_size / body.size(), 15);
      header.compression = std::uint8_t(options.compression | hint << 4);
    }
    out.append_bytes(detail::mdf_frame(header, body, options.checksum));
  }
  return out.take();
}

/// Writes events to a file, see mdf_bytes().
/// @throws Error if it cannot be written
inline void write_mdf(const std::filesystem::path& path, std::span<const MdfEvent> events,
                      const MdfOptions& options = {}) {
  write_file(path, mdf_bytes(events, options));
}

}  // namespace trackplex::io
