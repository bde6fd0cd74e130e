// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Every operation on small matrices, and their containers, for TRACKPLEX_SPACE: device code of
/// scalars, or host code of lanes.

#include <trackplex/matriplex/cholesky.hpp>
#include <trackplex/matriplex/inverse.hpp>
#include <trackplex/matriplex/records.hpp>
#include <trackplex/matriplex/similarity.hpp>

namespace trackplex {
inline constexpr Pattern<6, 6> jacobian{"x x . x x .", "x x . x x .", "x x 1 x x x",
                                        ". . . 1 . .", "x x . x x .", ". . . . . 1"};

namespace {

struct Track {
  float covariance[21];
};

template <class Real, class Space>
struct Algebra {
  using T = ScalarOf<Real>;
  typename Matriplex<T, 6, 6, MemoryOf<Space>>::ConstView j;
  typename SymMatriplex<T, 6, MemoryOf<Space>>::View p;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    auto covariance = p.load(tile);
    const auto full = j.load(tile);
    const Matrix<Real, 2, 6, Pattern<2, 6>("x x . . . .", ". . 1 . . .")> h{full(0, 0), full(0, 1)};
    const auto pht = covariance * transposed(h);
    Symmetric<Real, 2> s{};
    add_similarity(s, h, covariance);
    auto worked = invert(s, s);
    const auto gain = pht * s;
    subtract_product(covariance, gain, transposed(pht));
    const Matrix<Real, 6, 6, jacobian> sparse{full.template get<3, 4>()};
    covariance = similarity(sparse, covariance) + (covariance - Real(2) * covariance);
    Matrix<Real, 3, 3> corner{full(0, 0), full(0, 1), full(0, 2), full(1, 0), full(1, 1),
                              full(1, 2), full(2, 0), full(2, 1), full(2, 2)};
    worked = invert(corner, corner) && worked;
    const Cholesky<Real, 6> cholesky(symmetric_product(full, transposed(full)));
    auto x = as<Vector<Real, 6>>(full * gain * Vector<Real, 2>{corner(1, 2), determinant(corner)});
    worked = cholesky.solve(x, x) && cholesky.invert(covariance) && worked;
    add_product(covariance, x, transposed(x));
    auto result = covariance;
    assign_where(worked, p.load(tile), result);
    p.store(tile, result);
  }
};

/// Of views, which are named where the kernel is launched.
template <class From, class To>
struct Copy {
  From from;
  To to;

  KOKKOS_FUNCTION void operator()(const Tile<float>& tile) const {
    to.store(tile, as<Matrix<float, 6, 6>>(from.load(tile)));
  }
};

template <class T, class Space>
void use(const Space& exec, int n) {
  using Real = LanesOf<T, default_lane_width<Space, T>>;
  Matriplex<T, 6, 6, MemoryOf<Space>> j(exec, n);
  SymMatriplex<T, 6, MemoryOf<Space>> p(exec, n);
  const Kokkos::View<Track*, typename Space::memory_space> tracks("tracks", std::size_t(n));
  gather_records(exec, tracks, EveryRecord{}, n, Member<&Track::covariance>{}, p);
  for_each_tile<Real>(exec, "Algebra", n, Algebra<Real, Space>{j.view(), p.view()});
  scatter_records(exec, p, EveryRecord{}, Member<&Track::covariance>{}, tracks);
  auto host = host_mirror(p);
  deep_copy(exec, host, p);
}

}  // namespace

void use_all(int n) {
  using From = SymMatriplex<float, 6, MemoryOf<TRACKPLEX_SPACE>>;
  using To = Matriplex<float, 6, 6, MemoryOf<TRACKPLEX_SPACE>>;
  const TRACKPLEX_SPACE exec;
  const From from(exec, n);
  To to(exec, n);
  for_each_tile<float>(exec, "Copy", n,
                       Copy<From::ConstView, To::View>{from.const_view(), to.view()});
  use<float>(TRACKPLEX_SPACE{}, n);
  use<double>(TRACKPLEX_SPACE{}, n);
}

}  // namespace trackplex
