// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Runs of the finder in a detector with a `detector` and parameters of the `finder`.

#include "event_display.hpp"
#include "find_results.hpp"
#include "tracks_file.hpp"

#include <common/event_runs.hpp>
#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

/// Detector, hits and tracks of an event, along the beam and from the side, for scripts/plot.
program::Json display_of_modules(const geometry::DetectorDescription& detector,
                                 const EventOfBatch& event, std::size_t number,
                                 const std::vector<std::vector<std::size_t>>& tracks);

/// All passes, and the groups of steps that are timed together.
program::ChainWork finder_work();

template <class Real, class TracksOfEvent>
std::string hash_of_events(std::span<const TracksOfEvent> events) {
  Fingerprint hash;
  hash.add(std::uint64_t(events.size()));
  for (const auto& tracks : events) {
    hash.add(tracks.first).add(tracks.hits).add(tracks.measurements).add(tracks.pass);
    for (const double chi2 : tracks.chi2) hash.add(Real(chi2));
    for (const auto& state : tracks.states) {
      add_state<Real>(hash, state);
      hash.add(Real(state.charge));
    }
  }
  return hash.hex();
}

/// Writes what the settings ask for: tracks and the display of an event.
template <class Setup, class TracksOfEvent>
void write_files(program::Program& p, const Settings& settings, const Setup& setup,
                 const Events& events, const std::vector<TracksOfEvent>& found) {
  if (!settings.output.empty()) write_tracks(settings.output, p, setup.detector, events, found);
  if (!settings.display) return;
  const auto i = *settings.display;
  if (i >= found.size())
    throw UsageError("--display", fmt::format("event {} is not finished", i),
                     fmt::format("{} events are", found.size()));
  std::vector<std::vector<std::size_t>> tracks;
  for (std::size_t t = 0; t < found[i].size(); ++t)
    tracks.emplace_back(found[i].hits_of(t).begin(), found[i].hits_of(t).end());
  p.plots.push_back(display_of_modules(setup.detector, events.list()[i], i, tracks));
}

/// Finds the tracks of all events and writes what the settings ask for. `prepare(run)` precedes the
/// first run, and `write_results(run, events, tracks)` ends it.
template <class TracksOfEvent, class Setup, class Prepare, class WriteResults>
void find_in_runs(program::Program& p, const Settings& settings, const Setup& setup,
                  const Events& events, const Prepare& prepare, const WriteResults& write_results) {
  const auto list = events.list();
  if (settings.display && *settings.display >= list.size())
    throw UsageError("--display", fmt::format("there is no event {}", *settings.display),
                     fmt::format("{} events", list.size()));
  bool is_float = true;
  program::EventRuns<hits::HostDetectorHits, TracksOfEvent> runs(
      p, settings.pipeline,
      program::made_in_memory<hits::HostDetectorHits>(
          list.size(), [&](std::size_t i) { return list[i].hits_of_event(); }),
      [&](std::span<const TracksOfEvent> found) {
        return is_float ? hash_of_events<float>(found) : hash_of_events<double>(found);
      });
  p.for_each_run<float, double>([&](const auto& run, program::RunReport& report) {
    is_float = report.run.precision == "float";
    if (p.is_first_run()) prepare(run);
    const auto found =
        std::move(runs.take(finder_calls(run, setup), {finder_work()}, report).front());
    report.hash = found.hash;
    if (!p.is_first_run() || !p.is_first_rank()) return;
    const bool is_all = found.results.size() == list.size();
    const auto some = is_all ? Events{} : events.some(found.numbers);
    const auto& finished = is_all ? events : some;
    write_results(run, finished, found.results);
    write_files(p, settings, setup, finished, found.results);
  });
  if (p.is_first_rank()) runs.finish();
}

}  // namespace detector_tracker
