// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/detail/seed_curve.hpp>
#include <trackplex/lhcb/scifi/detail/seeding_scratch.hpp>
#include <trackplex/lhcb/scifi/detail/waiting_groups.hpp>
#include <trackplex/lhcb/scifi/seeding_params.hpp>

namespace trackplex::lhcb::detail {

/// Finds curves x(z) through x hits. Lanes are hits of the third station, then pairs with a hit of
/// the first one, then triplets with a hit between them.
template <class Real>
class SeedFinder {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = SeedingScratch<T>;

  /// Search in the half `side` for triplets of a type; the hit `first` of the event has the
  /// candidates of the first hit 0. The scratch has the middle hits near each place.
  KOKKOS_FUNCTION SeedFinder(const SeedingCuts<T>& cuts, const Scratch& scratch, int side, int type,
                             int first)
      : cuts_(cuts),
        scratch_(scratch),
        event_(scratch.event()),
        side_(side),
        type_(type),
        first_(first),
        z_{layer_z(0), layer_z(1), layer_z(2)} {}

  /// Finds the best curves of first hits, from the tile's number on.
  KOKKOS_FUNCTION void find(const Tile<Real>& tile) const {
    tile.store(scratch_.n_candidates, Integer(0));
    WaitingGroups<Real, 4> pairs;
    WaitingGroups<Real, 3> triplets;
    const auto use_triplet = [&](const Integer(&hits)[3], const Mask& m) { extend(hits, m); };
    const auto use_pair = [&](const Integer(&pair)[4], const Mask& m) {
      const Integer middle = middle_hit(pair, m);
      const Mask found = m && middle >= Integer(0);
      triplets.add({pair[0], middle, pair[1]}, found, use_triplet);
    };
    for (int i = first_ + tile.first; i < first_ + tile.first + tile.count; ++i)
      if (scratch_.taken[scratch_.index[i]] == I(0)) find_pairs(I(i), pairs, use_pair);
    pairs.flush(use_pair);
    triplets.flush(use_triplet);
    tile.store(scratch_.first_candidate, tile.template load<Integer>(scratch_.n_candidates));
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }
  KOKKOS_FORCEINLINE_FUNCTION T layer_z(int station) const {
    return scifi_layer_z<T>(triplet_layer(type_, station));
  }
  KOKKOS_FORCEINLINE_FUNCTION int zone_number(int station) const {
    return 2 * triplet_layer(type_, station) + side_;
  }
  /// Adds the pairs of a first hit that have a middle hit within reach, with the first such hit and
  /// the bits of the place where it is expected.
  template <class UsePair>
  KOKKOS_FUNCTION void find_pairs(I first, WaitingGroups<Real, 4>& pairs,
                                  const UsePair& use_pair) const {
    const T x = event_.x[first], expected = x * cuts_.scale[type_], reach = cuts_.reach[type_];
    const int zone = zone_number(2);
    const I end = event_.zones[zone + 1];
    for (I last = first_hit_from<T>(event_, expected - reach, I(zone), true); last < end;
         last += I(width_of<Real>)) {
      const int n = min(int(end - last), width_of<Real>);
      const Real x_last = load_first<Real>(event_.x + last, n);
      const Mask inside = first_lanes<Real>(n) && x_last <= Real(expected + reach);
      if (none_of(inside)) return;
      const Real middle = expected_middle(Real(x), x_last);
      const Integer start = gather<Integer>(scratch_.near, NearHits<T>::cell_of(middle), inside);
      const Mask there = inside && start >= Integer(0);
      pairs.add(
          {Integer(first), Integer(last) + lane_index<Integer>(), start, bit_cast<Integer>(middle)},
          there, use_pair);
    }
  }

  /// Where a track from the beam has its middle hit: 1/p follows from where the line of the pair is
  /// at z = 0, as in LHCb's code of 2023.
  KOKKOS_FORCEINLINE_FUNCTION Real expected_middle(const Real& x0, const Real& x_last) const {
    const Real slope = (x_last - x0) * Real(T(1) / (z_[2] - z_[0]));
    const Real at_beam = fma(slope, Real(-z_[0]), x0), size = abs(at_beam);
    const Real per_p = size * fma(size, real(-5.0217e-12), real(1.6322e-7));
    const Real sagitta = fma(per_p, Real(cuts_.sagitta[type_]), Real(-cuts_.offset[type_]));
    const Real line = fma(slope, Real(z_[1] - z_[0]), x0);
    return line + select(at_beam < Real(T(0)), -sagitta, sagitta);
  }

  /// The middle hit of pairs, see find_pairs(), nearest to where it is expected, or -1.
  KOKKOS_FUNCTION Integer middle_hit(const Integer (&pair)[4], const Mask& mask) const {
    const Integer end(event_.zones[zone_number(1) + 1]);
    return nearest_from(event_, bit_cast<Real>(pair[3]), pair[2], end, Real(cuts_.middle2[type_]),
                        mask)
        .hit;
  }

  /// Adds the other x hits to triplets, and keeps the curve if there are two.
  KOKKOS_FUNCTION void extend(const Integer (&triplet)[3], const Mask& mask) const {
    Integer hits[seed_x_layers];
    Real x[seed_x_layers], of_triplet[stations];
    Mask there[seed_x_layers];
    for (int s = 0; s < stations; ++s) of_triplet[s] = gather<Real>(event_.x, triplet[s], mask);
    auto curve = curve_through(of_triplet, Mask(type_ == 1), real(seed_cubic));
    Integer n(stations);
    for (int s = 0; s < stations; ++s) {
      const int other = 2 * s + 1 - type_, layer = seed_x_layer(other);
      const Real expected = curve.at(Real(scifi_layer_z<T>(layer)));
      const auto found = nearest_hit(event_, expected, Integer(I(2 * layer + side_)),
                                     Real(cuts_.x_distance2), mask);
      hits[other] = found.hit;
      there[other] = mask && found.hit >= Integer(0);
      x[other] = gather<Real>(event_.x, found.hit, there[other]);
      n += select(there[other], Integer(1), Integer(0));
      const int own = 2 * s + type_;
      hits[own] = triplet[s];
      there[own] = mask;
      x[own] = of_triplet[s];
    }
    const Mask enough = mask && n >= Integer(I(seed_x_layers - 1));
    if (none_of(enough)) return;
    const Real misfit = fit_curve(x, there, curve);
    const Real score = select(n == Integer(I(seed_x_layers)), misfit, misfit * real(10.));
    for_each_lane(enough, [&](int lane) { insert(hits, n, curve, misfit, score, lane); });
  }

  /// Inserts a curve into the list of its first hit, in ascending order of its score, then of its
  /// last hit.
  KOKKOS_FUNCTION void insert(const Integer (&hits)[seed_x_layers], const Integer& n,
                              const ForwardCurve<Real>& curve, const Real& misfit,
                              const Real& score, int lane) const {
    const int number = int(extract(hits[type_], lane)) - first_;
    const int begin = number * cuts_.candidates, last_layer = triplet_layer(type_, 2);
    const T own = extract(score, lane);
    const I last = extract(hits[2 * 2 + type_], lane);
    I& size = scratch_.n_candidates[number];
    const auto goes_before = [&](int entry) {
      const T other = scratch_.score[entry];
      return own < other || (!(other < own) && last < scratch_.hits[last_layer][entry]);
    };
    const bool full = int(size) == cuts_.candidates;
    if (full && !goes_before(begin + int(size) - 1)) return;
    int to = begin + (full ? cuts_.candidates - 1 : int(size++));
    for (; to > begin && goes_before(to - 1); --to) copy_entry(to - 1, to);
    scratch_.score[to] = own;
    scratch_.misfit[to] = extract(misfit, lane);
    scratch_.n_x_hits[to] = extract(n, lane);
    scratch_.curve_x[to] = extract(curve.x, lane);
    scratch_.slope[to] = extract(curve.slope, lane);
    scratch_.bend[to] = extract(curve.bend, lane);
    for (int i = 0; i < seed_x_layers; ++i)
      scratch_.hits[seed_x_layer(i)][to] = extract(hits[i], lane);
  }

  KOKKOS_FUNCTION void copy_entry(int from, int to) const {
    T* const reals[] = {scratch_.score, scratch_.misfit, scratch_.curve_x, scratch_.slope,
                        scratch_.bend};
    for (T* const array : reals) array[to] = array[from];
    scratch_.n_x_hits[to] = scratch_.n_x_hits[from];
    for (int i = 0; i < seed_x_layers; ++i)
      scratch_.hits[seed_x_layer(i)][to] = scratch_.hits[seed_x_layer(i)][from];
  }

  const SeedingCuts<T>& cuts_;
  const Scratch& scratch_;
  ScifiEvent<T> event_;
  int side_, type_, first_;
  T z_[stations];  ///< of the layers of a triplet
};

}  // namespace trackplex::lhcb::detail
