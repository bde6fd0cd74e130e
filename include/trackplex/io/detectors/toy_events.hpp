// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Events of mkFit's toy simulation (version of 2017): tracks in concentric cylinders, in a binary
/// file. Little endian; each number has four bytes except the charge (i16) and a flag (u8):
///
///   file   number of events, events
///   event  size in bytes (this number included), number of tracks, tracks, number of layers,
///          layers, number of true hits, true hits
///   layer  number of hits, hits
///
/// The records are those of the structures below, in the order of their members.

#include <trackplex/core/compiled.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Track of a toy event: a simulated particle and its hits. 168 bytes in a file.
struct ToyTrack {
  float parameters[6] = {};    ///< x, y, z (cm), 1/pT (1/GeV), phi, theta (rad)
  float covariance[21] = {};   ///< lower triangle of the covariance of `parameters`, row by row
  std::int16_t charge = 0;     ///< charge, units of e; not 0
  std::uint8_t valid = 1;      ///< flag of the simulation, followed by an unused byte
  float chi2 = 0.f;            ///< chi2 of a fit, if there was one
  std::int32_t hits[10] = {};  ///< index of the hit in each layer; -1 for none
  std::int32_t last_hit = -1;  ///< index of the last entry of `hits`; -1 without hits
  std::int32_t good_hits = 0;  ///< number of hits
  std::int32_t label = -1;     ///< number by which ToyTrueHit::track names the track
};

/// Measured hit of a toy event. 40 bytes in a file.
struct ToyHit {
  float position[3] = {};      ///< x, y, z, cm
  float covariance[6] = {};    ///< xx, xy, yy, xz, yz, zz, cm^2
  std::int32_t true_hit = -1;  ///< index in ToyEvent::true_hits; -1 for noise
};

/// Truth of a hit of a toy event. 16 bytes in a file.
struct ToyTrueHit {
  std::int32_t track = -1,  ///< ToyTrack::label of the particle
      layer = -1,           ///< layer, from 0
      number = -1,          ///< number of the hit along the particle, from 0
      id = -1;              ///< number of this record in ToyEvent::true_hits
};

/// Toy event, as in a file.
struct ToyEvent {
  std::vector<ToyTrack> tracks;             ///< simulated particles
  std::vector<std::vector<ToyHit>> layers;  ///< hits of each layer, from the innermost
  std::vector<ToyTrueHit> true_hits;        ///< truth of the hits
};

namespace detail {

class ByteWriter;

void append_toy_event(ByteWriter& out, const ToyEvent& event);

}  // namespace detail

/// Parses the events in the contents of a file; `name` is for messages.
/// @throws InputError if the contents do not follow the format (with the byte), or a number is not
/// finite or impossible (with the track or hit)
std::vector<ToyEvent> parse_toy_events(std::string_view bytes, const std::string& name);

/// Reads a file of toy events, see parse_toy_events().
/// @throws InputError if the file cannot be read or parsed
std::vector<ToyEvent> read_toy_events(const std::filesystem::path& path);

/// Writes a file of toy events.
/// @throws Error if the file cannot be written
void write_toy_events(const std::filesystem::path& path, const std::vector<ToyEvent>& events);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/toy_events.impl.hpp>
#endif
