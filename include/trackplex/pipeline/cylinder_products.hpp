// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// What the algorithms of a detector of cylinders read and make, for batches of events.

#include <trackplex/candidates/shared_hits.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/pipeline/cylinder_result.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <trackplex/seeding/triplets.hpp>
#include <trackplex/seeding/truth_seeds.hpp>

#include <span>
#include <vector>

namespace trackplex::pipeline::cylinder {

/// Events, as long as they are staged.
struct Batch {
  static constexpr const char* name = "batch";
  std::vector<const seeding::TrackingEvents*> events;
  std::vector<const search::HostLayerHits<float>*> hits;  ///< of these events
};

template <class Real>
struct StagedHits : search::LayerHits<Real, Kokkos::HostSpace> {
  static constexpr const char* name = "staged_hits";
};

template <class Real, class ExecutionSpace>
struct StagedSeeds : seeding::StagedSeeds<Real, ExecutionSpace> {
  static constexpr const char* name = "staged_seeds";
};

template <class Real, class ExecutionSpace>
struct Hits : search::LayerHits<Real, MemoryOf<ExecutionSpace>> {
  static constexpr const char* name = "hits";
};

template <class Real, class ExecutionSpace>
struct BinnedHits : search::BinnedHits<Real, MemoryOf<ExecutionSpace>> {
  static constexpr const char* name = "binned_hits";
};

template <class ExecutionSpace>
struct Triplets : seeding::Triplets<MemoryOf<ExecutionSpace>> {
  static constexpr const char* name = "triplets";
};

struct TripletCounts : seeding::HostTripletCounts {
  static constexpr const char* name = "triplet_counts";
  static constexpr bool read_by_host = true;
};

/// Seeds before their fit.
template <class Real, class ExecutionSpace>
struct StartSeeds : seeding::Seeds<Real, MemoryOf<ExecutionSpace>> {
  static constexpr const char* name = "start_seeds";
};

/// Where the seeds come from, on the host.
struct SeedOrigins {
  static constexpr const char* name = "seed_origins";
  Kokkos::View<std::int32_t*, Kokkos::HostSpace> particle;  ///< of each seed; empty: not known
  Kokkos::View<std::int32_t*, Kokkos::HostSpace> lost;      ///< of each event; empty: none
};

/// Seeds with the states that all their hits give.
template <class Real, class ExecutionSpace>
struct Seeds : seeding::Seeds<Real, MemoryOf<ExecutionSpace>> {
  static constexpr const char* name = "seeds";
  kalman::FitResults<Real, MemoryOf<ExecutionSpace>> results;
};

template <class Real, class ExecutionSpace>
struct FoundTracks : candidates::FoundTracks<Real, MemoryOf<ExecutionSpace>> {
  static constexpr const char* name = "found_tracks";
};

/// The tracks that are fitted. Without an origin, all that were found.
template <class Real, class ExecutionSpace>
struct Tracks : candidates::KeptTracks<Real, MemoryOf<ExecutionSpace>> {
  static constexpr const char* name = "tracks";
};

template <class Real, class ExecutionSpace>
struct FittedTracks {
  static constexpr const char* name = "fitted_tracks";
  kalman::TrackStates<Real, MemoryOf<ExecutionSpace>> states;  ///< on the last layer
  kalman::FitResults<Real, MemoryOf<ExecutionSpace>> results;
  kalman::SmoothedTracks<Real, MemoryOf<ExecutionSpace>> smoothed;  ///< on the first layer, or none

  const kalman::TrackStates<Real, MemoryOf<ExecutionSpace>>& best_states() const {
    return smoothed.states.size() > 0 ? smoothed.states : states;
  }
};

/// Tracks or seeds on the host.
template <class Real, class ExecutionSpace>
struct TracksOnHost {
  seeding::TrackHits<Kokkos::HostSpace> hits;
  Kokkos::View<Real*, Kokkos::HostSpace> chi2;
  kalman::HostTrackStates<Real, MemoryOf<ExecutionSpace>> states;  ///< none unless they are wanted
};

template <class Real, class ExecutionSpace>
struct FitsOnHost {
  template <class T>
  using Array = Kokkos::View<T*, Kokkos::HostSpace>;
  kalman::HostTrackStates<Real, MemoryOf<ExecutionSpace>> states;
  Array<Real> chi2;
  Array<std::uint8_t> measurements, outliers, reached;
};

/// All that the host reads in the end.
template <class Real, class ExecutionSpace>
struct HostTracks {
  static constexpr const char* name = "host_tracks";
  TracksOnHost<Real, ExecutionSpace> seeds, tracks;
  Kokkos::View<std::int32_t*, Kokkos::HostSpace>
      origin;  ///< the seed of each track; empty: its own
  FitsOnHost<Real, ExecutionSpace> fits;
};

struct Results {
  static constexpr const char* name = "results";
  std::vector<CylinderResult> events;
};

/// See core/host_copy.hpp.
template <class Real, class ExecutionSpace, class F>
void for_each_array(const FittedTracks<Real, ExecutionSpace>& from,
                    FitsOnHost<Real, ExecutionSpace>& to, const F& f) {
  const auto n = std::size_t(from.states.size());
  for_each_array(from.best_states(), to.states, f);
  f(from.results.chi2, to.chi2, "Trackplex::Pipeline::fit_chi2", n);
  f(from.results.measurements, to.measurements, "Trackplex::Pipeline::fit_measurements", n);
  f(from.results.outliers, to.outliers, "Trackplex::Pipeline::fit_outliers", n);
  f(from.results.reached, to.reached, "Trackplex::Pipeline::fit_reached", n);
}

}  // namespace trackplex::pipeline::cylinder
