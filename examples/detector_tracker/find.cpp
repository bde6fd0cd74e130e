// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "find.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/detector/track_finder.hpp>

#include <cstdint>
#include <utility>

namespace detector_tracker {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
using trackplex::candidates::CloneEngine;

/// With the bits of the number type that the tracks were found in.
template <class Real, class TracksOfEvent>
static std::string hash_of(const std::vector<TracksOfEvent>& events) {
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
static auto find_once(Finder& finder, const Batches& batches, Timer& timer) {
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
static void find_with(Finder& finder, const Run& run, const Batches& batches, int repeat,
                      const std::function<void()>& after_repetition, FoundTracks& found) {
  const auto after_each = [&] {
    auto hash = hash_of<Real>(found.events);
    if (!found.hash.empty() && found.hash != hash)
      throw trackplex::Error(run.description().backend, "two repetitions gave different tracks");
    found.hash = std::move(hash);
    after_repetition();
  };
  const auto one_pass = [&](auto& timer) { found.events = find_once(finder, batches, timer); };
  const auto timer = program::measure(run.exec, repeat, one_pass, after_each);
  found.time_us = timer.times(double(found.events.size()));
}

template <class Real, class ExecutionSpace>
Found<> find_tracks(const program::Run<Real, ExecutionSpace>& run, const Setup& setup,
                    const Batches& batches, int repeat,
                    const std::function<void()>& after_repetition) {
  Found<> found;
  run.with_lanes([&](auto lanes) {
    using Field = kalman::HelicesInField<MagneticField::Map<Real, ExecutionSpace>>;
    trackplex::detector::TrackFinder<Real, ExecutionSpace, Field, CloneEngine<4>, lanes()> finder(
        run.exec, setup.detector, setup.graph, Field{setup.field.map<Real>(run.exec)},
        setup.finder);
    find_with<Real>(finder, run, batches, repeat, after_repetition, found);
  });
  return found;
}

/// Behind the magnet, each hit gives a seed a momentum: more candidates than elsewhere.
template <class Real, class ExecutionSpace>
Found<kalman::ForwardTrack> find_tracks(const program::Run<Real, ExecutionSpace>& run,
                                        const Telescope& telescope, const Batches& batches,
                                        int repeat, const std::function<void()>& after_repetition) {
  Found<kalman::ForwardTrack> found;
  run.with_lanes([&](auto lanes) {
    trackplex::detector::TrackFinder<Real, ExecutionSpace, trackplex::geometry::DipoleField,
                                     CloneEngine<8>, lanes(), kalman::ForwardTrack>
        finder(run.exec, telescope.detector, telescope.graph, telescope.magnet, telescope.finder);
    find_with<Real>(finder, run, batches, repeat, after_repetition, found);
  });
  return found;
}

template Found<> find_tracks(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&, const Setup&,
                             const Batches&, int, const std::function<void()>&);
template Found<kalman::ForwardTrack> find_tracks(
    const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&, const Telescope&, const Batches&, int,
    const std::function<void()>&);

}  // namespace detector_tracker
