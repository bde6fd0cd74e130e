// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "space_charge_cases.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using trackplex::test::tracked;

namespace {

/// Largest differences allowed: of positions and slopes, of s, and of delta.
struct Tolerance {
  double transverse, s, delta;
};

/// The drift does with the particles of a file what elegant does; the steps that it takes.
template <class T, class Space>
std::vector<SpaceChargeStep> check_against(const std::string& name, const SpaceChargeDrift& drift,
                                           const Tolerance& tolerance) {
  CAPTURE(name);
  const auto particles = test::reference_particles(name);
  const auto result = tracked<T, Space>(test::table_of(particles), drift);
  double largest[n_coordinates] = {}, changed = 0.;
  for (std::size_t i = 0; i < particles.size(); ++i)
    for (int c = 0; c < n_coordinates; ++c) {
      const double expected = particles[i].behind[c] - (c == s ? drift.length : 0.);
      largest[c] = std::max(largest[c], std::abs(result.table.v[c][i] - expected));
      changed = std::max(changed, std::abs(particles[i].behind[c] - particles[i].before[c]));
    }
  CHECK(changed > 1e-6);
  for (const int c : {x, xp, y, yp}) {
    CAPTURE(c);
    CHECK(largest[c] <= tolerance.transverse);
  }
  CHECK(largest[s] <= tolerance.s);
  CHECK(largest[delta] <= tolerance.delta);
  CHECK(result.table.reference.path_length == Catch::Approx(drift.length).epsilon(1e-14));
  return result.steps;
}

/// Step by step, delta is allowed an error of 1e-13 in double precision. In single precision s is
/// known to 1e-10 m, so that a few particles are in the bin beside elegant's.
template <class T>
Tolerance tolerance_of(int steps) {
  if constexpr (sizeof(T) == 8) return {1e-15, 1e-15 * (1 + steps), 1e-13 * steps};
  return {1e-10, 4e-10, 1.5e-8 * steps};
}

SpaceChargeDrift drift_of(double length) { return {.length = length, .bins = 256}; }

template <class T, class Space>
void check_drifts() {
  test::reference_or_skip("beam/lsc_256.csv");  // not inside of a CHECK
  const auto two = tolerance_of<T>(2);
  const bool is_double = sizeof(T) == 8;
  CHECK(check_against<T, Space>("lsc_256_1step", drift_of(0.1), tolerance_of<T>(1)).size() == 1);
  const auto steps = check_against<T, Space>("lsc_256", drift_of(0.2), two);
  REQUIRE(steps.size() == 2);
  const auto& first = steps[0];
  const auto approx = [&](double value, double digits) {
    return Catch::Approx(value).epsilon(is_double ? digits : 1e-5);
  };
  CHECK(first.length == approx(0.180219, 3e-6));
  CHECK(first.radius == approx(2.133317e-4, 3e-7));
  CHECK(first.peak_current == approx(477.68, 1e-5));
  CHECK(first.bin_width / constants::speed_of_light == approx(2.344664e-14, 3e-7));
  const auto fewer = check_against<T, Space>("lsc_256_n1000", drift_of(0.2), two);
  REQUIRE(fewer.size() == 2);
  CHECK(fewer[0].length == approx(0.138496, 4e-6));
  CHECK(fewer[0].peak_current == approx(777.031, 1e-6));

  auto smooth = drift_of(0.2);
  smooth.smoothing = true;
  smooth.smoothing_half_width = 4;
  smooth.smoothing_order = 2;
  CHECK(check_against<T, Space>("lsc_256_smooth", smooth, two).size() == 2);
  auto low_pass = drift_of(0.2);
  low_pass.high_frequency = {0.2, 0.25};
  CHECK(check_against<T, Space>("lsc_256_lowpass", low_pass, two).size() == 2);
  auto kick = drift_of(0.);
  kick.effective_length = 0.2;
  CHECK(check_against<T, Space>("lsc_256_kick", kick, tolerance_of<T>(1)).empty());
  auto off = drift_of(0.2);
  off.space_charge = false;
  CHECK(check_against<T, Space>("lsc_off", off, tolerance_of<T>(1)).empty());
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("drifts with space charge are elegant's", "[beam]", test::EnabledSpaces) {
  check_drifts<double, TestType>();
  CHECK(check_against<double, TestType>("lsc_256_multistep", drift_of(3.), {1e-15, 2e-14, 1.7e-12})
            .size() == 17);
}

TEMPLATE_LIST_TEST_CASE("drifts with space charge in single precision", "[beam]",
                        test::EnabledSpaces) {
  check_drifts<float, TestType>();
  CHECK(check_against<float, TestType>("lsc_256_multistep", drift_of(3.), {1e-9, 1e-9, 6e-8})
            .size() == 17);
}

TEST_CASE("the voltage of a step is elegant's", "[beam]") {
  using Space = HostExecutor;
  const auto table = test::table_of(test::reference_particles("lsc_256_kick"));
  auto kick = drift_of(0.);
  kick.effective_length = 0.2;
  const auto profile = tracked<double, Space>(table, kick).profile;
  const auto [low, high] = std::minmax_element(profile.voltage.begin(), profile.voltage.end());
  CHECK(*low == Catch::Approx(-15241.1).epsilon(4e-6));
  CHECK(*high == Catch::Approx(12644.1).epsilon(4e-6));
  CHECK(*std::max_element(profile.current.begin(), profile.current.end()) ==
        Catch::Approx(477.68).epsilon(1e-5));
  CHECK(profile.time[1] - profile.time[0] == Catch::Approx(2.344664e-14).epsilon(3e-7));
}
