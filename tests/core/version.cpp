// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/version.hpp>

TEST_CASE("The header tells the version of the project", "[version]") {
  std::string const from_numbers = std::to_string(TRACKPLEX_VERSION_MAJOR) + "." +
                                   std::to_string(TRACKPLEX_VERSION_MINOR) + "." +
                                   std::to_string(TRACKPLEX_VERSION_PATCH);
  CHECK(from_numbers == TRACKPLEX_PROJECT_VERSION);
  CHECK(std::string(TRACKPLEX_VERSION_STRING) == TRACKPLEX_PROJECT_VERSION);
  STATIC_CHECK(TRACKPLEX_VERSION == 10000 * TRACKPLEX_VERSION_MAJOR +
                                        100 * TRACKPLEX_VERSION_MINOR + TRACKPLEX_VERSION_PATCH);
}
