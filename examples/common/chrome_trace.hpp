// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <trackplex/core/trace.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace trackplex::program {

/// The trace in the event format of Chrome's tracing, which chrome://tracing and Perfetto show: one
/// process, a thread for each lane, complete events ("X") with times in microseconds.
inline Json chrome_trace(const Trace& trace, const std::string& program) {
  static constexpr int process = 1;
  const auto named = [](const char* what, int thread, Json arguments) {
    return Json{{"name", what},
                {"ph", "M"},
                {"pid", process},
                {"tid", thread},
                {"args", std::move(arguments)}};
  };
  Json events = Json::array();
  events.push_back(named("process_name", 0, {{"name", program}}));
  const auto lanes = trace.lanes();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    events.push_back(named("thread_name", int(lane) + 1, {{"name", lanes[lane]}}));
    events.push_back(named("thread_sort_index", int(lane) + 1, {{"sort_index", lane}}));
  }
  for (const auto& span : trace.spans()) {
    Json event = {{"name", span.name},   {"ph", "X"},
                  {"ts", span.begin_us}, {"dur", span.end_us - span.begin_us},
                  {"pid", process},      {"tid", span.lane + 1}};
    if (span.batch >= 0) event["args"] = {{"batch", span.batch}, {"events", span.events}};
    events.push_back(std::move(event));
  }
  return {
      {"traceEvents", std::move(events)},
      {"displayTimeUnit", "ms"},
      {"otherData", {{"version", TRACKPLEX_VERSION_STRING}, {"spans_dropped", trace.dropped()}}}};
}

}  // namespace trackplex::program
