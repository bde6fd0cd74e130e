// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>
#include <trackplex/beam/maps/element_maps.hpp>
#include <trackplex/beam/maps/map_pattern.hpp>
#include <trackplex/core/counted.hpp>
#include <trackplex/core/error.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

std::vector<TransferMap::Vector> random_particles(int n) {
  std::mt19937 random(7);
  const double scale[] = {1e-3, 5e-4, 8e-4, 4e-4, 3e-4, 5e-3};
  std::vector<TransferMap::Vector> particles(n);
  for (auto& v : particles)
    for (int i = 0; i < n_coordinates; ++i) v[i] = scale[i] * (2. * (random() / 4294967296.) - 1.);
  return particles;
}

/// The kernel form of the map does what the map does, up to rounding; lanes do what one does.
template <class P, class Real, int Width>
void check_pattern(const TransferMap& map, double tolerance) {
  const auto coefficients = coefficients_of(map, P::value);
  REQUIRE(int(coefficients.size()) == P::value.size());
  const std::vector<Real> stored(coefficients.begin(), coefficients.end());
  const auto particles = random_particles(8 * Width);
  using Lane = LanesOf<Real, Width>;
  for (std::size_t first = 0; first < particles.size(); first += Width) {
    Particle<Lane> in;
    for (int i = 0; i < n_coordinates; ++i)
      for (int lane = 0; lane < Width; ++lane)
        insert(in[i], lane, Real(particles[first + lane][i]));
    const auto out = apply_map<P>(stored.data(), in);
    for (int lane = 0; lane < Width; ++lane) {
      Particle<Real> one;
      for (int i = 0; i < n_coordinates; ++i) one[i] = Real(particles[first + lane][i]);
      const auto alone = apply_map<P>(stored.data(), one);
      const auto expected = map(particles[first + lane]);
      for (int i = 0; i < n_coordinates; ++i) {
        REQUIRE(extract(out[i], lane) == alone[i]);
        REQUIRE(std::abs(double(alone[i]) - expected[i]) <= tolerance);
      }
    }
  }
}

template <class P>
void check_everywhere(const TransferMap& map) {
  check_pattern<P, double, 4>(map, 1e-17);
  check_pattern<P, float, 8>(map, 2e-9);
}

}  // namespace

TEST_CASE("patterns have the coefficients of their elements", "[beam]") {
  STATIC_REQUIRE(patterns::Drift::value.size() == 4);
  STATIC_REQUIRE(patterns::Quadrupole::value.size() == 22);
  STATIC_REQUIRE(patterns::Dense::value.size() == 6 + 36 + 126);
  check_everywhere<patterns::Drift>(drift_map(0.5, 2));
  check_everywhere<patterns::Quadrupole>(quadrupole_map(0.2, 5., 2));
  check_everywhere<patterns::Quadrupole>(quadrupole_map(0.2, -5., 2));
  const SectorBend bend{.length = 0.5, .angle = 0.2, .k1 = 1.5, .entrance = 0.1, .exit = 0.05};
  for (const auto& map : {sextupole_map(0.3, 50., 2), sector_bend_map(bend, 2)}) {
    check_everywhere<patterns::Midplane>(map);
    check_pattern<patterns::Midplane, double, 16>(map, 1e-17);  // several registers
  }
  check_everywhere<patterns::Dense>(misaligned(sector_bend_map(bend, 2), {1e-3, -1e-3, 0.2}));
}

TEST_CASE("patterns have the coefficients of third order", "[beam]") {
  STATIC_REQUIRE(patterns::Dense3::value.size() == 6 + 36 + 126 + 336);
  check_everywhere<patterns::Quadrupole3>(quadrupole_map(0.2, 5., 3));
  check_everywhere<patterns::Midplane3>(sextupole_map(0.3, 50., 3));
  check_everywhere<patterns::Dense3>(misaligned(sextupole_map(0.3, 50., 3), {1e-3, -1e-3, 0.2}));
}

TEST_CASE("loops apply a map of third order as unrolled code does", "[beam]") {
  const auto map = misaligned(sextupole_map(0.3, 50., 3), {1e-3, -1e-3, 0.2});
  const auto coefficients = coefficients_of(map, patterns::Dense3::value);
  for (const auto& in : random_particles(100)) {
    Particle<double> v;
    for (int i = 0; i < n_coordinates; ++i) v[i] = in[i];
    const auto unrolled = apply_map<patterns::Dense3>(coefficients.data(), v);
    const auto looped = apply_cubic_map(coefficients.data(), v);
    for (int i = 0; i < n_coordinates; ++i) CHECK(looped[i] == unrolled[i]);
  }
}

TEST_CASE("factors of delta cost one fma each", "[beam]") {
  using Real = Counted<double>;
  const auto counts = []<class P>(const TransferMap& map, P) {
    const auto coefficients = coefficients_of(map, P::value);
    Particle<Real> v;
    for (int i = 0; i < n_coordinates; ++i) v[i] = Real(1e-3 * (i + 1));
    return count_operations([&] { apply_map<P>(coefficients.data(), v); });
  };
  CHECK(counts(drift_map(0.5, 2), patterns::Drift{}) ==
        OperationCounts{.add = 1, .multiply = 3, .fma = 3});
  CHECK(counts(quadrupole_map(0.2, 5., 2), patterns::Quadrupole{}) ==
        OperationCounts{.add = 1, .multiply = 9, .fma = 17});
}

TEST_CASE("a map that does not fit a pattern is refused", "[beam]") {
  CHECK_THROWS_AS(coefficients_of(sextupole_map(0.3, 50., 2), patterns::Quadrupole::value),
                  UsageError);
  CHECK_THROWS_AS(coefficients_of(kick_map(1e-3, 0., 2), patterns::Midplane::value), UsageError);
  const auto skew = misaligned(quadrupole_map(0.2, 5., 2), {.tilt = 0.1});
  CHECK_THROWS_AS(coefficients_of(skew, patterns::Midplane::value), UsageError);
  CHECK_NOTHROW(coefficients_of(skew, patterns::Dense::value));
}
