// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Maps applied to particles for TRACKPLEX_SPACE: device code of scalars, or host code of lanes.

#include <trackplex/beam/maps/map_pattern.hpp>
#include <trackplex/core/launch.hpp>

namespace trackplex::beam {

template <class P, class Real, class Space>
struct ApplyMap {
  using T = ScalarOf<Real>;
  Kokkos::View<T*, typename Space::memory_space> coefficients;
  Kokkos::View<T*, typename Space::memory_space> particles;
  int n;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v;
    for (int i = 0; i < n_coordinates; ++i) v[i] = tile.load(particles.data() + i * n);
    v = apply_map<P>(coefficients.data(), v);
    for (int i = 0; i < n_coordinates; ++i) tile.store(particles.data() + i * n, v[i]);
  }
};

template <class P, class Real>
void track() {
  using Space = TRACKPLEX_SPACE;
  using Number = LanesOf<Real, default_lane_width<Space, Real>>;
  using View = Kokkos::View<Real*, typename Space::memory_space>;
  const int n = 1000;
  for_each_tile<Number>(Space(), "Track", n,
                        ApplyMap<P, Number, Space>{View("coefficients", P::value.size()),
                                                   View("particles", n_coordinates * n), n});
}

template void track<patterns::Drift, float>();
template void track<patterns::Quadrupole, double>();
template void track<patterns::Midplane, float>();
template void track<patterns::Dense, double>();

}  // namespace trackplex::beam
