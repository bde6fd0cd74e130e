// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/table.hpp>
#include <trackplex/perfmodel/published_example.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace forecast {

namespace model = perfmodel;

namespace {

/// How many times as fast as the first device.
double speedup(const Results& results, std::size_t i) {
  return results.forecasts[0].expected.total / results.forecasts[i].expected.total;
}

std::string application_text(const model::Application& application) {
  const auto totals = model::totals_of(application);
  std::string text = fmt::format("{}: {:g} work items, {:.5g} instructions each", application.name,
                                 application.items, totals.instructions);
  if (totals.operations.flops() > 0.)
    text += fmt::format(", {:.5g} flop", totals.operations.flops());
  return text + "\n\n";
}

std::string area_text(const model::Forecast& f) {
  const auto& fit = *f.fit;
  const auto most = [](double n) {
    return std::isfinite(n) ? fmt::format("{:g}", n) : "any number";
  };
  return fmt::format(
      "{}: an instance takes {:.2f} % of the multipliers and {:.2f} % of the memory; {} by "
      "multipliers and {} by memory would fit, {:g} are used\n",
      f.device, 100. * fit.dsp_share, 100. * fit.memory_share, most(fit.max_by_dsp),
      most(fit.max_by_memory), fit.instances);
}

/// Without numbers that are infinite, which JSON does not have.
program::Json number(double value) { return std::isfinite(value) ? program::Json(value) : nullptr; }

program::Json to_json(const model::Terms& t) {
  return {{"compute_s", t.compute},  {"memory_s", t.memory}, {"link_s", t.link},
          {"start_s", t.start},      {"host_s", t.host},     {"total_s", t.total},
          {"dominant", t.dominant()}};
}

program::Json to_json(const model::KindLimits& l) {
  return {{"arithmetic_s", l.arithmetic},
          {"division_s", l.division},
          {"special_s", l.special},
          {"integer_s", l.integer},
          {"logic_s", l.logic},
          {"load_s", l.load},
          {"store_s", l.store},
          {"instructions_s", l.instructions},
          {"limit", l.limit()}};
}

program::Json to_json(const model::FpgaFit& fit) {
  return {{"dsp", fit.dsp},
          {"dsp_share", fit.dsp_share},
          {"memory_bits", fit.memory_bits},
          {"memory_share", fit.memory_share},
          {"most_by_dsp", number(fit.max_by_dsp)},
          {"most_by_memory", number(fit.max_by_memory)},
          {"instances", fit.instances}};
}

program::Json to_json(const model::Roofline& r) {
  return {{"flops", r.flops},           {"bytes", r.bytes},
          {"peak_flops_per_s", r.peak}, {"bandwidth_bytes_per_s", r.bandwidth},
          {"time_s", r.time},           {"attainable_flops_per_s", r.attainable}};
}

program::Json forecast_json(const Results& results, std::size_t i) {
  const auto& f = results.forecasts[i];
  program::Json json = {{"device", f.device},
                        {"kind", model::name_of(f.kind)},
                        {"efficiency", f.efficiency},
                        {"best", to_json(f.best)},
                        {"expected", to_json(f.expected)},
                        {"worst", to_json(f.worst)},
                        {"speedup", speedup(results, i)}};
  const double price = results.devices[i].price, first = results.devices[0].price;
  if (price > 0. && first > 0.) json["speedup_per_price"] = speedup(results, i) * first / price;
  if (f.limits) {
    json["limits"] = to_json(*f.limits);
    json["overlapped"] = to_json(f.overlapped);
    json["in_turn"] = to_json(f.in_turn);
  }
  if (f.roofline.known()) json["roofline"] = to_json(f.roofline);
  if (f.fit) json["fpga"] = to_json(*f.fit);
  return json;
}

/// A loop with what it does itself, then the loops inside it, further to the right.
std::string text_of(const model::Loop& loop, const std::string& indent) {
  const auto& trips = loop.trip_count;
  std::string text = fmt::format(
      "{}{}, x {:.4g}{}: {:.4g} instructions", indent, loop.name.empty() ? "loop" : loop.name,
      model::mean(trips), trips.varies() ? " on average" : "", model::own_instructions(loop));
  if (const double flops = loop.operations.flops(); flops > 0.)
    text += fmt::format(", {:.4g} flop", flops);
  text += "\n";
  for (const auto& call : loop.calls)
    text += fmt::format("{}  calls {} x {:.4g}, {:.4g} each\n", indent, call.name, call.times,
                        call.instructions);
  for (const auto& branch : loop.branches)
    text += fmt::format("{}  {}branches: {:.4g} ({})\n", indent,
                        branch.diverging ? "diverging " : "", branch.count, branch.name);
  for (const auto& inner : loop.loops) text += text_of(inner, indent + "    ");
  return text;
}

std::string text_of(const model::Stream& stream) {
  std::string amount;
  if (stream.bytes_per_item > 0.)
    amount = fmt::format("{:.4g} bytes per item", stream.bytes_per_item);
  if (stream.bytes > 0.)
    amount += fmt::format("{}{:.4g} bytes", amount.empty() ? "" : " + ", stream.bytes);
  return fmt::format("  {} ({}, {} the device): {}\n", stream.name,
                     stream.path == model::Path::memory ? "memory" : "link",
                     stream.direction == model::Direction::to_device ? "to" : "from", amount);
}

std::string times_table(const Results& results) {
  auto rows = program::Json::array();
  for (std::size_t i = 0; i < results.forecasts.size(); ++i) {
    auto& row = rows.emplace_back(forecast_json(results, i));
    if (results.forecasts[i].fit) row.erase("efficiency");
    if (!(results.forecasts[i].roofline.time > 0.)) row.erase("roofline");
  }
  const auto ms = [](const char* title, const char* key) {
    return program::Column{title, key, "{:.4g}", 1e3};
  };
  return program::table_of(rows, {{"ms", "device"},
                                  {"eta", "efficiency", "{:.4f}"},
                                  ms("best", "best/total_s"),
                                  ms("expected", "expected/total_s"),
                                  ms("worst", "worst/total_s"),
                                  {"most", "expected/dominant"},
                                  ms("by kind", "overlapped/total_s"),
                                  {"limit", "limits/limit"},
                                  ms("roofline", "roofline/time_s"),
                                  {"speed-up", "speedup", "{:.2f}"}}) +
         "best, expected, worst: half, all and twice the instructions; most: the largest term;\n"
         "by kind: operations at the rates of their pipelines; roofline: no program takes less\n";
}

}  // namespace

std::string loop_flow(const model::Application& application) {
  std::string text = "Loop flow:\n";
  for (const auto& loop : application.loops) text += text_of(loop, "  ");
  if (!application.streams.empty()) text += "Data:\n";
  for (const auto& stream : application.streams) text += text_of(stream);
  return text + "\n";
}

std::string text(const Results& results) {
  std::string text = application_text(results.application) + times_table(results) + "\n";
  for (const auto& f : results.forecasts)
    if (f.fit) text += area_text(f);
  text += "Decision:\n";
  for (const auto& step : results.decision.steps) text += "  " + step + "\n";
  return text;
}

program::Json to_json(const Results& results) {
  const auto& application = results.application;
  const auto totals = model::totals_of(application);
  program::Json json;
  json["application"] = {{"name", application.name},
                         {"items", application.items},
                         {"instructions_per_item", totals.instructions},
                         {"flops_per_item", totals.operations.flops()}};
  json["forecasts"] = program::Json::array();
  for (std::size_t i = 0; i < results.forecasts.size(); ++i)
    json["forecasts"].push_back(forecast_json(results, i));
  json["decision"]["kind"] = results.decision.kind
                                 ? program::Json(model::name_of(*results.decision.kind))
                                 : program::Json(nullptr);
  json["decision"]["steps"] = results.decision.steps;
  return json;
}

program::Json roofline_plot(const Results& results) {
  using program::Json;
  Json series = Json::array();
  int color = 0;
  for (const auto& f : results.forecasts) {
    const auto& roof = f.roofline;
    if (!roof.known() || roof.flops == 0.) continue;
    constexpr double least = 1e-2, most = 1e4;  // flop per byte
    const double ridge = roof.bandwidth > 0. ? roof.peak / roof.bandwidth : least;
    const auto gflops = [](double flops_per_s) { return 1e-9 * flops_per_s; };
    series.push_back(
        {{"label", f.device},
         {"style", "line"},
         {"color", color},
         {"x", {least, std::max(ridge, least), most}},
         {"y",
          {gflops(std::min(roof.peak, roof.bandwidth > 0. ? roof.bandwidth * least : roof.peak)),
           gflops(roof.peak), gflops(roof.peak)}}});
    const double expected = gflops(roof.flops / f.expected.total);
    series.push_back({{"style", "points"},
                      {"color", color++},
                      {"x", {roof.bytes > 0. ? std::clamp(roof.intensity(), least, most) : most}},
                      {"y", {expected}},
                      {"error",
                       {{expected - gflops(roof.flops / f.worst.total),
                         gflops(roof.flops / f.best.total) - expected}}}});
  }
  if (series.empty()) return nullptr;
  return {
      {"name", "roofline"},
      {"title", "Roofline: " + results.application.name + " (point: expected; bar: worst to best)"},
      {"panels",
       {{{"x", {{"label", "flop per byte of memory"}, {"log", true}}},
         {"y", {{"label", "Gflop/s"}, {"log", true}}},
         {"series", series}}}}};
}

std::string inconsistencies_text() {
  std::string text = "\nInconsistencies of the publication:\n";
  for (const auto& i : model::published_inconsistencies())
    text += fmt::format("  {}\n    printed: {}; computed: {}\n", i.what, i.printed, i.computed);
  auto rows = program::Json::array();
  const auto measured = model::published_measurements();
  for (const auto& m : measured) {
    const double speedup = measured[0].time / m.time, price = m.relative_price();
    rows.push_back({{"device", m.device},
                    {"time_s", m.time},
                    {"speedup", speedup},
                    {"printed", m.printed_speedup},
                    {"price", price},
                    {"per_price", speedup / price}});
  }
  return text + "\n" +
         program::table_of(rows, {{"measured there", "device"},
                                  {"ms", "time_s", "{:.0f}", 1e3},
                                  {"speed-up", "speedup", "{:.2f}"},
                                  {"printed", "printed", "{:.2f}"},
                                  {"price", "price", "{:.2f}"},
                                  {"per price", "per_price", "{:.2f}"}});
}

program::Json inconsistencies_json() {
  program::Json list = program::Json::array();
  for (const auto& i : model::published_inconsistencies())
    list.push_back({{"what", i.what}, {"printed", i.printed}, {"computed", i.computed}});
  return list;
}

}  // namespace forecast
