// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/scifi/match_params.hpp>

#include <string>

namespace trackplex::lhcb {

TRACKPLEX_INLINE void check(const MatchParams& p) {
  const auto not_negative = [](const char* quantity, double value) {
    if (!(value >= 0.))
      throw UsageError("matching of SciFi tracks",
                       std::string(quantity) + " cannot be " + shortest(value),
                       "allowed: 0 and more");
  };
  not_negative("largest slope in x", p.max_abs_tx);
  not_negative("largest slope in y", p.max_abs_ty);
  not_negative("largest change of the slope in x", p.max_tx_difference);
  not_negative("largest change of the slope in y", p.max_ty_difference);
  not_negative("largest distance in x", p.max_x_difference);
  not_negative("largest distance in y", p.max_y_difference);
  not_negative("largest chi2", p.max_chi2);
  not_negative("largest difference of q/p", p.max_qop_difference);
  not_negative("tolerance of q/p", p.qop_tolerance);
}

}  // namespace trackplex::lhcb
