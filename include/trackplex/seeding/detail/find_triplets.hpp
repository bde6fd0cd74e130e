// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/seeding/detail/triplet_search.hpp>

#include <cstddef>

namespace trackplex::seeding::detail {

/// Finds the triplets of each middle hit: its inner hits, the doublets among them, the pairs of a
/// doublet and an outer hit, the triplets among the pairs, and the best triplets. A team makes the
/// lists of several middle hits together. Every list is in the order of middle hits and places, so
/// that the result does not depend on the distribution of the work.
///
/// The rules say which hits, windows and cuts:
///
///     block(team)                   the MiddleHits of a team
///     searches(team)                number of searches for them, such as triples of layers
///     search(team, block, m)        what search m has in common, a Search
///     slot(block, i, m)             slot of search m of middle hit i
///     Middle<Real>                  middle hits with what the search needs, `to` and `from` an
///                                   array of `quads`
///     middle<Real>(search, i)       middle hits by number
///     inner_rows<Real>(search, middle)
///                                   bins of the inner hits
///     doublet<Real>(search, middle, place)
///                                   lanes whose inner hit may make a doublet, by quick tests
///     window<Real>(search, middle, place, doublet, window)
///                                   lanes with a doublet: the inner hit relative to the middle one
///                                   with chi2, and the window of the outer hit
///     outer_rows<Real>(search, window)
///                                   bins of a window
///     pair<Real>(search, middle, doublet, window, place)
///                                   lanes whose outer hit may make a triplet, by quick tests
///     triplet<Real>(search, middle, doublet, place, chi2)
///                                   lanes of those with a pair that have a triplet
///     confirms(), confirm<Real>(search, middle, doublet, place, mask, chi2)
///                                   an optional further condition on triplets
template <class Number, class Rules, class Results>
struct FindTriplets {
  using Real = Number;
  using Middle = typename Rules::template Middle<Real>;
  using Search = typename Rules::Search;
  using Scratch = TripletLists<ScalarOf<Real>, Middle::quads>;

  Rules rules;
  Results results;
  int max_kept, max_window_hits, max_pairs;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, max_window_hits, max_pairs);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const MiddleHits block = rules.block(member.league_rank());
    if (block.count <= 0) return;
    const TeamLanes<Real, Member> team(member);
    const Scratch scratch(carver, max_window_hits, max_pairs);
    for (int m = 0; m < rules.searches(member.league_rank()); ++m)
      TripletSearch<FindTriplets, Member>{
          *this, team, scratch, block, rules.search(member.league_rank(), block, m), m}();
  }
};

}  // namespace trackplex::seeding::detail
