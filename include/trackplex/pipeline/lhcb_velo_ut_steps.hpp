// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_steps.hpp>

/// @file
/// The algorithms from raw banks to VELO and UT tracks that run on the device; those from VELO hits
/// to VELO tracks are in lhcb_velo.hpp.

namespace trackplex::pipeline {

/// The products that kernels read and make; most are the library's own structures of arrays.
template <class Real, class MemorySpace>
struct VeloUtProducts {
  using Input = lhcb::VeloUtInput<MemorySpace>;
  using VeloHits = search::Hits<Real, MemorySpace>;
  using Clusters = lhcb::VpClusters<MemorySpace>;
  using VeloTracks = seeding::Tracks<MemorySpace>;
  using AtBeam = seeding::LineStates<Real, MemorySpace>;
  struct AtEnd : AtBeam {};
  using UtHits = lhcb::UtHits<Real, MemorySpace>;
  using Windows = lhcb::UtWindows<MemorySpace>;
  using UtTracks = lhcb::UtTracks<Real, MemorySpace>;
};

/// What the steps below have in common.
template <class Real, class ExecutionSpace, int Width>
struct VeloUtStep : VeloUtProducts<Real, typename ExecutionSpace::memory_space> {
  using Steps = lhcb::VeloUtSteps<Real, ExecutionSpace, Width>;
  using Batch = typename Steps::Batch;

  Steps steps;

  explicit VeloUtStep(const Steps& all_steps) : steps(all_steps) {}
};

/// VELO hits from banks; their offsets are those of the input.
template <class Real, class ExecutionSpace, int Width>
struct ClusterVp : VeloUtStep<Real, ExecutionSpace, Width> {
  static constexpr const char* name = "cluster_vp";
  static constexpr bool shares_inputs = true;
  using P = VeloUtStep<Real, ExecutionSpace, Width>;
  using P::P;

  template <class Memory>
  void make_room(const Memory& memory, const typename P::Input& input, typename P::VeloHits& hits,
                 typename P::Clusters& clusters) const {
    lhcb::reserve_vp_hits(memory.of(hits), input.vp_room, hits);
    lhcb::reserve_vp_ids(memory.of(clusters), input.vp_room, clusters);
  }
  void operator()(const ExecutionSpace& exec, const typename P::Input& input,
                  typename P::VeloHits& hits, typename P::Clusters& clusters) const {
    typename P::Batch batch;
    batch.input = input;
    batch.velo_hits = hits;
    batch.clusters = clusters;
    this->steps.cluster(exec, batch);
  }
};

/// States at the end of the VELO; none where the parameters do not ask for them.
template <class Real, class ExecutionSpace, int Width>
struct FindEndStates : VeloUtStep<Real, ExecutionSpace, Width> {
  static constexpr const char* name = "velo_end_states";
  using P = VeloUtStep<Real, ExecutionSpace, Width>;
  using P::P;

  template <class Memory>
  void make_room(const Memory& memory, const typename P::VeloHits&,
                 const typename P::VeloTracks& tracks, const typename P::AtBeam&,
                 typename P::AtEnd& at_end) const {
    this->steps.reserve_end_states(memory.of(at_end), tracks, at_end);
  }
  void operator()(const ExecutionSpace& exec, const typename P::VeloHits& hits,
                  const typename P::VeloTracks& tracks, const typename P::AtBeam& at_beam,
                  typename P::AtEnd& at_end) const {
    typename P::Batch batch;
    batch.velo_hits = hits;
    batch.velo_tracks = tracks;
    batch.at_beam = at_beam;
    batch.at_end = at_end;
    this->steps.find_end_states(exec, batch);
  }
};

/// UT hits from banks; their offsets are those of the input.
template <class Real, class ExecutionSpace, int Width>
struct DecodeUt : VeloUtStep<Real, ExecutionSpace, Width> {
  static constexpr const char* name = "decode_ut";
  static constexpr bool shares_inputs = true;
  using P = VeloUtStep<Real, ExecutionSpace, Width>;
  using P::P;

  template <class Memory>
  void make_room(const Memory& memory, const typename P::Input& input,
                 typename P::UtHits& hits) const {
    this->steps.reserve_ut_hits(memory.of(hits), input.ut_room, hits);
  }
  void operator()(const ExecutionSpace& exec, const typename P::Input& input,
                  typename P::UtHits& hits) const {
    typename P::Batch batch;
    batch.input = input;
    batch.ut_hits = hits;
    this->steps.decode_ut(exec, batch);
  }
};

template <class Real, class ExecutionSpace, int Width>
struct FindUtWindows : VeloUtStep<Real, ExecutionSpace, Width> {
  static constexpr const char* name = "ut_windows";
  using P = VeloUtStep<Real, ExecutionSpace, Width>;
  using P::P;

  template <class Memory>
  void make_room(const Memory& memory, const typename P::VeloHits&,
                 const typename P::VeloTracks& tracks, const typename P::AtBeam&,
                 const typename P::AtEnd&, const typename P::UtHits&,
                 typename P::Windows& windows) const {
    this->steps.reserve_windows(memory.of(windows), tracks, windows);
  }
  void operator()(const ExecutionSpace& exec, const typename P::VeloHits& velo_hits,
                  const typename P::VeloTracks& tracks, const typename P::AtBeam& at_beam,
                  const typename P::AtEnd& at_end, const typename P::UtHits& ut_hits,
                  typename P::Windows& windows) const {
    typename P::Batch batch;
    batch.velo_hits = velo_hits;
    batch.velo_tracks = tracks;
    batch.at_beam = at_beam;
    batch.at_end = at_end;
    batch.ut_hits = ut_hits;
    batch.windows = windows;
    this->steps.find_windows(exec, batch);
  }
};

template <class Real, class ExecutionSpace, int Width>
struct FindUtTracks : VeloUtStep<Real, ExecutionSpace, Width> {
  static constexpr const char* name = "ut_tracks";
  using P = VeloUtStep<Real, ExecutionSpace, Width>;
  using P::P;

  template <class Memory>
  void make_room(const Memory& memory, const typename P::VeloHits&, const typename P::VeloTracks&,
                 const typename P::AtBeam&, const typename P::AtEnd&, const typename P::UtHits&,
                 const typename P::Windows& windows, typename P::UtTracks& tracks) const {
    lhcb::reserve_ut_tracks(memory.of(tracks), windows, tracks);
  }
  void operator()(const ExecutionSpace& exec, const typename P::VeloHits& velo_hits,
                  const typename P::VeloTracks& velo_tracks, const typename P::AtBeam& at_beam,
                  const typename P::AtEnd& at_end, const typename P::UtHits& ut_hits,
                  const typename P::Windows& windows, typename P::UtTracks& tracks) const {
    typename P::Batch batch;
    batch.velo_hits = velo_hits;
    batch.velo_tracks = velo_tracks;
    batch.at_beam = at_beam;
    batch.at_end = at_end;
    batch.ut_hits = ut_hits;
    batch.windows = windows;
    batch.ut_tracks = tracks;
    this->steps.find_ut_tracks(exec, batch);
  }
};

/// All of them in one kernel.
template <class Real, class ExecutionSpace, int Width>
struct FindVeloUtTracks : VeloUtStep<Real, ExecutionSpace, Width> {
  static constexpr const char* name = "velo_ut_tracks";
  static constexpr bool shares_inputs = true;
  using P = VeloUtStep<Real, ExecutionSpace, Width>;
  using P::P;

  struct Scratch {
    typename P::Steps::Velo::Sorted sorted;
    typename P::AtBeam at_end;
  };

  template <class Memory>
  void make_room(const Memory& memory, const typename P::Input& input, typename P::VeloHits& hits,
                 typename P::Clusters& clusters, typename P::VeloTracks& tracks,
                 typename P::AtBeam& at_beam, typename P::UtHits& ut_hits,
                 typename P::Windows& windows, typename P::UtTracks& ut_tracks,
                 Scratch& scratch) const {
    const auto& steps = this->steps;
    lhcb::reserve_vp_hits(memory.of(hits), input.vp_room, hits);
    lhcb::reserve_vp_ids(memory.of(clusters), input.vp_room, clusters);
    steps.velo().reserve_sorted(memory.scratch(), hits, scratch.sorted);
    steps.velo().reserve_tracks(memory.of(tracks), hits, tracks);
    seeding::reserve_lines(memory.of(at_beam), tracks, at_beam);
    steps.reserve_end_states(memory.scratch(), tracks, scratch.at_end);
    steps.reserve_ut_hits(memory.of(ut_hits), input.ut_room, ut_hits);
    steps.reserve_windows(memory.of(windows), tracks, windows);
    lhcb::reserve_ut_tracks(memory.of(ut_tracks), windows, ut_tracks);
  }
  void operator()(const ExecutionSpace& exec, const typename P::Input& input,
                  typename P::VeloHits& hits, typename P::Clusters& clusters,
                  typename P::VeloTracks& tracks, typename P::AtBeam& at_beam,
                  typename P::UtHits& ut_hits, typename P::Windows& windows,
                  typename P::UtTracks& ut_tracks, Scratch& scratch) const {
    typename P::Batch batch{input,   hits,           clusters, scratch.sorted, tracks,
                            at_beam, scratch.at_end, ut_hits,  windows,        ut_tracks};
    this->steps.reconstruct(exec, batch);
  }
};

}  // namespace trackplex::pipeline
