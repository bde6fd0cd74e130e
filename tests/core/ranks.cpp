// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <trackplex/core/ranks.hpp>

TEST_CASE("launchers tell how many processes they have started", "[ranks]") {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"})
    ::unsetenv(name);
  CHECK(trackplex::launched_processes() == 0);
  ::setenv("PMI_SIZE", "3", 1);
  CHECK(trackplex::launched_processes() == 3);
  ::unsetenv("PMI_SIZE");
}
