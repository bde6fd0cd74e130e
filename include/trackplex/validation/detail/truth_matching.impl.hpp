// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/validation/truth_matching.hpp>

#include <cstddef>
#include <string>

namespace trackplex::validation {

TRACKPLEX_INLINE void HitOwners::throw_outside(std::size_t particle, std::size_t hit,
                                               std::size_t hits) {
  throw UsageError("truth of particle " + std::to_string(particle),
                   "hit " + std::to_string(hit) + " is outside of the event",
                   "it has " + std::to_string(hits) + " hits");
}

}  // namespace trackplex::validation
