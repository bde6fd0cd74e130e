// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <trackplex/core/bytes.hpp>

#include "launchers/check_launchers.hpp"
#include "lhcb/velo/velo_chain.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

template <class Space>
using Velo = lhcb::VeloChain<float, Space>;

template <class Space>
Velo<Space> velo_in(std::size_t bytes, const lhcb::TripletParams& params = {}) {
  return lhcb::velo_chain<float>(Space(), params, {bytes, bytes});
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("The VELO chain names the step that lacks memory, and goes on with less",
                        "[lhcb]", test::EnabledSpaces) {
  const auto events = test::velo_events(8);
  const auto pointers = test::shared(events);
  auto roomy = velo_in<TestType>(20'000'000);
  const auto expected = test::bits_of(test::in_batches(roomy, pointers, events.size()));
  const auto needed = roomy.report().device.high_water;
  REQUIRE(needed > 100'000);

  std::map<std::string, int> culprits;
  for (std::size_t percent = 2; percent < 100; percent += 7) {
    CAPTURE(percent);
    auto tight = velo_in<TestType>(needed * percent / 100);
    ++culprits[test::out_of_memory(tight, pointers)];
    if (percent >= 50)  // after the error, events one by one
      CHECK(test::bits_of(test::in_batches(tight, pointers, 1)) == expected);
  }
  CHECK(culprits.count("") == 0);
  CHECK(culprits["stage_velo_hits"] > 0);
  CHECK(culprits["search_by_triplet"] > 0);
  auto enough = velo_in<TestType>(needed);
  CHECK(test::out_of_memory(enough, pointers) == "");
}

TEMPLATE_LIST_TEST_CASE("The VELO chain allocates nothing after its construction", "[lhcb]",
                        test::EnabledSpaces) {
  const TestType exec;
  const auto events = test::velo_events(4);
  const auto pointers = test::shared(events);
  for (const bool merge_sides : {true, false}) {
    CAPTURE(merge_sides);
    lhcb::TripletParams params;
    params.merge_sides = merge_sides;
    auto velo = velo_in<TestType>(20'000'000, params);
    const auto recorded =
        test::record([&] { test::in_batches(velo, pointers, events.size() / 2); });
    for (const auto& label : recorded.allocations) {
      CAPTURE(label);
      // Scratch of teams, which grows at first, and blocks of results
      CHECK((test::is_kokkos_own(label) || label == "Trackplex::Chain::block"));
    }
    CHECK(recorded.global_fences.empty());
    CHECK(recorded.kernels.size() == 12);
    for (const auto& kernel : recorded.kernels) {
      CAPTURE(kernel.label);
      CHECK(test::is_trackplex_label(kernel.label));
      CHECK(kernel.device == test::number_of(exec));
    }
    const auto again = test::record([&] { test::in_batches(velo, pointers, events.size() / 2); });
    CHECK(again.allocations == std::vector<std::string>{});
  }
}

TEMPLATE_LIST_TEST_CASE("VELO results outlive later batches and their chain", "[lhcb]",
                        test::EnabledSpaces) {
  const auto events = test::velo_events(6);
  const auto pointers = test::shared(events);
  const auto expected = [&] {
    auto velo = velo_in<TestType>(20'000'000);
    return test::bits_of(test::in_batches(velo, pointers, events.size()));
  }();
  std::vector<lhcb::VeloResult> kept;
  {
    auto velo = velo_in<TestType>(20'000'000);
    for (const std::size_t batch : {std::size_t(2), std::size_t(5), events.size()}) {
      auto results = test::in_batches(velo, pointers, batch);
      CHECK(test::bits_of(results) == expected);
      if (kept.empty()) kept = std::move(results);
    }
  }
  const auto first = kept[0];
  CHECK(test::bits_of(kept) == expected);
  kept.clear();
  CHECK(test::bits(first) == expected[0]);
}

TEMPLATE_LIST_TEST_CASE("Memory of VELO results is used again when they are gone", "[lhcb]",
                        test::EnabledSpaces) {
  const auto events = test::velo_events(2);
  const auto pointers = test::shared(events);
  auto velo = velo_in<TestType>(20'000'000);
  const auto found = [&] { return test::in_batches(velo, pointers, events.size()); };
  const auto address = [](const auto& results) { return results[0].tracks.hits.data(); };
  auto results = found();
  const auto* const before = address(results);
  CHECK(address(found()) != before);
  results.clear();
  results = found();
  const auto again = found();
  CHECK((address(results) == before || address(again) == before));
}

TEST_CASE("A VELO result comes back from its bytes", "[lhcb]") {
  const auto events = test::velo_events(2);
  auto velo = velo_in<HostExecutor>(20'000'000);
  const auto results = test::in_batches(velo, test::shared(events), events.size());
  const auto bytes = ByteWriter().add(results).take();
  CHECK(ByteReader(bytes).read<std::vector<lhcb::VeloResult>>() == results);
}

TEST_CASE("A bad event is named, and the VELO chain goes on", "[lhcb]") {
  auto events = test::velo_events(3);
  auto velo = velo_in<HostExecutor>(20'000'000);
  const auto expected = test::bits_of(test::in_batches(velo, test::shared(events), events.size()));
  auto damaged = events;
  damaged[2].name = "bad event";
  damaged[2].y.pop_back();
  CHECK_THROWS_MATCHES(velo.stage(test::shared(damaged)), UsageError,
                       MessageMatches(ContainsSubstring("bad event")));
  CHECK(test::bits_of(test::in_batches(velo, test::shared(events), 4)) == expected);
  velo.stage({});
  velo.run();
  std::vector<lhcb::VeloResult> none;
  velo.collect(none);
  CHECK(none.empty());
}
