// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "averages.hpp"
#include "population.hpp"
#include "records.hpp"

#include <common/run.hpp>
#include <common/timing.hpp>
#include <functional>

namespace trackplex::benchmarks {

struct FitSettings {
  Layout layout = Layout::tiles;
  bool published = false;  ///< p2r: every layer begins with the input track
  int iterations = 1;      ///< fits of all tracks in a timed repetition
  int repeat = 5;          ///< timed repetitions after the warm-up
  std::function<void()> after_repetition = [] {};
};

struct FitOutcome {
  Averages averages;
  program::Times time_us;  ///< per track, in microseconds
};

/// Fits a population once as a warm-up and then again and again; throws if the states differ.
/// Compiled once per backend and number type, in p2z_kernels.cpp and p2r_kernels.cpp.
template <class Real, class ExecutionSpace>
FitOutcome measure_fit(const program::Run<Real, ExecutionSpace>& run,
                       const Population<Real>& population, const FitSettings& settings);

}  // namespace trackplex::benchmarks
