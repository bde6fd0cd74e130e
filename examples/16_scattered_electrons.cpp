// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/montecarlo/transport.hpp>

using namespace trackplex;
using namespace trackplex::montecarlo;

/// A source of one's own: from the origin, evenly into a cone of 10 degrees around z.
struct Cone {
  template <class Real>
  KOKKOS_FUNCTION Start<Real> operator()(PhiloxKey key, const HistoryNumbers<Real>& history) const {
    const SourceDraws<Real> draws(key, history);
    const Real one_minus_cosine = Real(ScalarOf<Real>(0.0151922)) * draws.first;
    const auto azimuth = sincospi(Real(2) * draws.second);  // in half turns
    const Direction<Real> z{Real(0), Real(0), Real(1)};
    return {Real(0), Real(0), Real(0), scattered(z, one_minus_cosine, azimuth)};
  }
};

/// A tally of one's own: electrons that end before (0) or beyond (1) their start in z, within a
/// tenth of the limit from the axis; others are not counted.
struct NearAxis {
  KOKKOS_FUNCTION int cells() const { return 2; }
  template <class End>
  KOKKOS_FUNCTION int cell(const End& end) const {
    if (Transverse::of(end) > 0.1f) return -1;
    return end.z < 0 ? 0 : 1;
  }
};

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;

  const Material silicon = material_of("silicon", {{14, 28.0855, 1.}}, 2.33);
  const ScreenedRutherford scattering = screened_rutherford(silicon, 0.2);                    // MeV
  const TransportParams params{scattering.screening, mean_free_paths(scattering, 0.01), 42};  // mm

  const auto list = tallies(AxisTally<Transverse, float>({0., 1., 100}), NearAxis{});
  Transport<float, Space, std::decay_t<decltype(list)>, Cone> transport(exec, params, list, Cone{});
  transport.run(exec, {0, 50000});       // enqueues
  transport.run(exec, {50000, 100000});  // adds to what the first one counts
  const TransportCounts counts = transport.take(exec);

  const auto views = tally_views(list, counts);
  const Estimate z = counts.moments.z();
  std::printf("%.1f scatterings, z = %.3f +- %.3f, %d beyond the axis of bins\n",
              counts.moments.scatterings().value, z.value, z.error, int(views[0].overflow()));
  std::printf("near the axis: %d before the start, %d beyond it\n", int(views[1].cells[0]),
              int(views[1].cells[1]));
}
