// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <string>
#include <vector>

namespace trackplex::beam {

/// Wake functions of point charges at equally spaced delays, beginning with 0. Elements
/// share a table.
struct WakeTable {
  std::vector<double> time;          ///< Delays, s.
  std::vector<double> longitudinal;  ///< W, V/C; positive: loss of energy. Empty: none.
  std::vector<double> x;             ///< Horizontal dipole wake, V/C/m. Empty: none.
  std::vector<double> y;             ///< Vertical dipole wake, V/C/m. Empty: none.

  /// Returns the number of delays.
  int points() const { return int(time.size()); }
  /// Returns the spacing of the delays, s.
  double spacing() const { return (time.back() - time.front()) / (points() - 1); }
};

/// Checks a table; `name` is its file or element, for messages.
/// @throws UsageError if there are less than two delays, the first one is not 0, they are not
/// ascending or not equally spaced (to 1e-4 of the spacing), a wake does not have one value per
/// delay, or a number is not finite
void check_wake_table(const WakeTable& table, const std::string& name);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/wake_table.impl.hpp>
#endif
