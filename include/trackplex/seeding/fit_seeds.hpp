// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/seeding/seeds.hpp>
#include <trackplex/seeding/track_layers.hpp>

namespace trackplex::seeding {

/// Kalman fit of the hits of seeds, from start states before the first layer (those of the truth,
/// or of `start_states`) to the last layer of the seeds. The seeds alias the arrays of the start:
/// the fit overwrites their states. One kernel.
/// @tparam Field magnetic field along z, see kalman/field_along_z.hpp
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct FitSeeds {
  static constexpr const char* name = "fit_seeds";
  static constexpr bool aliases_inputs = true;     ///< the seeds use the arrays of the start
  using MemorySpace = MemoryOf<ExecutionSpace>;    ///< of all products
  using Hits = search::LayerHits<T, MemorySpace>;  ///< input

  CylinderLayers detector;                          ///< radii of the layers, cm
  Field field;                                      ///< magnetic field along z, T
  kalman::ThinLayer material{kalman::silicon, 0.};  ///< of each layer; none if its thickness is 0
  kalman::FitOptions options{};                     ///< of the fit

  /// Aliases the start and allocates the results of the fits, one per seed.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const StartSeeds<T, MemorySpace>& start,
                Seeds<T, MemorySpace>& seeds) const {
    static_cast<StartSeeds<T, MemorySpace>&>(seeds) = start;
    seeds.fit.allocate(memory.of(seeds), start.size());
  }
  /// Enqueues the fit of all seeds.
  /// @throws UsageError if hits, seeds and detector do not match, or for options out of range
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
