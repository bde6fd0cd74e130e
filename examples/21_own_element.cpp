// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/expm1.hpp>
#include <trackplex/simulation/bunch_generator.hpp>
#include <vector>

using namespace trackplex;

/// Electron lens: a round Gaussian beam focuses in both planes, less at large amplitudes.
struct ElectronLens {
  double strength;  // 1/m, on the axis
  double sigma;     // m

  std::vector<double> coefficients() const {
    return {2. * strength * sigma * sigma, -0.5 / (sigma * sigma)};
  }
  template <class Real>
  KOKKOS_FUNCTION static void pass(const ScalarOf<Real>* c, beam::Particle<Real>& v) {
    const Real r2 = fma(v[beam::x], v[beam::x], v[beam::y] * v[beam::y]) + Real(1e-20f);
    const Real kick = Real(c[0]) * expm1(Real(c[1]) * r2) / r2;
    v[beam::xp] = fma(kick, v[beam::x], v[beam::xp]);
    v[beam::yp] = fma(kick, v[beam::y], v[beam::yp]);
  }
};

/// Kernel of the damper below: changes x' of all particles.
template <class Real>
struct ChangeSlopes {
  ScalarOf<Real>* xp;
  ScalarOf<Real> change;
  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    tile.store(xp, tile.load(xp) + Real(change));
  }
};

/// Action of the damper on a bunch: measures the mean of x' and reduces it.
template <class T, class Space, int Width>
struct DamperAction {
  template <class Damper>
  DamperAction(const Space&, const Damper& damper) : gain(damper.gain) {}

  void operator()(const Space& exec, beam::Bunch<T, MemoryOf<Space>>& bunch,
                  Workspace<Space>& workspace) const {
    const double mean = beam::moments_of(exec, bunch, workspace).mean[beam::xp];
    for_each_tile<LanesOf<T, Width>>(
        exec, "Damper", bunch.size(),
        ChangeSlopes<LanesOf<T, Width>>{bunch.column(beam::xp), T(-gain * mean)});
  }
  double gain;
};

/// Transverse damper.
struct Damper {
  double gain;  // fraction of the mean removed per turn
  template <class T, class Space, int Width>
  using Action = DamperAction<T, Space, Width>;
};

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;
  Workspace<Space> workspace;

  beam::BeamLine ring;
  for (int cell = 0; cell < 10; ++cell) {
    ring.push_back({"qf", beam::CanonicalQuadrupole{.length = 0.2, .k1 = 1.4}});
    ring.push_back({"d", beam::ExactDrift{0.8}});
    ring.push_back({"qd", beam::CanonicalQuadrupole{.length = 0.2, .k1 = -1.35}});
    ring.push_back({"d", beam::ExactDrift{0.8}});
  }
  ring.push_back({"lens", ElectronLens{.strength = 0.01, .sigma = 1e-3}});

  for (const double gain : {0., 0.1}) {
    simulation::BunchParams params{.particles = 20000};
    auto bunch = simulation::generate_bunch<double>(exec, params, workspace);
    for_each_tile<double>(exec, "Kick", bunch.size(),
                          ChangeSlopes<double>{bunch.column(beam::xp), 1e-4});
    beam::BeamLine line = ring;
    if (gain > 0.) line.push_back({"damper", Damper{gain}});
    beam::LineTracker<double, Space, beam::ElementTypes<ElectronLens, Damper>> tracker(exec, line);
    tracker.track(bunch, 200);
    const auto moments = beam::moments_of(exec, bunch, workspace);
    std::printf("gain %.1f: mean of x %+.1e m, rms %.1e m\n", gain, moments.mean[beam::x],
                moments.sigma(beam::x));
  }
}
