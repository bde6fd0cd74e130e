// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/tile.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/detail/waiting_groups.hpp>
#include <trackplex/lhcb/scifi/forward_magnet.hpp>
#include <trackplex/lhcb/scifi/forward_params.hpp>

namespace trackplex::lhcb::detail {

/// Triplet as an integer, in the order of its type and of the numbers of its first and its last hit
/// in their windows.
struct TripletCode {
  static constexpr int number_bits = 10;  ///< of the number of a hit in a window
  static constexpr int number_mask = (1 << number_bits) - 1;
  static_assert(1 << number_bits >= max_forward_window_hits);
};

/// The best triplets of a track, in ascending order of distance2, then of their code. They are
/// appended in any order; the worse ones are dropped when there is no place left.
template <class Real>
class TripletList {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = ForwardScratch<T>;

  KOKKOS_FUNCTION TripletList(const Scratch& scratch, int track, int capacity)
      : scratch_(scratch),
        distance2_(scratch.distance2 + track * Scratch::triplets(capacity)),
        code_(scratch.code + track * Scratch::triplets(capacity)),
        middle_(scratch.middle + track * Scratch::triplets(capacity)),
        track_(track),
        capacity_(capacity) {}

  /// Appends triplets.
  KOKKOS_FORCEINLINE_FUNCTION void add(const Real& distance2, const Integer& code,
                                       const Integer& middle, const Mask& mask) {
    if (size_ > Scratch::triplets(capacity_) - width) drop_worse();
    compress_store(distance2_ + size_, distance2, mask);
    compress_store(code_ + size_, code, mask);
    compress_store(middle_ + size_, middle, mask);
    size_ += count_of(mask);
  }

  /// Makes candidates of the best triplets, and writes their number.
  KOKKOS_FUNCTION void finish() {
    for (int i = 0; i < size_; i += width) {
      const Tile<Real> tile{i, min(size_ - i, width)};
      const Integer place = place_of(tile);
      const Integer entry = Integer(I(track_ * capacity_)) + place;
      const Mask kept = tile.mask() && place < Integer(I(capacity_));
      const Integer code = tile.template load<Integer>(code_);
      const Integer type = code >> (2 * TripletCode::number_bits);
      const Mask early = type == Integer(0);
      const auto hit = [&](int last, const Integer& number) {
        return number + select(early, Integer(scratch_.first[Scratch::window(0, last)][track_]),
                               Integer(scratch_.first[Scratch::window(1, last)][track_]));
      };
      const Integer mask = I(TripletCode::number_mask);
      scatter(scratch_.type, entry, type, kept);
      scatter(scratch_.triplet[0], entry, hit(0, (code >> TripletCode::number_bits) & mask), kept);
      scatter(scratch_.triplet[1], entry, tile.template load<Integer>(middle_), kept);
      scatter(scratch_.triplet[2], entry, hit(1, code & mask), kept);
    }
    const I n = I(min(size_, capacity_));
    scratch_.n_candidates[track_] = scratch_.first_candidate[track_] = n;
  }

 private:
  static constexpr int width = width_of<Real>;

  /// Number of triplets before those of a tile.
  KOKKOS_FUNCTION Integer place_of(const Tile<Real>& tile) const {
    const Real own = tile.load(distance2_);
    const Integer code = tile.template load<Integer>(code_), one(I(1));
    Integer place(I(0));
    for (int i = 0; i < size_; ++i) {
      const Real other(distance2_[i]);
      const Mask before = other < own || (other == own && Integer(code_[i]) < code);
      place = select(before, place + one, place);
    }
    return place;
  }

  /// Drops those that are not among the best.
  KOKKOS_FUNCTION void drop_worse() {
    I* const places = scratch_.places + track_ * Scratch::triplets(capacity_);
    for (int i = 0; i < size_; i += width) {
      const Tile<Real> tile{i, min(size_ - i, width)};
      tile.store(places, place_of(tile));
    }
    int kept = 0;
    for (int i = 0; i < size_; i += width) {
      const Tile<Real> tile{i, min(size_ - i, width)};
      const Mask mask = tile.mask() && tile.template load<Integer>(places) < Integer(I(capacity_));
      const Real distance2 = tile.load(distance2_);
      const Integer code = tile.template load<Integer>(code_);
      const Integer middle = tile.template load<Integer>(middle_);
      compress_store(distance2_ + kept, distance2, mask);
      compress_store(code_ + kept, code, mask);
      compress_store(middle_ + kept, middle, mask);
      kept += count_of(mask);
    }
    size_ = kept;
  }

  const Scratch& scratch_;
  T* distance2_;
  I *code_, *middle_;
  int track_, capacity_, size_ = 0;
};

/// Finds triplets of a track. Lanes are hits of the first station, then pairs of hits of the first
/// and the third station, then those with hits of the second station in reach.
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
        side_(int(scratch.side[track])),
        x_magnet_(scratch.x_magnet[track]),
        tolerance_(scratch.tolerance[track]),
        min_slope_(scratch.min_slope[track]),
        max_slope_(scratch.max_slope[track]) {}

  /// Writes the best triplets and their number.
  KOKKOS_FUNCTION void find() const {
    TripletList<Real> list(scratch_, track_, cuts_.candidates);
    find_type<0>(list);
    find_type<1>(list);
    list.finish();
  }

 private:
  static constexpr int width = width_of<Real>;

  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }

  /// Hits of a window.
  struct Window {
    int first, size;
  };

  KOKKOS_FORCEINLINE_FUNCTION Window window(int type, int last) const {
    const int w = Scratch::window(type, last);
    return {int(scratch_.first[w][track_]), int(scratch_.size[w][track_])};
  }

  template <int Type>
  KOKKOS_FUNCTION void find_type(TripletList<Real>& list) const {
    const Window firsts = window(Type, 0), lasts = window(Type, 1);
    if (lasts.size <= 0) return;
    WaitingGroups<Real, 1> pairs;  // codes
    // with a middle hit in reach: codes, first such hit, and the bits of where it is expected
    WaitingGroups<Real, 3> triplets;
    const auto use_triplet = [&](const Integer(&triplet)[3], const Mask& mask) {
      add_middle<Type>(triplet, mask, list);
    };
    const auto use_pair = [&](const Integer(&pair)[1], const Mask& mask) {
      Integer triplet[3];
      const Mask there = expect_middle<Type>(pair[0], mask, triplet);
      triplets.add(triplet, there, use_triplet);
    };
    for (int i = 0; i < firsts.size; i += width)
      find_pairs<Type>(firsts, lasts, i, [&](const Integer& codes, const Mask& mask) {
        pairs.add({codes}, mask, use_pair);
      });
    pairs.flush(use_pair);
    triplets.flush(use_triplet);
  }

  /// Calls `add` for pairs of the first hits from number i on and last hits with which they are
  /// compatible.
  template <int Type, class Add>
  KOKKOS_FORCEINLINE_FUNCTION void find_pairs(const Window& firsts, const Window& lasts, int i,
                                              const Add& add) const {
    using Event = ScifiEvent<T>;
    const int n = min(firsts.size - i, width);
    const Mask mask = first_lanes<Real>(n);
    const Real x0 = load_first<Real>(event_.x + firsts.first + i, n);
    const Real expected = expected_last<Type>(x0), reach = reach_of_last<Type>();
    const Real lowest = expected - reach, highest = expected + reach;
    const Integer row(I((2 * triplet_layer(Type, 2) + side_) * Event::cells));
    const Integer begin = gather<Integer>(event_.cell_hits, row + Event::cell_of(lowest), mask);
    const Integer after =
        gather<Integer>(event_.cell_hits + 1, row + Event::cell_of(highest), mask);
    Integer last = max(begin, Integer(I(lasts.first)));
    const Integer end = min(after, Integer(I(lasts.first + lasts.size)));
    Integer code = Integer(I((Type << TripletCode::number_bits | i) << TripletCode::number_bits)) +
                   (lane_index<Integer>() << TripletCode::number_bits) +
                   (last - Integer(I(lasts.first)));
    for (Mask left = mask && last < end; any_of(left); left = mask && last < end) {
      const Real x2 = gather<Real>(event_.x, last, left);
      const Mask good =
          left && x2 >= lowest && x2 <= highest && is_compatible<Type>(x0, slope_of<Type>(x0, x2));
      add(code, good);
      last += Integer(1);
      code += Integer(1);
    }
  }

  /// Where the middle hits of pairs are expected, with the first hit within reach; returns which
  /// have one. The factor, by which x of the line at z = 0 grows, accounts for the curvature, as in
  /// LHCb's Allen of 2020.
  template <int Type>
  KOKKOS_FORCEINLINE_FUNCTION Mask expect_middle(const Integer& code, const Mask& mask,
                                                 Integer (&triplet)[3]) const {
    constexpr double factor = Type == 0 ? 1.00177513 : 1.00142634;
    const Integer number_mask = I(TripletCode::number_mask);
    const Integer first =
        Integer(I(window(Type, 0).first)) + ((code >> TripletCode::number_bits) & number_mask);
    const Integer last = Integer(I(window(Type, 1).first)) + (code & number_mask);
    const Real x0 = gather<Real>(event_.x, first, mask);
    const Real slope = slope_of<Type>(x0, gather<Real>(event_.x, last, mask));
    const Real x = fma(slope, real(z_of<Type>(1) - factor * z_of<Type>(0)), real(factor) * x0);
    const auto near = scratch_.near_middle(Type, side_);
    triplet[0] = code;
    triplet[1] = gather<Integer>(near.first, near.cell_of(x), mask);
    triplet[2] = bit_cast<Integer>(x);
    return mask && triplet[1] >= Integer(0);
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

  /// x of the last hit of a line that meets the line of the VELO; within a millimetre for lines
  /// up to max_triplet_slope.
  template <int Type>
  KOKKOS_FORCEINLINE_FUNCTION Real expected_last(const Real& x0) const {
    constexpr T per_dz = T(1. / (z_of<Type>(0) - forward_z_magnet));
    Real slope = (x0 - x_magnet_) * Real(per_dz);
    for (int i = 0; i < 3; ++i) slope = (x0 - expected_in_magnet(slope, x_magnet_)) * Real(per_dz);
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
    const Real miss = fma(slope, Real(to_magnet), x0) - expected_in_magnet(slope, x_magnet_);
    return abs(miss) < tolerance_ && slope >= min_slope_ && slope < max_slope_;
  }

  /// Adds triplets with the nearest hits of the second station.
  template <int Type>
  KOKKOS_FUNCTION void add_middle(const Integer (&triplet)[3], const Mask& mask,
                                  TripletList<Real>& list) const {
    const Integer end(event_.zones[2 * triplet_layer(Type, 1) + side_ + 1]);
    const auto middle = nearest_from(event_, bit_cast<Real>(triplet[2]), triplet[1], end,
                                     Real(cuts_.triplet_distance2), mask);
    const Mask found = mask && middle.hit >= Integer(0);
    list.add(middle.distance2, triplet[0], middle.hit, found);
  }

  const ForwardCuts<T>& cuts_;
  const Scratch& scratch_;
  const ScifiEvent<T>& event_;
  int track_, side_;
  Real x_magnet_, tolerance_, min_slope_, max_slope_;
};

}  // namespace trackplex::lhcb::detail
