// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <memory>
#include <trackplex/core/bytes.hpp>

#include "launchers/check_launchers.hpp"
#include "lhcb/velo_ut_chain.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

template <class Space>
using VeloUt = lhcb::VeloUtChain<float, Space>;

template <class Space>
VeloUt<Space> velo_ut_in(std::size_t bytes, const lhcb::VeloUtParams& params = {}) {
  return lhcb::velo_ut_chain<float>(Space(), test::ideal_detector(), params, {bytes, bytes});
}

/// All names of steps that run out of memory as there is less and less of it.
template <class Space>
std::map<std::string, int> all_out_of_memory(const std::vector<std::string>& steps) {
  const auto events = test::raw_events(8);
  const auto pointers = test::shared(events);
  auto roomy = velo_ut_in<Space>(60'000'000);
  roomy.select(steps);
  const auto expected = test::bits_of(test::in_batches(roomy, pointers, events.size()));
  const auto needed = roomy.report().device.high_water;
  std::map<std::string, int> culprits;
  for (std::size_t percent = 1; percent < 100; percent += 3) {
    CAPTURE(percent);
    auto tight = velo_ut_in<Space>(needed * percent / 100);
    tight.select(steps);
    ++culprits[test::out_of_memory(tight, pointers)];
    if (percent >= 50)  // after the error, events one by one
      CHECK(test::bits_of(test::in_batches(tight, pointers, 1)) == expected);
  }
  CHECK(culprits.count("") == 0);
  return culprits;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("The VELO and UT chain names the step that lacks memory, and goes on",
                        "[lhcb]", test::EnabledSpaces) {
  auto culprits = all_out_of_memory<TestType>(VeloUt<TestType>::default_steps());
  for (const char* step : {"stage_banks", "cluster_vp", "sort_by_phi", "search_by_triplet"}) {
    CAPTURE(step);
    CHECK(culprits[step] > 0);
  }
}

TEMPLATE_LIST_TEST_CASE("The VELO and UT chain allocates nothing after its construction", "[lhcb]",
                        test::EnabledSpaces) {
  const TestType exec;
  const auto events = test::raw_events(6);
  const auto pointers = test::shared(events);
  for (const bool end_of_velo_states : {true, false})
    for (const auto& steps : {VeloUt<TestType>::default_steps(), test::velo_ut_in_other_order}) {
      CAPTURE(end_of_velo_states, steps);
      lhcb::VeloUtParams params;
      params.ut.end_of_velo_states = end_of_velo_states;
      auto velo_ut = velo_ut_in<TestType>(60'000'000, params);
      velo_ut.select(steps);
      const auto recorded =
          test::record([&] { test::in_batches(velo_ut, pointers, events.size() / 2); });
      for (const auto& label : recorded.allocations) {
        CAPTURE(label);
        // Scratch of teams, which grows at first, and blocks of results
        CHECK((test::is_kokkos_own(label) || label == "Trackplex::Chain::block"));
      }
      CHECK(recorded.global_fences.empty());
      CHECK(recorded.kernels.size() % 2 == 0);
      for (const auto& kernel : recorded.kernels) {
        CAPTURE(kernel.label);
        CHECK(test::is_trackplex_label(kernel.label));
        CHECK(kernel.device == test::number_of(exec));
      }
      const std::size_t steps_besides = 3;  // stage, copy, collect
      const std::size_t scans = 1;          // of count_velo_ut
      const std::size_t kernels =
          steps.size() - steps_besides + scans - std::size_t(!end_of_velo_states);
      CHECK(recorded.kernels.size() == 2 * kernels);
    }
}

TEST_CASE("Results of VELO and UT outlive their chain, and come back from their bytes", "[lhcb]") {
  const auto events = test::raw_events(4);
  auto velo_ut = std::make_unique<VeloUt<HostExecutor>>(velo_ut_in<HostExecutor>(60'000'000));
  const auto expected = test::in_batches(*velo_ut, test::shared(events), 3);
  const auto kept = test::in_batches(*velo_ut, test::shared(events), 1);
  const auto bytes = ByteWriter().add(expected).take();
  test::in_batches(*velo_ut, test::shared(events), events.size());
  velo_ut.reset();
  CHECK(kept == expected);
  CHECK(test::bits_of(kept) == test::bits_of(expected));
  CHECK(ByteReader(bytes).read<std::vector<lhcb::VeloUtResult>>() == expected);
}

TEST_CASE("A damaged bank is named, and the VELO and UT chain goes on", "[lhcb]") {
  const auto events = test::raw_events(4);
  auto velo_ut = velo_ut_in<HostExecutor>(60'000'000);
  const auto expected =
      test::bits_of(test::in_batches(velo_ut, test::shared(events), events.size()));
  const auto refused = [&](const auto& change, const std::string& problem) {
    auto damaged = events;
    damaged[2].name = "bad event";
    change(damaged[2]);
    CHECK_THROWS_MATCHES(
        velo_ut.stage(test::shared(damaged)), Error,
        MessageMatches(ContainsSubstring("bad event") && ContainsSubstring(problem)));
    CHECK(test::bits_of(test::in_batches(velo_ut, test::shared(events), 3)) == expected);
  };
  refused([](auto& event) { event.vp.bytes[5] = 0; }, "VP bank[5]");
  refused([](auto& event) { event.ut.bytes[7] = 3; }, "UT bank[7]");
  refused([](auto& event) { event.ut.version = 4; }, "another version");
  auto other = events;
  for (auto& event : other) event.ut.version = 4;
  CHECK_THROWS_MATCHES(velo_ut.stage(test::shared(other)), UsageError,
                       MessageMatches(ContainsSubstring("version 4 are not supported")));
  velo_ut.stage({});
  velo_ut.run();
  std::vector<lhcb::VeloUtResult> none;
  velo_ut.collect(none);
  CHECK(none.empty());
}
