// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest program of a user.
#include <cstdio>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/version.hpp>

int main() {
  trackplex::KokkosScope const kokkos(1);
  int sum = 0;
  Kokkos::parallel_reduce(
      "Trackplex::Test::sum", 10, KOKKOS_LAMBDA(int i, int& partial) { partial += i; }, sum);
  std::printf("Trackplex %s: %d\n", TRACKPLEX_VERSION_STRING, sum);
  return sum == 45 ? 0 : 1;
}
