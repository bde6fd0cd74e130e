// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Runs of the finder in a detector with a `detector` and parameters of the `finder`.

#include "event_display.hpp"
#include "find_results.hpp"
#include "fingerprints.hpp"
#include "runs.hpp"
#include "tracks_file.hpp"

#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <type_traits>
#include <vector>

namespace detector_tracker {

/// Detector, hits and tracks of an event, along the beam and from the side, for scripts/plot.
program::Json display_of_modules(const geometry::DetectorDescription& detector,
                                 const EventOfBatch& event, std::size_t number,
                                 const std::vector<std::vector<std::size_t>>& tracks);

/// Finds the tracks of all events and writes what the settings ask for. `prepare(run)` precedes the
/// first run, and `write_results(run, tracks)` ends it.
template <class Setup, class Prepare, class WriteResults>
void find_in_runs(program::Program& p, const Settings& settings, const Setup& setup,
                  const Events& events, const Prepare& prepare, const WriteResults& write_results) {
  const auto list = events.list();
  if (settings.display && *settings.display >= list.size())
    throw UsageError("--display", fmt::format("there is no event {}", *settings.display),
                     fmt::format("{} events", list.size()));
  Batches batches;
  for (const auto& batch : events.batches) batches.push_back(&batch.hits);
  program::FingerprintFile fingerprints;
  const auto find = [&](const auto& run, const Repetitions& repetitions) {
    if (p.is_first_run()) prepare(run);
    auto found = find_tracks(run, setup, batches, repetitions);
    if (!settings.fingerprints.empty())
      add_fingerprints<typename std::decay_t<decltype(run)>::Real>(
          fingerprints, run.description(), batches, found.items, setup.finder.passes.size());
    return found;
  };
  for_each_run(p, {{"events_per_s", "total"}}, find, [&](const auto& run, const auto& found) {
    if (!settings.output.empty())
      write_tracks(settings.output, p, setup.detector, events, found.items);
    write_results(run, found.items);
    if (!settings.display) return;
    const auto& of_event = found.items[*settings.display];
    std::vector<std::vector<std::size_t>> tracks;
    for (std::size_t t = 0; t < of_event.size(); ++t)
      tracks.emplace_back(of_event.hits_of(t).begin(), of_event.hits_of(t).end());
    p.plots.push_back(
        display_of_modules(setup.detector, list[*settings.display], *settings.display, tracks));
  });
  if (!settings.fingerprints.empty())
    fingerprints.write(settings.fingerprints, p.name(), p.input, settings.batch.value_or(1));
}

}  // namespace detector_tracker
