// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/detail/particle_bins.hpp>
#include <trackplex/validation/efficiency.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::validation::detail {

TRACKPLEX_INLINE void add_bins(std::vector<Efficiency>& to, const std::vector<Efficiency>& from) {
  if (to.empty()) to.resize(from.size());
  if (to.size() != from.size())
    throw UsageError("TrackingQualityResult", "results with different bins cannot be added",
                     std::to_string(to.size()) + " and " + std::to_string(from.size()) + " bins");
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

TRACKPLEX_INLINE std::vector<int> layers_of_particles(const tracks::TrackingEvents& events) {
  std::vector<int> layers(events.particles.size(), 0), last(events.particles.size(), -1);
  const int per_event = events.hits.layers();
  for (int event = 0; event < events.events(); ++event) {
    const auto first = std::size_t(events.particle_offsets[std::size_t(event)]);
    for (int layer = 0; layer < per_event; ++layer) {
      const auto entry = std::size_t(event * per_event + layer);
      for (auto hit = events.hits.offsets[entry]; hit < events.hits.offsets[entry + 1]; ++hit) {
        const auto owner = events.particle_of_hit[std::size_t(hit)];
        if (owner < 0 || last[first + std::size_t(owner)] == layer) continue;
        last[first + std::size_t(owner)] = layer;
        ++layers[first + std::size_t(owner)];
      }
    }
  }
  return layers;
}

}  // namespace trackplex::validation::detail
