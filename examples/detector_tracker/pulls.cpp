// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pulls.hpp"

#include <common/table.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace detector_tracker {

using program::Json;

std::vector<double> pulls_of(std::span<const double> differences,
                             std::span<const double> variances) {
  std::vector<double> pulls;
  for (std::size_t i = 0; i < differences.size(); ++i)
    pulls.push_back(differences[i] / std::sqrt(variances[i]));
  return pulls;
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

void ParameterPulls::add(std::span<const double> pulls) {
  for (std::size_t i = 0; i < pulls.size(); ++i) add(i, pulls[i]);
}

void ParameterPulls::add(std::size_t parameter, double pull) {
  if (std::abs(pull) <= max)
    entries[parameter].pulls.add(pull);
  else
    ++entries[parameter].beyond;
}

Json ParameterPulls::to_json(std::size_t first, std::size_t n) const {
  Json json = Json::object();
  for (const auto& entry : std::span(entries).subspan(first, n)) {
    auto& of = json[entry.name.key] = program::to_json(entry.pulls.moments);
    if (is_trimmed()) of["beyond"] = entry.beyond;
    of["counts"] = entry.pulls.counts.to_json();
  }
  return json;
}

std::string pull_table(const std::string& title, const std::vector<LabelledPulls>& list,
                       int decimals) {
  const bool is_trimmed = list.front().pulls->is_trimmed();
  std::vector<std::string> header{title, "mean", "+-", "width", "+-"};
  if (is_trimmed) header.emplace_back("beyond 4");
  program::Table table(header);
  for (const auto& [label, pulls] : list)
    for (const auto& [name, histogram, beyond] : pulls->entries) {
      const auto& p = histogram.moments;
      std::vector<std::string> row{
          label + name.text, p.count() == 0 ? "-" : fmt::format("{:+.{}f}", p.mean(), decimals)};
      for (const double value : {p.mean_error(), p.sigma(), p.sigma_error()})
        row.push_back(p.count() < 2 ? "-" : fmt::format("{:.{}f}", value, decimals));
      if (is_trimmed) row.push_back(std::to_string(beyond));
      table.add_row(row);
    }
  return table.text();
}

Json pull_plot(const std::string& title, int columns, const std::vector<LabelledPulls>& list) {
  Json panels;
  const auto& first = list.front().pulls->entries;
  for (std::size_t i = 0; i < first.size(); ++i) {
    Json series, text, expected;
    if (list.size() > 1) text.push_back("mean, width");
    for (const auto& [label, pulls] : list) {
      if (i >= pulls->entries.size()) continue;
      const auto& histogram = pulls->entries[i].pulls;
      const auto& p = histogram.moments;
      series.push_back(histogram.counts.series(label));
      text.push_back(list.size() > 1
                         ? fmt::format("{}: {:+.3f}, {:.3f}", label, p.mean(), p.sigma())
                         : fmt::format("mean {:+.3f}, width {:.3f}", p.mean(), p.sigma()));
      expected = histogram.expected();
    }
    series.push_back(expected);
    panels.push_back(
        program::panel(fmt::format("pull of {}", first[i].name.text), "tracks", series));
    panels.back()["text"] = text;
  }
  return program::plot("pulls", title, columns, panels);
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
