// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every strategy against a plain loop, at every lane width, on every space.
#include "histogram/binning.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::test;

namespace {

/// Positions of a bell over the bins with tails outside, and the edges and centres of bins.
template <class T>
std::vector<T> bell_positions(int n, int bins) {
  std::mt19937_64 random(17);
  std::vector<T> positions(n);
  for (int i = 0; i < n; ++i) {
    double sum = 0.;
    for (int k = 0; k < 6; ++k) sum += double(random() >> 11) * 0x1p-53 / 6.;
    positions[i] = T(bins * (1.6 * sum - 0.3));
    if (i % 7 == 0) positions[i] = T(int(random() % unsigned(2 * bins + 3))) * T(0.5);
  }
  return positions;
}

/// Where a rounding decides, and what is no number.
template <class T>
std::vector<T> special_positions(int bins) {
  const T infinity = std::numeric_limits<T>::infinity();
  const T end = T(bins), tiny = std::numeric_limits<T>::denorm_min();
  std::vector<T> positions{T(0),         T(-0.),        tiny,
                           -tiny,        T(0.5),        end,
                           end - T(0.5), infinity,      -infinity,
                           T(1e30),      T(-1e30),      std::numeric_limits<T>::max(),
                           T(-0.25),     T(-0.5),       T(-1),
                           end + T(0.5), T(1) / T(3),   std::numeric_limits<T>::lowest(),
                           T(4194304),   T(2147483648), T(9.3e18)};
  positions.push_back(std::numeric_limits<T>::quiet_NaN());
  positions.push_back(-std::numeric_limits<T>::quiet_NaN());
  for (const T near : {T(0.5), T(1), T(1.5), end - T(0.5), end})
    for (const T side : {T(-1), T(bins + 1)}) positions.push_back(std::nextafter(near, side));
  return positions;
}

template <class Count, int Width, class T, class Space>
void check_strategies(const std::vector<T>& positions, int bins, Deposition deposition) {
  const Space exec;
  Workspace<Space> workspace;
  const BinnedCounts expected = plain_counts(positions, bins, deposition);
  for (const Strategy strategy : all_strategies) {
    CAPTURE(Width, positions.size(), bins, int(deposition), int(strategy));
    const BinnedCounts found =
        deposited<Count, Width>(exec, positions, {bins, strategy, deposition}, workspace);
    CHECK(found == expected);
    // nothing is lost
    const std::int64_t unit = deposition == Deposition::linear ? histogram::linear_unit : 1;
    const auto inside = std::accumulate(found.counts.begin(), found.counts.end(), std::int64_t(0));
    CHECK(inside + unit * (found.below + found.above + found.not_a_number) ==
          unit * std::int64_t(positions.size()));
  }
}

template <int Width, class T, class Space>
void check(const std::vector<T>& positions, int bins) {
  check_strategies<std::int32_t, Width, T, Space>(positions, bins, Deposition::nearest);
  check_strategies<std::uint64_t, Width, T, Space>(positions, bins, Deposition::nearest);
  check_strategies<std::int64_t, Width, T, Space>(positions, bins, Deposition::linear);
}

template <class T, class Space, int... Widths>
void check_widths(const std::vector<T>& positions, int bins) {
  (check<Widths, T, Space>(positions, bins), ...);
}

template <class T, class Space>
void check_all_widths(const std::vector<T>& positions, int bins) {
  if constexpr (is_host_space<Space>)
    check_widths<T, Space, 1, default_lane_width<Space, T>>(positions, bins);
  else
    check_widths<T, Space, 1>(positions, bins);
}

template <class Space, class T>
void check_sizes() {
  for (const int bins : {1, 2, 256, 5000})
    for (const int n : {0, 1, 17, 2049, 30011})
      check_all_widths<T, Space>(bell_positions<T>(n, bins), bins);
}

template <class Space, class T>
void check_specials() {
  for (const int bins : {1, 2, 3, 200, 5000})
    check_all_widths<T, Space>(special_positions<T>(bins), bins);
  constexpr int most_bins = (1 << 22) - 1;
  constexpr int width = default_lane_width<Space, T>;
  check_strategies<std::int64_t, width, T, Space>(special_positions<T>(most_bins), most_bins,
                                                  Deposition::linear);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("all strategies count like a plain loop, float", "[histogram]",
                        test::EnabledSpaces) {
  check_sizes<TestType, float>();
}

TEMPLATE_LIST_TEST_CASE("all strategies count like a plain loop, double", "[histogram]",
                        test::EnabledSpaces) {
  check_sizes<TestType, double>();
}

TEMPLATE_LIST_TEST_CASE("positions on edges, outside and not finite", "[histogram]",
                        test::EnabledSpaces) {
  check_specials<TestType, float>();
  check_specials<TestType, double>();
}

TEMPLATE_LIST_TEST_CASE("every particle in one bin", "[histogram]", test::EnabledSpaces) {
  // more than a cell of linear counts could hold: 2^22 particles
  const std::vector<double> positions((1 << 22) + 12345, 3.999999);
  constexpr int width = default_lane_width<TestType, double>;
  check_strategies<std::int64_t, width, double, TestType>(positions, 5, Deposition::linear);
}

TEMPLATE_LIST_TEST_CASE("more bins than a team can share", "[histogram]", test::EnabledSpaces) {
  constexpr int bins = 100000;
  constexpr int width = default_lane_width<TestType, float>;
  check<width, float, TestType>(bell_positions<float>(200001, bins), bins);
}
