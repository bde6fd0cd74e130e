// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/synchrotron_motion.hpp>
#include <trackplex/core/host_executor.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

constexpr double p0 = 2000.;
constexpr int harmonic = 96;

double beta() { return p0 / std::sqrt(1. + p0 * p0); }

/// A ring of cells of weak bends, with a cavity where there is dispersion.
BeamLine ring_of_cells(double voltage, double phase = std::numbers::pi) {
  const int cells = 16;
  const SectorBend half{.length = 1., .angle = std::numbers::pi / cells};
  BeamLine line;
  for (int i = 0; i < cells; ++i) {
    line.push_back({"qf", Quadrupole{0.3, 1.4}});
    line.push_back({"d", ExactDrift{0.5}});
    line.push_back({"b", Bend{half}});
    line.push_back({"qd", Quadrupole{0.3, -1.4}});
    line.push_back({"b", Bend{half}});
    line.push_back({"d", ExactDrift{0.5}});
  }
  const double frequency = harmonic * beta() * constants::speed_of_light / length_of(line);
  if (voltage != 0.)
    line.push_back({"c", RfCavity{.voltage = voltage, .phase = phase, .frequency = frequency}});
  return line;
}

/// The tune of the oscillation of delta, from the turns at which it changes its sign.
double tracked_tune(const BeamLine& line, int turns) {
  using Space = HostExecutor;
  const Space exec;
  const auto start = periodic_twiss(map_of(ring_of_cells(0.), 1)).start;
  ParticleTable table(2, p0);
  for (int i = 0; i < 2; ++i) {  // two, so that the mean time is that of the reference particle
    const double deviation = i == 0 ? 1e-6 : -1e-6;
    table.v[delta][i] = deviation;
    for (int c = x; c <= yp; ++c) table.v[c][i] = deviation * start.dispersion[c];
  }
  auto bunch = upload<double>(exec, table);
  std::vector<double> deltas;
  LineTracker<double, Space> tracker(exec, line, {}, {int(line.size()) - 1});
  tracker.track(bunch, turns,
                [&](int, int, const auto& b) { deltas.push_back(download(exec, b).v[delta][0]); });
  std::vector<double> zeros;
  for (std::size_t i = 1; i < deltas.size(); ++i)
    if ((deltas[i - 1] < 0.) != (deltas[i] < 0.))
      zeros.push_back(double(i) - deltas[i] / (deltas[i] - deltas[i - 1]));
  return 0.5 * double(zeros.size() - 1) / (zeros.back() - zeros.front());
}

}  // namespace

TEST_CASE("slip and compaction are those of the dispersion in the bends", "[beam]") {
  const BeamLine line = ring_of_cells(0.);
  const auto motion = synchrotron_motion(line, p0);
  const auto optics = optics_along(line, periodic_twiss(map_of(line, 1)).start);
  double integral = 0.;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (const auto* bend = line[i].kind.as<Bend>()) {
      // the mean of dispersion in a bend, by Simpson's rule over its halves
      const TransferMap middle = map_of({"", bend->part(0, 2)});
      const auto half = behind(optics[i], middle, 0.);
      integral += bend->magnet.angle / 6. *
                  (optics[i].dispersion[0] + 4. * half.dispersion[0] + optics[i + 1].dispersion[0]);
    }
  CHECK(std::abs(motion.compaction / (integral / length_of(line)) - 1.) < 1e-4);
  CHECK(motion.slip == motion.compaction - 1. / (1. + p0 * p0));
  CHECK(motion.tune == 0.);
}

TEST_CASE("the synchrotron tune is that of theory and of tracking", "[beam]") {
  const double voltage = 2e4;
  const BeamLine line = ring_of_cells(voltage);
  const auto motion = synchrotron_motion(line, p0);
  const double energy = p0 / beta() * constants::elegant::electron_energy;
  // sin^2(pi Q) = pi h slip V/(2 beta^2 E)
  const double sine2 =
      0.5 * std::numbers::pi * harmonic * motion.slip * voltage / (beta() * beta() * energy);
  CHECK(std::abs(motion.tune / (std::asin(std::sqrt(sine2)) / std::numbers::pi) - 1.) < 1e-4);
  CHECK(std::abs(tracked_tune(line, 4000) / motion.tune - 1.) < 1e-4);
}

TEST_CASE("unstable motion and changes of the reference momentum are refused", "[beam]") {
  test::check_refused<UsageError>([] { synchrotron_motion(ring_of_cells(2e5, 0.), p0); },
                                  "synchrotron motion: it is not stable");
  test::check_refused<UsageError>([] { synchrotron_motion(ring_of_cells(0.), 0.); },
                                  "synchrotron motion: the momentum is not above 0");
  BeamLine line = ring_of_cells(0.);
  line.push_back({"e", SetMomentum{.momentum = 1000.}});
  test::check_refused<UsageError>([&] { synchrotron_motion(line, p0); },
                                  "element 'e': it changes the reference momentum");
}

TEST_CASE("maps of an accelerated line are relative to the momentum at each place", "[beam]") {
  const RfCavity cavity{.length = 1.,
                        .voltage = 2e7,
                        .phase = std::numbers::pi / 2,
                        .frequency = 2.856e9,
                        .change_momentum = true};
  const BeamLine line{{"c", cavity}, {"d", Drift{1.}}, {"c", cavity}};
  const double middle = cavity.momentum_behind(200.);
  CHECK(middle > 230.);
  const auto map = map_of(line, 1, 200.);
  const auto expected =
      concatenated(concatenated(cavity.map_at(200.), drift_map(1., 1)), cavity.map_at(middle));
  CHECK(map == expected);
  // damping: the determinant of x is the ratio of momenta
  const double determinant = map.R(1, 1) * map.R(2, 2) - map.R(1, 2) * map.R(2, 1);
  CHECK(std::abs(determinant * cavity.momentum_behind(middle) / 200. - 1.) < 1e-12);
}
