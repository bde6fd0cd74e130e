// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "reconstruct.hpp"
#include "same_bits.hpp"

#include <trackplex/lhcb/velo_tracking.hpp>
#include <trackplex/pipeline/lhcb_velo.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace lhcb_velo {

namespace {

/// One pass over all events, batch by batch, timed as a whole and then step by step.
template <class Tracking, class Timer>
Reconstruction pass(Tracking& tracking, Timer& timer,
                    std::span<const trackplex::lhcb::VeloEvent> events, std::size_t batch) {
  Reconstruction result;
  for (std::size_t first = 0; first < events.size(); first += batch) {
    const auto some = events.subspan(first, std::min(batch, events.size() - first));
    timer.time("load", [&] { tracking.load(some); });
    timer.time("total", [&] { tracking.reconstruct(); });
    timer.time("sort", [&] { tracking.sort_hits(); });
    timer.time("search", [&] { tracking.search(); });
    timer.time("fit", [&] { tracking.fit(); });
    timer.time("copy_back", [&] {
      const auto overflow = tracking.overflow();
      result.overflow.insert(result.overflow.end(), overflow.begin(), overflow.end());
      for (auto& list : tracking.tracks()) result.tracks.push_back(std::move(list));
    });
  }
  return result;
}

}  // namespace

template <class Real, class ExecutionSpace>
Reconstruction reconstruct(const trackplex::program::Run<Real, ExecutionSpace>& run,
                           std::span<const trackplex::lhcb::VeloEvent> events,
                           const ReconstructionSettings& settings) {
  Reconstruction result;
  run.with_lanes([&](auto lanes) {
    trackplex::lhcb::VeloTracking<Real, ExecutionSpace, lanes()> tracking(run.exec,
                                                                          settings.parameters);
    Reconstruction last;
    const auto one_pass = [&](auto& timer) {
      last = pass(tracking, timer, events, settings.batch);
    };
    const auto after_each = [&] {
      if (!result.tracks.empty() && !same_bits(result.tracks, last.tracks))
        throw trackplex::Error(run.description().backend, "two repetitions gave different tracks");
      result = std::move(last);
      settings.after_repetition();
    };
    const auto timer = trackplex::program::measure(run.exec, settings.repeat, one_pass, after_each);
    for (const char* step : {"load", "sort", "search", "fit", "copy_back", "total"})
      result.time_us[step] = timer.spread(step) / double(events.size());
  });
  return result;
}

namespace {

using trackplex::lhcb::VeloEvent;
using trackplex::lhcb::VeloResult;
namespace program = trackplex::program;

template <class ExecutionSpace>
using Make = program::MakeProcessor<ExecutionSpace, VeloEvent, VeloResult>;

template <class Chain, class ExecutionSpace>
Make<ExecutionSpace> processors_with(const trackplex::seeding::TripletParameters& parameters,
                                     const program::ProcessorSettings& settings) {
  return [=](const ExecutionSpace& instance, int slot) {
    return std::make_unique<program::ChainProcessor<VeloEvent, VeloResult, Chain>>(
        settings, slot, [&] { return Chain(instance, settings.memory, parameters); });
  };
}

}  // namespace

template <class Real, class ExecutionSpace>
Make<ExecutionSpace> processors(const program::Run<Real, ExecutionSpace>& run,
                                const trackplex::seeding::TripletParameters& parameters,
                                const program::ProcessorSettings& settings) {
  Make<ExecutionSpace> make;
  run.with_lanes([&](auto lanes) {
    using Chain = trackplex::pipeline::VeloSequence<Real, ExecutionSpace, lanes()>;
    make = processors_with<Chain, ExecutionSpace>(parameters, settings);
  });
  return make;
}

template <class Real, class ExecutionSpace>
program::SequenceListing algorithms(const program::Run<Real, ExecutionSpace>& run) {
  program::SequenceListing listing;
  run.with_lanes([&](auto lanes) {
    using Chain = trackplex::pipeline::VeloSequence<Real, ExecutionSpace, lanes()>;
    listing = program::listing_of<Chain>();
  });
  return listing;
}

template Reconstruction reconstruct(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                    std::span<const trackplex::lhcb::VeloEvent>,
                                    const ReconstructionSettings&);
template program::MakeProcessor<TRACKPLEX_SPACE, VeloEvent, VeloResult> processors(
    const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
    const trackplex::seeding::TripletParameters&, const program::ProcessorSettings&);
template program::SequenceListing algorithms(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&);

}  // namespace lhcb_velo
