// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <span>

#include "cylinder_reference.hpp"
#include "launchers/recorded_events.hpp"
#include "support/spaces.hpp"

/// @file
/// The same checks for all number types and spaces, in sources of their own: they take long to
/// compile.

namespace trackplex::test {

using CylinderEvents = std::vector<std::shared_ptr<const seeding::TrackingEvents>>;

/// Results of all events, in batches.
template <class Tracking>
std::vector<pipeline::CylinderResult> run_batches(Tracking& tracking, const CylinderEvents& events,
                                                  std::size_t batch) {
  std::vector<pipeline::CylinderResult> results;
  const std::span all(events);
  for (std::size_t first = 0; first < all.size(); first += batch) {
    tracking.stage(all.subspan(first, std::min(batch, all.size() - first)));
    tracking.run();
    tracking.collect(results);
  }
  return results;
}

inline std::vector<pipeline::CylinderChoice> cylinder_choices() {
  return {
      {},
      {.strategy = "standard"},
      {.strategy = "best_hit", .smooth = true},
      {.strategy = "clone_engine", .remove_shared_hits = true},
      {.triplets = true, .strategy = "best_hit"},
      {.triplets = true, .strategy = "standard", .remove_shared_hits = true},
      {.triplets = true, .strategy = "clone_engine", .remove_shared_hits = true, .smooth = true}};
}

inline constexpr std::size_t plenty = std::size_t(64) << 20;

template <class Real, class Space>
void check_same_as_direct_calls() {
  const auto events = cylinder_events();
  const auto settings = cylinder_settings();
  pipeline::CylinderSequence<Real, Space> sequence(Space(), plenty, settings);
  CHECK(sequence.sequence().selected() == pipeline::CylinderChoice().steps());
  DirectCylinderTracking<Real, Space> direct(events, settings);
  for (const auto& choice : cylinder_choices()) {
    CAPTURE(choice.triplets, choice.strategy, choice.remove_shared_hits, choice.smooth);
    const auto expected = direct.run(choice);
    // Something was found, lost and left out
    std::size_t seeds = 0, tracks = 0, complete = 0;
    int lost = 0;
    for (const auto& result : expected) {
      seeds += result.seeds.size();
      tracks += result.tracks.size();
      lost += result.lost_seeds;
      for (const auto& fit : result.fits) complete += fit.reached && fit.measurements > 6 ? 1 : 0;
    }
    CHECK(complete > 300);
    CHECK((tracks < seeds) == choice.remove_shared_hits);
    CHECK((lost > 0) == choice.triplets);
    sequence.select(choice.steps());
    for (const std::size_t batch : {std::size_t(1), std::size_t(3), events.size()}) {
      CAPTURE(batch);
      CHECK(hashes_of(run_batches(sequence, events, batch)) == hashes_of(expected));
    }
  }
}

/// With too little memory an algorithm says so, and fewer events are tracked as ever.
template <class Real, class Space>
void check_little_memory() {
  const auto events = cylinder_events();
  const auto settings = cylinder_settings();
  pipeline::CylinderSequence<Real, Space> enough(Space(), plenty, settings);
  const auto steps = pipeline::CylinderChoice{.triplets = true, .remove_shared_hits = true}.steps();
  enough.select(steps);
  const auto expected = hashes_of(run_batches(enough, events, 1));
  const auto largest = enough.report().device.high_water;
  CHECK(enough.report().device.capacity == plenty);

  std::set<std::string> who;
  for (std::size_t bytes = 4096; bytes < 4 * largest; bytes += bytes / 2) {
    pipeline::CylinderSequence<Real, Space> sequence(Space(), bytes, settings, plenty);
    sequence.select(steps);
    std::string message;
    try {
      run_batches(sequence, events, events.size());
    } catch (const pipeline::ArenaError& error) {
      message = error.what();
    }
    if (message.empty()) continue;
    const auto name = message.substr(0, message.find(':'));
    CAPTURE(bytes, message);
    CHECK(std::ranges::count(steps, name) == 1);
    who.insert(name);
    if (bytes < 2 * largest) continue;
    CHECK(hashes_of(run_batches(sequence, events, 1)) == expected);
  }
  CHECK(who.size() >= 3);
  CHECK(who.count("find_triplets") == 1);
}

template <class Real, class Space>
void check_no_allocations() {
  const auto events = cylinder_events();
  pipeline::CylinderSequence<Real, Space> sequence(Space(), plenty, cylinder_settings());
  for (const auto& choice : cylinder_choices()) {
    CAPTURE(choice.triplets, choice.strategy, choice.remove_shared_hits, choice.smooth);
    sequence.select(choice.steps());
    run_batches(sequence, events, events.size());  // Kokkos' own memory for launches
    const auto reported = record([&] { run_batches(sequence, events, 3); });
    CHECK(reported.kernels.size() > 0);
    CHECK(reported.allocations == std::vector<std::string>{});
    CHECK(reported.global_fences == std::vector<std::string>{});
  }
}

template <class Real, class Space>
void check_cylinder_sequence() {
  SECTION("the results are those of direct calls") { check_same_as_direct_calls<Real, Space>(); }
  SECTION("too little memory") { check_little_memory<Real, Space>(); }
  SECTION("nothing is allocated") { check_no_allocations<Real, Space>(); }
}

/// The spaces of this build, but for the first one.
template <class Real, class First, class... Others>
void check_other_spaces(const std::tuple<First, Others...>*) {
  const auto check = [&]<class Space>(std::type_identity<Space>) {
    DYNAMIC_SECTION(Space::name()) { check_cylinder_sequence<Real, Space>(); }
  };
  (check(std::type_identity<Others>{}), ...);
}
using FirstSpace = std::tuple_element_t<0, EnabledSpaces>;

}  // namespace trackplex::test
