// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <common/table.hpp>
#include <trackplex/pipeline/statistics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// @file
/// Report of a run of the pipeline, as JSON and as text.

namespace trackplex::program {

/// "256 MiB", "1.5 GiB", "17 B": about, with three digits.
inline std::string byte_size_text(std::size_t bytes) {
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

/// "end_of_input", ...
inline const char* ending_name(pipeline::Ending ending) {
  switch (ending) {
    case pipeline::Ending::end_of_input:
      return "end_of_input";
    case pipeline::Ending::stop_requested:
      return "stop_requested";
    case pipeline::Ending::reader_failed:
      return "reader_failed";
    case pipeline::Ending::writer_failed:
      return "writer_failed";
    case pipeline::Ending::reader_stalled:
      return "reader_stalled";
    case pipeline::Ending::writer_stalled:
      return "writer_stalled";
  }
  return "unknown";
}

/// Times of each algorithm, summed over the slots, in the order in which they first come.
inline std::vector<chain::StepTime> algorithm_times(const pipeline::Statistics& statistics) {
  std::vector<chain::StepTime> sums;
  for (const auto& slot : statistics.slots)
    for (const auto& step : slot.report.steps) {
      auto sum = std::ranges::find(sums, step.name, &chain::StepTime::name);
      if (sum == sums.end()) sum = sums.insert(sums.end(), {step.name, 0., 0});
      sum->seconds += step.seconds;
      sum->calls += step.calls;
    }
  return sums;
}

namespace detail {

inline double sum_of(const std::vector<chain::StepTime>& times) {
  double sum = 0.;
  for (const auto& time : times) sum += time.seconds;
  return sum;
}

/// Events that went through the algorithms.
inline std::size_t events_of_slots(const pipeline::Statistics& statistics) {
  std::size_t events = 0;
  for (const auto& slot : statistics.slots) events += slot.events;
  return events;
}

inline double per(double value, double whole) { return whole > 0. ? value / whole : 0.; }

inline Json to_json(const chain::MemoryUse& use) {
  return {{"high_water", use.high_water}, {"capacity", use.capacity}};
}
inline Json to_json(const pipeline::ThreadTime& time) {
  return {{"busy_s", time.busy}, {"waiting_s", time.waiting}};
}
inline Json to_json(const pipeline::SlotStatistics& slot) {
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

inline Json algorithms_json(const pipeline::Statistics& statistics) {
  const auto times = algorithm_times(statistics);
  const double all = sum_of(times), events = double(events_of_slots(statistics));
  Json json = Json::array();
  for (const auto& time : times)
    json.push_back({{"name", time.name},
                    {"calls", time.calls},
                    {"seconds", time.seconds},
                    {"us_per_event", per(1e6 * time.seconds, events)},
                    {"share", per(time.seconds, all)}});
  return json;
}

inline std::string slot_table(const pipeline::Statistics& statistics) {
  Table table(
      {"thread", "batches", "events", "stage", "run", "collect", "waits to run", "idle", "memory"});
  const auto share = [&](double seconds) { return percent(seconds, statistics.seconds); };
  const auto memory = [](const chain::Report& report) {
    const auto text = [](const chain::MemoryUse& use) {
      return byte_size_text(use.high_water) + " of " + byte_size_text(use.capacity);
    };
    return text(report.device) +
           (report.pinned.capacity > 0 ? ", pinned " + text(report.pinned) : std::string());
  };
  for (std::size_t i = 0; i < statistics.slots.size(); ++i) {
    const auto& slot = statistics.slots[i];
    table.add_row({fmt::format("slot {}", i), std::to_string(slot.batches),
                   std::to_string(slot.events), share(slot.stage), share(slot.run),
                   share(slot.collect), share(slot.waiting_to_run), share(slot.idle),
                   memory(slot.report)});
  }
  const auto add_thread = [&](const char* name, const pipeline::ThreadTime& time) {
    table.add_row({name, "", "", "", share(time.busy), "", "", share(time.waiting), ""});
  };
  add_thread("reader", statistics.reader);
  add_thread("writer", statistics.writer);
  if (statistics.one_launcher) add_thread("launcher", statistics.launcher);
  return table.text();
}

inline std::string algorithm_table(const pipeline::Statistics& statistics) {
  const auto times = algorithm_times(statistics);
  if (times.empty()) return {};
  const double all = sum_of(times), events = double(events_of_slots(statistics));
  Table table({"algorithm", "calls", "us per event", "share"});
  for (const auto& time : times)
    table.add_row({time.name, std::to_string(time.calls),
                   fmt::format("{:.2f}", per(1e6 * time.seconds, events)),
                   percent(time.seconds, all)});
  return "\n" + table.text();
}

}  // namespace detail

inline Json to_json(const pipeline::Failure& failure) {
  return {{"event", failure.event}, {"stage", failure.stage}, {"message", failure.message}};
}

/// Everything, with all failures. Times are in seconds, and of algorithms in microseconds per event
/// of all that they worked on; memory is in bytes.
inline Json pipeline_json(const pipeline::Statistics& statistics,
                          std::span<const pipeline::Failure> failures) {
  Json slots = Json::array(), failed = Json::array();
  for (const auto& slot : statistics.slots) slots.push_back(detail::to_json(slot));
  for (const auto& failure : failures) failed.push_back(to_json(failure));
  return {{"events",
           {{"read", statistics.events_read},
            {"written", statistics.events_written},
            {"failed", statistics.events_failed},
            {"not_processed", statistics.events_not_processed}}},
          {"batches", statistics.batches},
          {"batches_made_smaller", statistics.batches_made_smaller},
          {"max_batches_in_flight", statistics.max_batches_in_flight},
          {"seconds", statistics.seconds},
          {"events_per_s", statistics.events_per_second()},
          {"ending", ending_name(statistics.ending)},
          {"error", statistics.error},
          {"reader", detail::to_json(statistics.reader)},
          {"writer", detail::to_json(statistics.writer)},
          {"one_launcher", statistics.one_launcher},
          {"launcher", detail::to_json(statistics.launcher)},
          {"slots", std::move(slots)},
          {"algorithms", detail::algorithms_json(statistics)},
          {"failures", std::move(failed)}};
}

/// A line each for the first failures, and how many more there are; empty where none.
inline std::string failures_text(std::span<const pipeline::Failure> failures,
                                 std::size_t shown = 5) {
  std::string text;
  for (const auto& failure : failures.first(std::min(shown, failures.size())))
    text += fmt::format("event {} ({}): {}\n", failure.event, failure.stage, failure.message);
  if (failures.size() > shown) text += fmt::format("... and {} more\n", failures.size() - shown);
  return text;
}

/// A summary and the tables of slots and algorithms.
inline std::string pipeline_text(const pipeline::Statistics& statistics) {
  std::string text = fmt::format(
      "pipeline: {} events in {:.3f} s, {:.0f} events/s; {} batches, at most {} in flight\n",
      statistics.events_written, statistics.seconds, statistics.events_per_second(),
      statistics.batches, statistics.max_batches_in_flight);
  if (statistics.batches_made_smaller > 0)
    text += fmt::format(
        "{} batches did not fit into the memory of a slot and were worked on in "
        "parts\n",
        statistics.batches_made_smaller);
  if (statistics.ending != pipeline::Ending::end_of_input)
    text += fmt::format("ended early: {}{}{}\n", ending_name(statistics.ending),
                        statistics.error.empty() ? "" : ": ", statistics.error);
  if (statistics.events_failed > 0)
    text += fmt::format("{} events failed\n", statistics.events_failed);
  if (statistics.events_not_processed > 0)
    text += fmt::format("{} events were read but not processed\n", statistics.events_not_processed);
  return text + "\n" + detail::slot_table(statistics) + detail::algorithm_table(statistics);
}

}  // namespace trackplex::program
