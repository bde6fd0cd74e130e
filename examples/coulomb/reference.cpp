// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.hpp"

#include "output.hpp"

#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace coulomb {

namespace fs = std::filesystem;
namespace validation = trackplex::validation;
using trackplex::InputError;

namespace {

/// The tallies that have files, by name.
std::vector<std::string> names_of_tallies(const Simulation& simulation) {
  std::vector<std::string> names;
  for (const auto& tally : simulation.description().tallies)
    if (tally.axes.size() == 1) names.push_back(tally.name);
  return names;
}

bool has_same_bins(const montecarlo::AxisRange& axis, const trackplex::io::TallyTable& table) {
  if (table.size() != std::size_t(axis.bins)) return false;
  const double most = 1e-3 * (axis.high - axis.low) / axis.bins;
  for (int i = 0; i < axis.bins; ++i)
    if (!(std::abs(table.low[std::size_t(i)] - axis.edge(i)) <= most)) return false;
  return std::abs(table.high.back() - axis.high) <= most;
}

}  // namespace

std::map<std::string, Reference> read_references(const std::vector<std::string>& names,
                                                 const Simulation& simulation) {
  std::map<std::string, Reference> references;
  const auto add = [&](const std::string& tally, const std::string& file) {
    const bool is_new = references.emplace(tally, Reference{file, {}}).second;
    if (!is_new)
      throw trackplex::UsageError("--reference", "there are two files of the tally " + tally, file);
    references.at(tally).table = trackplex::io::read_tally(file, tally);
  };
  const auto tallies = names_of_tallies(simulation);
  const auto known = fmt::format("{}", fmt::join(tallies, ", "));
  for (const auto& name : names) {
    const bool is_file = fs::is_regular_file(name);
    bool found = false;
    for (const auto& tally : tallies) {
      const auto file = is_file ? name : tally_file(name, tally);
      const bool fits = is_file ? fs::path(name).filename().string().find(tally) != name.npos
                                : fs::is_regular_file(file);
      if (fits && !(is_file && found)) add(tally, file);
      found = found || fits;
    }
    if (is_file && !found)
      throw trackplex::UsageError("--reference", "the name does not tell the tally", name,
                                  "it contains one of " + known);
    if (!found)
      throw InputError({name}, "there is no such file", "",
                       "give a file, or PREFIX for PREFIX_longitudinal.csv and so on");
  }
  return references;
}

Comparison compare(const montecarlo::TallyView& tally, const Reference& reference) {
  const auto& axis = tally.description.axes.front().range;
  const auto& table = reference.table;
  if (!has_same_bins(axis, table))
    throw InputError(
        {reference.file}, "has other bins than the tally " + tally.description.name,
        fmt::format("{} from {} to {}", table.size(), table.low.front(), table.high.back()),
        fmt::format("expected {} from {} to {}; see --bins", axis.bins, axis.low, axis.high));
  const validation::BinnedCounts ours(tally.bins()), theirs(table.counts);
  if (theirs.total() == 0) throw InputError({reference.file}, "has no counts");
  Comparison result{tally.description.name, reference, theirs.total(), {}, {}};
  if (ours.total() == 0) return result;
  result.kolmogorov_smirnov = validation::kolmogorov_smirnov(ours, theirs);
  std::size_t usable = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) usable += ours[i] + theirs[i] >= 20;
  if (usable > 1) result.chi2 = validation::chi2_of_two(ours, theirs, 20);
  return result;
}

trackplex::program::Json Comparison::to_json() const {
  trackplex::program::Json json = {{"file", reference.file},
                                   {"counts", reference_counts},
                                   {"kolmogorov_smirnov",
                                    {{"distance", kolmogorov_smirnov.distance},
                                     {"statistic", kolmogorov_smirnov.statistic},
                                     {"p_value", kolmogorov_smirnov.p_value}}},
                                   {"chi2", nullptr}};
  if (chi2)
    json["chi2"] = {{"chi2", chi2->chi2},
                    {"degrees_of_freedom", chi2->degrees_of_freedom},
                    {"p_value", chi2->p_value}};
  return json;
}

}  // namespace coulomb
