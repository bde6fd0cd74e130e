// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/watch.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE bool Watch::writes_in(int turn) const {
  return turn >= first_turn && (end_turn < 0 || turn < end_turn) &&
         (turn - first_turn) % interval == 0;
}

}  // namespace trackplex::beam
