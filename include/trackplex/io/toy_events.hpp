// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Events of mkFit's toy simulation (state of 2017): tracks in concentric cylinders, in a binary
/// file. Little endian; each number has four bytes but the charge (i16) and a flag (u8):
///
///   file   number of events, events
///   event  size in bytes (this number included), number of tracks, tracks, number of layers,
///          layers, number of true hits, true hits
///   layer  number of hits, hits
///
/// The records are those of the structures below, in the order of their members.

#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/detail/text_file.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// 168 bytes.
struct ToyTrack {
  float parameters[6] = {};   ///< x, y, z (cm), 1/pT (1/GeV), phi, theta (rad)
  float covariance[21] = {};  ///< lower triangle
  std::int16_t charge = 0;
  std::uint8_t valid = 1;  ///< followed by one byte that means nothing
  float chi2 = 0.f;
  std::int32_t hits[10] = {};  ///< index of the hit in each layer
  std::int32_t last_hit = -1;  ///< index of the last entry of `hits`
  std::int32_t good_hits = 0;
  std::int32_t label = -1;
};

/// 40 bytes.
struct ToyHit {
  float position[3] = {};    ///< cm
  float covariance[6] = {};  ///< cm^2: xx, xy, yy, xz, yz, zz
  std::int32_t true_hit = -1;
};

/// 16 bytes.
struct ToyTrueHit {
  std::int32_t track = -1, layer = -1, number = -1, id = -1;
};

struct ToyEvent {
  std::vector<ToyTrack> tracks;
  std::vector<std::vector<ToyHit>> layers;
  std::vector<ToyTrueHit> true_hits;
};

namespace detail {

inline ToyTrack read_toy_track(ByteReader& in) {
  ToyTrack track;
  in.read_all(track.parameters);
  in.read_all(track.covariance);
  track.charge = in.read<std::int16_t>();
  track.valid = in.read<std::uint8_t>();
  in.skip(1);
  track.chi2 = in.read<float>();
  in.read_all(track.hits);
  track.last_hit = in.read<std::int32_t>();
  track.good_hits = in.read<std::int32_t>();
  track.label = in.read<std::int32_t>();
  return track;
}

inline ToyHit read_toy_hit(ByteReader& in) {
  ToyHit hit;
  in.read_all(hit.position);
  in.read_all(hit.covariance);
  hit.true_hit = in.read<std::int32_t>();
  return hit;
}

inline ToyTrueHit read_toy_true_hit(ByteReader& in) {
  ToyTrueHit hit;
  hit.track = in.read<std::int32_t>();
  hit.layer = in.read<std::int32_t>();
  hit.number = in.read<std::int32_t>();
  hit.id = in.read<std::int32_t>();
  return hit;
}

/// n records of `bytes` each, where n is read first.
template <class Read>
auto read_toy_list(ByteReader& in, const char* name, std::size_t bytes, const Read& read) {
  std::vector<decltype(read(in))> list;
  const std::size_t n = in.read_count(name, bytes);
  list.reserve(n);
  for (std::size_t i = 0; i < n; ++i) list.push_back(read(in));
  return list;
}

/// Every track's hits must be hits of its layers.
inline void check_toy_track(const ToyTrack& track, const ToyEvent& event, const ByteReader& in,
                            std::size_t number) {
  if (track.last_hit < -1 || track.last_hit > 9)
    throw InputError({in.name(), "tracks", number},
                     "its last hit is entry " + std::to_string(track.last_hit),
                     "a track has 10 entries");
  for (int layer = 0; layer <= track.last_hit; ++layer) {
    const auto hits = std::size_t(layer) < event.layers.size() ? event.layers[layer].size() : 0;
    if (track.hits[layer] >= 0 && std::size_t(track.hits[layer]) >= hits)
      throw InputError({in.name(), "tracks", number},
                       "its hit in layer " + std::to_string(layer) + " is number " +
                           std::to_string(track.hits[layer]),
                       "the layer has " + std::to_string(hits));
  }
}

inline ToyEvent read_toy_event(ByteReader& in) {
  const std::size_t begin = in.offset();
  const auto bytes = in.read<std::int32_t>();
  ToyEvent event;
  event.tracks = read_toy_list(in, "tracks", 168, read_toy_track);
  event.layers = read_toy_list(in, "layers", 4, [](ByteReader& layer) {
    return read_toy_list(layer, "hits", 40, read_toy_hit);
  });
  event.true_hits = read_toy_list(in, "true hits", 16, read_toy_true_hit);
  if (bytes < 0 || in.offset() - begin != std::size_t(bytes))
    throw InputError({in.name(), "event", {}, begin},
                     "it says that it has " + std::to_string(bytes) + " bytes",
                     "its lists end after " + std::to_string(in.offset() - begin));
  for (std::size_t i = 0; i < event.tracks.size(); ++i)
    check_toy_track(event.tracks[i], event, in, i);
  return event;
}

inline void append_toy_track(ByteWriter& out, const ToyTrack& track) {
  out.append_all(track.parameters);
  out.append_all(track.covariance);
  out.append(track.charge);
  out.append(track.valid);
  out.append(std::uint8_t(0));
  out.append(track.chi2);
  out.append_all(track.hits);
  out.append(track.last_hit);
  out.append(track.good_hits);
  out.append(track.label);
}

inline void append_toy_event(ByteWriter& out, const ToyEvent& event) {
  std::size_t bytes = 16 + 168 * event.tracks.size() + 16 * event.true_hits.size();
  for (const auto& hits : event.layers) bytes += 4 + 40 * hits.size();
  out.append_count(bytes);
  out.append_count(event.tracks.size());
  for (const auto& track : event.tracks) append_toy_track(out, track);
  out.append_count(event.layers.size());
  for (const auto& hits : event.layers) {
    out.append_count(hits.size());
    for (const auto& hit : hits) {
      out.append_all(hit.position);
      out.append_all(hit.covariance);
      out.append(hit.true_hit);
    }
  }
  out.append_count(event.true_hits.size());
  for (const auto& hit : event.true_hits)
    for (const auto number : {hit.track, hit.layer, hit.number, hit.id}) out.append(number);
}

}  // namespace detail

/// The events of a file's contents; `name` is for messages.
/// @throws InputError where they are not what the format says, with the byte
inline std::vector<ToyEvent> parse_toy_events(std::string_view bytes, const std::string& name) {
  detail::ByteReader in(bytes, name);
  auto events = detail::read_toy_list(in, "events", 16, detail::read_toy_event);
  if (in.left() > 0)
    throw InputError({name, {}, {}, in.offset()},
                     std::to_string(in.left()) + " bytes follow the last event");
  return events;
}

/// @throws InputError
inline std::vector<ToyEvent> read_toy_events(const std::filesystem::path& path) {
  return parse_toy_events(detail::read_text_file(path), path.string());
}

/// @throws Error where the file cannot be written
inline void write_toy_events(const std::filesystem::path& path,
                             const std::vector<ToyEvent>& events) {
  detail::ByteWriter out;
  out.append_count(events.size());
  for (const auto& event : events) detail::append_toy_event(out, event);
  detail::write_file(path, {out.bytes().data(), out.bytes().size()});
}

}  // namespace trackplex::io
