// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/detectors/toy_events.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

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

/// Reads n, and n records of at least `bytes` bytes each.
template <class Read>
auto read_toy_list(ByteReader& in, const char* name, std::size_t bytes, const Read& read) {
  std::vector<decltype(read(in))> list;
  const std::size_t n = in.read_count(name, bytes);
  list.reserve(n);
  for (std::size_t i = 0; i < n; ++i) list.push_back(read(in));
  return list;
}

template <class Numbers>
bool all_finite(const Numbers& numbers) {
  return std::all_of(std::begin(numbers), std::end(numbers),
                     [](float number) { return std::isfinite(number); });
}

/// Whether a matrix is positive semi-definite, apart from rounding, and not zero.
inline bool is_covariance(const float (&c)[6]) {
  const double xx = c[0], xy = c[1], yy = c[2], xz = c[3], yz = c[4], zz = c[5];
  if (!(xx >= 0. && yy >= 0. && zz >= 0. && xx + yy + zz > 0.)) return false;
  constexpr double rounding = 1e-5;
  const auto minor = [](double a, double b, double off) {
    return a * b - off * off >= -rounding * a * b;
  };
  const double determinant =
      xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return minor(xx, yy, xy) && minor(xx, zz, xz) && minor(yy, zz, yz) &&
         determinant >= -rounding * xx * yy * zz;
}

/// Returns the problem of an impossible hit; null if there is none.
inline const char* problem_of(const ToyHit& hit) {
  if (!all_finite(hit.position)) return "its position is not finite";
  if (!all_finite(hit.covariance)) return "its covariance is not finite";
  if (!is_covariance(hit.covariance))
    return "its covariance is none: a variance is negative in some direction, or zero in all";
  return nullptr;
}

/// Checks the parameters of a particle; a track without covariance has zeros there.
inline void check_toy_parameters(const ToyTrack& track, const InputPlace& place) {
  constexpr const char* names[] = {"x", "y", "z", "1/pT", "phi", "theta"};
  for (int i = 0; i < 6; ++i)
    if (!std::isfinite(track.parameters[i]))
      throw InputError(place, std::string("its ").append(names[i]).append(" is not finite"));
  if (!(track.parameters[3] > 0.f))
    throw InputError(place, "its 1/pT is " + shortest(track.parameters[3]), "it is above 0");
  if (!(track.parameters[5] > 0.f && track.parameters[5] < 3.1415927f))
    throw InputError(place, "its theta is " + shortest(track.parameters[5]),
                     "it is between 0 and pi");
  if (track.charge == 0) throw InputError(place, "its charge is 0", "such particles leave no hits");
  if (!all_finite(track.covariance) || !std::isfinite(track.chi2))
    throw InputError(place, "its covariance or chi2 is not finite");
  for (int i = 0, diagonal = 0; i < 6; ++i, diagonal += i + 1)
    if (!(track.covariance[diagonal] >= 0.f))
      throw InputError(place,
                       std::string("the variance of its ").append(names[i]).append(" is below 0"));
}

/// Checks that the hits of a track exist.
inline void check_toy_track(const ToyTrack& track, const ToyEvent& event, const InputPlace& place) {
  if (track.last_hit < -1 || track.last_hit > 9)
    throw InputError(place, "its last hit is entry " + std::to_string(track.last_hit),
                     "a track has 10 entries");
  for (int layer = 0; layer <= track.last_hit; ++layer) {
    const auto hits = std::size_t(layer) < event.layers.size() ? event.layers[layer].size() : 0;
    if (track.hits[layer] >= 0 && std::size_t(track.hits[layer]) >= hits)
      throw InputError(place,
                       "its hit in layer " + std::to_string(layer) + " is number " +
                           std::to_string(track.hits[layer]),
                       "the layer has " + std::to_string(hits));
  }
}

inline void check_toy_event(const ToyEvent& event, const std::string& name) {
  for (std::size_t i = 0; i < event.tracks.size(); ++i) {
    const InputPlace place{name, "tracks", i};
    check_toy_parameters(event.tracks[i], place);
    check_toy_track(event.tracks[i], event, place);
  }
  for (std::size_t layer = 0; layer < event.layers.size(); ++layer)
    for (std::size_t h = 0; h < event.layers[layer].size(); ++h)
      if (const char* const problem = problem_of(event.layers[layer][h]))
        throw InputError({name, "layers[" + std::to_string(layer) + "].hits", h}, problem);
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
  check_toy_event(event, in.name());
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

TRACKPLEX_INLINE void append_toy_event(ByteWriter& out, const ToyEvent& event) {
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

TRACKPLEX_INLINE std::vector<ToyEvent> parse_toy_events(std::string_view bytes,
                                                        const std::string& name) {
  detail::ByteReader in(bytes, name);
  auto events = detail::read_toy_list(in, "events", 16, detail::read_toy_event);
  if (in.left() > 0)
    throw InputError({name, {}, {}, in.offset()},
                     std::to_string(in.left()) + " bytes follow the last event");
  return events;
}

TRACKPLEX_INLINE std::vector<ToyEvent> read_toy_events(const std::filesystem::path& path) {
  return parse_toy_events(read_file(path), path.string());
}

TRACKPLEX_INLINE void write_toy_events(const std::filesystem::path& path,
                                       const std::vector<ToyEvent>& events) {
  detail::ByteWriter out;
  out.append_count(events.size());
  for (const auto& event : events) detail::append_toy_event(out, event);
  write_file(path, {out.bytes().data(), out.bytes().size()});
}

}  // namespace trackplex::io
