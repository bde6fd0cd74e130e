// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "reconstruct.hpp"

#include <trackplex/pipeline/lhcb_velo_ut.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace lhcb_velo_ut {

namespace {

template <class Tracking>
std::vector<EventResult> results_of(const Tracking& tracking) {
  auto velo_hits = tracking.velo_hits();
  auto velo_tracks = tracking.velo_tracks();
  const auto overflow = tracking.velo_overflow();
  auto ut_hits = tracking.ut_hits();
  auto windows = tracking.ut_windows();
  auto ut_tracks = tracking.ut_tracks();
  std::vector<EventResult> events(velo_hits.size());
  for (std::size_t e = 0; e < events.size(); ++e)
    events[e] = {std::move(velo_hits[e]), std::move(velo_tracks[e]), overflow[e],
                 std::move(ut_hits[e]),   std::move(windows[e]),     std::move(ut_tracks[e])};
  return events;
}

/// One pass over all events, batch by batch, timed as a whole and then step by step.
template <class Tracking, class Timer>
std::vector<EventResult> pass(Tracking& tracking, Timer& timer,
                              std::span<const trackplex::lhcb::RawEvent> events,
                              std::size_t batch) {
  std::vector<EventResult> results;
  for (std::size_t first = 0; first < events.size(); first += batch) {
    const auto some = events.subspan(first, std::min(batch, events.size() - first));
    timer.time("load", [&] { tracking.load(some); });
    timer.time("total", [&] { tracking.reconstruct(); });
    timer.time("vp_clustering", [&] { tracking.cluster(); });
    timer.time("velo", [&] { tracking.find_velo_tracks(); });
    timer.time("ut_decoding", [&] { tracking.decode_ut(); });
    timer.time("ut_windows", [&] { tracking.find_windows(); });
    timer.time("ut_tracklets", [&] { tracking.find_ut_tracks(); });
    timer.time("copy_back", [&] {
      for (auto& event : results_of(tracking)) results.push_back(std::move(event));
    });
  }
  return results;
}

}  // namespace

template <class Real, class ExecutionSpace>
Reconstruction reconstruct(const trackplex::program::Run<Real, ExecutionSpace>& run,
                           const trackplex::lhcb::Detector& detector,
                           std::span<const trackplex::lhcb::RawEvent> events,
                           const ReconstructionSettings& settings) {
  Reconstruction result;
  run.with_lanes([&](auto lanes) {
    trackplex::lhcb::VeloUtTracking<Real, ExecutionSpace, lanes()> tracking(run.exec, detector,
                                                                            settings.parameters);
    std::vector<EventResult> last;
    const auto one_pass = [&](auto& timer) {
      last = pass(tracking, timer, events, settings.batch);
    };
    const auto after_each = [&] {
      const auto hash = hash_of(last);
      if (!result.hash.empty() && result.hash != hash)
        throw trackplex::Error(run.description().backend, "two repetitions gave different results");
      result.hash = hash;
      result.events = std::move(last);
      settings.after_repetition();
    };
    const auto timer = trackplex::program::measure(run.exec, settings.repeat, one_pass, after_each);
    for (const char* step : steps)
      result.time_us[step] = timer.spread(step) / double(events.size());
  });
  return result;
}

namespace {

namespace lhcb = trackplex::lhcb;
namespace program = trackplex::program;

template <class ExecutionSpace>
using Make = program::MakeProcessor<ExecutionSpace, lhcb::RawEvent, EventResult>;

/// `detector` outlives what is returned.
template <class Chain, class ExecutionSpace>
Make<ExecutionSpace> processors_with(const lhcb::Detector& detector,
                                     const lhcb::VeloUtParameters& parameters,
                                     const program::ProcessorSettings& settings) {
  return [=, &detector](const ExecutionSpace& instance, int slot) {
    return std::make_unique<program::ChainProcessor<lhcb::RawEvent, EventResult, Chain>>(
        settings, slot, [&] { return Chain(instance, settings.memory, detector, parameters); });
  };
}

}  // namespace

template <class Real, class ExecutionSpace>
Make<ExecutionSpace> processors(const program::Run<Real, ExecutionSpace>& run,
                                const lhcb::Detector& detector,
                                const lhcb::VeloUtParameters& parameters,
                                const program::ProcessorSettings& settings) {
  Make<ExecutionSpace> make;
  run.with_lanes([&](auto lanes) {
    using Chain = trackplex::pipeline::VeloUtSequence<Real, ExecutionSpace, lanes()>;
    make = processors_with<Chain, ExecutionSpace>(detector, parameters, settings);
  });
  return make;
}

template <class Real, class ExecutionSpace>
program::SequenceListing algorithms(const program::Run<Real, ExecutionSpace>& run) {
  program::SequenceListing listing;
  run.with_lanes([&](auto lanes) {
    using Chain = trackplex::pipeline::VeloUtSequence<Real, ExecutionSpace, lanes()>;
    listing = program::listing_of<Chain>();
  });
  return listing;
}

template Reconstruction reconstruct(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                    const trackplex::lhcb::Detector&,
                                    std::span<const trackplex::lhcb::RawEvent>,
                                    const ReconstructionSettings&);
template Make<TRACKPLEX_SPACE> processors(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                          const lhcb::Detector&, const lhcb::VeloUtParameters&,
                                          const program::ProcessorSettings&);
template program::SequenceListing algorithms(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&);

}  // namespace lhcb_velo_ut
