// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/seeding/detail/triplet_event.hpp>

namespace trackplex::seeding::detail {

/// For each lane, the straight line through h0 and h1.
template <class Real>
struct HitLine {
  Real x, y, z, tx, ty;

  KOKKOS_FORCEINLINE_FUNCTION HitLine(Real x0, Real y0, Real z0, Real x1, Real y1, Real z1) : x(x0), y(y0), z(z0) {
    const Real per_dz = Real(1) / (z1 - z0);
    tx = (x1 - x0) * per_dz;
    ty = (y1 - y0) * per_dz;
  }
};

/// Scatter of hits about a line, and whether they pass the cuts on it. Written without fma, as the published codes compute
/// it: coordinates come in whole micrometres, so exact ties happen, and only equal roundings settle them alike.
template <class Real, class Cuts>
KOKKOS_FORCEINLINE_FUNCTION Real scatter(const Cuts& cuts, const HitLine<Real>& line, Real z1, Real x, Real y, Real z,
                                         MaskOf<Real>& mask) {
  const Real dz = z - line.z;
  const Real dx = line.x + line.tx * dz - x;
  const Real dy = line.y + line.ty * dz - y;
  mask = mask && abs(dx) < Real(cuts.tolerance) && abs(dy) < Real(cuts.tolerance);
  const Real s = dx * dx + dy * dy;
  if (!cuts.scatter_per_dz2) return s;
  const Real step = z - z1;
  return s / (step * step);
}

/// The best pair (h0, h2) of each lane's middle hit h1, as places in the lists of unused hits.
template <class Real>
struct BestPair {
  using Integer = IntegerOf<Real>;
  Real scatter;
  Integer h0{Integer(-1)};
  Integer h2{Integer(-1)};
};

/// The unused hits of the h0 layer nearest in phi to each lane's h1, in the order of their distance in places: s, s + 1,
/// s - 1, s + 2, ... from the first hit s with phi >= phi(h1), around the circle, used hits counting as places.
template <class Real, class Unused>
class NearestUnused {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;

 public:
  KOKKOS_FORCEINLINE_FUNCTION NearestUnused(const Unused& unused, int group_size, Integer start, MaskOf<Real> mask)
      : unused_(unused), size_(I(group_size)), n_(I(unused.n)), start_(start) {
    start_ = select(start_ == size_, Integer(0), start_);
    right_ = gather<Integer>(unused.before, start_, mask);
    left_ = right_ - Integer(1);
    right_ = select(right_ == n_, Integer(0), right_);
    left_ = select(left_ < Integer(0), n_ - Integer(1), left_);
  }

  /// Place in the list of each lane's next hit. Not to be called more often than there are unused hits.
  KOKKOS_FORCEINLINE_FUNCTION Integer next(MaskOf<Real> mask, int group_begin) {
    Integer ahead = gather<Integer>(unused_.place, right_, mask) - Integer(I(group_begin)) - start_;
    Integer behind = start_ + Integer(I(group_begin)) - gather<Integer>(unused_.place, left_, mask);
    ahead = select(ahead < Integer(0), ahead + size_, ahead);
    behind = select(behind < Integer(0), behind + size_, behind);
    // Step number of the alternating walk that reaches each of them: 0 for s, 2 d - 1 for s + d, 2 d for s - d.
    const auto take_right = max(ahead + ahead - Integer(1), Integer(0)) <= behind + behind;
    const Integer taken = select(take_right, right_, left_);
    right_ = select(take_right, right_ + Integer(1), right_);
    right_ = select(right_ == n_, Integer(0), right_);
    left_ = select(take_right, left_, left_ - Integer(1));
    left_ = select(left_ < Integer(0), n_ - Integer(1), left_);
    return taken;
  }

 private:
  const Unused& unused_;
  Integer size_, n_, start_, right_, left_;
};

/// Best partners of a tile of middle hits, sides merged: h0 among the nearest unused hits, h2 in a window around the line.
template <class Real, class Event, class Unused, class Cuts, class ModuleZ>
KOKKOS_FUNCTION BestPair<Real> best_pair_nearest(const Tile<Real>& tile, const Event& event, const Unused (&unused)[3],
                                                 const Cuts& cuts, const ModuleZ& module_z, int layer, int nearest) {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Phi = typename Event::PhiPolicy;
  const auto mask = tile.mask();
  const Unused &list0 = unused[0], &list1 = unused[1], &list2 = unused[2];
  const Real x1 = tile.load(list1.x), y1 = tile.load(list1.y), z1 = tile.load(list1.z);
  const Integer phi1 = tile.template load<Integer>(list1.phi);
  const int begin0 = event.begin(list0.group), begin2 = event.begin(list2.group);
  const Real dz = Real(module_z(2 * (layer - 2)) - module_z(2 * layer));
  const Integer width = Phi::width(Real(cuts.phi_window));

  BestPair<Real> best{Real(cuts.max_scatter)};
  const Integer start = event.template lower_bound<Real>(list0.group, phi1, Integer(0), mask) - Integer(I(begin0));
  NearestUnused<Real, Unused> candidates(list0, event.end(list0.group) - begin0, start, mask);
  const int n_candidates = nearest < list0.n ? nearest : list0.n;
  for (int c = 0; c < n_candidates; ++c) {
    const Integer h0 = candidates.next(mask, begin0);
    const HitLine<Real> line(gather<Real>(list0.x, h0, mask), gather<Real>(list0.y, h0, mask),
                             gather<Real>(list0.z, h0, mask), x1, y1, z1);
    const Integer key = Phi::template of<Real>(line.x + line.tx * dz, line.y + line.ty * dz);
    const auto window = search::window_start<Real>(event, list2.group, key, width, Integer(0), mask);
    const Integer from = gather<Integer>(list2.before, window.place - Integer(I(begin2)), window.valid);
    search::walk_window<Real, Phi>(
        list2.phi, 0, list2.n, from, key, width, window.valid, [&](Integer h2, MaskOf<Real> inside) {
          const Real s = scatter(cuts, line, z1, gather<Real>(list2.x, h2, inside), gather<Real>(list2.y, h2, inside),
                                 gather<Real>(list2.z, h2, inside), inside);
          const auto better = inside && s < best.scatter;
          best.scatter = select(better, s, best.scatter);
          best.h0 = select(better, h0, best.h0);
          best.h2 = select(better, h2, best.h2);
        });
  }
  return best;
}

/// Best partners of a tile of middle hits, one side: h0 and h2 in windows around phi(h1).
template <class Real, class Event, class Unused, class Cuts>
KOKKOS_FUNCTION BestPair<Real> best_pair_window(const Tile<Real>& tile, const Event& event, const Unused (&unused)[3],
                                                const Cuts& cuts, int side_number) {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Phi = typename Event::PhiPolicy;
  const auto mask = tile.mask();
  const Unused &list0 = unused[0], &list1 = unused[1], &list2 = unused[2];
  const Real x1 = tile.load(list1.x), y1 = tile.load(list1.y), z1 = tile.load(list1.z);
  const Real phi1 = tile.load(list1.phi);
  const Integer side = Integer(I(side_number));
  const Real width = fma(Real(cuts.seed_phi_window_per_z), abs(z1), Real(cuts.seed_phi_window));

  BestPair<Real> best{Real(cuts.max_scatter)};
  const auto from = [&](const Unused& list, search::WindowStart<Real> window) {
    return gather<Integer>(list.before, window.place - Integer(I(event.begin(list.group))), window.valid);
  };
  const auto window0 = search::window_start<Real>(event, list0.group, phi1, width, side, mask);
  const auto window2 = search::window_start<Real>(event, list2.group, phi1, width, side, mask);
  const Integer from0 = from(list0, window0), from2 = from(list2, window2);
  search::walk_window<Real, Phi>(
      list0.phi, 0, list0.n, from0, phi1, width, window0.valid && window2.valid,
      [&](Integer h0, MaskOf<Real> inside0) {
        const Real x0 = gather<Real>(list0.x, h0, inside0), y0 = gather<Real>(list0.y, h0, inside0),
                   z0 = gather<Real>(list0.z, h0, inside0);
        const Real reach = Real(cuts.seed_max_slope) * (z0 - z1);
        inside0 = inside0 && abs(x1 - x0) < reach && abs(y1 - y0) < reach;
        const HitLine<Real> line(x0, y0, select(inside0, z0, z1 + Real(1)), x1, y1, z1);
        search::walk_window<Real, Phi>(
            list2.phi, 0, list2.n, from2, phi1, width, inside0, [&](Integer h2, MaskOf<Real> inside) {
              const Real s = scatter(cuts, line, z1, gather<Real>(list2.x, h2, inside),
                                     gather<Real>(list2.y, h2, inside), gather<Real>(list2.z, h2, inside), inside);
              const auto better = inside && s < best.scatter;
              best.scatter = select(better, s, best.scatter);
              best.h0 = select(better, h0, best.h0);
              best.h2 = select(better, h2, best.h2);
            });
      });
  return best;
}

}  // namespace trackplex::seeding::detail
