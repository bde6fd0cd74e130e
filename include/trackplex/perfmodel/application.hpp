// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Description of a program for a forecast: its loop flow (nested loops with trip counts and the
/// instructions of an iteration), its data transfers, and its requirements.
///
/// The method is that of "Application of Computational Modelling to Particle Physics", whose
/// equation numbers (2.1) to (2.6) are used throughout perfmodel.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/memory_blocks.hpp>
#include <trackplex/perfmodel/operations.hpp>
#include <trackplex/perfmodel/trip_count.hpp>

#include <string>
#include <vector>

namespace trackplex::perfmodel {

/// Function called from a loop, whose instructions are not in the loop's own count.
struct Call {
  std::string name{};        ///< for the reader
  double instructions = 0.;  ///< instructions of one call
  double times = 1.;         ///< calls per iteration of the loop, on average
  /// Whether all members are equal.
  friend bool operator==(const Call&, const Call&) = default;
};

/// Branches of one kind in a loop, for the rules `nested_branches` and `branch_count` of
/// Divergence.
struct Branch {
  std::string name{};     ///< for the reader
  double count = 1.;      ///< number of such branches in the loop
  double depth = 1.;      ///< nesting depth of these branches
  bool diverging = true;  ///< whether lanes of a group may take different paths; if not, ignored
  /// Whether all members are equal.
  friend bool operator==(const Branch&, const Branch&) = default;
};

/// Loop of a program: how often it runs, and the work of one iteration.
struct Loop {
  std::string name{};                 ///< for the reader
  TripCount trip_count{.fixed = 1.};  ///< iterations each time the loop is entered
  double instructions = 0.;   ///< instructions of an iteration, without inner loops and calls; 0:
                              ///< those of `operations`
  Operations operations{};    ///< operations of an iteration by kind, without inner loops and calls
  std::vector<Call> calls{};  ///< functions called in an iteration
  std::vector<Branch> branches{};  ///< branches of an iteration
  std::vector<Loop> loops{};       ///< loops inside this one, one after the other
  /// Whether all members are equal.
  friend bool operator==(const Loop&, const Loop&) = default;
};

/// Channel that a stream uses.
enum class Path {
  memory,  ///< memory of the device
  link     ///< link between host and device, such as PCI Express
};
/// Direction of a stream, seen from the device.
enum class Direction {
  to_device,   ///< into the device: over the link, or read from its memory
  from_device  ///< out of the device: over the link, or written to its memory
};

/// Data moved in transfers of one size: `bytes + items * bytes_per_item` bytes in all, with
/// the application's number of work items.
struct Stream {
  std::string name{};                          ///< for the reader
  Path path = Path::memory;                    ///< channel that carries the data
  Direction direction = Direction::to_device;  ///< direction, which matters for links only
  double bytes_per_item = 0.;                  ///< bytes per work item
  double bytes = 0.;                           ///< bytes in addition to those of the work items
  double transfer_bytes = 0.;                  ///< bytes of one transfer; 0: all data at once
  /// Whether all members are equal.
  friend bool operator==(const Stream&, const Stream&) = default;
};

/// Rule for eta, the efficiency of lanes that run in lock step, and its inputs.
struct Divergence {
  /// Source of the efficiency eta.
  enum class Rule {
    trip_counts,      ///< from the distributions of the trip counts, see lock_step_efficiency
    given,            ///< the member `efficiency`
    nested_branches,  ///< 2^-(nesting depth of diverging branches)
    branch_count      ///< 1 / number of diverging branches
  };
  Rule rule = Rule::trip_counts;  ///< rule to apply
  double efficiency = 1.;         ///< eta of the rule `given`, above 0
  int items_per_lane = 1;  ///< work items per lane of a flattened loop; see lock_step_efficiency
  /// Whether all members are equal.
  friend bool operator==(const Divergence&, const Divergence&) = default;
};

/// On-chip memory of an FPGA design.
struct DesignMemory {
  std::string name{};   ///< for the reader
  MemoryShape shape{};  ///< word width, number of words and ports
  /// Whether all members are equal.
  friend bool operator==(const DesignMemory&, const DesignMemory&) = default;
};

/// One instance of the program on an FPGA: a pipeline that starts one iteration per cycle.
struct FpgaDesign {
  double dsp = 0.;          ///< multiplier blocks (DSP); 0: those of the operations of all loops
  double memory_bits = 0.;  ///< on-chip memory, bits; 0: that of `memories`, in whole blocks
  std::vector<DesignMemory> memories{};  ///< on-chip memories, used if `memory_bits` is 0
  double instances = 0.;                 ///< number of instances; 0: as many as fit
  double iterations = 0.;     ///< iterations of a work item; 0: mean trip counts of outer loops
  double host_per_item = 0.;  ///< time of the host per work item after the FPGA, s
  /// Whether all members are equal.
  friend bool operator==(const FpgaDesign&, const FpgaDesign&) = default;
};

/// Program whose run time is forecast. The loops describe one work item; only `items` and `loops`
/// (or `fpga`, for an FPGA) are necessary.
struct Application {
  std::string name{};                   ///< for messages and reports
  std::string source{};                 ///< origin of the counts, for the reader
  double items = 0.;                    ///< number of work items S, above 0
  bool embarrassingly_parallel = true;  ///< whether work items are independent; see decide
  double branch_miss_rate = 0.;         ///< mispredicted branches / instructions; see decide
  double cache_miss_rate = 0.;          ///< cache misses / instructions; see decide
  double latency = 0.;            ///< time within which an answer is required, s; 0: no requirement
  bool jitter_allowed = true;     ///< whether the latency may vary; see decide
  bool double_precision = false;  ///< selects the peak rates in double precision
  double overlap = 1.;        ///< 1: computation and transfers overlap (2.6); 0: they do not (2.5)
  Divergence divergence{};    ///< efficiency of lanes in lock step
  std::vector<Loop> loops{};  ///< loops of one work item, one after the other
  std::vector<Stream> streams{};  ///< data transfers
  FpgaDesign fpga{};              ///< pipeline of an FPGA
  /// Whether all members are equal.
  friend bool operator==(const Application&, const Application&) = default;
};

/// Totals over the loops of one work item.
struct ItemTotals {
  double instructions = 0.;  ///< N_ASM: counts times mean trip counts, calls included
  double in_lock_step = 0.;  ///< the same, with each loop as long as in the slowest lane of a group
  Operations operations{};   ///< operations by kind times mean trip counts, calls not included
  double branches = 0.;      ///< number of diverging branches in the source
  double depth = 0.;         ///< max nesting depth of diverging branches, through nested loops
};

/// Returns the instructions of one iteration of a loop, with calls but without inner loops.
double own_instructions(const Loop& loop);

/// Sums the loops of one work item of an application, for a device that has `lanes` lanes in lock
/// step (Device::group); with 1, `in_lock_step` equals `instructions`.
/// @throws UsageError if a trip count is not a distribution, or `lanes` is below 1
ItemTotals totals_of(const Application& application, int lanes = 1);

/// Returns eta of (2.4), the mean fraction of the lanes of a group that do useful work, by the rule
/// of the application's Divergence. It is 1 for `lanes` <= 1. For the rule `trip_counts` it is the
/// ratio of ItemTotals::instructions and ItemTotals::in_lock_step, with the trip counts of nested
/// loops taken as independent.
/// @throws UsageError if a trip count is not a distribution
double efficiency_of(const Application& application, int lanes);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/application.impl.hpp>
#endif
