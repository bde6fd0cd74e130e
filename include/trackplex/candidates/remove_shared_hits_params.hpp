// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace trackplex::candidates {

/// Conditions of the tracks that `RemoveSharedHits` keeps.
struct RemoveSharedHitsParams {
  int min_hits = 7;            ///< of a track, those of its seed included
  double min_own_hits = 0.75;  ///< part of a track's hits that no better track has
};

}  // namespace trackplex::candidates
