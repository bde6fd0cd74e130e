// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeds on barrels and disks: what becomes of the tracks that they are for.
#include <trackplex/seeding/fill_seeds.hpp>

#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <vector>

#include "barrel_events.hpp"

using namespace trackplex;
using namespace trackplex::seeding;
using test::BarrelFinder;
using test::cuts_of_barrels;
using test::EventsOfBarrels;
using test::field_of_barrels;
using test::FoundTriplet;

TEMPLATE_LIST_TEST_CASE("Seeds on modules are found for nearly all tracks, and fitted", "[seeding]",
                        test::EnabledSpaces) {
  using Space = TestType;
  const EventsOfBarrels events({{400, 800}});
  BarrelFinder<float, Space> finder(events);
  constexpr int width = default_lane_width<Space, float>;
  auto params = cuts_of_barrels();
  const auto all = finder.template find<width>(params);
  const auto owner = [&](int hit) { return events.particle_of_hit[std::size_t(hit)]; };
  const auto layer = [&](int hit) {
    return events.hits.layer_of_module(events.hits.module[std::size_t(hit)]);
  };
  // Particles that cross the layers of a triple
  std::vector<std::set<int>> layers(400);
  for (int hit = 0; hit < int(events.hits.u.size()); ++hit)
    if (owner(hit) >= 0) layers[std::size_t(owner(hit))].insert(layer(hit));
  std::vector<int> seeds(400);
  for (const auto& [event, a, b, c] : all)
    if (owner(a) >= 0 && owner(a) == owner(b) && owner(b) == owner(c))
      ++seeds[std::size_t(owner(a))];
  int findable = 0, found = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto& on = layers[i];
    const bool any = std::any_of(params.triples.begin(), params.triples.end(), [&](const auto& t) {
      return on.count(t[0]) && on.count(t[1]) && on.count(t[2]);
    });
    findable += any;
    found += any && seeds[i] > 0;
  }
  CHECK(findable > 300);
  CHECK(found >= int(0.99 * findable));

  SECTION("without those that continue others, no track is lost") {
    params.drop_continued = true;
    const auto kept = finder.template find<width>(params);
    CHECK(kept.size() < all.size());
    std::set<std::array<int, 3>> ends;
    for (const auto& [event, a, b, c] : all) ends.insert({event, b, c});
    std::vector<FoundTriplet> expected;
    for (const auto& triplet : all)
      if (!ends.count({triplet[0], triplet[1], triplet[2]})) expected.push_back(triplet);
    CHECK(kept == expected);
  }
  SECTION("their states are those of the tracks") {
    Seeds<float, MemoryOf<Space>> fitted;
    const FitSeeds<float, Space, kalman::UniformField, width, decltype(finder.detector)> fit{
        finder.detector, field_of_barrels};
    const auto of_layer = to_host(finder.exec, finder.start.layer);
    run_algorithm(finder.exec, fit, finder.hits, finder.start, fitted);
    finder.exec.fence();
    const auto reached = to_host(finder.exec, fitted.fit.reached);
    const auto chi2 = to_host(finder.exec, fitted.fit.chi2);
    double sum = 0.;
    int n = 0;
    for (std::size_t seed = 0; seed < all.size(); ++seed) {
      const auto& [event, a, b, c] = all[seed];
      CHECK(of_layer(seed) == layer(c));
      if (owner(a) < 0 || owner(a) != owner(b) || owner(b) != owner(c)) continue;
      CHECK(reached(seed) == 1);
      sum += double(chi2(seed));
      ++n;
    }
    CHECK(sum / n < 1.5);  // six numbers, five parameters; less as no particle scatters
    CHECK(sum / n > 0.01);
  }
}
