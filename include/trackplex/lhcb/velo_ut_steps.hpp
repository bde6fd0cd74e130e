// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/detector.hpp>
#include <trackplex/lhcb/ut_decoding.hpp>
#include <trackplex/lhcb/ut_tracklets.hpp>
#include <trackplex/lhcb/ut_windows.hpp>
#include <trackplex/lhcb/velo_end_states.hpp>
#include <trackplex/lhcb/velo_steps.hpp>
#include <trackplex/lhcb/vp_clusters.hpp>

#include <span>

namespace trackplex::lhcb {

struct VeloUtParameters {
  seeding::TripletParameters velo;
  VeloFilterParameters end_of_velo;
  CompassParameters ut;
};

/// What a batch of events sends to the kernels: its raw banks, and the room that their hits need.
template <class MemorySpace>
struct VeloUtInput {
  RawBankBatch<MemorySpace> vp_banks, ut_banks;
  VpRoom<MemorySpace> vp_room;
  UtRoom<MemorySpace> ut_room;
};

/// The plain members of `to`, and f(array of from, array of to, label, entries) for each array.
template <class From, class To, class F>
void for_each_array(const VeloUtInput<From>& from, VeloUtInput<To>& to, const F& f) {
  for_each_array(from.vp_banks, to.vp_banks, f);
  for_each_array(from.ut_banks, to.ut_banks, f);
  for_each_array(from.vp_room, to.vp_room, f);
  for_each_array(from.ut_room, to.ut_room, f);
}

/// Makes room on the host for the input of a batch.
/// @throws UsageError, CapacityError as reserve_raw_banks
template <class Memory>
void reserve_velo_ut_input(const Memory& memory, std::span<const RawEvent* const> events,
                           VeloUtInput<Kokkos::HostSpace>& staging) {
  reserve_raw_banks(memory, events, &RawEvent::vp, staging.vp_banks);
  reserve_raw_banks(memory, events, &RawEvent::ut, staging.ut_banks);
  reserve_vp_room(memory, events, staging.vp_room);
  reserve_ut_room(memory, events, staging.ut_room);
}

/// Writes the events, in their order, to where `reserve_velo_ut_input` has made room for them.
/// @throws InputError, UsageError, CapacityError as stage_vp_room and stage_ut_room
inline void stage_velo_ut_input(std::span<const RawEvent* const> events,
                                VeloUtInput<Kokkos::HostSpace>& staging) {
  stage_raw_banks(events, &RawEvent::vp, staging.vp_banks);
  stage_raw_banks(events, &RawEvent::ut, staging.ut_banks);
  stage_vp_room(events, staging.vp_room);
  stage_ut_room(events, staging.ut_room);
}

/// All that kernels know of a batch of events. The arrays are handles: copies of this are cheap.
template <class Real, class MemorySpace>
struct VeloUtBatch {
  VeloUtInput<MemorySpace> input;
  search::Hits<Real, MemorySpace> velo_hits;
  VpClusters<MemorySpace> clusters;
  SortedVeloHits<Real, MemorySpace> sorted;
  seeding::Tracks<MemorySpace> velo_tracks;
  seeding::LineStates<Real, MemorySpace> at_beam;
  seeding::LineStates<Real, MemorySpace> at_end;  ///< empty unless the parameters ask for them
  UtHits<Real, MemorySpace> ut_hits;
  UtWindows<MemorySpace> windows;
  UtTracks<Real, MemorySpace> ut_tracks;
};

/// The steps from raw banks to VELO and UT tracks, on arrays of the caller, with the tables of the
/// detector. There is room for hits (reserve_vp_hits, reserve_vp_ids and reserve_ut_hits come
/// before); for all else each step makes room where `reserve_*` has not. Each enqueues one kernel.
/// Copies share the tables.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class VeloUtSteps {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Batch = VeloUtBatch<Real, MemorySpace>;
  using Velo = VeloSteps<Real, ExecutionSpace, Width>;
  using Lines = seeding::LineStates<Real, MemorySpace>;

  /// @throws UsageError where a parameter or a table of the detector is not as it should be
  VeloUtSteps(const ExecutionSpace& exec, const Detector& detector,
              const VeloUtParameters& parameters, int team_size = 0)
      : parameters_(parameters),
        polarity_(detector.polarity),
        team_size_(team_size),
        velo_(exec, parameters.velo, team_size),
        pixels_(velo_pixel_tables<Real>(exec, detector.velo)),
        strips_(ut_decoding_table<Real>(exec, detector.ut_boards, detector.ut,
                                        ut_sector_groups(detector.ut))),
        ut_tables_(ut_search_tables<Real>(exec, detector.ut)),
        magnet_(ut_magnet<Real>(exec, detector.magnet)) {
    check(parameters.ut);
  }

  const VeloUtParameters& parameters() const { return parameters_; }
  const Velo& velo() const { return velo_; }
  /// The first group of each layer, and the end.
  const auto& ut_layer_offset() const { return ut_tables_.layer_offset; }

  /// Room for states at the end of the VELO, if the parameters ask for them.
  template <class Memory>
  void reserve_end_states(const Memory& memory, const seeding::Tracks<MemorySpace>& tracks,
                          Lines& at_end) const {
    if (parameters_.ut.end_of_velo_states) seeding::reserve_lines(memory, tracks, at_end);
  }
  template <class Memory>
  void reserve_windows(const Memory& memory, const seeding::Tracks<MemorySpace>& tracks,
                       UtWindows<MemorySpace>& windows) const {
    reserve_ut_windows(memory, tracks, parameters_.ut, windows);
  }

  template <class Memory>
  void reserve_ut_hits(const Memory& memory, const UtRoom<MemorySpace>& room,
                       UtHits<Real, MemorySpace>& hits) const {
    lhcb::reserve_ut_hits(memory, room, strips_.groups, hits);
  }

  void cluster(const ExecutionSpace& exec, Batch& b) const {
    cluster_vp<Width>(exec, b.input.vp_banks, pixels_, b.velo_hits, b.clusters, team_size_);
  }

  /// VELO tracks, and their states at the beam or at the end of the VELO, as the parameters say.
  void find_velo_tracks(const ExecutionSpace& exec, Batch& b) const {
    with_velo_kernel(exec, b, [&](const auto& velo) {
      launch(exec, "Trackplex::Lhcb::velo_tracks", b, velo, end_states_kernel(exec, b));
    });
  }

  /// The states at the end of the VELO alone, if the parameters ask for them.
  void find_end_states(const ExecutionSpace& exec, Batch& b) const {
    if (parameters_.ut.end_of_velo_states)
      velo_end_states<Width>(exec, b.velo_hits, b.velo_tracks, b.at_beam, parameters_.end_of_velo,
                             b.at_end, team_size_);
  }

  void decode_ut(const ExecutionSpace& exec, Batch& b) const {
    lhcb::decode_ut<Width>(exec, b.input.ut_banks, strips_, b.ut_hits, team_size_);
  }

  void find_windows(const ExecutionSpace& exec, Batch& b) const {
    find_ut_windows<Width>(exec, compass_input(b), b.windows, team_size_);
  }

  void find_ut_tracks(const ExecutionSpace& exec, Batch& b) const {
    lhcb::find_ut_tracks<Width>(exec, compass_input(b), b.windows, b.ut_tracks, team_size_);
  }

  /// All steps in one kernel, an event at a time, so that its hits stay in the cache.
  void reconstruct(const ExecutionSpace& exec, Batch& b) const {
    with_velo_kernel(exec, b, [&](const auto& velo) {
      const auto clusters =
          vp_clusters_kernel<Width>(exec, b.input.vp_banks, pixels_, b.velo_hits, b.clusters);
      const auto states = end_states_kernel(exec, b);
      const auto strips = ut_decoding_kernel<Width>(exec, b.input.ut_banks, strips_, b.ut_hits);
      const auto windows = ut_windows_kernel<Width>(exec, compass_input(b), b.windows);
      const auto tracks = ut_tracks_kernel<Width>(exec, compass_input(b), b.windows, b.ut_tracks);
      launch(exec, "Trackplex::Lhcb::velo_ut_tracks", b, clusters, velo, states, strips, windows,
             tracks);
    });
  }

 private:
  template <class F>
  void with_velo_kernel(const ExecutionSpace& exec, Batch& b, const F& f) const {
    velo_.with_kernel(exec, b.velo_hits, b.sorted, b.velo_tracks, b.at_beam, f);
  }
  auto end_states_kernel(const ExecutionSpace& exec, Batch& b) const {
    const bool wanted = parameters_.ut.end_of_velo_states;
    const seeding::Tracks<MemorySpace> none;  // need no room
    return only_if(wanted,
                   velo_end_states_kernel<Width>(exec, b.velo_hits, wanted ? b.velo_tracks : none,
                                                 b.at_beam, parameters_.end_of_velo, b.at_end));
  }
  CompassInput<Real, MemorySpace> compass_input(const Batch& b) const {
    return {b.velo_hits, b.velo_tracks, parameters_.ut.end_of_velo_states ? b.at_end : b.at_beam,
            b.ut_hits,   ut_tables_,    magnet_,
            polarity_,   parameters_.ut};
  }
  template <class... Kernels>
  void launch(const ExecutionSpace& exec, const char* label, const Batch& b,
              const Kernels&... kernels) const {
    for_each_team(exec, label, b.velo_hits.n_events, fused(kernels...), team_size_);
  }

  VeloUtParameters parameters_;
  double polarity_;
  int team_size_;
  Velo velo_;
  VeloPixelTables<Real, MemorySpace> pixels_;
  UtDecodingTable<Real, MemorySpace> strips_;
  UtSearchTables<Real, MemorySpace> ut_tables_;
  UtMagnet<Real, MemorySpace> magnet_;
};

}  // namespace trackplex::lhcb
