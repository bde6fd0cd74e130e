// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <common/table.hpp>
#include <common/timing.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/pipeline/statistics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Throughput of the pipeline over the number of slots and over the events of a batch: the two
/// scans of Figure 8 of the paper on Search by triplet.

namespace trackplex::program {

struct PipelineScanSettings {
  int slots = 2;               ///< of the scan over events per batch
  int events_per_batch = 100;  ///< of the scan over slots
  int max_slots = 8;
  int max_batch = 1000;
  int repeat = 5;  ///< runs of each point after a warm-up
};

/// One setting, and what it gave.
struct PipelineScanPoint {
  int slots = 0;
  int events_per_batch = 0;
  Spread events_per_s{};
  bool made_smaller = false;  ///< batches did not fit into the memory of a slot
};

/// A run at a point.
struct PipelineScanSample {
  double events_per_s = 0.;
  pipeline::Statistics statistics;
};

struct PipelineScan {
  PipelineScanSettings settings;
  std::vector<PipelineScanPoint> over_slots{}, over_batches{};
};

/// 1, 2, 3, 4, 6, 8, 12, 16, ... up to `most`, which is the last one.
inline std::vector<int> scanned_slots(int most) {
  std::vector<int> slots;
  for (int power = 1; power <= most; power *= 2)
    for (const int n : {power, power + power / 2})
      if (n <= most && (slots.empty() || n > slots.back())) slots.push_back(n);
  if (slots.empty() || slots.back() != most) slots.push_back(most);
  return slots;
}

/// 1, 2, 5, 10, 20, 50, ... up to `largest`, which is the last one.
inline std::vector<int> scanned_batches(int largest) {
  std::vector<int> batches;
  for (long power = 1; power <= largest; power *= 10)
    for (const long factor : {1L, 2L, 5L})
      if (factor * power <= largest) batches.push_back(int(factor * power));
  if (batches.empty() || batches.back() != largest) batches.push_back(largest);
  return batches;
}

/// How many points scan_pipeline() measures.
inline std::size_t points_of_scan(const PipelineScanSettings& settings) {
  return scanned_slots(settings.max_slots).size() + scanned_batches(settings.max_batch).size();
}

/// Runs `measure(slots, events_per_batch) -> PipelineScanSample` once as a warm-up and then
/// `repeat` times for each point, and `after_each()` after each point.
/// @throws Error where a run ended early or events failed: the numbers would mean nothing
template <class Measure, class AfterEach>
PipelineScan scan_pipeline(const PipelineScanSettings& settings, const Measure& measure,
                           const AfterEach& after_each) {
  const auto point_at = [&](int slots, int batch) {
    PipelineScanPoint point{.slots = slots, .events_per_batch = batch};
    std::vector<double> rates;
    for (int i = 0; i <= settings.repeat; ++i) {
      const PipelineScanSample sample = measure(slots, batch);
      const auto& statistics = sample.statistics;
      if (statistics.ending == pipeline::Ending::stop_requested)
        throw Error("scan of the pipeline", "stopped by a signal");
      if (statistics.broken() || statistics.events_failed > 0)
        throw Error("scan of the pipeline", "a run was not complete",
                    fmt::format("{} events failed; {}", statistics.events_failed, statistics.error),
                    "scan with input that is not damaged");
      point.made_smaller = point.made_smaller || statistics.batches_made_smaller > 0;
      if (i > 0) rates.push_back(sample.events_per_s);
    }
    point.events_per_s = spread_of(std::move(rates));
    after_each();
    return point;
  };
  PipelineScan scan{.settings = settings};
  for (const int slots : scanned_slots(settings.max_slots))
    scan.over_slots.push_back(point_at(slots, settings.events_per_batch));
  for (const int batch : scanned_batches(settings.max_batch))
    scan.over_batches.push_back(point_at(settings.slots, batch));
  return scan;
}

namespace detail {
inline Json to_json(const std::vector<PipelineScanPoint>& points) {
  Json json = Json::array();
  for (const auto& point : points)
    json.push_back({{"slots", point.slots},
                    {"events_per_batch", point.events_per_batch},
                    {"events_per_s", point.events_per_s.median},
                    {"spread", program::to_json(point.events_per_s)},
                    {"made_smaller", point.made_smaller}});
  return json;
}
}  // namespace detail

inline Json to_json(const PipelineScan& scan) {
  return {{"slots", scan.settings.slots},
          {"events_per_batch", scan.settings.events_per_batch},
          {"repeat", scan.settings.repeat},
          {"over_slots", detail::to_json(scan.over_slots)},
          {"over_batches", detail::to_json(scan.over_batches)}};
}

/// Both scans side by side; open points: batches did not fit into the memory of a slot.
inline Json scan_plot(const PipelineScan& scan, const std::string& title) {
  const auto panel = [](const std::string& of, const char* label, bool log, const auto& points,
                        int PipelineScanPoint::*where) -> Json {
    Json x, y, error, open;
    for (const auto& point : points) {
      const auto& rate = point.events_per_s;
      x.push_back(point.*where);
      y.push_back(1e-3 * rate.median);
      error.push_back(
          {1e-3 * (rate.median - rate.lower_quartile), 1e-3 * (rate.upper_quartile - rate.median)});
      open.push_back(point.made_smaller);
    }
    return {{"title", of},
            {"x", {{"label", label}, {"log", log}}},
            {"y", {{"label", "1000 events/s"}, {"range", {0., nullptr}}}},
            {"series",
             {{{"style", "line"},
               {"x", x},
               {"y", y},
               {"error", error},
               {"open", open},
               {"color", 0}}}}};
  };
  const auto& s = scan.settings;
  return {{"name", "pipeline_scan"},
          {"title", title},
          {"columns", 2},
          {"panels",
           {panel(fmt::format("{} events per batch", s.events_per_batch), "slots", false,
                  scan.over_slots, &PipelineScanPoint::slots),
            panel(fmt::format("{} slots", s.slots), "events per batch", true, scan.over_batches,
                  &PipelineScanPoint::events_per_batch)}}};
}

inline std::string scan_table(const PipelineScan& scan) {
  Table table({"scan over", "slots", "events per batch", "events/s", "quartiles", "of the best"});
  bool made_smaller = false;
  const auto add = [&](const char* name, const std::vector<PipelineScanPoint>& points) {
    double best = 0.;
    for (const auto& point : points) best = std::max(best, point.events_per_s.median);
    for (const auto& point : points) {
      const auto& rate = point.events_per_s;
      table.add_row({name, std::to_string(point.slots),
                     std::to_string(point.events_per_batch) + (point.made_smaller ? "*" : ""),
                     fmt::format("{:.0f}", rate.median),
                     fmt::format("{:.0f}..{:.0f}", rate.lower_quartile, rate.upper_quartile),
                     percent(rate.median, best)});
      made_smaller = made_smaller || point.made_smaller;
    }
  };
  add("slots", scan.over_slots);
  add("batches", scan.over_batches);
  return table.text() +
         (made_smaller ? "*: did not fit into the memory of a slot and was worked on in parts\n"
                       : "");
}

}  // namespace trackplex::program
