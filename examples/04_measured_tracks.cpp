// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/trackplex.hpp>

using namespace trackplex;

// Known elements of the Jacobian of a straight line, for the state (x, y, tx, ty).
constexpr Pattern<4, 4> step("1 . x .", ". 1 . x", ". . 1 .", ". . . 1");
// A measurement of x and y.
constexpr Pattern<2, 4> measured("1 . . .", ". 1 . .");

// 1. A device function: any number type, no memory. It returns the mask of successful updates.
/// Predicts a state over the distance dz (mm) and updates it with a point of variance v (mm²).
template <class Real>
KOKKOS_FUNCTION MaskOf<Real> measure(Real dz, const Vector<Real, 2>& point, Real v,
                                     Vector<Real, 4>& state, Symmetric<Real, 4>& covariance) {
  const Matrix<Real, 4, 4, step> jacobian{dz, dz};
  const Matrix<Real, 2, 4, measured> h{};
  const Symmetric<Real, 2, SymmetricPattern<2>("x", ". x")> variance{v, v};

  const Vector<Real, 4> predicted = jacobian * state;
  Symmetric<Real, 4> updated = similarity(jacobian, covariance);
  const auto pht = updated * transposed(h);
  Symmetric<Real, 2> s = symmetric_product(h, pht) + variance;
  const auto worked = invert(s, s);
  const auto gain = pht * s;
  Vector<Real, 4> moved = predicted;
  add_product(moved, gain, point - h * predicted);
  subtract_product(updated, gain, transposed(pht));
  assign_where(worked, moved, state);
  assign_where(worked, updated, covariance);
  return worked;
}

// 2. The body of a kernel: a tile of tracks.
template <class Real, class Space>
struct Measure {
  using T = ScalarOf<Real>;
  typename Matriplex<T, 2, 1, MemoryOf<Space>>::ConstView points;
  typename Matriplex<T, 4, 1, MemoryOf<Space>>::View states;
  typename SymMatriplex<T, 4, MemoryOf<Space>>::View covariances;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    auto state = states.load(tile);
    auto covariance = covariances.load(tile);
    (void)measure(Real(100), points.load(tile), Real(T(0.01)), state, covariance);
    states.store(tile, state);
    covariances.store(tile, covariance);
  }
};

// 3. Tracks as structures; the kernel uses the arrays inside.
struct Track {
  float state[4];  // x, y (mm), tx, ty
  float covariance[10];
};

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  using Real = LanesOf<float, default_lane_width<Space, float>>;
  const Space exec;
  const int n = 1001;
  const Kokkos::View<Track*, Space::memory_space> tracks("tracks", n);
  const auto host_tracks = Kokkos::create_mirror_view(tracks);
  for (int i = 0; i < n; ++i)
    host_tracks(i) = {{float(i), 0, 0.1f, 0}, {1, 0, 1, 0, 0, 1e-4f, 0, 0, 0, 1e-4f}};
  Kokkos::deep_copy(exec, tracks, host_tracks);

  Matriplex<float, 2, 1, MemoryOf<Space>> points(exec, n);
  auto host_points = host_mirror(points);
  const auto point = host_points.view();
  for (int i = 0; i < n; ++i) {
    point(i, 0) = float(i) + 11;
    point(i, 1) = 1;
  }
  deep_copy(exec, points, host_points);

  Matriplex<float, 4, 1, MemoryOf<Space>> states;
  SymMatriplex<float, 4, MemoryOf<Space>> covariances;
  gather_records(exec, tracks, EveryRecord{}, n, Member<&Track::state>{}, states);
  gather_records(exec, tracks, EveryRecord{}, n, Member<&Track::covariance>{}, covariances);
  for_each_tile<Real>(exec, "Trackplex::Guide::measure", n,
                      Measure<Real, Space>{points.const_view(), states.view(), covariances.view()});
  scatter_records(exec, states, EveryRecord{}, Member<&Track::state>{}, tracks);
  scatter_records(exec, covariances, EveryRecord{}, Member<&Track::covariance>{}, tracks);

  Kokkos::deep_copy(exec, host_tracks, tracks);
  exec.fence();
  const Track& last = host_tracks(n - 1);
  std::printf("x %.3f mm +- %.3f, tx %.4f\n", double(last.state[0]),
              std::sqrt(double(last.covariance[0])), double(last.state[2]));
}
