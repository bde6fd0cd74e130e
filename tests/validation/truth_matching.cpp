// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/validation/truth_matching.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdint>
#include <vector>

namespace {

using namespace trackplex;
using namespace trackplex::validation;
using Hits = std::vector<std::uint16_t>;
using Truth = std::vector<std::vector<std::uint32_t>>;

HitOwners owners_of(std::size_t hits, const Truth& truth) {
  return {hits, truth.size(), [&](std::size_t p) -> const auto& {return truth[p];
}
};  // namespace
}

std::vector<std::uint32_t> list(std::span<const std::uint32_t> values) {
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("Hits know their particles", "[validation]") {
  const auto owners = owners_of(5, {{4, 0}, {}, {2, 0, 2}, {0}});
  REQUIRE(owners.size() == 5);
  CHECK(list(owners[0]) == std::vector<std::uint32_t>{0, 2, 3});
  CHECK(list(owners[1]).empty());
  CHECK(list(owners[2]) == std::vector<std::uint32_t>{2});  // listed twice, counts once
  CHECK(list(owners[3]).empty());
  CHECK(list(owners[4]) == std::vector<std::uint32_t>{0});
}

TEST_CASE("An event may have no hits, or no particles", "[validation]") {
  CHECK(owners_of(0, {}).size() == 0);
  CHECK(owners_of(0, {{}, {}}).size() == 0);
  CHECK(list(owners_of(3, {})[2]).empty());
}

TEST_CASE("A track shares hits with particles", "[validation]") {
  const Truth truth = {{5, 6}, {0, 1, 2, 3}, {3, 4}};
  const auto owners = owners_of(8, truth);
  TruthMatcher match(owners, truth.size());
  const auto shared = match(Hits{3, 7, 1, 2});
  REQUIRE(shared.size() == 2);
  CHECK(shared[0].particle == 1);
  CHECK(shared[0].hits == 3);
  CHECK(shared[0].weight == 0.75);
  CHECK(shared[1].particle == 2);
  CHECK(shared[1].hits == 1);
  CHECK(shared[1].weight == 0.25);

  CHECK(match(Hits{7}).empty());
  CHECK(match(Hits{}).empty());
  REQUIRE(match(Hits{5, 6}).size() == 1);  // nothing is left over from the calls before
  CHECK(match(Hits{5, 6})[0].hits == 2);
}

TEST_CASE("Hits outside of the event are errors", "[validation]") {
  CHECK_THROWS_AS(owners_of(3, {{0, 3}}), UsageError);
  const Truth truth = {{0, 1}};
  const auto owners = owners_of(3, truth);
  TruthMatcher match(owners, truth.size());
  CHECK_THROWS_AS(match(Hits{0, 3}), UsageError);
  CHECK_THROWS_WITH(match(Hits{0, 3}),
                    Catch::Matchers::ContainsSubstring("hit 3 outside of the event"));
}
