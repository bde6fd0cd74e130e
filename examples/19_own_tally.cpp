// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdio>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/montecarlo/transport.hpp>

using namespace trackplex;
using namespace trackplex::montecarlo;

/// A custom source: a Gaussian spot at z = 0, directions uniform in a cone around z.
struct GaussianSpot {
  double sigma;             ///< rms of x and of y, mean free paths
  double one_minus_cosine;  ///< for half the opening angle of the cone

  template <class Real>
  KOKKOS_FUNCTION Start<Real> operator()(PhiloxKey key, const HistoryNumbers<Real>& history) const {
    using T = ScalarOf<Real>;
    const SourceDraws<Real> place(key, history), cone(key, history, 1);  // two blocks
    const Real r = Real(T(sigma)) * sqrt(Real(-2) * log(place.first));   // Box and Muller
    const auto azimuth = sincospi(Real(2) * place.second);               // in half turns
    const Direction<Real> z{Real(0), Real(0), Real(1)};
    const Real deflection = Real(T(one_minus_cosine)) * cone.first;
    return {r * azimuth.cos, r * azimuth.sin, Real(0),
            scattered(z, deflection, sincospi(Real(2) * cone.second))};
  }
};

/// A custom quantity for the axes of AxisTally and PlaneTally: distance from the origin.
struct Distance {
  static constexpr const char* name = "distance";
  template <class T>
  KOKKOS_FUNCTION static T of(const End<T>& end) {
    return sqrt(fma(end.x, end.x, fma(end.y, end.y, end.z * end.z)));
  }
};

/// A custom tally: number of scatterings, 0 to `most`, and more than that.
struct Scatterings {
  int most;

  KOKKOS_FUNCTION int cells() const { return most + 3; }  // below, bins, above
  template <class T>
  KOKKOS_FUNCTION int cell(const End<T>& end) const {
    return end.scatterings <= most ? 1 + end.scatterings : most + 2;
  }
  /// Optional: its name and axis.
  TallyDescription describe() const {
    return {"scatterings", {{"scatterings", {-0.5, most + 0.5, most + 1}}}, cells()};
  }
};

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;

  const ScreenedRutherford scattering = screened_rutherford(published_material("water"), 0.128);
  const TransportParams params{.screening = scattering.screening, .limit = 33.5, .seed = 7};
  const GaussianSpot spot{mean_free_paths(scattering, 0.001), 0.0152};  // 1 um, 10 degrees

  const auto list = tallies(AxisTally<Distance, float>({0., 1., 50}), Scatterings{99});
  Transport<float, Space, std::decay_t<decltype(list)>, GaussianSpot> transport(exec, params, list,
                                                                                spot);
  transport.run(exec, {0, 100000});
  const TransportCounts counts = transport.take(exec);

  const auto views = tally_views(list, counts);
  const double n = double(counts.histories.size());
  std::printf("%.2f %% end farther than the limit from the origin\n",
              100. * views[0].overflow() / n);
  const double poisson = std::exp(33. * std::log(33.5) - 33.5 - std::lgamma(34.));
  std::printf("33 scatterings: %.2f %% of histories, %.2f %% by Poisson's law\n",
              100. * views[1].bins()[33] / n, 100. * poisson);
}
