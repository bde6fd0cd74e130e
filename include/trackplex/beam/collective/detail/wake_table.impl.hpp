// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/wake_table.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
#include <string>

namespace trackplex::beam {

TRACKPLEX_INLINE void check_wake_table(const WakeTable& table, const std::string& name) {
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
