// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triplets on barrels and disks: all those that windows, bins and lanes could miss.
#include <trackplex/core/host_executor.hpp>
#include <trackplex/seeding/detector_triplets.hpp>
#include <trackplex/seeding/suggest_triples.hpp>

#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "barrel_events.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"
#include "support/turned.hpp"

using namespace trackplex;
using namespace trackplex::seeding;
using test::BarrelFinder;
using test::cuts_of_barrels;
using test::EventsOfBarrels;
using test::field_of_barrels;
using test::FoundTriplet;

namespace {

/// The same without windows of bins, lanes or teams: all triplets of hits, in the order of places.
template <class T>
std::vector<FoundTriplet> every_triplet(BarrelFinder<T, HostExecutor>& finder,
                                        DetectorTripletsParams params) {
  using Space = HostExecutor;
  using Field = kalman::FieldFor<T, kalman::UniformField>;
  using Rules = seeding::detail::DetectorTripletRules<T, decltype(finder.binned),
                                                      decltype(finder.hits), Field>;
  std::stable_sort(params.triples.begin(), params.triples.end(),
                   [](const auto& a, const auto& b) { return a[1] < b[1]; });
  std::vector<LayersOfTriplet<T>> layers;
  for (const auto& t : params.triples) {
    const auto layer = [&](int i) {
      return seen_from_beam(layer_of_triplet<T>(finder.events.detector, t[i]), params);
    };
    layers.push_back({layer(0), layer(1), layer(2)});
  }
  const auto cuts = detector_triplet_cuts<T>(params);
  Rules rules{finder.binned,
              finder.hits,
              kalman::field_for<T>(field_of_barrels),
              cuts,
              to_device<LayersOfTriplet<T>>(Space(), "triples", layers),
              {},
              test::points_about_beam(finder, cuts),
              0,
              1};
  std::vector<FoundTriplet> list;
  const auto index = finder.binned.index;
  const auto places = [&](int event, int layer) {
    return std::array{finder.hits.first(event, layer), finder.hits.first(event, layer + 1)};
  };
  for (int event = 0; event < finder.hits.events; ++event)
    for (int middle_layer = 0; middle_layer < finder.hits.layers; ++middle_layer)
      for (int b = places(event, middle_layer)[0]; b < places(event, middle_layer)[1]; ++b)
        for (std::size_t t = 0; t < layers.size(); ++t) {
          if (layers[t].b.number != middle_layer) continue;
          const typename Rules::Search search{event, &rules.triples(t)};
          const auto middle = rules.template middle<T>(search, b);
          const auto [a0, a1] = places(event, layers[t].a.number);
          const auto [c0, c1] = places(event, layers[t].c.number);
          for (int a = a0; a < a1; ++a) {
            Quartet<T> inner, window;
            if (!rules.template near<T>(middle)(a) ||
                !rules.template doublet<T>(search, middle, a, inner, window))
              continue;
            for (int c = c0; c < c1; ++c) {
              T chi2;
              if (rules.template inside<T>(window)(c) &&
                  rules.template pair<T>(search, middle, inner, c) &&
                  rules.template triplet<T>(search, middle, inner, c, chi2))
                list.push_back({event, index(a), index(b), index(c)});
            }
          }
        }
  return list;
}

}  // namespace

TEMPLATE_TEST_CASE("Triplets on modules are those of all hits that pass the cuts", "[seeding]",
                   float, double) {
  using Space = HostExecutor;
  const EventsOfBarrels events({{60, 120}, {0, 0}, {0, 40}, {30, 30}});
  BarrelFinder<TestType, Space> finder(events);
  auto params = cuts_of_barrels();
  params.max_per_middle_hit = 64;
  for (const double max_d0 : {0.1, 1.}) {
    params.max_d0 = max_d0;
    params.sigma_d0 = 0.2 * max_d0;
    const auto expected = every_triplet<TestType>(finder, params);
    CAPTURE(max_d0);
    REQUIRE(expected.size() > 100);
    CHECK(finder.find(params) == expected);
    if constexpr (test::all_widths) {
      CHECK(finder.template find<1>(params) == expected);
      CHECK(finder.template find<4>(params) == expected);
      if constexpr (std::is_same_v<TestType, float>) {
        CHECK(finder.template find<8>(params) == expected);
        CHECK(finder.template find<16>(params) == expected);
      }
    }
    CHECK(finder.counts.total().dropped == 0);
    CHECK(finder.counts.total().not_best == 0);
    // Whatever the bins: the same triplets, in another order
    BarrelFinder<TestType, Space> coarse(events, 20);
    auto found = coarse.find(params), sorted = expected;
    std::sort(found.begin(), found.end());
    std::sort(sorted.begin(), sorted.end());
    CHECK(found == sorted);
  }
}

TEST_CASE("Triplets of collisions beside the z axis are as complete as those at it", "[seeding]") {
  for (const auto& centre : {std::array{0., 0., 0.}, {0.8, -0.5, 0.}, {-0.6, 0.9, 4.}}) {
    CAPTURE(centre);
    const EventsOfBarrels events({{200, 100}}, 0.5, centre);
    BarrelFinder<double, HostExecutor> finder(events);
    auto params = cuts_of_barrels();
    params.beam_x = centre[0];
    params.beam_y = centre[1];
    params.beam_z = centre[2];
    params.max_d0 = 0.1;
    params.max_per_middle_hit = 64;
    // Windows, which are about the z axis, miss no triplet
    auto found = finder.find(params), expected = every_triplet<double>(finder, params);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    CHECK(found == expected);
    // Barrels, and disks on both sides
    const auto owner = [&](int hit) { return events.particle_of_hit[std::size_t(hit)]; };
    for (const std::array<int, 3>& triple : {std::array{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}) {
      std::vector<std::array<bool, 3>> crosses(200);
      for (int hit = 0; hit < int(events.hits.u.size()); ++hit)
        for (std::size_t i = 0; i < 3; ++i)
          if (owner(hit) >= 0 &&
              events.hits.layer_of_module(events.hits.module[std::size_t(hit)]) == triple[i])
            crosses[std::size_t(owner(hit))][i] = true;
      std::vector<bool> has_seed(200);
      for (const auto& [event, a, b, c] : found)
        if (owner(a) >= 0 && owner(a) == owner(b) && owner(b) == owner(c))
          has_seed[std::size_t(owner(a))] = true;
      int findable = 0, seeded = 0;
      for (std::size_t i = 0; i < crosses.size(); ++i) {
        const bool all = crosses[i][0] && crosses[i][1] && crosses[i][2];
        findable += all;
        seeded += all && has_seed[i];
      }
      CAPTURE(triple, findable, seeded);
      CHECK(findable > 20);
      CHECK(seeded >= 0.97 * findable);
    }
  }
}

TEST_CASE("Triplets are the same wherever azimuths jump by a turn", "[seeding]") {
  for (const double displaced : {0., 0.8}) {
    EventsOfBarrels events({{120, 60}}, 0.5, {displaced, 0., 0.});
    const auto frames = events.detector.modules;
    auto params = cuts_of_barrels();
    params.max_per_middle_hit = 64;
    std::vector<FoundTriplet> expected;
    for (int turn = 0; turn < 9; ++turn) {
      // The same hits on modules that are turned about the z axis, as is the beam
      const double angle = 0.7 * turn;
      CAPTURE(displaced, turn);
      for (std::size_t m = 0; m < frames.size(); ++m)
        events.detector.modules[m].frame = {test::turned(frames[m].frame.centre, angle),
                                            test::turned(frames[m].frame.u, angle),
                                            test::turned(frames[m].frame.v, angle)};
      params.beam_x = displaced * std::cos(angle);
      params.beam_y = displaced * std::sin(angle);
      BarrelFinder<double, HostExecutor> finder(events);
      auto found = finder.find(params);
      std::sort(found.begin(), found.end());
      if (turn == 0) expected = found;
      CHECK(expected.size() > 100);
      CHECK(found == expected);
    }
  }
}

TEST_CASE("Hits that are taken have no triplets, and the best of many are kept", "[seeding]") {
  using Space = HostExecutor;
  const EventsOfBarrels events({{60, 120}});
  BarrelFinder<float, Space> finder(events);
  auto params = cuts_of_barrels();
  const auto all = finder.find(params);
  params.max_per_middle_hit = 1;
  const auto best = finder.find(params);
  CHECK(best.size() < all.size());
  CHECK(finder.counts.total().not_best == int(all.size() - best.size()));
  params.max_per_event = 7;
  CHECK(finder.find(params) == std::vector(best.begin(), best.begin() + 7));
  CHECK(finder.counts.total().overflow == int(best.size()) - 7);

  using Bin = search::BinFreeHits<float, Space>;
  const Bin bin{{{finder.detector, search::layer_axes<float>(finder.exec, events.detector)}}};
  Bin::Scratch scratch;
  Bin::Taken taken("taken", events.hits.u.size());
  for (const auto& [event, a, b, c] : all) taken(std::size_t(b)) = 1;
  run_algorithm(finder.exec, bin, finder.hits, taken, finder.binned, scratch);
  CHECK(finder.find(cuts_of_barrels()).empty());
}

TEMPLATE_LIST_TEST_CASE("Triplets beyond those of neighbouring middle hits are counted",
                        "[seeding]", test::EnabledSpaces) {
  const EventsOfBarrels events({{100, 6000}});
  auto params = cuts_of_barrels();
  params.max_d0 = 1.;
  params.max_chi2 = 1e6;
  params.n_sigma = 30.;  // nearly each middle hit has a triplet on each triple of layers
  params.max_per_middle_hit = 1;
  const auto is_part = [](const std::vector<FoundTriplet>& some, const auto& all) {
    return std::all_of(some.begin(), some.end(), [&](const auto& triplet) {
      return std::find(all.begin(), all.end(), triplet) != all.end();
    });
  };
  BarrelFinder<float, TestType> finder(events);
  const auto all = finder.find(params);
  CHECK(finder.counts.total().dropped == 0);
  constexpr int triples =
      3;  // with the same middle layer: no more places than there can be triplets
  CHECK(int(finder.triplets.inner.extent(0)) == triples * finder.hits.hits);

  params.max_per_hit = 1;
  BarrelFinder<float, TestType> few(events);
  const auto found = few.find(params);
  CHECK(int(few.triplets.inner.extent(0)) == few.hits.hits);
  CHECK(found.size() < all.size());
  CHECK(few.counts.total().dropped == int(all.size() - found.size()));
  CHECK(is_part(found, all));

  params.max_per_middle_hit = params.max_per_hit = 64;
  const auto every = finder.find(params);
  params.max_window_hits = params.max_pairs = 3;
  const auto near = finder.find(params);
  CHECK(near.size() > 10);
  CHECK(finder.counts.total().dropped > 0);
  CHECK(is_part(near, every));
  params.max_per_hit = 0;
  test::check_refused<UsageError>([&] { finder.find(params); }, "a capacity is not positive");
}

TEST_CASE("Triples of layers that cannot be", "[seeding]") {
  const HostExecutor exec;
  const auto detector = test::barrels_and_disks();
  using Find = FindDetectorTriplets<float, HostExecutor>;
  const auto refuse = [&](const DetectorTripletsParams& params, const char* problem) {
    test::check_refused<UsageError>([&] { Find(exec, detector, field_of_barrels, params); },
                                    problem);
  };
  auto params = cuts_of_barrels();
  params.triples = {};
  refuse(params, "there is no triple of layers");
  params.triples = {{{0, 1, 1}}};
  refuse(params, "a triple has a layer twice");
  params.triples = {{{0, 1, 9}}};
  refuse(params, "there is no such layer");
  params = cuts_of_barrels();
  params.max_d0 = 0.;
  refuse(params, "a cut or an error is not positive");
  params = cuts_of_barrels();
  params.max_pairs = 0;
  refuse(params, "a capacity is not positive");
}

TEST_CASE("Triples are suggested from the layer graph", "[seeding]") {
  geometry::LayerGraph graph{{{1}, {2, 3}, {3}, {}}, {{100}, {95, 5}, {50}, {}}};
  using List = std::vector<std::array<int, 3>>;
  const auto suggest = [&](const std::vector<int>& layers, const SuggestTriplesParams& params) {
    List list;
    for (const auto& t : suggest_triples(graph, layers, params)) list.push_back({t[0], t[1], t[2]});
    return list;
  };
  CHECK(suggest({0, 1, 2, 3}, {0, 0.1}) == List{{0, 1, 2}, {1, 2, 3}});
  CHECK(suggest({0, 1, 2, 3}, {0, 0.01}) == List{{0, 1, 2}, {0, 1, 3}, {1, 2, 3}});
  CHECK(suggest({0, 1, 2, 3}, {1, 0.1}) == List{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}});
  CHECK(suggest({0, 1, 3}, {0, 0.01}) == List{{0, 1, 3}});
  CHECK(suggest({0, 1}, {1, 0.}).empty());
}
