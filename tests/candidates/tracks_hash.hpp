// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/tracks/found_tracks.hpp>

#include "support/spaces.hpp"

namespace trackplex::test {

/// Tracks with everything they hold.
template <class T, class MemorySpace, class Model>
std::string tracks_hash(const tracks::FoundTracks<T, MemorySpace, Model>& tracks) {
  const auto index = host_copy(tracks.hits.index);
  const auto event = host_copy(tracks.hits.event);
  const auto chi2 = host_copy(tracks.chi2);
  const auto found = host_copy(tracks.found);
  const auto charge = host_copy(tracks.states.charge);
  const typename MemorySpace::execution_space exec;
  const auto parameters = to_host(exec, tracks.states.parameters);
  const auto covariance = to_host(exec, tracks.states.covariance);
  Fingerprint hash;
  hash.add(tracks.size());
  for (int track = 0; track < tracks.size(); ++track) {
    for (int layer = 0; layer < tracks.hits.layers; ++layer)
      hash.add(index(layer * tracks.hits.stride() + track));
    hash.add(event(track)).add(chi2(track)).add(found(track)).add(charge(track));
    for (int e = 0; e < 6; ++e) hash.add(parameters.view().element(track, e));
    for (int e = 0; e < 21; ++e) hash.add(covariance.view().element(track, e));
  }
  return hash.hex();
}

}  // namespace trackplex::test
