// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/packed.hpp>
#include <trackplex/chain/products.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/fit/long_fits.hpp>
#include <trackplex/lhcb/pack_velo_ut.hpp>
#include <trackplex/lhcb/scifi/long_tracks.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/vertexing/vertices.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// @file
/// SciFi hits, long tracks and vertices of a batch without gaps on the host, and their views, next
/// to those of pack_velo_ut.hpp.

namespace trackplex::lhcb {

/// Offsets of the SciFi hits, long tracks and vertices of each event, in arrays of the batch.
template <class MemorySpace>
struct TracksOffsets : chain::EventOffsets<MemorySpace, 3> {
  /// Kinds of items.
  enum Kind {
    scifi_hits,   ///< hits of the SciFi
    long_tracks,  ///< tracks with hits in the SciFi
    vertices      ///< primary vertices
  };
};

/// SciFi hits, long tracks and vertices of many events, without gaps.
template <class MemorySpace>
struct TracksArrays {
  using memory_space = MemorySpace;  ///< of the arrays
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< one entry per event, hit, track or vertex

  Array<double> scifi_x,                   ///< (hit): ScifiHitList::x of all events
      scifi_z,                             ///< (hit): ScifiHitList::z
      scifi_y_begin,                       ///< (hit): ScifiHitList::y_begin
      scifi_y_end;                         ///< (hit): ScifiHitList::y_end
  Array<std::uint8_t> scifi_cluster_size;  ///< (hit): ScifiHitList::cluster_size
  Array<std::uint32_t> scifi_ids;          ///< (hit): ScifiHitList::ids
  Array<std::uint32_t> scifi_offsets;      ///< (event, zone), one more than zones: zone_offsets
  Array<std::uint32_t> scifi_invalid;      ///< (event): ScifiHitList::invalid
  Array<LongTrack> long_tracks;            ///< (track)
  Array<LongTrackFit> long_fits;           ///< (fit)
  Array<vertexing::Vertex> vertices;       ///< (vertex)
  Array<std::uint32_t> vertex_overflow;    ///< (event): TracksResult::vertex_overflow
  std::size_t n_events = 0;                ///< number of events
  std::size_t n_scifi_hits = 0;            ///< number of SciFi hits of all events
  std::size_t n_long_tracks = 0;           ///< number of long tracks of all events
  std::size_t n_long_fits = 0;             ///< number of fits: that of long tracks, or 0
  std::size_t n_vertices = 0;              ///< number of vertices of all events
};

/// Sets the plain members of `to` and calls f(array of from, array of to, label, entries) for each
/// array; see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const TracksArrays<From>& from, TracksArrays<To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_scifi_hits = from.n_scifi_hits;
  to.n_long_tracks = from.n_long_tracks;
  to.n_long_fits = from.n_long_fits;
  to.n_vertices = from.n_vertices;
  const std::size_t events = from.n_events, n = from.n_scifi_hits;
  f(from.scifi_x, to.scifi_x, "Trackplex::Lhcb::scifi_list_x", n);
  f(from.scifi_z, to.scifi_z, "Trackplex::Lhcb::scifi_list_z", n);
  f(from.scifi_y_begin, to.scifi_y_begin, "Trackplex::Lhcb::scifi_list_y_begin", n);
  f(from.scifi_y_end, to.scifi_y_end, "Trackplex::Lhcb::scifi_list_y_end", n);
  f(from.scifi_cluster_size, to.scifi_cluster_size, "Trackplex::Lhcb::scifi_list_cluster_size", n);
  f(from.scifi_ids, to.scifi_ids, "Trackplex::Lhcb::scifi_list_ids", n);
  f(from.scifi_offsets, to.scifi_offsets, "Trackplex::Lhcb::scifi_list_zone_offsets",
    events * (scifi_zones + 1));
  f(from.scifi_invalid, to.scifi_invalid, "Trackplex::Lhcb::scifi_list_invalid", events);
  f(from.long_tracks, to.long_tracks, "Trackplex::Lhcb::long_track_list", from.n_long_tracks);
  f(from.long_fits, to.long_fits, "Trackplex::Lhcb::long_fit_list", from.n_long_fits);
  f(from.vertices, to.vertices, "Trackplex::Lhcb::vertex_list", from.n_vertices);
  f(from.vertex_overflow, to.vertex_overflow, "Trackplex::Lhcb::vertex_list_overflow", events);
}

namespace detail {

/// Number of SciFi hits of an event; 0 where no SciFi banks were staged.
template <class T, class MemorySpace>
KOKKOS_FUNCTION std::uint32_t count_scifi_hits(const ScifiHits<T, MemorySpace>& hits, int event) {
  if (hits.n_events == 0) return 0;
  return std::uint32_t(
      hits.zone_offsets(std::size_t(event) * (scifi_zones + 1) + std::size_t(scifi_zones)));
}

/// Long tracks and their fits, if they are fitted. `velo_offsets` are those of the VELO hits of
/// each event.
template <class T, class MemorySpace>
struct FittedTracks {
  Kokkos::View<std::uint32_t*, MemorySpace> velo_offsets;
  int hits_per_slot;  // of the VELO tracks
  LongTracks<T, MemorySpace> tracks;
  LongFits<T, MemorySpace> fits;

  KOKKOS_FUNCTION std::size_t first_slot(int event) const {
    return lhcb::first_slot(velo_offsets(event), event, hits_per_slot);
  }
  /// Number of tracks of an event, good or not; 0 where none were searched for.
  KOKKOS_FUNCTION int count(int event) const {
    return tracks.n_events == 0 ? 0 : int(tracks.count(event));
  }
  /// Whether a track is in the results.
  KOKKOS_FUNCTION bool is_good(std::size_t slot) const {
    return fits.n_events == 0 || fits.good(slot) != 0;
  }
  KOKKOS_FUNCTION std::uint32_t count_good(int event) const {
    const std::size_t first = first_slot(event);
    std::uint32_t n = 0;
    for (int track = 0; track < count(event); ++track)
      n += is_good(first + std::size_t(track)) ? 1u : 0u;
    return n;
  }
};

/// Kernel: counts the SciFi hits, long tracks and vertices of an event.
template <class T, class MemorySpace>
struct CountTracks {
  ScifiHits<T, MemorySpace> scifi;
  FittedTracks<T, MemorySpace> fitted;
  vertexing::Vertices<T, MemorySpace> vertices;
  TracksOffsets<MemorySpace> to;

  KOKKOS_FUNCTION void operator()(int event) const {
    to.count(to.scifi_hits, event) = count_scifi_hits(scifi, event);
    to.count(to.long_tracks, event) = fitted.count_good(event);
    to.count(to.vertices, event) = vertices.count(event);
  }
};

/// SciFi hits, long tracks and vertices of a batch in the memory of the kernels.
template <class T, class MemorySpace>
struct FoundTracks {
  ScifiHits<T, MemorySpace> scifi;
  FittedTracks<T, MemorySpace> fitted;
  vertexing::Vertices<T, MemorySpace> vertices;
};

/// Kernel: packs the SciFi hits, long tracks and vertices of an event per team.
template <class T, class MemorySpace>
struct PackTracks {
  FoundTracks<T, MemorySpace> found;
  TracksOffsets<MemorySpace> offsets;
  TracksArrays<MemorySpace> to;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<int, Member> team(member);
    const int event = member.league_rank();
    pack_scifi_hits(member, team, event);
    const std::size_t place = offsets(offsets.long_tracks, event);
    const std::size_t slot = found.fitted.first_slot(event);
    team.compact(
        found.fitted.count(event),
        [&](int track) { return found.fitted.is_good(slot + std::size_t(track)); },
        [&](int track, int number) {
          const std::size_t from = slot + std::size_t(track), entry = place + std::size_t(number);
          set_track(from, to.long_tracks(entry));
          if (found.fitted.fits.n_events > 0) set_fit(from, to.long_fits(entry));
        });
    vertexing::Vertex* const vertices = to.vertices.data() + offsets(offsets.vertices, event);
    const std::size_t first = std::size_t(event) * std::size_t(found.vertices.slots_per_event);
    team.for_each(int(found.vertices.count(event)), [&](const Tile<int>& t) {
      set_vertex(first + std::size_t(t.first), vertices[t.first]);
    });
    if (member.team_rank() == 0) to.vertex_overflow(event) = found.vertices.overflow(event);
  }

 private:
  template <class Member, class Team>
  KOKKOS_FUNCTION void pack_scifi_hits(const Member& member, const Team& team, int event) const {
    const auto& scifi = found.scifi;
    const std::size_t first = offsets(offsets.scifi_hits, event);
    const std::size_t zones = std::size_t(event) * (scifi_zones + 1);
    const int n = int(count_scifi_hits(scifi, event));
    const bool is_there = scifi.n_events > 0;
    team.for_each(scifi_zones + 1, [&](const Tile<int>& zone) {
      to.scifi_offsets(zones + zone.first) =
          is_there ? std::uint32_t(scifi.zone_offsets(zones + zone.first)) : 0u;
    });
    if (member.team_rank() == 0)
      to.scifi_invalid(event) = is_there ? std::uint32_t(scifi.invalid(event)) : 0u;
    if (n == 0) return;
    const std::size_t from = scifi.event_offsets(event);
    copy_values(member, scifi.x.data() + from, to.scifi_x.data() + first, n);
    copy_values(member, scifi.z.data() + from, to.scifi_z.data() + first, n);
    copy_values(member, scifi.y_begin.data() + from, to.scifi_y_begin.data() + first, n);
    copy_values(member, scifi.y_end.data() + from, to.scifi_y_end.data() + first, n);
    copy_values(member, scifi.cluster_size.data() + from, to.scifi_cluster_size.data() + first, n);
    copy_values(member, scifi.id.data() + from, to.scifi_ids.data() + first, n);
  }

  KOKKOS_FUNCTION void set_track(std::size_t slot, LongTrack& track) const {
    const auto& from = found.fitted.tracks;
    track = {};
    track.velo_track = from.velo_track(slot);
    if (from.ut_track(slot) != from.no_ut_track) track.ut_track = from.ut_track(slot);
    // std::array has no functions for devices
    auto* const hits = reinterpret_cast<std::int32_t*>(&track.hits);
    for (int layer = 0; layer < scifi_layers; ++layer)
      if (const auto hit = from.hits(layer * from.slots + slot); hit != from.no_hit)
        hits[layer] = hit;
    track.qop = double(from.qop(slot));
    track.quality = double(from.quality(slot));
    track.x = double(from.x(slot));
    track.y = double(from.y(slot));
    track.tx = double(from.tx(slot));
    track.ty = double(from.ty(slot));
  }

  KOKKOS_FUNCTION void set_fit(std::size_t slot, LongTrackFit& fit) const {
    const auto& from = found.fitted.fits;
    fit.x = double(from.x(slot));
    fit.y = double(from.y(slot));
    fit.z = double(from.z(slot));
    fit.tx = double(from.tx(slot));
    fit.ty = double(from.ty(slot));
    fit.qop = double(from.qop(slot));
    auto* const covariance = reinterpret_cast<double*>(&fit.covariance);
    for (int k = 0; k < from.entries; ++k)
      covariance[k] = double(from.covariance(std::size_t(k) * from.slots + slot));
    fit.chi2 = double(from.chi2(slot));
    fit.ndf = from.ndf(slot);
  }

  KOKKOS_FUNCTION void set_vertex(std::size_t slot, vertexing::Vertex& vertex) const {
    const auto& from = found.vertices;
    auto* const position = reinterpret_cast<double*>(&vertex.position);
    position[0] = double(from.x(slot));
    position[1] = double(from.y(slot));
    position[2] = double(from.z(slot));
    auto* const covariance = reinterpret_cast<double*>(&vertex.covariance);
    covariance[0] = double(from.xx(slot));
    covariance[1] = double(from.xy(slot));
    covariance[2] = double(from.yy(slot));
    covariance[3] = double(from.xz(slot));
    covariance[4] = double(from.yz(slot));
    covariance[5] = double(from.zz(slot));
    vertex.weight = double(from.weight(slot));
    vertex.tracks = from.tracks(slot);
  }
};

}  // namespace detail

/// Algorithm: offsets of the SciFi hits, long tracks and vertices of each event, on the host, too.
/// Long tracks are those whose fit is good, or all if they are not fitted.
template <class T, class ExecutionSpace>
struct CountTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using Scifi = ScifiHits<T, MemorySpace>;                    ///< Read: hits of the SciFi.
  using Long = LongTracks<T, MemorySpace>;                    ///< Read: long tracks.
  using Fits = LongFits<T, MemorySpace>;                      ///< Read: fits of long tracks.
  using Vertices = vertexing::Vertices<T, MemorySpace>;       ///< Read: primary vertices.
  static constexpr const char* name = "count_tracks";

  /// Allocates the offsets.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks&, const Scifi&, const Long&,
                const Fits&, const Vertices& vertices, TracksOffsets<MemorySpace>& offsets) const {
    offsets.allocate(memory.of(offsets), vertices.n_events);
  }
  /// Enqueues the counts and their sums.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Scifi& scifi, const Long& long_tracks, const Fits& fits,
                  const Vertices& vertices, TracksOffsets<MemorySpace>& offsets) const {
    for_each_item(exec, "Trackplex::Lhcb::count_tracks", vertices.n_events,
                  detail::CountTracks<T, MemorySpace>{
                      scifi,
                      {hits.event_offsets, tracks.hits_per_slot, long_tracks, fits},
                      vertices,
                      offsets});
    offsets.enqueue_scan(exec);
  }
};

/// Algorithm: SciFi hits, long tracks, as CountTracks counts them, and vertices without gaps on the
/// host. One kernel, a team per event, and on devices one copy.
template <class T, class ExecutionSpace>
struct PackTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;      ///< Memory space of the inputs.
  using Hits = VeloHits<T, MemorySpace>;                          ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                         ///< Read: tracks of the VELO.
  using Scifi = ScifiHits<T, MemorySpace>;                        ///< Read: hits of the SciFi.
  using Long = LongTracks<T, MemorySpace>;                        ///< Read: long tracks.
  using Fits = LongFits<T, MemorySpace>;                          ///< Read: fits of long tracks.
  using Vertices = vertexing::Vertices<T, MemorySpace>;           ///< Read: primary vertices.
  using Offsets = TracksOffsets<MemorySpace>;                     ///< Read: offsets of the items.
  using Packed = chain::Packed<TracksArrays<Kokkos::HostSpace>>;  ///< Made.
  using Scratch = chain::PackedForKernels<TracksArrays<MemorySpace>>;  ///< The same for kernels.
  static constexpr const char* name = "pack_tracks";

  int team_size = 0;                           ///< threads of a team; 0: the default of the space
  chain::PackedBlocks<ExecutionSpace> blocks;  ///< memory of the results

  /// Takes a block for hits, tracks and vertices.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks&, const Scifi&, const Long&,
                const Fits& fits, const Vertices& vertices, const Offsets& offsets, Packed& packed,
                Scratch& for_kernels) const {
    packed.n_events = std::size_t(vertices.n_events);
    packed.n_scifi_hits = offsets.total(Offsets::scifi_hits);
    packed.n_long_tracks = offsets.total(Offsets::long_tracks);
    packed.n_long_fits = fits.n_events > 0 ? packed.n_long_tracks : 0;
    packed.n_vertices = offsets.total(Offsets::vertices);
    blocks.allocate(memory.scratch(), packed, for_kernels);
  }
  /// Enqueues the kernel and the copy.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Scifi& scifi, const Long& long_tracks, const Fits& fits,
                  const Vertices& vertices, const Offsets& offsets, Packed& packed,
                  Scratch& for_kernels) const {
    for_each_team(
        exec, "Trackplex::Lhcb::pack_tracks", vertices.n_events,
        detail::PackTracks<T, MemorySpace>{
            {scifi, {hits.event_offsets, tracks.hits_per_slot, long_tracks, fits}, vertices},
            offsets,
            for_kernels},
        team_size);
    blocks.enqueue_copy(exec, for_kernels, packed);
  }
};

/// Algorithm on the host: the result of each event, views of the arrays of all events.
template <class MemorySpace>
struct CollectTracks {
  using VeloUtPacked = chain::Packed<VeloUtArrays<Kokkos::HostSpace>>;  ///< Read: of VELO and UT.
  using Offsets = TracksOffsets<MemorySpace>;                     ///< Read: offsets of the items.
  using Packed = chain::Packed<TracksArrays<Kokkos::HostSpace>>;  ///< Read: the other arrays.
  static constexpr const char* name = "collect_tracks";

  /// Appends a result for each event.
  void operator()(const VeloUtOffsets<MemorySpace>& velo_ut_offsets, const VeloUtPacked& velo_ut,
                  const Offsets& offsets, const Packed& packed,
                  chain::Results<TracksResult>& results) const {
    const std::size_t before = results.values.size();
    CollectVeloUt<MemorySpace, TracksResult>()(velo_ut_offsets, velo_ut, results);
    using Owners = std::array<std::shared_ptr<const void>, 2>;
    const auto owner = std::make_shared<const Owners>(Owners{velo_ut.owner, packed.owner});
    for (int e = 0; e < offsets.n_events; ++e) {
      auto& result = results.values[before + std::size_t(e)];
      result.scifi_hits = scifi_hits(offsets, packed, e);
      result.long_tracks = part(offsets, offsets.long_tracks, e, packed.long_tracks);
      if (packed.n_long_fits > 0)
        result.long_fits = part(offsets, offsets.long_tracks, e, packed.long_fits);
      result.vertices = part(offsets, offsets.vertices, e, packed.vertices);
      result.vertex_overflow = packed.vertex_overflow(std::size_t(e));
      result.owner = owner;
    }
  }

 private:
  /// Entries of an event.
  template <class T>
  static std::span<const T> part(const Offsets& offsets, int kind, int event,
                                 const Kokkos::View<T*, Kokkos::HostSpace>& array) {
    const std::size_t first = offsets.first(kind, event);
    return {array.data() + first, offsets.first(kind, event + 1) - first};
  }
  static ScifiHitList scifi_hits(const Offsets& offsets, const Packed& packed, int event) {
    const auto of = [&](const auto& array) {
      return part(offsets, offsets.scifi_hits, event, array);
    };
    ScifiHitList list{of(packed.scifi_x),
                      of(packed.scifi_z),
                      of(packed.scifi_y_begin),
                      of(packed.scifi_y_end),
                      of(packed.scifi_cluster_size),
                      of(packed.scifi_ids),
                      {},
                      packed.scifi_invalid(std::size_t(event))};
    const std::size_t zones = list.zone_offsets.size();
    std::copy_n(packed.scifi_offsets.data() + std::size_t(event) * zones, zones,
                list.zone_offsets.begin());
    return list;
  }
};

}  // namespace trackplex::lhcb
