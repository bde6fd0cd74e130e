// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/seeding/seeds.hpp>
#include <trackplex/seeding/track_layers.hpp>

namespace trackplex::seeding {

/// Fits the hits of seeds from their states before the first layer (the truth's, or those of
/// `start_states`) to the last layer of the seeds. The seeds share the arrays of the start, whose
/// states become those of the fit. One kernel; `Width` is its number of lanes.
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          int Width = default_lane_width<ExecutionSpace, T>>
struct FitSeeds {
  static constexpr const char* name = "fit_seeds";
  static constexpr bool aliases_inputs = true;
  using MemorySpace = MemoryOf<ExecutionSpace>;
  using Hits = search::LayerHits<T, MemorySpace>;

  CylinderLayers detector;
  Field field;
  kalman::ThinLayer material{kalman::silicon, 0.};  ///< of each layer; none without a thickness
  kalman::FitOptions options{};

  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const StartSeeds<T, MemorySpace>& start,
                Seeds<T, MemorySpace>& seeds) const {
    static_cast<StartSeeds<T, MemorySpace>&>(seeds) = start;
    seeds.fit.allocate(memory.of(seeds), start.size());
  }
  void operator()(const ExecutionSpace& exec, const Hits& hits, const StartSeeds<T, MemorySpace>&,
                  Seeds<T, MemorySpace>& seeds) const {
    using Layers = TrackLayers<T, MemorySpace>;
    kalman::fit_tracks<Width>(
        exec, seeds.states, field,
        kalman::HitsInMaterial<Layers>{Layers{hits, seeds.hits, detector}, material}, options,
        seeds.fit);
  }
};

}  // namespace trackplex::seeding
