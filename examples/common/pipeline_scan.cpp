// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/pipeline_scan.hpp>
#include <common/report.hpp>
#include <common/timing.hpp>
#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trackplex::program {

std::vector<int> scanned_slots(int most) {
  std::vector<int> slots;
  for (int power = 1; power <= most; power *= 2)
    for (const int n : {power, power + power / 2})
      if (n <= most && (slots.empty() || n > slots.back())) slots.push_back(n);
  if (slots.empty() || slots.back() != most) slots.push_back(most);
  return slots;
}

std::vector<int> scanned_batches(int largest) {
  std::vector<int> batches;
  for (long power = 1; power <= largest; power *= 10)
    for (const long factor : {1L, 2L, 5L})
      if (factor * power <= largest) batches.push_back(int(factor * power));
  if (batches.empty() || batches.back() != largest) batches.push_back(largest);
  return batches;
}

std::size_t points_of_scan(const PipelineScanSettings& settings) {
  return scanned_slots(settings.max_slots).size() + scanned_batches(settings.max_batch).size();
}

Json scan_pipeline(
    const PipelineScanSettings& settings,
    const std::function<PipelineScanSample(int slots, int events_per_batch)>& measure,
    const std::function<void()>& after_each) {
  const auto point_at = [&](int slots, int batch) -> Json {
    bool made_smaller = false;
    std::vector<double> rates;
    for (int i = 0; i <= settings.repeat; ++i) {
      const PipelineScanSample sample = measure(slots, batch);
      const auto& statistics = sample.statistics;
      if (statistics.ending == pipeline::Ending::stop_requested)
        throw Error("scan of the pipeline", "stopped by a signal");
      if (statistics.broken() || statistics.events_failed > 0)
        throw Error("scan of the pipeline", "a run was not complete",
                    fmt::format("{} events failed; {}", statistics.events_failed, statistics.error),
                    "scan with undamaged input");
      made_smaller = made_smaller || statistics.batches_made_smaller > 0;
      if (i > 0) rates.push_back(sample.events_per_s);
    }
    after_each();
    const auto rate = spread_of(std::move(rates));
    return {{"slots", slots},
            {"events_per_batch", batch},
            {"events_per_s", rate.median},
            {"spread", to_json(rate)},
            {"made_smaller", made_smaller}};
  };
  Json over_slots = Json::array(), over_batches = Json::array();
  for (const int slots : scanned_slots(settings.max_slots))
    over_slots.push_back(point_at(slots, settings.events_per_batch));
  for (const int batch : scanned_batches(settings.max_batch))
    over_batches.push_back(point_at(settings.slots, batch));
  return {{"slots", settings.slots},
          {"events_per_batch", settings.events_per_batch},
          {"repeat", settings.repeat},
          {"over_slots", std::move(over_slots)},
          {"over_batches", std::move(over_batches)}};
}

Json scan_plot(const Json& scan, const std::string& title) {
  const auto panel = [](std::string of, const char* label, bool log, const Json& points,
                        const char* where) -> Json {
    Json series = {{"style", "line"}, {"color", 0}};
    for (const auto& point : points) {
      const double rate = point["events_per_s"];
      const double low = point["spread"]["lower_quartile"],
                   high = point["spread"]["upper_quartile"];
      series["x"].push_back(point[where]);
      series["y"].push_back(1e-3 * rate);
      series["error"].push_back({1e-3 * (rate - low), 1e-3 * (high - rate)});
      series["open"].push_back(point["made_smaller"]);
    }
    return {{"title", std::move(of)},
            {"x", {{"label", label}, {"log", log}}},
            {"y", {{"label", "1000 events/s"}, {"range", {0., nullptr}}}},
            {"series", {series}}};
  };
  return {{"name", "pipeline_scan"},
          {"title", title},
          {"columns", 2},
          {"panels",
           {panel(cell_of(scan, {"", "events_per_batch", "{} events per batch"}), "slots", false,
                  scan["over_slots"], "slots"),
            panel(cell_of(scan, {"", "slots", "{} slots"}), "events per batch", true,
                  scan["over_batches"], "events_per_batch")}}};
}

std::string scan_table(const Json& scan) {
  Json rows = Json::array();
  bool made_smaller = false;
  for (const auto& [name, key] : {std::pair("slots", "over_slots"), {"batches", "over_batches"}}) {
    double best = 0.;
    for (const auto& point : scan[key]) best = std::max(best, point["events_per_s"].get<double>());
    for (Json row : scan[key]) {
      row["over"] = name;
      row["of_best"] = percent(row["events_per_s"], best);
      row["star"] = row["made_smaller"] ? "*" : "";
      made_smaller = made_smaller || row["made_smaller"];
      rows.push_back(std::move(row));
    }
  }
  return table_of(rows,
                  {{"scan over", "over"},
                   {"slots", "slots"},
                   {"events per batch", "events_per_batch star", "{}{}"},
                   {"events/s", "events_per_s", "{:.0f}"},
                   {"quartiles", "spread/lower_quartile spread/upper_quartile", "{:.0f}..{:.0f}"},
                   {"of the best", "of_best"}}) +
         (made_smaller ? "*: did not fit into the memory of a slot and was processed in parts\n"
                       : "");
}

}  // namespace trackplex::program
