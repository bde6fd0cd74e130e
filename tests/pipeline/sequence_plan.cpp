// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/pipeline/sequence_plan.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace trackplex::pipeline;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

enum Product { events, staged, hits, sorted, tracks, list };

std::vector<ProductDescription> products() {
  return {{"events", true}, {"staged"}, {"hits"}, {"sorted"}, {"tracks"}, {"list"}};
}

enum Step { stage, copy_in, sort, search, collect, search_unsorted };

std::vector<StepDescription> steps() {
  return {{"stage", {events}, {staged}, true},
          {"copy_in", {staged}, {hits}},
          {"sort", {hits}, {sorted}},
          {"search", {hits, sorted}, {tracks}},
          {"collect", {hits, tracks}, {list}, true},
          {"search_unsorted", {hits}, {tracks}}};
}

const std::vector<int> all{stage, copy_in, sort, search, collect};

std::vector<std::vector<int>> releases(const SequencePlan& plan) {
  std::vector<std::vector<int>> lists;
  for (const auto& step : plan.steps) lists.push_back(step.releases);
  return lists;
}

std::vector<bool> waits(const SequencePlan& plan) {
  std::vector<bool> list;
  for (const auto& step : plan.steps) list.push_back(step.waits);
  return list;
}

}  // namespace

TEST_CASE("Memory is released after the last reader, results stay", "[sequence]") {
  const auto plan = plan_sequence(steps(), products(), all);
  CHECK(releases(plan) ==
        std::vector<std::vector<int>>{{}, {staged}, {}, {sorted}, {hits, tracks}});
  CHECK(plan.first_device == 1);
  CHECK(plan.end_device == 4);
}

TEST_CASE("What is shared lives as long as what was made of it", "[sequence]") {
  auto some = steps();
  some[copy_in].shares_inputs = true;  // hits are the staged arrays
  CHECK(releases(plan_sequence(some, products(), all)) ==
        std::vector<std::vector<int>>{{}, {}, {}, {sorted}, {staged, hits, tracks}});
  some[search].shares_inputs = true;  // tracks look into sorted
  CHECK(releases(plan_sequence(some, products(), all)) ==
        std::vector<std::vector<int>>{{}, {}, {}, {}, {staged, hits, sorted, tracks}});
  some[collect].shares_inputs = true;  // and the result into all
  CHECK(releases(plan_sequence(some, products(), all)) ==
        std::vector<std::vector<int>>{{}, {}, {}, {}, {}});
}

TEST_CASE("Host steps wait for the device steps before them", "[sequence]") {
  CHECK(waits(plan_sequence(steps(), products(), all)) ==
        std::vector<bool>{false, false, false, false, true});
  auto with_host_sort = steps();
  with_host_sort[sort].on_host = true;
  CHECK(waits(plan_sequence(with_host_sort, products(), all)) ==
        std::vector<bool>{false, false, true, false, true});
}

TEST_CASE("A step waits whose room depends on what the device has counted", "[sequence]") {
  auto some = products();
  some[sorted].read_by_host = true;
  CHECK(waits(plan_sequence(steps(), some, all)) ==
        std::vector<bool>{false, false, false, true, true});
  some[staged].read_by_host = true;  // made by the host: nothing to wait for
  CHECK(waits(plan_sequence(steps(), some, all)) ==
        std::vector<bool>{false, false, false, true, true});
}

TEST_CASE("Steps can be exchanged and left out", "[sequence]") {
  const auto plan = plan_sequence(steps(), products(), {stage, copy_in, search_unsorted, collect});
  CHECK(releases(plan) == std::vector<std::vector<int>>{{}, {staged}, {}, {hits, tracks}});
  CHECK(plan.end_device == 3);
  // Nobody reads the hits: they are the result.
  CHECK(releases(plan_sequence(steps(), products(), {stage, copy_in})) ==
        std::vector<std::vector<int>>{{}, {staged}});
  CHECK(plan_sequence(steps(), products(), {stage}).end_device == 1);
  CHECK(plan_sequence(steps(), products(), {}).steps.empty());
}

TEST_CASE("A sequence that cannot run is refused", "[sequence]") {
  const auto refused = [](const std::vector<int>& order, const std::string& problem) {
    CHECK_THROWS_MATCHES(plan_sequence(steps(), products(), order), trackplex::UsageError,
                         MessageMatches(ContainsSubstring(problem)));
  };
  refused({stage, copy_in, search},
          "search reads sorted, which no step before it makes; it is made by: sort");
  refused({stage, copy_in, collect},
          "collect reads tracks, which no step before it makes; it is made by: search, "
          "search_unsorted");
  refused({copy_in, stage}, "copy_in reads staged");
  refused({stage, copy_in, sort, search, search_unsorted},
          "search_unsorted makes tracks, which is there already (made by search)");
  auto given = products();
  given[staged].given = true;
  CHECK_THROWS_MATCHES(
      plan_sequence(steps(), given, all), trackplex::UsageError,
      MessageMatches(ContainsSubstring("staged, which is there already (it is given)")));
}
