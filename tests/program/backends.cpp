// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/backends.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

using namespace trackplex::program;
using trackplex::EnabledSpaces;
using trackplex::UsageError;

namespace {

std::vector<RunDescription> runs_of(const CommonOptions& options) {
  std::vector<RunDescription> runs;
  dispatch<float, double>(options, [&](const auto& run) { runs.push_back(run.description()); });
  return runs;
}

CommonOptions options_for(const std::string& backend, const std::string& lanes = "default") {
  CommonOptions options;
  options.backend = backend;
  options.lanes = lanes;
  return options;
}

using FirstSpace = std::tuple_element_t<0, EnabledSpaces>;

}  // namespace

TEST_CASE("Backends are named in small letters, and the default one is built", "[backends]") {
  const auto built = built_backends();
  REQUIRE(built.size() ==
          trackplex::HostExecutor::names().size() + std::tuple_size_v<EnabledSpaces> - 1);
  for (const auto& name : built) {
    const std::vector<std::string> known = {"serial", "openmp", "cuda", "hip"};
    CHECK(std::find(known.begin(), known.end(), name) != known.end());
  }
  CHECK(std::find(built.begin(), built.end(), default_backend()) != built.end());
}

TEST_CASE("One backend runs once, with the types it stands for", "[backends]") {
  for (const auto& name : built_backends()) {
    const auto runs = runs_of(options_for(name));
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].backend == name);
    CHECK(runs[0].precision == "float");
    CHECK(runs[0].threads >= 1);
  }
}

TEST_CASE("The lane width is the default of space and number type, or the one asked for",
          "[backends]") {
  auto options = options_for(backend_name(FirstSpace()));
  CHECK(runs_of(options)[0].lanes == trackplex::default_lane_width<FirstSpace, float>);
  options.precision = "double";
  CHECK(runs_of(options)[0].lanes == trackplex::default_lane_width<FirstSpace, double>);
  options.lanes = "1";
  CHECK(runs_of(options)[0].lanes == 1);
}

TEST_CASE("All backends run one after the other", "[backends]") {
  const auto runs = runs_of(options_for("all"));
  const auto built = built_backends();
  REQUIRE(runs.size() == built.size());
  for (std::size_t i = 0; i < built.size(); ++i) CHECK(runs[i].backend == built[i]);
}

TEST_CASE("All lane widths run one after the other", "[backends]") {
  std::vector<int> lanes;
  for (const auto& run : runs_of(options_for(backend_name(FirstSpace()), "all")))
    lanes.push_back(run.lanes);
  std::vector<int> expected{1};
  if constexpr (trackplex::is_host_space<FirstSpace>)
    expected.push_back(trackplex::default_lane_width<FirstSpace, float>);
  CHECK(lanes == expected);
}

TEST_CASE("The body gets the width as a constant", "[backends]") {
  dispatch<double>(
      [] {
        auto options = options_for("all", "all");
        options.precision = "double";
        return options;
      }(),
      [](const auto& run) {
        int calls = 0;
        run.with_lanes([&](auto width) {
          constexpr int constant = width();
          CHECK(constant == run.lanes);
          ++calls;
        });
        CHECK(calls == 1);
      });
}

TEST_CASE("All number types run one after the other, single precision first", "[backends]") {
  auto options = options_for(backend_name(FirstSpace()));
  options.precision = "all";
  const auto runs = runs_of(options);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].precision == "float");
  CHECK(runs[1].precision == "double");
  CHECK(options.first_precision() == "float");
}

TEST_CASE("A kernel runs on the instance of each run", "[backends]") {
  dispatch<float>(options_for("all"), []<class Real, class Space>(const Run<Real, Space>& run) {
    const Kokkos::View<int, typename Space::memory_space> value("Trackplex::Test::value");
    deep_copy(run.exec, value, 42);
    run.exec.fence();
    int on_host = 0;
    Kokkos::deep_copy(on_host, value);
    CHECK(on_host == 42);
  });
}

TEST_CASE("A backend that is not built is wrong usage, and the message says what is",
          "[backends]") {
  try {
    check_backend(options_for("abacus"));
    FAIL("no exception");
  } catch (const UsageError& error) {
    const std::string message = error.what();
    CHECK(message.starts_with("--backend: abacus is not built (this build has "));
    for (const auto& name : built_backends()) CHECK(message.find(name) != std::string::npos);
  }
  CHECK_THROWS_AS(runs_of(options_for("abacus")), UsageError);
}

TEST_CASE("A lane width that a backend does not offer is wrong usage, unless all run",
          "[backends]") {
  CHECK_THROWS_AS(check_backend(options_for(backend_name(FirstSpace()), "3")), UsageError);
  const auto runs = runs_of(options_for("all", "3"));
  REQUIRE_FALSE(runs.empty());
  CHECK(runs[0].lanes == trackplex::default_lane_width<FirstSpace, float>);
}

TEST_CASE("A precision that the program does not offer is wrong usage", "[backends]") {
  const auto nothing = [](const auto&) {};
  CHECK_THROWS_AS(dispatch<double>(options_for("all"), nothing), UsageError);
}
