// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/fingerprint.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/vertexing/vertices.hpp>

#include <cstdint>
#include <span>

/// @file
/// Fingerprints of the results of an event, sensitive to every bit. Floating-point numbers are
/// converted to Real, the precision of the reconstruction, or double.

namespace trackplex::lhcb {

/// Adds the states of VELO tracks to a fingerprint.
template <class Real = double>
void add_states(Fingerprint& hash, const VeloTrackList& list) {
  for (const auto& s : list.states) {
    for (const double value : {s.x, s.y, s.z, s.tx, s.ty, s.chi2}) hash.add(Real(value));
    hash.add(s.ndf).add(s.backward);
  }
}

/// Adds the hits and the states of VELO tracks to a fingerprint.
template <class Real = double>
void add_tracks(Fingerprint& hash, const VeloTrackList& list) {
  hash.add(list.offsets).add(list.hits);
  add_states<Real>(hash, list);
}

/// Adds hits, windows and tracks of VELO and UT to a fingerprint.
inline void add_result(Fingerprint& hash, const VeloUtResult& result) {
  const auto& velo = result.velo_hits;
  hash.add(velo.x).add(velo.y).add(velo.z).add(velo.modules).add(velo.ids).add(velo.invalid);
  hash.add(result.velo_tracks.offsets).add(result.velo_tracks.hits).add(result.velo_overflow);
  add_states(hash, result.velo_tracks);
  const auto& ut = result.ut_hits;
  hash.add(ut.y_begin).add(ut.y_end).add(ut.x).add(ut.z).add(ut.ids);
  hash.add(ut.layer_offsets).add(ut.unmapped);
  for (const auto& windows : result.windows) {
    hash.add(windows.velo_track);
    for (const auto& layer : windows.layers)
      for (const auto& window : layer) hash.add(window.first).add(window.size);
  }
  for (const auto& track : result.ut_tracks) {
    hash.add(track.velo_track).add(track.hits);
    for (const double value : {track.qop, track.chi2, track.x, track.slope}) hash.add(value);
  }
}

/// Adds SciFi hits to a fingerprint.
template <class Real = double>
void add_hits(Fingerprint& hash, const ScifiHitList& list) {
  hash.add(std::uint64_t(list.size()));
  for (const auto* values : {&list.x, &list.z, &list.y_begin, &list.y_end})
    for (const double value : *values) hash.add(Real(value));
  hash.add(list.cluster_size).add(list.ids).add(list.zone_offsets).add(list.invalid);
}

/// Adds long tracks to a fingerprint.
template <class Real = double>
void add_tracks(Fingerprint& hash, std::span<const LongTrack> tracks) {
  hash.add(std::uint64_t(tracks.size()));
  for (const auto& track : tracks) {
    hash.add(track.velo_track).add(track.ut_track).add(track.hits);
    for (const double value : {track.qop, track.quality, track.x, track.y, track.tx, track.ty})
      hash.add(Real(value));
  }
}

/// Adds fits of long tracks to a fingerprint.
template <class Real = double>
void add_fits(Fingerprint& hash, std::span<const LongTrackFit> fits) {
  hash.add(std::uint64_t(fits.size()));
  for (const auto& fit : fits) {
    for (const double value : {fit.x, fit.y, fit.z, fit.tx, fit.ty, fit.qop, fit.chi2})
      hash.add(Real(value));
    for (const double value : fit.covariance) hash.add(Real(value));
    hash.add(fit.ndf);
  }
}

/// Adds vertices to a fingerprint.
template <class Real = double>
void add_vertices(Fingerprint& hash, std::span<const vertexing::Vertex> vertices) {
  hash.add(std::uint64_t(vertices.size()));
  for (const auto& vertex : vertices) {
    for (const double value : vertex.position) hash.add(Real(value));
    for (const double value : vertex.covariance) hash.add(Real(value));
    hash.add(Real(vertex.weight)).add(vertex.tracks);
  }
}

/// Adds a result to a fingerprint. A result of VELO and UT only has the fingerprint of its
/// VeloUtResult.
inline void add_result(Fingerprint& hash, const TracksResult& result) {
  add_result(hash, static_cast<const VeloUtResult&>(result));
  if (result.scifi_hits.size() > 0) add_hits(hash, result.scifi_hits);
  if (!result.long_tracks.empty()) add_tracks(hash, result.long_tracks);
  if (!result.long_fits.empty()) add_fits(hash, result.long_fits);
  if (!result.vertices.empty()) add_vertices(hash, result.vertices);
  if (result.vertex_overflow > 0) hash.add(result.vertex_overflow);
}

}  // namespace trackplex::lhcb
