// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no matching function for call to .fit
#include <trackplex/trackplex.hpp>

namespace kalman = trackplex::kalman;

struct Layers {  // without `present`
  int size() const { return 1; }
  auto surface(int) const { return trackplex::geometry::Surface<double>::disk(1.); }
  auto measure(int, const kalman::Parameters<double>& at) const {
    return kalman::measure_along(1., 0., 0., 1., at);
  }
};
void wrong(kalman::TrackState<double>& state) {
  kalman::fit(state, kalman::UniformField{2.}, Layers{});
}
