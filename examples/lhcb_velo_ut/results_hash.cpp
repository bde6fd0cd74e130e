// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reconstruct.hpp"

#include <trackplex/core/fingerprint.hpp>

namespace lhcb_velo_ut {

using trackplex::Fingerprint;

namespace {

void add_velo(Fingerprint& hash, const EventResult& event) {
  const auto& hits = event.velo_hits;
  hash.add(hits.x).add(hits.y).add(hits.z).add(hits.modules).add(hits.ids).add(hits.invalid);
  const auto& tracks = event.velo_tracks;
  hash.add(tracks.offsets).add(tracks.hits).add(event.velo_overflow);
  for (const auto& s : tracks.states) {
    for (const double value : {s.x, s.y, s.z, s.tx, s.ty, s.chi2}) hash.add(value);
    hash.add(s.ndf).add(s.backward);
  }
}

void add_ut(Fingerprint& hash, const EventResult& event) {
  const auto& hits = event.ut_hits;
  hash.add(hits.y_begin).add(hits.y_end).add(hits.x).add(hits.z).add(hits.ids);
  hash.add(hits.layer_offsets).add(hits.unmapped);
  for (const auto& windows : event.windows) {
    hash.add(windows.velo_track);
    for (const auto& layer : windows.layers)
      for (const auto& window : layer) hash.add(window.first).add(window.size);
  }
  for (const auto& track : event.ut_tracks) {
    hash.add(track.velo_track).add(track.hits);
    for (const double value : {track.qop, track.chi2, track.x, track.slope}) hash.add(value);
  }
}

}  // namespace

std::string hash_of(std::span<const EventResult> events) {
  Fingerprint hash;
  for (const auto& event : events) {
    add_velo(hash, event);
    add_ut(hash, event);
  }
  return hash.hex();
}

}  // namespace lhcb_velo_ut
