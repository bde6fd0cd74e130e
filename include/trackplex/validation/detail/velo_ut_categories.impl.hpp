// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/validation/velo_ut_categories.hpp>

namespace trackplex::validation {

TRACKPLEX_INLINE bool McCategory::contains(const lhcb::McParticle& q) const {
  const bool is_electron = q.pid == 11 || q.pid == -11;
  return is_electron == electrons && (q.has_velo || !velo) && (q.has_ut || !ut) &&
         (q.is_long || !is_long) && !(q.is_long && not_long) && comes_from(q) &&
         is_between(min_eta, double(q.eta), max_eta) && is_between(min_p, double(q.p), max_p) &&
         min_pt < double(q.pt);
}

TRACKPLEX_INLINE bool McCategory::comes_from(const lhcb::McParticle& q) const {
  switch (origin) {
    case Origin::any:
      return true;
    case Origin::beauty:
      return q.from_beauty;
    case Origin::charm:
      return q.from_charm;
    case Origin::strange:
      return q.from_strange;
  }
  return false;
}

}  // namespace trackplex::validation
