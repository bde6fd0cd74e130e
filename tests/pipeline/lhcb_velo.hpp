// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/lhcb_velo.hpp>
#include <trackplex/simulation/velo_generator.hpp>

#include <catch2/catch_test_macros.hpp>

#include "pipeline/lhcb_results.hpp"
#include "support/toy_events.hpp"

namespace trackplex::test {

/// Generated events, and toy events of many sizes among them, the empty one included.
inline std::vector<lhcb::VeloEvent> velo_events(int generated) {
  const simulation::VeloGenerator generate({}, 17);
  auto events = toy_velo_events();
  for (int n = 0; n < generated; ++n)
    events.insert(events.begin() + 2 * n % int(events.size()), generate(std::uint64_t(n)));
  return events;
}

/// The sequence finds what the direct calls find, in batches of any size, in one kernel and in
/// three.
template <class Real, int Width, class Space>
void check_velo_sequence(const Space& exec, const std::vector<lhcb::VeloEvent>& events,
                         const seeding::TripletParameters& parameters) {
  lhcb::VeloTracking<Real, Space, Width> tracking(exec, parameters);
  const auto direct = direct_velo(tracking, events);
  std::size_t tracks = 0;
  for (const auto& result : direct) tracks += result.tracks.size();
  REQUIRE(tracks > 20 * events.size());
  const auto expected = bits_of(direct);

  pipeline::VeloSequence<Real, Space, Width> velo(exec, 20'000'000, parameters);
  const auto pointers = shared(events);
  const auto default_steps = velo.sequence().selected();
  for (const auto& steps : {default_steps, velo_step_by_step}) {
    CAPTURE(steps);
    velo.sequence().select(steps);
    for (const std::size_t batch : {std::size_t(1), std::size_t(3), events.size()}) {
      CAPTURE(batch);
      CHECK(bits_of(in_batches(velo, pointers, batch)) == expected);
    }
  }
}

}  // namespace trackplex::test
