// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the chain of the VELO does not use of core/, for TRACKPLEX_SPACE: device code of scalars,
/// or host code of lanes.

#include <trackplex/core/counting_sort.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/core/reduce.hpp>

#include <type_traits>
#include <utility>

namespace trackplex {
namespace {

/// Every elementary function, and rounding.
template <class Real>
struct Elementary {
  ScalarOf<Real>* x;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real a = tile.load(x);
    const auto [sine, cosine] = sincos(a);
    Real sum = sine + cosine + tan(a) + atan(a) + atan2(sine, cosine) + exp(a) + log(abs(a));
    sum = sum + rint(a) + floor(a) + ceil(a) + sin(a) + cos(a) + sqrt(abs(a));
    tile.store(x, sum + sincospi(a).sin);
  }
};

/// Lanes in one register, in a part of one and in several.
[[maybe_unused]] float use_lanes(const float* x) {
  const auto sum = [&]<int... W>(std::integer_sequence<int, W...>) {
    const auto of = [&]<class N>(std::type_identity<N>) {
      const N a = load<N>(x);
      const auto mask = a < N(2) || a > N(5);
      const N b = select(mask, fma(a, a, a), abs(a));
      return any_of(mask) ? sum_of(sqrt(b)) : extract(b, count_of(mask));
    };
    return (of(std::type_identity<Lanes<float, W>>()) + ...);
  };
  return sum(std::integer_sequence<int, 2, 4, 8, 16, 32>());
}

/// Every kind of draw.
template <class Real>
struct RandomNumbers {
  ScalarOf<Real>* x;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    using Stream = RandomStream<Real>;
    Stream stream(1, typename Stream::StreamNumber(tile.first));
    const Real sum = stream.uniform() + stream.uniform(Real(1), Real(2)) + stream.exponential() +
                     stream.normal(Real(0), Real(1)) + convert<Real>(stream.poisson(Real(2)));
    tile.store(x, sum);
  }
};

template <class Space, class T>
void use(const Space& exec, Workspace<Space>& workspace, int n) {
  constexpr int width = default_lane_width<Space, T>;
  using Real = LanesOf<T, width>;
  using Array = Kokkos::View<T*, typename Space::memory_space>;
  using Integers = Kokkos::View<int*, typename Space::memory_space>;
  const Array x("x", std::size_t(n)), result("result", 4);
  const Integers keys("keys", std::size_t(n)), offsets("offsets", 17),
      order("order", std::size_t(n));
  for_each_tile<Real>(exec, "Elementary", n, Elementary<Real>{x.data()});
  for_each_tile<Real>(exec, "RandomNumbers", n, RandomNumbers<Real>{x.data()});
  reduce_array<Sum, width>(exec, x, n, result, workspace);
  reduce_array<Min, width>(exec, x, n, result, workspace);
  reduce_array<Max, width>(exec, x, n, result, workspace);
  sum_powers<width>(exec, x, n, T(1), result, workspace);
  counting_sort(exec, keys, n, 16, offsets, order, workspace);
}

}  // namespace

void use_all(int n) {
  Workspace<TRACKPLEX_SPACE> workspace;
  use<TRACKPLEX_SPACE, float>({}, workspace, n);
  use<TRACKPLEX_SPACE, double>({}, workspace, n);
}

}  // namespace trackplex
