// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A program as a forecast sees it: its loop flow (nested loops with trip counts and
/// what an iteration does), its data, and what is asked of it.

#include <trackplex/perfmodel/memory_blocks.hpp>
#include <trackplex/perfmodel/operations.hpp>
#include <trackplex/perfmodel/trip_count.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace trackplex::perfmodel {

/// A function that is not part of the loop's own count.
struct Call {
  std::string name{};
  double instructions = 0.;  ///< of one call
  double times = 1.;         ///< per iteration
  friend bool operator==(const Call&, const Call&) = default;
};

/// Branches of one kind in a loop.
struct Branch {
  std::string name{};
  double count = 1.;
  double depth = 1.;      ///< how many of them are inside each other
  bool diverging = true;  ///< lanes of a group may go different ways
  friend bool operator==(const Branch&, const Branch&) = default;
};

struct Loop {
  std::string name{};
  TripCount trip_count{.fixed = 1.};
  double instructions = 0.;  ///< of an iteration, without inner loops and calls; 0: those of
                             ///< `operations`
  Operations operations{};   ///< of an iteration, by kind
  std::vector<Call> calls{};
  std::vector<Branch> branches{};
  std::vector<Loop> loops{};  ///< inside this one, one after the other
  friend bool operator==(const Loop&, const Loop&) = default;
};

enum class Path { memory, link };
enum class Direction { to_device, from_device };

/// Data that is moved, in transfers of one size.
struct Stream {
  std::string name{};
  Path path = Path::memory;
  Direction direction = Direction::to_device;
  double bytes_per_item = 0.;
  double bytes = 0.;           ///< beside those of the items
  double transfer_bytes = 0.;  ///< size of one transfer; 0: all at once
  friend bool operator==(const Stream&, const Stream&) = default;
};

/// Where the efficiency of lanes in lock step comes from.
struct Divergence {
  enum class Rule {
    trip_counts,      ///< from the distributions of the trip counts
    given,            ///< `efficiency`
    nested_branches,  ///< 2^-(depth of diverging branches)
    branch_count      ///< 1 / number of diverging branches
  };
  Rule rule = Rule::trip_counts;
  double efficiency = 1.;
  int items_per_lane = 1;  ///< of a flattened loop; see lock_step_efficiency
  friend bool operator==(const Divergence&, const Divergence&) = default;
};

/// A memory on the chip of an FPGA.
struct DesignMemory {
  std::string name{};
  MemoryShape shape{};
  friend bool operator==(const DesignMemory&, const DesignMemory&) = default;
};

/// One instance of the program on an FPGA: a pipeline that begins an iteration in each cycle.
struct FpgaDesign {
  double dsp = 0.;          ///< multiplier blocks; 0: those of the operations of all loops
  double memory_bits = 0.;  ///< 0: those of `memories`, in whole blocks of the device
  std::vector<DesignMemory> memories{};
  double instances = 0.;      ///< 0: as many as fit
  double iterations = 0.;     ///< of a work item; 0: mean trip counts of the outer loops
  double host_per_item = 0.;  ///< s, work that the host does afterwards
  friend bool operator==(const FpgaDesign&, const FpgaDesign&) = default;
};

struct Application {
  std::string name{};
  std::string source{};  ///< where the counts are from
  double items = 0.;     ///< work items
  bool embarrassingly_parallel = true;
  double branch_miss_rate = 0.;  ///< of all instructions
  double cache_miss_rate = 0.;   ///< of all instructions
  double latency = 0.;           ///< s until an answer is needed; 0: no requirement
  bool jitter_allowed = true;
  bool double_precision = false;
  double overlap = 1.;  ///< 1: computing and transfers at the same time, 0: one after the other
  Divergence divergence{};
  std::vector<Loop> loops{};  ///< of one work item
  std::vector<Stream> streams{};
  FpgaDesign fpga{};
  friend bool operator==(const Application&, const Application&) = default;
};

/// Sums over the loops of one work item.
struct ItemTotals {
  double instructions = 0.;  ///< N_ASM: counts times mean trip counts, calls included
  double in_lock_step = 0.;  ///< the same, where each loop runs as often as in the longest lane
  Operations operations{};
  double branches = 0.;  ///< diverging ones, each counted once
  double depth = 0.;     ///< of diverging branches, over loops inside each other
};

/// Instructions of one iteration of a loop, without inner loops.
inline double own_instructions(const Loop& loop) {
  double sum = loop.instructions > 0. ? loop.instructions : instructions(loop.operations);
  for (const auto& call : loop.calls) sum += call.times * call.instructions;
  return sum;
}

namespace detail {

/// Adds a loop that is entered `times` times by a lane, and `in_lock_step` times by its group.
inline void add_loop(ItemTotals& totals, const Loop& loop, double times, double in_lock_step,
                     double depth, int lanes, int items_per_lane) {
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

/// @param lanes of a group of the device
inline ItemTotals totals_of(const Application& application, int lanes = 1) {
  ItemTotals totals;
  for (const auto& loop : application.loops)
    detail::add_loop(totals, loop, 1., 1., 0., lanes, application.divergence.items_per_lane);
  return totals;
}

/// eta, the share of a group's lanes that do useful work. Lanes that are no group have 1.
/// Loops inside each other are taken for independent.
inline double efficiency_of(const Application& application, int lanes) {
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
