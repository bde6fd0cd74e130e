// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/search/windows.hpp>
#include <trackplex/seeding/tracks.hpp>
#include <trackplex/seeding/triplet_parameters.hpp>

namespace trackplex::seeding::detail {

/// TripletParameters in the precision of the kernel.
template <class Phi, class RealScalar>
struct TripletCuts {
  RealScalar seed_phi_window, seed_phi_window_per_z, seed_max_slope, max_scatter, tolerance, phi_window;
  RealScalar max_weak_sum2;  ///< of the squared residuals of a three-hit track
  int nearest_first, nearest_next, max_skipped;
  bool scatter_per_dz2;

  explicit TripletCuts(const TripletParameters& p)
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
        scatter_per_dz2(p.scatter_per_dz2) {}
};

/// The unused hits of one group, in the order of phi.
template <class RealScalar, class Key>
struct UnusedHits {
  RealScalar* x;
  RealScalar* y;
  RealScalar* z;
  Key* phi;
  std::int32_t* place;   ///< in the sorted event
  std::int32_t* before;  ///< of each hit of the group, and its end: unused hits before it
  int group;
  int n;

  KOKKOS_FUNCTION UnusedHits(ScratchCarver& carver, int capacity)
      : x(carver.take<RealScalar>(capacity)),
        y(carver.take<RealScalar>(capacity)),
        z(carver.take<RealScalar>(capacity)),
        phi(carver.take<Key>(capacity)),
        place(carver.take<std::int32_t>(capacity)),
        before(carver.take<std::int32_t>(capacity + 1)),
        group(-1),
        n(0) {}
};

/// Tracks that are being followed: their last two hits h0, h1 (h1 the more upstream one) and how they got here.
template <class RealScalar>
struct FollowList {
  RealScalar* x0;
  RealScalar* y0;
  RealScalar* z0;
  RealScalar* x1;
  RealScalar* y1;
  RealScalar* z1;
  std::int32_t* sides;      ///< side of h0 in bit 0, of h1 in bit 1
  std::int32_t* misses;     ///< layers missed in a row
  std::int32_t* candidate;  ///< slot of the track
  int n;

  KOKKOS_FUNCTION FollowList(ScratchCarver& carver, int capacity)
      : x0(carver.take<RealScalar>(capacity)),
        y0(carver.take<RealScalar>(capacity)),
        z0(carver.take<RealScalar>(capacity)),
        x1(carver.take<RealScalar>(capacity)),
        y1(carver.take<RealScalar>(capacity)),
        z1(carver.take<RealScalar>(capacity)),
        sides(carver.take<std::int32_t>(capacity)),
        misses(carver.take<std::int32_t>(capacity)),
        candidate(carver.take<std::int32_t>(capacity)),
        n(0) {}
};

/// Capacities of an event's scratch memory.
struct TripletSizes {
  int hits;        ///< of the largest event
  int layer_hits;  ///< of the largest layer
  int candidates;  ///< track slots of the largest event
};

/// All scratch memory of one event.
template <class RealScalar, class Key>
struct TripletScratch {
  std::uint8_t* used;                  ///< flag of each hit
  UnusedHits<RealScalar, Key> unused[3];  ///< in the layers of h0, h1, h2
  std::int32_t* seed_h0;               ///< best partners of each h1, or -1
  std::int32_t* seed_h2;
  FollowList<RealScalar> follow[2];    ///< this step's and the next one's
  std::int32_t* found;                 ///< hit found for each followed track, or -1
  std::uint16_t* hits;                 ///< of each candidate: places in the sorted event
  std::uint8_t* length;                ///< of each candidate
  std::uint8_t* accepted;              ///< of each candidate

  KOKKOS_FUNCTION TripletScratch(ScratchCarver& carver, TripletSizes sizes)
      : used(carver.take<std::uint8_t>(sizes.hits)),
        unused{{carver, sizes.layer_hits}, {carver, sizes.layer_hits}, {carver, sizes.layer_hits}},
        seed_h0(carver.take<std::int32_t>(sizes.layer_hits)),
        seed_h2(carver.take<std::int32_t>(sizes.layer_hits)),
        follow{{carver, sizes.candidates}, {carver, sizes.candidates}},
        found(carver.take<std::int32_t>(sizes.candidates)),
        hits(carver.take<std::uint16_t>(sizes.candidates * max_track_hits)),
        length(carver.take<std::uint8_t>(sizes.candidates)),
        accepted(carver.take<std::uint8_t>(sizes.candidates)) {}
};

}  // namespace trackplex::seeding::detail
