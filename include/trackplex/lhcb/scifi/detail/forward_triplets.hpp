// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/forward_magnet.hpp>
#include <trackplex/lhcb/scifi/forward_params.hpp>

namespace trackplex::lhcb::detail {

/// The best triplets of a track so far, in ascending order of distance2, then of their type and
/// their first and last hits.
template <class T>
class TripletList {
 public:
  using I = IntegerOf<T>;

  KOKKOS_FUNCTION TripletList(const ForwardScratch<T>& scratch, int track, int capacity)
      : scratch_(scratch), begin_(track * capacity), capacity_(capacity) {}

  KOKKOS_FUNCTION int size() const { return size_; }

  /// Inserts a triplet, whose type is not less than those before.
  KOKKOS_FUNCTION void insert(T distance2, int type, I first, I second, I third) {
    const auto goes_before = [&](int entry) {
      const T other = scratch_.distance2[entry];
      if (distance2 < other) return true;
      if (other < distance2 || scratch_.type[entry] != I(type)) return false;
      const I other_first = scratch_.triplet[0][entry];
      return first < other_first || (first == other_first && third < scratch_.triplet[2][entry]);
    };
    if (size_ == capacity_ && !goes_before(begin_ + size_ - 1)) return;
    int to = begin_ + (size_ < capacity_ ? size_++ : capacity_ - 1);
    for (; to > begin_ && goes_before(to - 1); --to) {
      scratch_.distance2[to] = scratch_.distance2[to - 1];
      scratch_.type[to] = scratch_.type[to - 1];
      for (int s = 0; s < stations; ++s) scratch_.triplet[s][to] = scratch_.triplet[s][to - 1];
    }
    scratch_.distance2[to] = distance2;
    scratch_.type[to] = I(type);
    scratch_.triplet[0][to] = first;
    scratch_.triplet[1][to] = second;
    scratch_.triplet[2][to] = third;
  }

 private:
  const ForwardScratch<T>& scratch_;
  int begin_, capacity_, size_ = 0;
};

/// Finds triplets of a track. Lanes are hits of the first station, then pairs of hits of the first
/// and the third station.
template <class Real>
class TripletFinder {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = ForwardScratch<T>;

  KOKKOS_FUNCTION TripletFinder(const ForwardCuts<T>& cuts, const Scratch& scratch,
                                const ScifiEvent<T>& event, int track)
      : cuts_(cuts),
        scratch_(scratch),
        event_(event),
        track_(track),
        x_magnet_(scratch.x_magnet[track]),
        tolerance_(scratch.tolerance[track]),
        tx_(scratch.velo_tx[track]),
        bend_(scratch.bend[track]) {}

  /// Writes the best triplets and their number.
  KOKKOS_FUNCTION void find() const {
    TripletList<T> list(scratch_, track_, cuts_.candidates);
    find_type<0>(list);
    find_type<1>(list);
    scratch_.n_candidates[track_] = scratch_.first_candidate[track_] = I(list.size());
  }

 private:
  static constexpr int width = width_of<Real>;
  static constexpr int number_bits = 10;  ///< of the number of a hit in a window
  static_assert(1 << number_bits >= max_forward_window_hits);
  static constexpr double max_slope = 0.75;  ///< steeper lines are outside of the detector

  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }

  /// Numbers of hits in the windows of pairs that wait for their middle hit.
  struct Pairs {
    I codes[2 * width];
    int size = 0;
  };
  /// Hits of a window.
  struct Window {
    int first, size;
  };

  KOKKOS_FORCEINLINE_FUNCTION Window window(int type, int last) const {
    const int w = Scratch::window(type, last);
    return {int(scratch_.first[w][track_]), int(scratch_.size[w][track_])};
  }

  template <int Type>
  KOKKOS_FUNCTION void find_type(TripletList<T>& list) const {
    const Window firsts = window(Type, 0), lasts = window(Type, 1);
    if (lasts.size == 0) return;
    const Integer begin(I(lasts.first)), end(I(lasts.first + lasts.size));
    const Integer zone(I(2 * triplet_layer(Type, 2)) + scratch_.side[track_]);
    Pairs pairs;
    for (int i = 0; i < firsts.size; i += width) {
      const int n = min(firsts.size - i, width);
      const Real x0 = load_first<Real>(event_.x + firsts.first + i, n);
      const Integer code = (Integer(I(i)) + lane_index<Integer>()) << number_bits;
      const Real expected = expected_last<Type>(x0), reach = reach_of_last<Type>();
      const Integer near = first_hit_from(event_, expected - reach, zone, first_lanes<Real>(n));
      Integer last = min(max(near, begin), end);
      Mask searching = first_lanes<Real>(n) && last < end;
      while (any_of(searching)) {
        const Real x2 = gather<Real>(event_.x, last, searching);
        searching = searching && x2 <= expected + reach;
        const Mask good = searching && is_compatible<Type>(x0, slope_of<Type>(x0, x2));
        if (any_of(good)) add<Type>(pairs, code + (last - begin), good, list);
        last += Integer(1);
        searching = searching && last < end;
      }
    }
    if (pairs.size > 0) complete<Type>(pairs, pairs.size, list);
  }

  /// Appends pairs; completes a pack of them when there are enough.
  template <int Type>
  KOKKOS_FORCEINLINE_FUNCTION void add(Pairs& pairs, const Integer& codes, const Mask& mask,
                                       TripletList<T>& list) const {
    compress_store(pairs.codes + pairs.size, codes, mask);
    pairs.size += count_of(mask);
    if (pairs.size < width) return;
    complete<Type>(pairs, width, list);
    pairs.size -= width;
    for (int k = 0; k < pairs.size; ++k) pairs.codes[k] = pairs.codes[width + k];
  }

  template <int Type>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr double z_of(int station) {
    return scifi_layer_z<double>(triplet_layer(Type, station));
  }

  template <int Type>
  static KOKKOS_FORCEINLINE_FUNCTION Real slope_of(const Real& first, const Real& last) {
    constexpr T per_dz = T(1. / (z_of<Type>(2) - z_of<Type>(0)));
    return (last - first) * Real(per_dz);
  }

  /// Where lines of a slope should meet the line of the VELO, as in LHCb's Allen of 2020.
  KOKKOS_FORCEINLINE_FUNCTION Real expected_in_magnet(const Real& slope) const {
    return fma(slope, fma(slope, fma(slope, real(-375.478), real(16.6874)), real(19.3897)),
               real(-0.819493) + x_magnet_);
  }

  /// x of the last hit of a line that meets the line of the VELO; within a millimetre for lines
  /// up to max_slope.
  template <int Type>
  KOKKOS_FORCEINLINE_FUNCTION Real expected_last(const Real& x0) const {
    constexpr T per_dz = T(1. / (z_of<Type>(0) - forward_z_magnet));
    Real slope = (x0 - x_magnet_) * Real(per_dz);
    for (int i = 0; i < 3; ++i) slope = (x0 - expected_in_magnet(slope)) * Real(per_dz);
    return fma(slope, real(z_of<Type>(2) - z_of<Type>(0)), x0);
  }
  /// Upper limit of the distance of compatible hits from there.
  template <int Type>
  KOKKOS_FORCEINLINE_FUNCTION Real reach_of_last() const {
    constexpr double lever = (z_of<Type>(2) - z_of<Type>(0)) / (z_of<Type>(0) - forward_z_magnet);
    return fma(tolerance_, real(1.4 * lever), real(3.));
  }

  /// Whether a line in the SciFi meets the line of the VELO in the magnet, and bends as the track
  /// does upstream.
  template <int Type>
  KOKKOS_FORCEINLINE_FUNCTION Mask is_compatible(const Real& x0, const Real& slope) const {
    constexpr T to_magnet = T(forward_z_magnet - z_of<Type>(0));
    const Real miss = fma(slope, Real(to_magnet), x0) - expected_in_magnet(slope);
    const Mask meets = abs(miss) < tolerance_ && abs(slope) < real(max_slope);
    if (bend_ == 0) return meets;
    return bend_ < 0 ? meets && slope < tx_ : meets && slope >= tx_;
  }

  /// Adds the nearest hits of the second station to the first n pairs. The factor, by which the
  /// x of the line at z = 0 grows, accounts for the curvature, as in LHCb's Allen of 2020.
  template <int Type>
  KOKKOS_FUNCTION void complete(const Pairs& pairs, int n, TripletList<T>& list) const {
    constexpr double factor = Type == 0 ? 1.00177513 : 1.00142634;
    const Mask mask = first_lanes<Real>(n);
    const Integer codes = load_first<Integer>(pairs.codes, n);
    const Integer first = Integer(I(window(Type, 0).first)) + (codes >> number_bits);
    const Integer last =
        Integer(I(window(Type, 1).first)) + (codes & Integer(I((1 << number_bits) - 1)));
    const Real x0 = gather<Real>(event_.x, first, mask);
    const Real slope = slope_of<Type>(x0, gather<Real>(event_.x, last, mask));
    const Real x = fma(slope, real(z_of<Type>(1) - factor * z_of<Type>(0)), real(factor) * x0);
    const I zone = I(2 * triplet_layer(Type, 1)) + scratch_.side[track_];
    const auto middle = nearest_hit(event_, x, Integer(zone), Real(cuts_.triplet_distance2), mask);
    for_each_lane(mask && middle.hit >= Integer(0), [&](int lane) {
      list.insert(extract(middle.distance2, lane), Type, extract(first, lane),
                  extract(middle.hit, lane), extract(last, lane));
    });
  }

  const ForwardCuts<T>& cuts_;
  const Scratch& scratch_;
  const ScifiEvent<T>& event_;
  int track_;
  Real x_magnet_, tolerance_, tx_;
  I bend_;
};

}  // namespace trackplex::lhcb::detail
