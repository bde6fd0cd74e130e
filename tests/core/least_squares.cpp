// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <trackplex/core/error.hpp>
#include <trackplex/core/least_squares.hpp>
#include <vector>

using namespace trackplex;

namespace {

using Values = std::vector<double>;

bool is_near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

double sum_of(const Values& residuals) {
  double sum = 0.;
  for (const double residual : residuals) sum += residual * residual;
  return sum;
}

}  // namespace

TEST_CASE("Least squares of a straight line are those of its normal equations", "[core]") {
  const Values x = {0., 1., 2., 3., 4.}, y = {1.1, 2.9, 5.2, 6.8, 9.1};
  const auto found = least_squares(
      [&](const Values& v) {
        Values residuals;
        for (std::size_t i = 0; i < x.size(); ++i) residuals.push_back(v[0] + v[1] * x[i] - y[i]);
        return residuals;
      },
      {{.value = 100.}, {.value = -7.}});
  CHECK(found.is_finished);
  CHECK(found.iterations < 10);
  // sums: x 10, y 25.1, xx 30, xy 70.1 of 5 points
  const double slope = (5. * 70.1 - 10. * 25.1) / (5. * 30. - 100.);
  CHECK(is_near(found.values[1], slope, 1e-9));
  CHECK(is_near(found.values[0], (25.1 - 10. * slope) / 5., 1e-9));
}

TEST_CASE("Least squares follow a curved valley", "[core]") {
  // H. H. Rosenbrock, Computer Journal 3 (1960) 175
  const auto found = least_squares(
      [](const Values& v) {
        return Values{10. * (v[1] - v[0] * v[0]), 1. - v[0]};
      },
      {{.value = -1.2}, {.value = 1.}});
  CHECK(found.is_finished);
  CHECK(is_near(found.values[0], 1., 1e-10));
  CHECK(is_near(found.values[1], 1., 1e-10));
}

TEST_CASE("Least squares need not be 0", "[core]") {
  const auto residuals = [](const Values& v) { return Values{v[0] * v[0] + 1., v[0] - 2.}; };
  const auto found = least_squares(residuals, {{.value = 5.}});
  CHECK(found.is_finished);
  // the derivative of the sum: 4 x^3 + 6 x - 4 = 0
  const double x = found.values[0];
  CHECK(is_near(4. * x * x * x + 6. * x - 4., 0., 1e-4));
  CHECK(is_near(sum_of(found.residuals), sum_of(residuals({x})), 0.));
}

TEST_CASE("Least squares of more unknowns than residuals", "[core]") {
  const auto found =
      least_squares([](const Values& v) { return Values{v[0] + 2. * v[1] - v[2] - 4.}; },
                    {{.value = 0.}, {.value = 0.}, {.value = 3.}});
  CHECK(found.is_finished);
  CHECK(std::abs(found.residuals[0]) < 1e-9);
}

TEST_CASE("Least squares stay within limits", "[core]") {
  const auto bowl = [](const Values& v) { return Values{v[0] - 3., v[1] + 1., v[0] - v[1]}; };
  const auto found = least_squares(bowl, {{.value = 0., .lower = -1., .upper = 1.}, {.value = 5.}});
  CHECK(found.values[0] == 1.);
  CHECK(is_near(found.values[1], 0., 1e-7));  // of (y + 1)^2 + (1 - y)^2
  // a limit that is left again
  const auto left = least_squares(bowl, {{.value = 1., .lower = 1.}, {.value = 5.}});
  CHECK(is_near(left.values[0], 5. / 3., 1e-7));
  // what is fixed
  const auto fixed =
      least_squares(bowl, {{.value = 0.5, .lower = 0.5, .upper = 0.5}, {.value = 5.}});
  CHECK(fixed.values[0] == 0.5);
  CHECK(is_near(fixed.values[1], -0.25, 1e-7));
  // a start outside
  CHECK(least_squares(bowl, {{.value = 9., .upper = 2.}, {.value = 5.}}).values[0] <= 2.);
}

TEST_CASE("Least squares avoid where residuals are not defined", "[core]") {
  const auto root = [](const Values& v) -> std::optional<Values> {
    if (v[0] < 0.) return std::nullopt;
    return Values{std::sqrt(v[0]) - 0.01};
  };
  const auto found = least_squares(root, {{.value = 4.}});
  CHECK(is_near(found.values[0], 1e-4, 1e-10));
  // beside the edge: derivatives to one side
  CHECK(is_near(least_squares(root, {{.value = 0.}}).values[0], 1e-4, 1e-10));
  // not finite is not defined
  const auto logarithm = [](const Values& v) { return Values{std::log(v[0]) + 5.}; };
  CHECK(is_near(least_squares(logarithm, {{.value = 2.}}).values[0], std::exp(-5.), 1e-10));
}

TEST_CASE("Least squares tell when they are not finished", "[core]") {
  int calls = 0;
  const auto found = least_squares(
      [&](const Values& v) {
        ++calls;
        return Values{10. * (v[1] - v[0] * v[0]), 1. - v[0]};
      },
      {{.value = -1.2}, {.value = 1.}}, {.iterations = 2});
  CHECK(!found.is_finished);
  CHECK(found.iterations == 2);
  CHECK(found.evaluations == calls);
  CHECK(sum_of(found.residuals) < 24.2);
}

TEST_CASE("Least squares refuse what has no meaning", "[core]") {
  const auto residuals = [](const Values& v) { return v; };
  CHECK_THROWS_AS(least_squares(residuals, {}), UsageError);
  CHECK_THROWS_AS(least_squares(residuals, {{.value = NAN}}), UsageError);
  CHECK_THROWS_AS(least_squares(residuals, {{.lower = 1., .upper = -1.}}), UsageError);
  CHECK_THROWS_AS(
      least_squares([](const Values&) { return std::optional<Values>(); }, {{.value = 1.}}),
      UsageError);
}
