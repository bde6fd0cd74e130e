// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/lhcb/fit/impact_parameter.hpp>
#include <vector>

using namespace trackplex;
using lhcb::LongTrackFit;

namespace {

/// A fit with a full covariance of the state: L L^T.
LongTrackFit long_fit_of(double x, double y, double z, double tx, double ty) {
  LongTrackFit fit{x, y, z, tx, ty, 1e-4, {}, 20., 30};
  const double root[5][5] = {{0.02, 0, 0, 0, 0},
                             {0.004, 0.015, 0, 0, 0},
                             {-3e-4, 1e-4, 2e-4, 0, 0},
                             {5e-5, -2e-4, 3e-5, 2e-4, 0},
                             {1e-7, 2e-7, 3e-7, -1e-7, 4e-7}};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < 5; ++k)
        fit.covariance[std::size_t(i * (i + 1) / 2 + j)] += root[i][k] * root[j][k];
  return fit;
}

bool same_number(double a, double b) { return std::abs(a - b) < 1e-12 + 1e-9 * std::abs(b); }

}  // namespace

TEST_CASE("Entries of the covariance of a fit are those of its lower triangle", "[lhcb]") {
  const auto fit = long_fit_of(1., 2., 3., 0.1, 0.2);
  CHECK(fit.covariance_of(3, 1) == fit.covariance[7]);
  CHECK(fit.covariance_of(1, 3) == fit.covariance[7]);
  CHECK(same_number(fit.sigma(4) * fit.sigma(4), fit.covariance[14]));
  CHECK(same_number(fit.p(), 1e4));
}

TEST_CASE("Impact parameters to a point have the errors of the line there", "[lhcb]") {
  const auto fit = long_fit_of(1., -2., 50., 0.1, -0.05);
  const auto ip = lhcb::impact_parameter(fit, std::array{0.2, 0.4, -30.});
  const double dz = -80.;
  CHECK(same_number(ip.x, 1. + dz * 0.1 - 0.2));
  CHECK(same_number(ip.y, -2. - dz * 0.05 - 0.4));
  // J C J^T with J the derivatives of x and y at that z
  const double j[2][4] = {{1., 0., dz, 0.}, {0., 1., 0., dz}};
  double c[2][2] = {};
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l) c[a][b] += j[a][k] * fit.covariance_of(k, l) * j[b][l];
  CHECK(same_number(ip.xx, c[0][0]));
  CHECK(same_number(ip.xy, c[0][1]));
  CHECK(same_number(ip.yy, c[1][1]));
  // chi2 by rotation: of independent distances
  const double slope = ip.xy / ip.xx, rest = ip.yy - slope * ip.xy;
  const double y = ip.y - slope * ip.x;
  CHECK(same_number(ip.chi2(), ip.x * ip.x / ip.xx + y * y / rest));
  // the least distance of the line from the point
  double least = 1e9;
  for (double t = -20.; t < 20.; t += 1e-3)
    least = std::fmin(least, std::hypot(ip.x + t * fit.tx, ip.y + t * fit.ty, t));
  CHECK(std::abs(ip.length - least) < 1e-5);
}

TEST_CASE("Impact parameters to a vertex have its errors, too", "[lhcb]") {
  const auto fit = long_fit_of(0.3, 0.2, 10., 0.2, 0.1);
  const vertexing::Vertex vertex{{0.1, 0., -5.}, {2e-4, 3e-5, 1e-4, 1e-4, -5e-5, 4e-3}, 10., 12};
  const auto point = lhcb::impact_parameter(fit, vertex.position);
  const auto ip = lhcb::impact_parameter(fit, vertex);
  CHECK(ip.x == point.x);
  CHECK(ip.y == point.y);
  const auto& v = vertex.covariance;
  const double full[3][3] = {{v[0], v[1], v[3]}, {v[1], v[2], v[4]}, {v[3], v[4], v[5]}};
  const double j[2][3] = {{-1., 0., fit.tx}, {0., -1., fit.ty}};
  double c[2][2] = {{point.xx, point.xy}, {point.xy, point.yy}};
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) c[a][b] += j[a][k] * full[k][l] * j[b][l];
  CHECK(same_number(ip.xx, c[0][0]));
  CHECK(same_number(ip.xy, c[0][1]));
  CHECK(same_number(ip.yy, c[1][1]));
}

TEST_CASE("The vertex of the least impact parameter is that with the least chi2", "[lhcb]") {
  const auto fit = long_fit_of(0., 0., 10., 0.1, 0.1);
  const auto at = [](double x, double y, double z) {
    return vertexing::Vertex{{x, y, z}, {1e-4, 0., 1e-4, 0., 0., 1e-3}, 10., 12};
  };
  CHECK_FALSE(lhcb::least_impact_parameter(fit, {}));
  const std::vector<vertexing::Vertex> vertices = {at(0., 0., 40.), at(-1., -1., 0.),
                                                   at(-3.02, -3., -20.), at(-1., -1., 0.)};
  const auto least = lhcb::least_impact_parameter(fit, vertices);
  REQUIRE(least);
  CHECK(least->vertex == 1);
  CHECK(std::abs(least->x) < 1e-12);
}
