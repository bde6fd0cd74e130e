// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/pipeline_report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace trackplex::program {

std::string byte_size_text(std::size_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  double number = double(bytes);
  std::size_t unit = 0;
  for (; number >= 1023.5 && unit + 1 < units.size(); ++unit) number /= 1024.;
  return fmt::format("{:.{}f} {}", number,
                     number >= 99.95 || number == std::floor(number) ? 0
                     : number >= 9.995                               ? 1
                                                                     : 2,
                     units[unit]);
}

const char* ending_name(pipeline::Ending ending) {
  constexpr std::array<const char*, 6> names{"end_of_input",  "stop_requested", "reader_failed",
                                             "writer_failed", "reader_stalled", "writer_stalled"};
  return names.at(std::size_t(ending));
}

namespace {

double per(double value, double whole) { return whole > 0. ? value / whole : 0.; }

Json to_json(const chain::MemoryUse& use) {
  return {{"high_water", use.high_water}, {"capacity", use.capacity}};
}

Json to_json(const pipeline::ThreadTime& time) {
  return {{"busy_s", time.busy}, {"waiting_s", time.waiting}};
}

Json to_json(const pipeline::SlotStatistics& slot) {
  return {{"batches", slot.batches},
          {"events", slot.events},
          {"stage_s", slot.stage},
          {"run_s", slot.run},
          {"collect_s", slot.collect},
          {"waiting_to_run_s", slot.waiting_to_run},
          {"idle_s", slot.idle},
          {"device_memory", to_json(slot.report.device)},
          {"pinned_memory", to_json(slot.report.pinned)}};
}

/// Times of each algorithm, summed over the slots, in the order in which they first come.
Json algorithms_json(const pipeline::Statistics& statistics) {
  std::vector<chain::StepTime> sums;
  double all = 0., events = 0.;
  for (const auto& slot : statistics.slots) {
    events += double(slot.events);
    for (const auto& step : slot.report.steps) {
      auto sum = std::ranges::find(sums, step.name, &chain::StepTime::name);
      if (sum == sums.end()) sum = sums.insert(sums.end(), {step.name, 0., 0});
      sum->seconds += step.seconds;
      sum->calls += step.calls;
      all += step.seconds;
    }
  }
  Json json = Json::array();
  for (const auto& [name, seconds, calls] : sums)
    json.push_back({{"name", name},
                    {"calls", calls},
                    {"seconds", seconds},
                    {"us_per_event", per(1e6 * seconds, events)},
                    {"share", per(seconds, all)}});
  return json;
}

std::string memory_text(const Json& slot) {
  const auto text = [&](const char* kind) {
    return byte_size_text(slot[kind]["high_water"]) + " of " +
           byte_size_text(slot[kind]["capacity"]);
  };
  const bool has_pinned = slot["pinned_memory"]["capacity"] > 0;
  return text("device_memory") + (has_pinned ? ", pinned " + text("pinned_memory") : "");
}

/// Of the slots, and of the threads beside them.
std::string thread_table(const Json& pipeline) {
  Json rows = pipeline["slots"];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i]["thread"] = fmt::format("slot {}", i);
    rows[i]["memory"] = memory_text(rows[i]);
  }
  for (const char* thread : {"reader", "writer", "launcher"})
    if (thread != std::string("launcher") || pipeline["one_launcher"])
      rows.push_back({{"thread", thread},
                      {"run_s", pipeline[thread]["busy_s"]},
                      {"idle_s", pipeline[thread]["waiting_s"]}});
  const double percent = per(100., pipeline["seconds"]);
  return table_of(rows, {{"thread", "thread"},
                         {"batches", "batches"},
                         {"events", "events"},
                         {"stage", "stage_s", "{:.2f} %", percent},
                         {"run", "run_s", "{:.2f} %", percent},
                         {"collect", "collect_s", "{:.2f} %", percent},
                         {"waits to run", "waiting_to_run_s", "{:.2f} %", percent},
                         {"idle", "idle_s", "{:.2f} %", percent},
                         {"memory", "memory"}});
}

}  // namespace

Json pipeline_json(const pipeline::Statistics& statistics,
                   std::span<const pipeline::Failure> failures) {
  Json slots = Json::array(), failed = Json::array();
  for (const auto& slot : statistics.slots) slots.push_back(to_json(slot));
  for (const auto& [event, stage, message] : failures)
    failed.push_back({{"event", event}, {"stage", stage}, {"message", message}});
  return {{"events",
           {{"read", statistics.events_read},
            {"written", statistics.events_written},
            {"failed", statistics.events_failed},
            {"not_processed", statistics.events_not_processed}}},
          {"batches", statistics.batches},
          {"batches_made_smaller", statistics.batches_made_smaller},
          {"max_batches_in_flight", statistics.max_batches_in_flight},
          {"latency_s",
           {{"median", statistics.median_latency}, {"percentile_99", statistics.latency_99}}},
          {"seconds", statistics.seconds},
          {"events_per_s", statistics.events_per_second()},
          {"ending", ending_name(statistics.ending)},
          {"error", statistics.error},
          {"reader", to_json(statistics.reader)},
          {"writer", to_json(statistics.writer)},
          {"one_launcher", statistics.one_launcher},
          {"launcher", to_json(statistics.launcher)},
          {"slots", std::move(slots)},
          {"algorithms", algorithms_json(statistics)},
          {"failures", std::move(failed)}};
}

std::string failures_text(std::span<const pipeline::Failure> failures, std::size_t shown) {
  std::string text;
  for (const auto& failure : failures.first(std::min(shown, failures.size())))
    text += fmt::format("event {} ({}): {}\n", failure.event, failure.stage, failure.message);
  if (failures.size() > shown) text += fmt::format("... and {} more\n", failures.size() - shown);
  return text;
}

std::string pipeline_text(const Json& pipeline) {
  const auto line = [&](const char* format, const char* keys) {
    return cell_of(pipeline, {"", keys, format});
  };
  const auto count = [&](const char* key) { return pipeline["events"][key].get<std::size_t>(); };
  std::string text =
      line("pipeline: {} events in {:.3f} s, {:.0f} events/s; {} batches, at most {} in flight\n",
           "events/written seconds events_per_s batches max_batches_in_flight") +
      line("latency of a batch: median {:.3g} s, 99 % within {:.3g} s\n",
           "latency_s/median latency_s/percentile_99");
  if (pipeline.value("resumed_events", 0) > 0)
    text += line("{} earlier events were in the journal\n", "resumed_events");
  if (const auto ranks = pipeline.value("ranks", Json::array()); ranks.size() > 1) {
    text += "events of the ranks:";
    for (const auto& rank : ranks) text += fmt::format(" {}", rank["events"].get<std::size_t>());
    text += "; the tables are for rank 0\n";
  }
  if (pipeline["batches_made_smaller"] > 0)
    text += line("{} batches did not fit into the memory of a slot and were processed in parts\n",
                 "batches_made_smaller");
  if (pipeline["ending"] != "end_of_input")
    text += line(pipeline["error"] == "" ? "ended early: {}\n" : "ended early: {}: {}\n",
                 "ending error");
  if (count("failed") > 0) text += line("{} events failed\n", "events/failed");
  if (count("not_processed") > 0)
    text += line("{} events were read but not processed\n", "events/not_processed");
  text += "\n" + thread_table(pipeline);
  if (pipeline["algorithms"].empty()) return text;
  return text + "\n" +
         table_of(pipeline["algorithms"], {{"algorithm", "name"},
                                           {"calls", "calls"},
                                           {"us per event", "us_per_event", "{:.2f}"},
                                           {"share", "share", "{:.2f} %", 100.}});
}

}  // namespace trackplex::program
