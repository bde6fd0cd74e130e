// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no matching function for call to .for_each_tile
#include <trackplex/trackplex.hpp>

struct Body {
  KOKKOS_FUNCTION void operator()(int) const {}
};
void wrong() {
  trackplex::for_each_tile<trackplex::LanesOf<float, 8>>(trackplex::HostExecutor(), "wrong", 100,
                                                         Body{});
}
