// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain of passes: their order, its memory, observers, events without hits, and what is
// refused.
#include <trackplex/detector/collider_finder.hpp>
#include <trackplex/detector/track_finder.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "launchers/recorded_events.hpp"
#include "seeding/barrel_events.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

namespace {

using Params = detector::TrackFinderParams<>;
using Tracks = std::vector<detector::TrackList<>>;
using HitLists = std::vector<hits::HostDetectorHits>;
constexpr kalman::UniformField field{2.};
constexpr std::size_t plenty = std::size_t(64) << 20;

/// Barrels and disks, and events in them.
struct Setup {
  geometry::DetectorDescription detector = test::barrels_and_disks();
  geometry::LayerGraph graph = geometry::find_layer_graph(detector);
  HitLists events;

  /// @param particles of each event
  explicit Setup(const std::vector<int>& particles) {
    const simulation::DetectorGenerator generator(
        detector, geometry::UniformVectorField{0., 0., 2.}, {.noise_fraction = 0.2});
    for (std::size_t event = 0; event < particles.size(); ++event) {
      tracks::DetectorEvents list(detector);
      generator.add_event(
          event, simulation::shoot_particles({.particles = particles[event]}, event), list);
      events.push_back(list.hits);
    }
  }

  /// Two passes, for high and for all momenta.
  Params params() const {
    Params params;
    for (const double min_pt : {1.5, 0.3}) {
      auto& pass = params.passes.emplace_back();
      pass.seeds = test::cuts_of_barrels();
      pass.seeds.min_pt = min_pt;
      pass.shared_hits = {3, 0.7};
      pass.selection = {3, 5.};
    }
    return params;
  }
  template <class Space>
  auto finder(const Space& exec, const Params& params, const chain::ArenaSize& arena = {}) const {
    return detector::track_finder<float>(exec, detector, graph, field, params, arena);
  }
};

void check_same(const Tracks& a, const Tracks& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t event = 0; event < a.size(); ++event) {
    CAPTURE(event);
    CHECK(a[event].hits == b[event].hits);
    CHECK(a[event].first == b[event].first);
    CHECK(a[event].pass == b[event].pass);
    CHECK(a[event].lost_seeds == b[event].lost_seeds);
    CHECK(a[event].chi2 == b[event].chi2);
    CHECK(a[event].measurements == b[event].measurements);
    for (std::size_t t = 0; t < std::min(a[event].size(), b[event].size()); ++t) {
      const auto &one = a[event].states[t], &other = b[event].states[t];
      CHECK(std::ranges::equal(one.parameters.elements, other.parameters.elements));
      CHECK(std::ranges::equal(one.covariance.elements, other.covariance.elements));
    }
  }
}

const std::vector<std::string> of_pass{
    "bin_free_hits",    "find_detector_triplets", "count_triplets",      "fill_seeds",
    "fit_seeds",        "clone_engine",           "resolve_ambiguities", "inflate_covariances",
    "add_overlap_hits", "add_inner_hits",         "fit_tracks",          "select_tracks",
    "fetch_tracks",     "collect_tracks"};

std::vector<std::string> steps_of(int passes) {
  std::vector<std::string> names{"stage_hits", "upload_hits", "free_all_hits"};
  for (int pass = 0; pass < passes; ++pass)
    names.insert(names.end(), of_pass.begin(), of_pass.end());
  return names;
}

}  // namespace

TEST_CASE("Seeds beyond the capacity are counted in all passes", "[detector]") {
  const Setup setup({40, 25});
  auto params = setup.params();
  for (const auto& list : setup.finder(HostExecutor(), params)(setup.events))
    CHECK(list.lost_seeds == 0);
  for (auto& pass : params.passes) pass.seeds.max_per_event = 3;
  for (const auto& list : setup.finder(HostExecutor(), params)(setup.events)) {
    CHECK(list.lost_seeds > 0);
    CHECK(list.size() <= 6);
  }
}

TEMPLATE_LIST_TEST_CASE("Passes find tracks among the hits that are left", "[detector]",
                        test::EnabledSpaces) {
  const Setup setup({40, 25});
  const TestType exec;
  auto finder = setup.finder(exec, setup.params());
  CHECK(finder.selected() == steps_of(2));
  const auto tracks = finder(setup.events);
  REQUIRE(tracks.size() == 2);
  for (const auto& list : tracks) {
    CHECK(std::ranges::is_sorted(list.pass));
    std::set<std::int32_t> taken, of_this_pass;
    std::map<int, std::size_t> count;
    for (std::size_t t = 0; t < list.size(); ++t) {
      if (t > 0 && list.pass[t] != list.pass[t - 1]) taken.merge(of_this_pass);
      for (const auto hit : list.hits_of(t)) {
        CHECK(taken.count(hit) == 0);
        of_this_pass.insert(hit);
      }
      ++count[list.pass[t]];
    }
    CHECK(count.size() == 2);
    CHECK(count[0] > 5);
    CHECK(count[1] > 5);
  }
  for (const auto& step : finder.report().steps)
    CHECK(step.calls == (std::ranges::count(of_pass, step.name) > 0 ? 2 : 1));
  check_same(finder(setup.events), tracks);

  auto params = setup.params();
  params.passes.pop_back();
  auto first = setup.finder(exec, params);
  const auto of_first = first(setup.events);
  finder.select(steps_of(1));
  check_same(finder(setup.events), of_first);
  for (std::size_t event = 0; event < tracks.size(); ++event) {
    const auto n = std::size_t(std::ranges::count(tracks[event].pass, 0));
    REQUIRE(of_first[event].size() == n);
    CHECK(std::ranges::equal(
        of_first[event].hits,
        std::span(tracks[event].hits).first(std::size_t(tracks[event].first[n]))));
  }
  // The other way round, the pass of all momenta leaves less
  std::swap(params.passes.front(), params.passes.emplace_back(setup.params().passes.back()));
  auto reversed = setup.finder(exec, params);
  for (const auto& list : reversed(setup.events))
    CHECK(std::ranges::count(list.pass, 1) < std::ranges::count(list.pass, 0) / 5);
}

TEMPLATE_LIST_TEST_CASE("A track finder works in an arena", "[detector]", test::EnabledSpaces) {
  const Setup setup({40, 25, 0, 30});
  const TestType exec;
  auto growing = setup.finder(exec, setup.params());
  const auto expected = growing(setup.events);
  auto in_arena = setup.finder(exec, setup.params(), {plenty, plenty});
  check_same(in_arena(setup.events), expected);
  for (auto* finder : {&growing, &in_arena}) {
    const auto recorded = test::record([&] { check_same((*finder)(setup.events), expected); });
    if (is_host_space<TestType>) CHECK(recorded.allocations == std::vector<std::string>{});
    CHECK(recorded.global_fences == std::vector<std::string>{});
  }
  // A second pass needs no more memory: it has fewer hits. Losses of seeds, which no step reads,
  // stay
  auto params = setup.params();
  params.passes.front() = params.passes.back();
  auto two = setup.finder(exec, params, {plenty, plenty});
  params.passes.pop_back();
  auto one = setup.finder(exec, params, {plenty, plenty});
  two(setup.events);
  one(setup.events);
  CHECK(one.report().device.high_water > 100'000);
  CHECK(two.report().device.high_water <=
        one.report().device.high_water + chain::Arena::default_alignment);

  auto small =
      setup.finder(exec, setup.params(), {in_arena.report().device.high_water / 2, plenty});
  test::check_refused<chain::ArenaError>([&] { small(setup.events); },
                                         "take fewer events at a time");
  for (std::size_t event = 0; event < expected.size(); ++event)
    check_same(small(std::span(setup.events).subspan(event, 1)), {expected[event]});
}

TEMPLATE_LIST_TEST_CASE("An observer sees what each pass makes", "[detector]",
                        test::EnabledSpaces) {
  const Setup setup({40, 25});
  auto finder = setup.finder(TestType(), setup.params());
  const auto expected = finder(setup.events);
  std::vector<std::string> steps;
  std::vector<std::size_t> hits, fitted;
  finder.observe([&](const chain::StepArrays& step) {
    steps.push_back(step.algorithm);
    for (const auto& array : step.arrays) {
      if (step.algorithm == "free_all_hits") hits.push_back(array.size());
      if (step.algorithm == "fit_tracks" && array.label == "Trackplex::Kalman::chi2")
        fitted.push_back(array.size());
    }
  });
  check_same(finder(setup.events), expected);
  CHECK(steps == steps_of(2));
  CHECK(hits == std::vector{setup.events[0].u.size() + setup.events[1].u.size()});
  std::size_t n = 0;
  for (const auto& list : expected) n += list.size();
  REQUIRE(fitted.size() == 2);
  CHECK(fitted[0] + fitted[1] >= n);
  CHECK(fitted[0] != fitted[1]);
  finder.observe({});
  check_same(finder(setup.events), expected);
}

TEMPLATE_LIST_TEST_CASE("Events without hits have no tracks", "[detector]", test::EnabledSpaces) {
  const Setup setup({20, 0, 20});
  auto finder = setup.finder(TestType(), setup.params());
  const auto tracks = finder(setup.events);
  CHECK(tracks[0].size() > 10);
  CHECK(tracks[2].size() > 10);
  CHECK(finder(HitLists()).empty());
  HitLists empty;
  for (int event = 0; event < 2; ++event) empty.emplace_back(setup.detector).end_event();
  check_same(finder(empty), Tracks(2));
  empty.push_back(setup.events[0]);
  check_same({finder(empty)[2]}, {tracks[0]});
}

TEST_CASE("Finders and events that do not fit are refused", "[detector]") {
  const Setup setup({5});
  const HostExecutor exec;
  const auto refused = [&](const Params& params, const char* message) {
    test::check_refused<UsageError>(
        [&] {
          auto finder = setup.finder(exec, params);
          finder(setup.events);
        },
        message);
  };
  refused({}, "track_finder: there is no pass");
  auto params = setup.params();
  params.passes[1].seeds.triples.clear();
  refused(params, "find_detector_triplets: there is no triple of layers");
  params = setup.params();
  params.inner_layers = -1;
  refused(params, "a limit is not positive");
  params = setup.params();
  params.start_spread = 0.;
  refused(params, "a limit is not positive");
  params = setup.params();
  params.passes[1].building.max_layers = 99;
  refused(params, "clone_engine: tracks have no layers, or too many");

  auto finder = setup.finder(exec, setup.params());
  test::check_refused<UsageError>([&] { finder.select(steps_of(3)); },
                                  "bin_free_hits occurs more often than there are passes");
  auto list = setup.events.front();
  hits::append_events(setup.events.front(), 0, 1, list);
  test::check_refused<UsageError>([&] { finder(std::span(&list, 1)); }, "use hits::split");
  CHECK(finder(hits::split(list)).size() == 2);
  auto fewer = setup.detector;
  fewer.layers.pop_back();
  std::erase_if(fewer.modules, [&](const auto& m) { return m.layer == int(fewer.layers.size()); });
  const hits::HostDetectorHits other(fewer);
  test::check_refused<UsageError>([&] { finder(std::span(&other, 1)); }, "one event with");

  detector::TrackFinderParams<kalman::ForwardTrack> forward{.passes = {{}}};
  forward.passes[0].seeds.layers = {0, 1, 99};
  test::check_refused<UsageError>(
      [&] {
        detector::track_finder<float>(exec, setup.detector, setup.graph,
                                      geometry::UniformVectorField{0., 1., 0.}, forward);
      },
      "there is no such layer");
}
