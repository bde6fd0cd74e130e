// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/packed.hpp>
#include <trackplex/chain/products.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/ut/ut_hits.hpp>
#include <trackplex/lhcb/ut/ut_tracks.hpp>
#include <trackplex/lhcb/ut/ut_windows.hpp>
#include <trackplex/lhcb/velo/pack_velo_tracks.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/lhcb/vp_clusters.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// @file
/// Hits and tracks of VELO and UT of a batch without gaps on the host, and their views.

namespace trackplex::lhcb {

/// Offsets of the hits and tracks of each event, in arrays of the batch.
template <class MemorySpace>
struct VeloUtOffsets : chain::EventOffsets<MemorySpace, 6> {
  /// Kinds of items.
  enum Kind {
    tracks,     ///< tracks of the VELO
    hits,       ///< hits of all tracks of the VELO
    velo_hits,  ///< hits of the VELO
    ut_hits,    ///< hits of the UT
    windows,    ///< tracks of the VELO that have windows
    ut_tracks   ///< tracks with hits in the UT
  };
};

/// Hits and tracks of many events, without gaps.
template <class MemorySpace>
struct VeloUtArrays {
  using memory_space = MemorySpace;  ///< of the arrays
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< one entry per event, hit or track

  VeloTrackArrays<MemorySpace> velo_tracks;  ///< tracks of the VELO
  Array<double> velo_x,                      ///< (hit): VeloHitList::x of all events
      velo_y,                                ///< (hit): VeloHitList::y
      velo_z;                                ///< (hit): VeloHitList::z
  Array<std::uint8_t> velo_modules;          ///< (hit): VeloHitList::modules
  Array<std::uint32_t> velo_ids;             ///< (hit): VeloHitList::ids
  Array<double> ut_y_begin,                  ///< (hit): UtHitList::y_begin of all events
      ut_y_end,                              ///< (hit): UtHitList::y_end
      ut_x,                                  ///< (hit): UtHitList::x
      ut_z;                                  ///< (hit): UtHitList::z
  Array<std::uint32_t> ut_ids;               ///< (hit): UtHitList::ids
  Array<UtTrackWindows> windows;             ///< (track with windows)
  Array<UtTrack> ut_tracks;                  ///< (track with UT hits)
  Array<std::uint32_t> velo_invalid;         ///< (event): VeloHitList::invalid
  Array<std::uint32_t> ut_unmapped;          ///< (event): UtHitList::unmapped
  Array<std::uint32_t> ut_layer_offsets;     ///< (event, layer), one more than layers: of UtHitList
  std::size_t n_velo_hits = 0;               ///< number of VELO hits of all events
  std::size_t n_ut_hits = 0;                 ///< number of UT hits of all events
  std::size_t n_windows = 0;                 ///< number of tracks with windows
  std::size_t n_ut_tracks = 0;               ///< number of tracks with UT hits
};

/// Sets the plain members of `to` and calls f(array of from, array of to, label, entries) for each
/// array; see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const VeloUtArrays<From>& from, VeloUtArrays<To>& to, const F& f) {
  for_each_array(from.velo_tracks, to.velo_tracks, f);
  to.n_velo_hits = from.n_velo_hits;
  to.n_ut_hits = from.n_ut_hits;
  to.n_windows = from.n_windows;
  to.n_ut_tracks = from.n_ut_tracks;
  f(from.velo_x, to.velo_x, "Trackplex::Lhcb::velo_list_x", from.n_velo_hits);
  f(from.velo_y, to.velo_y, "Trackplex::Lhcb::velo_list_y", from.n_velo_hits);
  f(from.velo_z, to.velo_z, "Trackplex::Lhcb::velo_list_z", from.n_velo_hits);
  f(from.velo_modules, to.velo_modules, "Trackplex::Lhcb::velo_list_modules", from.n_velo_hits);
  f(from.velo_ids, to.velo_ids, "Trackplex::Lhcb::velo_list_ids", from.n_velo_hits);
  f(from.ut_y_begin, to.ut_y_begin, "Trackplex::Lhcb::ut_list_y_begin", from.n_ut_hits);
  f(from.ut_y_end, to.ut_y_end, "Trackplex::Lhcb::ut_list_y_end", from.n_ut_hits);
  f(from.ut_x, to.ut_x, "Trackplex::Lhcb::ut_list_x", from.n_ut_hits);
  f(from.ut_z, to.ut_z, "Trackplex::Lhcb::ut_list_z", from.n_ut_hits);
  f(from.ut_ids, to.ut_ids, "Trackplex::Lhcb::ut_list_ids", from.n_ut_hits);
  f(from.windows, to.windows, "Trackplex::Lhcb::ut_list_windows", from.n_windows);
  f(from.ut_tracks, to.ut_tracks, "Trackplex::Lhcb::ut_list_tracks", from.n_ut_tracks);
  const std::size_t events = from.velo_tracks.n_events;
  f(from.velo_invalid, to.velo_invalid, "Trackplex::Lhcb::velo_list_invalid", events);
  f(from.ut_unmapped, to.ut_unmapped, "Trackplex::Lhcb::ut_list_unmapped", events);
  f(from.ut_layer_offsets, to.ut_layer_offsets, "Trackplex::Lhcb::ut_list_layer_offsets",
    events * (ut_layers + 1));
}

namespace detail {

/// Copies n values with all threads of a team, and converts them.
template <class Member, class From, class To>
KOKKOS_FUNCTION void copy_values(const Member& member, const From* from, To* to, int n) {
  const int step = member.team_size();
  if (step == 1)
    for (int i = 0; i < n; ++i) to[i] = To(from[i]);  // vectorized
  else
    for (int i = member.team_rank(); i < n; i += step) to[i] = To(from[i]);
}

/// Hits and tracks of a batch in the memory of the kernels.
template <class T, class MemorySpace>
struct FoundVeloUt {
  VeloHits<T, MemorySpace> velo_hits;
  VpClusters<MemorySpace> clusters;
  VeloTracks<MemorySpace> velo_tracks;
  LineStates<T, MemorySpace> lines;
  UtHits<T, MemorySpace> ut_hits;
  UtWindows<MemorySpace> windows;
  UtTracks<T, MemorySpace> ut_tracks;
};

/// Kernel: counts the hits and tracks of an event.
template <class T, class MemorySpace>
struct CountVeloUt {
  FoundVeloUt<T, MemorySpace> found;
  VeloUtOffsets<MemorySpace> to;

  KOKKOS_FUNCTION void operator()(int event) const {
    const auto& [velo_hits, clusters, velo_tracks, lines, ut_hits, windows, ut_tracks] = found;
    to.count(to.tracks, event) = velo_tracks.count(event);
    to.count(to.hits, event) = count_track_hits(velo_tracks, event, velo_hits.event_offsets(event));
    to.count(to.velo_hits, event) = velo_hits.event_sizes(event);
    to.count(to.ut_hits, event) = std::uint32_t(
        ut_hits.group_offsets(std::size_t(event) * (ut_hits.groups + 1) + ut_hits.groups));
    to.count(to.windows, event) = windows.count(event);
    to.count(to.ut_tracks, event) = ut_tracks.count(event);
  }
};

/// First sector group of each UT layer, and the end; std::array has no functions for devices.
struct UtLayerGroups {
  int first[ut_layers + 1];
};

/// Kernel: packs the hits and tracks of an event per team.
template <class T, class MemorySpace>
struct PackVeloUt {
  FoundVeloUt<T, MemorySpace> found;
  VeloUtOffsets<MemorySpace> offsets;
  UtLayerGroups groups;
  double charge_sign;  ///< of positive particles in UtTracks::qop
  VeloUtArrays<MemorySpace> to;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<int, Member> team(member);
    const int event = member.league_rank();
    const auto& tracks = found.velo_tracks;
    const std::size_t slot =
        first_slot(found.velo_hits.event_offsets(event), event, tracks.hits_per_slot);
    VeloTrackPacker<T, MemorySpace>{tracks, found.lines, to.velo_tracks}(member, slot, offsets);
    pack_velo_hits(member, event);
    pack_ut_hits(member, event);
    UtTrackWindows* const windows = to.windows.data() + offsets(offsets.windows, event);
    team.for_each(int(found.windows.count(event)), [&](const Tile<int>& t) {
      set_windows(event, slot + t.first, windows[t.first]);
    });
    UtTrack* const ut_tracks = to.ut_tracks.data() + offsets(offsets.ut_tracks, event);
    team.for_each(int(found.ut_tracks.count(event)),
                  [&](const Tile<int>& t) { set_track(slot + t.first, ut_tracks[t.first]); });
  }

 private:
  template <class Member>
  KOKKOS_FUNCTION void pack_velo_hits(const Member& member, int event) const {
    const auto& hits = found.velo_hits;
    const std::size_t from = hits.event_offsets(event), first = offsets(offsets.velo_hits, event);
    const int n = int(hits.event_sizes(event));
    copy_values(member, hits.x.data() + from, to.velo_x.data() + first, n);
    copy_values(member, hits.y.data() + from, to.velo_y.data() + first, n);
    copy_values(member, hits.z.data() + from, to.velo_z.data() + first, n);
    copy_values(member, hits.module.data() + from, to.velo_modules.data() + first, n);
    copy_values(member, found.clusters.ids.data() + from, to.velo_ids.data() + first, n);
    if (member.team_rank() == 0) to.velo_invalid(event) = found.clusters.invalid(event);
  }

  template <class Member>
  KOKKOS_FUNCTION void pack_ut_hits(const Member& member, int event) const {
    const auto& hits = found.ut_hits;
    const std::size_t from = hits.event_offsets(event), first = offsets(offsets.ut_hits, event);
    const int n = int(first_of_layer(event, ut_layers));
    copy_values(member, hits.y_begin.data() + from, to.ut_y_begin.data() + first, n);
    copy_values(member, hits.y_end.data() + from, to.ut_y_end.data() + first, n);
    copy_values(member, hits.x.data() + from, to.ut_x.data() + first, n);
    copy_values(member, hits.z.data() + from, to.ut_z.data() + first, n);
    copy_values(member, hits.id.data() + from, to.ut_ids.data() + first, n);
    if (member.team_rank() != 0) return;
    to.ut_unmapped(event) = hits.unmapped(event);
    for (int layer = 0; layer <= ut_layers; ++layer)
      to.ut_layer_offsets(std::size_t(event) * (ut_layers + 1) + layer) =
          first_of_layer(event, layer);
  }

  /// Index in the event of the first hit of a layer.
  KOKKOS_FUNCTION std::uint32_t first_of_layer(int event, int layer) const {
    const std::size_t first_group = std::size_t(event) * (found.ut_hits.groups + 1);
    return std::uint32_t(found.ut_hits.group_offsets(first_group + groups.first[layer]));
  }

  KOKKOS_FUNCTION void set_windows(int event, std::size_t slot, UtTrackWindows& track) const {
    const auto& windows = found.windows;
    track = {windows.track(slot), {}};
    auto* const layers = reinterpret_cast<UtWindowList*>(&track.layers);
    for (int layer = 0; layer < ut_layers; ++layer) {
      const std::uint32_t first_hit = first_of_layer(event, layer);
      for (int g = 0; g < windows.groups; ++g) {
        const std::size_t entry = windows.entry(g, layer) + slot;
        layers[layer].push_back({first_hit + windows.first(entry), windows.size(entry)});
      }
    }
  }

  KOKKOS_FUNCTION void set_track(std::size_t slot, UtTrack& track) const {
    const auto& tracks = found.ut_tracks;
    track = {};  // one by one: nvcc 13.0 loses the designators of a list here
    track.velo_track = tracks.track(slot);
    track.qop = charge_sign * double(tracks.qop(slot));
    track.chi2 = double(tracks.chi2(slot));
    track.x = double(tracks.x(slot));
    track.slope = double(tracks.slope(slot));
    auto* const hits = reinterpret_cast<std::int32_t*>(&track.hits);
    for (int layer = 0; layer < ut_layers; ++layer)
      if (const auto hit = tracks.hits(layer * tracks.slots + slot); hit != tracks.no_hit)
        hits[layer] = hit;
  }
};

}  // namespace detail

/// Algorithm: offsets of the hits and tracks of each event, on the host, too.
template <class T, class ExecutionSpace>
struct CountVeloUt {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  static constexpr const char* name = "count_velo_ut";

  /// Allocates the offsets.
  template <class Memory>
  void allocate(const Memory& memory, const VeloHits<T, MemorySpace>& velo_hits,
                const VeloTracks<MemorySpace>&, const UtHits<T, MemorySpace>&,
                const UtWindows<MemorySpace>&, const UtTracks<T, MemorySpace>&,
                VeloUtOffsets<MemorySpace>& offsets) const {
    offsets.allocate(memory.of(offsets), velo_hits.n_events);
  }
  /// Enqueues the counts and their sums.
  void operator()(const ExecutionSpace& exec, const VeloHits<T, MemorySpace>& velo_hits,
                  const VeloTracks<MemorySpace>& velo_tracks, const UtHits<T, MemorySpace>& ut_hits,
                  const UtWindows<MemorySpace>& windows, const UtTracks<T, MemorySpace>& ut_tracks,
                  VeloUtOffsets<MemorySpace>& offsets) const {
    for_each_item(exec, "Trackplex::Lhcb::count_velo_ut", velo_hits.n_events,
                  detail::CountVeloUt<T, MemorySpace>{
                      {velo_hits, {}, velo_tracks, {}, ut_hits, windows, ut_tracks}, offsets});
    offsets.enqueue_scan(exec);
  }
};

/// Algorithm: hits and tracks of VELO and UT without gaps on the host. One kernel, a team per
/// event, and on devices one copy.
template <class T, class ExecutionSpace>
struct PackVeloUt {
  using MemorySpace = typename ExecutionSpace::memory_space;      ///< Memory space of the inputs.
  using Offsets = VeloUtOffsets<MemorySpace>;                     ///< Read: offsets of the items.
  using Packed = chain::Packed<VeloUtArrays<Kokkos::HostSpace>>;  ///< Made.
  using Scratch = chain::PackedForKernels<VeloUtArrays<MemorySpace>>;  ///< The same for kernels.
  static constexpr const char* name = "pack_velo_ut";

  std::array<int, ut_layers + 1> layer_offset;  ///< UtSectorGroups::layer_offsets
  float polarity;                               ///< of the magnet: -1 down, +1 up
  int team_size = 0;                            ///< threads of a team; 0: the default of the space
  chain::PackedBlocks<ExecutionSpace> blocks;   ///< memory of the results

  /// Takes a block for hits and tracks.
  template <class Memory>
  void allocate(const Memory& memory, const VeloHits<T, MemorySpace>& velo_hits,
                const VpClusters<MemorySpace>&, const VeloTracks<MemorySpace>&,
                const LineStates<T, MemorySpace>&, const UtHits<T, MemorySpace>&,
                const UtWindows<MemorySpace>&, const UtTracks<T, MemorySpace>&,
                const Offsets& offsets, Packed& packed, Scratch& for_kernels) const {
    packed.velo_tracks.n_events = std::size_t(velo_hits.n_events);
    packed.velo_tracks.n_tracks = offsets.total(Offsets::tracks);
    packed.velo_tracks.n_hits = offsets.total(Offsets::hits);
    packed.n_velo_hits = offsets.total(Offsets::velo_hits);
    packed.n_ut_hits = offsets.total(Offsets::ut_hits);
    packed.n_windows = offsets.total(Offsets::windows);
    packed.n_ut_tracks = offsets.total(Offsets::ut_tracks);
    blocks.allocate(memory.scratch(), packed, for_kernels);
  }
  /// Enqueues the kernel and the copy.
  void operator()(const ExecutionSpace& exec, const VeloHits<T, MemorySpace>& velo_hits,
                  const VpClusters<MemorySpace>& clusters,
                  const VeloTracks<MemorySpace>& velo_tracks,
                  const LineStates<T, MemorySpace>& lines, const UtHits<T, MemorySpace>& ut_hits,
                  const UtWindows<MemorySpace>& windows, const UtTracks<T, MemorySpace>& ut_tracks,
                  const Offsets& offsets, Packed& packed, Scratch& for_kernels) const {
    detail::UtLayerGroups groups;
    std::copy(layer_offset.begin(), layer_offset.end(), groups.first);
    for_each_team(exec, "Trackplex::Lhcb::pack_velo_ut", velo_hits.n_events,
                  detail::PackVeloUt<T, MemorySpace>{
                      {velo_hits, clusters, velo_tracks, lines, ut_hits, windows, ut_tracks},
                      offsets,
                      groups,
                      -double(polarity),
                      for_kernels},
                  team_size);
    blocks.enqueue_copy(exec, for_kernels, packed);
  }
};

/// Algorithm on the host: the result of each event, views of the arrays of all events.
/// @tparam Result  VeloUtResult, or a structure that begins with one
template <class MemorySpace, class Result = VeloUtResult>
struct CollectVeloUt {
  using Offsets = VeloUtOffsets<MemorySpace>;                     ///< Read: offsets of the items.
  using Packed = chain::Packed<VeloUtArrays<Kokkos::HostSpace>>;  ///< Read: the arrays.
  static constexpr const char* name = "collect_velo_ut";

  /// Appends a result for each event.
  void operator()(const Offsets& offsets, const Packed& packed,
                  chain::Results<Result>& results) const {
    results.values.reserve(std::size_t(offsets.n_events));
    for (int e = 0; e < offsets.n_events; ++e)
      results.values.push_back(Result{VeloUtResult{
          velo_hits(offsets, packed, e), velo_track_list(packed.velo_tracks, offsets, e),
          packed.velo_tracks.overflow(std::size_t(e)), ut_hits(offsets, packed, e),
          part(offsets, offsets.windows, e, packed.windows),
          part(offsets, offsets.ut_tracks, e, packed.ut_tracks), packed.owner}});
  }

 private:
  /// Entries of an event.
  template <class T>
  static std::span<const T> part(const Offsets& offsets, int kind, int event,
                                 const Kokkos::View<T*, Kokkos::HostSpace>& array) {
    const std::size_t first = offsets.first(kind, event);
    return {array.data() + first, offsets.first(kind, event + 1) - first};
  }
  static VeloHitList velo_hits(const Offsets& offsets, const Packed& packed, int event) {
    const auto of = [&](const auto& array) {
      return part(offsets, offsets.velo_hits, event, array);
    };
    return {of(packed.velo_x),       of(packed.velo_y),   of(packed.velo_z),
            of(packed.velo_modules), of(packed.velo_ids), packed.velo_invalid(std::size_t(event))};
  }
  static UtHitList ut_hits(const Offsets& offsets, const Packed& packed, int event) {
    const auto of = [&](const auto& array) { return part(offsets, offsets.ut_hits, event, array); };
    UtHitList list{of(packed.ut_y_begin),
                   of(packed.ut_y_end),
                   of(packed.ut_x),
                   of(packed.ut_z),
                   of(packed.ut_ids),
                   {},
                   packed.ut_unmapped(std::size_t(event))};
    const std::size_t layers = list.layer_offsets.size();
    std::copy_n(packed.ut_layer_offsets.data() + std::size_t(event) * layers, layers,
                list.layer_offsets.begin());
    return list;
  }
};

}  // namespace trackplex::lhcb
