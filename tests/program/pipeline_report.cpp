// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/pipeline_report.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <string>
#include <vector>

using namespace trackplex;
using namespace trackplex::program;
using Catch::Matchers::WithinRel;

namespace {

pipeline::Statistics two_slots() {
  pipeline::Statistics s;
  s.events_read = 1000;
  s.events_written = 990;
  s.events_failed = 10;
  s.batches = 10;
  s.batches_made_smaller = 2;
  s.max_batches_in_flight = 5;
  s.median_latency = 0.125;
  s.latency_99 = 0.5;
  s.seconds = 2.;
  s.reader = {0.5, 1.5};
  s.writer = {0.25, 1.75};
  s.launcher = {1.8, 0.2};
  s.one_launcher = true;
  s.slots.resize(2);
  s.slots[0] = {.stage = 0.2,
                .run = 1.,
                .collect = 0.1,
                .waiting_to_run = 0.5,
                .idle = 0.2,
                .batches = 6,
                .events = 600,
                .report = {{{"sort", 0.25, 6}, {"search", 0.75, 6}}, {1 << 20, 4 << 20}, {}}};
  s.slots[1] = {.stage = 0.1,
                .run = 1.,
                .collect = 0.1,
                .waiting_to_run = 0.5,
                .idle = 0.3,
                .batches = 4,
                .events = 400,
                .report = {{{"sort", 0.25, 4}, {"search", 0.75, 4}}, {2 << 20, 4 << 20}, {}}};
  return s;
}

const std::vector<pipeline::Failure> failures = {
    {3, "read", "a.json: damaged"}, {5, "stage", "b"}, {7, "run", "c"}};

}  // namespace

TEST_CASE("The report of a pipeline has everything", "[pipeline_report]") {
  const auto json = pipeline_json(two_slots(), failures);
  CHECK(json["events"] ==
        Json({{"read", 1000}, {"written", 990}, {"failed", 10}, {"not_processed", 0}}));
  CHECK(json["events_per_s"] == 500.);
  CHECK(json["batches"] == 10);
  CHECK(json["batches_made_smaller"] == 2);
  CHECK(json["max_batches_in_flight"] == 5);
  CHECK(json["latency_s"] == Json({{"median", 0.125}, {"percentile_99", 0.5}}));
  CHECK(json["ending"] == "end_of_input");
  CHECK(json["reader"]["busy_s"] == 0.5);
  CHECK(json["writer"]["waiting_s"] == 1.75);
  CHECK(json["launcher"]["busy_s"] == 1.8);
  REQUIRE(json["slots"].size() == 2);
  CHECK(json["slots"][0]["stage_s"] == 0.2);
  CHECK(json["slots"][0]["waiting_to_run_s"] == 0.5);
  CHECK(json["slots"][1]["idle_s"] == 0.3);
  CHECK(json["slots"][1]["device_memory"]["high_water"] == 2 << 20);
  REQUIRE(json["algorithms"].size() == 2);
  CHECK(json["algorithms"][0]["name"] == "sort");
  CHECK(json["algorithms"][0]["seconds"] == 0.5);
  CHECK(json["algorithms"][0]["calls"] == 10);
  CHECK(json["algorithms"][1]["name"] == "search");
  CHECK_THAT(json["algorithms"][1]["us_per_event"].get<double>(), WithinRel(1500., 1e-14));
  CHECK_THAT(json["algorithms"][1]["share"].get<double>(), WithinRel(0.75, 1e-14));
  REQUIRE(json["failures"].size() == 3);
  CHECK(json["failures"][0] ==
        Json({{"event", 3}, {"stage", "read"}, {"message", "a.json: damaged"}}));
}

TEST_CASE("The text of a pipeline has the tables", "[pipeline_report]") {
  const auto text = pipeline_text(pipeline_json(two_slots(), failures));
  CAPTURE(text);
  for (const char* words :
       {"990 events in 2.000 s, 500 events/s", "at most 5 in flight",
        "median 0.125 s, 99 % within 0.5 s", "2 batches did not fit", "10 events failed", "slot 0",
        "slot 1", "launcher", "search", "1500.00", "75.00 %", "1 MiB of 4 MiB"})
    CHECK(text.find(words) != std::string::npos);
  CHECK(text.find("ended early") == std::string::npos);
  CHECK(text.find("pinned") == std::string::npos);
}

TEST_CASE("A run that ended early says so", "[pipeline_report]") {
  auto statistics = two_slots();
  statistics.ending = pipeline::Ending::reader_failed;
  statistics.error = "no more files";
  statistics.events_not_processed = 7;
  const auto text = pipeline_text(pipeline_json(statistics, {}));
  CHECK(text.find("ended early: reader_failed: no more files\n") != std::string::npos);
  CHECK(text.find("7 events were read but not processed") != std::string::npos);
  CHECK(pipeline_json(statistics, {})["ending"] == "reader_failed");
  CHECK(pipeline_json(statistics, {})["error"] == "no more files");
}

TEST_CASE("An empty run divides by nothing", "[pipeline_report]") {
  const auto json = pipeline_json({}, {});
  CHECK(json["events_per_s"] == 0.);
  CHECK(json["failures"].is_array());
  CHECK(pipeline_text(json).find("nan") == std::string::npos);
}

TEST_CASE("Of many failures the first ones are shown", "[pipeline_report]") {
  CHECK(failures_text({}).empty());
  CHECK(failures_text(failures, 2) ==
        "event 3 (read): a.json: damaged\nevent 5 (stage): b\n... and 1 more\n");
  CHECK(failures_text(failures, 3).find("more") == std::string::npos);
}

TEST_CASE("Sizes are written with three digits", "[pipeline_report]") {
  constexpr std::size_t mega = 1 << 20;
  CHECK(byte_size_text(0) == "0 B");
  CHECK(byte_size_text(17) == "17 B");
  CHECK(byte_size_text(1024) == "1 KiB");
  CHECK(byte_size_text(1536) == "1.50 KiB");
  CHECK(byte_size_text(256 * mega) == "256 MiB");
  CHECK(byte_size_text(mega - 1) == "1.00 MiB");
  CHECK(byte_size_text(12 * mega + mega / 2) == "12.5 MiB");
  CHECK(byte_size_text(1536 * mega) == "1.50 GiB");
}
