// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/maps/element_maps.hpp>
#include <trackplex/core/error.hpp>

#include "beam/reference_vectors.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

/// Largest differences allowed, in x, xp, y, yp and s.
struct Tolerance {
  double x = 1e-15, xp = 1e-15, y = 1e-15, yp = 1e-15, s = 1e-14;
};

/// The map does with the particles what elegant does. `length` is that of the reference path.
void check_against(const std::string& name, const TransferMap& map, double length,
                   const Tolerance& tolerance = {}) {
  CAPTURE(name);
  TransferMap::Vector largest{};
  for (const auto& particle : test::reference_particles(name)) {
    const auto found = map(particle.before);
    for (int i = 0; i < n_coordinates; ++i) {
      const double expected = particle.behind[i] - (i == s ? length : 0.);
      largest[i] = std::max(largest[i], std::abs(found[i] - expected));
    }
  }
  CHECK(largest[x] <= tolerance.x);
  CHECK(largest[xp] <= tolerance.xp);
  CHECK(largest[y] <= tolerance.y);
  CHECK(largest[yp] <= tolerance.yp);
  CHECK(largest[s] <= tolerance.s);
  CHECK(largest[delta] == 0.);
}

}  // namespace

TEST_CASE("maps of drifts and quadrupoles are elegant's", "[beam]") {
  for (const int order : {1, 2}) {
    const std::string o = "_o" + std::to_string(order);
    check_against("drift" + o, drift_map(0.5, order), 0.5);
    check_against("quad_f" + o, quadrupole_map(0.2, 5., order), 0.2);
    check_against("quad_d" + o, quadrupole_map(0.2, -5., order), 0.2);
  }
}

TEST_CASE("maps of sextupoles are elegant's", "[beam]") {
  check_against("sext_o2", sextupole_map(0.3, 50., 2), 0.3);
}

TEST_CASE("maps of third order do with particles what elegant does with its own", "[beam]") {
  for (const std::string name : {"quad_f_o3", "quad_d_o3", "sext_o3"})
    check_against(name, test::reference_map(name, 3), 0.);
  check_against("sext_o3", sextupole_map(0.3, 50., 3), 0.3);
}

TEST_CASE("quadrupoles of third order come closer to the exact one with each order", "[beam]") {
  const auto particles = test::reference_particles("kquad_s4_i4");
  double last = 1.;
  for (const auto& [order, most] : {std::pair(1, 3e-6), std::pair(2, 3e-8), std::pair(3, 7e-9)}) {
    const auto map = quadrupole_map(0.2, 5., order);
    double largest = 0.;
    for (const auto& particle : particles)
      largest = std::max(largest, std::abs(map(particle.before)[x] - particle.behind[x]));
    CHECK(largest < most);
    CHECK(largest < last);
    last = largest;
  }
}

TEST_CASE("maps of bends are elegant's", "[beam]") {
  // elegant gives a bend without vertical focusing a little of it
  const Tolerance floored{1e-15, 1e-15, 1e-13, 1e-12, 1e-14};
  SectorBend bend{.length = 0.5, .angle = 0.2};
  check_against("sbend_o1", sector_bend_map(bend, 1), 0.5, floored);
  check_against("sbend_o2", sector_bend_map(bend, 2), 0.5, floored);
  bend.entrance_edge = bend.exit_edge = false;
  check_against("sbend_body_o2", sector_bend_map(bend, 2), 0.5, floored);
  bend.entrance_edge = bend.exit_edge = true;
  bend.entrance = bend.exit = 0.1;
  bend.half_gap = 0.02;
  check_against("sbend_edge_o2", sector_bend_map(bend, 2), 0.5, floored);
  check_against(
      "sbend_k1_o2",
      sector_bend_map({.length = 0.5, .angle = 0.2, .k1 = 1.5, .entrance = 0.1, .exit = 0.05}, 2),
      0.5, floored);
}

TEST_CASE("a line of drifts and quadrupoles is elegant's", "[beam]") {
  std::vector<TransferMap> maps;
  for (int cell = 0; cell < 10; ++cell)
    for (const double k1 : {1.5, -1.5}) {
      maps.push_back(quadrupole_map(0.2, k1, 2));
      maps.push_back(drift_map(0.8, 2));
    }
  double largest = 0., largest_s = 0.;
  for (const auto& particle : test::reference_particles("fodo20_o2")) {
    auto v = particle.before;
    for (const auto& map : maps) v = map(v);
    for (const int i : {x, xp, y, yp})
      largest = std::max(largest, std::abs(v[i] - particle.behind[i]));
    largest_s = std::max(largest_s, std::abs(v[s] + 20. - particle.behind[s]));
  }
  CHECK(largest <= 1e-15);
  CHECK(largest_s <= 1e-13);
}

TEST_CASE("the map of a line is the line to its order", "[beam]") {
  const auto first = quadrupole_map(0.2, 5., 3), second = sextupole_map(0.3, 50., 3);
  const auto both = concatenated(first, second);
  // What is left out is of fourth order: a tenth of the amplitude, a ten-thousandth of the
  // difference
  const auto difference = [&](double amplitude) {
    const TransferMap::Vector v = {amplitude,       -0.3 * amplitude, 0.7 * amplitude,
                                   0.2 * amplitude, 0.1 * amplitude,  0.5 * amplitude};
    const auto expected = second(first(v)), found = both(v);
    double largest = 0.;
    for (int i = 0; i < n_coordinates; ++i)
      largest = std::max(largest, std::abs(found[i] - expected[i]));
    return largest;
  };
  const double ratio = difference(1e-2) / difference(1e-3);
  CHECK(ratio > 0.9e4);
  CHECK(ratio < 1.1e4);
  // Constants are taken along
  const auto kicked = concatenated(kick_map(1e-3, -2e-3, 3), both);
  const TransferMap::Vector start{};
  const auto expected = both(kick_map(1e-3, -2e-3, 3)(start));
  for (int i = 0; i < n_coordinates; ++i)
    CHECK(std::abs(kicked.component[i].c - expected[i]) < 1e-18);
}

TEST_CASE("integrated maps have the coefficients of the formulas", "[beam]") {
  const auto difference = [](const TransferMap& a, const TransferMap& b) {
    double largest = 0.;
    for (int i = 0; i < n_coordinates; ++i) {
      Polynomial d = a.component[i];
      d.add(-1., b.component[i]);
      for (const double v : d.r) largest = std::max(largest, std::abs(v));
      for (const double v : d.t) largest = std::max(largest, std::abs(v));
    }
    return largest;
  };
  for (const double k1 : {5., -5., 0.3, 100.}) {
    CAPTURE(k1);
    CHECK(difference(trackplex::beam::detail::integrated_map({.length = 0.2, .k1 = k1}, 2),
                     quadrupole_map(0.2, k1, 2)) < 1e-13 * (1. + std::abs(k1)));
  }
  CHECK(difference(trackplex::beam::detail::integrated_map({.length = 0.3, .k2 = 50.}, 2),
                   sextupole_map(0.3, 50., 2)) < 1e-13);
  CHECK(difference(trackplex::beam::detail::integrated_map({.length = 0.7}, 2), drift_map(0.7, 2)) <
        1e-15);
}

TEST_CASE("maps of elements are symplectic", "[beam]") {
  CHECK(symplecticity(drift_map(3., 2)) < 1e-15);
  CHECK(symplecticity(quadrupole_map(0.2, 5., 2)) < 1e-15);
  CHECK(symplecticity(quadrupole_map(0.2, -5., 3)) < 1e-14);
  const SectorBend bend{
      .length = 0.5, .angle = 0.2, .k1 = 1.5, .entrance = 0.1, .exit = 0.05, .half_gap = 0.02};
  const auto map = sector_bend_map(bend, 2);
  CHECK(symplecticity(map) < 1e-14);
  auto broken = map;
  broken.R(2, 1) += 1e-6;
  CHECK(symplecticity(broken) > 1e-7);
}

TEST_CASE("a bend with one edge is half of the edges", "[beam]") {
  const SectorBend both{
      .length = 0.5, .angle = 0.2, .k1 = 1.5, .entrance = 0.1, .exit = 0.05, .half_gap = 0.02};
  SectorBend entrance = both, exit = both, body = both;
  entrance.exit_edge = exit.entrance_edge = false;
  body.entrance_edge = body.exit_edge = false;
  for (const int order : {1, 2}) {
    const auto in = trackplex::beam::detail::edge_map(both, both.entrance, -1, order);
    const auto out = trackplex::beam::detail::edge_map(both, both.exit, 1, order);
    const auto inside = sector_bend_map(body, order);
    CHECK(sector_bend_map(entrance, order) == concatenated(in, inside));
    CHECK(sector_bend_map(exit, order) == concatenated(inside, out));
    CHECK(sector_bend_map(both, order) == concatenated(sector_bend_map(entrance, order), out));
    CHECK(!(sector_bend_map(entrance, order) == sector_bend_map(exit, order)));
  }
  const auto back = reversed(entrance);
  CHECK(back.entrance == both.exit);
  CHECK(back.exit == both.entrance);
  CHECK(!back.entrance_edge);
  CHECK(back.exit_edge);
}

TEST_CASE("elements that stand elsewhere", "[beam]") {
  const auto quadrupole = quadrupole_map(0.2, 5., 2);
  const TransferMap::Vector on_axis = {1e-3, 0., -2e-3, 0., 0., 0.};
  const auto shifted = misaligned(quadrupole, {.dx = 1e-3, .dy = -2e-3});
  const auto through = shifted(on_axis);
  for (int i = 0; i < n_coordinates; ++i) CHECK(std::abs(through[i] - on_axis[i]) < 1e-18);
  // A quarter turn swaps the planes
  const auto turned = misaligned(quadrupole, {.tilt = 0.5 * std::acos(-1.)});
  const auto other = quadrupole_map(0.2, -5., 2);
  const TransferMap::Vector v = {1e-3, 2e-4, -5e-4, 3e-4, 1e-3, 2e-3};
  for (int i = 0; i < n_coordinates; ++i) CHECK(std::abs(turned(v)[i] - other(v)[i]) < 1e-17);
}

TEST_CASE("bends that stand elsewhere are moved as a whole", "[beam]") {
  const SectorBend bend{.length = 0.5, .angle = 0.2, .entrance = 0.1, .exit = 0.1};
  const auto map = sector_bend_map(bend, 2);
  const double d = 1e-3, quarter = 0.5 * std::acos(-1.);
  // What goes along the axis of the magnet ends on it: the displacement, seen behind the bend
  const auto moved = misaligned_bend(map, {.dx = d, .dy = 2e-3}, bend.angle);
  const auto on_axis = moved({d, 0., 2e-3, 0., 0., 0.});
  CHECK(std::abs(on_axis[x] - d * std::cos(0.2)) < 1e-17);
  CHECK(std::abs(on_axis[y] - 2e-3) < 1e-17);
  CHECK(std::abs(on_axis[s] - d * std::sin(0.2)) < 1e-17);
  CHECK(std::abs(on_axis[xp]) < 1e-17);
  // Displaced along the axis, too, before a particle on the axis of the magnet
  const auto pushed = misaligned_bend(map, {.dx = d, .dz = 2e-3}, bend.angle);
  const auto behind = pushed({d, 0., 0., 0., 0., 0.});
  CHECK(std::abs(behind[x] - d * std::cos(0.2) - 2e-3 * std::sin(0.2)) < 1e-17);
  CHECK(std::abs(behind[s] - d * std::sin(0.2) - 2e-3 * (1. - std::cos(0.2))) < 1e-17);
  // elegant turns the displacement in the plane of x whatever the tilt
  const auto vertical = misaligned_bend(map, {.dx = 2e-3, .dy = d, .tilt = quarter}, bend.angle);
  const auto up = vertical({2e-3, 0., d, 0., 0., 0.});
  CHECK(std::abs(up[y] - d) < 1e-17);
  CHECK(std::abs(up[x] - 2e-3 * std::cos(0.2)) < 1e-17);
  CHECK(std::abs(up[s] - 2e-3 * std::sin(0.2)) < 1e-17);
  // Without an angle, or displaced along the field only, it is as other elements
  const TransferMap::Vector v = {1e-3, 2e-4, -5e-4, 3e-4, 1e-3, 2e-3};
  const Misalignment off{.dy = 1e-3}, turned{.dx = 1e-3, .dy = 2e-3, .tilt = 0.3};
  for (int i = 0; i < n_coordinates; ++i) {
    CHECK(std::abs(misaligned_bend(map, off, 0.2)(v)[i] - misaligned(map, off)(v)[i]) < 1e-17);
    CHECK(std::abs(misaligned_bend(map, turned, 0.)(v)[i] - misaligned(map, turned)(v)[i]) < 1e-17);
  }
}

TEST_CASE("bends and maps that do not exist are refused", "[beam]") {
  CHECK_THROWS_AS(sector_bend_map({.length = 1., .angle = 0.}, 2), UsageError);
  CHECK_THROWS_AS(sector_bend_map({.length = 0., .angle = 0.1}, 2), UsageError);
  CHECK_THROWS_AS(sector_bend_map({.length = 1., .angle = 0.1}, 3), UsageError);
  CHECK_THROWS_AS(TransferMap::identity(4), UsageError);
}
