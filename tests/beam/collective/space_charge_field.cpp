// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "space_charge_cases.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using trackplex::test::tracked;
using Space = HostExecutor;

namespace {

/// The voltage of the definition: each frequency of the current, as a sum over the bins, times its
/// impedance, in long double.
std::vector<double> voltage_of(const test::Tracked& result, const std::vector<double>& weights) {
  const auto& step = result.last_step;
  const int n = int(result.profile.current.size());
  const long double pi = std::numbers::pi_v<long double>;
  std::vector<long double> volts(n);
  for (int k = 1; k < n / 2; ++k) {
    long double re = 0.L, im = 0.L;
    for (int j = 0; j < n; ++j) {
      const long double angle = 2.L * pi * (std::int64_t(j) * k % n) / n;
      re += result.profile.current[j] * std::cos(angle);
      im -= result.profile.current[j] * std::sin(angle);
    }
    const long double wave = 2.L * pi * k / (n * (long double)step.bin_width);
    const long double x = wave * step.radius / test::reference_p0;
    const long double impedance = 4e-7L * pi * 299792458.L * step.length /
                                  (pi * step.radius * step.radius * wave) *
                                  (1.L - x * std::cyl_bessel_k(1.L, x)) * weights[k];
    for (int j = 0; j < n; ++j) {  // V = -i I Z, and its conjugate at -k
      const long double angle = 2.L * pi * (std::int64_t(j) * k % n) / n;
      volts[j] += 2.L * impedance / n * (im * std::cos(angle) + re * std::sin(angle));
    }
  }
  return {volts.begin(), volts.end()};
}

void check_voltage(const SpaceChargeDrift& drift) {
  const auto result = tracked<double, Space>(test::gaussian_table(2000), drift);
  const auto expected =
      voltage_of(result, frequency_weights(drift.bins, drift.low_frequency, drift.high_frequency));
  double largest = 0., highest = 0.;
  for (int j = 0; j < drift.bins; ++j) {
    largest = std::max(largest, std::abs(result.profile.voltage[j] - expected[j]));
    highest = std::max(highest, std::abs(expected[j]));
  }
  CHECK(highest > 10.);
  CHECK(largest < 1e-12 * highest);
}

SpaceChargeDrift kick_of(int bins) { return {.length = 0., .effective_length = 0.1, .bins = bins}; }

}  // namespace

TEST_CASE("voltages are the current's frequencies times the impedance", "[beam]") {
  for (const int bins : {4, 14, 90, 250, 256}) {
    CAPTURE(bins);
    check_voltage(kick_of(bins));
  }
  auto filtered = kick_of(128);
  filtered.low_frequency = {0.05, 0.1};
  filtered.high_frequency = {0.3, 0.6};
  check_voltage(filtered);
  filtered.low_frequency = {0.1, -1.};
  check_voltage(filtered);
  filtered.smoothing = true;
  filtered.smoothing_half_width = 3;
  check_voltage(filtered);
}

TEST_CASE("the voltage is reactive", "[beam]") {
  // Without interpolation a kick is the voltage of the particle's bin: their sum is that of current
  // times voltage, of which the imaginary impedance leaves nothing.
  auto drift = kick_of(256);
  drift.interpolate = false;
  const auto table = test::gaussian_table(5000);
  const auto after = tracked<double, Space>(table, drift).table;
  double sum = 0., magnitude = 0.;
  for (int i = 0; i < table.size(); ++i) {
    const auto energy = [&](const ParticleTable& of) {
      const double p = of.reference.p0 * (1. + of.v[delta][i]);
      return std::sqrt(1. + p * p);
    };
    sum += energy(after) - energy(table);
    magnitude += std::abs(energy(after) - energy(table));
  }
  CHECK(magnitude / table.size() > 1e-4);
  CHECK(std::abs(sum) < 1e-8 * magnitude);
}

TEST_CASE("the head of a bunch gains and its tail loses energy", "[beam]") {
  const auto profile = tracked<double, Space>(test::gaussian_table(20000), kick_of(64)).profile;
  const auto middle = std::max_element(profile.current.begin(), profile.current.end());
  const auto at = middle - profile.current.begin();
  // eight bins are about a sigma; the voltage takes energy from those behind
  CHECK(profile.voltage[at - 8] < 0.);
  CHECK(profile.voltage[at + 8] > 0.);
  const double dt = profile.time[1] - profile.time[0];
  const double charge = dt * std::accumulate(profile.current.begin(), profile.current.end(), 0.);
  CHECK(charge == Catch::Approx(test::bunch_charge).epsilon(1e-12));
}

TEST_CASE("weights of frequencies", "[beam]") {
  using Weights = std::vector<double>;
  // 9 frequencies of 16 bins
  CHECK(frequency_weights(16, {}, {}) == Weights{0, 1, 1, 1, 1, 1, 1, 1, 0});
  CHECK(frequency_weights(16, {}, {0.25, 0.7}) == Weights{0, 1, 1, 0.75, 0.5, 0.25, 0, 0, 0});
  CHECK(frequency_weights(16, {}, {0.25, -1.}) == Weights{0, 1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(frequency_weights(16, {}, {0.01, -1.}) == Weights{0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(frequency_weights(16, {}, {0., 0.5}) == Weights{0, 1, 1, 1, 1, 1, 1, 1, 0});
  CHECK(frequency_weights(16, {}, {0.5, 3.}) == Weights{0, 1, 1, 1, 1, 0.75, 0.5, 0.25, 0});
  CHECK(frequency_weights(16, {0.25, 0.7}, {}) == Weights{0, 0, 0, 0.25, 0.5, 0.75, 1, 1, 0});
  CHECK(frequency_weights(16, {0.4, -1.}, {}) == Weights{0, 0, 0, 1, 1, 1, 1, 1, 0});
  CHECK(frequency_weights(16, {0., -1.}, {}) == Weights{0, 1, 1, 1, 1, 1, 1, 1, 0});
  CHECK(frequency_weights(16, {0.25, 0.7}, {0.25, 0.7}) ==
        Weights{0, 0, 0, 0.1875, 0.25, 0.1875, 0, 0, 0});
  CHECK(frequency_weights(4, {}, {}) == Weights{0, 1, 0});
}

TEST_CASE("smoothing by fitted polynomials", "[beam]") {
  const auto check = [](int half_width, int order, std::vector<double> expected, double divisor) {
    const auto weights = smoothing_weights(half_width, order);
    REQUIRE(weights.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(std::abs(weights[i] - expected[i] / divisor) < 1e-15);
  };
  // The tables of Savitzky and Golay
  check(1, 1, {1, 1, 1}, 3.);
  check(2, 2, {-3, 12, 17, 12, -3}, 35.);
  check(2, 3, {-3, 12, 17, 12, -3}, 35.);
  check(3, 2, {-2, 3, 6, 7, 6, 3, -2}, 21.);
  check(3, 4, {5, -30, 75, 131, 75, -30, 5}, 231.);
  check(2, 4, {0, 0, 1, 0, 0}, 1.);
  check(0, 0, {1}, 1.);
  test::check_refused<UsageError>([] { return smoothing_weights(-1, 0); }, "no such filter");
  test::check_refused<UsageError>([] { return smoothing_weights(2, 5); }, "no such filter");
  test::check_refused<UsageError>([] { return smoothing_weights(2, -1); }, "no such filter");
  const auto check_derivative = [](int half_width, int order, std::vector<double> expected,
                                   double divisor) {
    const auto weights = derivative_weights(half_width, order);
    REQUIRE(weights.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(std::abs(weights[i] - expected[i] / divisor) < 1e-15);
  };
  check_derivative(1, 1, {-1, 0, 1}, 2.);
  check_derivative(2, 2, {-2, -1, 0, 1, 2}, 10.);
  check_derivative(2, 3, {1, -8, 0, 8, -1}, 12.);
  check_derivative(3, 4, {22, -67, -58, 0, 58, 67, -22}, 252.);
  check_derivative(0, 0, {0}, 1.);
  test::check_refused<UsageError>([] { return derivative_weights(1, 3); }, "no such filter");
  // A polynomial of the order stays what it is, but where an end is repeated
  const int n = 12;
  std::vector<double> values(n);
  for (int i = 0; i < n; ++i) values[i] = 0.25 * i * i - 2. * i + 3.;
  const auto weights = smoothing_weights(3, 2);
  for (int i = 0; i < n; ++i) {
    const double one = smoothed(Tile<double>{i, 1}, values.data(), n, weights.data(), 3);
    if (i >= 3 && i < n - 3) CHECK(std::abs(one - values[i]) < 1e-14);
    const auto first = i / 4 * 4;
    const auto four =
        smoothed(Tile<Lanes<double, 4>>{first, 4}, values.data(), n, weights.data(), 3);
    CHECK(extract(four, i % 4) == one);
  }
  const double at_end = smoothed(Tile<double>{0, 1}, values.data(), n, weights.data(), 3);
  CHECK(std::abs(at_end - ((-2. + 3. + 6. + 7.) * values[0] + 6. * values[1] + 3. * values[2] -
                           2. * values[3]) /
                              21.) < 1e-14);
}
