// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lanes.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/vertexing/detail/vertex_cuts.hpp>
#include <trackplex/vertexing/track_at_beam.hpp>

#include <cstdint>

namespace trackplex::vertexing::detail {

/// Part of a track that lies below v half widths from its z, -1 to 1: the integral of a bell that
/// is close to a Gaussian and ends at 1 = sqrt(7) standard deviations.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real bell_integral(Real v) {
  using T = ScalarOf<Real>;
  v = max(min(v, Real(T(1))), Real(T(-1)));
  const Real rest = fma(-v, v, Real(T(1)));
  return fma(v, fma(rest, fma(rest, Real(T(0.1875)), Real(T(0.25))), Real(T(0.5))), Real(T(0.5)));
}

/// Sums over tracks of which differences of neighbouring bins are the histogram.
struct VertexHistogram {
  int* contents;  ///< (bin): tracks that end there, in histogram_unit; then the histogram
  int* below;     ///< (bin): parts below the upper edge of tracks that end in later bins

  /// Makes the histogram of n bins.
  template <class Team>
  KOKKOS_FUNCTION void finish(const Team& team, int n) const {
    using Integer = IntegerOf<typename Team::Real>;
    team.for_each(n - 1, [&](Tile<typename Team::Real> tile) {
      const auto of = [&](const int* p) { return tile.template load<Integer>(p); };
      tile.store(contents + 1, of(contents + 1) + (of(below + 1) - of(below)));
    });
    team.barrier();
  }
};

/// Bell of a track in the histogram, in bins.
template <class T>
struct TrackBell {
  T place, per_half_width;
  int first, last;  ///< bins

  /// Part of the track below the upper edges of bins, in histogram units.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> below(const IntegerOf<Real>& bin) const {
    using Integer = IntegerOf<Real>;
    const Real edge =
        (convert<Real>(bin + Integer(ScalarOf<Integer>(1))) - Real(place)) * Real(per_half_width);
    return convert<Integer>(fma(bell_integral(edge), Real(T(histogram_unit)), Real(T(0.5))));
  }

  /// Adds the bell: one thread W bins at a time, others bin by bin.
  template <class Real, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Team& team, const VertexHistogram& histogram) const {
    using Integer = IntegerOf<Real>;
    using I = ScalarOf<Integer>;
    team.add(histogram.contents + last, histogram_unit);
    if (!team.alone()) {
      for (int bin = first; bin < last; ++bin)
        team.add(histogram.below + bin, int(below<T>(ScalarOf<IntegerOf<T>>(bin))));
      return;
    }
    for (int bin = first; bin < last; bin += width_of<Real>) {
      const Integer bins = Integer(I(bin)) + lane_index<Integer>();
      const Integer more = select(bins < Integer(I(last)), below<Real>(bins), Integer(I(0)));
      int* const to = histogram.below + bin;
      store(to, load<Integer>(to) + more);
    }
  }
};

/// Adds tracks to the histogram of z, if they are close to the beam and their z precise.
template <class Real, class Team>
KOKKOS_FUNCTION void add_to_histogram(const Team& team, const VertexCuts<ScalarOf<Real>>& cuts,
                                      const TrackAtBeam<Real>& track, const MaskOf<Real>& mask,
                                      const VertexHistogram& histogram) {
  using T = ScalarOf<Real>;
  const Real x = track.x - Real(cuts.beam_x), y = track.y - Real(cuts.beam_y), zero(T(0));
  const Real per_variance =
      fma(track.tx, fma(track.tx, track.wxx, Real(T(2)) * track.ty * track.wxy),
          track.ty * track.ty * track.wyy);
  const auto fits = mask && track.wxx > zero && fma(x, x, y * y) < Real(cuts.max_track_radius2) &&
                    track.z > Real(cuts.z_min) && track.z < Real(cuts.z_max) &&
                    per_variance * Real(cuts.max_variance_z) > Real(T(1));
  if (none_of(fits)) return;
  const Real one(T(1)), per_width(T(1) / cuts.bin_width);
  const Real per_sigma = sqrt(select(fits, per_variance, one));  // of z
  constexpr T root_7 = T(2.6457513110645907);
  const Real half_width = Real(root_7) * per_width / per_sigma;
  const Real per_half_width = per_sigma * Real(cuts.bin_width * (T(1) / root_7));
  const Real place = (track.z - Real(cuts.z_min)) * per_width;
  const Real first = max(place - half_width, one);
  const Real last = min(place + half_width, Real(T(cuts.bins - 2)));
  for_each_lane(fits, [&](int lane) {
    const TrackBell<T> bell{extract(place, lane), extract(per_half_width, lane),
                            int(extract(first, lane)), int(extract(last, lane))};
    bell.template add<Real>(team, histogram);
  });
}

/// Finds the peaks of the histogram, for one thread. Groups are runs of bins of at least
/// `min_content`; in a group, peaks are maxima of at least `min_peak` that dips deeper than
/// `min_dip` separate, each with more than `min_peak_sum` between its dips, or else the highest of
/// them.
template <class Real>
class PeakFinder {
 public:
  using T = ScalarOf<Real>;

  /// Up to max_vertices positions are written to `peaks`.
  KOKKOS_FUNCTION PeakFinder(const VertexCuts<T>& cuts, const int* histogram, T* peaks)
      : cuts_(cuts), histogram_(histogram), peaks_(peaks) {}

  /// Returns the number of peaks, which may be larger than max_vertices.
  KOKKOS_FUNCTION int operator()() {
    for (int begin = 1; begin < cuts_.bins; ++begin) {
      begin = after_low_bins(begin);
      int end = begin;
      std::int64_t sum = 0;
      for (; end < cuts_.bins && histogram_[end] >= cuts_.min_content; ++end)
        sum += histogram_[end];
      if (sum > cuts_.min_peak_sum) find_in_group(begin, end);
      begin = end;
    }
    return n_;
  }

 private:
  /// Skips bins, several at a time, that belong to no group.
  KOKKOS_FUNCTION int after_low_bins(int begin) const {
    using Integer = IntegerOf<Real>;
    constexpr int width = width_of<Real>, step = width > 16 ? width : 16;
    const Integer min_content(ScalarOf<Integer>(cuts_.min_content));
    for (; begin + step <= cuts_.bins; begin += step) {
      MaskOf<Real> high(false);
      for (int i = 0; i < step; i += width)
        high = high || load<Integer>(histogram_ + begin + i) >= min_content;
      if (any_of(high)) break;
    }
    return begin;
  }

  KOKKOS_FUNCTION void find_in_group(int begin, int end) {
    const int first_peak = n_;
    highest_ = -1;
    int top = begin, low = begin;
    bool rising = true;
    std::int64_t sum = 0, at_low = 0, at_dip = 0;  // of the bins before
    for (int bin = begin; bin < end; ++bin) {
      const int content = histogram_[bin];
      if (rising) {
        if (content > histogram_[top]) top = bin;
        if (histogram_[top] - content > cuts_.min_dip && histogram_[top] >= cuts_.min_peak) {
          rising = false;
          low = bin;
          at_low = sum;
        }
      } else if (content < histogram_[low]) {
        low = bin;
        at_low = sum;
      } else if (content - histogram_[low] > cuts_.min_dip && content >= cuts_.min_peak) {
        close(top, at_low - at_dip);
        at_dip = at_low;
        top = bin;
        rising = true;
      }
      sum += content;
    }
    if (histogram_[top] >= cuts_.min_peak) close(top, sum - at_dip);
    if (n_ == first_peak && highest_ >= 0) add(highest_);
  }

  KOKKOS_FUNCTION void close(int peak, std::int64_t sum) {
    if (sum > cuts_.min_peak_sum)
      add(peak);
    else if (highest_ < 0 || histogram_[peak] > histogram_[highest_])
      highest_ = peak;
  }

  /// The position is shifted from the middle of the bin towards the higher neighbour.
  KOKKOS_FUNCTION void add(int peak) {
    const int down = histogram_[peak] - histogram_[peak - 1],
              up = histogram_[peak] - histogram_[peak + 1];
    const T shift = down + up > 0 ? T(0.5) * T(down - up) / T(down + up) : T(0);
    if (n_ < cuts_.max_vertices)
      peaks_[n_] = fma(cuts_.bin_width, T(peak) + T(0.5) + shift, cuts_.z_min);
    ++n_;
  }

  const VertexCuts<T>& cuts_;
  const int* histogram_;
  T* peaks_;
  int n_ = 0;
  int highest_ = -1;  ///< of the peaks of a group that have too few tracks
};

}  // namespace trackplex::vertexing::detail
