// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: A surface has the members distance, gradient and path
#include <trackplex/trackplex.hpp>

namespace kalman = trackplex::kalman;

struct Sphere {  // without `gradient` and `path`
  using Real = double;
  double distance(const trackplex::geometry::Vector3<double>& at) const { return at(0); }
};
auto wrong(const kalman::Parameters<double>& at) {
  const trackplex::geometry::UniformVectorField field{0., 0., 2.};
  return kalman::transport<kalman::ForwardTrack>(at, 1., field, Sphere{});
}
