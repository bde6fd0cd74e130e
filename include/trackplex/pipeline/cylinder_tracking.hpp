// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Algorithms of a detector of cylinders: from seeds to tracks and their fits.

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/pipeline/cylinder_products.hpp>
#include <trackplex/pipeline/slot_memory.hpp>
#include <trackplex/seeding/start_states.hpp>

#include <string>

namespace trackplex::pipeline::cylinder {

/// See `candidates::build_tracks`.
template <class Strategy, class Real, class ExecutionSpace, int Width>
struct BuildTracks {
  seeding::CylinderLayers detector;
  kalman::UniformField field;
  candidates::BuildingParams params;
  candidates::TeamShape shape;

  template <class Memory>
  void make_room(const Memory& memory, const Seeds<Real, ExecutionSpace>& seeds,
                 const BinnedHits<Real, ExecutionSpace>& /*binned*/,
                 FoundTracks<Real, ExecutionSpace>& found) const {
    found.reserve(memory.of(found), seeds.size(), detector.size);
  }
  void operator()(const ExecutionSpace& exec, const Seeds<Real, ExecutionSpace>& seeds,
                  const BinnedHits<Real, ExecutionSpace>& binned,
                  FoundTracks<Real, ExecutionSpace>& found) const {
    candidates::build_tracks<Strategy, Width>(
        exec, seeds, static_cast<const search::BinnedHits<Real, MemoryOf<ExecutionSpace>>&>(binned),
        detector, field, params, found, shape);
  }
};

template <class Real, class ExecutionSpace, int Width>
struct BestHit : BuildTracks<candidates::BestHit, Real, ExecutionSpace, Width> {
  static constexpr const char* name = "best_hit";
};
template <class Real, class ExecutionSpace, int Width>
struct Standard : BuildTracks<candidates::Standard<>, Real, ExecutionSpace, Width> {
  static constexpr const char* name = "standard";
};
template <class Real, class ExecutionSpace, int Width>
struct CloneEngine : BuildTracks<candidates::CloneEngine<>, Real, ExecutionSpace, Width> {
  static constexpr const char* name = "clone_engine";
};

/// All tracks that were found are fitted.
template <class Real, class ExecutionSpace>
struct KeepTracks {
  static constexpr const char* name = "keep_tracks";
  static constexpr bool shares_inputs = true;

  void operator()(const ExecutionSpace&, const FoundTracks<Real, ExecutionSpace>& found,
                  Tracks<Real, ExecutionSpace>& tracks) const {
    tracks.tracks = found;
  }
};

/// Tracks on the hits of better ones are not fitted; see `candidates::remove_shared_hits`, which
/// waits for the instance.
template <class Real, class ExecutionSpace>
struct RemoveSharedHits {
  static constexpr const char* name = "remove_shared_hits";
  candidates::SharedHitsParams params;
  struct Scratch {
    Workspace<ExecutionSpace> workspace;
  };

  template <class Memory>
  void make_room(const Memory& memory, const Hits<Real, ExecutionSpace>& /*hits*/,
                 const FoundTracks<Real, ExecutionSpace>& found,
                 Tracks<Real, ExecutionSpace>& tracks, Scratch& scratch) const {
    tracks.reserve(memory.of(tracks), found.size(), found.hits.layers);
    scratch.workspace = Workspace<ExecutionSpace>(memory.scratch());
  }
  void operator()(const ExecutionSpace& exec, const Hits<Real, ExecutionSpace>& hits,
                  const FoundTracks<Real, ExecutionSpace>& found,
                  Tracks<Real, ExecutionSpace>& tracks, Scratch& scratch) const {
    candidates::remove_shared_hits<ExecutionSpace, Real>(exec, hits, found, params, tracks,
                                                         scratch.workspace);
  }
};

/// The fit of all hits of each track, from a state that three of them give. Fits take the lanes
/// that suit the space: what they give depends on no width.
template <class Real, class ExecutionSpace, int Width>
struct TrackFit {
  seeding::CylinderLayers detector;
  kalman::UniformField start_field;
  kalman::SolenoidField field;
  kalman::ThinLayer material;

 protected:
  static constexpr int fit_width = default_lane_width<ExecutionSpace, Real>;

  void start(const ExecutionSpace& exec, const Hits<Real, ExecutionSpace>& hits,
             const Tracks<Real, ExecutionSpace>& tracks,
             FittedTracks<Real, ExecutionSpace>& fitted) const {
    seeding::start_states<Width>(exec, hits, tracks.tracks.hits, start_field, {}, fitted.states);
  }
  auto layers(const Hits<Real, ExecutionSpace>& hits,
              const Tracks<Real, ExecutionSpace>& tracks) const {
    using Layers = seeding::TrackLayers<Real, MemoryOf<ExecutionSpace>>;
    return kalman::HitsInMaterial<Layers>{Layers{hits, tracks.tracks.hits, detector}, material};
  }
};

template <class Real, class ExecutionSpace, int Width>
struct FitTracks : TrackFit<Real, ExecutionSpace, Width> {
  static constexpr const char* name = "fit_tracks";

  template <class Memory>
  void make_room(const Memory& memory, const Hits<Real, ExecutionSpace>& /*hits*/,
                 const Tracks<Real, ExecutionSpace>& tracks,
                 FittedTracks<Real, ExecutionSpace>& fitted) const {
    fitted.states.reserve(memory.of(fitted), tracks.tracks.size());
    fitted.results.reserve(memory.of(fitted), tracks.tracks.size());
  }
  void operator()(const ExecutionSpace& exec, const Hits<Real, ExecutionSpace>& hits,
                  const Tracks<Real, ExecutionSpace>& tracks,
                  FittedTracks<Real, ExecutionSpace>& fitted) const {
    this->start(exec, hits, tracks, fitted);
    kalman::fit_tracks<FitTracks::fit_width>(exec, fitted.states, this->field,
                                             this->layers(hits, tracks), {}, fitted.results);
  }
};

/// The same, and the states on the first layer that all hits together give. Tracks have at most
/// `most_layers` layers.
template <class Real, class ExecutionSpace, int Width>
struct SmoothTracks : TrackFit<Real, ExecutionSpace, Width> {
  static constexpr const char* name = "smooth_tracks";
  static constexpr int most_layers = 10;

  template <class Memory>
  void make_room(const Memory& memory, const Hits<Real, ExecutionSpace>& /*hits*/,
                 const Tracks<Real, ExecutionSpace>& tracks,
                 FittedTracks<Real, ExecutionSpace>& fitted) const {
    if (this->detector.size > most_layers)
      throw UsageError(name, "the detector has " + std::to_string(this->detector.size) + " layers",
                       "tracks of " + std::to_string(most_layers) + " layers can be smoothed",
                       "select fit_tracks");
    fitted.states.reserve(memory.of(fitted), tracks.tracks.size());
    fitted.results.reserve(memory.of(fitted), tracks.tracks.size());
    fitted.smoothed.reserve(memory.of(fitted), 1, tracks.tracks.size());
  }
  void operator()(const ExecutionSpace& exec, const Hits<Real, ExecutionSpace>& hits,
                  const Tracks<Real, ExecutionSpace>& tracks,
                  FittedTracks<Real, ExecutionSpace>& fitted) const {
    this->start(exec, hits, tracks, fitted);
    kalman::smooth_tracks<SmoothTracks::fit_width, most_layers>(exec, fitted.states, this->field,
                                                                this->layers(hits, tracks), 1, {},
                                                                fitted.results, fitted.smoothed);
  }
};

}  // namespace trackplex::pipeline::cylinder
