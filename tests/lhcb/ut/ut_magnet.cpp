// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>
#include <random>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/lhcb/ut/ut_magnet.hpp>
#include <vector>

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Space = HostExecutor;
using Tables = lhcb::UtMagnetTables;

namespace {

constexpr auto nodes = Tables::bdl_nodes;
constexpr double highest[3] = {0.3, 250., 800.};

double node(int axis, int i) { return Tables::bdl_low[axis] + Tables::bdl_step[axis] * i; }

/// Tables with the values of functions at the nodes.
template <class Deflection, class Bdl>
Tables tables_of(const Deflection& deflection, const Bdl& bdl) {
  Tables tables;
  for (int i = 0; i < Tables::deflection_nodes; ++i)
    for (int layer = 0; layer < lhcb::ut_layers; ++layer)
      tables.deflection.push_back(float(deflection(i, layer)));
  for (int k = 0; k < nodes[2]; ++k)
    for (int j = 0; j < nodes[1]; ++j)
      for (int i = 0; i < nodes[0]; ++i)
        tables.bdl.push_back(float(bdl(node(0, i), node(1, j), node(2, k))));
  return tables;
}

double no_deflection(int, int) { return 1.; }
double linear(double ty, double z_origin, double z) {
  return 0.1 + 0.2 * ty - 1e-4 * z_origin + 3e-5 * z;
}

/// A track of slope ty with its origin at z_origin, at z.
lhcb::SpaceLine<double> track(double ty, double z_origin, double z) {
  return {0.2 * (z - z_origin), ty * (z - z_origin), z, 0.2, ty};
}

/// The field integral of one track, in each of W lanes.
template <class T, int W>
T bdl(const lhcb::UtMagnet<T, Space::memory_space>& magnet, const lhcb::SpaceLine<double>& s) {
  using Real = LanesOf<T, W>;
  const lhcb::SpaceLine<Real> lanes{Real(T(s.x)), Real(T(s.y)), Real(T(s.z)), Real(T(s.tx)),
                                    Real(T(s.ty))};
  return extract(magnet.bdl(lanes), W - 1);
}

/// Plain lookup: the value at the node below, and the differences to the next nodes.
double plain_bdl(const Tables& tables, const std::array<double, 3>& at) {
  int n[3];
  for (int i = 0; i < 3; ++i) {
    const double steps = (at[i] - Tables::bdl_low[i]) / Tables::bdl_step[i];
    n[i] = int(std::clamp(steps, 0., double(nodes[i] - 1)));
  }
  const auto value = [&](int i, int j, int k) {
    return double(tables.bdl[std::size_t((k * nodes[1] + j) * nodes[0] + i)]);
  };
  double sum = value(n[0], n[1], n[2]);
  for (int i = 0; i < 3; ++i) {
    if (at[i] < Tables::bdl_low[i] || at[i] > highest[i] || n[i] == nodes[i] - 1) continue;
    const double next = value(n[0] + (i == 0), n[1] + (i == 1), n[2] + (i == 2));
    sum += (next - value(n[0], n[1], n[2])) * (at[i] - node(i, n[i])) / Tables::bdl_step[i];
  }
  return sum;
}

}  // namespace

TEMPLATE_TEST_CASE("The field integral of a linear table is exact inside of it", "[lhcb]", float,
                   double) {
  const auto magnet = lhcb::ut_magnet<TestType>(Space(), tables_of(no_deflection, linear));
  std::mt19937 random(5);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0; i < 2000; ++i) {
    const double ty = uniform(-0.3, 0.3), z_origin = uniform(-250., 250.), z = uniform(0., 800.);
    if (std::abs(ty) < 0.002) continue;
    CAPTURE(ty, z_origin, z);
    const double expected = linear(ty, z_origin, z);
    // The values of the table are floats, and so may be z_origin
    const double tolerance = sizeof(TestType) == 4 ? 2e-7 + 2e-9 / std::abs(ty) : 5e-8;
    const double found = bdl<TestType, 1>(magnet, track(ty, z_origin, z));
    REQUIRE(std::abs(found - expected) < tolerance);
  }
}

TEST_CASE("The field integral is that at the border outside of the table", "[lhcb]") {
  const auto magnet = lhcb::ut_magnet<double>(Space(), tables_of(no_deflection, linear));
  const auto check = [&](double ty, double z_origin, double z) {
    CAPTURE(ty, z_origin, z);
    const double expected = linear(std::clamp(ty, -0.3, 0.3), std::clamp(z_origin, -250., 250.),
                                   std::clamp(z, 0., 800.));
    CHECK(std::abs(bdl<double, 1>(magnet, track(ty, z_origin, z)) - expected) < 5e-8);
  };
  check(0.35, 13., 111.);
  check(-0.6, 13., 111.);
  check(0.11, 1000., 111.);
  check(0.11, -300., 111.);
  check(0.11, 13., 900.);
  check(0.11, 13., -200.);
  check(-1., -1e6, 1e6);
  check(0.5, 2000., -1e6);
}

TEST_CASE("The field integral of any table is that of a plain lookup", "[lhcb]") {
  std::mt19937 random(6);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const Tables tables =
      tables_of(no_deflection, [&](double, double, double) { return uniform(0.05, 0.1); });
  const auto magnet = lhcb::ut_magnet<double>(Space(), tables);
  for (int i = 0; i < 2000; ++i) {
    const auto s = track(uniform(-0.35, 0.35), uniform(-300., 300.), uniform(-50., 850.));
    if (std::abs(s.ty) < 0.002) continue;
    const double expected = plain_bdl(tables, {s.ty, s.z - s.y / s.ty, s.z});
    REQUIRE(std::abs(bdl<double, 1>(magnet, s) - expected) < 1e-12);
  }
}

TEST_CASE("The origin of a flat track is where it has x = 0", "[lhcb]") {
  const auto magnet = lhcb::ut_magnet<double>(Space(), tables_of(no_deflection, linear));
  const auto at = [&](double x, double y, double tx, double ty) {
    return bdl<double, 1>(magnet, {x, y, 100., tx, ty});
  };
  CHECK(std::abs(at(6., -30., 0.1, 0.0005) - linear(0.0005, 40., 100.)) < 5e-8);
  CHECK(std::abs(at(6., -0.3, 0.1, 0.002) - linear(0.002, 250., 100.)) < 5e-8);
}

TEMPLATE_TEST_CASE("Nothing past the end of the field integrals is read", "[lhcb]", float, double) {
  using T = TestType;
  // The table in the middle of an array whose other values would show up in the result
  auto tables = tables_of(no_deflection, [](double, double, double) { return 0.1; });
  auto magnet = lhcb::ut_magnet<T>(Space(), tables);
  const std::size_t size = tables.bdl.size(), margin = 4096;
  std::vector<T> guarded(size + 2 * margin, T(1e6));
  std::fill_n(guarded.begin() + margin, size, T(0.1));
  magnet.bdl_table = decltype(magnet.bdl_table)(guarded.data() + margin, size);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto check = [&](const lhcb::SpaceLine<double>& s) {
    CAPTURE(s.x, s.y, s.z, s.tx, s.ty);
    CHECK(bdl<T, 1>(magnet, s) == T(0.1));
    CHECK(bdl<T, 8>(magnet, s) == T(0.1));
  };
  for (const double ty : {-0.3, -0.29999, 0.002, 0.29999, 0.3, double(0.3f), 0.30001})
    for (const double z_origin : {-250.001, -250., 249.999, 250., 250.001})
      for (const double z : {-0.001, 0., 799.999, 800., 800.001}) check(track(ty, z_origin, z));
  for (const double x : {-20., 0., 20.})
    for (const double z : {0., 800.}) check({x, x, z, 0., 0.});  // origin nowhere
  check({1., 1., 0., infinity, infinity});
}

TEMPLATE_TEST_CASE("The deflection is that of the nearest node", "[lhcb]", float, double) {
  using T = TestType;
  using Real = LanesOf<T, 8>;
  const auto value = [](int i, int layer) { return 10 * i + layer; };
  const auto magnet =
      lhcb::ut_magnet<T>(Space(), tables_of(value, [](double, double, double) { return 0.; }));
  for (int layer = 0; layer < lhcb::ut_layers; ++layer)
    for (int i = -130; i <= 130; ++i)
      for (const double off : {-0.49, -0.3, 0., 0.3, 0.49}) {
        const double ty = 0.01 * (i + off);
        CAPTURE(layer, ty);
        const int nearest = std::min(int(std::abs(ty) * 100. + 0.5), 30);
        REQUIRE(magnet.deflection(T(ty), layer) == T(value(nearest, layer)));
        REQUIRE(extract(magnet.deflection(Real(T(ty)), layer), 7) == T(value(nearest, layer)));
      }
}

TEMPLATE_TEST_CASE("The field integrals of lanes are those of scalars", "[lhcb]", float, double) {
  using T = TestType;
  using Real = LanesOf<T, 16>;
  std::mt19937 random(7);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto magnet = lhcb::ut_magnet<T>(
      Space(),
      tables_of(no_deflection, [&](double, double, double) { return uniform(-0.01, 0.1); }));
  for (int round = 0; round < 100; ++round) {
    T state[5][16];
    for (int i = 0; i < 16; ++i) {
      const auto s = track(uniform(-0.35, 0.35), uniform(-300., 300.), uniform(-50., 850.));
      const T values[] = {T(s.x), T(s.y), T(s.z), T(s.tx), T(i % 5 == 0 ? s.ty / 500. : s.ty)};
      for (int v = 0; v < 5; ++v) state[v][i] = values[v];
    }
    const Real found = magnet.bdl(lhcb::SpaceLine<Real>{load<Real>(state[0]), load<Real>(state[1]),
                                                        load<Real>(state[2]), load<Real>(state[3]),
                                                        load<Real>(state[4])});
    for (int i = 0; i < 16; ++i) {
      const T one = magnet.bdl(
          lhcb::SpaceLine<T>{state[0][i], state[1][i], state[2][i], state[3][i], state[4][i]});
      REQUIRE(extract(found, i) == one);
    }
  }
}

TEST_CASE("Magnet tables of a wrong size are refused", "[lhcb]") {
  const auto good = tables_of(no_deflection, linear);
  const auto make = [](const Tables& tables) { return lhcb::ut_magnet<float>(Space(), tables); };
  CHECK_NOTHROW(make(good));
  auto tables = good;
  tables.deflection.pop_back();
  CHECK_THROWS_MATCHES(
      make(tables), UsageError,
      MessageMatches(ContainsSubstring("ut_deflection") && ContainsSubstring("123 values") &&
                     ContainsSubstring("124 are wanted")));
  tables = good;
  tables.bdl.push_back(0.f);
  CHECK_THROWS_MATCHES(
      make(tables), UsageError,
      MessageMatches(ContainsSubstring("ut_bdl") && ContainsSubstring("3752 values") &&
                     ContainsSubstring("3751 are wanted")));
  CHECK_THROWS_AS(make({}), UsageError);
}
