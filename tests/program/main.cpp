// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/program/main.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>
#include <vector>

using namespace trackplex::program;

namespace {

/// Runs a program with these arguments whose body does `body`.
template <class Body>
int run(std::vector<const char*> arguments, Body&& body) {
  arguments.insert(arguments.begin(), "/some/where/test");
  CLI::App app("A test");
  CommonOptions options;
  add_common_options(app, options);
  return run_program(app, int(arguments.size()), arguments.data(), options, body);
}

}  // namespace

TEST_CASE("The status of the body is that of the program", "[main]") {
  CHECK(run({}, [] { return 0; }) == success);
  CHECK(run({}, [] { return 1; }) == failure);
}

TEST_CASE("The body runs inside Kokkos, with the options taken in", "[main]") {
  bool seen = false;
  run({"--repeat", "3"}, [&] {
    seen = Kokkos::is_initialized();
    return 0;
  });
  CHECK(seen);
}

TEST_CASE("Wrong usage has status 2, and the body does not run", "[main]") {
  const auto body = [] {
    FAIL("the body ran");
    return 0;
  };
  CHECK(run({"--nonsense"}, body) == wrong_usage);
  CHECK(run({"--repeat", "-1"}, body) == wrong_usage);
  const auto built = built_backends();
  for (const char* backend : {"cuda", "hip"})
    if (std::find(built.begin(), built.end(), backend) == built.end())
      CHECK(run({"--backend", backend}, body) == wrong_usage);
}

TEST_CASE("An output that cannot be written is a failure, and the body does not run", "[main]") {
  const auto body = [] {
    FAIL("the body ran");
    return 0;
  };
  CHECK(run({"--json", "/nonexistent-folder/a.json"}, body) == failure);
  CHECK(run({"--json", "/"}, body) == failure);
}

TEST_CASE("What could not be printed is a failure", "[main]") {
  if (!std::filesystem::exists("/dev/full")) SKIP("there is no /dev/full");
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  REQUIRE(std::freopen("/dev/full", "w", stdout));
  const int printed = run({}, [] {
    std::fputs("text", stdout);
    return 0;
  });
  std::clearerr(stdout);
  const int help = run({"--help"}, [] { return 0; });
  std::clearerr(stdout);
  std::cout.clear();
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  CHECK(printed == failure);
  CHECK(help == failure);
}

TEST_CASE("Help and version have status 0, and the body does not run", "[main]") {
  const auto body = [] {
    FAIL("the body ran");
    return 0;
  };
  CHECK(run({"--help"}, body) == success);
  CHECK(run({"--version"}, body) == success);
}

TEST_CASE("Exceptions become the status of their kind", "[main]") {
  CHECK(run({}, []() -> int { throw trackplex::UsageError("option", "is wrong"); }) == wrong_usage);
  CHECK(run({}, []() -> int { throw trackplex::InputError({"file"}, "is damaged"); }) == bad_input);
  CHECK(run({}, []() -> int { throw trackplex::Error("place", "problem"); }) == failure);
  CHECK(run({}, []() -> int { throw std::runtime_error("problem"); }) == failure);
  CHECK(run({}, []() -> int { throw std::bad_alloc(); }) == failure);
  CHECK(run({}, []() -> int { throw 42; }) == failure);
  CHECK(run({}, []() -> int {
          throw std::filesystem::filesystem_error("folder", std::error_code());
        }) == bad_input);
}
