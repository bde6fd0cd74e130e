// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/simulation/velo_generator.hpp>
#include <trackplex/validation/velo_validation.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using simulation::VeloGenerator;
using simulation::VeloGeneratorParams;

/// Only charged particles that come from a vertex, on straight lines, every hit exact to 1 um.
VeloGeneratorParams ideal() {
  VeloGeneratorParams params;
  params.conversion_fraction = params.kaon_short_fraction = params.lambda_fraction =
      params.charm_fraction = params.beauty_fraction = 0.;
  params.sensor_thickness = 0.;
  params.hit_efficiency = 1.;
  params.resolution = 0.;
  params.mean_noise = 0.;
  return params;
}

std::size_t module_of(const lhcb::VeloEvent& event, std::size_t hit) {
  const auto& offsets = event.module_offsets;
  return static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), hit) -
                                  offsets.begin() - 1);
}

/// Mean number of hits and particles of the first n events.
std::pair<double, double> means(const VeloGeneratorParams& params, unsigned n = 60) {
  const VeloGenerator generate(params);
  std::size_t hits = 0, particles = 0;
  for (unsigned i = 0; i < n; ++i) {
    const auto event = generate(i);
    hits += event.size();
    particles += event.particles.size();
  }
  return {static_cast<double>(hits) / n, static_cast<double>(particles) / n};
}

}  // namespace

TEST_CASE("An event depends on its seed and number only", "[simulation]") {
  const VeloGenerator generate({}, 42);
  const auto fifth = generate(5);
  CHECK_FALSE(generate(4) == fifth);
  CHECK(generate(5) == fifth);
  CHECK(VeloGenerator({}, 42)(5) == fifth);
  CHECK(VeloGenerator({}, 43)(5).x != fifth.x);
  CHECK(fifth.name == "generated-42-5");
  CHECK(generate(std::uint64_t{1} << 40).x != generate(0).x);
}

TEST_CASE("Generated events are well-formed", "[simulation]") {
  const VeloGenerator generate;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const auto event = generate(i);
    CHECK(event.has_truth);
    CHECK(event.has_kinematics);
    CHECK(event.t.empty());
    CHECK(event.y.size() == event.size());
    CHECK(event.z.size() == event.size());
    CHECK(event.module_offsets[0] == 0);
    CHECK(event.module_offsets[52] == event.size());
    CHECK(std::is_sorted(event.module_offsets.begin(), event.module_offsets.end()));
    for (std::size_t h = 0; h < event.size(); ++h) {
      const double dz = event.z[h] - lhcb::velo_module_z[module_of(event, h)];
      CHECK_THAT(std::abs(dz), WithinAbs(lhcb::velo_plane_offset, 1e-9));
      for (const double value : {event.x[h], event.y[h], event.z[h]}) {
        CHECK_THAT(value * 1000., WithinAbs(std::round(value * 1000.), 1e-7));
      }
    }
    for (const auto& particle : event.particles) {
      std::set<std::size_t> modules;
      for (const auto hit : particle.hits) {
        REQUIRE(hit < event.size());
        modules.insert(module_of(event, hit));
      }
      CHECK(modules.size() >= 3);
      CHECK(std::is_sorted(particle.hits.begin(), particle.hits.end()));
      CHECK(std::abs(particle.charge) == 1);
      CHECK(particle.p >= particle.pt);
      CHECK(particle.has_velo);
    }
  }
}

TEST_CASE("Generated hits stand on the sensors", "[simulation]") {
  const auto event = VeloGenerator(ideal())(3);
  REQUIRE(event.size() > 100);
  for (std::size_t h = 0; h < event.size(); ++h) {
    const auto module = module_of(event, h);
    const double dz = event.z[h] - lhcb::velo_module_z[module];
    const auto point = lhcb::to_velo_sensor(static_cast<int>(module), event.x[h], event.y[h]);
    const auto holds = [&](lhcb::VeloSensor sensor) {
      sensor.u_min -= 0.001;  // rounding
      sensor.u_max += 0.001;
      sensor.v_min -= 0.001;
      sensor.v_max += 0.001;
      return std::abs(sensor.z - dz) < 1e-9 && sensor.contains(point.u, point.v);
    };
    CHECK(std::any_of(lhcb::velo_sensors.begin(), lhcb::velo_sensors.end(), holds));
  }
}

TEST_CASE("Without material and noise, particles are straight lines with all their hits",
          "[simulation]") {
  const auto event = VeloGenerator(ideal(), 9)(0);
  REQUIRE(event.particles.size() > 20);
  std::size_t owned = 0;
  for (const auto& particle : event.particles) {
    const std::size_t first = particle.hits.front();
    const std::size_t last = particle.hits.back();
    const double dz = event.z[last] - event.z[first];
    const double tx = (event.x[last] - event.x[first]) / dz;
    const double ty = (event.y[last] - event.y[first]) / dz;
    for (const auto hit : particle.hits) {
      const double way = event.z[hit] - event.z[first];
      CHECK_THAT(event.x[hit], WithinAbs(event.x[first] + tx * way, 0.0011));
      CHECK_THAT(event.y[hit], WithinAbs(event.y[first] + ty * way, 0.0011));
    }
    const double sign = particle.eta > 0. ? 1. : -1.;
    CHECK_THAT(std::atan2(sign * ty, sign * tx), WithinAbs(particle.phi, 0.002));
    CHECK_THAT(1. / std::hypot(tx, ty), WithinRel(std::sinh(std::abs(particle.eta)), 0.005));
    owned += particle.hits.size();
  }
  CHECK(owned <= event.size());
  CHECK(owned > event.size() * 8 / 10);
}

TEST_CASE("The resolution is the standard deviation of the measured position", "[simulation]") {
  auto params = ideal();
  const auto exact = VeloGenerator(params, 9)(0);
  params.resolution = 0.02;
  const auto smeared = VeloGenerator(params, 9)(0);  // the same random numbers
  REQUIRE(smeared.size() == exact.size());
  double square = 0.;
  for (std::size_t h = 0; h < exact.size(); ++h) {
    square += (smeared.x[h] - exact.x[h]) * (smeared.x[h] - exact.x[h]);
    square += (smeared.y[h] - exact.y[h]) * (smeared.y[h] - exact.y[h]);
  }
  CHECK_THAT(std::sqrt(square / (2. * static_cast<double>(exact.size()))), WithinRel(0.02, 0.05));
}

TEST_CASE("Inefficiency takes hits away", "[simulation]") {
  const auto reference = means(ideal());
  auto params = ideal();
  params.hit_efficiency = 0.8;
  CHECK_THAT(means(params).first, WithinRel(0.8 * reference.first, 0.15));
  params.hit_efficiency = 0.;
  CHECK(means(params) == std::pair(0., 0.));
}

TEST_CASE("Noise adds hits, but no particles", "[simulation]") {
  const auto reference = means(ideal());
  auto params = ideal();
  params.mean_noise = 500.;
  const auto noisy = means(params);
  CHECK_THAT(noisy.first - reference.first, WithinAbs(500., 15.));
  CHECK(noisy.second == reference.second);
}

TEST_CASE("Without vertices there are no particles", "[simulation]") {
  auto params = ideal();
  params.mean_vertices = 0.;
  CHECK(means(params) == std::pair(0., 0.));
}

TEST_CASE("Conversions give electrons that share hits", "[simulation]") {
  auto params = ideal();
  params.conversion_fraction = 1.;
  const VeloGenerator generate(params);
  std::ptrdiff_t shared = 0, electrons = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto event = generate(i);
    std::vector<int> owners(event.size(), 0);
    for (const auto& particle : event.particles) {
      CHECK(std::abs(particle.pid) == 11);
      CHECK(particle.pid * particle.charge == -11);
      ++electrons;
      for (const auto hit : particle.hits) ++owners[hit];
    }
    shared += std::count(owners.begin(), owners.end(), 2);
    CHECK(std::none_of(owners.begin(), owners.end(), [](int n) { return n > 2; }));
  }
  CHECK(electrons > 500);
  CHECK(shared > 500);
}

TEST_CASE("Decays flag their daughters", "[simulation]") {
  const auto check = [](double VeloGeneratorParams::*fraction, bool lhcb::VeloParticle::*flag) {
    auto params = ideal();
    params.*fraction = 1.;
    const VeloGenerator generate(params);
    std::size_t particles = 0;
    for (std::uint64_t i = 0; i < 5; ++i) {
      for (const auto& particle : generate(i).particles) {
        CHECK(particle.*flag);
        CHECK(particle.from_strange + particle.from_charm + particle.from_beauty == 1);
        ++particles;
      }
    }
    CHECK(particles > 50);
  };
  check(&VeloGeneratorParams::kaon_short_fraction, &lhcb::VeloParticle::from_strange);
  check(&VeloGeneratorParams::lambda_fraction, &lhcb::VeloParticle::from_strange);
  check(&VeloGeneratorParams::charm_fraction, &lhcb::VeloParticle::from_charm);
  check(&VeloGeneratorParams::beauty_fraction, &lhcb::VeloParticle::from_beauty);
}

TEST_CASE("Material bends slow particles most", "[simulation]") {
  auto params = ideal();
  params.sensor_thickness = 0.01;
  const VeloGenerator generate(params);
  double slow = 0., fast = 0.;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto event = generate(i);
    for (const auto& particle : event.particles) {
      const std::size_t a = particle.hits.front(), c = particle.hits.back();
      const std::size_t b = particle.hits[particle.hits.size() / 2];
      const double share = (event.z[b] - event.z[a]) / (event.z[c] - event.z[a]);
      const double off = std::abs(event.x[b] - event.x[a] - share * (event.x[c] - event.x[a]));
      if (particle.p < 1000.) slow = std::max(slow, off);
      if (particle.p > 50000.) fast = std::max(fast, off);
    }
  }
  CHECK(slow > 1.);
  CHECK(fast < 0.2);
  CHECK(fast > 0.002);
}

TEST_CASE("Every category of particles is there", "[simulation]") {
  const VeloGenerator generate;
  validation::VeloValidation validation;
  for (std::uint64_t i = 0; i < 300; ++i) validation.add(generate(i), {});
  for (std::size_t c = 0; c < validation::velo_categories; ++c) {
    INFO(validation::velo_category_names[c]);
    CHECK(validation.result().categories[c].particles >= 20);
  }
}

TEST_CASE("Generated events resemble simulated minimum-bias events", "[simulation]") {
  // In these, particles have 6.3 hits on average, 11 to 12 % of the hits are nobody's, 26 % of the
  // particles are long and 14 % are electrons.
  const VeloGenerator generate;
  double hits = 0., particles = 0., owned = 0., nobody = 0., n_long = 0., electrons = 0.;
  constexpr unsigned n = 400;
  for (unsigned i = 0; i < n; ++i) {
    const auto event = generate(i);
    std::vector<bool> has_owner(event.size(), false);
    for (const auto& particle : event.particles) {
      owned += static_cast<double>(particle.hits.size());
      n_long += particle.is_long ? 1. : 0.;
      electrons += std::abs(particle.pid) == 11 ? 1. : 0.;
      for (const auto hit : particle.hits) has_owner[hit] = true;
    }
    nobody += static_cast<double>(std::count(has_owner.begin(), has_owner.end(), false));
    hits += static_cast<double>(event.size());
    particles += static_cast<double>(event.particles.size());
  }
  CHECK_THAT(hits / n, WithinAbs(1900., 150.));
  CHECK_THAT(particles / n, WithinAbs(270., 20.));
  CHECK_THAT(owned / particles, WithinAbs(6.3, 0.15));
  CHECK_THAT(nobody / hits, WithinAbs(0.115, 0.01));
  CHECK_THAT(n_long / particles, WithinAbs(0.26, 0.02));
  CHECK_THAT(electrons / particles, WithinAbs(0.14, 0.02));
}

TEST_CASE("Parameters out of range are errors that name them", "[simulation]") {
  const auto check = [](auto change, const char* message) {
    VeloGeneratorParams params;
    change(params);
    CHECK_THROWS_AS(VeloGenerator(params), UsageError);
    CHECK_THROWS_WITH(VeloGenerator(params), Catch::Matchers::ContainsSubstring(message));
  };
  check([](auto& p) { p.mean_vertices = -1.; },
        "simulated VELO events: mean number of vertices cannot be -1");
  check([](auto& p) { p.mean_primaries = NAN; },
        "mean number of primary particles per vertex cannot be nan");
  check([](auto& p) { p.eta_sigma = 0.; }, "width of the pseudorapidity");
  check([](auto& p) { p.hit_efficiency = 1.01; }, "hit efficiency");
  check([](auto& p) { p.resolution = INFINITY; }, "resolution cannot be inf");
  check([](auto& p) { p.sensor_thickness = 1.; }, "thickness of a sensor");
  check([](auto& p) { p.min_modules = 0; }, "least number of modules");
  check([](auto& p) { p.beauty_fraction = p.charm_fraction = 0.6; }, "sum of the fractions");
}

TEST_CASE("An event of too many hits is an error", "[simulation]") {
  VeloGeneratorParams params;
  params.mean_vertices = 300.;
  params.mean_primaries = 1000.;
  CHECK_THROWS_AS(VeloGenerator(params)(0), CapacityError);
}
