// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/on_host.hpp>
#include <trackplex/lhcb/velo_hits.hpp>
#include <trackplex/lhcb/velo_parameters.hpp>
#include <trackplex/lhcb/velo_results.hpp>
#include <trackplex/lhcb/velo_steps.hpp>

#include <span>
#include <vector>

namespace trackplex::lhcb {

/// VELO tracks from hits, for batches of events: sort by azimuth, Search by triplet, straight-line
/// fit. The object keeps all memory between batches; each step enqueues its kernel on the instance
/// and returns.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class VeloTracking {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Parameters = seeding::TripletParameters;

  VeloTracking(const ExecutionSpace& exec, const Parameters& parameters, int team_size = 0)
      : exec_(exec), steps_(exec, parameters, team_size) {}

  /// Takes in a batch of events. Waits until the device has them.
  void load(std::span<const VeloEvent> events) { load_velo_hits(exec_, events, hits_, staging_); }

  void sort_hits() { steps_.sort_hits(exec_, hits_, sorted_); }
  void search() { steps_.search(exec_, hits_, sorted_, tracks_); }
  void fit() { steps_.fit(exec_, hits_, tracks_, lines_); }

  /// All three steps in one kernel, an event at a time, so that its hits stay in the cache.
  void reconstruct() { steps_.reconstruct(exec_, hits_, sorted_, tracks_, lines_); }

  /// The fitted tracks of each event, in the order of their seeds. Waits for the device.
  std::vector<VeloTrackList> tracks() const;

  /// Seeds of each event that found no slot (see TripletParameters::hits_per_slot). Waits for the
  /// device.
  std::vector<std::uint32_t> overflow() const {
    const auto host = on_host(exec_, tracks_.overflow, hits_.n_events);
    return {host.data(), host.data() + hits_.n_events};
  }

  // What the device holds, for further kernels.
  const search::Hits<Real, MemorySpace>& device_hits() const { return hits_; }
  const seeding::Tracks<MemorySpace>& device_tracks() const { return tracks_; }
  const seeding::LineStates<Real, MemorySpace>& device_lines() const { return lines_; }

 private:
  ExecutionSpace exec_;
  VeloSteps<Real, ExecutionSpace, Width> steps_;
  detail::VeloHitsStaging<Real> staging_;
  search::Hits<Real, MemorySpace> hits_;
  SortedVeloHits<Real, MemorySpace> sorted_;
  seeding::Tracks<MemorySpace> tracks_;
  seeding::LineStates<Real, MemorySpace> lines_;
};

template <class Real, class ExecutionSpace, int Width>
std::vector<VeloTrackList> VeloTracking<Real, ExecutionSpace, Width>::tracks() const {
  const auto tracks = enqueue_copy<seeding::Tracks<Kokkos::HostSpace>>(exec_, tracks_);
  const auto lines = enqueue_copy<seeding::LineStates<Real, Kokkos::HostSpace>>(exec_, lines_);
  exec_.fence();
  std::vector<VeloTrackList> lists;
  lists.reserve(std::size_t(hits_.n_events));
  for (int e = 0; e < hits_.n_events; ++e)
    lists.push_back(velo_track_list(e, staging_.event_offsets(e), tracks, lines));
  return lists;
}

}  // namespace trackplex::lhcb
