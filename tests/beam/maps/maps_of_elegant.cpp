// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <trackplex/beam/maps/detail/bend_with_error.hpp>
#include <trackplex/beam/maps/element_maps.hpp>
#include <vector>

#include "beam/elements/element_sets.hpp"
#include "beam/reference_vectors.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

/// A set of particles before and behind an element, the path of the reference particle in it, its
/// map, and the deviation of x, xp, y and yp allowed. That of s and delta is `exact` always.
struct Case {
  const char* set;
  double p0, length;
  std::function<TransferMap()> map;
  std::array<double, 4> tolerance;
};

constexpr double exact = 1e-12;
constexpr std::array<double, 4> same{exact, exact, exact, exact};
/// elegant gives bends without vertical focusing a little of it: k_y = 4.6e-6/length.
constexpr std::array<double, 4> floored{exact, exact, 3e-11, 2e-10};
constexpr std::array<double, 4> floored_and_tilted{exact, 1e-11, 3e-11, 2e-10};

TransferMap kicked_quadrupole() {
  const TransferMap half = kicker_map({.horizontal = 0.5e-3, .vertical = -0.25e-3}, 2);
  return concatenated(concatenated(half, quadrupole_map(0.2, 5., 2)), half);
}

TransferMap bend(const SectorBend& magnet, const Misalignment& by = {}) {
  return misaligned_bend(with_error_tilt(sector_bend_map(magnet, 2), magnet), by, magnet.angle);
}

TransferMap matrix(const std::function<void(TransferMap&)>& fill, double length,
                   const Misalignment& by = {}) {
  TransferMap map;
  map.order = 2;
  map.R(5, 5) = map.R(6, 6) = 1.;
  fill(map);
  return misaligned(relative_to_path(map, length), by);
}

void fill_planes(TransferMap& m) {
  m.R(1, 1) = 0.9, m.R(1, 2) = 0.4, m.R(2, 1) = -0.3, m.R(2, 2) = 0.97;
  m.R(3, 3) = 1.1, m.R(3, 4) = 0.6, m.R(4, 3) = 0.2, m.R(4, 4) = 1.02;
}

TransferMap matrix_from_file(int order) {
  TransferMap map = test::map_in_file(test::reference_or_skip("beam-elements/lattice/m1.mat"), 2);
  if (order < 2)
    for (Polynomial& p : map.component) p.t.fill(0.);
  return relative_to_path(map, 0.5);
}

const double arc = 0.5 * 0.1 / std::sin(0.1);  // of a chord of 0.5 m in bends of 0.2 rad
const Misalignment moved{1e-3, -5e-4, 0.2, 3e-3};
constexpr double eighth = 0.7853981633974483;

const std::vector<Case> cases = {
    {"drif_l2", 2000., 2., [] { return drift_map(2., 2); }, same},
    {"drif_negative", 200., -0.3, [] { return drift_map(-0.3, 2); }, same},
    {"mark_mark", 200., 0., [] { return TransferMap::identity(2); }, same},
    {"moni_l", 200., 0.3, [] { return drift_map(0.3, 2); }, same},
    {"hmon_l", 200., 0.3, [] { return drift_map(0.3, 2); }, same},
    {"vmon_l", 200., 0.3, [] { return drift_map(0.3, 2); }, same},

    {"quad_fse", 200., 0.2, [] { return quadrupole_map(0.2, 5. * 1.01, 2); }, same},
    {"quad_dx", 200., 0.2, [] { return misaligned(quadrupole_map(0.2, 5., 2), {1e-3}); }, same},
    {"quad_dydz", 200., 0.2,
     [] {
       return misaligned(quadrupole_map(0.2, -5., 2), {0., -5e-4, 0., 3e-3});
     },
     same},
    {"quad_errors", 2000., 0.2, [] { return misaligned(quadrupole_map(0.2, 5.05, 2), moved); },
     same},
    {"quad_o1errors", 200., 0.2,
     [] {
       return misaligned(quadrupole_map(0.2, 5.05, 1), {1e-3, 0., 0.2});
     },
     same},
    {"quad_skew", 200., 0.2,
     [] { return misaligned(quadrupole_map(0.2, 2., 2), {.tilt = eighth}); }, same},
    {"quad_tilt", 200., 0.2, [] { return misaligned(quadrupole_map(0.2, 5., 2), {.tilt = 0.2}); },
     same},
    {"quad_zero", 200., 0.3, [] { return misaligned(quadrupole_map(0.3, 0., 2), {1e-3}); }, same},
    {"quad_length0", 200., 0., [] { return quadrupole_map(0., 5., 2); }, same},
    {"quad_kick", 200., 0.2, kicked_quadrupole, same},
    {"quad_ffringe", 200., 0.2,
     [] { return quadrupole_map(0.2, 5., 2, {.length = 0.5 * 0.05 * 0.2}); }, same},

    {"sext_fse", 200., 0.2, [] { return sextupole_map(0.2, 101., 2); }, same},
    {"sext_errors", 2000., 0.2, [] { return misaligned(sextupole_map(0.2, -101., 2), moved); },
     same},
    {"sext_length0", 200., 0., [] { return sextupole_map(0., 100., 2); }, same},
    {"sext_order1", 200., 0.2, [] { return sextupole_map(0.2, 100., 1); }, same},
    {"sext_tilt", 200., 0.2, [] { return misaligned(sextupole_map(0.2, 100., 2), {.tilt = 0.2}); },
     same},
    {"sext_k1", 200., 0.2, [] { return sextupole_map(0.2, 100., 2, 0.3, -0.2); }, same},
    {"octu_plain", 200., 0.2, [] { return octupole_map(0.2, 5000., 2); }, same},
    {"octu_order3", 200., 0.2,
     [] {
       return misaligned(octupole_map(0.2, 5000., 3), {1e-3, 0., 0.1});
     },
     same},

    {"sben_reversed", 200., 0.5,
     [] {
       return bend(
           reversed(SectorBend{.length = 0.5, .angle = 0.2, .entrance = 0.02, .exit = 0.12}));
     },
     floored},
    {"sben_k2", 2000., 0.5,
     [] {
       return bend({.length = 0.5,
                    .angle = 0.2,
                    .k1 = -0.4,
                    .k2 = 5.,
                    .entrance = 0.05,
                    .exit = 0.1,
                    .half_gap = 0.01,
                    .fringe = 0.4,
                    .entrance_curvature = 0.2,
                    .exit_curvature = 0.1});
     },
     same},
    {"sben_negative", 200., 0.5,
     [] { return bend({.length = 0.5, .angle = -0.2, .k1 = 0.5, .entrance = -0.1, .exit = -0.1}); },
     same},
    {"sben_errors", 200., 0.5,
     [] {
       return bend(
           {.length = 0.5, .angle = 0.2, .entrance = 0.1, .exit = 0.1, .dipole_error = 1e-3},
           {1e-3, -5e-4, 0.1, 2e-3});
     },
     floored_and_tilted},
    {"sben_etilt", 200., 0.5,
     [] {
       return bend({.length = 0.5, .angle = 0.2, .entrance = 0.1, .exit = 0.1, .error_tilt = 0.01});
     },
     floored},
    {"rben_plain", 200., arc,
     [] { return bend({.length = arc, .angle = 0.2, .entrance = 0.1, .exit = 0.1}); }, floored},
    {"rben_edges", 2000., arc,
     [] { return bend({.length = arc, .angle = 0.2, .k1 = 0.3, .entrance = 0.12, .exit = 0.07}); },
     same},

    {"sole_b", 200., 0.3, [] { return solenoid_map(0.3, solenoid_strength(0.05, 200.), 2); }, same},
    {"sole_errors", 200., 0.3,
     [] {
       return misaligned(solenoid_map(0.3, 1.2, 2), {1e-3, -5e-4, 0., 2e-3});
     },
     same},
    {"sole_ks", 200., 0.3, [] { return solenoid_map(0.3, 1.2, 2); }, same},
    {"sole_ksneg", 200., 0.3, [] { return solenoid_map(0.3, -1.2, 2); }, same},
    {"sole_order1", 200., 0.3, [] { return solenoid_map(0.3, 1.2, 1); }, same},
    {"sole_zero", 2000., 0.3, [] { return solenoid_map(0.3, 0., 2); }, same},

    {"kicker_l", 200., 0.2,
     [] {
       return kicker_map({0.2, 1e-3, -2e-3}, 2);
     },
     same},
    {"kicker_l0", 200., 0.,
     [] {
       return kicker_map({0., 1e-3, -2e-3}, 2);
     },
     same},
    {"kicker_cal", 200., 0.2,
     [] {
       return kicker_map({0.2, 1.1e-3, -1.8e-3}, 2);
     },
     same},
    {"kicker_order1", 200., 0.2,
     [] {
       return kicker_map({0.2, 1e-3, -2e-3}, 1);
     },
     same},
    {"kicker_tilt", 2000., 0.2,
     [] {
       return misaligned(kicker_map({0.2, 3e-3, 1e-3}, 2), {.tilt = 0.3});
     },
     same},
    {"kicker_b2", 200., 0.2,
     [] {
       return kicker_map({0.2, 1e-3, 0., 10.}, 2);
     },
     same},
    {"kicker_edge", 200., 0.2,
     [] {
       return kicker_map({0.2, 1e-2, 0., 0., true}, 2);
     },
     same},
    {"hkick_l", 200., 0.2,
     [] {
       return kicker_map({0.2, 1e-3, 0.}, 2);
     },
     same},
    {"hkick_l0", 200., 0.,
     [] {
       return kicker_map({0., -1e-3, 0.}, 2);
     },
     same},
    {"hkick_tilt", 2000., 0.2,
     [] {
       return misaligned(kicker_map({0.2, 3e-3, 0.}, 2), {.tilt = 0.3});
     },
     same},
    {"vkick_l", 200., 0.2,
     [] {
       return kicker_map({0.2, 0., 1e-3}, 2);
     },
     same},
    {"vkick_l0", 200., 0.,
     [] {
       return kicker_map({0., 0., -1e-3}, 2);
     },
     same},
    {"vkick_tilt", 2000., 0.2,
     [] {
       return misaligned(kicker_map({0.2, 0., 3e-3}, 2), {.tilt = 0.3});
     },
     same},

    {"ematrix_order1", 200., 0.5,
     [] {
       return matrix(
           [](TransferMap& m) {
             fill_planes(m);
             m.C(1) = 1e-3, m.C(2) = 1e-4, m.C(5) = 0.5;
             m.R(1, 6) = 0.1, m.R(5, 1) = 0.02, m.R(5, 6) = 0.05;
           },
           0.5);
     },
     same},
    {"ematrix_order2", 2000., 0.5,
     [] {
       return matrix(
           [](TransferMap& m) {
             fill_planes(m);
             m.T(1, 1, 1) = 3., m.T(1, 2, 1) = 2., m.T(1, 3, 3) = -4., m.T(2, 4, 3) = 5.;
             m.T(5, 6, 6) = 0.7, m.T(1, 6, 1) = 2.5, m.T(2, 6, 6) = 1.5;
           },
           0.5);
     },
     same},
    {"ematrix_shift", 200., 0.5,
     [] {
       return matrix(fill_planes, 0.5, {1e-3, 2e-3, 0.2});
     },
     same},
    {"matr_order1", 200., 0.5, [] { return matrix_from_file(1); }, same},
    {"matr_order2", 200., 0.5, [] { return matrix_from_file(2); }, same},
};

/// The map does with the particles what elegant does.
void check_case(const Case& it) {
  CAPTURE(it.set);
  const auto set = test::element_set(it.set, it.p0, it.p0);
  const TransferMap map = it.map();
  auto table = test::table_before(set);
  for (int i = 0; i < table.size(); ++i) {
    TransferMap::Vector v;
    for (int c = 0; c < n_coordinates; ++c) v[c] = table.v[c][i];
    v = map(v);
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = v[c];
  }
  table.reference.path_length += it.length;
  const auto deviation = test::deviation_of(table, set);
  CHECK(deviation.fates == 0);
  for (int c = 0; c < n_coordinates; ++c) {
    CAPTURE(c);
    CHECK(deviation.of[c] <= (c < 4 ? it.tolerance[c] : exact));
  }
}

/// elegant's third-order terms of a quadrupole with delta^2, which differ from the Taylor
/// coefficients by (f S - f^2 C)/32 and the like; S and C of f = k L.
void use_terms_of_elegant(TransferMap& map, int a, double strength, double length) {
  const double k = std::sqrt(std::abs(strength)), f = k * length, sign = strength > 0. ? 1. : -1.;
  const double c = sign > 0. ? std::cos(f) : std::cosh(f);
  const double s = sign > 0. ? std::sin(f) : std::sinh(f);
  const int b = a + 1;
  map.Q(a, 6, 6, a) = map.Q(b, 6, 6, b) = -sign * (13. * f * s + 3. * f * f * c) / 32.;
  map.Q(a, 6, 6, b) = (-7. * s + 7. * f * c - sign * 3. * f * f * s) / (32. * k);
  map.Q(b, 6, 6, a) = -sign * k * (13. * s + 19. * f * c - sign * 3. * f * f * s) / 32.;
}

}  // namespace

TEST_CASE("maps of elements with errors are elegant's", "[beam]") {
  for (const Case& it : cases) check_case(it);
}

// The library has the Taylor coefficients where elegant has others. With elegant's, and without
// terms of third order in the path length, the particles are the same; without them, they deviate
// by 1e-6 of the largest slope.
TEST_CASE("quadrupoles of third order are elegant's but for terms with delta^2", "[beam]") {
  check_case({"quad_order3", 200., 0.2,
              [] {
                TransferMap map = quadrupole_map(0.2, 5., 3);
                map.component[s].q.fill(0.);
                use_terms_of_elegant(map, 1, 5., 0.2);
                use_terms_of_elegant(map, 3, -5., 0.2);
                return misaligned(map, {1e-3});
              },
              same});
  const auto plain = [] { return misaligned(quadrupole_map(0.2, 5., 3), {1e-3}); };
  const auto set = test::element_set("quad_order3", 200., 200.);
  const TransferMap map = plain();
  double largest = 0.;
  for (std::size_t i = 0; i < set.before.size(); ++i)
    largest = std::max(largest, std::abs(map(set.before[i])[xp] - set.behind[i][xp]));
  CHECK(largest < 5e-9);
}

namespace {

/// Largest difference of two maps' coefficients.
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

TEST_CASE("maps with errors have those without them as their limit", "[beam]") {
  for (const int order : {1, 2}) {
    CAPTURE(order);
    CHECK(difference(quadrupole_map(0.2, 5., order, {.length = 1e-4}),
                     quadrupole_map(0.2, 5., order)) < 1e-7);
    CHECK(difference(sextupole_map(0.2, 100., order, 1e-13, 1e-13),
                     sextupole_map(0.2, 100., order)) < 1e-12);
    CHECK(difference(solenoid_map(0.3, 1e-5, order), drift_map(0.3, order)) < 1e-5);
    CHECK(difference(kicker_map({.length = 0.3, .b2 = 100., .edges = true}, order),
                     drift_map(0.3, order)) < 1e-15);
    CHECK(difference(kicker_map({.length = 1e-9, .horizontal = 1e-3, .vertical = 2e-3}, 1),
                     kicker_map({.horizontal = 1e-3, .vertical = 2e-3}, 1)) < 1e-8);
    const trackplex::beam::detail::MagnetBody body{.length = 0.5, .h = 0.4, .k1 = 1.5, .k2 = 5.};
    CHECK(difference(trackplex::beam::detail::bend_with_error(body, 0., order),
                     trackplex::beam::detail::integrated_map(body, order)) < 1e-13);
    CHECK(difference(sector_bend_map({.length = 0.5, .angle = 0.2, .dipole_error = 1e-12}, order),
                     sector_bend_map({.length = 0.5, .angle = 0.2}, order)) < 1e-12);
  }
}

TEST_CASE("maps with errors are symplectic", "[beam]") {
  CHECK(symplecticity(quadrupole_map(0.2, 5., 2, {.length = 0.02})) < 1e-14);
  CHECK(symplecticity(solenoid_map(0.3, 1.2, 2)) < 1e-14);
  CHECK(symplecticity(octupole_map(0.3, 1e4, 3)) < 1e-14);
  CHECK(symplecticity(with_error_tilt(sector_bend_map({.length = 0.5, .angle = 0.2}, 2),
                                      {.length = 0.5, .angle = 0.2, .error_tilt = 0.1})) < 1e-14);
}

TEST_CASE("halves of a quadrupole with fringe fields make a whole one", "[beam]") {
  const double w = 0.005;
  const auto first = quadrupole_map(0.1, 5., 2, {.length = w, .exit = false});
  const auto second = quadrupole_map(0.1, 5., 2, {.length = w, .entrance = false});
  CHECK(difference(concatenated(first, second), quadrupole_map(0.2, 5., 2, {.length = w})) < 1e-14);
}

TEST_CASE("a bend with an error tilt and a negative angle is one that is turned by half",
          "[beam]") {
  SectorBend magnet{.length = 0.5, .angle = 0.2, .entrance = 0.1, .exit = 0.1, .error_tilt = 0.01};
  const auto turned = misaligned_bend(with_error_tilt(sector_bend_map(magnet, 2), magnet),
                                      {.tilt = std::acos(-1.)}, magnet.angle);
  magnet.angle = -0.2;
  magnet.entrance = magnet.exit = -0.1;
  CHECK(difference(with_error_tilt(sector_bend_map(magnet, 2), magnet), turned) < 1e-13);
}

TEST_CASE("the field of a bend with an error is that of its edges, too", "[beam]") {
  // To first order around the axis, the orbit is a particle's with less momentum
  const double error = 1e-6;
  const auto map =
      sector_bend_map({.length = 0.5, .angle = 0.2, .dipole_error = error, .edge_order = 1}, 2);
  const auto plain = sector_bend_map({.length = 0.5, .angle = 0.2, .edge_order = 1}, 2);
  const auto with = map(TransferMap::Vector{});
  const auto without = plain({0., 0., 0., 0., 0., -error});
  for (const int i : {x, xp, s}) CHECK(std::abs(with[i] - without[i]) < 1e-12);
  CHECK(std::abs(with[xp]) > 1e-8);
}

TEST_CASE("orders that maps with errors do not have are refused", "[beam]") {
  test::check_refused<UsageError>([] { return quadrupole_map(0.2, 5., 3, {.length = 0.01}); },
                                  "fringe fields");
  test::check_refused<UsageError>([] { return sextupole_map(0.2, 5., 3, 0.1, 0.); },
                                  "quadrupole components");
  test::check_refused<UsageError>([] { return solenoid_map(0.2, 5., 3); }, "first or second");
  test::check_refused<UsageError>([] { return kicker_map({0.2, 1e-3}, 3); }, "first or second");
  CHECK(quadrupole_map(0.2, 0., 3, {.length = 0.01}) == quadrupole_map(0.2, 0., 3));
  CHECK(sextupole_map(0.2, 5., 3, 0., 0.) == sextupole_map(0.2, 5., 3));
}
