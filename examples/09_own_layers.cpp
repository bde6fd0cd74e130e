// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/trackplex.hpp>

using namespace trackplex;
using namespace trackplex::kalman;

// 1. A field: B_z in T at a point in cm, for any number type.
struct FadingField {
  template <class Real>
  KOKKOS_FUNCTION Real operator()(const Real& /*x*/, const Real& /*y*/, const Real& z) const {
    const Real part = z * Real(ScalarOf<Real>(1. / 300.));
    return Real(2) / fma(part, part, Real(1));
  }
};

// 2. A detector: disks of strips. Disk i is at z and measures u = ux x + uy y.
constexpr int disks = 9;
KOKKOS_FUNCTION constexpr double disk_z(int i) { return 20. + 10. * i; }  // cm
KOKKOS_FUNCTION constexpr double strip_ux(int i) { return i % 3 == 0 ? 1. : 0.5; }
KOKKOS_FUNCTION constexpr double strip_uy(int i) {
  return i % 3 == 0 ? 0. : i % 3 == 1 ? 0.8660254 : -0.8660254;
}
constexpr float no_hit = 1e4f;

template <class Space>
using StripHits = Kokkos::View<float* [disks], Kokkos::LayoutLeft, typename Space::memory_space>;

/// The layers of a tile of tracks.
template <class Number, class Space>
struct TileOfStrips {
  using Real = Number;
  using T = ScalarOf<Real>;
  StripHits<Space> u;
  Tile<Real> tile;
  ThinLayer silicon_sheet;

  KOKKOS_FUNCTION int size() const { return disks; }
  KOKKOS_FUNCTION ZPlane<Real> surface(int i) const { return {Real(T(disk_z(i)))}; }
  KOKKOS_FUNCTION MaskOf<Real> present(int i) const {
    return tile.mask() && tile.load(&u(0, i)) < Real(no_hit);
  }
  KOKKOS_FUNCTION auto measure(int i, const Parameters<Real>& at) const {
    return measure_along(Real(T(strip_ux(i))), Real(T(strip_uy(i))), tile.load(&u(0, i)),
                         Real(T(1e-4)), at);
  }
  KOKKOS_FUNCTION ThinLayer material(int /*i*/) const { return silicon_sheet; }
};

/// Hits of all tracks, the argument of the launchers.
template <class Space>
struct Strips {
  StripHits<Space> u;
  ThinLayer silicon_sheet{silicon, 0.03};

  template <class Real>
  KOKKOS_FUNCTION TileOfStrips<Real, Space> of(const Tile<Real>& tile) const {
    return {u, tile, silicon_sheet};
  }
};

// In use: a hundred pions of 2 GeV, and the fit of the last one.
int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  constexpr int width = default_lane_width<Space, float>;
  const Space exec;
  const FadingField field;
  const int n = 100;
  const StripHits<Space> hits("Trackplex::Guide::strips", n);
  TrackStates<float, MemoryOf<Space>> states;
  states.allocate(exec, n);
  const auto u = Kokkos::create_mirror_view(hits);
  auto parameters = host_mirror(states.parameters);
  auto covariance = host_mirror(states.covariance);
  const auto charge = Kokkos::create_mirror_view(states.charge);
  const float sigma[6] = {0.1f, 0.1f, 0.1f, 0.5f, 0.05f, 0.05f};  // of the start states
  for (int track = 0; track < n; ++track) {
    Parameters<double> truth{{0., 0., 0., 0.5, 0.01 * track, 0.3}};
    charge(track) = 1;
    for (int p = 0; p < 6; ++p) {
      parameters.view()(track, p) = float(p == Parameter::inverse_pt ? 0.4 : truth(p));
      for (int q = 0; q <= p; ++q)
        covariance.view()(track, p, q) = p == q ? sigma[p] * sigma[p] : 0;
    }
    for (int i = 0; i < disks; ++i) {
      truth = transport(truth, 1., field, ZPlane<double>{disk_z(i)}, 4).parameters;
      u(track, i) = float(strip_ux(i) * truth(0) + strip_uy(i) * truth(1));
    }
    u(track, 5) = no_hit;
  }
  Kokkos::deep_copy(exec, hits, u);
  deep_copy(exec, states.parameters, parameters);
  deep_copy(exec, states.covariance, covariance);
  Kokkos::deep_copy(exec, states.charge, charge);

  FitResults<float, MemoryOf<Space>> results;
  fit_tracks<width>(exec, states, field, Strips<Space>{hits}, {.max_chi2 = 30., .steps = 4},
                    results);

  const auto last = states_on_host(exec, states).back();
  const auto used = to_host(exec, results.measurements);
  const int p = Parameter::inverse_pt;
  const double inverse_pt = last.parameters(p), error = std::sqrt(last.covariance(p, p));
  std::printf("pT %.2f GeV +- %.1f %% from %d strips\n", 1. / inverse_pt, 100. * error / inverse_pt,
              int(used(n - 1)));
}
