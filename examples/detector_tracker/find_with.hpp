// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "find.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace detector_tracker {

/// With the bits of the number type that the tracks were found in.
template <class Real, class TracksOfEvent>
std::string hash_of(const std::vector<TracksOfEvent>& events) {
  trackplex::Fingerprint hash;
  hash.add(std::uint64_t(events.size()));
  for (const auto& tracks : events) {
    hash.add(tracks.first).add(tracks.hits).add(tracks.measurements).add(tracks.pass);
    for (const double chi2 : tracks.chi2) hash.add(Real(chi2));
    for (const auto& state : tracks.states) {
      for (const double parameter : state.parameters.elements) hash.add(Real(parameter));
      for (const double element : state.covariance.elements) hash.add(Real(element));
      hash.add(Real(state.charge));
    }
  }
  return hash.hex();
}

/// Finds the tracks of all batches with `finder`, and times its stages.
template <class Finder, class Timer>
auto find_once(Finder& finder, const Batches& batches, Timer& timer) {
  std::vector<typename Finder::Tracks> events;
  for (const auto* batch : batches) {
    timer.time("load", [&] { finder.upload(*batch); });
    finder.find([&](const char* stage, const auto& work) { timer.time(stage, work); });
    timer.time("collect", [&] {
      for (auto& tracks : finder.results(*batch)) events.push_back(std::move(tracks));
    });
  }
  return events;
}

/// Finds them with `finder`, once as a warm-up and then `repeat` times.
template <class Real, class Run, class Finder, class FoundTracks>
void find_with(Finder& finder, const Run& run, const Batches& batches, int repeat,
               const std::function<void()>& after_repetition, FoundTracks& found) {
  const auto after_each = [&] {
    auto hash = hash_of<Real>(found.events);
    if (!found.hash.empty() && found.hash != hash)
      throw trackplex::Error(run.description().backend, "two repetitions gave different tracks");
    found.hash = std::move(hash);
    after_repetition();
  };
  const auto one_pass = [&](auto& timer) { found.events = find_once(finder, batches, timer); };
  const auto timer = trackplex::program::measure(run.exec, repeat, one_pass, after_each);
  found.time_us = timer.times(double(found.events.size()));
}

}  // namespace detector_tracker
