// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/io/pipeline/chrome_trace.hpp>

#include <nlohmann/json.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <string>

using namespace trackplex;
using trackplex::io::chrome_trace;
using Json = nlohmann::ordered_json;

namespace {

/// A reader and a slot with so many batches of 100 us each.
void fill(Trace& trace, int batches) {
  const int reader = trace.add_lane("reader"), slot = trace.add_lane("slot <0>");
  for (int b = 0; b < batches; ++b) {
    const double begin = 1000. + 100. * b;
    trace.record({reader, "read", begin, begin + 90., b, 10});
    trace.record({slot, "run", begin + 100., begin + 190., b, 10});
    trace.record({slot, "wait", begin + 190., begin + 200.});
  }
}

std::size_t events_of(const Json& json, const char* phase) {
  std::size_t n = 0;
  for (const auto& event : json["traceEvents"]) n += event["ph"] == phase;
  return n;
}

}  // namespace

TEST_CASE("A trace is written in the form of trace viewers", "[trace]") {
  Trace trace;
  fill(trace, 3);
  const auto json = chrome_trace(trace, "test");
  CHECK(events_of(json, "X") == 9);
  CHECK(events_of(json, "M") == 5);
  const auto& events = json["traceEvents"];
  CHECK(events[0] == Json({{"name", "process_name"},
                           {"ph", "M"},
                           {"pid", 1},
                           {"tid", 0},
                           {"args", {{"name", "test"}}}}));
  CHECK(events[3]["name"] == "thread_name");
  CHECK(events[3]["tid"] == 2);
  CHECK(events[3]["args"]["name"] == "slot <0>");
  CHECK(events[6] == Json({{"name", "run"},
                           {"ph", "X"},
                           {"ts", 1100.},
                           {"dur", 90.},
                           {"pid", 1},
                           {"tid", 2},
                           {"args", {{"batch", 0}, {"events", 10}}}}));
  CHECK_FALSE(events[7].contains("args"));  // waiting belongs to no batch
  CHECK(json["otherData"]["spans_dropped"] == 0);
}

TEST_CASE("A trace without spans has no events", "[trace]") {
  CHECK(events_of(chrome_trace(Trace(), "test"), "X") == 0);
}

TEST_CASE("What has no room in a trace is counted in its file", "[trace]") {
  Trace trace(4);
  fill(trace, 3);
  CHECK(chrome_trace(trace, "test")["otherData"]["spans_dropped"] == 5);
}
