// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameter_pulls.hpp"

#include <common/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace detector_tracker {

namespace program = trackplex::program;
using program::Json;

void TrimmedPulls::add(double pull) {
  if (std::abs(pull) <= most)
    within.add(pull);
  else
    ++beyond;
}

Json TrimmedPulls::to_json() const {
  auto json = program::to_json(within.moments);
  json["beyond"] = beyond;
  json["counts"] = within.counts.to_json();
  return json;
}

bool ParameterPulls::add(std::span<const double> differences, std::span<const double> variances) {
  if (!std::ranges::all_of(variances, [](double v) { return v > 0. && std::isfinite(v); }))
    return false;
  ++count_;
  for (std::size_t i = 0; i < pulls_.size(); ++i)
    pulls_[i].add(differences[i] / std::sqrt(variances[i]));
  return true;
}

Json ParameterPulls::to_json(std::size_t first, std::size_t last) const {
  Json json = Json::object();
  for (auto i = first; i <= last; ++i) json[names_[i].key] = pulls_[i].to_json();
  return json;
}

std::string ParameterPulls::text() const {
  program::Table table(
      {fmt::format("pulls at the {}", place_), "mean", "+-", "width", "+-", "beyond 4"});
  for (std::size_t i = 0; i < pulls_.size(); ++i) {
    const auto& p = pulls_[i].within.moments;
    table.add_row({names_[i].text, fmt::format("{:+.3f}", p.mean()),
                   fmt::format("{:.3f}", p.mean_error()), fmt::format("{:.3f}", p.sigma()),
                   fmt::format("{:.3f}", p.sigma_error()), std::to_string(pulls_[i].beyond)});
  }
  return table.text();
}

Json ParameterPulls::plot() const {
  Json panels;
  for (std::size_t i = 0; i < pulls_.size(); ++i) {
    const auto& p = pulls_[i].within;
    panels.push_back(program::panel(fmt::format("pull of {}", names_[i].text), "tracks",
                                    {p.counts.series("fitted"), p.expected()}));
    panels.back()["text"] = {
        fmt::format("mean {:+.3f}, width {:.3f}", p.moments.mean(), p.moments.sigma())};
  }
  return program::plot("pulls", fmt::format("{} tracks at the {}", count_, place_), 3, panels);
}

Quantiles::Quantiles(std::vector<double> values) {
  if (values.empty()) return;
  std::ranges::sort(values);
  const auto at = [&](double part) {
    return values[std::size_t(part * double(values.size() - 1))];
  };
  median = at(0.5);
  half_width = 0.5 * (at(0.841345) - at(0.158655));
}

}  // namespace detector_tracker
