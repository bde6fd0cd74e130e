// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <limits>
#include <support/refusals.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/montecarlo/transport_checkpoint.hpp>
#include <trackplex/montecarlo/transport.hpp>

#include <nlohmann/json.hpp>

using namespace trackplex;
using namespace trackplex::io;
using namespace trackplex::montecarlo;
using test::check_refused;

namespace {

using Space = HostExecutor;

TransportDescription description() {
  const auto gold = published_material("gold");
  return {gold,
          screened_rutherford(gold, 0.128),
          33.5,
          UINT64_MAX - 1,
          "float",
          "pencil",
          {{"longitudinal", {{"longitudinal", {-1., 1.01, 2}}}, 4}, {"user", {}, 1}}};
}

/// Means of 1/2 of what is above 0, 1 scattering each, in numbers that doubles do not hold.
TransportCounts counts() {
  TransportCounts c;
  c.histories.add({0, 10});
  c.histories.add({1ull << 63, (1ull << 63) + (1ull << 61)});
  const std::uint64_t all = c.histories.size();
  c.cells = {1, 1ull << 53, (1ull << 53) + 1, all - (1ull << 54) - 2, 0};
  c.moments.skipped = 3;
  c.moments.histories = all - 3;
  for (int i = 0; i < n_fractional_moments; ++i)
    c.moments.sums[i] = {std::int64_t(c.moments.histories / 2), 0xffffffffu - unsigned(i)};
  c.moments.sums[0].high = -c.moments.sums[0].high;
  for (const auto moment : {Moment::scatterings, Moment::scatterings2})
    c.moments.sums[int(moment)] = {std::int64_t(all >> 32), 7};
  c.lane_steps = 1ull << 63;
  return c;
}

std::filesystem::path file() {
  return std::filesystem::temp_directory_path() / "trackplex_checkpoint.json";
}

}  // namespace

TEST_CASE("a checkpoint gives back what it was given", "[io]") {
  const auto text = transport_checkpoint_text(description(), counts());
  const auto read = parse_transport_checkpoint(text, "x");
  CHECK(read.counts.same_results(counts()));
  CHECK(read.counts.lane_steps == counts().lane_steps);
  CHECK(transport_checkpoint_text(read.description, read.counts) == text);
  CHECK(read.description.scattering.screening == description().scattering.screening);
  CHECK(read.description.seed == UINT64_MAX - 1);
  CHECK(read.description.tallies == description().tallies);
  // numbers that doubles do not hold are texts
  CHECK(text.find(" 9007199254740992") != text.npos);
  CHECK(text.find("\"9007199254740993\"") != text.npos);
  CHECK(text.find(" 18446744073709551615") == text.npos);
}

TEST_CASE("a run that goes on has the results of one that does not stop", "[io]") {
  const auto list = tallies(AxisTally<Longitudinal, float>({-1., 1.01, 201}));
  auto what = description();
  what.tallies = descriptions(list);
  const Space exec;
  montecarlo::Transport<float, Space, decltype(list)> transport(
      exec, {what.scattering.screening, what.limit, what.seed}, list);
  const auto run = [&](const std::vector<HistoryRange>& ranges) {
    for (const auto& range : ranges) transport.run(exec, range);
    return transport.take(exec);
  };
  const auto whole = run({{0, 20000}});
  write_transport_checkpoint(file(), what, run({{0, 500}, {7000, 12345}}));
  auto resumed = resume_transport(file(), what);
  CHECK_FALSE(resumed.same_results(whole));
  const auto missing = resumed.histories.missing({0, 20000});
  CHECK(missing == std::vector<HistoryRange>{{500, 7000}, {12345, 20000}});
  resumed += run(missing);
  CHECK(resumed.same_results(whole));
  check_refused<UsageError>([&] { resumed += run({{0, 10}}); }, "count twice");
  write_transport_checkpoint(file(), what, resumed);  // over the old one
  CHECK(resume_transport(file(), what).same_results(whole));
  CHECK_FALSE(std::filesystem::exists(file().string() + ".part"));
  std::filesystem::remove(file());
}

TEST_CASE("a checkpoint of another simulation is not gone on with", "[io]") {
  write_transport_checkpoint(file(), description(), counts());
  CHECK_NOTHROW(resume_transport(file(), description()));
  const auto refused = [](const std::function<void(TransportDescription&)>& change,
                          const std::string& message) {
    auto other = description();
    change(other);
    check_refused([&] { resume_transport(file(), other); }, message);
  };
  using D = TransportDescription;
  refused([](D& d) { d.material.name = "water"; }, "simulation.material: is of another");
  refused([](D& d) { d.scattering.screening *= 1. + 1e-15; }, "simulation.screening");
  refused([](D& d) { d.limit = 34.; },
          "simulation.limit_mean_free_paths: is of another "
          "simulation (33.5 instead of 34.0)");
  refused([](D& d) { d.seed = 1; }, "simulation.seed");
  refused([](D& d) { d.precision = "double"; }, "simulation.precision");
  refused([](D& d) { d.source = "disk"; }, "simulation.source");
  refused([](D& d) { d.tallies[0].axes[0].range.bins = 3; }, "simulation.tallies");
  refused([](D& d) { d.tallies.pop_back(); }, "simulation.tallies");
  std::filesystem::remove(file());
}

TEST_CASE("damaged checkpoints", "[io]") {
  const auto changed = [](const std::function<void(nlohmann::json&)>& change,
                          const std::string& message) {
    auto json = nlohmann::json::parse(transport_checkpoint_text(description(), counts()));
    change(json);
    check_refused([&] { parse_transport_checkpoint(json.dump(), "x"); }, message);
  };
  using J = nlohmann::json;
  changed([](J& j) { j["format"] = "other"; }, "x: format: is not");
  changed([](J& j) { j["version"] = 2; }, "x: version: is not known (this program reads 1)");
  changed([](J& j) { j.erase("counts"); }, "has no field \"counts\"");
  changed([](J& j) { j["simulation"]["seed"] = -1; }, "simulation.seed: '-1' is out of range");
  changed([](J& j) { j["simulation"]["seed"] = "1e3"; }, "simulation.seed: '1e3'");
  changed([](J& j) { j["simulation"]["seed"] = 1.5; }, "simulation.seed: is of type number");
  changed([](J& j) { j["simulation"]["tallies"][0]["cells"] = -4; },
          "tallies[0].cells: is below 0");
  changed([](J& j) { j["simulation"]["tallies"][0]["axes"][0]["low"] = "x"; },
          "simulation.tallies[0].axes[0].low");
  changed([](J& j) { j["counts"]["cells"][2] = J(); }, "counts.cells[2]: is of type null");
  changed([](J& j) { j["counts"]["cells"].push_back(0); }, "counts.cells: has 6 numbers");
  changed([](J& j) { j["counts"]["histories"][1] = {9, 12}; }, "counts.histories[1]");
  changed([](J& j) { j["counts"]["histories"][1] = {12, 11}; }, "counts.histories[1]");
  changed([](J& j) { j["counts"]["histories"][1] = {12}; }, "histories[1]: has 1 numbers, not 2");
  changed([](J& j) { j["counts"]["histories"].erase(1); }, "is not the number of histories");
  changed([](J& j) { j["simulation"]["tallies"][0]["cells"] = 5; },
          "tallies[0].cells: is 5 (the axes have 4, with those below and beyond)");
  changed([](J& j) { j["simulation"]["tallies"][0]["axes"][0]["high"] = -1.; },
          "tallies[0].axes[0]: is empty");
  changed([](J& j) { j["counts"]["cells"][0] = 2; },
          "counts.cells[3]: tally 0 has more counts than histories");
  changed([](J& j) { j["counts"]["cells"][1] = 8; },
          "counts.cells: tally 0 has 9007199254740984 counts less than histories");
  changed([](J& j) { j["counts"]["cells"][4] = "3000000000000000000"; },
          "counts.cells[4]: tally 1 has more counts than histories");
  changed([](J& j) { j["counts"]["lane_steps"] = 1000; },
          "counts.lane_steps: is less than the steps of the histories");
  const auto sum = [](Moment moment, std::int64_t high) {
    return [moment, high](J& j) {
      j["counts"]["moments"]["sums"][int(moment)] = {std::to_string(high), 0};
    };
  };
  const auto n = std::int64_t(counts().moments.histories);
  changed(sum(Moment::z2, -n / 8), "sums[1]: gives a mean of -0.125");
  changed(sum(Moment::z2, n / 8), "sums[1]: gives a mean of 0.125, below the square of -0.5");
  changed(sum(Moment::r4, n / 8), "sums[4]: gives a mean of 0.125, below the square of 0.5");
  changed(sum(Moment::cosine, 2 * n), "sums[5]: gives a mean of 2");
  changed(sum(Moment::cosine4, 2 * n), "sums[7]: gives a mean of 2");
  changed(sum(Moment::scatterings, -1), "sums[8]: gives a mean of -");
  changed(sum(Moment::scatterings2, 0), "sums[9]: gives a mean of 0, below the square of 1");
  changed([](J& j) { j["counts"]["moments"]["sums"].erase(0); }, "moments.sums: has 9 sums");
  changed([](J& j) { j["counts"]["moments"]["sums"][3][1] = 1ull << 32; }, "more than 32 bits");
  changed(
      [](J& j) {
        j["counts"]["histories"] = J::array({{0, 2}});
        j["counts"]["cells"] = {0, 2, 0, 0, 0};
        j["counts"]["moments"]["histories"] = 0;
        j["counts"]["moments"]["left_out"] = 2;
      },
      "sums[0]: is not 0 (of 0 histories)");
  check_refused([] { read_transport_checkpoint("/nowhere/x"); }, "cannot be opened");

  auto text = transport_checkpoint_text(description(), counts());
  const auto twice = "{\"version\": 1, " + text.substr(1);
  check_refused([&] { parse_transport_checkpoint(twice, "x"); }, "x: has two fields \"version\"");
  while (text.back() != '}') text.pop_back();
  test::check_cut_off_anywhere(text,
                               [](const std::string& t) { parse_transport_checkpoint(t, "x"); });
  test::check_changed_anywhere(
      text, [](const std::string& t) { parse_transport_checkpoint(t, "x"); }, 3000);
}
