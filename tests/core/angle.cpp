// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/angle.hpp>
#include <trackplex/core/lane_memory.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>
#include <numbers>

using namespace trackplex;
using Catch::Matchers::WithinAbs;

TEMPLATE_TEST_CASE("angles are wrapped by whole turns, those within half a turn stay", "[math]",
                   float, double) {
  using T = TestType;
  constexpr T epsilon = std::numeric_limits<T>::epsilon();
  const T pi = T(std::numbers::pi);
  for (int i = -1000; i <= 1000; ++i) {
    const T angle = T(i) * T(0.00314);
    CAPTURE(angle);
    CHECK(wrapped_angle(angle) == angle);
    for (const int turns : {-100, -2, -1, 1, 3, 1000}) {
      CAPTURE(turns);
      const T other = T(double(angle) + turns * 2. * std::numbers::pi);
      const double expected = double(other) - turns * 2. * std::numbers::pi;
      // In double the expectation is rounded as well
      const double of_expected = sizeof(T) == 8 ? 4. * std::abs(turns) * double(epsilon) : 0.;
      CHECK_THAT(double(wrapped_angle(other)),
                 WithinAbs(expected, 4. * double(epsilon) + of_expected));
    }
  }
  CHECK(std::abs(wrapped_angle(pi)) == pi);
  CHECK(std::abs(wrapped_angle(T(-3) * pi)) <= pi * (1 + 2 * epsilon));
  CHECK(wrapped_angle(T(0)) == T(0));
  CHECK(std::isnan(wrapped_angle(std::numeric_limits<T>::quiet_NaN())));
  using Real = LanesOf<T, 4>;
  const Real lanes = wrapped_angle(Real(T(1)) + Real(T(3)) * lane_index<Real>());
  for (int lane = 0; lane < 4; ++lane)
    CHECK(extract(lanes, lane) == wrapped_angle(T(1) + T(3) * T(lane)));
}
