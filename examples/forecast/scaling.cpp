// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scaling.hpp"

#include <common/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace forecast {

namespace model = perfmodel;

namespace {

program::Json to_json(const model::CoreScaling& scaling, const model::ChainProfile& chain) {
  program::Json json = {{"chain", scaling.chain},      {"device", scaling.device},
                        {"item", chain.item},          {"single_items_per_s", scaling.single},
                        {"saturation_cores", nullptr}, {"points", program::Json::array()}};
  if (scaling.saturation > 0.) json["saturation_cores"] = scaling.saturation;
  for (const auto& p : scaling.points)
    json["points"].push_back({{"cores", p.cores},
                              {"cache_bytes", p.cache},
                              {"bytes_per_item", p.bytes_per_item},
                              {"best_items_per_s", p.best},
                              {"worst_items_per_s", p.worst},
                              {"best_speedup", p.best / scaling.single},
                              {"worst_speedup", p.worst / scaling.single}});
  return json;
}

/// The key of a number of cores in a row of the table.
std::string key_of(double cores) { return fmt::format("{:g}", cores); }

}  // namespace

program::Json scalings_json(const std::vector<model::ChainProfile>& chains,
                            const std::vector<model::Device>& devices) {
  auto list = program::Json::array();
  for (const auto& device : devices)
    for (const auto& chain : chains)
      list.push_back(
          to_json(model::scale_over_cores(chain, device, model::core_counts(device)), chain));
  return list;
}

std::string scalings_text(const program::Json& scalings) {
  auto rows = program::Json::array();
  std::vector<double> counts;
  for (const auto& scaling : scalings) {
    auto& row = rows.emplace_back(scaling);
    for (const auto& point : scaling["points"]) {
      const double n = point["cores"];
      if (std::find(counts.begin(), counts.end(), n) == counts.end()) counts.push_back(n);
      row[key_of(n)] = point;
    }
  }
  std::sort(counts.begin(), counts.end());
  std::vector<program::Column> columns{{"forecast", "chain"},
                                       {"device", "device"},
                                       {"us, 1 core", "us", "{:.4g}"},
                                       {"saturating cores", "saturation_cores", "{:g}"}};
  for (auto& row : rows) row["us"] = 1e6 / double(row["single_items_per_s"]);
  for (const double n : counts)
    if (n > 1.)
      columns.push_back({fmt::format("x {:g}", n),
                         key_of(n) + "/worst_speedup " + key_of(n) + "/best_speedup",
                         "{:.1f}..{:.1f}"});
  return program::table_of(rows, columns) +
         "us: per item; x n: speed-up of n cores over one, worst to best case: transfers wait, or "
         "computation hides them\n";
}

program::Json scaling_plot(const program::Json& scalings) {
  using program::Json;
  std::vector<std::pair<std::string, Json>> panels;  // of each device
  for (const auto& scaling : scalings) {
    const std::string device = scaling["device"];
    if (panels.empty() || panels.back().first != device) panels.emplace_back(device, Json::array());
    auto& series = panels.back().second;
    Json x = Json::array(), best = Json::array(), worst = Json::array();
    for (const auto& point : scaling["points"]) {
      x.push_back(point["cores"]);
      best.push_back(point["best_speedup"]);
      worst.push_back(point["worst_speedup"]);
    }
    const int color = int(series.size()) / 2;
    series.push_back(
        {{"label", scaling["chain"]}, {"style", "line"}, {"color", color}, {"x", x}, {"y", best}});
    series.push_back({{"style", "points"}, {"color", color}, {"x", x}, {"y", worst}});
  }
  Json drawn = Json::array();
  for (auto& [device, series] : panels)
    drawn.push_back({{"x", {{"label", "cores of " + device}, {"log", true}}},
                     {"y", {{"label", "speed-up over one core"}, {"log", true}}},
                     {"series", std::move(series)}});
  return {{"name", "core_scaling"},
          {"title", "Forecast over cores (line: best case; points: worst case)"},
          {"panels", std::move(drawn)}};
}

}  // namespace forecast
