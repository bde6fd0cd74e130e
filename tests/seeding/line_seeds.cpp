// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeds of straight tracks through tilted strips at three angles.
#include <trackplex/core/host_executor.hpp>
#include <trackplex/seeding/line_seeds.hpp>

#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <trackplex/core/random.hpp>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/validation/pulls.hpp>
#include <vector>

#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::seeding;

namespace {

constexpr int planes = 6;

geometry::DetectorDescription strips(double pitch_v) {
  geometry::DetectorBuilder builder;
  const double angles[] = {0., 0.1, -0.1};
  for (int i = 0; i < planes; ++i)
    builder.plane({.centre = {0., 0., 8. * i},
                   .normal = {0.2, 0., 1.},
                   .half_u = 20.,
                   .half_v = 20.,
                   .angle = angles[i % 3],
                   .sensor = {.pitch_u = 0.01, .pitch_v = pitch_v}});
  return builder.build();
}

/// Events of straight tracks, with inefficiency and noise.
struct StraightEvents {
  geometry::DetectorDescription detector;
  hits::HostDetectorHits hits;
  std::vector<std::array<double, 4>> tracks;  ///< x, y at z = 0 and slopes, of all events
  std::vector<std::array<double, 5>> ends;    ///< the same on the last plane, and z
  std::vector<int> particle_of_hit;           ///< among all; -1: noise

  /// @param angle of scattering on each plane, rad
  StraightEvents(int events, int per_event, double pitch_v = 0., double angle = 0.)
      : detector(strips(pitch_v)), hits(detector) {
    for (int event = 0; event < events; ++event) add_event(event, per_event, angle);
  }

 private:
  void add_event(int event, int n, double angle) {
    std::vector<int> owner;
    RandomStream<double> random(3, std::uint64_t(event));
    for (int i = 0; i < n; ++i) {
      double sx = 0.02 * random.normal(), sy = 0.01 * random.normal();
      tracks.push_back({random.normal(), random.normal(), sx, sy});
      RandomStream<double> kinks(3, std::uint64_t(event) << 32 | std::uint64_t(i), 1);
      geometry::Vector3<double> at{{tracks.back()[0], tracks.back()[1], 0.}};
      for (int plane = 0; plane < planes; ++plane) {
        const auto& module = detector.modules[std::size_t(plane)];
        const auto n_of = module.frame.normal();
        const geometry::Vector3<double> direction{{sx, sy, 1.}};
        at = geometry::add_scaled(
            at, geometry::dot(n_of, module.frame.centre - at) / geometry::dot(n_of, direction),
            direction);
        const auto local = to_local(module.frame, at);
        sx += angle * kinks.normal();
        sy += angle * kinks.normal();
        const double normal_u = random.normal(), normal_v = random.normal();
        if (random.uniform() < 0.02) continue;
        add(plane, local(0) + normal_u * module.pitch_u / std::sqrt(12.),
            module.pitch_v > 0. ? local(1) + normal_v * module.pitch_v / std::sqrt(12.) : 0.);
        owner.push_back(int(tracks.size()) - 1);
      }
      ends.push_back({at(0), at(1), sx, sy, at(2)});
    }
    for (int plane = 0; plane < planes; ++plane) {
      add(plane, random.uniform(-20., 20.), random.uniform(-20., 20.));
      owner.push_back(-1);
    }
    const auto before = std::size_t(hits.first(event));
    hits.end_event();
    for (std::size_t i = before; i < hits.u.size(); ++i)
      particle_of_hit.push_back(owner[std::size_t(hits.added[i])]);
  }
  void add(int plane, double u, double v) {
    const auto& module = detector.modules[std::size_t(plane)];
    hits.add(plane, u, v, module.pitch_u * module.pitch_u / 12.,
             module.pitch_v * module.pitch_v / 12.);
  }
};

LineSeedsParams of_telescope() {
  LineSeedsParams params;
  params.layers = {0, 1, 2, 3, 4, 5};
  params.sigma_x = params.sigma_y = 1.5;
  params.sigma_x_slope = params.sigma_y_slope = 0.03;
  return params;
}

template <class T, class Space>
auto seeds_of(const Space& exec, const StraightEvents& events, const LineSeedsParams& params) {
  StartSeeds<T, MemoryOf<Space>, kalman::ForwardTrack> seeds;
  find_line_seeds(exec, hits::to_device<T>(exec, events.hits),
                  geometry::to_device<T>(exec, events.detector), params, seeds);
  return seeds;
}

/// Whose hits are most of those of each seed, and how many are not.
template <class Space, class Seeds>
auto owners(const Space& exec, const StraightEvents& events, const Seeds& seeds) {
  const auto index = to_host(exec, seeds.hits.index);
  std::vector<std::array<int, 3>> list;  // owner, its hits, all hits
  for (int seed = 0; seed < seeds.size(); ++seed) {
    std::map<int, int> count;
    int n = 0;
    for (int slot = 0; slot < seeds.hits.layers; ++slot) {
      const int hit = index(slot * seeds.hits.stride() + seed);
      if (hit < 0) continue;
      ++n;
      ++count[events.particle_of_hit[std::size_t(hit)]];
    }
    const auto most = std::max_element(count.begin(), count.end(),
                                       [](auto a, auto b) { return a.second < b.second; });
    list.push_back({most->first, most->second, n});
  }
  return list;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Straight tracks through strips are found with their states", "[seeding]",
                        test::EnabledSpaces) {
  const TestType exec;
  const StraightEvents events(60, 5);
  const auto seeds = seeds_of<double>(exec, events, of_telescope());
  const auto states = kalman::states_on_host(exec, seeds.states);
  const auto whose = owners(exec, events, seeds);
  std::vector<int> hits_of(events.tracks.size()), found(events.tracks.size());
  for (const int owner : events.particle_of_hit)
    if (owner >= 0) ++hits_of[std::size_t(owner)];
  int pure = 0;
  for (std::size_t seed = 0; seed < whose.size(); ++seed) {
    const auto [owner, own, all] = whose[seed];
    CHECK(all >= planes - 1);
    if (owner < 0 || own < planes - 1) continue;
    found[std::size_t(owner)] = 1;
    if (own != all) continue;
    ++pure;
    const auto& track = events.tracks[std::size_t(owner)];
    const auto& at = states[seed].parameters;
    const auto sigma = [&](int i) { return std::sqrt(states[seed].covariance(i, i)); };
    CHECK(std::fabs(at(3) - track[2]) < 6. * sigma(3));
    CHECK(std::fabs(at(4) - track[3]) < 6. * sigma(4));
    CHECK(std::fabs(at(0) - track[0] - track[2] * at(2)) < 6. * sigma(0));
    CHECK(std::fabs(at(1) - track[1] - track[3] * at(2)) < 6. * sigma(1));
    CHECK((at(5) == 1e-3 && sigma(5) == 1.));
  }
  int findable = 0, n_found = 0;
  for (std::size_t i = 0; i < hits_of.size(); ++i) {
    findable += hits_of[i] >= planes - 1;
    n_found += hits_of[i] >= planes - 1 && found[i];
  }
  CHECK(n_found >= int(0.99 * findable));
  CHECK(pure > int(0.95 * n_found));
  CHECK(seeds.size() < 60 * n_found);  // six numbers, four parameters: many are accidental
}

TEST_CASE("Lines that scatter have the errors of their states", "[seeding]") {
  const HostExecutor exec;
  constexpr double angle = 1e-3;  // 0.5 mm at the last plane, of hits of 0.03 mm
  const StraightEvents events(1500, 1, 0., angle);
  auto params = of_telescope();
  params.scattering = angle;
  params.n_sigma = 5.;
  params.max_missed = 0;
  const auto seeds = seeds_of<double>(exec, events, params);
  const auto states = kalman::states_on_host(exec, seeds.states);
  const auto whose = owners(exec, events, seeds);
  std::array<validation::Pulls, 4> pulls;
  for (std::size_t seed = 0; seed < whose.size(); ++seed) {
    const auto [owner, own, all] = whose[seed];
    if (owner < 0 || own != planes) continue;
    const auto& end = events.ends[std::size_t(owner)];
    const auto& state = states[seed];
    const double ahead = state.parameters(2) - end[4];
    for (int i = 0; i < 4; ++i) {
      const int of = i < 2 ? i : i + 1;
      const double truth =
          i < 2 ? end[std::size_t(i)] + ahead * end[std::size_t(i) + 2] : end[std::size_t(i)];
      pulls[std::size_t(i)].add(state.parameters(of), truth, std::sqrt(state.covariance(of, of)));
    }
  }
  for (const auto& pull : pulls) {
    REQUIRE(pull.count() > 1200);
    CHECK(std::fabs(pull.mean()) < 0.1);
    CHECK(std::fabs(pull.sigma() - 1.) < 0.08);
  }
}

TEST_CASE("Hits of tracks are in no line", "[seeding]") {
  const HostExecutor exec;
  const StraightEvents events(20, 5);
  const auto hits = hits::to_device<double>(exec, events.hits);
  const auto detector = geometry::to_device<double>(exec, events.detector);
  Kokkos::View<std::uint8_t*, Kokkos::HostSpace> taken("taken", std::size_t(hits.hits));
  for (int hit = 0; hit < hits.hits; hit += 3) taken(std::size_t(hit)) = 1;
  StartSeeds<double, Kokkos::HostSpace, kalman::ForwardTrack> seeds;
  find_line_seeds(exec, hits, detector, of_telescope(), seeds, taken);
  CHECK(seeds.size() > 0);
  for (int seed = 0; seed < seeds.size(); ++seed)
    for (int slot = 0; slot < planes; ++slot)
      CHECK((seeds.hits(seed, slot) < 0 || seeds.hits(seed, slot) % 3 != 0));
  taken = decltype(taken)("one", 1);
  test::check_refused<UsageError>(
      [&] { find_line_seeds(exec, hits, detector, of_telescope(), seeds, taken); },
      "the flags are not those of the hits");
}

TEST_CASE("Straight tracks through pixels are found from two planes on", "[seeding]") {
  const HostExecutor exec;
  const StraightEvents events(40, 20, 0.01);
  auto params = of_telescope();
  params.layers = {0, 1, 2};
  params.max_missed = 0;
  const auto seeds = seeds_of<float>(exec, events, params);
  int pure = 0;
  for (const auto& [owner, own, all] : owners(exec, events, seeds))
    pure += owner >= 0 && own == all;
  CHECK(pure > int(0.9 * 40 * 20));
  CHECK(pure > int(0.9 * seeds.size()));
}

TEST_CASE("Lines that cannot be", "[seeding]") {
  const HostExecutor exec;
  const StraightEvents events(1, 1);
  const auto refuse = [&](const LineSeedsParams& params, const char* problem) {
    test::check_refused<UsageError>([&] { seeds_of<float>(exec, events, params); }, problem);
  };
  auto params = of_telescope();
  params.layers = {0};
  refuse(params, "there are too few or too many layers");
  params.layers = {0, 1, 6};
  refuse(params, "there is no such layer");
  params = of_telescope();
  params.max_missed = 5;
  refuse(params, "too many layers may be missed");
  params = of_telescope();
  params.scattering = -1e-3;
  refuse(params, "the angle of scattering is negative");
  params = of_telescope();
  params.sigma_x = 0.;
  refuse(params, "a cut or an error is not positive");
}
