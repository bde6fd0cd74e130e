// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/vertexing/track_at_beam.hpp>

using namespace trackplex;
using Catch::Approx;
using Line = vertexing::TrackLine<double>;

namespace {

/// A line with a covariance A A^T of its point and slopes.
Line line_with_covariance(const std::array<std::array<double, 4>, 4>& a) {
  const auto covariance = [&](int i, int j) {
    double sum = 0.;
    for (int k = 0; k < 4; ++k)
      sum += a[std::size_t(i)][std::size_t(k)] * a[std::size_t(j)][std::size_t(k)];
    return sum;
  };
  Line line;
  line.x = 1.2;
  line.y = -0.7;
  line.z = 40.;
  line.tx = 0.08;
  line.ty = -0.05;
  line.xx = covariance(0, 0);
  line.xy = covariance(0, 1);
  line.yy = covariance(1, 1);
  line.xtx = covariance(0, 2);
  line.xty = covariance(0, 3);
  line.ytx = covariance(1, 2);
  line.yty = covariance(1, 3);
  line.txtx = covariance(2, 2);
  line.txty = covariance(2, 3);
  line.tyty = covariance(3, 3);
  return line;
}

}  // namespace

TEST_CASE("A line is closest to the beam where its distance is stationary", "[vertexing]") {
  const Line line = line_with_covariance({});
  const double bx = 0.3, by = 0.1, d = vertexing::distance_to_beam(line, bx, by);
  const auto distance2 = [&](double dz) {
    const double x = line.x + line.tx * dz - bx, y = line.y + line.ty * dz - by;
    return x * x + y * y;
  };
  CHECK(distance2(d) < distance2(d + 0.01));
  CHECK(distance2(d) < distance2(d - 0.01));
  CHECK(vertexing::distance_to_beam(Line{1., 2., 3.}, bx, by) == 0.);  // parallel
}

TEST_CASE("The covariance of a line moves with it", "[vertexing]") {
  const std::array<std::array<double, 4>, 4> a = {{{0.02, 0.003, 0.001, -0.002},
                                                   {-0.004, 0.015, 0.002, 0.001},
                                                   {0.0001, -0.0002, 0.0004, 0.0001},
                                                   {-0.0003, 0.0001, 0.0002, 0.0005}}};
  const Line line = line_with_covariance(a);
  const double d = -31.;
  const auto track = vertexing::track_at_beam(line, d);
  CHECK(track.x == Approx(line.x + d * line.tx));
  CHECK(track.y == Approx(line.y + d * line.ty));
  CHECK(track.z == Approx(line.z + d));
  // x + d tx and y + d ty are the same combinations of independent numbers
  std::array<double, 3> covariance{};
  for (std::size_t k = 0; k < 4; ++k) {
    const double x = a[0][k] + d * a[2][k], y = a[1][k] + d * a[3][k];
    covariance[0] += x * x;
    covariance[1] += x * y;
    covariance[2] += y * y;
  }
  const auto [xx, xy, yy] = covariance;
  CHECK(track.wxx * xx + track.wxy * xy == Approx(1.));
  CHECK(track.wxy * xy + track.wyy * yy == Approx(1.));
  CHECK(std::abs(track.wxx * xy + track.wxy * yy) < 1e-9);
}

TEST_CASE("A track without a covariance is unusable", "[vertexing]") {
  Line line = line_with_covariance({});
  auto track = vertexing::track_at_beam(line, 1.);
  CHECK((track.wxx == 0. && track.wxy == 0. && track.wyy == 0.));
  line.xx = line.yy = 1.;
  line.xy = 1.5;
  track = vertexing::track_at_beam(line, 0.);
  CHECK(track.wxx == 0.);
  line.xy = std::nan("");
  CHECK(vertexing::track_at_beam(line, 0.).wxx == 0.);
}
