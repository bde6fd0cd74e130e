// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/memory_blocks.hpp>
#include <trackplex/perfmodel/operations.hpp>
#include <trackplex/perfmodel/trip_count.hpp>

#include <algorithm>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE double own_instructions(const Loop& loop) {
  double sum = loop.instructions > 0. ? loop.instructions : instructions(loop.operations);
  for (const auto& call : loop.calls) sum += call.times * call.instructions;
  return sum;
}

namespace detail {

/// Adds a loop that is entered `times` times by a lane and `in_lock_step` times by its group.
TRACKPLEX_INLINE void add_loop(ItemTotals& totals, const Loop& loop, double times,
                               double in_lock_step, double depth, int lanes, int items_per_lane) {
  times *= mean(loop.trip_count);
  in_lock_step *=
      mean(loop.trip_count) / lock_step_efficiency(loop.trip_count, lanes, items_per_lane);
  totals.instructions += times * own_instructions(loop);
  totals.in_lock_step += in_lock_step * own_instructions(loop);
  totals.operations += times * loop.operations;
  double deepest = 0.;
  for (const auto& branch : loop.branches) {
    if (!branch.diverging) continue;
    totals.branches += branch.count;
    deepest = std::max(deepest, branch.depth);
  }
  totals.depth = std::max(totals.depth, depth + deepest);
  for (const auto& inner : loop.loops)
    add_loop(totals, inner, times, in_lock_step, depth + deepest, lanes, items_per_lane);
}

}  // namespace detail

TRACKPLEX_INLINE ItemTotals totals_of(const Application& application, int lanes) {
  ItemTotals totals;
  for (const auto& loop : application.loops)
    detail::add_loop(totals, loop, 1., 1., 0., lanes, application.divergence.items_per_lane);
  return totals;
}

TRACKPLEX_INLINE double efficiency_of(const Application& application, int lanes) {
  if (lanes <= 1) return 1.;
  const auto totals = totals_of(application, lanes);
  switch (application.divergence.rule) {
    case Divergence::Rule::given:
      return application.divergence.efficiency;
    case Divergence::Rule::nested_branches:
      return efficiency_of_nested_branches(totals.depth);
    case Divergence::Rule::branch_count:
      return efficiency_of_branch_count(totals.branches);
    case Divergence::Rule::trip_counts:
      break;
  }
  return totals.in_lock_step > 0. ? totals.instructions / totals.in_lock_step : 1.;
}

}  // namespace trackplex::perfmodel
