// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main program of every test executable: Catch2 inside a running Kokkos. The number of host
// threads comes from TRACKPLEX_TEST_THREADS or OMP_NUM_THREADS; without them Kokkos decides.

#include <catch2/catch_session.hpp>
#include <cstdlib>
#include <trackplex/core/compatibility.hpp>

namespace {

int threads_from_environment() {
  for (const char* name : {"TRACKPLEX_TEST_THREADS", "OMP_NUM_THREADS"}) {
    if (const char* value = std::getenv(name)) {
      return std::atoi(value);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  trackplex::KokkosScope const kokkos(threads_from_environment());
  return Catch::Session().run(argc, argv);
}
