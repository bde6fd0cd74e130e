// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_hits.hpp>
#include <trackplex/lhcb/velo_results.hpp>
#include <trackplex/lhcb/velo_steps.hpp>
#include <trackplex/pipeline/event_sequence.hpp>
#include <trackplex/pipeline/handlers.hpp>

#include <cstddef>

/// @file
/// VELO tracks as a sequence: from lhcb::VeloEvent to lhcb::VeloResult. The products are the
/// library's own structures of arrays. Names of the steps: stage_velo_hits, copy_velo_hits,
/// velo_tracks (or, one kernel each, sort_by_phi, search_by_triplet and fit_lines),
/// fetch_velo_tracks, collect_velo_tracks.

namespace trackplex::pipeline {

/// VELO hits on the host.
template <class Real>
using StagedVeloHits = Staged<search::Hits<Real, Kokkos::HostSpace>>;

/// VELO tracks on the host.
template <class Real>
struct FoundVeloTracks {
  seeding::Tracks<Kokkos::HostSpace> tracks;
  seeding::LineStates<Real, Kokkos::HostSpace> lines;
};

template <class Real>
struct StageVeloHits {
  static constexpr const char* name = "stage_velo_hits";

  template <class Memory>
  void make_room(const Memory& memory, const Events<lhcb::VeloEvent>& events,
                 StagedVeloHits<Real>& hits) const {
    lhcb::reserve_velo_hits(memory.of(hits), events.pointers, hits);
  }
  void operator()(const Events<lhcb::VeloEvent>& events, StagedVeloHits<Real>& hits) const {
    lhcb::stage_velo_hits(events.pointers, hits);
  }
};

template <class Real, class ExecutionSpace>
struct CopyVeloHits : CopyArrays<ExecutionSpace, StagedVeloHits<Real>,
                                 search::Hits<Real, typename ExecutionSpace::memory_space>> {
  static constexpr const char* name = "copy_velo_hits";
};

template <class Real, class ExecutionSpace, int Width>
struct SortVeloHits {
  static constexpr const char* name = "sort_by_phi";
  using Velo = lhcb::VeloSteps<Real, ExecutionSpace, Width>;

  Velo velo;

  template <class Memory>
  void make_room(const Memory& memory, const typename Velo::Hits& hits,
                 typename Velo::Sorted& sorted) const {
    velo.reserve_sorted(memory.of(sorted), hits, sorted);
  }
  void operator()(const ExecutionSpace& exec, const typename Velo::Hits& hits,
                  typename Velo::Sorted& sorted) const {
    velo.sort_hits(exec, hits, sorted);
  }
};

template <class Real, class ExecutionSpace, int Width>
struct SearchVeloTracks {
  static constexpr const char* name = "search_by_triplet";
  using Velo = lhcb::VeloSteps<Real, ExecutionSpace, Width>;

  Velo velo;

  template <class Memory>
  void make_room(const Memory& memory, const typename Velo::Hits& hits,
                 const typename Velo::Sorted&, typename Velo::Tracks& tracks) const {
    velo.reserve_tracks(memory.of(tracks), hits, tracks);
  }
  void operator()(const ExecutionSpace& exec, const typename Velo::Hits& hits,
                  const typename Velo::Sorted& sorted, typename Velo::Tracks& tracks) const {
    velo.search(exec, hits, sorted, tracks);
  }
};

template <class Real, class ExecutionSpace, int Width>
struct FitVeloTracks {
  static constexpr const char* name = "fit_lines";
  using Velo = lhcb::VeloSteps<Real, ExecutionSpace, Width>;

  Velo velo;

  template <class Memory>
  void make_room(const Memory& memory, const typename Velo::Hits&,
                 const typename Velo::Tracks& tracks, typename Velo::Lines& lines) const {
    seeding::reserve_lines(memory.of(lines), tracks, lines);
  }
  void operator()(const ExecutionSpace& exec, const typename Velo::Hits& hits,
                  const typename Velo::Tracks& tracks, typename Velo::Lines& lines) const {
    velo.fit(exec, hits, tracks, lines);
  }
};

/// All three in one kernel.
template <class Real, class ExecutionSpace, int Width>
struct FindVeloTracks {
  static constexpr const char* name = "velo_tracks";
  using Velo = lhcb::VeloSteps<Real, ExecutionSpace, Width>;
  using Scratch = typename Velo::Sorted;

  Velo velo;

  template <class Memory>
  void make_room(const Memory& memory, const typename Velo::Hits& hits,
                 typename Velo::Tracks& tracks, typename Velo::Lines& lines,
                 Scratch& sorted) const {
    velo.reserve_sorted(memory.scratch(), hits, sorted);
    velo.reserve_tracks(memory.of(tracks), hits, tracks);
    seeding::reserve_lines(memory.of(lines), tracks, lines);
  }
  void operator()(const ExecutionSpace& exec, const typename Velo::Hits& hits,
                  typename Velo::Tracks& tracks, typename Velo::Lines& lines,
                  Scratch& sorted) const {
    velo.reconstruct(exec, hits, sorted, tracks, lines);
  }
};

/// Copies the tracks back. On hosts they are read where they are.
template <class Real, class ExecutionSpace>
struct FetchVeloTracks {
  static constexpr const char* name = "fetch_velo_tracks";
  static constexpr bool shares_inputs = is_host_space<ExecutionSpace>;
  using Tracks = seeding::Tracks<typename ExecutionSpace::memory_space>;
  using Lines = seeding::LineStates<Real, typename ExecutionSpace::memory_space>;

  template <class Memory>
  void make_room(const Memory& memory, const Tracks& tracks, const Lines& lines,
                 FoundVeloTracks<Real>& found) const {
    reserve_copies(memory.of(found), tracks, found.tracks);
    reserve_copies(memory.of(found), lines, found.lines);
  }
  void operator()(const ExecutionSpace& exec, const Tracks& tracks, const Lines& lines,
                  FoundVeloTracks<Real>& found) const {
    copy_arrays(exec, tracks, found.tracks);
    copy_arrays(exec, lines, found.lines);
  }
};

template <class Real>
struct CollectVeloTracks {
  static constexpr const char* name = "collect_velo_tracks";

  void operator()(const StagedVeloHits<Real>& hits, const FoundVeloTracks<Real>& found,
                  Results<lhcb::VeloResult>& results) const {
    results.values.reserve(std::size_t(hits.n_events));
    for (int e = 0; e < hits.n_events; ++e)
      results.values.push_back(
          {lhcb::velo_track_list(e, hits.event_offsets(e), found.tracks, found.lines),
           found.tracks.overflow(e)});
  }
};

namespace detail {

template <class Real, class ExecutionSpace, int Width>
using VeloAlgorithms =
    Sequence<ExecutionSpace, Given<Events<lhcb::VeloEvent>>,
             Steps<StageVeloHits<Real>, CopyVeloHits<Real, ExecutionSpace>,
                   FindVeloTracks<Real, ExecutionSpace, Width>,
                   FetchVeloTracks<Real, ExecutionSpace>, CollectVeloTracks<Real>>,
             Alternatives<SortVeloHits<Real, ExecutionSpace, Width>,
                          SearchVeloTracks<Real, ExecutionSpace, Width>,
                          FitVeloTracks<Real, ExecutionSpace, Width>>>;

}  // namespace detail

/// A processor of the pipeline: what lhcb::VeloTracking does, in memory that is allocated once.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class VeloSequence : public EventSequence<lhcb::VeloEvent, lhcb::VeloResult,
                                          detail::VeloAlgorithms<Real, ExecutionSpace, Width>> {
 public:
  /// `bytes` of memory where kernels reach it; for a device, as many on the host as well.
  VeloSequence(const ExecutionSpace& exec, std::size_t bytes,
               const seeding::TripletParameters& parameters)
      : VeloSequence(exec, bytes, lhcb::VeloSteps<Real, ExecutionSpace, Width>(exec, parameters)) {}

 private:
  using Algorithms = detail::VeloAlgorithms<Real, ExecutionSpace, Width>;

  VeloSequence(const ExecutionSpace& exec, std::size_t bytes,
               const lhcb::VeloSteps<Real, ExecutionSpace, Width>& velo)
      : VeloSequence::EventSequence(Algorithms(
            exec, bytes, bytes, StageVeloHits<Real>{}, CopyVeloHits<Real, ExecutionSpace>{},
            FindVeloTracks<Real, ExecutionSpace, Width>{velo},
            FetchVeloTracks<Real, ExecutionSpace>{}, CollectVeloTracks<Real>{},
            SortVeloHits<Real, ExecutionSpace, Width>{velo},
            SearchVeloTracks<Real, ExecutionSpace, Width>{velo},
            FitVeloTracks<Real, ExecutionSpace, Width>{velo})) {}
};

}  // namespace trackplex::pipeline
