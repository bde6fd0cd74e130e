// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <numbers>
#include <random>
#include <set>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/histogram/axes.hpp>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::histogram;

namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

/// Values in, on and around [low, high], and those that are no numbers.
template <class T>
std::vector<T> values_around(T low, T high, int n) {
  std::mt19937_64 random(5);
  std::vector<T> values{low,
                        high,
                        std::nextafter(low, -infinity<T>),
                        std::nextafter(high, infinity<T>),
                        T(0),
                        infinity<T>,
                        -infinity<T>,
                        not_a_number<T>,
                        std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::lowest()};
  for (int i = 0; i < n; ++i)
    values.push_back(low + (high - low) * T(double(random() >> 11) * 0x1p-53 * 3. - 1.));
  while (values.size() % 16 != 0) values.push_back(low);
  return values;
}

/// Calls `check(real, i)` with values i, i + 1, ... in the lanes.
template <int Width, class T, class Check>
void for_each_pack(const std::vector<T>& values, const Check& check) {
  using Real = LanesOf<T, Width>;
  REQUIRE(values.size() % Width == 0);
  for (std::size_t i = 0; i < values.size(); i += Width)
    check(load_first<Real>(&values[i], Width), i);
}

template <class T, class Axis>
void check_lanes(const Axis& axis, const std::vector<T>& values) {
  const auto check = [&]<int Width>(std::integral_constant<int, Width>) {
    for_each_pack<Width>(values, [&](const auto& pack, std::size_t i) {
      const auto bins = axis.bin(pack);
      for (int lane = 0; lane < Width; ++lane) {
        CAPTURE(Width, values[i + lane]);
        REQUIRE(extract(bins, lane) == axis.bin(values[i + lane]));
      }
    });
  };
  check(std::integral_constant<int, 1>());
  check(std::integral_constant<int, 4>());
  check(std::integral_constant<int, 8>());
  check(std::integral_constant<int, 16>());
}

}  // namespace

TEMPLATE_TEST_CASE("a regular axis has a bin for every value", "[histogram]", float, double) {
  using T = TestType;
  const RegularAxis<T> axis(-2., 6., 16);  // of half a unit: all edges are exact
  const T few_roundings = T(8) * std::numeric_limits<T>::epsilon();  // of value - low
  CHECK(axis.bins() == 16);
  for (int bin = 0; bin < 16; ++bin) {
    const T low = T(-2) + T(0.5) * T(bin), high = low + T(0.5);
    CHECK(axis.bin(low) == bin);
    CHECK(axis.bin(T(0.5) * (low + high)) == bin);
    CHECK(axis.bin(high - few_roundings) == bin);
    CHECK(axis.bin(high) == std::min(bin + 1, 15));
  }
  for (const T below : {T(-2.001), T(-100), std::numeric_limits<T>::lowest(), -infinity<T>})
    CHECK(axis.bin(below) == 0);
  for (const T above : {T(6), T(6.001), T(1e30), std::numeric_limits<T>::max(), infinity<T>})
    CHECK(axis.bin(above) == 15);
  CHECK(axis.bin(not_a_number<T>) == 0);
  check_lanes(axis, values_around<T>(-2, 6, 500));
  check_lanes(RegularAxis<T>(0.1, 0.7, 77), values_around<T>(T(0.1), T(0.7), 500));

  // Bins never step back as values grow.
  const RegularAxis<T> odd(-0.3, 1.1, 1001);
  auto values = values_around<T>(T(-0.3), T(1.1), 2000);
  std::erase_if(values, [](T v) { return v != v; });
  std::sort(values.begin(), values.end());
  for (std::size_t i = 1; i < values.size(); ++i)
    REQUIRE(odd.bin(values[i - 1]) <= odd.bin(values[i]));
}

TEMPLATE_TEST_CASE("a wrapped axis goes around", "[histogram]", float, double) {
  using T = TestType;
  const WrappedAxis<T> axis(-4., 4., 16);
  CHECK(axis.bins() == 16);
  for (int turn = -3; turn <= 3; ++turn) {
    for (int bin = 0; bin < 16; ++bin) {
      const T low = T(8) * T(turn) - T(4) + T(0.5) * T(bin);
      CAPTURE(turn, bin);
      CHECK(axis.bin(low) == bin);
      CHECK(axis.bin(low + T(0.25)) == bin);
      CHECK(axis.bin(low + T(0.499)) == bin);
    }
  }
  CHECK(axis.bin(T(4) - T(8) * std::numeric_limits<T>::epsilon()) == 15);
  CHECK(axis.bin(std::nextafter(T(-4), T(-5))) == 15);
  for (const T far : {T(1e30), infinity<T>, -infinity<T>, not_a_number<T>, T(4 << 22)}) {
    CAPTURE(far);
    CHECK(axis.bin(far) == 0);
  }
  CHECK(axis.bin(T(8.) * T(100000) + T(1.1)) == axis.bin(T(1.1)));
  check_lanes(axis, values_around<T>(-4, 4, 500));
  const T pi = std::numbers::pi_v<T>;
  for (const int bins : {1, 2, 3, 7, 256, 1000, 1024}) {
    const WrappedAxis<T> circle(-std::numbers::pi, std::numbers::pi, bins);
    check_lanes(circle, values_around<T>(-pi, pi, 500));
    for (const T value : values_around<T>(-pi, pi, 500)) {
      REQUIRE(circle.bin(value) >= 0);
      REQUIRE(circle.bin(value) < bins);
    }
  }

  CHECK(axis.difference(T(3.5), T(-3.5)) == T(-1));
  CHECK(axis.difference(T(-3.5), T(3.5)) == T(1));
  CHECK(axis.difference(T(1), T(3)) == T(-2));
  CHECK(axis.difference(T(4), T(-4)) == T(0));
  CHECK(axis.difference(T(2), T(-2)) == T(4));
  CHECK(axis.difference(T(-2), T(2)) == T(-4));
}

TEMPLATE_TEST_CASE("an arc has the bins of all its values, each once", "[histogram]", float,
                   double) {
  using T = TestType;
  const WrappedAxis<T> axis(-4., 4., 16);
  const auto arc = axis.around(T(0.75), T(0.5));  // from 0.25 to 1.25
  CHECK(arc.first == 8);
  CHECK(arc.count == 3);
  const auto seam = axis.around(T(3.8), T(0.6));  // from 3.2 to 4.4, that is -3.6
  CHECK(seam.first == 14);
  CHECK(seam.count == 3);
  const auto other_side = axis.around(T(-3.8), T(0.6));
  CHECK(other_side.first == 15);
  CHECK(other_side.count == 3);
  CHECK(axis.around(T(0.25), T(0)).count == 1);
  // Half a turn and more is the whole circle.
  for (const T half : {T(4), T(4.1), T(7), T(100), T(1e30), infinity<T>}) {
    CAPTURE(half);
    for (const T center : {T(0), T(-4), T(3.99), T(0.3)})
      CHECK(axis.around(center, half).count == 16);
  }

  const T pi = std::numbers::pi_v<T>;
  std::mt19937_64 random(11);
  const auto uniform = [&](T low, T high) {
    return low + (high - low) * T(double(random() >> 11) * 0x1p-53);
  };
  for (const int bins : {1, 2, 5, 64, 1000}) {
    const WrappedAxis<T> circle(-std::numbers::pi, std::numbers::pi, bins);
    for (int i = 0; i < 2000; ++i) {
      const T center = uniform(-pi, pi);
      const T half = i % 3 == 0 ? uniform(T(0), T(0.01)) : uniform(T(0), pi);
      const auto arc_of = circle.around(center, half);
      REQUIRE(arc_of.first >= 0);
      REQUIRE(arc_of.first < bins);
      REQUIRE(arc_of.count >= 1);
      REQUIRE(arc_of.count <= bins);
      // No wider than needed
      REQUIRE(T(arc_of.count) <= T(2) * half * T(bins) / (T(2) * pi) + T(2.01));
      std::set<int> of_arc;
      for (int b = 0; b < arc_of.count; ++b) of_arc.insert((arc_of.first + b) % bins);
      REQUIRE(int(of_arc.size()) == arc_of.count);
    }
    // What `difference` finds inside is in one of the bins, up to the last digit: values at the
    // edges of bins that are as far from the center as an arc reaches.
    for (int i = 0; i < 5000; ++i) {
      const T center = uniform(-pi, pi);
      T value = -pi + T(2) * pi * T(random() % unsigned(bins)) / T(bins);
      const int steps = int(random() % 4);
      for (int step = 0; step < steps; ++step) value = std::nextafter(value, T(i % 2 ? -4 : 4));
      if (std::abs(value) > pi) continue;
      const auto arc_of = circle.around(center, std::abs(circle.difference(value, center)));
      const int from_first = (circle.bin(value) - arc_of.first + bins) % bins;
      CAPTURE(bins, center, value);
      REQUIRE(from_first < arc_of.count);
    }
  }

  // Lanes
  const auto centers = values_around<T>(-pi, pi, 600);
  auto halves = values_around<T>(T(0), T(1), 600);
  for (T& half : halves) half = half < T(0) ? -half : half;
  const WrappedAxis<T> circle(-std::numbers::pi, std::numbers::pi, 100);
  for_each_pack<8>(centers, [&](const auto& center, std::size_t i) {
    using Real = LanesOf<T, 8>;
    const auto arcs = circle.around(center, load_first<Real>(&halves[i], 8));
    for (int lane = 0; lane < 8; ++lane) {
      const auto expected = circle.around(centers[i + lane], halves[i + lane]);
      REQUIRE(extract(arcs.first, lane) == expected.first);
      REQUIRE(extract(arcs.count, lane) == expected.count);
    }
  });
}

TEMPLATE_TEST_CASE("a variable axis finds bins like std::upper_bound", "[histogram]", float,
                   double) {
  using T = TestType;
  std::mt19937_64 random(3);
  for (const int bins : {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100}) {
    CAPTURE(bins);
    Kokkos::View<T*, Kokkos::HostSpace> edges("edges", std::size_t(bins) + 1);
    T edge = T(-3);
    for (int i = 0; i <= bins; ++i) {
      edges(i) = edge;
      edge += T(0.01) + T(double(random() >> 11) * 0x1p-53) / T(bins) * T(8);
    }
    const VariableAxis<T> axis(edges);
    REQUIRE(axis.bins() == bins);
    auto values = values_around<T>(edges(0), edges(bins), 300);
    for (int i = 0; i <= bins; ++i) {
      values.push_back(edges(i));
      values.push_back(std::nextafter(edges(i), -infinity<T>));
      values.push_back(std::nextafter(edges(i), infinity<T>));
    }
    while (values.size() % 16 != 0) values.push_back(T(0));
    for (const T value : values) {
      const auto above = std::upper_bound(edges.data(), edges.data() + bins + 1, value);
      const int bin = std::clamp(int(above - edges.data()) - 1, 0, bins - 1);
      CAPTURE(value);
      REQUIRE(axis.bin(value) == (value != value ? 0 : bin));
    }
    check_lanes(axis, values);
  }
}

TEST_CASE("impossible axes are refused", "[histogram]") {
  const double infinite = infinity<double>, nan = not_a_number<double>;
  CHECK_THROWS_AS(RegularAxis<float>(1., 1., 5), UsageError);
  CHECK_THROWS_AS(RegularAxis<float>(1., 0., 5), UsageError);
  CHECK_THROWS_AS(RegularAxis<float>(0., infinite, 5), UsageError);
  CHECK_THROWS_AS(RegularAxis<float>(nan, 1., 5), UsageError);
  CHECK_THROWS_AS(RegularAxis<float>(0., 1., 0), UsageError);
  CHECK_THROWS_AS(RegularAxis<float>(0., 1., 1 << 22), UsageError);
  CHECK_THROWS_AS(WrappedAxis<double>(0., -1., 5), UsageError);
  CHECK_THROWS_AS(WrappedAxis<double>(0., nan, 5), UsageError);
  CHECK_THROWS_AS(WrappedAxis<double>(0., 1., -1), UsageError);
  CHECK_NOTHROW(RegularAxis<float>(0., 1., (1 << 22) - 1));
  // In the precision of the axis: otherwise all values would be in one bin.
  CHECK_THROWS_AS(RegularAxis<float>(-1e39, 1e39, 5), UsageError);
  CHECK_THROWS_AS(RegularAxis<float>(1., 1. + 1e-9, 5), UsageError);
  CHECK_THROWS_AS(RegularAxis<float>(0., 1e-42, 5), UsageError);
  CHECK_THROWS_AS(RegularAxis<double>(-1.7e308, 1.7e308, 5), UsageError);
  CHECK_THROWS_AS(WrappedAxis<float>(-1e39, 1e39, 5), UsageError);
  CHECK_NOTHROW(RegularAxis<double>(1., 1. + 1e-9, 5));
  test::check_refused<UsageError>([] { RegularAxis<float>(2e-9, 1e-9, 5); },
                                  "from 2e-09 to 1e-09 in numbers of 32 bits");
  CHECK_THROWS_AS(VariableAxis<float>(Kokkos::View<float*, Kokkos::HostSpace>("edges", 1)),
                  UsageError);
}
