// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/vertexing/detail/vertex_cuts.hpp>
#include <trackplex/vertexing/detail/vertex_scratch.hpp>

#include <cstddef>
#include <limits>

namespace trackplex::vertexing::detail {

/// Sorts the tracks of an event by (z, index), unusable ones last: a counting sort by buckets of z,
/// in which tracks are ranked.
template <class Real, class Tracks>
class TrackSort {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Scratch = VertexScratch<T>;

  KOKKOS_FUNCTION TrackSort(const Tracks& tracks, const VertexCuts<T>& cuts, const Scratch& scratch)
      : tracks_(tracks),
        scratch_(scratch),
        z_min_(cuts.z_min),
        per_bucket_(T(Scratch::buckets) / (cuts.z_max - cuts.z_min)) {}

  /// Writes the n tracks from `first` on to VertexScratch::sorted.
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, std::size_t first, int n) const {
    distribute(team, first, n);
    rank(team, n);
    team.for_each(n, [&](Tile<Real> tile) {
      const Integer track = tile.template load<Integer>(scratch_.order);
      const auto mask = tile.mask();
      T* sorted = scratch_.sorted;
      const auto put = [&](const auto& array) {
        tile.store(sorted, gather<Real>(array.data() + first, track, mask));
        sorted += tracks_.max_event_tracks;
      };
      put(tracks_.x);  // in the order of TrackQuantity
      put(tracks_.y);
      const auto z = gather<Real>(tracks_.z.data() + first, track, mask);
      tile.store(sorted, key_of(z, gather<Real>(tracks_.wxx.data() + first, track, mask)));
      sorted += tracks_.max_event_tracks;
      put(tracks_.tx);
      put(tracks_.ty);
      put(tracks_.wxx);
      put(tracks_.wxy);
      put(tracks_.wyy);
    });
    team.barrier();
  }

 private:
  static constexpr T unusable_z = std::numeric_limits<T>::max();  ///< after all tracks

  KOKKOS_FORCEINLINE_FUNCTION static Real key_of(const Real& z, const Real& wxx) {
    const Real last = Real(T(unusable_z));
    return select(wxx > Real(T(0)) && abs(z) < last, z, last);
  }

  KOKKOS_FORCEINLINE_FUNCTION Integer bucket_of(const Real& key) const {
    const Real place = (key - Real(z_min_)) * Real(per_bucket_);
    return convert<Integer>(max(min(place, Real(T(Scratch::buckets - 1))), Real(T(0))));
  }

  /// Places the tracks by bucket.
  template <class Team>
  KOKKOS_FUNCTION void distribute(const Team& team, std::size_t first, int n) const {
    team.template for_each<int>(Scratch::buckets,
                                [&](Tile<int> b) { scratch_.bucket_end[b.first] = 0; });
    team.for_each(n, [&](Tile<Real> tile) {
      const Real key =
          key_of(tile.load(tracks_.z.data() + first), tile.load(tracks_.wxx.data() + first));
      tile.store(scratch_.key, key);
      tile.store(scratch_.bucket, bucket_of(key));
    });
    team.barrier();
    team.template for_each<int>(n, [&](Tile<int> track) {
      team.increment(scratch_.bucket_end + scratch_.bucket[track.first]);
    });
    team.barrier();
    team.exclusive_scan(scratch_.bucket_end, Scratch::buckets);
    team.template for_each<int>(n, [&](Tile<int> track) {
      const I place = team.increment(scratch_.bucket_end + scratch_.bucket[track.first]);
      scratch_.listed[place] = I(track.first);
      scratch_.listed_key[place] = scratch_.key[track.first];
    });
    team.barrier();
  }

  /// Ranks the tracks in their buckets: each counts those before it.
  template <class Team>
  KOKKOS_FUNCTION void rank(const Team& team, int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const int first_bucket = int(scratch_.bucket[scratch_.listed[tile.first]]);
      const int last_bucket = int(scratch_.bucket[scratch_.listed[tile.first + tile.count - 1]]);
      const int begin = first_bucket > 0 ? int(scratch_.bucket_end[first_bucket - 1]) : 0;
      const int end = int(scratch_.bucket_end[last_bucket]);
      const Real own = tile.load(scratch_.listed_key);
      const Integer track = tile.template load<Integer>(scratch_.listed), one(I(1));
      Integer place = Integer(I(begin)), equal(0);
      for (int i = begin; i < end; ++i) {
        const Real other(scratch_.listed_key[i]);
        place = select(other < own, place + one, place);
        equal = select(other == own, equal + one, equal);
      }
      if (any_of(tile.mask() && equal > one))
        for (int i = begin; i < end; ++i) {
          const auto before = Integer(scratch_.listed[i]) < track;
          place = select(Real(scratch_.listed_key[i]) == own && before, place + one, place);
        }
      scatter(scratch_.order, place, track, tile.mask());
    });
    team.barrier();
  }

  const Tracks& tracks_;
  const Scratch& scratch_;
  T z_min_, per_bucket_;
};

}  // namespace trackplex::vertexing::detail
