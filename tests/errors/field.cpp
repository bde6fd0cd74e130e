// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: A field is a functor
#include <trackplex/trackplex.hpp>

namespace kalman = trackplex::kalman;

struct Field {  // returns neither a Vector3 nor a number
  const double* operator()(double, double, double) const { return nullptr; }
};
auto wrong(const kalman::Parameters<double>& at) {
  const auto disk = trackplex::geometry::Surface<double>::disk(1.);
  return kalman::transport<kalman::ForwardTrack>(at, 1., Field{}, disk);
}
