// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/host_executor.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/efficiency.hpp>
#include <trackplex/validation/pulls.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "support/lane_widths.hpp"

namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using simulation::CylinderEventParams;
using simulation::generate_cylinder_events;
using tracks::TrackingEvents;
using P = kalman::Parameter;
using Space = HostExecutor;

constexpr double pi = std::numbers::pi;

/// The defaults with fewer particles.
CylinderEventParams of(int tracks) {
  CylinderEventParams params;
  params.tracks = tracks;
  return params;
}

CylinderEventParams exact(int tracks) {
  auto params = of(tracks);
  params.particles.sigma_r = params.particles.sigma_r_phi = params.particles.sigma_z = 0.;
  return params;
}

TrackingEvents events_of(const CylinderEventParams& params, int n = 1) {
  return generate_cylinder_events(Space(), params, 0, n);
}

/// Calls `visit(layer, hit, particle)` for all hits of an event, particle < 0 for noise.
template <class Visit>
void for_each_hit(const TrackingEvents& events, int event, const Visit& visit) {
  const int layers = events.hits.layers();
  for (int layer = 0; layer < layers; ++layer) {
    const auto entry = std::size_t(event * layers + layer);
    for (int hit = events.hits.offsets[entry]; hit < events.hits.offsets[entry + 1]; ++hit)
      visit(layer, std::size_t(hit), events.particle_of_hit[std::size_t(hit)]);
  }
}

/// Where the particles of event 0 would be on the layers without material; [layer][particle].
std::vector<std::vector<kalman::Parameters<double>>> truth_on_layers(
    const TrackingEvents& events, const CylinderEventParams& params) {
  std::vector<std::vector<kalman::Parameters<double>>> truth;
  std::vector<kalman::Parameters<double>> now;
  for (const auto& particle : events.particles) now.push_back(particle.start);
  for (int layer = 0; layer < params.particles.layers; ++layer) {
    const kalman::Cylinder<double> cylinder{params.particles.radius(layer)};
    for (std::size_t i = 0; i < now.size(); ++i)
      now[i] =
          kalman::transport(now[i], double(events.particles[i].charge), params.field, cylinder, 1)
              .parameters;
    truth.push_back(now);
  }
  return truth;
}

/// Whether values are uniform between two limits.
validation::Chi2Test uniform(const std::vector<double>& values, double low, double high) {
  std::vector<std::uint64_t> counts(50);
  for (const double value : values) {
    REQUIRE(value >= low);
    REQUIRE(value <= high);
    ++counts[std::min<std::size_t>(49, std::size_t((value - low) / (high - low) * 50.))];
  }
  const std::vector<double> expected(50, double(values.size()) / 50.);
  return validation::chi2_of_expected(counts, expected, 1);
}

bool same(const TrackingEvents& a, const TrackingEvents& b) {
  const auto same_particle = [](const auto& p, const auto& q) {
    return std::equal(p.start.elements, p.start.elements + 6, q.start.elements) &&
           p.charge == q.charge;
  };
  return a.hits.x == b.hits.x && a.hits.y == b.hits.y && a.hits.z == b.hits.z &&
         a.hits.covariance == b.hits.covariance && a.hits.offsets == b.hits.offsets &&
         a.particle_of_hit == b.particle_of_hit && a.particle_offsets == b.particle_offsets &&
         std::equal(a.particles.begin(), a.particles.end(), b.particles.begin(), b.particles.end(),
                    same_particle);
}

}  // namespace

TEST_CASE("Cylinder events are whole", "[simulation]") {
  const auto events = generate_cylinder_events(Space(), of(500), 3, 4);
  CHECK(events.events() == 4);
  CHECK(events.hits.events() == 4);
  CHECK(events.hits.layers() == 10);
  CHECK(events.particles.size() == 2000);
  CHECK(events.hits.x.size() == 20000);
  CHECK(events.particle_of_hit.size() == 20000);
  for (int event = 0; event < 4; ++event) {
    CHECK(events.particle_count(event) == 500);
    std::vector<int> hits(5000);  // of each particle on each layer
    for_each_hit(events, event, [&](int layer, std::size_t, int particle) {
      ++hits[std::size_t(10 * particle + layer)];
    });
    CHECK(std::all_of(hits.begin(), hits.end(), [](int n) { return n == 1; }));
  }
}

TEST_CASE("The particles of cylinder events have the right distributions", "[simulation]") {
  const auto params = of(20000);
  const auto events = events_of(params, 3);
  std::vector<double> pt, eta, phi;
  validation::Pulls vertex[3];
  std::uint64_t positive = 0;
  double correlation = 0.;  // of pT and eta
  for (const auto& particle : events.particles) {
    pt.push_back(1. / particle.start(P::inverse_pt));
    eta.push_back(-std::log(std::tan(0.5 * particle.start(P::theta))));
    phi.push_back(particle.start(P::phi));
    const double sigma[3] = {0.1, 0.1, 1.};
    for (int i = 0; i < 3; ++i) vertex[i].add(particle.start(i) / sigma[i]);
    REQUIRE(std::abs(particle.charge) == 1);
    positive += particle.charge > 0;
    correlation += (pt.back() - 5.25) / (9.5 / std::sqrt(12.)) * eta.back() * std::sqrt(3.);
  }
  CHECK(uniform(pt, 0.5, 10.).compatible());
  CHECK(uniform(eta, -1. - 1e-12, 1. + 1e-12).compatible());
  CHECK(uniform(phi, -pi, pi).compatible());
  CHECK_FALSE(uniform(pt, 0.5, 10.1).compatible());  // the test can fail
  for (const auto& pulls : vertex) CHECK(pulls.compatible_with_unit_normal());
  const auto interval = validation::wilson_interval(positive, pt.size(), 5.);
  CHECK(interval.lower < 0.5);
  CHECK(interval.upper > 0.5);
  CHECK(std::abs(correlation) / std::sqrt(double(pt.size())) < 5.);
}

TEST_CASE("Exact hits lie on the helices of their particles", "[simulation]") {
  const auto params = exact(3000);
  const auto events = events_of(params);
  const auto truth = truth_on_layers(events, params);
  double worst = 0.;
  for_each_hit(events, 0, [&](int layer, std::size_t hit, int particle) {
    const auto& at = truth[std::size_t(layer)][std::size_t(particle)];
    worst = std::max({worst, std::abs(events.hits.x[hit] - at(0)),
                      std::abs(events.hits.y[hit] - at(1)), std::abs(events.hits.z[hit] - at(2))});
    for (const float element : events.hits.covariance[hit]) REQUIRE(element == 0.f);
  });
  CHECK(worst < 5e-6);  // float at 64 cm
  CHECK(worst > 0.);
}

TEST_CASE("Hits of cylinder events have the errors that they say", "[simulation]") {
  const auto params = of(20000);
  const auto events = events_of(params);
  const auto truth = truth_on_layers(events, params);
  validation::Pulls r_pulls, r_phi_pulls, z_pulls;
  double worst = 0.;
  for_each_hit(events, 0, [&](int layer, std::size_t hit, int particle) {
    const auto& at = truth[std::size_t(layer)][std::size_t(particle)];
    const double radius = 4. * (layer + 1);
    const double x = events.hits.x[hit], y = events.hits.y[hit], z = events.hits.z[hit];
    const double r2 = x * x + y * y;
    const double turn = std::atan2(y * at(0) - x * at(1), x * at(0) + y * at(1));
    r_pulls.add((std::sqrt(r2) - radius) / 0.001);
    r_phi_pulls.add(turn * radius / 0.01);
    z_pulls.add((z - at(2)) / 0.1);
    const double across = 1e-6 / r2, along = 1e-4 / r2;
    const double expected[6] = {x * x * across + y * y * along,
                                x * y * (across - along),
                                x * x * along + y * y * across,
                                0.,
                                0.,
                                0.01};
    for (std::size_t e = 0; e < 6; ++e)
      worst = std::max(worst, std::abs(events.hits.covariance[hit][e] - expected[e]));
  });
  CHECK(r_pulls.compatible_with_unit_normal());
  CHECK(r_phi_pulls.compatible_with_unit_normal());
  CHECK(z_pulls.compatible_with_unit_normal());
  CHECK(r_pulls.count() == 200000);
  CHECK(worst < 1e-9);
}

TEST_CASE("Lost hits and noise of cylinder events are counted right", "[simulation]") {
  auto params = of(20000);
  const auto all = events_of(params);
  params.inefficiency = 0.1;
  params.noise_per_layer = 5000.;
  const auto events = events_of(params);
  CHECK(events.particles.size() == all.particles.size());

  std::map<std::pair<int, int>, float> z_of;  // layer, particle
  for_each_hit(all, 0, [&](int layer, std::size_t hit, int particle) {
    z_of[{layer, particle}] = all.hits.z[hit];
  });
  std::uint64_t kept = 0;
  std::vector<double> noise(10), phi, z;
  bool same_hits = true;
  for_each_hit(events, 0, [&](int layer, std::size_t hit, int particle) {
    if (particle >= 0) {
      ++kept;
      same_hits = same_hits && z_of.at({layer, particle}) == events.hits.z[hit];
      return;
    }
    ++noise[std::size_t(layer)];
    const double x = events.hits.x[hit], y = events.hits.y[hit];
    REQUIRE_THAT(std::hypot(x, y), WithinAbs(4. * (layer + 1), 0.006));
    phi.push_back(std::atan2(y, x));
    z.push_back(events.hits.z[hit] / (4. * (layer + 1) * std::sinh(1.) + 5.));
    const double along = events.hits.covariance[hit][0] + events.hits.covariance[hit][2];
    REQUIRE_THAT(along, WithinRel(1.01e-4, 1e-4));
  });
  CHECK(same_hits);
  std::map<std::pair<int, int>, bool> seen;
  for_each_hit(events, 0, [&](int layer, std::size_t, int particle) {
    if (particle >= 0) seen[{layer, particle}] = true;
  });
  for (int layer = 0; layer < 10; ++layer) {  // whatever the particle
    std::vector<double> pt, eta;
    for (int i = 0; i < 20000; ++i) {
      if (seen.contains({layer, i})) continue;
      const auto& start = events.particles[std::size_t(i)].start;
      pt.push_back(1. / start(P::inverse_pt));
      eta.push_back(-std::log(std::tan(0.5 * start(P::theta))));
    }
    CAPTURE(layer);
    CHECK(uniform(pt, 0.5, 10.).compatible());
    CHECK(uniform(eta, -1. - 1e-12, 1. + 1e-12).compatible());
  }
  const auto interval = validation::wilson_interval(kept, 200000, 5.);
  CHECK(interval.lower < 0.9);
  CHECK(interval.upper > 0.9);
  for (const double n : noise) {
    CHECK_THAT(n, WithinAbs(5000., 5. * std::sqrt(5000.)));
    CHECK(n != 5000.);  // not all of them: it is a Poisson number
  }
  CHECK(uniform(phi, -pi, pi).compatible());
  CHECK(uniform(z, -1., 1.).compatible());
  params.inefficiency = 1.;
  params.noise_per_layer = 0.;
  CHECK(events_of(params).hits.x.empty());
}

TEST_CASE("The order of the hits does not tell their particles", "[simulation]") {
  auto params = of(5000);
  params.noise_per_layer = 1000.;
  const auto events = events_of(params);
  int last_layer = -1, ascending = 0, pairs = 0;
  std::size_t last = 0;
  bool sorted = true;
  for_each_hit(events, 0, [&](int layer, std::size_t hit, int particle) {
    if (layer == last_layer) {
      sorted = sorted && events.hits.z[last] <= events.hits.z[hit];
      const int before = events.particle_of_hit[last];
      if (before >= 0 && particle >= 0) {
        ascending += before < particle;
        ++pairs;
      }
    }
    last_layer = layer;
    last = hit;
  });
  CHECK(sorted);
  CHECK(pairs > 20000);
  CHECK(std::abs(double(ascending) / pairs - 0.5) < 0.02);
}

TEST_CASE("Cylinder events do not depend on batch and width", "[simulation]") {
  auto params = of(333);
  params.particles.material = true;
  params.particles.min_pt = 0.15;  // some turn back
  params.inefficiency = 0.05;
  params.noise_per_layer = 20.;
  const auto all = generate_cylinder_events(Space(), params, 0, 5);
  if constexpr (test::all_widths) {
    CHECK(same(all, generate_cylinder_events<1>(Space(), params, 0, 5)));
    CHECK(same(all, generate_cylinder_events<2>(Space(), params, 0, 5)));
    CHECK(same(all, generate_cylinder_events<4>(Space(), params, 0, 5)));
    CHECK(same(all, generate_cylinder_events<8>(Space(), params, 0, 5)));
  }
  const auto first = generate_cylinder_events(Space(), params, 0, 2);
  const auto others = generate_cylinder_events(Space(), params, 2, 3);
  TrackingEvents joined = first;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(joined.hits.x, others.hits.x);
  append(joined.hits.y, others.hits.y);
  append(joined.hits.z, others.hits.z);
  append(joined.hits.covariance, others.hits.covariance);
  append(joined.particle_of_hit, others.particle_of_hit);
  append(joined.particles, others.particles);
  for (std::size_t i = 1; i < others.hits.offsets.size(); ++i)
    joined.hits.offsets.push_back(first.hits.offsets.back() + others.hits.offsets[i]);
  for (const int offset : {999, 1332, 1665}) joined.particle_offsets.push_back(offset);
  CHECK(same(all, joined));

  CHECK_FALSE(same(generate_cylinder_events(Space(), params, 1, 2), first));
  ++params.particles.seed;
  CHECK_FALSE(same(generate_cylinder_events(Space(), params, 0, 2), first));
}

TEST_CASE("Slow particles turn back", "[simulation]") {
  auto params = exact(2000);
  params.particles.min_pt = 0.1;
  params.particles.max_pt = 0.3;
  const auto events = events_of(params);
  std::vector<int> layers(2000);
  std::size_t nan = 0;
  for_each_hit(events, 0, [&](int layer, std::size_t hit, int particle) {
    CHECK(layers[std::size_t(particle)]++ == layer);  // no gap
    nan += std::isnan(events.hits.x[hit]) || std::isnan(events.hits.z[hit]);
  });
  CHECK(nan == 0);
  for (std::size_t i = 0; i < 2000; ++i) {
    const auto& start = events.particles[i].start;
    const double diameter = 2. / start(P::inverse_pt) / (0.00299792458 * 3.81);
    const double vertex = std::hypot(start(0), start(1));
    for (int layer = 0; layer < 10; ++layer) {
      if (4. * (layer + 1) < diameter - 1.1 * vertex - 0.2) CHECK(layers[i] > layer);
      if (4. * (layer + 1) > diameter + 1.1 * vertex + 0.2) CHECK(layers[i] <= layer);
    }
  }
  CHECK(std::count(layers.begin(), layers.end(), 10) > 0);
  CHECK(std::count(layers.begin(), layers.end(), 7) > 0);
}

TEST_CASE("Material of cylinder events scatters by Highland's angle", "[simulation]") {
  auto params = exact(20000);
  params.particles.material = true;
  params.particles.min_pt = 4.;
  const auto events = events_of(params);
  const auto truth = truth_on_layers(events, params);
  double on_first = 0.;
  validation::Pulls bend, dip;
  for_each_hit(events, 0, [&](int layer, std::size_t hit, int particle) {
    const auto& at = truth[std::size_t(layer)][std::size_t(particle)];
    const double x = events.hits.x[hit], y = events.hits.y[hit], z = events.hits.z[hit];
    if (layer == 0) on_first = std::max(on_first, std::abs(x - at(0)) + std::abs(z - at(2)));
    if (layer != 1) return;
    const double sine = std::sin(at(P::theta)), momentum = 1. / at(P::inverse_pt) / sine;
    const double beta = momentum / std::hypot(momentum, kalman::pion_mass);
    const double angle = kalman::highland_angle(momentum, beta, 1., 0.1 / sine / 9.37);
    const double turn = std::atan2(y * at(0) - x * at(1), x * at(0) + y * at(1));
    bend.add(turn * 8. / (4. * angle / sine));
    dip.add((z - at(2)) / (4. * angle / (sine * sine)));
  });
  CHECK(on_first < 1e-5);
  CHECK_THAT(bend.mean(), WithinAbs(0., 0.04));
  CHECK_THAT(bend.sigma(), WithinAbs(1., 0.03));
  CHECK_THAT(dip.mean(), WithinAbs(0., 0.04));
  CHECK_THAT(dip.sigma(), WithinAbs(1., 0.03));
}

TEST_CASE("Cylinder events have any number of particles", "[simulation]") {
  const auto large = events_of(of(200000));
  CHECK(large.particle_count(0) == 200000);
  CHECK(large.hits.size(0, 9) == 200000);
  const auto small = events_of(of(10), 3);
  CHECK(small.hits.size(2, 9) == 10);
  for (int i = 0; i < 10; ++i)
    CHECK(small.particles[std::size_t(i)].start(3) == large.particles[std::size_t(i)].start(3));
  const auto none = events_of(of(0), 2);
  CHECK(none.events() == 2);
  CHECK(none.hits.events() == 2);
  CHECK(none.hits.x.empty());
  CHECK(events_of(of(10), 0).events() == 0);
}

TEST_CASE("Impossible cylinder events are refused", "[simulation]") {
  const auto check = [](const auto& change) {
    auto params = of(10);
    change(params);
    CHECK_THROWS_AS(events_of(params), UsageError);
  };
  check([](auto& params) { params.tracks = -1; });
  check([](auto& params) { params.tracks = 300'000'000; });
  check([](auto& params) { params.inefficiency = 1.1; });
  check([](auto& params) { params.noise_per_layer = -1.; });
  check([](auto& params) { params.particles.layers = 0; });
  check([](auto& params) { params.particles.min_pt = 0.; });
  check([](auto& params) { params.particles.max_pt = 0.4; });
  check([](auto& params) { params.particles.sigma_z = std::nan(""); });
  constexpr auto last = (std::uint64_t(1) << 32) - 1;
  CHECK_THROWS_AS(generate_cylinder_events(Space(), of(1), 0, -1), UsageError);
  CHECK_THROWS_AS(generate_cylinder_events(Space(), of(1), last, 2), UsageError);
  CHECK(generate_cylinder_events(Space(), of(1), last, 1).events() == 1);
}
