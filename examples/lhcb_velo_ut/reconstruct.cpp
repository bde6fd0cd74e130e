// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "reconstruct.hpp"

#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/program/chain_timing.hpp>

#include <utility>

namespace lhcb_velo_ut {

namespace {

namespace lhcb = trackplex::lhcb;
namespace program = trackplex::program;

const std::vector<std::string> velo_steps = {"sort_by_phi", "search_by_triplet", "fit_lines",
                                             "velo_end_states"};
const std::vector<program::StepGroup> timed = {
    {"load", {"stage_banks", "copy_banks"}},
    {"vp_clustering", {"cluster_vp"}},
    {"velo", velo_steps},
    {"ut_decoding", {"decode_ut"}},
    {"ut_windows", {"ut_windows"}},
    {"ut_tracklets", {"ut_tracks"}},
    {"copy_back", {"fetch_velo_ut", "collect_velo_ut"}},
    {"total",
     {"cluster_vp", "sort_by_phi", "search_by_triplet", "fit_lines", "velo_end_states", "decode_ut",
      "ut_windows", "ut_tracks"}}};

}  // namespace

template <class Real, class ExecutionSpace>
Reconstruction reconstruct(const program::Run<Real, ExecutionSpace>& run,
                           const lhcb::Detector& detector, std::span<const lhcb::RawEvent> events,
                           const ReconstructionSettings& settings) {
  Reconstruction result;
  run.with_lanes([&](auto lanes) {
    auto find_tracks =
        lhcb::velo_ut_chain<Real, ExecutionSpace, lanes()>(run.exec, detector, settings.parameters);
    const auto after_each = [&](std::vector<EventResult>&& found) {
      const auto hash = hash_of(found);
      if (!result.hash.empty() && result.hash != hash)
        throw trackplex::Error(run.description().backend, "two repetitions gave different results");
      result.hash = hash;
      result.events = std::move(found);
      settings.after_repetition();
    };
    result.time_us = program::time_chain(find_tracks, events, settings.batch, settings.repeat,
                                         timed, after_each);
  });
  return result;
}

template <class ExecutionSpace>
using Make = program::MakeProcessor<ExecutionSpace, lhcb::RawEvent, EventResult>;

template <class Real, class ExecutionSpace>
Make<ExecutionSpace> processors(const program::Run<Real, ExecutionSpace>& run,
                                const lhcb::Detector& detector,
                                const lhcb::VeloUtParams& parameters,
                                const program::ProcessorSettings& settings) {
  Make<ExecutionSpace> make;
  run.with_lanes([&](auto lanes) {
    make = program::chain_processors<ExecutionSpace>(
        settings,
        [=, &detector](const ExecutionSpace& instance, const trackplex::chain::ArenaSize& arena) {
          return lhcb::velo_ut_chain<Real, ExecutionSpace, lanes()>(instance, detector, parameters,
                                                                    arena);
        });
  });
  return make;
}

template <class Real, class ExecutionSpace>
program::SequenceListing algorithms(const program::Run<Real, ExecutionSpace>& run) {
  program::SequenceListing listing;
  run.with_lanes([&](auto lanes) {
    listing = program::listing_of<lhcb::VeloUtChain<Real, ExecutionSpace, lanes()>>();
  });
  return listing;
}

using ThisRun = program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>;
template Reconstruction reconstruct(const ThisRun&, const lhcb::Detector&,
                                    std::span<const lhcb::RawEvent>, const ReconstructionSettings&);
template Make<TRACKPLEX_SPACE> processors(const ThisRun&, const lhcb::Detector&,
                                          const lhcb::VeloUtParams&,
                                          const program::ProcessorSettings&);
template program::SequenceListing algorithms(const ThisRun&);

}  // namespace lhcb_velo_ut
