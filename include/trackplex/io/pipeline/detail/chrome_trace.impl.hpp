// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/core/trace.hpp>
#include <trackplex/io/pipeline/chrome_trace.hpp>
#include <trackplex/version.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

namespace trackplex::io {

TRACKPLEX_INLINE nlohmann::ordered_json chrome_trace(const Trace& trace,
                                                     const std::string& program) {
  using Json = nlohmann::ordered_json;
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

TRACKPLEX_INLINE void write_chrome_trace(const std::filesystem::path& file, const Trace& trace,
                                         const std::string& program) {
  write_file(file, chrome_trace(trace, program).dump() + "\n");
}

}  // namespace trackplex::io
