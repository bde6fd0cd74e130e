// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/pipeline/lhcb_velo.hpp>
#include <trackplex/pipeline/lhcb_velo_ut_steps.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

/// @file
/// VELO and UT tracks as a sequence: from lhcb::RawEvent to lhcb::VeloUtResult. Names of the steps:
/// stage_banks, copy_banks, velo_ut_tracks, fetch_velo_ut, collect_velo_ut. In place of
/// velo_ut_tracks, one kernel each: cluster_vp, velo_tracks (or sort_by_phi, search_by_triplet and
/// fit_lines), velo_end_states, decode_ut, ut_windows, ut_tracks.

namespace trackplex::pipeline {

/// Banks on the host.
using StagedBanks = Staged<lhcb::VeloUtInput<Kokkos::HostSpace>>;

/// All that was found, on the host.
template <class Real>
struct FoundVeloUt : FoundVeloTracks<Real> {
  search::Hits<Real, Kokkos::HostSpace> velo_hits;
  lhcb::VpClusters<Kokkos::HostSpace> clusters;
  lhcb::UtHits<Real, Kokkos::HostSpace> ut_hits;
  lhcb::UtWindows<Kokkos::HostSpace> windows;
  lhcb::UtTracks<Real, Kokkos::HostSpace> ut_tracks;
};

struct StageBanks {
  static constexpr const char* name = "stage_banks";

  template <class Memory>
  void make_room(const Memory& memory, const Events<lhcb::RawEvent>& events,
                 StagedBanks& banks) const {
    lhcb::reserve_velo_ut_input(memory.of(banks), events.pointers, banks);
  }
  void operator()(const Events<lhcb::RawEvent>& events, StagedBanks& banks) const {
    lhcb::stage_velo_ut_input(events.pointers, banks);
  }
};

template <class ExecutionSpace>
struct CopyBanks : CopyArrays<ExecutionSpace, StagedBanks,
                              lhcb::VeloUtInput<typename ExecutionSpace::memory_space>> {
  static constexpr const char* name = "copy_banks";
};

/// Copies what was found back. On hosts it is read where it is.
template <class Real, class ExecutionSpace>
struct FetchVeloUt : VeloUtProducts<Real, typename ExecutionSpace::memory_space> {
  static constexpr const char* name = "fetch_velo_ut";
  static constexpr bool shares_inputs = is_host_space<ExecutionSpace>;
  using P = VeloUtProducts<Real, typename ExecutionSpace::memory_space>;

  template <class Memory>
  void make_room(const Memory& memory, const typename P::VeloHits& hits,
                 const typename P::Clusters& clusters, const typename P::VeloTracks& tracks,
                 const typename P::AtBeam& at_beam, const typename P::UtHits& ut_hits,
                 const typename P::Windows& windows, const typename P::UtTracks& ut_tracks,
                 FoundVeloUt<Real>& found) const {
    const auto from = memory.of(found);
    reserve_copies(from, hits, found.velo_hits);
    reserve_copies(from, clusters, found.clusters);
    reserve_copies(from, tracks, found.tracks);
    reserve_copies(from, at_beam, found.lines);
    reserve_copies(from, ut_hits, found.ut_hits);
    reserve_copies(from, windows, found.windows);
    reserve_copies(from, ut_tracks, found.ut_tracks);
  }
  void operator()(const ExecutionSpace& exec, const typename P::VeloHits& hits,
                  const typename P::Clusters& clusters, const typename P::VeloTracks& tracks,
                  const typename P::AtBeam& at_beam, const typename P::UtHits& ut_hits,
                  const typename P::Windows& windows, const typename P::UtTracks& ut_tracks,
                  FoundVeloUt<Real>& found) const {
    copy_arrays(exec, hits, found.velo_hits);
    copy_arrays(exec, clusters, found.clusters);
    copy_arrays(exec, tracks, found.tracks);
    copy_arrays(exec, at_beam, found.lines);
    copy_arrays(exec, ut_hits, found.ut_hits);
    copy_arrays(exec, windows, found.windows);
    copy_arrays(exec, ut_tracks, found.ut_tracks);
  }
};

template <class Real>
class CollectVeloUt {
 public:
  static constexpr const char* name = "collect_velo_ut";

  /// The first UT sector group of each layer, and the end, as in lhcb::UtSearchTables.
  explicit CollectVeloUt(const int (&layer_offset)[lhcb::ut_layers + 1]) {
    std::copy(std::begin(layer_offset), std::end(layer_offset), layer_offset_);
  }

  void operator()(const FoundVeloUt<Real>& found, Results<lhcb::VeloUtResult>& results) const {
    results.values.reserve(std::size_t(found.velo_hits.n_events));
    for (int e = 0; e < found.velo_hits.n_events; ++e) {
      const auto first_hit = found.velo_hits.event_offsets(e);
      const auto first_slot = seeding::first_slot(first_hit, e, found.tracks.hits_per_slot);
      lhcb::VeloUtResult result;
      result.velo_hits = lhcb::velo_hit_list(e, found.velo_hits, found.clusters);
      result.velo_tracks = lhcb::velo_track_list(e, first_hit, found.tracks, found.lines);
      result.velo_overflow = found.tracks.overflow(e);
      result.ut_hits = lhcb::ut_hit_list(e, found.ut_hits, layer_offset_);
      result.windows =
          lhcb::ut_window_list(e, first_slot, found.windows, result.ut_hits.layer_offsets);
      result.ut_tracks = lhcb::ut_track_list(e, first_slot, found.ut_tracks);
      results.values.push_back(std::move(result));
    }
  }

 private:
  int layer_offset_[lhcb::ut_layers + 1];
};

namespace detail {

template <class Real, class ExecutionSpace, int Width>
using VeloUtAlgorithms = Sequence<
    ExecutionSpace, Given<Events<lhcb::RawEvent>>,
    Steps<StageBanks, CopyBanks<ExecutionSpace>, FindVeloUtTracks<Real, ExecutionSpace, Width>,
          FetchVeloUt<Real, ExecutionSpace>, CollectVeloUt<Real>>,
    Alternatives<
        ClusterVp<Real, ExecutionSpace, Width>, FindVeloTracks<Real, ExecutionSpace, Width>,
        SortVeloHits<Real, ExecutionSpace, Width>, SearchVeloTracks<Real, ExecutionSpace, Width>,
        FitVeloTracks<Real, ExecutionSpace, Width>, FindEndStates<Real, ExecutionSpace, Width>,
        DecodeUt<Real, ExecutionSpace, Width>, FindUtWindows<Real, ExecutionSpace, Width>,
        FindUtTracks<Real, ExecutionSpace, Width>>>;

}  // namespace detail

/// A processor of the pipeline: what lhcb::VeloUtTracking does, in memory that is allocated once.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class VeloUtSequence : public EventSequence<lhcb::RawEvent, lhcb::VeloUtResult,
                                            detail::VeloUtAlgorithms<Real, ExecutionSpace, Width>> {
 public:
  /// `bytes` of memory where kernels reach it; for a device, as many on the host as well.
  /// @throws UsageError where a parameter or a table of the detector is not as it should be
  VeloUtSequence(const ExecutionSpace& exec, std::size_t bytes, const lhcb::Detector& detector,
                 const lhcb::VeloUtParameters& parameters)
      : VeloUtSequence(exec, bytes, AllSteps(exec, detector, parameters)) {}

 private:
  using AllSteps = lhcb::VeloUtSteps<Real, ExecutionSpace, Width>;
  using Algorithms = detail::VeloUtAlgorithms<Real, ExecutionSpace, Width>;

  VeloUtSequence(const ExecutionSpace& exec, std::size_t bytes, const AllSteps& steps)
      : VeloUtSequence::EventSequence(Algorithms(
            exec, bytes, bytes, StageBanks{}, CopyBanks<ExecutionSpace>{},
            FindVeloUtTracks<Real, ExecutionSpace, Width>(steps),
            FetchVeloUt<Real, ExecutionSpace>{}, CollectVeloUt<Real>(steps.ut_layer_offset()),
            ClusterVp<Real, ExecutionSpace, Width>(steps),
            FindVeloTracks<Real, ExecutionSpace, Width>{steps.velo()},
            SortVeloHits<Real, ExecutionSpace, Width>{steps.velo()},
            SearchVeloTracks<Real, ExecutionSpace, Width>{steps.velo()},
            FitVeloTracks<Real, ExecutionSpace, Width>{steps.velo()},
            FindEndStates<Real, ExecutionSpace, Width>(steps),
            DecodeUt<Real, ExecutionSpace, Width>(steps),
            FindUtWindows<Real, ExecutionSpace, Width>(steps),
            FindUtTracks<Real, ExecutionSpace, Width>(steps))) {}
};

}  // namespace trackplex::pipeline
