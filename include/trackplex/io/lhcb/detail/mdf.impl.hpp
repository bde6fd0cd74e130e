// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/detail/mdf_event.hpp>
#include <trackplex/io/lhcb/mdf.hpp>

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

TRACKPLEX_INLINE std::optional<MdfEvent> MdfReader::next() {
  if (offset_ == bytes_.size()) return {};
  const std::size_t number = n_events_, first = offset_;
  const std::size_t size = pass_frame();
  return detail::read_mdf_event(std::string_view(bytes_).substr(first, size), name_, number, first,
                                truth_);
}

TRACKPLEX_INLINE bool MdfReader::skip() {
  if (offset_ == bytes_.size()) return false;
  pass_frame();
  return true;
}

TRACKPLEX_INLINE std::size_t MdfReader::pass_frame() {
  const std::size_t number = n_events_++;
  const std::size_t first = std::exchange(offset_, bytes_.size());
  const std::size_t size = frame_size(first, number);
  offset_ = first + size;
  return size;
}

TRACKPLEX_INLINE std::size_t MdfReader::frame_size(std::size_t first, std::size_t number) const {
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

TRACKPLEX_INLINE MdfReader open_mdf(const std::filesystem::path& path, MdfTruth truth) {
  auto bytes = read_file(path);
  if (bytes.empty())
    throw InputError({path.string()}, "it has no events", "the file is empty", "copy it again");
  return {std::move(bytes), path.string(), truth};
}

TRACKPLEX_INLINE std::vector<MdfEvent> read_mdf(const std::filesystem::path& path) {
  std::vector<MdfEvent> events;
  auto reader = open_mdf(path);
  while (auto event = reader.next()) events.push_back(std::move(*event));
  return events;
}

TRACKPLEX_INLINE std::string mdf_bytes(std::span<const MdfEvent> events,
                                       const MdfOptions& options) {
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

TRACKPLEX_INLINE void write_mdf(const std::filesystem::path& path, std::span<const MdfEvent> events,
                                const MdfOptions& options) {
  write_file(path, mdf_bytes(events, options));
}

}  // namespace trackplex::io
