// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/host_executor.hpp>
#include <trackplex/geometry/field_map.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <trackplex/core/launch.hpp>
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::geometry;
using Catch::Matchers::WithinAbs;

namespace {

const GridAxis x_axis{-3., 5., 9}, y_axis{-2., 2., 5}, z_axis{-10., 10., 11};

/// Linear along each axis: what the interpolation reproduces.
Vector3<double> trilinear(double x, double y, double z) {
  return {{1. + 0.1 * x - 0.2 * y * z, 0.3 * x * y + 0.01 * x * y * z, 2. - 0.05 * z + 0.02 * x}};
}

/// B_r = a r + b r z, B_z = c + d r + e z.
std::array<double, 2> bilinear(double r, double z) {
  return {0.02 * r - 0.003 * r * z, 2. + 0.01 * r - 0.04 * z};
}

using Host = HostExecutor;

template <class T>
auto map_of(OutsideOfMap outside = OutsideOfMap::unknown) {
  return FieldMap<T, MemoryOf<Host>>(Host(), sample_field(x_axis, y_axis, z_axis, trilinear),
                                     outside);
}
template <class T>
auto axisymmetric_map_of(OutsideOfMap outside = OutsideOfMap::unknown) {
  return AxisymmetricFieldMap<T, MemoryOf<Host>>(
      Host(), sample_axisymmetric_field({0., 8., 9}, z_axis, bilinear), outside);
}

/// Field and gradient at points of a kernel, in lanes.
template <class Real, class Map>
struct Sample {
  using T = ScalarOf<Real>;
  Map map;
  T* to;
  int n;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real i = convert<Real>(lane_index<IntegerOf<Real>>()) + Real(T(tile.first));
    const auto at =
        map.with_gradient(Real(T(-4)) + Real(T(0.31)) * i, Real(T(2.2)) - Real(T(0.13)) * i,
                          Real(T(-9)) + Real(T(0.57)) * i);
    for (int b = 0; b < 3; ++b) tile.store(to + b * n, at.tesla(b));
    for (int d = 0; d < 9; ++d) tile.store(to + (3 + d) * n, at.gradient.elements[d]);
  }
};

}  // namespace

TEST_CASE("a map reproduces fields that are linear along each axis, with their gradients",
          "[geometry]") {
  const auto map = map_of<double>();
  for (const double x : {-3., -2.3, 0.5, 4.9, 5.})
    for (const double y : {-2., -0.4, 1.7, 2.})
      for (const double z : {-10., -3.3, 0., 9.1}) {
        CAPTURE(x, y, z);
        const auto at = map.with_gradient(x, y, z);
        const auto expected = trilinear(x, y, z);
        for (int i = 0; i < 3; ++i) CHECK_THAT(at.tesla(i), WithinAbs(expected(i), 1e-14));
        const double gradient[9] = {
            0.1,  -0.2 * z, -0.2 * y, 0.3 * y + 0.01 * y * z, 0.3 * x + 0.01 * x * z, 0.01 * x * y,
            0.02, 0.,       -0.05};
        for (int i = 0; i < 9; ++i)
          CHECK_THAT(at.gradient.elements[i], WithinAbs(gradient[i], 1e-13));
        CHECK(map.covers(x, y, z));
      }
  CHECK(map.step_limit() == 1.);
}

TEST_CASE("an axisymmetric map reproduces fields that are linear in r and z", "[geometry]") {
  const auto map = axisymmetric_map_of<double>();
  for (const double phi : {0., 0.7, 2.9, -1.9})
    for (const double r : {0., 1e-9, 0.3, 1., 4.4, 7.9})
      for (const double z : {-10., -3.3, 9.1}) {
        CAPTURE(phi, r, z);
        const double x = r * std::cos(phi), y = r * std::sin(phi);
        const auto field = [](double px, double py, double pz) {
          const auto b = bilinear(std::hypot(px, py), pz);
          const double q = 0.02 - 0.003 * pz;
          return Vector3<double>{{q * px, q * py, b[1]}};
        };
        const auto at = map.with_gradient(x, y, z);
        const auto expected = field(x, y, z);
        for (int i = 0; i < 3; ++i) CHECK_THAT(at.tesla(i), WithinAbs(expected(i), 1e-14));
        const double q = 0.02 - 0.003 * z, c = r > 0. ? x / r : 0., s = r > 0. ? y / r : 0.;
        const double gradient[9] = {q,          0.,       -0.003 * x, 0.,   q,
                                    -0.003 * y, 0.01 * c, 0.01 * s,   -0.04};
        for (int i = 0; i < 9; ++i)
          CHECK_THAT(at.gradient.elements[i], WithinAbs(gradient[i], 1e-13));
        CHECK(map.covers(x, y, z));
      }
}

TEST_CASE("outside of its grid a map is unknown, or 0", "[geometry]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [&](const auto& unknown, const auto& zero, double x, double y, double z) {
    CAPTURE(x, y, z);
    CHECK_FALSE(unknown.covers(x, y, z));
    CHECK(std::isfinite(unknown(x, y, z)(2)));  // no read outside of the map
    CHECK(zero.covers(x, y, z));
    const auto at = zero.with_gradient(x, y, z);
    for (const double b : at.tesla.elements) CHECK(b == 0.);
    for (const double d : at.gradient.elements) CHECK(d == 0.);
  };
  const auto unknown = map_of<double>(), zero = map_of<double>(OutsideOfMap::zero);
  check(unknown, zero, 5.1, 0., 0.);
  check(unknown, zero, 0., -2.1, 0.);
  check(unknown, zero, 0., 0., -1e30);
  CHECK_FALSE(unknown.covers(nan, 0., 0.));
  CHECK(std::isfinite(unknown(nan, nan, nan)(0)));
  const auto round = axisymmetric_map_of<double>(),
             round_zero = axisymmetric_map_of<double>(OutsideOfMap::zero);
  check(round, round_zero, 6., 6., 0.);
  check(round, round_zero, 1., 0., 10.1);
  CHECK_FALSE(round.covers(0., nan, 0.));
}

TEMPLATE_TEST_CASE("the first and the last node belong to a map", "[geometry]", float, double) {
  using T = TestType;
  for (const int nodes : {2, 3, 7, 11, 21, 41, 101, 201, 301, 1001})
    for (const double half : {0.3, 0.7, 1., 10., 100., 120., 200., 450., 999.9, 1000.}) {
      CAPTURE(nodes, half);
      const auto upwards = [](double, double, double) { return Vector3<double>{{0., 1., 0.}}; };
      const FieldMap<T, MemoryOf<Host>> map(
          Host(), sample_field({-half, half, nodes}, {-1., 1., 2}, {-half, half, 2}, upwards));
      const AxisymmetricFieldMap<T, MemoryOf<Host>> round(
          Host(),
          sample_axisymmetric_field({0., half, nodes}, {-half, half, nodes}, [](double, double) {
            return std::array{0., 1.};
          }));
      for (const T at : {T(half), T(-half)}) {
        CHECK(map.covers(at, T(0), at));
        CHECK(round.covers(T(0), T(0), at));
        for (int i = 0; i < 12; ++i) {
          const T x = T(half * std::cos(0.55 * i)), y = T(half * std::sin(0.55 * i));
          CHECK(round.covers(x, y, at));
        }
        CHECK_FALSE(map.covers(at * T(1.01), T(0), at));
        CHECK_FALSE(round.covers(T(0), T(0), at * T(1.01)));
        CHECK_FALSE(round.covers(at, at, T(0)));
      }
    }
}

TEST_CASE("the path to the next face of a cell leads just after it", "[geometry]") {
  const auto map = map_of<double>();
  const auto path = [&](double x, double y, double z, const Vector3<double>& t) {
    return map.smooth_path(Vector3<double>{{x, y, z}}, t);
  };
  CHECK_THAT(path(0.25, 0.5, 1., {{1., 0., 0.}}), WithinAbs(0.75, 1e-3));
  CHECK(path(0.25, 0.5, 1., {{1., 0., 0.}}) > 0.75);
  CHECK_THAT(path(0.25, 0.5, 1., {{-1., 0., 0.}}), WithinAbs(0.25, 1e-3));
  CHECK_THAT(path(1., 0.5, 1., {{-1., 0., 0.}}), WithinAbs(1., 1e-3));  // from a face
  CHECK_THAT(path(1., 0.5, 1., {{1., 0., 0.}}), WithinAbs(1., 1e-3));
  CHECK_THAT(path(0.25, 0.5, 1., {{0.6, 0., 0.8}}), WithinAbs(1.25, 1e-2));
  const auto round = axisymmetric_map_of<double>();
  for (const Vector3<double> t :
       {Vector3<double>{{0.6, 0.8, 0.}}, Vector3<double>{{-0.6, 0.8, 0.}},
        Vector3<double>{{-0.8, -0.6, 0.}}, Vector3<double>{{-1., 0., 0.}}})
    for (const double x : {0.3, 3.5, 4.}) {
      const double y = 0.4, s = round.smooth_path(Vector3<double>{{x, y, 1.}}, t);
      const double from = std::hypot(x, y), to = std::hypot(x + s * t(0), y + s * t(1));
      CAPTURE(x, t(0), s);
      CHECK(s > 0.);
      if (from < 1.)
        CHECK(s == 0.125);  // cells at the axis are passed in short steps
      else
        CHECK_THAT(to, WithinAbs(std::round(to), 1e-3));
      CHECK(std::fabs(to - from) < 1.001);
    }
  CHECK_THAT(round.smooth_path(Vector3<double>{{3., 0., 0.5}}, {{0., 0., 1.}}),
             WithinAbs(1.5, 2e-3));
}

TEMPLATE_LIST_TEST_CASE("a map has the same bits in every space and with all lanes", "[geometry]",
                        test::EnabledSpaces) {
  using Space = TestType;
  constexpr int n = 32;
  const auto check = [&]<class T>(T, const auto& here, const auto& there) {
    std::vector<T> expected;
    const auto sample = [&]<int Width>() {
      using Real = LanesOf<T, Width>;
      const Space exec;
      const Kokkos::View<T*, MemoryOf<Space>> values("values", 12 * n);
      using Map = std::decay_t<decltype(there)>;
      for_each_tile<Real>(exec, "Trackplex::Test::sample", n,
                          Sample<Real, Map>{there, values.data(), n});
      exec.fence();
      const auto host = test::host_copy(values);
      for (int i = 0; i < 12 * n; ++i) REQUIRE(host(i) == expected[std::size_t(i)]);
    };
    expected.resize(12 * n);
    for (int i = 0; i < n; ++i)
      Sample<T, std::decay_t<decltype(here)>>{here, expected.data(), n}(Tile<T>{i, 1});
    test::for_each_width<Space>(sample);
  };
  const auto grid = sample_field(x_axis, y_axis, z_axis, trilinear);
  check(0., FieldMap<double, MemoryOf<Host>>(Host(), grid, OutsideOfMap::zero),
        FieldMap<double, MemoryOf<Space>>(Space(), grid, OutsideOfMap::zero));
  check(0.f, FieldMap<float, MemoryOf<Host>>(Host(), grid, OutsideOfMap::zero),
        FieldMap<float, MemoryOf<Space>>(Space(), grid, OutsideOfMap::zero));
  const auto round = sample_axisymmetric_field({0., 8., 9}, z_axis, bilinear);
  check(0., AxisymmetricFieldMap<double, MemoryOf<Host>>(Host(), round),
        AxisymmetricFieldMap<double, MemoryOf<Space>>(Space(), round));
  check(0.f, AxisymmetricFieldMap<float, MemoryOf<Host>>(Host(), round),
        AxisymmetricFieldMap<float, MemoryOf<Space>>(Space(), round));
}

TEST_CASE("grids that are none are refused", "[geometry]") {
  const auto refuse = [](FieldGrid grid, const std::string& message) {
    test::check_refused<UsageError>([&] { return FieldMap<float, MemoryOf<Host>>(Host(), grid); },
                                    message);
  };
  auto grid = sample_field(x_axis, y_axis, z_axis, trilinear);
  refuse({{0., 1., 1}, y_axis, z_axis, {}}, "the axis x has no cell of positive length");
  refuse({x_axis, {1., 1., 2}, z_axis, {}}, "the axis y has no cell of positive length");
  grid.tesla.back()[1] = std::numeric_limits<double>::infinity();
  refuse(grid, "a field is not finite");
  grid.tesla.pop_back();
  refuse(grid, "a field at each node is needed (494 of 495)");
  const auto refuse_round = [](const AxisymmetricFieldGrid& of, const std::string& message) {
    test::check_refused<UsageError>(
        [&] { return AxisymmetricFieldMap<float, MemoryOf<Host>>(Host(), of); }, message);
  };
  auto round = sample_axisymmetric_field({0., 8., 9}, z_axis, bilinear);
  round.tesla[3][0] = 0.1;
  refuse_round(round, "B_r is not 0 on the z axis (z = -4");
  round.r.first = -1.;
  refuse_round(round, "r is negative");
}
