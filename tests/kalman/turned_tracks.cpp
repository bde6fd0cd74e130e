// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks and the same tracks turned about the z axis, in fields that turn with them.
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/square_root_fit.hpp>
#include <trackplex/seeding/three_hits.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <utility>

#include "few_layers.hpp"
#include "support/turned.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using Catch::Matchers::WithinAbs;

namespace {

using Surface = geometry::Surface<double>;
using Vector3 = geometry::Vector3<double>;
using test::turned;

/// Azimuths on both sides of the seam, and others.
constexpr std::array azimuths{3.1415, -3.1415, 3., 0.1, -1.6, 2.3};

Parameters<double> start_at(double phi) { return {{0.4, -0.3, 2., 0.8, phi, 1.2}}; }

void check_same(const Parameters<double>& found, const Parameters<double>& expected,
                double within) {
  const auto off = difference<CentralTrack>(found, expected);
  for (int i = 0; i < 6; ++i) CHECK_THAT(off(i), WithinAbs(0., within));
}

/// The turned track in the turned field reaches the turned surface at the turned point; the azimuth
/// is the one near that of the start.
void check_transport(const auto& field, const auto& field_there, const auto& surface,
                     const auto& surface_there, double angle, double within = 1e-9) {
  for (const double phi : azimuths)
    for (const double charge : {-1., 0., 1.}) {
      CAPTURE(angle, phi, charge);
      const auto start = start_at(phi);
      const auto expected = transport(start, charge, field, surface),
                 found = transport(turned(start, angle), charge, field_there, surface_there);
      REQUIRE(expected.reached);
      REQUIRE(found.reached);
      check_same(found.parameters, turned(expected.parameters, angle), within);
      CHECK(std::fabs(found.parameters(4) - (phi + angle)) < 0.5);
    }
}

}  // namespace

TEST_CASE("transports turn with the track", "[kalman]") {
  const HostExecutor exec;
  const auto map = geometry::AxisymmetricFieldMap<double, Kokkos::HostSpace>(
      exec,
      geometry::sample_axisymmetric_field({0., 200., 9}, {-200., 200., 9}, [](double r, double z) {
        return std::array{1e-5 * r * z, 2. - 1e-5 * z * z};
      }));
  for (const double angle : test::turns) {
    const Vector3 at{{8., 6., 5.}}, normal{{0.8, 0.36, 0.48}};
    const Vector3 at_there = turned(at, angle), normal_there = turned(normal, angle);
    const auto on_all = [&](const auto& field, const auto& there) {
      const auto cylinder = Surface::cylinder(20.);
      check_transport(field, there, cylinder, cylinder, angle);
      check_transport(field, there, Surface::disk(15.), Surface::disk(15.), angle);
      check_transport(field, there, Cylinder<double>{20.}, Cylinder<double>{20.}, angle);
      check_transport(field, there, ZPlane<double>{15.}, ZPlane<double>{15.}, angle);
    };
    on_all(UniformField{3.8}, UniformField{3.8});
    on_all(geometry::UniformVectorField{0., 0., 3.8}, geometry::UniformVectorField{0., 0., 3.8});
    const Vector3 b{{0.5, -1., 2.}}, b_there = turned(b, angle);
    on_all(geometry::UniformVectorField{b(0), b(1), b(2)},
           geometry::UniformVectorField{b_there(0), b_there(1), b_there(2)});
    on_all(map, map);
    on_all(HelicesInField<decltype(map)>{map}, HelicesInField<decltype(map)>{map});
    // A plane ahead of one of the tracks
    const auto start = start_at(0.5);
    const auto expected = transport(start, 1., map, Surface::plane(at, normal)),
               found =
                   transport(turned(start, angle), 1., map, Surface::plane(at_there, normal_there));
    REQUIRE(expected.reached);
    REQUIRE(found.reached);
    check_same(found.parameters, turned(expected.parameters, angle), 1e-9);
  }
}

TEST_CASE("fits and starts of fits turn with the hits", "[kalman]") {
  const UniformField field{2.};
  auto start = test::state_at_origin(0.8);
  const auto straight = test::layers_along(start, field, {3., 7., 11., 17., 26.});
  start.parameters(4) += 1e-3;
  const auto fitted = [&](auto state, const auto& layers, bool by_roots) {
    const auto result =
        by_roots ? square_root_fit(state, field, layers) : kalman::fit(state, field, layers);
    CHECK(result.reached);
    CHECK(result.measurements == 10);
    return std::pair(state, result.chi2);
  };
  for (const double phi : azimuths) {
    const double angle = phi - start.parameters(4);
    CAPTURE(phi);
    auto layers = straight;
    for (auto& layer : layers.layers) layer.hit.position = turned(layer.hit.position, angle);
    for (const double turns : {-2. * std::numbers::pi, 0., 2. * std::numbers::pi})
      for (const bool by_roots : {false, true}) {
        const auto [expected, chi2] = fitted(start, straight, by_roots);
        auto there = start;
        there.parameters = turned(start.parameters, angle);
        there.parameters(4) += turns;
        const auto [found, chi2_there] = fitted(there, layers, by_roots);
        check_same(found.parameters, turned(expected.parameters, angle), 1e-9);
        CHECK_THAT(chi2_there, WithinAbs(chi2, 1e-8));
        for (int i = 2; i < 6; ++i)
          CHECK_THAT(found.covariance(i, i), WithinAbs(expected.covariance(i, i), 1e-10));
      }

    const auto three = [&](const test::FewLayers& of) {
      const SpacePoint<double> hits[3] = {of.layers[0].hit, of.layers[2].hit, of.layers[4].hit};
      return seeding::state_of_three_hits<double>(hits, field);
    };
    const auto expected = three(straight), found = three(layers);
    check_same(found.parameters, turned(expected.parameters, angle), 1e-12);
    CHECK(std::fabs(found.parameters(4)) <= std::numbers::pi);
    CHECK(found.charge == expected.charge);
    for (int i = 2; i < 6; ++i)
      CHECK_THAT(found.covariance(i, i), WithinAbs(expected.covariance(i, i), 1e-12));
  }
}
