// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <span>

#include "events.hpp"
#include "launchers/recorded_events.hpp"
#include "support/spaces.hpp"

/// @file
/// The same checks for all number types and spaces, in sources of their own: they take long to
/// compile.

namespace trackplex::test {

/// Results of all events, in batches.
template <class Chain>
std::vector<cylinder::CylinderResult> run_batches(Chain& chain, const CylinderEvents& events,
                                                  std::size_t batch) {
  std::vector<cylinder::CylinderResult> results;
  const std::span all(events);
  for (std::size_t first = 0; first < all.size(); first += batch) {
    chain.stage(all.subspan(first, std::min(batch, all.size() - first)));
    chain.run();
    chain.collect(results);
  }
  return results;
}

inline std::vector<cylinder::CylinderSteps> choices_of_steps() {
  return {
      {},
      {.strategy = "standard"},
      {.strategy = "best_hit", .smooth = true},
      {.strategy = "clone_engine", .resolve_ambiguities = true},
      {.triplets = true, .strategy = "best_hit"},
      {.triplets = true, .strategy = "standard", .resolve_ambiguities = true},
      {.triplets = true, .strategy = "clone_engine", .resolve_ambiguities = true, .smooth = true}};
}

inline constexpr chain::ArenaSize plenty{std::size_t(64) << 20, std::size_t(32) << 20};

/// Results do not depend on where the memory comes from, or on the batches.
template <class T, class Space>
void check_memory_and_batches() {
  const auto events = cylinder_events();
  std::vector<tracks::TrackingEvents> list;
  for (const auto& event : events) list.push_back(*event);
  auto growing = cylinder::tracking_chain<T>(Space(), tracking_params());
  auto in_arena = cylinder::tracking_chain<T>(Space(), tracking_params(), plenty);
  CHECK(in_arena.selected() == cylinder::CylinderSteps().names());
  for (const auto& choice : choices_of_steps()) {
    CAPTURE(choice.triplets, choice.strategy, choice.resolve_ambiguities, choice.smooth);
    growing.select(choice.names());
    in_arena.select(choice.names());
    const auto expected = growing(list);
    // Something was found, lost and removed
    std::size_t seeds = 0, tracks = 0, complete = 0;
    int lost = 0;
    for (const auto& result : expected) {
      seeds += result.seeds.size();
      tracks += result.tracks.size();
      lost += result.lost_seeds;
      for (const auto& fit : result.fits) complete += fit.reached && fit.measurements > 6 ? 1 : 0;
    }
    CHECK(complete > 300);
    CHECK((tracks < seeds) == choice.resolve_ambiguities);
    CHECK((lost > 0) == choice.triplets);
    for (const std::size_t batch : {std::size_t(1), std::size_t(3), events.size()}) {
      CAPTURE(batch);
      CHECK(hashes_of(run_batches(in_arena, events, batch)) == hashes_of(expected));
      CHECK(hashes_of(run_batches(growing, events, batch)) == hashes_of(expected));
    }
  }
}

/// With too little memory an algorithm says so, and fewer events are tracked as ever.
template <class T, class Space>
void check_little_memory() {
  const auto events = cylinder_events();
  auto enough = cylinder::tracking_chain<T>(Space(), tracking_params(), plenty);
  const auto steps = cylinder::CylinderSteps{.triplets = true, .resolve_ambiguities = true}.names();
  enough.select(steps);
  const auto expected = hashes_of(run_batches(enough, events, 1));
  const auto largest = enough.report().device.high_water;
  CHECK(enough.report().device.capacity == plenty.device);

  std::set<std::string> who;
  for (std::size_t bytes = 4096; bytes < 4 * largest; bytes += bytes / 2) {
    auto little = cylinder::tracking_chain<T>(Space(), tracking_params(), {bytes, plenty.pinned});
    little.select(steps);
    std::string message;
    try {
      run_batches(little, events, events.size());
    } catch (const chain::ArenaError& error) {
      message = error.what();
    }
    if (message.empty()) continue;
    const auto name = message.substr(0, message.find(':'));
    CAPTURE(bytes, message);
    CHECK(std::ranges::count(steps, name) == 1);
    who.insert(name);
    if (bytes < 2 * largest) continue;
    CHECK(hashes_of(run_batches(little, events, 1)) == expected);
  }
  CHECK(who.size() >= 3);
  CHECK(who.count("find_triplets") == 1);
}

/// Nothing is allocated in an arena; without one, nothing the second time.
template <class T, class Space>
void check_no_allocations() {
  const auto events = cylinder_events();
  auto in_arena = cylinder::tracking_chain<T>(Space(), tracking_params(), plenty);
  auto growing = cylinder::tracking_chain<T>(Space(), tracking_params());
  for (const auto& choice : choices_of_steps())
    for (auto* chain : {&in_arena, &growing}) {
      CAPTURE(choice.triplets, choice.strategy, choice.resolve_ambiguities, choice.smooth);
      chain->select(choice.names());
      run_batches(*chain, events, events.size());  // Kokkos' own memory for launches
      const auto reported = record([&] { run_batches(*chain, events, 3); });
      CHECK(reported.kernels.size() > 0);
      CHECK(reported.allocations == std::vector<std::string>{});
      CHECK(reported.global_fences == std::vector<std::string>{});
    }
}

template <class T, class Space>
void check_tracking_chain() {
  SECTION("memory and batches") { check_memory_and_batches<T, Space>(); }
  SECTION("too little memory") { check_little_memory<T, Space>(); }
  SECTION("nothing is allocated") { check_no_allocations<T, Space>(); }
}

using FirstSpace = std::tuple_element_t<0, trackplex::EnabledSpaces>;

}  // namespace trackplex::test
