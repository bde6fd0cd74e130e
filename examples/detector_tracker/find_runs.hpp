// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Runs of the finder in a detector with a `detector` and parameters of the `finder`.

#include "event_display.hpp"
#include "find_results.hpp"
#include "tracks_file.hpp"

#include <common/display_file.hpp>
#include <common/event_runs.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/display/detector_frames.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

/// The hits of an event in space.
std::vector<Vector3> points_of(const geometry::DetectorDescription& detector,
                               const EventOfBatch& event);

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

/// The indices of the hits of each track.
template <class TracksOfEvent>
std::vector<std::vector<std::size_t>> hits_of_tracks(const TracksOfEvent& found) {
  std::vector<std::vector<std::size_t>> tracks;
  for (std::size_t t = 0; t < found.size(); ++t)
    tracks.emplace_back(found.hits_of(t).begin(), found.hits_of(t).end());
  return tracks;
}

/// Writes what the settings ask for: tracks and displays of events.
template <class Setup, class TracksOfEvent>
void write_files(program::Program& p, const Settings& settings, const Setup& setup,
                 const Events& events, const std::vector<TracksOfEvent>& found,
                 program::DisplayFile& file) {
  if (!settings.output.empty()) write_tracks(settings.output, p, setup.detector, events, found);
  for (std::size_t e = 0; e < found.size(); ++e)
    if (file.takes(e))
      file.add(
          event_display(e, points_of(setup.detector, events.list()[e]), hits_of_tracks(found[e])));
  file.finish(p, settings.detector, [&] { return io::detector_frames(setup.detector); });
  if (!settings.display.event) return;
  const auto i = *settings.display.event;
  if (i >= found.size())
    throw UsageError("--display", fmt::format("event {} is not finished", i),
                     fmt::format("{} events are", found.size()));
  p.plots.push_back(
      display_of_modules(setup.detector, events.list()[i], i, hits_of_tracks(found[i])));
}

/// Finds the tracks of all events and writes what the settings ask for. `prepare(run)` precedes the
/// first run, and `write_results(run, events, tracks)` ends it.
template <class TracksOfEvent, class Setup, class Prepare, class WriteResults>
void find_in_runs(program::Program& p, const Settings& settings, const Setup& setup,
                  const Events& events, const Prepare& prepare, const WriteResults& write_results) {
  const auto list = events.list();
  if (const auto i = settings.display.event; i && *i >= list.size())
    throw UsageError("--display", fmt::format("there is no event {}", *i),
                     fmt::format("{} events", list.size()));
  program::DisplayFile display(settings.display);
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
    write_files(p, settings, setup, finished, found.results, display);
  });
  if (p.is_first_rank()) runs.finish();
}

}  // namespace detector_tracker
