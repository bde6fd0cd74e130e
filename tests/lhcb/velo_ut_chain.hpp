// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include <catch2/catch_test_macros.hpp>

#include "lhcb/chain_results.hpp"

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

/// In an arena, in batches of any size and with steps in another order, the chain finds what it
/// finds in all events at a time.
template <class T, int Width, class Space>
void check_velo_ut_chain(const Space& exec, const lhcb::Detector& detector,
                         const std::vector<lhcb::RawEvent>& events,
                         const lhcb::VeloUtParams& params) {
  auto direct = lhcb::velo_ut_chain<T, Space, Width>(exec, detector, params);
  const auto found = direct(events);
  std::size_t tracks = 0;
  for (const auto& result : found) tracks += result.ut_tracks.size();
  REQUIRE(tracks > 10 * events.size());
  const auto expected = bits_of(found);

  auto velo_ut =
      lhcb::velo_ut_chain<T, Space, Width>(exec, detector, params, {60'000'000, 60'000'000});
  const auto pointers = shared(events);
  for (const auto& steps : {velo_ut.default_steps(), velo_ut_in_other_order}) {
    CAPTURE(steps);
    velo_ut.select(steps);
    for (const std::size_t batch : {std::size_t(1), std::size_t(3), events.size()}) {
      CAPTURE(batch);
      CHECK(bits_of(in_batches(velo_ut, pointers, batch)) == expected);
    }
  }
}

}  // namespace trackplex::test
