// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "svg_text.hpp"

#include <trackplex/program/chrome_trace.hpp>

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>
#include <string>

using namespace trackplex;
using namespace trackplex::program;

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

TEST_CASE("The picture of a trace has lanes, colours and numbers of batches", "[trace]") {
  Trace trace;
  fill(trace, 3);
  const auto svg = trace_picture(trace, "test");
  CAPTURE(svg);
  CHECK(svg_text::is_well_formed(svg));
  for (const char* words :
       {">test: batches against time</text>", ">reader</text>", ">slot &lt;0&gt;</text>",
        ">read</text>", ">run</text>", ">wait</text>", ">time [ms]</text>", ">2</text>"})
    CHECK(svg.find(words) != std::string::npos);
  // Background, legend, frame, the rectangle of the clip and the spans.
  CHECK(svg_text::count(svg, "<rect") == 1 + 3 + 1 + 1 + 9);
}

TEST_CASE("The picture of a long trace shows the first batches", "[trace]") {
  Trace trace;
  fill(trace, 100);
  const auto svg = trace_picture(trace, "test", 4);
  CHECK(svg_text::is_well_formed(svg));
  CHECK(svg.find("the first 0.49 of 10.1 ms") != std::string::npos);
  CHECK(svg.find(">3</text>") != std::string::npos);
  CHECK(svg.find(">50</text>") == std::string::npos);
}

TEST_CASE("A trace without spans is a picture, too", "[trace]") {
  CHECK(svg_text::is_well_formed(trace_picture(Trace(), "test")));
  CHECK(events_of(chrome_trace(Trace(), "test"), "X") == 0);
}

TEST_CASE("What has no room in a trace is counted in its file", "[trace]") {
  Trace trace(4);
  fill(trace, 3);
  CHECK(chrome_trace(trace, "test")["otherData"]["spans_dropped"] == 5);
}

TEST_CASE("The name of the file says what a trace is written as", "[trace]") {
  Trace trace;
  fill(trace, 1);
  const auto folder = std::filesystem::temp_directory_path();
  const auto json = folder / "trackplex-test-trace.json", svg = folder / "trackplex-test-trace.svg";
  write_trace(json.string(), trace, "test");
  write_trace(svg.string(), trace, "test");
  std::ifstream json_file(json), svg_file(svg);
  CHECK(Json::parse(json_file) == chrome_trace(trace, "test"));
  CHECK(std::string(std::istreambuf_iterator<char>(svg_file), {}) == trace_picture(trace, "test"));
  std::filesystem::remove(json);
  std::filesystem::remove(svg);
}
