// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/seeding/detail/triplet_search.hpp>

#include <cstddef>
#include <cstdint>

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
///     first_in_results(block)       number of the first middle hit in the results
///     Middle<Real>                  middle hits with what the search needs, `to` and `from` an
///                                   array of `quads`
///     middle<Real>(search, i)       middle hits by number
///     inner_rows<Real>(search, middle)
///                                   bins of the inner hits
///     near<Real>(middle)            condition on the hits there, which gets the place of the first
///                                   lane and returns the lanes whose hits may be inner ones
///     doublet<Real>(search, middle, place, doublet, window)
///                                   lanes whose inner hit makes a doublet: the hit relative to the
///                                   middle one with chi2, and the window of the outer hit
///     outer_rows<Real>(search, window)
///                                   bins of a window
///     inside<Real>(window)          condition on the hits there
///     pair<Real>(search, middle, doublet, place)
///                                   lanes whose outer hit may make a triplet, by quick tests
///     triplet<Real>(search, middle, doublet, place, chi2)
///                                   lanes of those with a pair that have a triplet
///     confirms(), confirm<Real>(search, middle, doublet, place, mask, chi2)
///                                   an optional further condition on triplets
template <class Number, class Rules, class Results, class Found>
struct FindTriplets {
  using Real = Number;
  using Middle = typename Rules::template Middle<Real>;
  using Search = typename Rules::Search;
  using Scratch = TripletLists<ScalarOf<Real>, Middle::quads>;

  Rules rules;
  Results results;  ///< for the counters
  Found found;      ///< the triplets
  int max_kept, max_window_hits, max_pairs;

  /// Max number of triplets of a block.
  KOKKOS_FUNCTION int capacity(const MiddleHits& block) const {
    return block.count * results.per_hit;
  }

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    lists(carver);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const MiddleHits block = rules.block(member.league_rank());
    if (block.count <= 0) return;
    const TeamLanes<Real, Member> team(member);
    const Scratch scratch = lists(carver);
    int n = 0;
    for (int m = 0; m < rules.searches(member.league_rank()); ++m)
      n = TripletSearch<FindTriplets, Member>{*this, team, scratch, block,
                                              rules.search(member.league_rank(), block, m)}(n);
    team.barrier();
    team.single([&] { write(scratch, block, n); });
  }

 private:
  KOKKOS_FUNCTION Scratch lists(ScratchCarver& carver) const {
    return {carver, max_window_hits, max_pairs, capacity({0, 0, max_middle_hits})};
  }

  /// Writes the triplets of a block, sorted by middle hit, to the next places that are free.
  KOKKOS_FUNCTION void write(const Scratch& scratch, const MiddleHits& block, int n) const {
    std::int32_t* const next = scratch.first_triplet;
    for (int m = 0; m < block.count; ++m) next[m] = 0;
    for (int i = 0; i < n; ++i) ++next[scratch.found[i].middle];
    const int begin = rules.first_in_results(block);
    std::int32_t to = n > 0 ? Kokkos::atomic_fetch_add(found.used.data(), n) : 0;
    for (int m = 0; m < block.count; ++m) {
      const std::int32_t of_hit = next[m];
      found.first(begin + m) = next[m] = to;
      found.counts(begin + m) = of_hit;
      to += of_hit;
    }
    for (int i = 0; i < n; ++i) {
      const auto& triplet = scratch.found[i];
      const std::int32_t at = next[triplet.middle]++;
      found.inner(at) = triplet.inner;
      found.outer(at) = triplet.outer;
    }
  }
};

}  // namespace trackplex::seeding::detail
