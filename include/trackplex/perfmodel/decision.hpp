// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Choice of the kind of device: the decision tree of the published method (Fig. 1 there), with its
/// thresholds as parameters (it gives no numbers for "high" and "low") and a reason for each step.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/forecast.hpp>

#include <optional>
#include <string>
#include <vector>

namespace trackplex::perfmodel {

/// Thresholds of the decision tree.
struct DecisionThresholds {
  double ultra_low_latency = 1e-6;   ///< max required latency that only an FPGA meets, s
  double high_branch_misses = 0.01;  ///< branch misses / instructions; above: high
  double high_cache_misses = 0.01;   ///< cache misses / instructions; above: high
  double items_per_core = 10.;       ///< min work items per core of a GPU, else a warning
  double fpga_gain = 10.;  ///< min speed-up of an FPGA over a CPU: its design costs about 10 times
                           ///< the effort
  double similar =
      1.25;  ///< max ratio of the times of a GPU and an FPGA at which the GPU is chosen
};

/// Recommendation of the decision tree, with its reasons.
struct Decision {
  std::optional<DeviceKind> kind{};  ///< recommended kind of device; empty if undecided
  std::vector<std::string> steps{};  ///< sentences for the user: each step of the tree, warnings
};

namespace detail {

/// Shortest expected time on the devices of one kind, s; infinite without devices.
double fastest(const std::vector<Forecast>& forecasts, DeviceKind kind);

}  // namespace detail

/// Recommends a kind of device for an application by the published decision tree. `forecasts` are
/// for the devices to choose from: branches of the tree that compare times need the forecast of a
/// CPU and of an accelerator, and leave the decision open without them.
Decision decide(const Application& application, const std::vector<Forecast>& forecasts,
                const DecisionThresholds& thresholds = {});

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/decision.impl.hpp>
#endif
