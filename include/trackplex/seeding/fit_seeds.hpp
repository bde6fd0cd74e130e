// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/seeding/seeds.hpp>
#include <trackplex/tracks/detector_track_layers.hpp>
#include <trackplex/tracks/track_layers.hpp>

#include <type_traits>

namespace trackplex::seeding {

/// Kalman fit of the hits of seeds, from start states before the first hit (those of the truth, or
/// of `start_states`) to the cylinder or the plane of the last hit. The seeds alias the arrays of
/// the start: the fit overwrites their states. One kernel.
/// @tparam Field magnetic field: on cylinders along z, see kalman/field_along_z.hpp; on modules see
/// kalman/propagation.hpp
/// @tparam Width number of lanes
/// @tparam Detector `tracks::CylinderLayers` or `geometry::Detector`
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>,
          class Detector = tracks::CylinderLayers>
struct FitSeeds {
  static constexpr const char* name = "fit_seeds";
  static constexpr bool aliases_inputs = true;   ///< the seeds use the arrays of the start
  using MemorySpace = MemoryOf<ExecutionSpace>;  ///< of all products
  static constexpr bool on_cylinders =
      std::is_same_v<Detector, tracks::CylinderLayers>;  ///< or modules
  using Hits = std::conditional_t<on_cylinders, hits::LayerHits<T, MemorySpace>,
                                  hits::DetectorHits<T, MemorySpace>>;  ///< input
  /// Material of every cylinder, or whether that of the detector counts.
  using Material = std::conditional_t<on_cylinders, kalman::ThinLayer, bool>;

  Detector detector;               ///< radii of the cylinders, cm, or modules
  Field field;                     ///< magnetic field, T
  Material material = defaults();  ///< see `Material`: by default none, or that of the detector
  kalman::FitOptions options{};    ///< of the fit

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
    if constexpr (on_cylinders)
      fit(exec,
          kalman::HitsInMaterial<tracks::TrackLayers<T, MemorySpace>>{{hits, seeds.hits, detector},
                                                                      material},
          seeds);
    else
      fit(exec, tracks::DetectorTrackLayers<T, MemorySpace>{hits, seeds.hits, detector, material},
          seeds);
  }

 private:
  static Material defaults() {
    if constexpr (on_cylinders)
      return {kalman::silicon, 0.};
    else
      return true;
  }
  template <class Layers>
  void fit(const ExecutionSpace& exec, const Layers& layers, Seeds<T, MemorySpace>& seeds) const {
    kalman::fit_tracks<Width>(exec, seeds.states, field, layers, options, seeds.fit);
  }
};

}  // namespace trackplex::seeding
