// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: A product has as many columns left as rows right
#include <trackplex/trackplex.hpp>

auto wrong(const trackplex::Matrix<float, 2, 3>& a, const trackplex::Matrix<float, 2, 2>& b) {
  return a * b;
}
