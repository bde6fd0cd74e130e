// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>

#include "launchers/check_launchers.hpp"
#include "pipeline/lhcb_velo_ut.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

template <class Space>
using VeloUt = pipeline::VeloUtSequence<float, Space>;

/// The step that runs out of memory, or "" where none does.
template <class Space>
std::string out_of_memory(VeloUt<Space>& velo_ut, const test::Shared<lhcb::RawEvent>& events) {
  try {
    velo_ut.stage(events);
    velo_ut.run();
  } catch (const pipeline::ArenaError& error) {
    const std::string message = error.what();
    CHECK_THAT(message, ContainsSubstring("bytes for Trackplex::"));
    return message.substr(0, message.find(':'));
  }
  return "";
}

/// All names of steps that run out of memory as there is less and less of it.
template <class Space>
std::map<std::string, int> all_out_of_memory(const std::vector<std::string>& steps) {
  const auto events = test::raw_events(8);
  const auto pointers = test::shared(events);
  VeloUt<Space> roomy(Space(), 60'000'000, test::ideal_detector(), {});
  roomy.sequence().select(steps);
  const auto expected = test::bits_of(test::in_batches(roomy, pointers, events.size()));
  const auto needed = roomy.report().device.high_water;
  std::map<std::string, int> culprits;
  for (std::size_t percent = 1; percent < 100; percent += 3) {
    CAPTURE(percent);
    VeloUt<Space> tight(Space(), needed * percent / 100, test::ideal_detector(), {});
    tight.sequence().select(steps);
    ++culprits[out_of_memory(tight, pointers)];
    if (percent >= 50)  // after the error, events one by one
      CHECK(test::bits_of(test::in_batches(tight, pointers, 1)) == expected);
  }
  CHECK(culprits.count("") == 0);
  return culprits;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("The VELO and UT sequence names the step that lacks memory, and goes on",
                        "[pipeline][lhcb]", test::EnabledSpaces) {
  auto culprits = all_out_of_memory<TestType>(test::velo_ut_fused);
  CHECK(culprits["stage_banks"] > 0);
  CHECK(culprits["velo_ut_tracks"] > 0);
  culprits = all_out_of_memory<TestType>(test::velo_ut_step_by_step);
  for (const char* step : {"stage_banks", "cluster_vp", "velo_tracks", "ut_windows"}) {
    CAPTURE(step);
    CHECK(culprits[step] > 0);
  }
}

TEMPLATE_LIST_TEST_CASE("The VELO and UT sequence allocates nothing after its construction",
                        "[pipeline][lhcb]", test::EnabledSpaces) {
  const TestType exec;
  const auto events = test::raw_events(6);
  const auto pointers = test::shared(events);
  for (const bool end_of_velo_states : {true, false})
    for (const auto& steps :
         {test::velo_ut_fused, test::velo_ut_step_by_step, test::velo_ut_in_other_order}) {
      CAPTURE(end_of_velo_states, steps);
      lhcb::VeloUtParameters parameters;
      parameters.ut.end_of_velo_states = end_of_velo_states;
      VeloUt<TestType> velo_ut(exec, 60'000'000, test::ideal_detector(), parameters);
      velo_ut.sequence().select(steps);
      const auto recorded =
          test::record([&] { test::in_batches(velo_ut, pointers, events.size() / 2); });
      for (const auto& label : recorded.allocations) {
        CAPTURE(label);
        CHECK(test::is_kokkos_own(label));  // scratch of teams, which grows at first
      }
      CHECK(recorded.global_fences.empty());
      CHECK(recorded.kernels.size() % 2 == 0);
      for (const auto& kernel : recorded.kernels) {
        CAPTURE(kernel.label);
        CHECK(test::is_trackplex_label(kernel.label));
        CHECK(kernel.device == test::number_of(exec));
      }
      const std::size_t steps_besides = 4;  // stage, copy, fetch, collect
      const std::size_t kernels =
          steps.size() - steps_besides -
          (!end_of_velo_states && std::ranges::count(steps, "velo_end_states") > 0);
      CHECK(recorded.kernels.size() == 2 * kernels);
    }
}

TEST_CASE("A damaged bank is named, and the VELO and UT sequence goes on", "[pipeline][lhcb]") {
  const auto events = test::raw_events(4);
  VeloUt<Kokkos::DefaultHostExecutionSpace> velo_ut({}, 60'000'000, test::ideal_detector(), {});
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
