// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/detail/triplet_event.hpp>

namespace trackplex::lhcb::detail {

/// For each lane, the straight line through h0 and h1.
template <class Real>
struct HitLine {
  Real x, y, z, tx, ty;

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION HitLine(const Point& h0, const Point& h1)
      : x(h0.x), y(h0.y), z(h0.z) {
    const Real per_dz = Real(1) / (h1.z - h0.z);
    tx = (h1.x - h0.x) * per_dz;
    ty = (h1.y - h0.y) * per_dz;
  }
};

/// Scatter of hits about a line, and whether they pass the cuts on it. Written without fma, as in
/// the published codes: coordinates are whole micrometres, so exact ties happen, and only equal
/// roundings resolve them in the same way.
template <class Real, class Cuts>
KOKKOS_FORCEINLINE_FUNCTION Real scatter_of(const Cuts& cuts, const HitLine<Real>& line, Real z1,
                                            const Quartet<Real>& hit, MaskOf<Real>& mask) {
  const Real dz = hit.z - line.z;
  const Real dx = line.x + line.tx * dz - hit.x;
  const Real dy = line.y + line.ty * dz - hit.y;
  if (cuts.has_tolerance)
    mask = mask && abs(dx) < Real(cuts.tolerance) && abs(dy) < Real(cuts.tolerance);
  const Real s = dx * dx + dy * dy;
  if (!cuts.scatter_per_dz2) return s;
  const Real step = hit.z - z1;
  return s / (step * step);
}

/// The best pair (h0, h2) of each lane's middle hit h1, as places in the lists of unused hits.
template <class Real>
struct BestPair {
  using Integer = IntegerOf<Real>;
  Real scatter;
  Integer h0{Integer(-1)};
  Integer h2{Integer(-1)};

  KOKKOS_FORCEINLINE_FUNCTION void offer(Real other_scatter, Integer other_h0, Integer other_h2,
                                         MaskOf<Real> mask) {
    const auto better = mask && other_scatter < scatter;
    scatter = select(better, other_scatter, scatter);
    h0 = select(better, other_h0, h0);
    h2 = select(better, other_h2, h2);
  }
};

/// The unused hits of the h0 layer nearest in phi to each lane's h1, in the order of their distance
/// in places: s, s + 1, s - 1, s + 2, ... from the first hit s with phi >= phi(h1), around the
/// circle, with used hits counted as places.
template <class Real, class Unused>
class NearestUnused {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;

 public:
  /// Position of a lane's hit.
  struct Hit {
    Integer number;  ///< in the list
    Integer place;   ///< in the event
  };

  KOKKOS_FORCEINLINE_FUNCTION NearestUnused(const Unused& unused, int begin, int end, Integer start,
                                            MaskOf<Real> mask)
      : unused_(unused), size_(I(end - begin)), n_(I(unused.n)), start_(start) {
    start_ = select(start_ == Integer(I(end)), Integer(I(begin)), start_);
    const Integer first = gather<Integer>(unused.before, start_ - Integer(I(begin)), mask);
    right_ = at(select(first == n_, Integer(0), first), mask);
    left_ = at(select(first == Integer(0), n_, first) - Integer(1), mask);
  }

  /// Returns each lane's next hit. Must not be called more often than there are unused hits.
  KOKKOS_FORCEINLINE_FUNCTION Hit next(MaskOf<Real> mask) {
    const Integer ahead = right_.place - start_ + select(right_.place < start_, size_, Integer(0));
    const Integer behind = start_ - left_.place + select(left_.place > start_, size_, Integer(0));
    // Step of the alternating walk that reaches each hit: 0 for s, 2 d - 1 for s + d, 2 d for s -
    // d.
    const auto take_right = max(ahead + ahead - Integer(1), Integer(0)) <= behind + behind;
    const Hit taken{select(take_right, right_.number, left_.number),
                    select(take_right, right_.place, left_.place)};
    const Integer after = select(take_right, taken.number + Integer(1), taken.number - Integer(1));
    const Hit moved = at(
        select(after == n_, Integer(0), select(after < Integer(0), n_ - Integer(1), after)), mask);
    right_ = {select(take_right, moved.number, right_.number),
              select(take_right, moved.place, right_.place)};
    left_ = {select(take_right, left_.number, moved.number),
             select(take_right, left_.place, moved.place)};
    return taken;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Hit at(Integer number, MaskOf<Real> mask) const {
    return {number, gather<Integer>(unused_.place, number, mask)};
  }

  const Unused& unused_;
  Integer size_, n_, start_;
  Hit right_, left_;  ///< next ones on either side
};

/// Finds the h2 of each lane's line through h0 and h1 among the unused hits of a window.
template <class Real, class Window, class Unused, class Cuts>
KOKKOS_FORCEINLINE_FUNCTION void offer_window(const Window& window, const Unused& list2,
                                              const Cuts& cuts, const HitLine<Real>& line, Real z1,
                                              IntegerOf<Real> h0, MaskOf<Real> mask,
                                              BestPair<Real>& best) {
  using Integer = IntegerOf<Real>;
  window.for_each(list2.records, [&](Integer h2, const Quartet<Real>& hit, MaskOf<Real> inside) {
    inside = inside && mask;
    const Real s = scatter_of(cuts, line, z1, hit, inside);
    best.offer(s, h0, h2, inside);
  });
}

/// Best partners of a tile of middle hits, sides merged: h0 among the nearest unused hits, h2 in a
/// window around the line.
template <class Real, class Event, class Unused, class Cuts, class ModuleZ>
KOKKOS_FUNCTION BestPair<Real> best_pair_nearest(const Tile<Real>& tile, const Event& event,
                                                 const Quartet<ScalarOf<Real>>* records,
                                                 const Unused (&unused)[3], const Cuts& cuts,
                                                 const ModuleZ& module_z, int layer, int nearest) {
  using Integer = IntegerOf<Real>;
  using Phi = typename Event::PhiPolicy;
  const auto mask = tile.mask();
  const Unused &list0 = unused[0], &list1 = unused[1], &list2 = unused[2];
  BestPair<Real> best{Real(cuts.max_scatter)};
  if (list0.n == 0 || list2.n == 0) return best;

  const Quartet<Real> p1 = gather_quartets<Real>(records, tile.template load<Integer>(list1.place));
  const Integer phi1 = Phi::from_record(p1.w);
  const Real dz = Real(module_z(2 * (layer - 2)) - module_z(2 * layer));
  const Integer width = Phi::width(Real(cuts.phi_window));
  const Integer start = event.template lower_bound<Real>(list0.group, phi1, Integer(0), mask);
  NearestUnused<Real, Unused> candidates(list0, event.begin(list0.group), event.end(list0.group),
                                         start, mask);
  const int n_candidates = nearest < list0.n ? nearest : list0.n;
  for (int c = 0; c < n_candidates; ++c) {
    const auto h0 = candidates.next(mask);
    const HitLine<Real> line(gather_quartets<Real>(records, h0.place), p1);
    const Integer key = Phi::template of<Real>(line.x + line.tx * dz, line.y + line.ty * dz);
    const PhiWindow<Real, Event> window(list2, key, width, Integer(0), mask);
    offer_window(window, list2, cuts, line, p1.z, h0.number, mask, best);
  }
  return best;
}

/// Best partners of a tile of middle hits, one side: h0 and h2 in windows around phi(h1).
template <class Event, class Real, class Unused, class Cuts>
KOKKOS_FUNCTION BestPair<Real> best_pair_window(const Tile<Real>& tile,
                                                const Quartet<ScalarOf<Real>>* records,
                                                const Unused (&unused)[3], const Cuts& cuts,
                                                int side_number) {
  using Integer = IntegerOf<Real>;
  using Window = PhiWindow<Real, Event>;
  const auto mask = tile.mask();
  const Unused &list0 = unused[0], &list1 = unused[1], &list2 = unused[2];
  BestPair<Real> best{Real(cuts.max_scatter)};
  if (list0.n == 0 || list2.n == 0) return best;

  const Quartet<Real> p1 = gather_quartets<Real>(records, tile.template load<Integer>(list1.place));
  const Real phi1 = p1.w;
  const Integer side = Integer(ScalarOf<Integer>(side_number));
  const Real width = fma(Real(cuts.seed_phi_window_per_z), abs(p1.z), Real(cuts.seed_phi_window));
  const Window window0(list0, phi1, width, side, mask);
  const Window window2(list2, phi1, width, side, mask);
  window0.for_each(list0.records, [&](Integer h0, const Quartet<Real>& p0, MaskOf<Real> inside) {
    const Real reach = Real(cuts.seed_max_slope) * (p0.z - p1.z);
    inside = inside && abs(p1.x - p0.x) < reach && abs(p1.y - p0.y) < reach;
    if (any_of(inside))
      offer_window(window2, list2, cuts, HitLine<Real>(p0, p1), p1.z, h0, inside, best);
  });
  return best;
}

}  // namespace trackplex::lhcb::detail
