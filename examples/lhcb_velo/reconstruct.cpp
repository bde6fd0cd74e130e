// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "reconstruct.hpp"
#include "same_bits.hpp"

#include <trackplex/lhcb/velo_chain.hpp>
#include <trackplex/program/chain_timing.hpp>

#include <utility>

namespace lhcb_velo {

namespace {

using trackplex::lhcb::VeloResult;
namespace program = trackplex::program;

template <class Real, class ExecutionSpace, int Width>
using Chain = trackplex::lhcb::VeloChain<Real, ExecutionSpace, Width>;

const std::vector<program::StepGroup> timed = {
    {"load", {"stage_velo_hits", "copy_velo_hits"}},
    {"sort", {"sort_by_phi"}},
    {"search", {"search_by_triplet"}},
    {"fit", {"fit_lines"}},
    {"copy_back", {"fetch_velo_tracks", "collect_velo_tracks"}},
    {"total", {"sort_by_phi", "search_by_triplet", "fit_lines"}}};

}  // namespace

template <class Real, class ExecutionSpace>
Reconstruction reconstruct(const program::Run<Real, ExecutionSpace>& run,
                           std::span<const trackplex::lhcb::VeloEvent> events,
                           const ReconstructionSettings& settings) {
  Reconstruction result;
  run.with_lanes([&](auto lanes) {
    auto find_tracks =
        trackplex::lhcb::velo_chain<Real, ExecutionSpace, lanes()>(run.exec, settings.parameters);
    const auto after_each = [&](std::vector<VeloResult>&& found) {
      if (!result.events.empty() && !same_bits(result.events, found))
        throw trackplex::Error(run.description().backend, "two repetitions gave different tracks");
      result.events = std::move(found);
      settings.after_repetition();
    };
    result.time_us = program::time_chain(find_tracks, events, settings.batch, settings.repeat,
                                         timed, after_each);
  });
  return result;
}

template <class Real, class ExecutionSpace>
program::MakeProcessor<ExecutionSpace, trackplex::lhcb::VeloEvent, VeloResult> processors(
    const program::Run<Real, ExecutionSpace>& run,
    const trackplex::seeding::TripletParams& parameters,
    const program::ProcessorSettings& settings) {
  program::MakeProcessor<ExecutionSpace, trackplex::lhcb::VeloEvent, VeloResult> make;
  run.with_lanes([&](auto lanes) {
    make = program::chain_processors<ExecutionSpace>(
        settings, [=](const ExecutionSpace& instance, const trackplex::chain::ArenaSize& arena) {
          return trackplex::lhcb::velo_chain<Real, ExecutionSpace, lanes()>(instance, parameters,
                                                                            arena);
        });
  });
  return make;
}

template <class Real, class ExecutionSpace>
program::SequenceListing algorithms(const program::Run<Real, ExecutionSpace>& run) {
  program::SequenceListing listing;
  run.with_lanes(
      [&](auto lanes) { listing = program::listing_of<Chain<Real, ExecutionSpace, lanes()>>(); });
  return listing;
}

using ThisRun = program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>;
template Reconstruction reconstruct(const ThisRun&, std::span<const trackplex::lhcb::VeloEvent>,
                                    const ReconstructionSettings&);
template program::MakeProcessor<TRACKPLEX_SPACE, trackplex::lhcb::VeloEvent, VeloResult> processors(
    const ThisRun&, const trackplex::seeding::TripletParams&, const program::ProcessorSettings&);
template program::SequenceListing algorithms(const ThisRun&);

}  // namespace lhcb_velo
