// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/truth_seeds.hpp>
#include <trackplex/simulation/cylinder_events.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"
#include "tracks_hash.hpp"

namespace trackplex::test {

inline constexpr int seed_layers = 3;
inline const kalman::UniformField building_field{3.8112};

/// Hits with errors so large that many tracks compete for them, losses, noise, and particles that
/// turn back before the last layer.
inline simulation::CylinderEventParams dense_event_params() {
  simulation::CylinderEventParams params;
  params.particles.min_pt = 0.15;
  params.particles.max_pt = 2.;
  params.particles.sigma_r_phi = 0.05;
  params.particles.sigma_z = 0.5;
  params.particles.seed = 99;
  params.tracks = 400;
  params.inefficiency = 0.15;
  params.noise_per_layer = 100.;
  return params;
}
/// What fits them.
inline candidates::BuildTracksParams dense_building_params() {
  candidates::BuildTracksParams params;
  params.max_half_phi = 0.08;
  params.max_half_z = 4.;
  params.hit_sigma_r_phi = 0.05;
  params.hit_sigma_z = 0.5;
  return params;
}

/// The same events, where every tenth hit is there twice: equally good in every respect.
inline tracks::TrackingEvents with_twins(const tracks::TrackingEvents& events) {
  tracks::TrackingEvents result(events.hits.layers());
  result.particles = events.particles;
  result.particle_offsets = events.particle_offsets;
  const auto& hits = events.hits;
  for (std::size_t i = 0; i + 1 < hits.offsets.size(); ++i) {
    for (auto hit = std::size_t(hits.offsets[i]); hit < std::size_t(hits.offsets[i + 1]); ++hit) {
      for (int twin = 0; twin < (hit % 10 == 0 ? 2 : 1); ++twin) {
        result.hits.add(hits.x[hit], hits.y[hit], hits.z[hit], hits.covariance[hit]);
        result.particle_of_hit.push_back(twin ? -1 : events.particle_of_hit[hit]);
      }
    }
    result.hits.end_layer();
  }
  return result;
}

/// Everything that building needs, from events: binned hits and fitted seeds.
template <class T, class Space>
struct BuildingInput {
  Space exec;
  tracks::CylinderLayers detector;
  hits::LayerHits<T, MemoryOf<Space>> hits;
  using Binned = search::BinnedHits<T, MemoryOf<Space>>;
  Binned binned;
  seeding::Seeds<T, MemoryOf<Space>> seeds;
  std::vector<std::int32_t> particles;  ///< of the seeds

  explicit BuildingInput(const tracks::TrackingEvents& events,
                         const simulation::CylinderEventParams& params = dense_event_params(),
                         int azimuth_bins = 200) {
    detector.size = events.hits.layers();
    for (int layer = 0; layer < detector.size; ++layer)
      detector.radius[layer] = params.particles.radius(layer);
    hits::upload(exec, events.hits, hits);
    using BinHits = search::BinHits<T, Space>;
    typename BinHits::Scratch scratch;
    run_algorithm(exec, BinHits{{exec, azimuth_bins, axes(events.hits.layers())}}, hits, binned,
                  scratch);
    seeding::StartSeeds<T, MemoryOf<Space>> start;
    particles = seeding::truth_seeds(exec, events, seed_layers, start);
    run_algorithm(exec, seeding::FitSeeds<T, Space>{detector, building_field}, hits, start, seeds);
    exec.fence();
  }

  static std::vector<histogram::RegularAxis<T>> axes(int layers) {
    std::vector<histogram::RegularAxis<T>> result;
    for (int layer = 0; layer < layers; ++layer)
      result.emplace_back(-15. - 4. * layer, 15. + 4. * layer, 20 + 3 * layer);
    return result;
  }

  template <class Strategy, int Width = test::state_lanes<Space, T>>
  tracks::FoundTracks<T, MemoryOf<Space>> build(const candidates::BuildTracksParams& params,
                                                const candidates::TeamShape& shape = {}) const {
    tracks::FoundTracks<T, MemoryOf<Space>> found;
    using BuildTracks =
        candidates::BuildTracks<Strategy, T, Space, kalman::UniformField, Binned, Width>;
    run_algorithm(exec, BuildTracks{detector, building_field, params, shape}, seeds, binned, found);
    exec.fence();
    return found;
  }
};

}  // namespace trackplex::test
