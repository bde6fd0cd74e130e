// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

using Vector = std::array<double, 6>;

/// Canonical coordinates x, q_x, y, q_y, s, delta, and those of tracking.
Vector slopes_of(Vector v) {
  const double momentum = 1. + v[delta];
  const double pz = std::sqrt(momentum * momentum - v[xp] * v[xp] - v[yp] * v[yp]);
  v[xp] /= pz;
  v[yp] /= pz;
  return v;
}
Vector momenta_of(Vector v) {
  const double factor = (1. + v[delta]) / std::sqrt(1. + v[xp] * v[xp] + v[yp] * v[yp]);
  v[xp] *= factor;
  v[yp] *= factor;
  return v;
}

/// Canonical coordinates behind a turn of particles.
std::vector<Vector> turned(const BeamLine& line, const std::vector<Vector>& starts) {
  using Space = HostExecutor;
  const Space exec;
  ParticleTable table(int(starts.size()), 1000.);
  for (int i = 0; i < table.size(); ++i) {
    const Vector v = slopes_of(starts[i]);
    for (int c = 0; c < 6; ++c) table.v[c][i] = v[c];
  }
  auto bunch = upload<double>(exec, table);
  LineTracker<double, Space>(exec, line, {0., 0.}).track(bunch);
  table = download(exec, bunch);
  REQUIRE(table.n_lost() == 0);
  std::vector<Vector> ends(starts.size());
  for (int i = 0; i < table.size(); ++i) {
    for (int c = 0; c < 6; ++c) ends[i][c] = table.v[c][i];
    ends[i] = momenta_of(ends[i]);
  }
  return ends;
}

/// Largest element of J^T S J - S, with the derivatives J of a turn by differences of eighth order.
double symplecticity_at(const BeamLine& line, const Vector& at, double step = 1e-4) {
  constexpr double weights[] = {4. / 5., -1. / 5., 4. / 105., -1. / 280.};
  const Vector steps = {step, step, step, step, 1e-3, 2e-4};
  std::vector<Vector> starts;
  for (int j = 0; j < 6; ++j)
    for (int n = 1; n <= 4; ++n)
      for (const double side : {1., -1.}) {
        starts.push_back(at);
        starts.back()[j] += side * n * steps[j];
      }
  const auto ends = turned(line, starts);
  double jacobian[6][6] = {};
  for (int j = 0; j < 6; ++j)
    for (int n = 0; n < 4; ++n) {
      const auto& up = ends[(j * 4 + n) * 2];
      const auto& down = ends[(j * 4 + n) * 2 + 1];
      for (int i = 0; i < 6; ++i) jacobian[i][j] += weights[n] * (up[i] - down[i]) / steps[j];
    }
  double largest = 0.;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      double sum = i / 2 != j / 2 || i == j ? 0. : (i < j ? -1. : 1.) * (i / 2 == 2 ? -1. : 1.);
      for (int pair = 0; pair < 3; ++pair) {
        const double sign = pair == 2 ? -1. : 1.;  // s is longer for later particles
        sum += sign * (jacobian[2 * pair][i] * jacobian[2 * pair + 1][j] -
                       jacobian[2 * pair + 1][i] * jacobian[2 * pair][j]);
      }
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

}  // namespace

TEST_CASE("integrated magnets are symplectic", "[beam]") {
  const Misalignment moved{1e-3, -5e-4, 0.2, 2e-3};
  const CanonicalBend bend{.length = 0.5,
                           .angle = 0.2,
                           .strengths = {0.8, 10., 100.},
                           .entrance_effects = EdgeEffects::none,
                           .exit_effects = EdgeEffects::none};
  CanonicalBend negative = bend, fringed = bend, moved_bend = bend;
  negative.angle = -0.2;
  fringed.strengths.clear();
  fringed.entrance = 0.1;
  fringed.exit = 0.05;
  fringed.half_gap = 0.;
  fringed.entrance_effects = fringed.exit_effects = EdgeEffects::canonical;
  moved_bend.misalignment = moved;
  moved_bend.integration_order = 6;
  const std::vector<Element> elements = {
      {"drift", ExactDrift{2.}},
      {"quadrupole", CanonicalQuadrupole{0.2, 5., 4, 4, moved}},
      {"sextupole", CanonicalSextupole{0.2, 200., 2, 6, moved}},
      {"multipole", CanonicalMultipole{0.2, {{1e-3, 1., 10., 500.}, {-2e-3, 0.5}}, 3, 2, moved}},
      {"thin", CanonicalMultipole{0., {{0., 0.5, 20.}, {}}, 1, 2}},
      {"bend", bend},
      {"negative bend", negative},
      {"bend with edges", fringed},
      {"moved bend", moved_bend}};
  const Vector at = {2e-3, 1e-3, -1e-3, 5e-4, 1e-3, 5e-3};
  for (const Element& element : elements) {
    CAPTURE(element.name);
    CHECK(symplecticity_at({element}, at) < 1e-12);
  }
}

TEST_CASE("closed maps are symplectic", "[beam]") {
  const auto bend = [](double length, double angle) {
    CanonicalBend magnet{.length = length, .angle = angle, .closed = true};
    magnet.entrance_effects = magnet.exit_effects = EdgeEffects::none;
    return magnet;
  };
  CanonicalBend edges = bend(0.5, 0.3);
  edges.entrance = 0.1;
  edges.exit = 0.05;
  edges.half_gap = 0.01;
  edges.field_error = 0.02;
  edges.misalignment = {1e-3, -1e-3, 0.2};
  edges.entrance_effects = edges.exit_effects = EdgeEffects::exact;
  const std::vector<Element> elements = {{"drift", ExpandedDrift{2.}},
                                         {"quadrupole", ChromaticQuadrupole{0.1, 2.}},
                                         {"strong quadrupole", ChromaticQuadrupole{0.3, -30.}},
                                         {"bend", bend(0.175, 0.02)},
                                         {"strong bend", bend(0.5, -1.)},
                                         {"bend with edges", edges}};
  // far from the axis
  const Vector at = {1e-3, 2e-2, -2e-3, 1e-2, 1e-3, 3e-2};
  for (const Element& element : elements) {
    CAPTURE(element.name);
    CHECK(symplecticity_at({element}, at, 1e-3) < 1e-12);
  }
}

TEST_CASE("a turn of a ring of integrated magnets is symplectic", "[beam]") {
  constexpr int cells = 8;
  const CanonicalBend bend{.length = 1., .angle = std::acos(-1.) / cells};
  BeamLine ring;
  for (int i = 0; i < cells; ++i)
    for (const Element& element : BeamLine{{"qf", CanonicalQuadrupole{0.3, 1.3}},
                                           {"sf", CanonicalSextupole{0.1, 2.}},
                                           {"d", ExactDrift{0.5}},
                                           {"b", bend},
                                           {"qd", CanonicalQuadrupole{0.3, -1.3}},
                                           {"sd", CanonicalSextupole{0.1, -3.}},
                                           {"o", CanonicalMultipole{0.1, {{0., 0., 0., 5.}, {}}}},
                                           {"d", ExactDrift{0.5}},
                                           {"b", bend}})
      ring.push_back(element);
  // 72 elements: the differences have their rounding errors, over the steps
  CHECK(symplecticity_at(ring, {1e-4, 5e-5, -1e-4, 5e-5, 1e-3, 1e-4}, 8e-4) < 1e-11);
}
