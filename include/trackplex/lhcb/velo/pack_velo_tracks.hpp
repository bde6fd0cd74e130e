// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/packed.hpp>
#include <trackplex/chain/products.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>
#include <trackplex/lhcb/velo/velo_results.hpp>

#include <cstddef>
#include <cstdint>

/// @file
/// VELO tracks of a batch without gaps on the host, and their views.

namespace trackplex::lhcb {

/// Offsets of the VELO tracks of each event and of their hits, in arrays of the batch.
template <class MemorySpace>
struct VeloTrackOffsets : chain::EventOffsets<MemorySpace, 2> {
  /// Kinds of items.
  enum Kind {
    tracks,  ///< tracks
    hits     ///< hits of all tracks
  };
};

/// VELO tracks of many events, without gaps.
template <class MemorySpace>
struct VeloTrackArrays {
  using memory_space = MemorySpace;  ///< of the arrays
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< one entry per event, track or hit of a track

  /// (track), one more at the end of each event: VeloTrackList::offsets of all events.
  Array<std::uint32_t> offsets;
  Array<VeloTrackState> states;   ///< (track)
  Array<std::uint16_t> hits;      ///< VeloTrackList::hits of all events
  Array<std::uint32_t> overflow;  ///< (event): number of seeds without a free slot
  std::size_t n_events = 0;       ///< number of events
  std::size_t n_tracks = 0;       ///< number of tracks of all events
  std::size_t n_hits = 0;         ///< number of hits of all tracks
};

/// Sets the plain members of `to` and calls f(array of from, array of to, label, entries) for each
/// array; see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const VeloTrackArrays<From>& from, VeloTrackArrays<To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_tracks = from.n_tracks;
  to.n_hits = from.n_hits;
  f(from.offsets, to.offsets, "Trackplex::Lhcb::velo_list_offsets", from.n_tracks + from.n_events);
  f(from.states, to.states, "Trackplex::Lhcb::velo_list_states", from.n_tracks);
  f(from.hits, to.hits, "Trackplex::Lhcb::velo_list_hits", from.n_hits);
  f(from.overflow, to.overflow, "Trackplex::Lhcb::velo_list_overflow", from.n_events);
}

namespace detail {

/// Counts the hits of all tracks of an event.
template <class MemorySpace>
KOKKOS_FUNCTION std::uint32_t count_track_hits(const VeloTracks<MemorySpace>& tracks, int event,
                                               std::uint32_t first_hit) {
  const auto* const length =
      tracks.length.data() + first_slot(first_hit, event, tracks.hits_per_slot);
  const int n = int(tracks.count(event));
  std::uint32_t hits = 0;
  for (int i = 0; i < n; ++i) hits += length[i];
  return hits;
}

/// Kernel: counts the tracks of an event and their hits.
template <class MemorySpace>
struct CountVeloTracks {
  VeloTracks<MemorySpace> tracks;
  Kokkos::View<std::uint32_t*, MemorySpace> event_offsets;  ///< of the hits
  VeloTrackOffsets<MemorySpace> to;

  KOKKOS_FUNCTION void operator()(int event) const {
    to.count(to.tracks, event) = tracks.count(event);
    to.count(to.hits, event) = count_track_hits(tracks, event, event_offsets(event));
  }
};

/// Copies the tracks of an event, the number of the team, to arrays without gaps.
template <class T, class MemorySpace>
struct VeloTrackPacker {
  VeloTracks<MemorySpace> tracks;
  LineStates<T, MemorySpace> lines;
  VeloTrackArrays<MemorySpace> to;

  template <class Member, class Offsets>
  KOKKOS_FUNCTION void operator()(const Member& member, std::size_t slot,
                                  const Offsets& first) const {
    const TeamLanes<int, Member> team(member);
    const int event = member.league_rank(), n = int(tracks.count(event));
    const std::size_t first_track = first(Offsets::tracks, event),
                      first_hit = first(Offsets::hits, event);
    std::uint32_t* const offsets = to.offsets.data() + first_track + event;
    team.for_each(n, [&](const Tile<int>& t) { offsets[t.first] = tracks.length(slot + t.first); });
    team.barrier();
    const std::uint32_t total = team.exclusive_scan(offsets, n);
    if (member.team_rank() == 0) {
      offsets[n] = total;
      to.overflow(event) = tracks.overflow(event);
    }
    VeloTrackState* const states = to.states.data() + first_track;
    std::uint16_t* const hits = to.hits.data() + first_hit;
    team.for_each(n, [&](const Tile<int>& t) {
      const int length = tracks.length(slot + t.first);
      states[t.first] = state(slot + t.first, length);
      copy_hits(slot + t.first, length, hits + offsets[t.first]);
    });
  }

 private:
  KOKKOS_FUNCTION VeloTrackState state(std::size_t slot, int length) const {
    return {double(lines.x(slot)),  double(lines.y(slot)),    double(lines.z(slot)),
            double(lines.tx(slot)), double(lines.ty(slot)),   double(lines.chi2(slot)),
            2 * length - 4,         lines.backward(slot) != 0};
  }
  KOKKOS_FUNCTION void copy_hits(std::size_t slot, int length, std::uint16_t* to_hits) const {
    const std::uint16_t* from = tracks.hits.data() + slot;
    const std::size_t step = tracks.slots;
    for (int h = 0; h < length; ++h, from += step) to_hits[h] = *from;
  }
};

/// Kernel: packs the tracks of an event per team.
template <class T, class MemorySpace>
struct PackVeloTracks {
  Kokkos::View<std::uint32_t*, MemorySpace> event_offsets;  ///< of the hits
  VeloTrackOffsets<MemorySpace> offsets;
  VeloTrackPacker<T, MemorySpace> pack;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const int event = member.league_rank();
    pack(member, first_slot(event_offsets(event), event, pack.tracks.hits_per_slot), offsets);
  }
};

}  // namespace detail

/// Algorithm: offsets of the VELO tracks of each event, on the host, too.
template <class T, class ExecutionSpace>
struct CountVeloTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  static constexpr const char* name = "count_velo_tracks";

  /// Allocates the offsets.
  template <class Memory>
  void allocate(const Memory& memory, const VeloHits<T, MemorySpace>&,
                const VeloTracks<MemorySpace>& tracks,
                VeloTrackOffsets<MemorySpace>& offsets) const {
    offsets.allocate(memory.of(offsets), tracks.n_events);
  }
  /// Enqueues the counts and their scan.
  void operator()(const ExecutionSpace& exec, const VeloHits<T, MemorySpace>& hits,
                  const VeloTracks<MemorySpace>& tracks,
                  VeloTrackOffsets<MemorySpace>& offsets) const {
    for_each_item(exec, "Trackplex::Lhcb::count_velo_tracks", tracks.n_events,
                  detail::CountVeloTracks<MemorySpace>{tracks, hits.event_offsets, offsets});
    offsets.enqueue_scan(exec);
  }
};

/// Algorithm: VELO tracks without gaps on the host. One kernel, a team per event, and on devices
/// one copy.
template <class T, class ExecutionSpace>
struct PackVeloTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of the inputs.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: first hits of the events.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks.
  using Lines = LineStates<T, MemorySpace>;                   ///< Read: their states.
  using Offsets = VeloTrackOffsets<MemorySpace>;              ///< Read: offsets of the tracks.
  using Packed = chain::Packed<VeloTrackArrays<Kokkos::HostSpace>>;       ///< Made.
  using Scratch = chain::PackedForKernels<VeloTrackArrays<MemorySpace>>;  ///< The same on devices.
  static constexpr const char* name = "pack_velo_tracks";

  int team_size = 0;                           ///< threads of a team; 0: the default of the space
  chain::PackedBlocks<ExecutionSpace> blocks;  ///< memory of the results

  /// Takes a block for the tracks.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks& tracks, const Lines&,
                const Offsets& offsets, Packed& packed, Scratch& for_kernels) const {
    packed.n_events = std::size_t(tracks.n_events);
    packed.n_tracks = offsets.total(Offsets::tracks);
    packed.n_hits = offsets.total(Offsets::hits);
    blocks.allocate(memory.scratch(), packed, for_kernels);
  }
  /// Enqueues the kernel and the copy.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Lines& lines, const Offsets& offsets, Packed& packed,
                  Scratch& for_kernels) const {
    for_each_team(exec, "Trackplex::Lhcb::pack_velo_tracks", tracks.n_events,
                  detail::PackVeloTracks<T, MemorySpace>{
                      hits.event_offsets, offsets, {tracks, lines, for_kernels}},
                  team_size);
    blocks.enqueue_copy(exec, for_kernels, packed);
  }
};

/// View of the VELO tracks of an event.
template <class Offsets>
VeloTrackList velo_track_list(const VeloTrackArrays<Kokkos::HostSpace>& arrays,
                              const Offsets& offsets, int event) {
  const std::size_t track = offsets.first(Offsets::tracks, event),
                    hit = offsets.first(Offsets::hits, event),
                    n_tracks = offsets.first(Offsets::tracks, event + 1) - track;
  return {{arrays.offsets.data() + track + std::size_t(event), n_tracks + 1},
          {arrays.hits.data() + hit, offsets.first(Offsets::hits, event + 1) - hit},
          {arrays.states.data() + track, n_tracks}};
}

/// Algorithm on the host: the result of each event, a view of the arrays of all events.
template <class MemorySpace>
struct CollectVeloTracks {
  static constexpr const char* name = "collect_velo_tracks";

  /// Appends a result for each event.
  void operator()(const VeloTrackOffsets<MemorySpace>& offsets,
                  const chain::Packed<VeloTrackArrays<Kokkos::HostSpace>>& packed,
                  chain::Results<VeloResult>& results) const {
    results.values.reserve(packed.n_events);
    for (int e = 0; e < offsets.n_events; ++e)
      results.values.push_back(
          {velo_track_list(packed, offsets, e), packed.overflow(std::size_t(e)), packed.owner});
  }
};

}  // namespace trackplex::lhcb
