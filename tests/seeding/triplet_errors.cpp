// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of triplets and of the points of modules, against displaced hits and bent tracks.
#include <trackplex/core/host_executor.hpp>
#include <trackplex/seeding/detector_points.hpp>
#include <trackplex/seeding/detector_triplets.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <functional>

#include "barrel_events.hpp"

using namespace trackplex;
using namespace trackplex::seeding;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using test::BarrelFinder;

namespace {

using Space = HostExecutor;
using Point = std::array<double, 3>;
using Layers = LayersOfTriplet<double>;

/// d0 and the residual along z of a triplet, and its path lengths.
struct Shape {
  double d0, residual, before, after;

  explicit Shape(const std::array<Point, 3>& p) {
    const auto& [a, b, c] = p;
    const CircleOfHits<double> circle(a[0] - b[0], a[1] - b[1], c[0] - b[0], c[1] - b[1]);
    d0 = circle.axis(b[0], b[1]).distance;
    before = circle.arc(std::hypot(a[0] - b[0], a[1] - b[1]));
    after = circle.arc(std::hypot(c[0] - b[0], c[1] - b[1]));
    residual = b[2] - (a[2] * after + c[2] * before) / (before + after);
  }
  double cotangent(const std::array<Point, 3>& p) const {
    return (p[2][2] - p[0][2]) / (before + after);
  }
};

/// A point moved along its azimuth.
Point aside(const Point& p, double by) {
  const double r = std::hypot(p[0], p[1]);
  return {p[0] - by * p[1] / r, p[1] + by * p[0] / r, p[2]};
}

/// The triplets of particles on the layers of a triple.
class TrueTriplets {
 public:
  explicit TrueTriplets(const std::array<int, 3>& numbers)
      : events_({{200, 0}}), finder_(events_), numbers_(numbers) {}

  Layers layers() const {
    const auto layer = [&](std::size_t i) {
      return layer_of_triplet<double>(events_.detector, numbers_[i]);
    };
    return {layer(0), layer(1), layer(2)};
  }

  /// Calls `visit(points, chi2, cuts)` for each triplet of a particle; `chi2` is without z0.
  int for_each(const Layers& layers, const auto& visit) {
    using Field = kalman::UniformField;
    using Rules = seeding::detail::DetectorTripletRules<double, decltype(finder_.binned),
                                                        decltype(finder_.hits), Field>;
    auto cuts = detector_triplet_cuts<double>(test::cuts_of_barrels());
    cuts.variance_d0 = 0.;
    const Rules rules{finder_.binned,
                      finder_.hits,
                      test::field_of_barrels,
                      cuts,
                      to_device<Layers>(Space(), "triples", std::vector{layers}),
                      {},
                      test::points_about_beam(finder_, cuts),
                      0,
                      1};
    const typename Rules::Search search{0, &rules.triples(0)};
    int n = 0;
    for_each_hit(numbers_[1], [&](int b, int owner) {
      const auto middle = rules.template middle<double>(search, b);
      for_each_hit(numbers_[0], [&](int a, int of_a) {
        for_each_hit(numbers_[2], [&](int c, int of_c) {
          Quartet<double> doublet, window;
          if (owner < 0 || of_a != owner || of_c != owner ||
              !rules.template near<double>(middle)(a) ||
              !rules.template doublet<double>(search, middle, a, doublet, window))
            return;
          const auto at = [&](int place) {
            const auto p = finder_.binned.template point<double>(place);
            return Point{p.x, p.y, p.z};
          };
          const std::array points{at(a), at(b), at(c)};
          const Shape shape(points);
          if (std::fabs(shape.d0) > 0.02 || std::fabs(shape.residual) > 0.05)
            return;  // other crossings
          const Quartet<double> inner{points[0][0] - middle.x, points[0][1] - middle.y,
                                      points[0][2] - middle.z, 0.};
          double chi2 = 0.;
          (void)rules.template triplet<double>(search, middle, inner, c, chi2);
          visit(points, chi2, rules.cuts);
          ++n;
        });
      });
    });
    return n;
  }

 private:
  void for_each_hit(int layer, const std::function<void(int, int)>& visit) const {
    for (int place = finder_.hits.first(0, layer); place < finder_.hits.first(0, layer + 1);
         ++place)
      visit(place, events_.particle_of_hit[std::size_t(finder_.binned.index(std::size_t(place)))]);
  }

  test::EventsOfBarrels events_;
  BarrelFinder<double, Space> finder_;
  std::array<int, 3> numbers_;
};

constexpr double unknown = 1e20, variance = 1e-6;

/// Layers without scattering whose hits have these errors.
Layers layers_with(Layers layers, const std::array<double, 3>& first,
                   const std::array<double, 3>& second) {
  std::size_t i = 0;
  for (auto* layer : {&layers.a, &layers.b, &layers.c}) {
    layer->variance_first = first[i];
    layer->variance_second = second[i++];
    layer->scattering = 0.;
  }
  return layers;
}

}  // namespace

TEST_CASE("variances of d0 are those of displaced hits and of kinks", "[seeding]") {
  for (const auto& numbers : {std::array{0, 1, 2}, {3, 4, 5}, {0, 3, 4}}) {
    TrueTriplets triplets(numbers);
    constexpr std::array everywhere{unknown, unknown, unknown};
    for (std::size_t hit = 0; hit < 3; ++hit) {
      CAPTURE(numbers, hit);
      std::array first{0., 0., 0.};
      first[hit] = variance;
      const auto layers = layers_with(triplets.layers(), first, everywhere);
      const int n = triplets.for_each(layers, [&](auto points, double chi2, const auto&) {
        const double d0 = Shape(points).d0, step = 1e-4;
        auto left = points, right = points;
        left[hit] = aside(points[hit], -step);
        right[hit] = aside(points[hit], step);
        const double lever = (Shape(right).d0 - Shape(left).d0) / (2. * step);
        CHECK_THAT(d0 * d0 / chi2, WithinRel(lever * lever * variance, 0.05));
      });
      REQUIRE(n > 10);
    }
    // A kink of the track on the middle layer moves the outer hit aside
    auto layers = layers_with(triplets.layers(), {0., 0., 0.}, everywhere);
    layers.b.scattering = 0.002;
    triplets.for_each(layers, [&](const auto& points, double chi2, const auto& cuts) {
      const Shape shape(points);
      const CircleOfHits<double> circle(points[0][0] - points[1][0], points[0][1] - points[1][1],
                                        points[2][0] - points[1][0], points[2][1] - points[1][1]);
      const double inverse_pt = std::fabs(circle.curvature) / (0.00299792458 * 2.);
      const double angle = cuts.deflection(layers.b, inverse_pt, shape.cotangent(points)).azimuth;
      const double step = 1e-4;
      auto left = points, right = points;
      left[2] = aside(points[2], -step * shape.after);
      right[2] = aside(points[2], step * shape.after);
      const double change = angle * (Shape(right).d0 - Shape(left).d0) / (2. * step);
      CHECK_THAT(shape.d0 * shape.d0 / chi2, WithinRel(change * change, 0.05));
    });
  }
}

TEST_CASE("variances of residuals along z are those of displaced hits and of kinks", "[seeding]") {
  constexpr std::array everywhere{unknown, unknown, unknown};
  // Path lengths are rounded: the residual is to be above that
  const auto is_large = [](const Shape& shape, const std::array<Point, 3>& points) {
    return std::fabs(shape.residual) > 1e-4 * std::fabs(points[2][2] - points[0][2]);
  };
  TrueTriplets barrels({0, 1, 2});  // z of a hit is at its path length
  for (std::size_t hit = 0; hit < 3; ++hit) {
    std::array second{0., 0., 0.};
    second[hit] = variance;
    int n = 0;
    barrels.for_each(layers_with(barrels.layers(), everywhere, second),
                     [&](auto points, double chi2, const auto&) {
                       const Shape shape(points);
                       if (!is_large(shape, points)) return;
                       points[hit][2] += 1.;
                       const double lever = Shape(points).residual - shape.residual;
                       CHECK_THAT(shape.residual * shape.residual / chi2,
                                  WithinRel(lever * lever * variance, 0.05));
                       ++n;
                     });
    REQUIRE(n > 10);
  }
  TrueTriplets triplets({0, 1, 6});  // to a disk, at any distance
  auto layers = layers_with(triplets.layers(), everywhere, {0., 0., 0.});
  layers.b.scattering = 0.002;
  int n = 0;
  triplets.for_each(layers, [&](auto points, double chi2, const auto& cuts) {
    const Shape shape(points);
    if (!is_large(shape, points)) return;
    const CircleOfHits<double> circle(points[0][0] - points[1][0], points[0][1] - points[1][1],
                                      points[2][0] - points[1][0], points[2][1] - points[1][1]);
    const double inverse_pt = std::fabs(circle.curvature) / (0.00299792458 * 2.);
    const double kink = cuts.deflection(layers.b, inverse_pt, shape.cotangent(points)).cotangent;
    points[2][2] += kink * shape.after;
    const double change = Shape(points).residual - shape.residual;
    CHECK_THAT(shape.residual * shape.residual / chi2, WithinRel(change * change, 0.05));
    ++n;
  });
  CHECK(n > 3);
}

TEST_CASE("points of modules have the errors of their hits", "[seeding]") {
  const auto detector = test::barrels_and_disks();
  hits::HostDetectorHits host(detector);
  host.add(0, 0.1, 0.2, 2e-6, 3e-6);
  host.add(0, 0.1, 0.2, 2e-6, 0.);  // a strip, anywhere along its length
  host.end_event();
  const Space exec;
  using Memory = MemoryOf<Space>;
  const DetectorPoints<double, Memory> points{hits::to_device<double>(exec, host),
                                              geometry::to_device<double>(exec, detector)};
  const auto& module = detector.modules[0];
  const double half = module.bounds.size[2];
  for (const int hit : {0, 1}) {
    const auto point = points.template point<double>(hit, true);
    const auto variance_along = [&](const auto& axis) {
      double sum = 0.;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += axis(i) * point.covariance(i, j) * axis(j);
      return sum;
    };
    CHECK_THAT(variance_along(module.frame.u), WithinRel(2e-6, 1e-12));
    // Of a uniform distribution from -half to half
    CHECK_THAT(variance_along(module.frame.v),
               WithinRel(hit == 0 ? 3e-6 : half * half / 3., 1e-12));
    CHECK_THAT(variance_along(module.frame.normal()), WithinAbs(0., 1e-15));
  }
}

TEST_CASE("errors away from the axis count along z with the slope of the track", "[seeding]") {
  kalman::SpacePoint<double> points[3];
  for (int i = 0; i < 3; ++i) {
    points[i].position = {{2. * (i + 1), -1.5 * (i + 1), 7. * (i + 1)}};
    points[i].covariance = {{3e-4, 1e-4 * (i + 1), 5e-4, 0., 0., 2e-4}};
  }
  seeding::detail::project_variances(points);
  const double slope = 7. / 2.5, c = 0.8, s = -0.6;
  for (int i = 0; i < 3; ++i) {
    const double outwards = c * c * 3e-4 + 2. * c * s * 1e-4 * (i + 1) + s * s * 5e-4;
    CHECK_THAT(points[i].covariance(2, 2), WithinRel(2e-4 + slope * slope * outwards, 1e-12));
  }
}
