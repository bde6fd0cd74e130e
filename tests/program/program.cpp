// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/program.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

using namespace trackplex::program;
using trackplex::Error;
using trackplex::InputError;
using trackplex::UsageError;

namespace {

using Body = std::function<void(Program&)>;

/// Runs a program with these arguments whose body does `body`.
int run(std::vector<std::string> arguments, const Body& body) {
  Program program("test", "A test", "thing");
  program.example("test --backend all", "compares the backends");
  program.add_common_options();
  arguments.insert(arguments.begin(), "/some/where/test");
  std::vector<const char*> pointers;
  for (const auto& argument : arguments) pointers.push_back(argument.c_str());
  return program.main(int(pointers.size()), pointers.data(), [&] { body(program); });
}

const Body must_not_run = [](Program&) { FAIL("the body ran"); };

/// One run for each backend and so on, with the same hash or not.
Body runs_with(const std::function<std::string(const RunDescription&)>& hash) {
  return [=](Program& program) {
    program.for_each_run<float, double>([&](const auto& run, RunReport& report) {
      report.hash = hash(run.description());
      report.time_us = {{"total", {2., 1., 1.5, 2.5, 3.}}};
    });
    program.results["things"] = 3;
  };
}

Json report_of(std::vector<std::string> arguments, const Body& body, int status = success) {
  const auto file = std::filesystem::temp_directory_path() / "trackplex_test_report.json";
  arguments.insert(arguments.end(), {"--quiet", "--json", file});
  CHECK(run(arguments, body) == status);
  const auto json = Json::parse(trackplex::read_file(file));
  std::filesystem::remove(file);
  return json;
}

bool is_built(const char* backend) {
  return std::ranges::count(built_backends(), std::string(backend)) > 0;
}

}  // namespace

TEST_CASE("The status is that of the program", "[program]") {
  CHECK(run({"--quiet"}, [](Program&) {}) == success);
  CHECK(run({"--quiet"}, [](Program& program) { program.status = failure; }) == failure);
}

TEST_CASE("The body runs inside Kokkos, with the options taken in", "[program]") {
  bool seen = false;
  run({"--quiet", "--repeat", "3", "--precision", "all", "--seed", "7"}, [&](Program& program) {
    seen = Kokkos::is_initialized() && program.options.repeat == 3 &&
           program.options.precision == "all" && program.options.seed == 7;
  });
  CHECK(seen);
}

TEST_CASE("Wrong usage has status 2, and the body does not run", "[program]") {
  const auto arguments = GENERATE(
      std::vector<std::string>{"--nonsense"}, std::vector<std::string>{"stray"},
      std::vector<std::string>{"--backend", "fpga"}, std::vector<std::string>{"--backend"},
      std::vector<std::string>{"--lanes", "3"}, std::vector<std::string>{"--lanes", "08"},
      std::vector<std::string>{"--threads", "0"}, std::vector<std::string>{"--threads", "1,x"},
      std::vector<std::string>{"--threads", "600"}, std::vector<std::string>{"--repeat", "0"},
      std::vector<std::string>{"--precision", "half"}, std::vector<std::string>{"--seed", "-1"},
      std::vector<std::string>{"--seed", "18446744073709551616"},
      std::vector<std::string>{"--config", "/nonexistent"});
  CAPTURE(arguments);
  CHECK(run(arguments, must_not_run) == wrong_usage);
  for (const char* backend : {"cuda", "hip"})
    if (!is_built(backend)) CHECK(run({"--backend", backend}, must_not_run) == wrong_usage);
}

TEST_CASE("An output that cannot be written is a failure, and the body does not run", "[program]") {
  CHECK(run({"--json", "/nonexistent-folder/a.json"}, must_not_run) == failure);
  CHECK(run({"--json", "/"}, must_not_run) == failure);
}

TEST_CASE("What could not be printed is a failure", "[program]") {
  if (!std::filesystem::exists("/dev/full")) SKIP("there is no /dev/full");
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  REQUIRE(std::freopen("/dev/full", "w", stdout));
  const int printed = run({}, [](Program& program) { program.text = "text"; });
  std::clearerr(stdout);
  const int help = run({"--help"}, must_not_run);
  std::clearerr(stdout);
  std::cout.clear();
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  CHECK(printed == failure);
  CHECK(help == failure);
}

TEST_CASE("Help, version and configuration have status 0, and the body does not run", "[program]") {
  CHECK(run({"--help"}, must_not_run) == success);
  CHECK(run({"--version"}, must_not_run) == success);
  CHECK(run({"--dump-config"}, must_not_run) == success);
}

TEST_CASE("Exceptions become the status of their kind", "[program]") {
  const auto status = [](auto exception) { return run({}, [=](Program&) { throw exception; }); };
  CHECK(status(UsageError("option", "is wrong")) == wrong_usage);
  CHECK(status(InputError({"file"}, "is damaged")) == bad_input);
  CHECK(status(Error("place", "problem")) == failure);
  CHECK(status(std::runtime_error("problem")) == failure);
  CHECK(status(std::bad_alloc()) == failure);
  CHECK(status(42) == failure);
  CHECK(status(std::filesystem::filesystem_error("folder", std::error_code())) == bad_input);
}

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
TEST_CASE("Large blocks that are freed go back to the system", "[program]") {
  const auto mapped_with = [](std::size_t bytes) {
    const auto before = ::mallinfo2().hblkhd;
    auto* const block = static_cast<volatile char*>(std::malloc(bytes));
    block[0] = 1;
    const auto mapped = ::mallinfo2().hblkhd - before;
    std::free(const_cast<char*>(block));
    return mapped;
  };
  constexpr std::size_t mega = 1 << 20;
  CHECK(run({}, [&](Program&) {
          if (mapped_with(64 * mega) == 0) return;  // another allocator, of a sanitizer
          (void)mapped_with(16 * mega);             // raises the threshold that glibc chooses
          CHECK(mapped_with(2 * mega) >= 2 * mega);
        }) == 0);
}
#endif

TEST_CASE("The report has the keys of its schema", "[program]") {
  const auto json = report_of({"--backend", "serial"}, runs_with([](const auto&) { return "ab"; }));
  for (const char* key : {"schema",         "schema_version", "program",   "version", "git",
                          "date",           "host",           "cpu",       "load",    "compiler",
                          "flags",          "kokkos",         "command",   "input",   "backend",
                          "threads",        "lanes",          "precision", "results", "time_us",
                          "time_spread_us", "rate",           "same_bits", "runs",    "plots"}) {
    CAPTURE(key);
    CHECK(json.contains(key));
  }
  CHECK(json["program"] == "test");
  CHECK(json["backend"] == "serial");
  CHECK(json["results"] == Json{{"things", 3}, {"hash", "ab"}});
  CHECK(json["time_us"]["total"] == 2.);
  CHECK(json["same_bits"].is_null());
  CHECK(json["runs"].size() == 1);
}

TEST_CASE("Runs of each precision are compared", "[program]") {
  const std::vector<std::string> all = {"--backend", "all", "--lanes", "all", "--precision", "all"};
  const auto of_precision = [](const RunDescription& run) { return run.precision; };
  const auto json = report_of(all, runs_with(of_precision));
  CHECK(json["same_bits"] == true);
  CHECK(json["runs"].size() >= 2);
  const auto of_lanes = [](const RunDescription& run) { return std::to_string(run.lanes); };
  const auto other = report_of(all, runs_with(of_lanes), failure);
  CHECK(other["same_bits"] == false);
}

TEST_CASE("A process of its own runs each further number of threads", "[program]") {
  if (!is_built("openmp")) SKIP("there is one number of threads only");
  // Kokkos runs already in this test: it would not begin in the processes.
  const auto child = [](const Json& message) {
    return trackplex::program::detail::Child([=](int to_parent) {
             trackplex::program::detail::write_all(to_parent, message.dump());
             return 0;
           })
        .result();
  };
  RunReport run{.run = {"openmp", 2, 8, "float"}, .hash = "ab"};
  run.time_us = {{"total", {2., 1., 1.5, 2.5, 3.}}};
  run.rate["events_per_s"] = 5;
  const auto back = RunReport::from_message(Json::parse(child(run.to_message())));
  CHECK(back.run == run.run);
  CHECK(back.hash == "ab");
  CHECK(back.rate == run.rate);
  REQUIRE(back.time("total") != nullptr);
  CHECK(back.time("total")->upper_quartile == 2.5);
  CHECK_THROWS_AS(trackplex::program::detail::Child([](int) { return 1; }).result(), Error);
}
