// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/pipeline_scan.hpp>

#include <trackplex/core/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace trackplex;
using namespace trackplex::program;
using Catch::Matchers::WithinRel;

namespace {

const PipelineScanSettings settings{
    .slots = 2, .events_per_batch = 10, .max_slots = 3, .max_batch = 20, .repeat = 3};

/// A machine that is slots * batch events/s fast, and one more from call to call.
struct Machine {
  int calls = 0;

  PipelineScanSample operator()(int slots, int batch) {
    PipelineScanSample sample;
    sample.events_per_s = slots * batch * 100 + calls++ % 4;
    sample.statistics.batches_made_smaller = batch == 20;
    return sample;
  }
};

Json scan() {
  Machine machine;
  return scan_pipeline(settings, std::ref(machine), [] {});
}

}  // namespace

TEST_CASE("Slots and batches are scanned up to the given numbers", "[pipeline_scan]") {
  CHECK(scanned_slots(1) == std::vector<int>{1});
  CHECK(scanned_slots(8) == std::vector<int>{1, 2, 3, 4, 6, 8});
  CHECK(scanned_slots(5) == std::vector<int>{1, 2, 3, 4, 5});
  CHECK(scanned_batches(1) == std::vector<int>{1});
  CHECK(scanned_batches(1000) == std::vector<int>{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000});
  CHECK(scanned_batches(30) == std::vector<int>{1, 2, 5, 10, 20, 30});
}

TEST_CASE("A scan has the median of each point, without the warm-up", "[pipeline_scan]") {
  Machine machine;
  std::size_t points = 0;
  const auto result = scan_pipeline(settings, std::ref(machine), [&] { ++points; });
  CHECK(points == points_of_scan(settings));
  CHECK(machine.calls == int(points) * (settings.repeat + 1));
  REQUIRE(result["over_slots"].size() == 3);
  REQUIRE(result["over_batches"].size() == 5);
  for (const auto& point : result["over_slots"]) {
    CHECK(point["events_per_batch"] == 10);
    CHECK(point["events_per_s"] == 1000. * point["slots"].get<int>() + 2.);
    CHECK(point["spread"]["min"] == 1000. * point["slots"].get<int>() + 1.);
  }
  for (const auto& point : result["over_batches"]) {
    CHECK(point["slots"] == 2);
    CHECK(point["spread"]["max"] == 200. * point["events_per_batch"].get<int>() + 3.);
    CHECK(point["made_smaller"] == (point["events_per_batch"] == 20));
  }
}

TEST_CASE("A scan whose runs are not complete is an error", "[pipeline_scan]") {
  const auto failing = [](int, int) {
    PipelineScanSample sample;
    sample.statistics.events_failed = 3;
    return sample;
  };
  CHECK_THROWS_AS(scan_pipeline(settings, failing, [] {}), Error);
  const auto stopped = [](int, int) {
    PipelineScanSample sample;
    sample.statistics.ending = pipeline::Ending::stop_requested;
    return sample;
  };
  CHECK_THROWS_AS(scan_pipeline(settings, stopped, [] {}), Error);
}

TEST_CASE("A scan is JSON, a table and a plot", "[pipeline_scan]") {
  const auto json = scan();
  CHECK(json["slots"] == 2);
  CHECK(json["events_per_batch"] == 10);
  REQUIRE(json["over_slots"].size() == 3);
  REQUIRE(json["over_batches"].size() == 5);
  CHECK(json["over_slots"][2]["slots"] == 3);
  CHECK(json["over_slots"][2]["events_per_s"].get<double>() == 3002.);
  CHECK(json["over_batches"][4]["made_smaller"] == true);
  CHECK_THAT(json["over_batches"][0]["spread"]["upper_quartile"].get<double>(),
             WithinRel(202.5, 1e-14));

  const auto table = scan_table(json);
  CAPTURE(table);
  for (const char* words :
       {"scan over", "slots", "batches", "3002", "100.00 %", "20*", "*: did not fit"})
    CHECK(table.find(words) != std::string::npos);

  const auto plot = scan_plot(json, "test");
  REQUIRE(plot["panels"].size() == 2);
  CHECK(plot["panels"][0]["title"] == "10 events per batch");
  CHECK(plot["panels"][1]["title"] == "2 slots");
  CHECK(plot["panels"][1]["x"]["log"] == true);
  const auto& points = plot["panels"][1]["series"][0];
  CHECK(points["x"] == Json{1, 2, 5, 10, 20});
  CHECK(points["open"] == Json{false, false, false, false, true});
  CHECK_THAT(points["y"][0].get<double>(), WithinRel(0.202, 1e-14));
  CHECK_THAT(points["error"][0][1].get<double>(), WithinRel(0.0005, 1e-9));
}
