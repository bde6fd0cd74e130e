// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "find.hpp"
#include "states.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace detector_tracker {

template <class Real, class TracksOfEvent>
std::string hash_of_events(const std::vector<TracksOfEvent>& events) {
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

/// Finds the tracks of all batches with `finder`, and times its stages.
template <class Finder, class Run>
auto find_with(Finder& finder, const Run& run, const Batches& batches,
               const Repetitions& repetitions) {
  using TracksOfEvent = typename Finder::Tracks;
  std::vector<TracksOfEvent> events;
  const auto one_pass = [&](auto& timer) {
    for (const auto* batch : batches) {
      timer.time("load", [&] { finder.upload(*batch); });
      finder.find([&](const char* stage, const auto& work) { timer.time(stage, work); });
      timer.time("collect", [&] {
        for (auto& tracks : finder.results(*batch)) events.push_back(std::move(tracks));
      });
    }
  };
  return repeat<TracksOfEvent>(
      run, repetitions, one_pass, [&] { return std::exchange(events, {}); },
      hash_of_events<typename Run::Real, TracksOfEvent>);
}

}  // namespace detector_tracker
