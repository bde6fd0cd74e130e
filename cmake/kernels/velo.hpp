// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tracks of the VELO, from hits to straight lines.

#include "declare.hpp"

#include <trackplex/lhcb/velo_end_states.hpp>
#include <trackplex/search/sort_by_phi.hpp>
#include <trackplex/seeding/fit_lines.hpp>
#include <trackplex/seeding/search_by_triplet.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct Velo {
  using Real = LanesOf<T, Width>;
  using Hits = search::Hits<T, Memory>;
  using Tracks = seeding::Tracks<Memory>;
  using Lines = seeding::LineStates<T, Memory>;
  template <class Phi>
  using Sorted = search::HitsByPhi<T, typename Phi::Key, Memory>;
  template <class Phi, class Groups>
  using Sort = search::detail::SortByPhi<Phi, Groups, Real, Hits, Sorted<Phi>>;
  template <class Phi, class Groups>
  using Search = seeding::detail::SearchByTriplet<Phi, Groups, Real, Hits, Sorted<Phi>, Tracks,
                                                  Kokkos::View<T*, Memory>>;

  using SortMerged = Sort<search::Phi16<T>, search::Grouping<true, 6>>;
  using SortSeparate = Sort<search::PhiRadians<T>, search::Grouping<false, 5>>;
  using SearchMerged = Search<search::Phi16<T>, search::Grouping<true, 6>>;
  using SearchSeparate = Search<search::PhiRadians<T>, search::Grouping<false, 5>>;
  using FitLines = seeding::detail::FitLines<Real, Hits, Tracks, Lines>;
  using EndStates = lhcb::detail::VeloEndStates<Real, Hits, Tracks, Lines>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_VELO_KERNELS(PREFIX, T, W)          \
  TRACKPLEX_TEAMS(PREFIX, Velo, T, W, SortMerged)     \
  TRACKPLEX_TEAMS(PREFIX, Velo, T, W, SortSeparate)   \
  TRACKPLEX_TEAMS(PREFIX, Velo, T, W, SearchMerged)   \
  TRACKPLEX_TEAMS(PREFIX, Velo, T, W, SearchSeparate) \
  TRACKPLEX_TEAMS(PREFIX, Velo, T, W, FitLines)       \
  TRACKPLEX_TEAMS(PREFIX, Velo, T, W, EndStates)

namespace trackplex {
TRACKPLEX_DECLARE_KERNELS(VELO, general, float)
}  // namespace trackplex
