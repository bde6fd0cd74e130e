// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/seeding/track_layers.hpp>

namespace trackplex::seeding {

/// Fits the hits of seeds: `seeds.states` are the states before the first layer (the truth's, or
/// those of `start_states`) and become those on the last layer of the seeds, `seeds.chi2` becomes
/// that of the fit. `results` gets the rest of what came of it. Each layer has `material`, none if
/// that has no thickness. Enqueues one kernel on the instance.
template <int Width, class Space, class T, class Field>
void fit_seeds(const Space& exec, const search::LayerHits<T, MemoryOf<Space>>& hits,
               const CylinderLayers& detector, const Field& field,
               const kalman::FitOptions& options, kalman::FitResults<T, MemoryOf<Space>>& results,
               Seeds<T, MemoryOf<Space>>& seeds,
               const kalman::ThinLayer& material = {kalman::silicon, 0.}) {
  reserve(exec, seeds.chi2, "Trackplex::Seeding::seed_chi2", std::size_t(seeds.size()));
  results.resize(exec, seeds.size());
  auto of_seeds = results;
  of_seeds.chi2 = seeds.chi2;
  using Layers = TrackLayers<T, MemoryOf<Space>>;
  kalman::fit_tracks<Width>(
      exec, seeds.states, field,
      kalman::HitsInMaterial<Layers>{Layers{hits, seeds.hits, detector}, material}, options,
      of_seeds);
}

}  // namespace trackplex::seeding
