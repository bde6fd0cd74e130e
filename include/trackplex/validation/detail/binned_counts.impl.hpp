// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/validation/binned_counts.hpp>

#include <string>
#include <string_view>

namespace trackplex::validation {
namespace detail {

TRACKPLEX_INLINE void require_comparable(std::string_view test, const BinnedCounts& a,
                                         const BinnedCounts& b) {
  if (a.has_outside() != b.has_outside()) {
    throw UsageError(test, "only one histogram has underflow and overflow", {},
                     "give them for both or for none");
  }
  if (a.size() != b.size()) {
    throw UsageError(test, "the histograms have different bins",
                     std::to_string(a.size()) + " and " + std::to_string(b.size()) + " bins",
                     "fill both with the same axis");
  }
  if (a.total() == 0 || b.total() == 0) {
    throw UsageError(test, "a histogram is empty",
                     std::to_string(a.total()) + " and " + std::to_string(b.total()) + " entries");
  }
}

}  // namespace detail
}  // namespace trackplex::validation
