// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/simulation/detail/velo_flight.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using namespace trackplex::simulation::detail;

struct Seen {
  int module, sensor;
  double x, y, z;
};

std::vector<Seen> crossings(Flight flight) {
  std::vector<Seen> seen;
  for_each_crossing(flight, [&](const Crossing& crossing) {
    seen.push_back({crossing.module, crossing.sensor, flight.x, flight.y, flight.z});
    return true;
  });
  return seen;
}

/// The same by asking every sensor of every module.
std::vector<Seen> all_crossings(const Flight& flight) {
  std::vector<Seen> seen;
  for (int module = 0; module < lhcb::velo_modules; ++module) {
    for (int sensor = 0; sensor < lhcb::velo_sensors_per_module; ++sensor) {
      const auto& active = lhcb::velo_sensors[static_cast<std::size_t>(sensor)];
      const double z = lhcb::velo_module_z[static_cast<std::size_t>(module)] + active.z;
      if (flight.forward ? z <= flight.z : z >= flight.z) continue;
      const double x = flight.x + flight.tx * (z - flight.z);
      const double y = flight.y + flight.ty * (z - flight.z);
      const auto point = lhcb::to_velo_sensor(module, x, y);
      if (active.contains(point.u, point.v)) seen.push_back({module, sensor, x, y, z});
    }
  }
  return seen;
}

}  // namespace

TEST_CASE("The coordinates along the sensors turn there and back", "[simulation]") {
  for (const int module : {0, 1, 50, 51}) {
    const auto turned = lhcb::to_velo_sensor(module, 12.5, -3.25);
    const auto back = lhcb::from_velo_sensor(module, turned);
    CHECK_THAT(back.x, WithinRel(12.5, 1e-14));
    CHECK_THAT(back.y, WithinRel(-3.25, 1e-14));
  }
  const auto odd = lhcb::to_velo_sensor(1, 10., 0.);
  CHECK_THAT(odd.u, WithinRel(10. / std::sqrt(2.), 1e-14));
  CHECK_THAT(odd.v, WithinRel(-10. / std::sqrt(2.), 1e-14));
  const auto even = lhcb::to_velo_sensor(2, 10., 0.);
  CHECK(even.u == -odd.u);
  CHECK(even.v == -odd.v);
}

TEST_CASE("The sensors' radii are what is promised", "[simulation]") {
  double nearest = 1e9, farthest = 0.;
  for (const auto& sensor : lhcb::velo_sensors) {
    CHECK(std::abs(sensor.z) == lhcb::velo_plane_offset);
    const auto nearest_to_zero = [](double a, double b) {
      return a < 0. && b > 0. ? 0. : std::min(std::abs(a), std::abs(b));
    };
    nearest = std::min(nearest, std::hypot(nearest_to_zero(sensor.u_min, sensor.u_max),
                                           nearest_to_zero(sensor.v_min, sensor.v_max)));
    farthest = std::max(farthest, std::hypot(std::max(-sensor.u_min, sensor.u_max),
                                             std::max(-sensor.v_min, sensor.v_max)));
  }
  CHECK(nearest == lhcb::velo_min_radius);
  CHECK(farthest <= lhcb::velo_max_radius);
  CHECK(farthest > lhcb::velo_max_radius - 0.2);
}

TEST_CASE("A flight meets the sensors in its way, in order", "[simulation]") {
  Draws draws(11, 0);
  std::size_t total = 0;
  for (int i = 0; i < 5000; ++i) {
    const double t = 0.1 * draws.exponential() * draws.uniform();
    const Pair unit = draws.direction();
    const double forward = draws.happens(0.5) ? 1. : -1.;
    const Pair place = draws.normal_pair();
    const double r = draws.happens(0.5) ? 0.05 : 20.;
    const double z = 300. * (draws.uniform() - 0.5);
    const Flight flight({r * place.first, r * place.second, z},
                        {t * unit.first, t * unit.second, forward});
    auto expected = all_crossings(flight);
    std::sort(expected.begin(), expected.end(),
              [&](const Seen& a, const Seen& b) { return forward * (a.z - b.z) < 0.; });
    const auto seen = crossings(flight);
    REQUIRE(seen.size() == expected.size());
    for (std::size_t k = 0; k < seen.size(); ++k) {
      CHECK(seen[k].module == expected[k].module);
      CHECK(seen[k].sensor == expected[k].sensor);
      CHECK(seen[k].z == expected[k].z);
      CHECK_THAT(seen[k].x, WithinAbs(expected[k].x, 1e-10));
      CHECK_THAT(seen[k].y, WithinAbs(expected[k].y, 1e-10));
    }
    total += seen.size();
  }
  CHECK(total > 10000);
}

TEST_CASE("Extreme flights meet nothing", "[simulation]") {
  CHECK(crossings(Flight({0., 0., 0.}, {0., 0., 1.})).empty());  // along the beam
  CHECK(crossings(Flight({0., 0., 0.}, {0., 0., -1.})).empty());
  CHECK(crossings(Flight({0., 0., 0.}, {1., 0., 0.})).empty());     // across it
  CHECK(crossings(Flight({0., 0., 800.}, {0.1, 0., 1.})).empty());  // behind the last module
  CHECK(crossings(Flight({60., 0., -300.}, {0.1, 0., 1.})).empty());
  CHECK_FALSE(crossings(Flight({60., 0., -300.}, {-0.1, 0., 1.})).empty());  // from outside
}

TEST_CASE("A visitor can end a flight", "[simulation]") {
  Flight flight({0., 0., 0.}, {0.1, 0.02, 1.});
  REQUIRE(crossings(flight).size() > 3);
  int visited = 0;
  for_each_crossing(flight, [&](const Crossing&) { return ++visited < 2; });
  CHECK(visited == 2);
}

TEST_CASE("Scattering has the covariance of two independent angles", "[simulation]") {
  const double tx = 0.3, ty = -0.2, theta = 1e-3;
  Draws draws(2, 2);
  double xx = 0., xy = 0., yy = 0.;
  constexpr int n = 200000;
  for (int i = 0; i < n; ++i) {
    Flight flight({0., 0., 0.}, {tx, ty, 1.});
    flight.scatter(theta, draws.normal_pair());
    xx += (flight.tx - tx) * (flight.tx - tx) / n;
    xy += (flight.tx - tx) * (flight.ty - ty) / n;
    yy += (flight.ty - ty) * (flight.ty - ty) / n;
  }
  const double scale = theta * theta * (1. + tx * tx + ty * ty);
  CHECK_THAT(xx, WithinRel(scale * (1. + tx * tx), 0.02));
  CHECK_THAT(yy, WithinRel(scale * (1. + ty * ty), 0.02));
  CHECK_THAT(xy, WithinAbs(scale * tx * ty, 0.02 * scale));
}
