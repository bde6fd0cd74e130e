// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/plane_rotation.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

using Vector = std::array<double, 3>;

Vector sum(const Vector& a, const Vector& b, double by = 1.) {
  return {a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2]};
}
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Axes and origin of a system of coordinates.
struct Frame {
  Vector x, y, z, origin;

  Vector position(const Vector& p) const {
    const Vector d = sum(p, origin, -1.);
    return {dot(d, x), dot(d, y), dot(d, z)};
  }
  Vector direction(const Vector& u) const { return {dot(u, x), dot(u, y), dot(u, z)}; }
  Vector from(const Vector& components) const {
    return sum(sum(sum({}, x, components[0]), y, components[1]), z, components[2]);
  }
  Vector point(const Vector& components) const { return sum(origin, from(components)); }
  Frame inside(const Frame& other) const {
    return {other.from(x), other.from(y), other.from(z), other.point(origin)};
  }
};

Frame rotated(double tilt, const Vector& origin = {}) {
  const double c = std::cos(tilt), s = std::sin(tilt);
  return {{c, s, 0.}, {-s, c, 0.}, {0., 0., 1.}, origin};
}
/// System at the end of an arc of an axis.
Frame end_of(double length, double angle) {
  const double radius = length / angle, c = std::cos(angle), s = std::sin(angle);
  return {{c, 0., s}, {0., 1., 0.}, {-s, 0., c}, {-radius * (1. - c), 0., radius * s}};
}

/// x, x', y, y', s and delta after a sector of a uniform field that is moved as a rigid body, from
/// a helix in three dimensions.
std::array<double, 6> helix(const CanonicalBend& bend, const std::array<double, 6>& start) {
  const Misalignment& by = bend.misalignment;
  const Frame entrance = rotated(by.tilt),
              body = rotated(by.tilt + bend.error_tilt, {by.dx, by.dy, by.dz});
  const Frame body_end = end_of(bend.length, bend.angle).inside(body),
              tilted_end = end_of(bend.length, bend.angle).inside(entrance),
              nominal_end = rotated(-by.tilt).inside(tilted_end);
  const double norm = std::hypot(1., start[xp], start[yp]);
  Vector p = {start[x], start[y], 0.};
  Vector u = {start[xp] / norm, start[yp] / norm, 1. / norm};
  double way = 0.;
  const auto to_plane = [&](const Frame& plane) {
    const double rest = -plane.position(p)[2] / plane.direction(u)[2];
    p = sum(p, u, rest);
    way += rest;
  };
  to_plane(body);
  const Vector p0 = body.position(p), u0 = body.direction(u);
  const double curvature = bend.angle / bend.length * (1. + bend.field_error) / (1. + start[delta]);
  const auto advance = [&](double path) {
    const double w = curvature * path, c = std::cos(w), s = std::sin(w);
    const double half = std::sin(0.5 * w), versine = 2. * half * half;
    u = body.from({u0[0] * c - u0[2] * s, u0[1], u0[2] * c + u0[0] * s});
    p = body.point({p0[0] + (u0[0] * s - u0[2] * versine) / curvature, p0[1] + u0[1] * path,
                    p0[2] + (u0[2] * s + u0[0] * versine) / curvature});
  };
  double path = bend.length;
  for (int i = 0; i < 50; ++i) {  // Newton
    advance(path);
    path -= body_end.position(p)[2] / body_end.direction(u)[2];
  }
  advance(path);
  way += path;
  to_plane(nominal_end);
  const Vector at = nominal_end.position(p), to = nominal_end.direction(u);
  return {at[0], to[0] / to[2], at[1], to[1] / to[2], way - bend.length, start[delta]};
}

std::array<double, 6> tracked(const CanonicalBend& bend, const std::array<double, 6>& start) {
  ParticleTable table(1, 1000.);
  for (int i = 0; i < 6; ++i) table.v[i][0] = start[i];
  const HostExecutor exec;
  auto bunch = upload<double>(exec, table);
  using Steps = ElementList<steps::ExactDrift, steps::Shift, steps::Rotation, steps::Lengthen,
                            PlaneRotation, steps::SectorField, steps::Magnet<QuadrupoleField>,
                            steps::CanonicalMultipole<false>, steps::ToCosines, steps::ToSlopes>;
  LineTracker<double, HostExecutor, Steps>(exec, {{"b", bend}}, {0., 0.}).track(bunch);
  table = download(exec, bunch);
  std::array<double, 6> end;
  for (int i = 0; i < 6; ++i) end[i] = table.v[i][0];
  return end;
}

/// A sector without edges.
CanonicalBend rigid(double angle, double error_tilt, const Misalignment& by) {
  CanonicalBend bend{.length = 0.5, .angle = angle, .error_tilt = error_tilt, .closed = true};
  bend.entrance_effects = bend.exit_effects = EdgeEffects::none;
  bend.misalignment = by;
  bend.is_rigid = true;
  return bend;
}

const std::vector<CanonicalBend> bends = {
    rigid(0.3, 0.02, {}),
    rigid(0.3, 0.02, {.dx = 1e-3, .dy = 2e-3, .dz = 3e-3}),
    rigid(0.3, 0.02, {.dy = 2e-3}),
    rigid(-0.3, 0.02, {.dx = 1e-3, .dy = 2e-3, .dz = -3e-3}),
    rigid(0.3, -0.2, {.dx = 1e-3, .tilt = 0.4}),
    rigid(-0.3, 0.02, {.dx = 1e-3, .dy = -2e-3, .tilt = -1.2, .dz = 3e-3}),
    rigid(1.8, 0.1, {.dx = 1e-3, .dy = 2e-3, .dz = 3e-3}),
};

}  // namespace

TEST_CASE("rotated and displaced bends move particles as helices do", "[beam]") {
  for (const CanonicalBend& bend : bends)
    for (const std::array<double, 6>& start : {std::array{0., 0., 0., 0., 0., 0.},
                                               {0., 0., 1e-3, 0., 0., 0.},
                                               {1e-3, 2e-2, -2e-3, 1e-2, 0., -3e-2}}) {
      const auto found = tracked(bend, start), right = helix(bend, start);
      for (int i = 0; i < 6; ++i) {
        CAPTURE(bend.angle, bend.error_tilt, bend.misalignment.tilt, i, found[i], right[i]);
        CHECK(std::abs(found[i] - right[i]) <= 4e-15);
      }
    }
}

TEST_CASE("magnets with a straight axis turn with their error tilt", "[beam]") {
  const std::array<double, 6> start = {1e-3, 2e-3, -2e-3, 1e-3, 0., 1e-3};
  const Misalignment by{.dx = 1e-3, .dy = 2e-3, .tilt = 0.3, .dz = 3e-3};
  for (const bool has_dipole : {true, false}) {
    CanonicalBend bend{.length = 0.5, .angle = has_dipole ? 0. : 1e-9, .strengths = {2.}};
    bend.entrance_effects = bend.exit_effects = EdgeEffects::none;
    bend.misalignment = by;
    if (has_dipole) bend.k0 = 0.1;
    CanonicalBend tilted = bend;
    bend.error_tilt = 0.2;
    tilted.misalignment.tilt += 0.2;
    CHECK(tracked(bend, start) == tracked(tilted, start));
    CHECK(bend.map_to(1).R(2, 3) == tilted.map_to(1).R(2, 3));
    CHECK(bend.map_to(1).R(2, 3) != 0.);
  }
}

TEST_CASE("maps of rotated bends have their orbit and its derivatives", "[beam]") {
  constexpr double small = 1e-4;
  for (const double angle : {0.3, -0.3}) {
    const auto bend =
        rigid(angle, small, {.dx = small, .dy = 2. * small, .tilt = 0.5, .dz = 3. * small});
    TransferMap map = bend.map_to(2);
    const auto on_axis = tracked(bend, {});
    for (int i = 0; i < 6; ++i) {
      CAPTURE(angle, i);
      CHECK(std::abs(map.C(i + 1) - on_axis[i]) < 1e-10);
      for (int j = 0; j < 6; ++j) {
        if (j == s) continue;
        std::array<double, 6> up{}, down{};
        up[j] = small;
        down[j] = -small;
        const double slope = (tracked(bend, up)[i] - tracked(bend, down)[i]) / (2. * small);
        CAPTURE(j, slope, map.R(i + 1, j + 1));
        CHECK(std::abs(map.R(i + 1, j + 1) - slope) < 1e-6);
      }
    }
  }
}
