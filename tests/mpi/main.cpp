// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main program of the tests with many ranks: each rank runs all test cases, in the same order.

#include <catch2/catch_session.hpp>
#include <cstdio>
#include <cstdlib>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/mpi/environment.hpp>

int main(int argc, char* argv[]) try {
  const trackplex::mpi::Environment environment;
  const char* threads = std::getenv("OMP_NUM_THREADS");
  trackplex::KokkosScope const kokkos(threads ? std::atoi(threads) : 1);
  return Catch::Session().run(argc, argv);
} catch (const trackplex::mpi::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
