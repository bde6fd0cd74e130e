// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/program/event_processor.hpp>
#include <trackplex/program/run.hpp>
#include <trackplex/program/timing.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace lhcb_velo_ut {

using EventResult = trackplex::lhcb::VeloUtResult;

struct ReconstructionSettings {
  trackplex::lhcb::VeloUtParams parameters;
  std::size_t batch = 1000;  ///< events per launch
  int repeat = 5;            ///< timed repetitions after the warm-up
  std::function<void()> after_repetition = [] {};
};

/// The steps that are timed; `total` is all from vp_clustering to ut_tracklets.
inline constexpr std::array<const char*, 8> steps = {"load",        "vp_clustering", "velo",
                                                     "ut_decoding", "ut_windows",    "ut_tracklets",
                                                     "copy_back",   "total"};

struct Reconstruction {
  std::vector<EventResult> events;
  std::string hash;  ///< of all bits of all events
  /// Of each step, per event, in microseconds.
  std::map<std::string, trackplex::program::Spread> time_us;
};

/// The fingerprint of everything in the events, to the last bit.
std::string hash_of(std::span<const EventResult> events);

/// Reconstructs the events once as a warm-up and then `repeat` times; throws if a repetition gives
/// other results than the one before. Compiled once per backend and number type, in
/// reconstruct.cpp.
template <class Real, class ExecutionSpace>
Reconstruction reconstruct(const trackplex::program::Run<Real, ExecutionSpace>& run,
                           const trackplex::lhcb::Detector& detector,
                           std::span<const trackplex::lhcb::RawEvent> events,
                           const ReconstructionSettings& settings);

/// Makes the processors of the pipeline's slots for a run; `detector` outlives them. Compiled there
/// as well.
template <class Real, class ExecutionSpace>
trackplex::program::MakeProcessor<ExecutionSpace, trackplex::lhcb::RawEvent, EventResult>
processors(const trackplex::program::Run<Real, ExecutionSpace>& run,
           const trackplex::lhcb::Detector& detector,
           const trackplex::lhcb::VeloUtParams& parameters,
           const trackplex::program::ProcessorSettings& settings);

/// The algorithms that are compiled for a run.
template <class Real, class ExecutionSpace>
trackplex::program::SequenceListing algorithms(
    const trackplex::program::Run<Real, ExecutionSpace>& run);

}  // namespace lhcb_velo_ut
