// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/montecarlo/transport.hpp>

using namespace trackplex;
using namespace trackplex::montecarlo;

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;

  const Material silicon = material_of("silicon", {{14, 28.0855, 1.}}, 2.33);  // g/cm^3
  const ScreenedRutherford scattering = screened_rutherford(silicon, 0.2);     // MeV
  const TransportParams params{scattering.screening, mean_free_paths(scattering, 0.01), 42};  // mm

  // Lengths of tallies are in units of the limit of the track length
  const auto list = tallies(AxisTally<Transverse, float>({0., 0.5, 50}),
                            PlaneTally<Longitudinal, Cosine, float>({-1., 1., 2}, {-1., 1., 2}));
  Transport<float, Space, std::decay_t<decltype(list)>> transport(exec, params, list);
  transport.run(exec, {0, 50000});       // enqueues
  transport.run(exec, {50000, 100000});  // adds to the counts of the first call
  const TransportCounts counts = transport.take(exec);

  const auto views = tally_views(list, counts);
  const Estimate z = counts.moments.z();
  std::printf("%.1f scatterings, z = %.4f +- %.4f of the limit, %d above the axis\n",
              counts.moments.scatterings().value, z.value, z.error, int(views[0].overflow()));
  std::printf("%d end before their start and fly backwards\n", int(views[1].at(1, 1)));
}
