// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Parameters of the removal of tracks that share hits.

namespace trackplex::candidates {

/// Conditions of the tracks that `ResolveAmbiguities` keeps.
struct ResolveAmbiguitiesParams {
  int min_hits = 7;            ///< min number of hits of a track, including those of its seed
  double min_own_hits = 0.75;  ///< min fraction of a track's hits that no better track has
};

}  // namespace trackplex::candidates
