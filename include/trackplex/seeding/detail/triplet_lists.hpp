// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/team_launch.hpp>

#include <cstdint>

namespace trackplex::seeding::detail {

/// Room for lanes after the end of a list, which TeamLanes::compress_store may overwrite.
inline constexpr int list_margin = 64;

/// Middle hits of an event that a team processes together: `count` hits from number `first` on.
struct MiddleHits {
  int event, first, count;
};

/// Max number of middle hits of a team: their lists are long enough to fill lanes or threads.
inline constexpr int max_middle_hits = 16;

/// Hits in windows, by place, with the numbers of the windows.
struct HitsInWindows {
  std::int32_t *window, *hit;
};

/// Triplet of a team: number of its middle hit in the team, places of the other hits.
struct TripletOfTeam {
  std::int32_t middle, inner, outer;
};

/// Memory of a team for its middle hits, which are counted from 0 in all lists.
template <class T, int Quartets>
struct TripletLists {
  Quartet<T>* middle[Quartets];  ///< middle hits with what the search needs
  HitsInWindows inner;           ///< inner hits of the middle hits, then those of the doublets
  Quartet<T>* doublets;          ///< inner hit relative to the middle one; chi2 so far
  Quartet<T>* windows;           ///< of the outer hit: centre and half width, twice
  std::int32_t* first_hit;       ///< place of each window's first hit, for several threads
  HitsInWindows pairs;           ///< outer hits of the doublets, then those of the triplets
  T* chi2;
  std::int32_t* kept;                         ///< 1 for kept triplets
  std::int32_t *first_triplet, *end_triplet;  ///< of each middle hit that has some
  TripletOfTeam* found;                       ///< kept triplets of all searches

  KOKKOS_FUNCTION TripletLists(ScratchCarver& carver, int max_window_hits, int max_pairs,
                               int max_found) {
    for (auto& quads : middle) quads = carver.take<Quartet<T>>(max_middle_hits);
    inner.window = carver.take<std::int32_t>(max_window_hits + list_margin);
    inner.hit = carver.take<std::int32_t>(max_window_hits + list_margin);
    doublets = carver.take<Quartet<T>>(max_window_hits + list_margin);
    windows = carver.take<Quartet<T>>(max_window_hits + list_margin);
    first_hit = carver.take<std::int32_t>(max(max_window_hits, max_middle_hits));
    pairs.window = carver.take<std::int32_t>(max_pairs + list_margin);
    pairs.hit = carver.take<std::int32_t>(max_pairs + list_margin);
    chi2 = carver.take<T>(max_pairs + list_margin);
    kept = carver.take<std::int32_t>(max_pairs);
    first_triplet = carver.take<std::int32_t>(max_middle_hits);
    end_triplet = carver.take<std::int32_t>(max_middle_hits);
    found = carver.take<TripletOfTeam>(max_found);
  }
};

}  // namespace trackplex::seeding::detail
