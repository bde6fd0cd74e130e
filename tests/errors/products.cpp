// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no matching function for call to .run_algorithm
#include <trackplex/trackplex.hpp>

using Hits = trackplex::lhcb::VeloHits<float, Kokkos::HostSpace>;
using Sorted = trackplex::lhcb::SortedHits<float, Kokkos::HostSpace>;
void wrong(trackplex::lhcb::SortByPhi<float, trackplex::HostExecutor> sort, Sorted& sorted,
           Hits& hits) {
  trackplex::run_algorithm(trackplex::HostExecutor(), sort, sorted, hits);
}
