// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_tracking.hpp>
#include <trackplex/program/run.hpp>
#include <trackplex/program/timing.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace lhcb_velo_ut {

/// What was found in one event.
struct EventResult {
  trackplex::lhcb::VeloHitList velo_hits;
  trackplex::lhcb::VeloTrackList velo_tracks;
  std::uint32_t velo_overflow = 0;  ///< seeds of VELO tracks that found no slot
  trackplex::lhcb::UtHitList ut_hits;
  std::vector<trackplex::lhcb::UtTrackWindows> windows;
  std::vector<trackplex::lhcb::UtTrack> ut_tracks;
};

struct ReconstructionSettings {
  trackplex::lhcb::VeloUtParameters parameters;
  std::size_t batch = 1000;  ///< events per launch
  int repeat = 5;            ///< timed repetitions after the warm-up
  std::function<void()> after_repetition = [] {};
};

/// The steps that are timed; `total` is all from vp_clustering to ut_tracklets in one kernel.
inline constexpr std::array<const char*, 8> steps = {"load",        "vp_clustering", "velo",
                                                     "ut_decoding", "ut_windows",    "ut_tracklets",
                                                     "copy_back",   "total"};

struct Reconstruction {
  std::vector<EventResult> events;
  std::string hash;  ///< of all bits of all events
  /// Of each step, per event, in microseconds.
  std::map<std::string, trackplex::program::Spread> time_us;
};

/// The fingerprint of everything in the events, to the last bit.
std::string hash_of(std::span<const EventResult> events);

/// Reconstructs the events once as a warm-up and then `repeat` times; throws if a repetition gives
/// other results than the one before. Compiled once per backend and number type, in
/// reconstruct.cpp.
template <class Real, class ExecutionSpace>
Reconstruction reconstruct(const trackplex::program::Run<Real, ExecutionSpace>& run,
                           const trackplex::lhcb::Detector& detector,
                           std::span<const trackplex::lhcb::RawEvent> events,
                           const ReconstructionSettings& settings);

}  // namespace lhcb_velo_ut
