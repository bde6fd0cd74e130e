// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/lhcb_velo_ut.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include <catch2/catch_test_macros.hpp>

#include "pipeline/lhcb_results.hpp"

namespace trackplex::test {

inline const lhcb::Detector& ideal_detector() {
  static const auto detector = simulation::ideal_detector();
  return detector;
}

/// Generated events; among them are some without VELO banks, without UT banks, and without any.
inline std::vector<lhcb::RawEvent> raw_events(int n) {
  const simulation::RawEventGenerator generate(ideal_detector(), {}, 23);
  std::vector<lhcb::RawEvent> events;
  for (int i = 0; i < n; ++i) events.push_back(generate(std::uint64_t(i)).raw);
  if (n < 6) return events;
  events[1].vp = events[3].ut = {};
  events[4].vp = events[4].ut = {};
  return events;
}

/// The sequence finds what the direct calls find, in batches of any size, with these steps.
template <class Real, int Width, class Space>
void check_velo_ut_sequence(const Space& exec, const lhcb::Detector& detector,
                            const std::vector<lhcb::RawEvent>& events,
                            const lhcb::VeloUtParameters& parameters,
                            const std::vector<std::vector<std::string>>& steps_of_sequences) {
  lhcb::VeloUtTracking<Real, Space, Width> tracking(exec, detector, parameters);
  const auto direct = direct_velo_ut(tracking, events);
  std::size_t tracks = 0;
  for (const auto& result : direct) tracks += result.ut_tracks.size();
  REQUIRE(tracks > 10 * events.size());
  const auto expected = bits_of(direct);

  pipeline::VeloUtSequence<Real, Space, Width> velo_ut(exec, 60'000'000, detector, parameters);
  const auto pointers = shared(events);
  for (const auto& steps : steps_of_sequences) {
    CAPTURE(steps);
    velo_ut.sequence().select(steps);
    for (const std::size_t batch : {std::size_t(1), std::size_t(3), events.size()}) {
      CAPTURE(batch);
      CHECK(bits_of(in_batches(velo_ut, pointers, batch)) == expected);
    }
  }
}

inline const std::vector<std::string> velo_ut_fused = {
    "stage_banks", "copy_banks", "velo_ut_tracks", "fetch_velo_ut", "collect_velo_ut"};

}  // namespace trackplex::test
