// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::beam {

/// Wake functions of point charges at equally spaced delays behind them, beginning with 0. Elements
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
/// @throws UsageError if there are less than two delays, the first one is not 0, they do not ascend
/// or are not equally spaced (to 1e-4 of the spacing), a wake has not one value for each delay, or
/// a number is not finite
inline void check_wake_table(const WakeTable& table, const std::string& name) {
  const auto& time = table.time;
  const auto row = [](std::size_t i) { return "row " + std::to_string(i + 1); };
  if (time.size() < 2)
    throw UsageError(name, "a table of wakes needs two delays or more",
                     std::to_string(time.size()) + " rows");
  for (const auto* values : {&time, &table.longitudinal, &table.x, &table.y}) {
    if (!values->empty() && values->size() != time.size())
      throw UsageError(
          name, "a wake has not one value for each delay",
          std::to_string(values->size()) + " values, " + std::to_string(time.size()) + " delays");
    for (std::size_t i = 0; i < values->size(); ++i)
      if (!std::isfinite((*values)[i]))
        throw UsageError(name, "a delay or wake is not finite", row(i));
  }
  if (time.front() != 0.)
    throw UsageError(name, "the first delay of a wake is not 0", shortest(time.front()) + " s");
  const double spacing = table.spacing();
  if (!(spacing > 0.)) throw UsageError(name, "the delays of a wake do not ascend");
  for (std::size_t i = 0; i < time.size(); ++i)
    if (!(std::abs(time[i] - double(i) * spacing) <= 1e-4 * spacing))
      throw UsageError(name, "the delays of a wake are not equally spaced",
                       row(i) + ": " + shortest(time[i]) + " s, expected " +
                           shortest(double(i) * spacing) + " s");
}

}  // namespace trackplex::beam
