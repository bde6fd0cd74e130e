// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/lhcb/velo_results.hpp>
#include <trackplex/program/event_processor.hpp>
#include <trackplex/program/run.hpp>
#include <trackplex/program/timing.hpp>
#include <trackplex/seeding/triplet_params.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace lhcb_velo {

struct ReconstructionSettings {
  trackplex::seeding::TripletParams parameters;
  std::size_t batch = 1000;  ///< events per launch
  int repeat = 5;            ///< timed repetitions after the warm-up
  std::function<void()> after_repetition = [] {};
};

struct Reconstruction {
  std::vector<trackplex::lhcb::VeloResult> events;
  /// Per event, in microseconds: load, sort, search, fit, copy_back, and total: sort, search and
  /// fit.
  std::map<std::string, trackplex::program::Spread> time_us;
};

/// Reconstructs the events once as a warm-up and then `repeat` times; throws if a repetition gives
/// other tracks than the one before. Compiled once per backend and number type, in reconstruct.cpp.
template <class Real, class ExecutionSpace>
Reconstruction reconstruct(const trackplex::program::Run<Real, ExecutionSpace>& run,
                           std::span<const trackplex::lhcb::VeloEvent> events,
                           const ReconstructionSettings& settings);

/// Makes the processors of the pipeline's slots for a run. Compiled there as well.
template <class Real, class ExecutionSpace>
trackplex::program::MakeProcessor<ExecutionSpace, trackplex::lhcb::VeloEvent,
                                  trackplex::lhcb::VeloResult>
processors(const trackplex::program::Run<Real, ExecutionSpace>& run,
           const trackplex::seeding::TripletParams& parameters,
           const trackplex::program::ProcessorSettings& settings);

/// The algorithms that are compiled for a run.
template <class Real, class ExecutionSpace>
trackplex::program::SequenceListing algorithms(
    const trackplex::program::Run<Real, ExecutionSpace>& run);

}  // namespace lhcb_velo
