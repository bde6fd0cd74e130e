// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/forward_magnet.hpp>
#include <trackplex/lhcb/scifi/forward_params.hpp>

namespace trackplex::lhcb::detail {

/// The best triplets of a track so far, in ascending order of distance2; of equal ones the first
/// found comes first.
template <class T>
class TripletList {
 public:
  using I = IntegerOf<T>;

  KOKKOS_FUNCTION TripletList(const ForwardScratch<T>& scratch, int track, int capacity)
      : scratch_(scratch), begin_(track * capacity), capacity_(capacity) {}

  KOKKOS_FUNCTION int size() const { return size_; }

  KOKKOS_FUNCTION void insert(T distance2, int type, I first, I second, I third) {
    if (size_ == capacity_ && !(distance2 < scratch_.distance2[begin_ + size_ - 1])) return;
    int to = begin_ + (size_ < capacity_ ? size_++ : capacity_ - 1);
    for (; to > begin_ && distance2 < scratch_.distance2[to - 1]; --to) {
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

/// Finds triplets of a track. Lanes are hits of the third station, since those of a window are side
/// by side; then they are pairs of hits.
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

  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }

  /// Pairs of a hit of the first station and one of the third that wait for their middle hit.
  struct Pairs {
    I codes[2 * width];
    int size = 0;
  };

  template <int Type>
  KOKKOS_FUNCTION void find_type(TripletList<T>& list) const {
    const int first = int(scratch_.first[Scratch::window(Type, 0)][track_]);
    const int last = int(scratch_.first[Scratch::window(Type, 1)][track_]);
    const int n_first = int(scratch_.size[Scratch::window(Type, 0)][track_]);
    const int n_last = int(scratch_.size[Scratch::window(Type, 1)][track_]);
    Pairs pairs;
    for (int i = 0; i < n_first; ++i) {
      const Real x0(event_.x[first + i]);
      for (int j = 0; j < n_last; j += width) {
        const Mask mask = first_lanes<Real>(n_last - j);
        const Real slope =
            slope_of<Type>(x0, load_first<Real>(event_.x + last + j, min(n_last - j, width)));
        const Mask good = mask && is_compatible<Type>(x0, slope);
        if (none_of(good)) continue;
        const Integer codes = Integer(I((i << number_bits) + j)) + lane_index<Integer>();
        compress_store(pairs.codes + pairs.size, codes, good);
        pairs.size += count_of(good);
        if (pairs.size >= width) {
          complete<Type>(pairs, width, list);
          pairs.size -= width;
          for (int k = 0; k < pairs.size; ++k) pairs.codes[k] = pairs.codes[width + k];
        }
      }
    }
    if (pairs.size > 0) complete<Type>(pairs, pairs.size, list);
  }

  template <int Type>
  static KOKKOS_FORCEINLINE_FUNCTION Real slope_of(const Real& first, const Real& last) {
    constexpr T per_dz = T(1. / (scifi_layer_z<double>(triplet_layer(Type, 2)) -
                                 scifi_layer_z<double>(triplet_layer(Type, 0))));
    return (last - first) * Real(per_dz);
  }

  /// Whether a line in the SciFi meets the line of the VELO in the magnet, and bends as the track
  /// does upstream. The polynomial in the slope is that of LHCb's Allen of 2020.
  template <int Type>
  KOKKOS_FORCEINLINE_FUNCTION Mask is_compatible(const Real& x0, const Real& slope) const {
    constexpr T to_magnet = T(forward_z_magnet - scifi_layer_z<double>(triplet_layer(Type, 0)));
    const Real expected =
        fma(slope, fma(slope, fma(slope, real(-375.478), real(16.6874)), real(19.3897)),
            real(-0.819493) + x_magnet_);
    const Mask near = abs(fma(slope, Real(to_magnet), x0) - expected) < tolerance_;
    if (bend_ == 0) return near;
    return bend_ < 0 ? near && slope < tx_ : near && slope >= tx_;
  }

  /// Adds the nearest hits of the second station to the first n pairs. The factor, by which the
  /// x of the line at z = 0 grows, accounts for the curvature, as in LHCb's Allen of 2020.
  template <int Type>
  KOKKOS_FUNCTION void complete(const Pairs& pairs, int n, TripletList<T>& list) const {
    constexpr double z0 = scifi_layer_z<double>(triplet_layer(Type, 0)),
                     z1 = scifi_layer_z<double>(triplet_layer(Type, 1));
    constexpr double factor = Type == 0 ? 1.00177513 : 1.00142634;
    const Mask mask = first_lanes<Real>(n);
    const Integer codes = load_first<Integer>(pairs.codes, n);
    const Integer first =
        Integer(scratch_.first[Scratch::window(Type, 0)][track_]) + (codes >> number_bits);
    const Integer last = Integer(scratch_.first[Scratch::window(Type, 1)][track_]) +
                         (codes & Integer(I((1 << number_bits) - 1)));
    const Real x0 = gather<Real>(event_.x, first, mask);
    const Real slope = slope_of<Type>(x0, gather<Real>(event_.x, last, mask));
    const Real x = fma(slope, real(z1 - factor * z0), real(factor) * x0);
    const I zone = I(2 * triplet_layer(Type, 1)) + scratch_.side[track_];
    const auto middle =
        nearest_hit(event_.x, x, Integer(event_.zones[zone]), Integer(event_.zones[zone + 1]),
                    Real(cuts_.triplet_distance2), mask);
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
