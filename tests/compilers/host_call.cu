// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A kernel that calls a function of the host: nvcc must warn of it, beside kernels with lanes of
/// which it must not.

#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>

namespace {

int only_for_hosts(int i) { return i; }

struct Wrong {
  int* x;
  KOKKOS_FUNCTION void operator()(int i) const { x[i] = only_for_hosts(i); }
};

template <class Real>
struct Right {
  trackplex::ScalarOf<Real>* x;
  KOKKOS_FUNCTION void operator()(const trackplex::Tile<Real>& tile) const {
    tile.store(x, trackplex::sin(tile.load(x)));
  }
};

}  // namespace

void launch(int* x, float* y) {
  trackplex::for_each_item(Kokkos::Cuda(), "Wrong", 1, Wrong{x});
  using Real = trackplex::LanesOf<float, 8>;
  trackplex::for_each_tile<Real>(Kokkos::Serial(), "Right", 8, Right<Real>{y});
}
