// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>

#include "support/spaces.hpp"
#include "support/toy_events.hpp"

using namespace trackplex;
using Catch::Approx;
using Catch::Matchers::WithinAbs;

TEST_CASE("the constant sets are those of the published codes", "[lhcb]") {
  const auto p19 = lhcb::velo_params(lhcb::VeloConstants::y2019);
  const auto p20 = lhcb::velo_params(lhcb::VeloConstants::y2020);
  const auto p23 = lhcb::velo_params(lhcb::VeloConstants::y2023);
  CHECK((!p19.merge_sides && !p20.merge_sides && p23.merge_sides));
  CHECK((p19.max_scatter == 0.004 && p20.max_scatter == 0.1 && p23.max_scatter == 0.08));
  CHECK((p19.scatter_per_dz2 && !p20.scatter_per_dz2 && !p23.scatter_per_dz2));
  CHECK((p19.tolerance == 0.6 && std::isinf(p20.tolerance)));
  CHECK((p19.inverse_variance == 3966.94 && p23.inverse_variance == 6400.));
}

TEMPLATE_LIST_TEST_CASE("a chain serves batch after batch", "[lhcb]", test::EnabledSpaces) {
  const auto events = test::toy_velo_events();
  auto find_tracks =
      lhcb::velo_chain<float>(TestType(), lhcb::velo_params(lhcb::VeloConstants::y2023));
  const auto together = find_tracks(events);
  REQUIRE(together.size() == events.size());

  // One event at a time, from the largest to the smallest, then all again.
  for (std::size_t e = events.size(); e-- > 0;)
    CHECK(find_tracks(std::span(&events[e], 1)) == std::vector{together[e]});
  CHECK(find_tracks(events) == together);
  CHECK(find_tracks({}).empty());
}

TEMPLATE_LIST_TEST_CASE("states are those of the lines through the hits", "[lhcb]",
                        test::EnabledSpaces) {
  const std::vector events{test::toy_velo_event(200, 50, 5)};
  auto find_tracks =
      lhcb::velo_chain<double>(TestType(), lhcb::velo_params(lhcb::VeloConstants::y2023));
  const auto result = find_tracks(events)[0];
  const auto& tracks = result.tracks;
  REQUIRE(tracks.size() > 100);
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto& state = tracks.states[t];
    const auto& event = events[0];
    CHECK(state.ndf == 2 * int(tracks[t].size()) - 4);
    // The residuals of a least-squares line add up to zero, and so does their moment about any z.
    double sum = 0., moment = 0., chi2 = 0.;
    for (const auto h : tracks[t]) {
      const double dx = state.x + state.tx * (event.z[h] - state.z) - event.x[h];
      const double dy = state.y + state.ty * (event.z[h] - state.z) - event.y[h];
      sum += dx;
      moment += dx * event.z[h];
      chi2 += 6400. * (dx * dx + dy * dy);
    }
    CHECK_THAT(sum, WithinAbs(0., 1e-9));
    CHECK_THAT(moment, WithinAbs(0., 1e-6));
    CHECK(state.chi2 == Approx(chi2).epsilon(1e-7));
    // Closest to the z axis: the transverse position is at right angles to the slopes.
    CHECK_THAT(state.x * state.tx + state.y * state.ty, WithinAbs(0., 1e-9));
    CHECK(state.backward == (state.z > event.z[tracks[t][0]]));
  }
}

TEST_CASE("events that contradict themselves are refused", "[lhcb]") {
  using Space = HostExecutor;
  using Catch::Matchers::ContainsSubstring;
  using Catch::Matchers::MessageMatches;
  auto find_tracks =
      lhcb::velo_chain<float>(Space(), lhcb::velo_params(lhcb::VeloConstants::y2023));
  auto event = test::toy_velo_event(5, 5, 1);
  const auto load = [&] { find_tracks(std::span(&event, 1)); };
  event.y.pop_back();
  CHECK_THROWS_MATCHES(load(), UsageError, MessageMatches(ContainsSubstring("toy event 1")));
  event = test::toy_velo_event(5, 5, 1);
  std::swap(event.module_offsets[40], event.module_offsets[1]);
  CHECK_THROWS_AS(load(), UsageError);
  event = {};
  event.name = "too many";
  event.x = event.y = event.z = std::vector<double>(65536, 1.);
  event.module_offsets.back() = 65536;
  CHECK_THROWS_MATCHES(load(), CapacityError, MessageMatches(ContainsSubstring("65536")));
}
