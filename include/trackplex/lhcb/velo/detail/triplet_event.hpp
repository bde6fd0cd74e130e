// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/quartet.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>
#include <trackplex/lhcb/velo/triplet_params.hpp>
#include <trackplex/lhcb/velo/windows.hpp>

#include <cstdint>

namespace trackplex::lhcb::detail {

/// TripletParams in the precision of the kernel.
template <class RealScalar>
struct TripletCuts {
  RealScalar seed_phi_window, seed_phi_window_per_z, seed_max_slope, max_scatter, tolerance,
      phi_window;
  RealScalar max_weak_sum2;  ///< of the squared residuals of a three-hit track
  int nearest_first, nearest_next, max_skipped;
  bool has_tolerance, scatter_per_dz2;

  explicit TripletCuts(const TripletParams& p)
      : seed_phi_window(RealScalar(p.seed_phi_window)),
        seed_phi_window_per_z(RealScalar(p.seed_phi_window_per_z)),
        seed_max_slope(RealScalar(p.seed_max_slope)),
        max_scatter(RealScalar(p.max_scatter)),
        tolerance(RealScalar(p.tolerance)),
        phi_window(RealScalar(p.phi_window)),
        max_weak_sum2(RealScalar(2. * p.max_chi2_per_ndf / p.inverse_variance)),
        nearest_first(p.nearest_first),
        nearest_next(p.nearest_next),
        max_skipped(p.max_skipped),
        has_tolerance(p.tolerance < TripletParams::none),
        scatter_per_dz2(p.scatter_per_dz2) {}
};

/// The unused hits of one group, in the order of phi.
template <class RealScalar>
struct UnusedHits {
  using Index = IntegerOf<RealScalar>;
  Quartet<RealScalar>* records;  ///< x, y, z, phi
  Index* place;                  ///< in the sorted event
  Index* before;       ///< of each hit of the group, and of its end: unused hits before it
  Index* bin_offsets;  ///< of each bin of the group, and of its end: unused hits before it
  int group = -1;
  int n = 0;

  KOKKOS_FUNCTION UnusedHits(ScratchCarver& carver, int capacity, int bins)
      : records(carver.take<Quartet<RealScalar>>(capacity)),
        place(carver.take<Index>(capacity)),
        before(carver.take<Index>(capacity)),
        bin_offsets(carver.take<Index>(bins + 1)) {}
};

/// Open tracks: the places of their last two hits h0, h1 (h1 is more upstream) and their history.
template <class RealScalar>
struct FollowList {
  using Index = IntegerOf<RealScalar>;
  Index* h0;
  Index* h1;
  Index* misses;     ///< consecutive layers without a hit
  Index* length;     ///< hits so far
  Index* candidate;  ///< slot of the track
  int n = 0;

  KOKKOS_FUNCTION FollowList(ScratchCarver& carver, int capacity)
      : h0(carver.take<Index>(capacity)),
        h1(carver.take<Index>(capacity)),
        misses(carver.take<Index>(capacity)),
        length(carver.take<Index>(capacity)),
        candidate(carver.take<Index>(capacity)) {}
};

/// Capacities of an event's scratch memory.
struct TripletSizes {
  int hits;        ///< of the largest event
  int layer_hits;  ///< of the largest layer
  int bins;        ///< of a group
  int candidates;  ///< track slots of the largest event
};

/// All scratch memory of one event. Lists written with compress_store have room for an extra pack.
template <class RealScalar>
struct TripletScratch {
  using Index = IntegerOf<RealScalar>;
  static constexpr int pack = 16;

  Quartet<RealScalar>* records;      ///< x, y, z, phi of each hit
  Index* used;                       ///< flag of each hit
  UnusedHits<RealScalar> unused[3];  ///< in the layers of h0, h1, h2
  Index* seed_h0;                    ///< best partners of each h1, as places, or -1
  Index* seed_h2;
  FollowList<RealScalar> follow[2];  ///< this step's and the next one's
  Index* found;                      ///< place of the hit found for each followed track, or -1
  std::uint16_t* hits;               ///< place of hit h of candidate c: hits[h * capacity + c]
  std::uint8_t* length;              ///< of each candidate
  std::uint8_t* accepted;            ///< of each candidate
  int capacity;                      ///< candidates

  KOKKOS_FUNCTION TripletScratch(ScratchCarver& carver, TripletSizes sizes)
      : records(carver.take<Quartet<RealScalar>>(sizes.hits + 1)),
        used(carver.take<Index>(sizes.hits)),
        unused{{carver, sizes.layer_hits + pack, sizes.bins},
               {carver, sizes.layer_hits + pack, sizes.bins},
               {carver, sizes.layer_hits + pack, sizes.bins}},
        seed_h0(carver.take<Index>(sizes.layer_hits)),
        seed_h2(carver.take<Index>(sizes.layer_hits)),
        follow{{carver, sizes.candidates + pack}, {carver, sizes.candidates + pack}},
        found(carver.take<Index>(sizes.candidates)),
        hits(carver.take<std::uint16_t>(sizes.candidates * max_track_hits)),
        length(carver.take<std::uint8_t>(sizes.candidates)),
        accepted(carver.take<std::uint8_t>(sizes.candidates)),
        capacity(sizes.candidates) {}
};

}  // namespace trackplex::lhcb::detail
