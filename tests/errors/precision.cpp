// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no matching function for call to .fma
#include <trackplex/trackplex.hpp>

auto wrong(trackplex::Lanes<float, 8> x, trackplex::Lanes<double, 8> y) {
  return trackplex::fma(x, y, x);
}
