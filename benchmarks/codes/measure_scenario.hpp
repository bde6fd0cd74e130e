// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenarios.hpp"

#include <common/run.hpp>
#include <common/timing.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace trackplex::benchmarks {

struct ScenarioOutcome {
  beam::CanonicalMoments moments;
  beam::SpinMoments spins;  ///< of a scenario with spins
  std::int64_t lost = 0;
  std::string hash;         ///< of the particles at the end
  program::Spread time_us;  ///< of the call that tracks the bunch, in microseconds
};

/// Tracks the bunch once as a warm-up and then `repeat` times, each from the start, and times the
/// one call; throws if the particles differ. Compiled once per backend and number type.
template <class Real, class ExecutionSpace>
ScenarioOutcome measure_scenario(const program::Run<Real, ExecutionSpace>& run,
                                 const Scenario& scenario, int repeat,
                                 const std::function<void()>& after_repetition);

}  // namespace trackplex::benchmarks
