// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagation in field maps, and in the fields that they are made from, against an integrator of
// another kind.
#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <type_traits>
#include <vector>

#include "differences.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using geometry::Surface;
using trackplex::test::state_steps;
using trackplex::test::Uniform;
using trackplex::test::worst_difference;

namespace {

using Vector3 = geometry::Vector3<double>;
using Host = HostExecutor;

const geometry::DipoleField dipole{1.5, -30., 30., 20.};

auto dipole_map() {
  return geometry::FieldMap<double, MemoryOf<Host>>(
      Host(), geometry::sample_field({-160., 160., 33}, {-25., 25., 11}, {-130., 130., 66},
                                     [](double x, double y, double z) { return dipole(x, y, z); }));
}
auto solenoid_map() {
  return geometry::AxisymmetricFieldMap<double, MemoryOf<Host>>(
      Host(), geometry::sample_axisymmetric_field({0., 100., 21}, {-150., 150., 76},
                                                  geometry::FiniteSolenoid{2., 120., 100.}));
}

/// Position and direction of a track, integrated by the pair of Dormand and Prince (J. Comput.
/// Appl. Math. 6 (1980) 19) in first-order equations, with steps that adapt to the error.
template <class Field>
class ReferenceTrack {
 public:
  std::array<double, 6> at;  ///< r and t

  ReferenceTrack(const Vector3& r, const Vector3& t, double q_over_p, const Field& field)
      : at{r(0), r(1), r(2), t(0), t(1), t(2)}, lambda_(2.99792458e-3 * q_over_p), field_(field) {}

  double distance(const Surface<double>& surface) const {
    return surface.distance({{at[0], at[1], at[2]}});
  }

  /// Moves to the first crossing in the direction of `sign`; returns the path length, or 0 if it is
  /// longer than 10 m.
  double go_to(const Surface<double>& surface, double sign) {
    const double begin = distance(surface);
    double length = 0., h = 0.1;
    while (length < 1000.) {
      const auto before = at;
      const double taken = advance(sign * h, h);
      if (begin * distance(surface) <= 0.) return length + last_step(surface, before, taken);
      length += std::fabs(taken);
    }
    return 0.;
  }

 private:
  using Y = std::array<double, 6>;

  Y slope(const Y& y) const {
    const auto b = field_(y[0], y[1], y[2]);
    return {y[3],
            y[4],
            y[5],
            lambda_ * (y[4] * b(2) - y[5] * b(1)),
            lambda_ * (y[5] * b(0) - y[3] * b(2)),
            lambda_ * (y[3] * b(1) - y[4] * b(0))};
  }

  /// A step; returns the largest estimated error.
  double step(double h, Y& y) const {
    static constexpr double a[6][6] = {
        {1. / 5.},
        {3. / 40., 9. / 40.},
        {44. / 45., -56. / 15., 32. / 9.},
        {19372. / 6561., -25360. / 2187., 64448. / 6561., -212. / 729.},
        {9017. / 3168., -355. / 33., 46732. / 5247., 49. / 176., -5103. / 18656.},
        {35. / 384., 0., 500. / 1113., 125. / 192., -2187. / 6784., 11. / 84.}};
    static constexpr double fourth[7] = {
        5179. / 57600., 0., 7571. / 16695., 393. / 640., -92097. / 339200., 187. / 2100., 1. / 40.};
    Y k[7] = {slope(y)};
    Y next = y;
    for (int stage = 0; stage < 6; ++stage) {
      next = y;
      for (int i = 0; i <= stage; ++i)
        for (std::size_t e = 0; e < 6; ++e) next[e] += h * a[stage][i] * k[i][e];
      k[stage + 1] = slope(next);
    }
    double error = 0.;
    for (std::size_t e = 0; e < 6; ++e) {
      double lower = y[e];
      for (int i = 0; i < 7; ++i) lower += h * fourth[i] * k[i][e];
      error = std::max(error, std::fabs(next[e] - lower));
    }
    y = next;
    return error;
  }

  /// Takes the longest step up to h whose error is small; returns it, and proposes the next.
  double advance(double h, double& proposal) {
    for (;;) {
      Y there = at;
      const double error = step(h, there);
      if (error < 1e-13 || std::fabs(h) < 1e-5) {
        at = there;
        proposal = std::min(2., std::fabs(h) * (error < 1e-15 ? 2. : error < 3e-14 ? 1.1 : 0.9));
        return h;
      }
      h *= 0.5;
    }
  }

  /// From `before` to the surface within a step of length h, by bisection.
  double last_step(const Surface<double>& surface, const Y& before, double h) {
    double low = 0., high = 1.;
    at = before;
    const double begin = distance(surface);
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      at = before;
      step(middle * h, at);
      (begin * distance(surface) > 0. ? low : high) = middle;
    }
    return high * std::fabs(h);
  }

  double lambda_;
  const Field& field_;
};

template <class Model>
Parameters<double> random_start(Uniform& uniform) {
  const double x = uniform(-10., 10.), y = uniform(-5., 5.);
  if constexpr (std::is_same_v<Model, CentralTrack>)
    return {{x, y, uniform(-20., 20.), uniform(0.1, 1.5), uniform(-3.1, 3.1), uniform(0.5, 2.6)}};
  else
    return {
        {x, y, uniform(-90., -60.), uniform(-0.2, 0.2), uniform(-0.04, 0.04), uniform(-1., 1.)}};
}

/// Cylinders, disks and planes that most tracks reach, after a way of up to 1.5 m.
template <class Model>
Surface<double> random_surface(int kind, Uniform& uniform, const Parameters<double>& start) {
  const auto t = Model::motion(start, 1.).motion.direction;
  const bool forward = std::is_same_v<Model, ForwardTrack>;
  const double way = forward ? uniform(10., 150.) : uniform(-60., 60.);
  const auto there = geometry::add_scaled(Vector3{{start(0), start(1), start(2)}}, way, t);
  if (kind == 0 && !forward)
    return Surface<double>::cylinder(
        std::max(std::hypot(there(0), there(1)), 1. + std::hypot(start(0), start(1))));
  if (kind == 1) return Surface<double>::disk(there(2));
  const Vector3 normal{{t(0) + uniform(-0.5, 0.5), t(1) + uniform(-0.5, 0.5), t(2)}};
  return Surface<double>::plane(there, 1. / std::sqrt(geometry::dot(normal, normal)) * normal);
}

/// Compares ends of tracks: positions relative to the path length, and directions.
template <class Model, class Field>
void check_against_reference(const Field& field, unsigned seed) {
  Uniform uniform(seed);
  int compared = 0;
  double longest = 0.;
  for (int n = 0; n < 120; ++n) {
    const auto start = random_start<Model>(uniform);
    const auto surface = random_surface<Model>(n % 3, uniform, start);
    const double charge = n % 2 ? 1. : -1.;
    const auto moved = transport<Model>(start, charge, field, surface);
    if (!moved.reached) continue;
    const auto& p = moved.parameters;
    const auto from = Model::motion(start, charge).motion;
    const auto to = Model::motion(p, charge).motion.direction;
    const Vector3 way{{p(0) - start(0), p(1) - start(1), p(2) - start(2)}};
    ReferenceTrack<Field> reference({{start(0), start(1), start(2)}}, from.direction, from.q_over_p,
                                    field);
    const double length =
        reference.go_to(surface, std::copysign(1., geometry::dot(way, from.direction)));
    CAPTURE(n, seed, length);
    REQUIRE(length > 0.);
    ++compared;
    longest = std::max(longest, length);
    for (int i = 0; i < 3; ++i) {
      CAPTURE(i);
      CHECK(std::fabs(p(i) - reference.at[std::size_t(i)]) < 1e-9 * std::max(length, 1.));
      CHECK(std::fabs(to(i) - reference.at[std::size_t(3 + i)]) < 1e-9);
    }
  }
  CHECK(compared > 90);
  CHECK(longest > 50.);
}

/// Returns the worst difference of each Jacobian from central differences, in order.
template <class Model, class Field>
std::vector<double> jacobian_differences(const Field& field, unsigned seed) {
  Uniform uniform(seed);
  std::vector<double> differences;
  for (int n = 0; n < 120; ++n) {
    const auto start = random_start<Model>(uniform);
    const auto surface = random_surface<Model>(n % 3, uniform, start);
    const double charge = n % 2 ? 1. : -1.;
    const auto map = [&](const Parameters<double>& x) {
      return transport<Model>(x, charge, field, surface).parameters;
    };
    const auto moved = transport<Model>(start, charge, field, surface);
    const auto& p = moved.parameters;
    const auto t = Model::motion(p, charge).motion.direction;
    if (!moved.reached || std::fabs(geometry::dot(surface.gradient({{p(0), p(1), p(2)}}), t)) < 0.3)
      continue;
    differences.push_back(worst_difference<6>(start, map, moved.jacobian, state_steps, 10.));
  }
  REQUIRE(differences.size() > 60);
  std::ranges::sort(differences);
  return differences;
}

template <class Model, class Field>
void check_jacobians(const Field& smooth, const Field& map, unsigned seed) {
  CAPTURE(seed);
  CHECK(jacobian_differences<Model>(smooth, seed).back() < 1e-6);
  // Differences across the faces of cells see the jump of the gradient there
  const auto differences = jacobian_differences<Model>(map, seed);
  CHECK(differences[differences.size() / 2] < 1e-5);
  CHECK(differences.back() < 1e-2);
}

}  // namespace

TEST_CASE("tracks in maps end where an independent integrator leads", "[kalman]") {
  check_against_reference<ForwardTrack>(dipole, 1);
  check_against_reference<ForwardTrack>(dipole_map(), 2);
  check_against_reference<CentralTrack>(solenoid_map(), 3);
  check_against_reference<ForwardTrack>(solenoid_map(), 4);
}

TEST_CASE("Jacobians in maps are those of central differences", "[kalman]") {
  // Fields that the interpolation reproduces have no jumps
  const geometry::FieldMap<double, MemoryOf<Host>> quadrupole(
      Host(), geometry::sample_field({-160., 160., 33}, {-90., 90., 37}, {-130., 130., 66},
                                     [](double x, double y, double z) {
                                       return Vector3{{0.01 * y, 0.5 + 0.01 * x, 0.002 * z}};
                                     }));
  const geometry::AxisymmetricFieldMap<double, MemoryOf<Host>> bottle(
      Host(), geometry::sample_axisymmetric_field({0., 100., 21}, {-150., 150., 76},
                                                  [](double r, double z) {
                                                    return std::array{-0.002 * r, 2. + 0.004 * z};
                                                  }));
  check_jacobians<ForwardTrack>(quadrupole, dipole_map(), 5);
  check_jacobians<CentralTrack>(bottle, solenoid_map(), 6);
  check_jacobians<ForwardTrack>(bottle, solenoid_map(), 7);
}
