// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/lattice.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

using namespace trackplex;

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;
  Workspace<Space> workspace;

  beam::Lattice lattice;
  lattice.add("qf", beam::CanonicalQuadrupole{.length = 0.2, .k1 = 1.4});
  lattice.add("qd", beam::CanonicalQuadrupole{.length = 0.2, .k1 = -1.35});
  lattice.add("d", beam::ExactDrift{0.8});
  lattice.add("scraper", beam::Collimator{.aperture = {.x_max = 4e-3, .y_max = 4e-3}});
  lattice.add_line("cell", {"qf", "d", "qd", "d"});
  lattice.add_line("ring", {"scraper", beam::repeated(10, "cell")});
  const beam::BeamLine ring = lattice.expand("ring");

  const auto optics = beam::periodic_twiss(beam::map_of(ring, 1));
  simulation::BunchParams params{.particles = 100000, .p0 = 1000.};
  params.x = {.emittance = 3e-7, .beta = optics.start.x.beta, .alpha = optics.start.x.alpha};
  params.y = {.emittance = 3e-7, .beta = optics.start.y.beta, .alpha = optics.start.y.alpha};
  auto bunch = simulation::generate_bunch<double>(exec, params, workspace);

  beam::LineTracker<double, Space> tracker(exec, ring);
  tracker.track(bunch, 100);  // one kernel
  const int n_lost = beam::remove_lost(exec, bunch, workspace);
  const auto moments = beam::moments_of(exec, bunch, workspace);
  std::printf("tunes %.4f and %.4f; %d particles lost, emittance of the others %.2f um\n",
              optics.tune_x, optics.tune_y, n_lost, 1e6 * moments.optics(beam::x).emittance);
}
