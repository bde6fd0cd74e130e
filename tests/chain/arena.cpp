// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/chain/arena.hpp>
#include <trackplex/core/random.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>
#include <map>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using trackplex::chain::Arena;
using trackplex::chain::ArenaError;

TEST_CASE("Segments stand one after the other, aligned", "[arena]") {
  Arena arena(1024, 64);
  CHECK(arena.take(1, "a") == 0);
  CHECK(arena.take(64, "b") == 64);
  CHECK(arena.take(65, "c") == 128);
  CHECK(arena.take(0, "nothing has a place as well") == 256);
  CHECK(arena.used() == 320);
  CHECK(arena.largest_hole() == 1024 - 320);
  REQUIRE(arena.segments().size() == 4);
  CHECK(arena.segments()[2].offset == 128);
  CHECK(arena.segments()[2].bytes == 128);
}

TEST_CASE("A segment takes the smallest hole that holds it", "[arena]") {
  Arena arena(1024, 64);
  const auto a = arena.take(256, "a");
  arena.take(64, "wall");
  const auto b = arena.take(128, "b");
  arena.take(64, "wall");
  const auto c = arena.take(128, "c");
  arena.take(64, "wall");
  for (const auto offset : {a, b, c}) arena.release(offset);
  CHECK(arena.take(100, "the first of two holes of 128") == b);
  CHECK(arena.take(200, "the hole of 256") == a);
  CHECK(arena.take(300, "the end, of 320") == 704);
  CHECK(arena.used() == 192 + 128 + 256 + 320);
  CHECK(arena.high_water() == arena.used());
  arena.release_all();
  CHECK(arena.used() == 0);
  CHECK(arena.high_water() == 896);
}

TEST_CASE("Neighbouring holes are one", "[arena]") {
  Arena arena(768, 256);
  const auto a = arena.take(256, "a"), b = arena.take(256, "b"), c = arena.take(256, "c");
  CHECK_FALSE(arena.try_take(1));
  arena.release(a);
  arena.release(c);
  CHECK_FALSE(arena.try_take(512));
  arena.release(b);
  CHECK(arena.try_take(768) == 0);
}

TEST_CASE("An arena without room says who asked, for what, and what there is", "[arena]") {
  Arena arena(1000, 256);
  arena.take(256, "hits");
  CHECK_FALSE(arena.try_take(745));
  CHECK_THROWS_MATCHES(
      arena.take(745, "tracks", "find_tracks"), ArenaError,
      MessageMatches(
          ContainsSubstring("find_tracks: 745 bytes for tracks do not fit") &&
          ContainsSubstring("capacity 1000") && ContainsSubstring("256 bytes are in use") &&
          ContainsSubstring("largest hole has 744") && ContainsSubstring("fewer events")));
  CHECK_FALSE(arena.try_take(std::numeric_limits<std::size_t>::max()));
  CHECK(arena.used() == 256);
}

TEST_CASE("What is wrong with a call of an arena is told", "[arena]") {
  CHECK_THROWS_AS(Arena(100, 3), trackplex::UsageError);
  CHECK_THROWS_AS(Arena(100, 0), trackplex::UsageError);
  Arena arena(1024);
  const auto a = arena.take(10, "a");
  CHECK_THROWS_AS(arena.release(a + 1), trackplex::UsageError);
  arena.release(a);
  CHECK_THROWS_AS(arena.release(a), trackplex::UsageError);
}

TEST_CASE("Segments never overlap and all memory comes back", "[arena]") {
  constexpr std::size_t capacity = 1 << 16;
  Arena arena(capacity, 64);
  std::map<std::size_t, std::size_t> held;  // offset, bytes
  trackplex::RandomStream<double> random(2026, 11);
  std::size_t refused = 0, most = 0;
  for (int i = 0; i < 20000; ++i) {
    if (!held.empty() && random.uniform() < 0.5) {
      auto chosen = held.begin();
      std::advance(chosen, std::ptrdiff_t(random.uniform() * double(held.size())));
      arena.release(chosen->first);
      held.erase(chosen);
    } else {
      const auto bytes = std::size_t(random.uniform() * 6000.);
      const auto offset = arena.try_take(bytes);
      if (!offset) {
        ++refused;
        REQUIRE(arena.largest_hole() < (bytes + 63) / 64 * 64);
        continue;
      }
      REQUIRE(*offset % 64 == 0);
      REQUIRE(*offset + bytes <= capacity);
      const auto next = held.lower_bound(*offset);
      REQUIRE((next == held.end() || *offset + bytes <= next->first));
      REQUIRE(
          (next == held.begin() || std::prev(next)->first + std::prev(next)->second <= *offset));
      held[*offset] = std::max<std::size_t>(bytes, 1);
    }
    most = std::max(most, arena.used());
  }
  CHECK(refused > 100);
  CHECK(arena.high_water() == most);
  for (const auto& [offset, bytes] : held) arena.release(offset);
  CHECK(arena.used() == 0);
  CHECK(arena.largest_hole() == capacity);
}
