// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits of many events on a detector of modules, as read and sorted by azimuth. Lengths in mm.

#include <trackplex/core/number.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Hits of many events, one array per quantity.
///
/// Event e has capacity for the hits [event_offsets(e), event_offsets(e + 1)) and owns the
/// first event_sizes(e), in any order: a decoder may find fewer hits than the host allocated. The
/// capacity of an event is at most 65535 hits, so that an index in the event fits into 16 bits.
template <class Real, class MemorySpace>
struct VeloHits {
  /// One-dimensional array in the memory space.
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  Array<Real> x,                       ///< x of each hit, mm
      y,                               ///< y of each hit, mm
      z;                               ///< z of each hit, mm
  Array<std::uint8_t> module;          ///< detector module of each hit
  Array<std::uint32_t> event_offsets;  ///< first hit of each event, and the end: n_events + 1
  Array<std::uint32_t> event_sizes;    ///< number of hits of each event
  int n_events = 0;                    ///< number of events
  int n_hits = 0;                      ///< capacity for hits, in all events
  int max_event_hits = 0;              ///< upper limit of the hits of an event
  int max_layer_hits = 0;  ///< upper limit of the hits of a layer (module pair) of an event
};

/// Lists the arrays for copies and allocations, and copies the numbers; see core/copy.hpp.
template <class Real, class From, class To, class F>
void for_each_array(const VeloHits<Real, From>& from, VeloHits<Real, To>& to, const F& f) {
  to.n_events = from.n_events;
  to.n_hits = from.n_hits;
  to.max_event_hits = from.max_event_hits;
  to.max_layer_hits = from.max_layer_hits;
  const auto events = std::size_t(from.n_events), n = std::size_t(from.n_hits);
  f(from.x, to.x, "Trackplex::Lhcb::velo_hit_x", n);
  f(from.y, to.y, "Trackplex::Lhcb::velo_hit_y", n);
  f(from.z, to.z, "Trackplex::Lhcb::velo_hit_z", n);
  f(from.module, to.module, "Trackplex::Lhcb::velo_hit_module", n);
  f(from.event_offsets, to.event_offsets, "Trackplex::Lhcb::velo_event_offsets", events + 1);
  f(from.event_sizes, to.event_sizes, "Trackplex::Lhcb::velo_event_sizes", events);
}

/// The hits of `VeloHits`, sorted within each event by group (layer or module) and azimuth; ties
/// keep the order of the input. A table of bins in azimuth gives places in each group.
///
/// An event's hits begin at the same `event_offsets` as in `VeloHits`; a place is counted from
/// there.
///
/// @tparam Key azimuth as it is stored: `Phi16::Key` or `PhiRadians::Key`
template <class T, class Key, class MemorySpace>
struct HitsByPhi {
  using Index = IntegerOf<T>;  ///< integer as wide as T, so that lanes load both together
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<T> x,                  ///< x of each hit, mm
      y,                       ///< y of each hit, mm
      z;                       ///< z of each hit, mm
  Array<Key> phi;              ///< azimuth of each hit, in the unit of its key
  Array<Index> side;           ///< side of the hit's module, 0 or 1
  Array<std::uint16_t> index;  ///< index in the unsorted event
  /// Place inside the event of the first hit of each bin of each group, and of the event's end:
  /// `bins_per_event` + 1 entries per event.
  Array<Index> bin_offsets;
  int n_hits = 0;  ///< capacity for hits, in all events
  int n_bins = 0;  ///< entries of bin_offsets, of all events
};

/// Lists the arrays for copies and allocations, and copies the numbers; see core/copy.hpp.
template <class T, class Key, class From, class To, class F>
void for_each_array(const HitsByPhi<T, Key, From>& from, HitsByPhi<T, Key, To>& to, const F& f) {
  to.n_hits = from.n_hits;
  to.n_bins = from.n_bins;
  const auto n = std::size_t(from.n_hits);
  f(from.x, to.x, "Trackplex::Lhcb::velo_sorted_x", n);
  f(from.y, to.y, "Trackplex::Lhcb::velo_sorted_y", n);
  f(from.z, to.z, "Trackplex::Lhcb::velo_sorted_z", n);
  f(from.phi, to.phi, "Trackplex::Lhcb::velo_sorted_phi", n);
  f(from.side, to.side, "Trackplex::Lhcb::velo_sorted_side", n);
  f(from.index, to.index, "Trackplex::Lhcb::velo_sorted_index", n);
  f(from.bin_offsets, to.bin_offsets, "Trackplex::Lhcb::velo_bin_offsets",
    std::size_t(from.n_bins));
}

}  // namespace trackplex::lhcb
