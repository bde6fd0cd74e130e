// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>

namespace trackplex::io::detail {

/// Slices of an integrated magnet of a phase advance or an angle (rad): `asked`, or if that is 0
/// one per tenth, and at least 2.
inline int magnet_slices(int asked, double phase) {
  if (asked > 0) return asked;
  return int(std::clamp(std::ceil(10. * phase), 2., 1000.));
}

}  // namespace trackplex::io::detail
