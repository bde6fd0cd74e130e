// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/chain/plan.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace trackplex::chain;
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

std::vector<std::vector<int>> releases(const Plan& plan) {
  std::vector<std::vector<int>> lists;
  for (const auto& step : plan.steps) lists.push_back(step.releases);
  return lists;
}

std::vector<bool> waits(const Plan& plan) {
  std::vector<bool> list;
  for (const auto& step : plan.steps) list.push_back(step.waits);
  return list;
}

}  // namespace

TEST_CASE("Memory is released after the last reader, results stay", "[chain]") {
  const auto plan = make_plan(steps(), products(), all);
  CHECK(releases(plan) ==
        std::vector<std::vector<int>>{{}, {staged}, {}, {sorted}, {hits, tracks}});
  CHECK(plan.first_device == 1);
  CHECK(plan.end_device == 4);
}

TEST_CASE("What is shared lives as long as what was made of it", "[chain]") {
  auto some = steps();
  some[copy_in].aliases_inputs = true;  // hits are the staged arrays
  CHECK(releases(make_plan(some, products(), all)) ==
        std::vector<std::vector<int>>{{}, {}, {}, {sorted}, {staged, hits, tracks}});
  some[search].aliases_inputs = true;  // tracks look into sorted
  CHECK(releases(make_plan(some, products(), all)) ==
        std::vector<std::vector<int>>{{}, {}, {}, {}, {staged, hits, sorted, tracks}});
  some[collect].aliases_inputs = true;  // and the result into all
  CHECK(releases(make_plan(some, products(), all)) ==
        std::vector<std::vector<int>>{{}, {}, {}, {}, {}});
}

TEST_CASE("Host steps wait for the device steps before them", "[chain]") {
  CHECK(waits(make_plan(steps(), products(), all)) ==
        std::vector<bool>{false, false, false, false, true});
  auto with_host_sort = steps();
  with_host_sort[sort].on_host = true;
  CHECK(waits(make_plan(with_host_sort, products(), all)) ==
        std::vector<bool>{false, false, true, false, true});
}

TEST_CASE("A step waits whose room depends on what the device has counted", "[chain]") {
  auto some = products();
  some[sorted].read_by_host = true;
  CHECK(waits(make_plan(steps(), some, all)) == std::vector<bool>{false, false, false, true, true});
  some[staged].read_by_host = true;  // made by the host: nothing to wait for
  CHECK(waits(make_plan(steps(), some, all)) == std::vector<bool>{false, false, false, true, true});
}

TEST_CASE("Steps can be exchanged and left out", "[chain]") {
  const auto plan = make_plan(steps(), products(), {stage, copy_in, search_unsorted, collect});
  CHECK(releases(plan) == std::vector<std::vector<int>>{{}, {staged}, {}, {hits, tracks}});
  CHECK(plan.end_device == 3);
  // Nobody reads the hits: they are the result.
  CHECK(releases(make_plan(steps(), products(), {stage, copy_in})) ==
        std::vector<std::vector<int>>{{}, {staged}});
  CHECK(make_plan(steps(), products(), {stage}).end_device == 1);
  CHECK(make_plan(steps(), products(), {}).steps.empty());
}

TEST_CASE("What a pass makes lives until its last reader before it is made again", "[chain]") {
  auto some = steps();
  for (const int step : {sort, search, collect}) some[std::size_t(step)].passes = 2;
  some[collect].reads = {tracks};
  const auto plan =
      make_plan(some, products(), {stage, copy_in, sort, search, collect, sort, search, collect});
  // The list is made in both passes and read in none: it stays
  CHECK(releases(plan) == std::vector<std::vector<int>>{
                              {}, {staged}, {}, {sorted}, {tracks}, {}, {hits, sorted}, {tracks}});
  std::vector<int> passes;
  for (const auto& step : plan.steps) passes.push_back(step.pass);
  CHECK(passes == std::vector{0, 0, 0, 0, 0, 1, 1, 1});
  CHECK(plan.has_passes());
  // What a pass reads of the pass before lives until then
  CHECK(releases(make_plan(some, products(), {stage, copy_in, sort, search, collect, search})) ==
        std::vector<std::vector<int>>{{}, {staged}, {}, {}, {tracks}, {hits, sorted}});
  CHECK_THROWS_MATCHES(
      make_plan(some, products(), {stage, copy_in, sort, sort, sort}), trackplex::UsageError,
      MessageMatches(ContainsSubstring("sort occurs more often than there are passes (2 passes)")));
}

TEST_CASE("A chain that cannot run is refused", "[chain]") {
  const auto refused = [](const std::vector<int>& order, const std::string& problem) {
    CHECK_THROWS_MATCHES(make_plan(steps(), products(), order), trackplex::UsageError,
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
  refused({stage, copy_in, sort, sort}, "sort makes sorted, which is there already (made by sort)");
  auto given = products();
  given[staged].is_input = true;
  CHECK_THROWS_MATCHES(
      make_plan(steps(), given, all), trackplex::UsageError,
      MessageMatches(ContainsSubstring("staged, which is there already (it is an input)")));
}
