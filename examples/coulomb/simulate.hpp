// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "simulation.hpp"

#include <trackplex/program/run.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace coulomb {

/// What a range of histories has counted, and how long that took.
struct Batch {
  montecarlo::HistoryRange range;
  montecarlo::TransportCounts counts;
  double seconds = 0.;
};

/// Who asks for histories.
struct Customer {
  std::function<std::optional<montecarlo::HistoryRange>()> next;  ///< none: that was all
  std::function<void(Batch)> take;
};

/// Histories that take some milliseconds: to begin with.
inline std::uint64_t few_histories(const Simulation& simulation) {
  constexpr double scatterings = 1 << 19;
  return 1 + std::uint64_t(scatterings / (1. + simulation.limit));
}

/// A warm-up, which is forgotten, and then the histories that the customer asks for. Compiled once
/// per backend and number type, in simulate.cpp.
template <class Real, class ExecutionSpace>
void simulate(const trackplex::program::Run<Real, ExecutionSpace>& run,
              const Simulation& simulation, const Customer& customer);

}  // namespace coulomb
