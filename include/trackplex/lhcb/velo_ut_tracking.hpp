// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/on_host.hpp>
#include <trackplex/lhcb/velo_tracking.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/lhcb/velo_ut_steps.hpp>

#include <span>
#include <vector>

namespace trackplex::lhcb {

/// From raw banks to VELO tracks and their hits in the UT, with momentum, for batches of events:
/// clustering of the VELO's pixels, Search by triplet, decoding of the UT, Compass. The object
/// keeps all memory between batches; each step enqueues kernels on the instance and returns.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class VeloUtTracking {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  /// @throws UsageError where a parameter or a table of the detector is not as it should be
  VeloUtTracking(const ExecutionSpace& exec, const Detector& detector,
                 const VeloUtParameters& parameters, int team_size = 0)
      : exec_(exec), steps_(exec, detector, parameters, team_size) {}

  /// Takes in a batch of events. Waits until the device has them.
  /// @throws InputError where a bank is damaged
  void load(std::span<const RawEvent> events) {
    exec_.fence();  // earlier kernels may still read what is written now
    const auto pointers = detail::pointers_to(events);
    reserve_velo_ut_input(exec_, pointers, staging_);
    stage_velo_ut_input(pointers, staging_);
    reserve_copies(exec_, staging_, batch_.input);
    copy_arrays(exec_, staging_, batch_.input);
    reserve_vp_hits(exec_, batch_.input.vp_room, batch_.velo_hits);
    reserve_vp_ids(exec_, batch_.input.vp_room, batch_.clusters);
    steps_.reserve_ut_hits(exec_, batch_.input.ut_room, batch_.ut_hits);
    exec_.fence();
  }

  void cluster() { steps_.cluster(exec_, batch_); }

  /// VELO tracks, and their states at the beam or at the end of the VELO, as the parameters say.
  void find_velo_tracks() { steps_.find_velo_tracks(exec_, batch_); }

  void decode_ut() { steps_.decode_ut(exec_, batch_); }

  void find_windows() { steps_.find_windows(exec_, batch_); }

  void find_ut_tracks() { steps_.find_ut_tracks(exec_, batch_); }

  /// All steps in one kernel, an event at a time, so that its hits stay in the cache.
  void reconstruct() { steps_.reconstruct(exec_, batch_); }

  // What was found in each event. These wait for the device.

  std::vector<VeloTrackList> velo_tracks() const;
  /// Seeds of VELO tracks that found no slot (see TripletParameters::hits_per_slot).
  std::vector<std::uint32_t> velo_overflow() const {
    const auto host = on_host(exec_, batch_.velo_tracks.overflow, batch_.velo_hits.n_events);
    return {host.data(), host.data() + n_events()};
  }
  std::vector<VeloHitList> velo_hits() const;
  std::vector<UtHitList> ut_hits() const;
  std::vector<std::vector<UtTrackWindows>> ut_windows() const;
  std::vector<std::vector<UtTrack>> ut_tracks() const;

 private:
  using Host = Kokkos::HostSpace;

  std::size_t n_events() const { return std::size_t(batch_.ut_hits.n_events); }
  std::size_t first_slot(int event) const {
    return seeding::first_slot(staging_.vp_room.event_offsets(event), event,
                               batch_.velo_tracks.hits_per_slot);
  }
  /// f(event) of each event, when the copies that were enqueued are complete.
  template <class F>
  auto of_each_event(const F& f) const {
    exec_.fence();
    std::vector<decltype(f(0))> results;
    results.reserve(n_events());
    for (int e = 0; e < batch_.ut_hits.n_events; ++e) results.push_back(f(e));
    return results;
  }

  ExecutionSpace exec_;
  VeloUtSteps<Real, ExecutionSpace, Width> steps_;
  VeloUtInput<Host> staging_;
  VeloUtBatch<Real, MemorySpace> batch_;
};

template <class Real, class ExecutionSpace, int Width>
std::vector<VeloTrackList> VeloUtTracking<Real, ExecutionSpace, Width>::velo_tracks() const {
  const auto tracks = enqueue_copy<seeding::Tracks<Host>>(exec_, batch_.velo_tracks);
  const auto lines = enqueue_copy<seeding::LineStates<Real, Host>>(exec_, batch_.at_beam);
  return of_each_event(
      [&](int e) { return velo_track_list(e, staging_.vp_room.event_offsets(e), tracks, lines); });
}

template <class Real, class ExecutionSpace, int Width>
std::vector<VeloHitList> VeloUtTracking<Real, ExecutionSpace, Width>::velo_hits() const {
  const auto hits = enqueue_copy<search::Hits<Real, Host>>(exec_, batch_.velo_hits);
  const auto clusters = enqueue_copy<VpClusters<Host>>(exec_, batch_.clusters);
  return of_each_event([&](int e) { return velo_hit_list(e, hits, clusters); });
}

template <class Real, class ExecutionSpace, int Width>
std::vector<UtHitList> VeloUtTracking<Real, ExecutionSpace, Width>::ut_hits() const {
  const auto hits = enqueue_copy<UtHits<Real, Host>>(exec_, batch_.ut_hits);
  return of_each_event([&](int e) { return ut_hit_list(e, hits, steps_.ut_layer_offset()); });
}

template <class Real, class ExecutionSpace, int Width>
std::vector<std::vector<UtTrackWindows>> VeloUtTracking<Real, ExecutionSpace, Width>::ut_windows()
    const {
  const auto hits = enqueue_copy<UtHits<Real, Host>>(exec_, batch_.ut_hits);
  const auto windows = enqueue_copy<UtWindows<Host>>(exec_, batch_.windows);
  return of_each_event([&](int e) {
    return ut_window_list(e, first_slot(e), windows,
                          ut_layer_offsets(e, hits, steps_.ut_layer_offset()));
  });
}

template <class Real, class ExecutionSpace, int Width>
std::vector<std::vector<UtTrack>> VeloUtTracking<Real, ExecutionSpace, Width>::ut_tracks() const {
  const auto tracks = enqueue_copy<UtTracks<Real, Host>>(exec_, batch_.ut_tracks);
  return of_each_event([&](int e) { return ut_track_list(e, first_slot(e), tracks); });
}

}  // namespace trackplex::lhcb
