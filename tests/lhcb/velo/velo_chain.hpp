// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/simulation/velo_generator.hpp>

#include <catch2/catch_test_macros.hpp>

#include "lhcb/chain_results.hpp"
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

/// In an arena, in batches of any size, the chain finds what it finds in all events at a time.
template <class T, int Width, class Space>
void check_velo_chain(const Space& exec, const std::vector<lhcb::VeloEvent>& events,
                      const lhcb::TripletParams& params) {
  auto direct = lhcb::velo_chain<T, Space, Width>(exec, params);
  const auto found = direct(events);
  std::size_t tracks = 0;
  for (const auto& result : found) tracks += result.tracks.size();
  REQUIRE(tracks > 20 * events.size());
  const auto expected = bits_of(found);
  CHECK(bits_of(direct(events)) == expected);

  auto velo = lhcb::velo_chain<T, Space, Width>(exec, params, {20'000'000, 20'000'000});
  const auto pointers = shared(events);
  for (const std::size_t batch : {std::size_t(1), std::size_t(3), events.size()}) {
    CAPTURE(batch);
    CHECK(bits_of(in_batches(velo, pointers, batch)) == expected);
  }
}

}  // namespace trackplex::test
