// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace trackplex::detector {

/// Conditions of fitted tracks.
struct SelectTracksParams {
  int min_hits = 4;              ///< min number of hits
  double max_chi2_per_ndf = 5.;  ///< max chi2 of the fit per degree of freedom
};

}  // namespace trackplex::detector
