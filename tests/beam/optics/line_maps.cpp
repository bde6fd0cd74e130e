// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/collective/space_charge_kick.hpp>
#include <trackplex/beam/optics/line_maps.hpp>

#include "beam/reference_vectors.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

double difference(const TransferMap& a, const TransferMap& b) {
  double largest = 0.;
  for (int i = 0; i < n_coordinates; ++i) {
    Polynomial d = a.component[i];
    d.add(-1., b.component[i]);
    largest = std::max(largest, std::abs(d.c));
    for (const double v : d.r) largest = std::max(largest, std::abs(v));
    for (const double v : d.t) largest = std::max(largest, std::abs(v));
    for (const double v : d.q) largest = std::max(largest, std::abs(v));
  }
  return largest;
}

}  // namespace

TEST_CASE("elements have their Taylor maps", "[beam]") {
  const Misalignment off{1e-3, -2e-3, 0.1};
  CHECK(map_of({"e", Drift{0.5, 1}}) == drift_map(0.5, 1));
  CHECK(map_of({"e", ExactDrift{0.5}}) == drift_map(0.5, 2));
  CHECK(map_of({"e", Quadrupole{0.2, 5., 3, off}}) == misaligned(quadrupole_map(0.2, 5., 3), off));
  CHECK(map_of({"e", CanonicalQuadrupole{.length = 0.2, .k1 = 5., .misalignment = off}}) ==
        misaligned(quadrupole_map(0.2, 5., 2), off));
  CHECK(map_of({"e", Sextupole{.length = 0.3, .k2 = 50.}}) == sextupole_map(0.3, 50., 2));
  CHECK(map_of({"e", CanonicalSextupole{.length = 0.3, .k2 = 50., .misalignment = off}}) ==
        misaligned(sextupole_map(0.3, 50., 2), off));
  const SectorBend bend{.length = 0.5, .angle = 0.2};
  CHECK(map_of({"e", Bend{bend, 1, off}}) == misaligned_bend(sector_bend_map(bend, 1), off, 0.2));
  CHECK(map_of({"e", Octupole{.length = 0.3, .k3 = 50., .order = 3, .misalignment = off}}) ==
        misaligned(octupole_map(0.3, 50., 3), off));
  CHECK(map_of({"e", Solenoid{.length = 0.3, .ks = 1.2, .misalignment = off}}) ==
        misaligned(solenoid_map(0.3, 1.2, 2), off));
  CHECK(map_of({"e", Monitor{.length = 0.3}}) == drift_map(0.3, 2));
  const SolenoidField solenoid{.length = 0.3, .field = 0.05};
  CHECK(map_of({"e", solenoid}) == drift_map(0.3, 2));  // without a momentum
  CHECK(map_of({"e", solenoid}, 200.) == solenoid_map(0.3, solenoid_strength(0.05, 200.), 2));
  CHECK(map_of({"e", Collimator{.length = 0.3}}) == drift_map(0.3, 2));
  CHECK(map_of({"e", SpaceChargeDrift{.length = 0.3}}) == drift_map(0.3, 2));
  CHECK(map_of({"e", SpaceChargeDrift{.effective_length = 0.3}}) == TransferMap::identity(2));
  CHECK(map_of({"e", SpaceChargeKick{.effective_length = 0.3}}) == TransferMap::identity(2));
  CHECK(map_of({"e", Marker{}}) == TransferMap::identity(2));
  CHECK(map_of({"e", Charge{1e-9}}) == TransferMap::identity(2));
  CHECK(map_of({"e", MapElement{0.2, quadrupole_map(0.2, 5., 3)}}) == quadrupole_map(0.2, 5., 3));
}

TEST_CASE("kickers turn the reference particle by both angles together", "[beam]") {
  const double h = 1e-3, v = -2e-3, tilt = 0.3, length = 0.4;
  const double angle = std::atan(std::hypot(std::tan(h), std::tan(v)));
  const double direction = std::atan2(std::tan(v), std::tan(h)) + tilt;
  const double slope = std::sin(angle);
  const auto out = map_of({"e", Kicker{length, h, v, tilt}})(TransferMap::Vector{});
  CHECK(std::abs(out[xp] - slope * std::cos(direction)) < 1e-17);
  CHECK(std::abs(out[yp] - slope * std::sin(direction)) < 1e-17);
  CHECK(std::abs(out[x] - 0.5 * length * out[xp]) < 1e-17);
  CHECK(std::abs(out[y] - 0.5 * length * out[yp]) < 1e-17);
  CHECK(std::abs(out[s] - length * slope * slope / 6.) < 1e-17);
  const auto thin = map_of({"e", Kicker{0., h, v, tilt}})(TransferMap::Vector{});
  CHECK(std::abs(thin[xp] - angle * std::cos(direction)) < 1e-17);
  CHECK(thin[x] == 0.);
}

TEST_CASE("maps of lines are those of their elements one after the other", "[beam]") {
  BeamLine line;
  for (int cell = 0; cell < 10; ++cell)
    for (const double k1 : {1.5, -1.5}) {
      line.push_back({"q", Quadrupole{.length = 0.2, .k1 = k1}});
      line.push_back({"d", Drift{.length = 0.8}});
    }
  CHECK(std::abs(length_of(line) - 20.) < 1e-12);
  const auto map = map_of(line, 2);
  CHECK(map.order == 2);
  CHECK(symplecticity(map) < 1e-13);
  // Products of maps of second order leave out what is of third
  double largest = 0.;
  for (const auto& particle : test::reference_particles("fodo20_o2"))
    for (const int i : {x, xp, y, yp})
      largest = std::max(largest, std::abs(map(particle.before)[i] - particle.behind[i]));
  CHECK(largest < 3e-5);
  const auto linear = map_of(line, 1);
  CHECK(linear.order == 1);
  CHECK(difference(linear, truncated(map, 1)) < 1e-14);
}

TEST_CASE("elements contribute to lines what they have", "[beam]") {
  const BeamLine line = {{"a", Quadrupole{.length = 0.2, .k1 = 5., .order = 3}},
                         {"b", Quadrupole{.length = 0.2, .k1 = -5., .order = 1}},
                         {"c", CanonicalQuadrupole{.length = 0.2, .k1 = 5.}}};
  const auto map_to = [](int order) {
    const auto first =
        concatenated(truncated(quadrupole_map(0.2, 5., 3), order), quadrupole_map(0.2, -5., 1));
    return concatenated(first, quadrupole_map(0.2, 5., order));
  };
  for (const int order : {1, 2, 3}) {
    CAPTURE(order);
    CHECK(map_of(line, order).order == order);
    CHECK(difference(map_of(line, order), map_to(order)) < 1e-13);
  }
  CHECK(map_of(BeamLine{}, 2) == TransferMap::identity(2));
}

TEST_CASE("elements without a map are named", "[beam]") {
  const Element straight{"B7", Bend{.magnet = {.length = 1.}}};
  try {
    map_of(straight);
    FAIL("no error");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("element 'B7': bend: ") == 0);
  }
  CHECK_THROWS_AS(map_of(BeamLine{straight}, 2), UsageError);
  CHECK_THROWS_AS(map_of(BeamLine{}, 4), UsageError);
  CHECK_THROWS_AS(map_of({"e", Drift{1., 0}}), UsageError);
}
