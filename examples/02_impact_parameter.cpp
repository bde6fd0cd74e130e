// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/trackplex.hpp>

using namespace trackplex;

// 1. A device function: any number type, no View, no launch.
/// Transverse distance (mm) at which the line through (x, y) with slopes (tx, ty) passes the z
/// axis.
template <class Real>
KOKKOS_FUNCTION Real impact_parameter(Real x, Real y, Real tx, Real ty) {
  const Real slope2 = fma(tx, tx, ty * ty);
  const auto parallel = slope2 == Real(0);
  const Real moment = abs(fma(x, ty, -(y * tx)));
  const Real radius = sqrt(fma(x, x, y * y));
  return select(parallel, radius, moment / sqrt(select(parallel, Real(1), slope2)));
}

// 2. The body of a kernel: what to do with a tile of items.
template <class Real, class Space>
struct ImpactParameters {
  using Array = Kokkos::View<ScalarOf<Real>*, typename Space::memory_space>;
  Array x, y, tx, ty, result;

  KOKKOS_FUNCTION void operator()(Tile<Real> tile) const {
    tile.store(result.data(), impact_parameter(tile.load(x.data()), tile.load(y.data()),
                                               tile.load(tx.data()), tile.load(ty.data())));
  }
};

// 3. The launcher: instance first, outputs last; it enqueues and returns.
template <int Width, class Space, class Array>
void impact_parameters(const Space& exec, const Array& x, const Array& y, const Array& tx,
                       const Array& ty, const Array& result) {
  using Real = LanesOf<typename Array::non_const_value_type, Width>;
  const ImpactParameters<Real, Space> body{x, y, tx, ty, result};
  for_each_tile<Real>(exec, "Trackplex::Guide::impact_parameters", int(x.extent(0)), body);
}

// In use: a thousand lines, and the largest of their impact parameters.
int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  using Array = Kokkos::View<float*, Space::memory_space>;
  constexpr int width = default_lane_width<Space, float>;
  const Space exec;
  const int n = 1000;
  const auto array = [](const std::string& label) { return Array(label, n); };
  const Array x = array("x"), y = array("y"), tx = array("tx"), ty = array("ty"), d = array("d");
  Kokkos::deep_copy(tx, 0.2f);
  const auto host_y = Kokkos::create_mirror_view(y);
  for (int i = 0; i < n; ++i) host_y(i) = 0.01f * float(i);
  Kokkos::deep_copy(y, host_y);

  Array largest("largest", 1);
  Workspace<Space> workspace;
  impact_parameters<width>(exec, x, y, tx, ty, d);
  reduce_array<Max, width>(exec, d, n, largest, workspace);
  exec.fence();
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), largest);
  std::printf("largest impact parameter: %.4f mm\n", result(0));
}
