// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What many turns do to particles: actions that stay where they are, or drift away; and tunes.
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/host_executor.hpp>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

using Space = HostExecutor;

/// Ten cells of two quadrupoles and two drifts, with different tunes, and a sextupole.
template <class Quadrupole, class Drift, class Sextupole>
BeamLine ring(double k2) {
  BeamLine line;
  for (int cell = 0; cell < 10; ++cell) {
    line.push_back({"qf", Quadrupole{.length = 0.2, .k1 = 1.4}});
    line.push_back({"d", Drift{0.4}});
    line.push_back({"s", Sextupole{.length = 0.1, .k2 = k2}});
    line.push_back({"d", Drift{0.3}});
    line.push_back({"qd", Quadrupole{.length = 0.2, .k1 = -1.35}});
    line.push_back({"d", Drift{0.8}});
  }
  return line;
}
/// By symplectic steps.
BeamLine thick_ring(double k2) {
  return ring<CanonicalQuadrupole, ExactDrift, CanonicalSextupole>(k2);
}
/// By maps of second order.
BeamLine taylor_ring(double k2) { return ring<Quadrupole, Drift, Sextupole>(k2); }

/// The coordinates of one particle at the start of each turn.
using Orbit = std::vector<TransferMap::Vector>;

/// The orbits of particles that start with these coordinates, through `turns` turns.
std::vector<Orbit> orbits(const BeamLine& line, const std::vector<TransferMap::Vector>& starts,
                          int turns) {
  const Space exec;
  const int n = int(starts.size());
  ParticleTable table(n, 1000.);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = starts[i][c];
  auto bunch = upload<double>(exec, table);
  LineTracker<double, Space> tracker(exec, line, {}, {int(line.size()) - 1});
  std::vector<Orbit> result(n);
  for (int i = 0; i < n; ++i) result[i].push_back(starts[i]);
  tracker.track(bunch, turns, [&](int, int, const auto& b) {
    exec.fence();
    for (int i = 0; i < n; ++i) {
      auto& at = result[i].emplace_back();
      for (int c = 0; c < n_coordinates; ++c) at[c] = b.values(c)(i);
    }
  });
  REQUIRE(download(exec, bunch).n_lost() == 0);
  return result;
}

/// Position and slope as components of a rotation by the phase advance.
struct Normalized {
  double u, w;
  double action() const { return 0.5 * (u * u + w * w); }
};
/// In the canonical momentum, which is not the slope.
Normalized normalized(const PlaneTwiss& twiss, const TransferMap::Vector& v) {
  const double ratio = std::sqrt(1. + v[xp] * v[xp] + v[yp] * v[yp]);
  const double p = (1. + v[delta]) * v[xp] / ratio;
  const double root = std::sqrt(twiss.beta);
  return {v[x] / root, (twiss.alpha * v[x] + twiss.beta * p) / root};
}

/// Weights of n numbers in a row that vanish at both ends with all derivatives: means of what
/// oscillates are closer to the mean of infinitely many than by any power of 1/n.
std::vector<double> mean_weights(int n) {
  std::vector<double> weights(n);
  double sum = 0.;
  for (int i = 0; i < n; ++i) {
    const double t = (i + 0.5) / n;
    sum += weights[i] = std::exp(-1. / (t * (1. - t)));
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// The tune in x, 0 to 1: the mean phase advance.
double tracked_tune(const PlaneTwiss& twiss, const Orbit& orbit) {
  const int turns = int(orbit.size()) - 1;
  const auto weights = mean_weights(turns);
  const auto phase = [&](int turn) {
    const auto n = normalized(twiss, orbit[turn]);
    return std::atan2(-n.w, n.u) / (2. * std::numbers::pi);
  };
  double tune = 0.;
  for (int turn = 0; turn < turns; ++turn) {
    const double advance = phase(turn + 1) - phase(turn);
    tune += weights[turn] * (advance - std::floor(advance));
  }
  return tune;
}

/// By how much the mean action of the last tenth of the turns is larger than that of the first
/// tenth, relative and per turn between them.
double action_growth(const PlaneTwiss& twiss, const Orbit& orbit) {
  const int turns = int(orbit.size()) - 1, tenth = turns / 10;
  const auto weights = mean_weights(tenth);
  double first = 0., last = 0.;
  for (int i = 0; i < tenth; ++i) {
    first += weights[i] * normalized(twiss, orbit[i]).action();
    last += weights[i] * normalized(twiss, orbit[turns - tenth + i]).action();
  }
  return (last / first - 1.) / (turns - tenth);
}

TransferMap::Vector start(double position, double momentum = 0.) {
  return {position, 0., 0.6 * position, 0., 0., momentum};
}

PeriodicOptics optics_of(const BeamLine& line) { return periodic_twiss(map_of(line, 1)); }

/// The linear map of the betatron motion with a momentum, as derivative of a map.
TransferMap linear_at(const TransferMap& map, double momentum) {
  TransferMap linear = TransferMap::identity(1);
  const double h = 1e-6;
  for (int j = 1; j <= 4; ++j) {
    auto below = start(0., momentum), above = below;
    below[j - 1] -= h;
    above[j - 1] += h;
    for (int i = 1; i <= 4; ++i)
      linear.R(i, j) = (map(above)[i - 1] - map(below)[i - 1]) / (2. * h);
  }
  return linear;
}

/// Of the motion in x with a momentum through a line of elements with maps, less 1.
double determinant_less_one(const BeamLine& line, double momentum) {
  double determinant = 1.;
  for (const auto& element : line) {
    const auto linear = linear_at(map_of(element), momentum);
    determinant *= linear.R(1, 1) * linear.R(2, 2) - linear.R(1, 2) * linear.R(2, 1);
  }
  return determinant - 1.;
}

/// The same ring with other slices.
BeamLine with_slices(BeamLine line, int slices) {
  for (auto& element : line)
    if (const auto* magnet = element.kind.as<CanonicalQuadrupole>()) {
      CanonicalQuadrupole sliced = *magnet;
      sliced.slices = slices;
      element.kind = sliced;
    }
  return line;
}

/// J. Bengtsson, "The sextupole scheme for the Swiss Light Source (SLS): an analytic approach", SLS
/// Note 9/97: change of the tune in x by the action in x, for short sextupoles of one strength.
double detuning(const BeamLine& line, double k2) {
  const auto optics = optics_along(line, optics_of(line).start);
  const double half_turn = 0.5 * optics.back().phase_x;
  struct Place {
    double beta, phase, strength;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i].kind.as<CanonicalSextupole>())
      places.push_back({0.5 * (optics[i].x.beta + optics[i + 1].x.beta),
                        0.5 * (optics[i].phase_x + optics[i + 1].phase_x),
                        k2 * length_of(line[i])});
  double sum = 0.;
  for (const auto& a : places)
    for (const auto& b : places) {
      const double phase = std::abs(a.phase - b.phase) - half_turn;
      sum += a.strength * b.strength * std::pow(a.beta * b.beta, 1.5) *
             (3. * std::cos(phase) / std::sin(half_turn) +
              std::cos(3. * phase) / std::sin(3. * half_turn));
    }
  return -sum / (64. * std::numbers::pi);
}

bool is_near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

TEST_CASE("maps of lines are symplectic in first order", "[beam]") {
  CHECK(symplecticity(map_of(taylor_ring(20.), 2)) < 1e-13);
  CHECK(symplecticity(map_of(thick_ring(20.), 3)) < 1e-13);
}

TEST_CASE("actions stay in magnets that are integrated, and grow in maps of second order",
          "[beam]") {
  const int turns = 10000;
  const auto twiss = optics_of(thick_ring(0.)).start.x;
  std::vector<TransferMap::Vector> starts;
  for (const double momentum : {0., 1e-3, -1e-3, 3e-3, -3e-3, 1e-2, -1e-2})
    starts.push_back(start(1e-4, momentum));
  const auto thick = orbits(thick_ring(0.), starts, turns);
  const auto taylor = orbits(taylor_ring(0.), starts, turns);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double momentum = starts[i][delta];
    // the coefficients with delta are not those of a symplectic map: by delta^2
    const double expected = determinant_less_one(taylor_ring(0.), momentum);
    const double growth = action_growth(twiss, taylor[i]);
    CAPTURE(momentum, growth);
    CHECK(std::abs(action_growth(twiss, thick[i])) < 2e-14);
    CHECK(is_near(growth, expected, 4e-3 * expected + 2e-14));
    CHECK(is_near(growth, 5.05e-3 * momentum * momentum, 1e-2 * growth + 2e-14));
  }
}

TEST_CASE("actions stay in sextupoles that are integrated, and grow with the amplitude in maps",
          "[beam]") {
  const int turns = 10000;
  const double k2 = 20.;
  const auto twiss = optics_of(thick_ring(k2)).start.x;
  std::vector<TransferMap::Vector> starts;
  for (const double position : {3e-4, 1e-3, 3e-3, 5e-3}) starts.push_back(start(position));
  const auto thick = orbits(thick_ring(k2), starts, turns);
  const auto taylor = orbits(taylor_ring(k2), starts, turns);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double position = starts[i][x], growth = action_growth(twiss, taylor[i]);
    CAPTURE(position, growth);
    CHECK(std::abs(action_growth(twiss, thick[i])) < 5e-14);
    CHECK(growth > 0.028 * position * position);
    CHECK(growth < 0.044 * position * position);
  }
}

TEST_CASE("particles oscillate with the tune of the optics", "[beam]") {
  const int turns = 1000;
  const auto tune = [&](const BeamLine& line) {
    return tracked_tune(optics_of(line).start.x, orbits(line, {start(1e-5)}, turns)[0]);
  };
  const double expected = optics_of(taylor_ring(0.)).tune_x;
  CHECK(is_near(expected, 0.4670, 1e-4));
  CHECK(is_near(tune(taylor_ring(0.)), expected, 1e-14));
  // four slices, of fourth order
  const double four = tune(thick_ring(0.)) - expected;
  const double eight = tune(with_slices(thick_ring(0.), 8)) - expected;
  CHECK(is_near(four, 0., 1e-6));
  CHECK(is_near(four / eight, 16., 0.2));
}

TEST_CASE("particles of other momenta have the tunes of their maps", "[beam]") {
  const int turns = 1000;
  const auto taylor = taylor_ring(0.), thick = with_slices(thick_ring(0.), 16);
  const auto twiss = optics_of(thick).start.x;
  for (const double momentum : {-1e-3, 1e-3}) {
    CAPTURE(momentum);
    const auto expected = [&](const BeamLine& line) {
      return periodic_twiss(linear_at(map_of(line, 3), momentum)).tune_x;
    };
    const auto tune = [&](const BeamLine& line) {
      return tracked_tune(twiss, orbits(line, {start(1e-5, momentum)}, turns)[0]);
    };
    CHECK(is_near(tune(taylor), expected(taylor), 1e-8));
    CHECK(is_near(tune(thick), expected(thick), 1e-8));
    CHECK((expected(thick) < optics_of(thick).tune_x) == (momentum > 0.));
  }
}

TEST_CASE("sextupoles change tunes with the action", "[beam]") {
  const int turns = 2000;
  for (const double k2 : {-20., 20., 40.}) {
    const auto line = thick_ring(k2);
    const auto twiss = optics_of(line).start.x;
    const double position = 5e-4;
    const auto found = orbits(line, {{1e-7}, {position}}, turns);
    const double shift = tracked_tune(twiss, found[1]) - tracked_tune(twiss, found[0]);
    const double action = normalized(twiss, {position}).action();
    CAPTURE(k2, shift, action);
    CHECK(shift < 0.);  // whatever the sign of the sextupoles
    CHECK(is_near(shift / (detuning(line, k2) * action), 1., 0.03));
  }
}
