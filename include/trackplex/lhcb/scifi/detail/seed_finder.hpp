// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>
#include <trackplex/lhcb/scifi/detail/seed_curve.hpp>
#include <trackplex/lhcb/scifi/detail/seeding_scratch.hpp>
#include <trackplex/lhcb/scifi/seeding_params.hpp>

namespace trackplex::lhcb::detail {

/// Groups of N hits that wait until there are W groups.
template <class Real, int N>
class WaitingHits {
 public:
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  static constexpr int width = width_of<Real>;

  /// Appends groups; calls `use(hits, mask)` as soon as there are W.
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Integer (&hits)[N], const MaskOf<Real>& mask,
                                       const Use& use) {
    for (int k = 0; k < N; ++k) compress_store(groups_[k] + size_, hits[k], mask);
    size_ += count_of(mask);
    if (size_ < width) return;
    use_first(width, use);
    size_ -= width;
    for (int k = 0; k < N; ++k)
      for (int i = 0; i < size_; ++i) groups_[k][i] = groups_[k][width + i];
  }
  /// The rest.
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void flush(const Use& use) {
    if (size_ > 0) use_first(size_, use);
    size_ = 0;
  }

 private:
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void use_first(int n, const Use& use) const {
    Integer hits[N];
    for (int k = 0; k < N; ++k) hits[k] = load_first<Integer>(groups_[k], n);
    use(hits, first_lanes<Real>(n));
  }

  I groups_[N][2 * width];
  int size_ = 0;
};

/// Finds curves x(z) through x hits. Lanes are hits of the first station, then pairs with hits of
/// the third station, then triplets with a hit between them.
template <class Real>
class SeedFinder {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = SeedingScratch<T>;

  /// Search in the half `side` for triplets of a type; the hit `first` of the event has the
  /// candidates of the first hit 0.
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
    const Integer first = tile.index() + Integer(I(first_));
    const Integer in_event = tile.template load<Integer>(scratch_.index + first_);
    const Mask mask =
        tile.mask() && gather<Integer>(scratch_.taken, in_event, tile.mask()) == Integer(0);
    const Integer zone = zone_of(2);
    const Real x = gather<Real>(event_.x, first, mask);
    const Real expected = x * Real(cuts_.scale[type_]), reach(cuts_.reach[type_]);
    Integer last = first_hit_from(event_, expected - reach, zone, mask);
    const Integer end(event_.zones[zone_number(2) + 1]);
    WaitingHits<Real, 2> pairs;
    WaitingHits<Real, 3> triplets;
    const auto use_triplet = [&](const Integer(&hits)[3], const Mask& m) { extend(hits, m); };
    const auto use_pair = [&](const Integer(&hits)[2], const Mask& m) {
      Integer middle;
      const Mask found = find_middle(hits, m, middle);
      if (any_of(found)) triplets.add({hits[0], middle, hits[1]}, found, use_triplet);
    };
    Mask searching = mask && last < end;
    while (any_of(searching)) {
      searching = searching && gather<Real>(event_.x, last, searching) <= expected + reach;
      pairs.add({first, last}, searching, use_pair);
      last += Integer(1);
      searching = searching && last < end;
    }
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
  KOKKOS_FORCEINLINE_FUNCTION Integer zone_of(int station) const {
    return Integer(I(zone_number(station)));
  }

  /// The middle hit of pairs nearest to where a track from the beam has it: 1/p follows from where
  /// the line of the pair is at z = 0, as in LHCb's code of 2023.
  KOKKOS_FUNCTION Mask find_middle(const Integer (&pair)[2], const Mask& mask,
                                   Integer& middle) const {
    const Real x0 = gather<Real>(event_.x, pair[0], mask);
    const Real slope = (gather<Real>(event_.x, pair[1], mask) - x0) * Real(T(1) / (z_[2] - z_[0]));
    const Real at_beam = fma(slope, Real(-z_[0]), x0), size = abs(at_beam);
    const Real per_p = size * fma(size, real(-5.0217e-12), real(1.6322e-7));
    const Real sagitta = fma(per_p, Real(cuts_.sagitta[type_]), Real(-cuts_.offset[type_]));
    const Real line = fma(slope, Real(z_[1] - z_[0]), x0);
    const Real x = line + select(at_beam < Real(T(0)), -sagitta, sagitta);
    const auto found = nearest_hit(event_, x, zone_of(1), Real(cuts_.middle2[type_]), mask);
    middle = found.hit;
    return mask && middle >= Integer(0);
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
    for_each_lane(enough, [&](int lane) { insert(hits, curve, misfit, score, lane); });
  }

  /// Inserts a curve into the list of its first hit, in ascending order of its score, then of its
  /// last hit.
  KOKKOS_FUNCTION void insert(const Integer (&hits)[seed_x_layers], const ForwardCurve<Real>& curve,
                              const Real& misfit, const Real& score, int lane) const {
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
