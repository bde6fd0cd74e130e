// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

using namespace trackplex;

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;
  Workspace<Space> workspace;

  simulation::BunchParams params{.particles = 200000, .p0 = 1000.};
  params.x = {.normalized_emittance = 1e-6, .beta = 8., .alpha = -1., .dispersion = 0.2};
  params.sigma_delta = 1e-3;
  const auto bunch = simulation::generate_bunch<double>(exec, params, workspace);

  const auto moments = beam::moments_of(exec, bunch, workspace);
  const auto optics = moments.betatron_optics(beam::x);
  std::printf("sigma_x %.2f mm, beta %.1f m, dispersion %.2f m, normalised emittance %.2f um\n",
              1e3 * moments.sigma(beam::x), optics.beta, optics.dispersion,
              1e6 * optics.normalized_emittance);
}
