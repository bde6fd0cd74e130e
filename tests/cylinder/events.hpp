// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/cylinder/tracking_chain.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <vector>

namespace trackplex::test {

using CylinderEvents = std::vector<std::shared_ptr<const tracks::TrackingEvents>>;

/// Events of several sizes, one of them empty, with losses and noise.
inline CylinderEvents cylinder_events() {
  CylinderEvents events;
  for (const int tracks : {150, 40, 0, 260, 1, 90, 77}) {
    simulation::CylinderEventParams params;
    params.particles.seed = 7;
    params.tracks = tracks;
    params.inefficiency = 0.05;
    params.noise_per_layer = tracks > 1 ? 30. : 0.;
    const auto number = std::uint64_t(events.size());
    events.push_back(std::make_shared<const tracks::TrackingEvents>(
        simulation::generate_cylinder_events(HostExecutor(), params, number, 1)));
  }
  return events;
}

inline cylinder::TrackingParams tracking_params() {
  const simulation::CylinderEventParams generated;
  cylinder::TrackingParams params;
  params.detector.size = generated.particles.layers;
  for (int layer = 0; layer < generated.particles.layers; ++layer) {
    params.detector.radius[layer] = generated.particles.radius(layer);
    params.half_length.push_back(generated.noise_half_length(layer));
  }
  params.bins = {64, 16};
  params.building.material.thickness = 0.01;
  params.triplets.max_per_event = 300;  // some are lost
  params.shared_hits.min_hits = 9;      // some tracks have less
  params.all_states = true;
  return params;
}

inline void add_to_hash(Fingerprint& hash, const kalman::TrackState<double>& state) {
  for (const double number : state.parameters.elements) hash.add(number);
  for (const double number : state.covariance.elements) hash.add(number);
  hash.add(state.charge);
}

/// All bits of an event's result.
inline std::string hash_of(const cylinder::CylinderResult& result) {
  Fingerprint hash;
  for (const auto* list : {&result.seeds, &result.tracks}) {
    hash.add(list->layers).add(list->hits).add(list->particle).add(list->chi2);
    hash.add(std::uint64_t(list->states.size()));
    for (const auto& state : list->states) add_to_hash(hash, state);
  }
  hash.add(std::uint64_t(result.fits.size())).add(result.lost_seeds);
  for (const auto& fit : result.fits) {
    hash.add(int(fit.reached)).add(fit.measurements).add(fit.outliers).add(fit.chi2);
    add_to_hash(hash, fit.state);
  }
  return hash.hex();
}

inline std::vector<std::string> hashes_of(const std::vector<cylinder::CylinderResult>& results) {
  std::vector<std::string> hashes;
  for (const auto& result : results) hashes.push_back(hash_of(result));
  return hashes;
}

}  // namespace trackplex::test
