// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/build.hpp>
#include <common/report.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

namespace trackplex::program {

namespace {

/// Whether it is a number, or a list of numbers or of lists of them, and so on.
bool is_numeric(const Json& json) {
  return json.is_array() ? std::ranges::all_of(json, is_numeric)
                         : json.is_primitive() && !json.is_string();
}

void append_json(std::string& text, const Json& json, std::size_t indent) {
  constexpr std::size_t full = 80;  // columns, of 100: the next number may be a long one
  if (json.empty() || !json.is_structured()) {
    text += json.dump();
  } else if (json.is_array() && is_numeric(json)) {
    std::size_t column = indent + 20;  // behind a key
    for (const char c : json.dump()) {
      text += c;
      ++column;
      if (c != ',') continue;
      const bool breaks = column > full;
      text += breaks ? "\n" + std::string(indent + 2, ' ') : " ";
      column = breaks ? indent + 2 : column + 1;
    }
  } else {
    text += json.is_array() ? "[" : "{";
    for (auto item = json.begin(); item != json.end(); ++item) {
      text += (item == json.begin() ? "\n" : ",\n") + std::string(indent + 2, ' ');
      if (json.is_object()) text += Json(item.key()).dump() + ": ";
      append_json(text, *item, indent + 2);
    }
    text += "\n" + std::string(indent, ' ') + (json.is_array() ? "]" : "}");
  }
}

}  // namespace

std::string json_text(const Json& json) {
  std::string text;
  append_json(text, json, 0);
  return text + "\n";
}

Json to_json(const Spread& s) {
  return {{"min", s.min},
          {"lower_quartile", s.lower_quartile},
          {"upper_quartile", s.upper_quartile},
          {"max", s.max}};
}

void compare_runs(std::vector<RunReport>& runs) {
  for (auto& run : runs) {
    const RunReport *first = nullptr, *base = nullptr;
    for (const auto& other : runs) {
      if (other.run.precision != run.run.precision || other.data != run.data) continue;
      if (first == nullptr) first = &other;
      const bool is_base = other.run.backend == "serial" && other.run.lanes == 1;
      if (base == nullptr && is_base && other.work == run.work) base = &other;
    }
    if (first != &run) run.same_bits = first->hash == run.hash && first->compared == run.compared;
    if (base == nullptr) continue;
    for (const auto& [step, spread] : run.time_us)
      if (const auto* slow = base->time(step); slow != nullptr && spread.median > 0.)
        run.speed_up[step] = slow->median / spread.median;
  }
}

std::string detail::time_text(double value) {
  const int decimals = value > 0. ? 3 - int(std::floor(std::log10(value))) : 3;
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 9));
}

std::string runs_table(const std::vector<RunReport>& runs, const std::string& item) {
  Table table({"work", "backend", "precision", "lanes", "threads", "us per " + item, "quartiles",
               "speed-up", "same bits"});
  for (const auto& report : runs)
    for (const auto& [step, time] : report.time_us) {
      if (runs.size() > 1 && step != "total") continue;
      const auto speed_up = report.speed_up.find(step);
      table.add_row(
          {report.work + (report.work.empty() ? step
                          : step == "total"   ? ""
                                              : ", " + step),
           report.run.backend, report.run.precision, std::to_string(report.run.lanes),
           std::to_string(report.run.threads), detail::time_text(time.median),
           detail::time_text(time.lower_quartile) + ".." + detail::time_text(time.upper_quartile),
           speed_up == report.speed_up.end() ? "-" : fmt::format("{:.2f}", speed_up->second),
           !report.same_bits   ? "-"
           : *report.same_bits ? "yes"
                               : "NO"});
    }
  return table.text();
}

std::string kokkos_version() {
  return fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                     KOKKOS_VERSION % 100);
}

Json surroundings() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  std::string cpu = "unknown";
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) {
      cpu = line.substr(std::min(line.size(), line.find(':') + 2));
      break;
    }
  double load = 0.;
  const bool has_load = ::getloadavg(&load, 1) == 1;
  return {{"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
          {"host", host.data()},
          {"cpu", cpu},
          {"load", has_load ? Json(load) : Json()},
          {"compiler", TRACKPLEX_COMPILER},
          {"flags", TRACKPLEX_FLAGS},
          {"kokkos", kokkos_version()}};
}

Json peak_memory() {
  constexpr std::string_view peak = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(peak)) return 1024 * std::stoull(line.substr(peak.size()));
  return {};
}

const Spread* RunReport::time(const std::string& step) const {
  for (const auto& [name, spread] : time_us)
    if (name == step) return &spread;
  return nullptr;
}

std::string RunReport::name() const {
  return fmt::format("{}{}{}, {}, {} lane{}, {} thread{}", work, work.empty() ? "" : ", ",
                     run.backend, run.precision, run.lanes, run.lanes == 1 ? "" : "s", run.threads,
                     run.threads == 1 ? "" : "s");
}

void RunReport::write(Json& json) const {
  json["backend"] = run.backend;
  json["threads"] = run.threads;
  json["lanes"] = run.lanes;
  json["precision"] = run.precision;
  if (!results.is_null()) json["results"] = results;
  json["time_us"] = Json::object();
  json["time_spread_us"] = Json::object();
  for (const auto& [step, spread] : time_us) {
    json["time_us"][step] = spread.median;
    json["time_spread_us"][step] = program::to_json(spread);
  }
  json["rate"] = rate;
  if (!pipeline.is_null()) json["pipeline"] = pipeline;
}

Json RunReport::to_json() const {
  Json json;
  if (!work.empty()) json["work"] = work;
  json["hash"] = hash;
  json["same_bits"] = same_bits ? Json(*same_bits) : Json();
  write(json);
  json["speed_up"] = speed_up;
  return json;
}

Json RunReport::to_message() const {
  Json json = to_json();
  json["data"] = data;
  json["compared"] = compared;
  return json;
}

RunReport RunReport::from_message(const Json& json) {
  RunReport report{.run = {json["backend"], json["threads"], json["lanes"], json["precision"]},
                   .work = json.value("work", ""),
                   .data = json["data"],
                   .hash = json["hash"],
                   .compared = json["compared"],
                   .results = json.value("results", Json()),
                   .rate = json["rate"],
                   .pipeline = json.value("pipeline", Json())};
  for (const auto& [step, s] : json["time_spread_us"].items())
    report.time_us.emplace_back(step, Spread{json["time_us"][step], s["min"], s["lower_quartile"],
                                             s["upper_quartile"], s["max"]});
  return report;
}

}  // namespace trackplex::program
