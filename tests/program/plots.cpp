// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/plots.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <numeric>
#include <vector>

namespace validation = trackplex::validation;
using namespace trackplex::program;
using Catch::Matchers::WithinRel;

TEST_CASE("A histogram counts in its bins and beside them", "[plots]") {
  Histogram histogram(0., 2., 4);
  for (const double value : {-1e-9, 0., 0.49, 0.5, 1.99, 2., 7.}) histogram.add(value);
  CHECK(histogram.bins == std::vector<std::uint64_t>{2, 1, 0, 1});
  CHECK(histogram.below == 1);
  CHECK(histogram.above == 2);
  const auto series = histogram.series("a");
  CHECK(series["edges"] == Json{0., 0.5, 1., 1.5, 2.});
  CHECK(series["y"] == Json{2, 1, 0, 1});
}

TEST_CASE("The expected pulls are as many as the entries", "[plots]") {
  PullHistogram pulls;
  for (int i = 0; i < 1000; ++i) pulls.add(0.001 * i);
  const auto curve = pulls.expected();
  // Two points to a bin.
  const auto y = curve["y"].get<std::vector<double>>();
  CHECK_THAT(0.5 * std::accumulate(y.begin(), y.end(), 0.), WithinRel(1000., 1e-3));
  CHECK(curve["dashed"] == true);
}

TEST_CASE("Fractions leave out bins that are empty or nearly so", "[plots]") {
  const auto bins = validation::BinEdges::regular(4, 0., 4.);
  const std::vector<validation::Efficiency> values{{900, 1000}, {0, 0}, {3, 9}, {5, 10}};
  const auto points = fractions(bins, values);
  CHECK(points.x == Json{0.5, 3.5});
  CHECK(points.y == Json{0.9, 0.5});
  const auto interval = values[3].interval();
  CHECK(points.error[1][0] == 0.5 - interval.lower);
  CHECK(points.error[1][1] == interval.upper - 0.5);
  CHECK_THAT(fractions(bins, values, 0.2).x[0].get<double>(), WithinRel(0.7, 1e-12));
}

TEST_CASE("Series beside each other are at equal distances around the middle", "[plots]") {
  CHECK(shift_of_series(0, 1) == 0.);
  CHECK_THAT(shift_of_series(0, 3), WithinRel(-0.2, 1e-12));
  CHECK(shift_of_series(1, 3) == 0.);
  CHECK_THAT(shift_of_series(2, 3), WithinRel(0.2, 1e-12));
}

TEST_CASE("Coordinates are points, lines or segments", "[plots]") {
  Coordinates points, lines;
  points.add(1., 2.);
  points.add(3., 4.);
  lines.add_line(points);
  lines.add_segment(5., 6., 7., 8.);
  CHECK(points.series("p", "dots", 2) ==
        Json{{"label", "p"}, {"style", "dots"}, {"x", {1., 3.}}, {"y", {2., 4.}}, {"color", 2}});
  CHECK(lines.x == Json{{1., 3.}, {5., 7.}});
  CHECK(lines.y == Json{{2., 4.}, {6., 8.}});
  CHECK(lines.background("l")["background"] == true);
}
