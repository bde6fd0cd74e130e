// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <trackplex/core/fingerprint.hpp>
#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace coulomb {

namespace program = trackplex::program;
namespace validation = trackplex::validation;
using program::Json;

namespace {

/// The exact moments are those of a pencil; a disk of radius R adds R^2/2 to the mean square of the
/// distance from the axis.
std::vector<validation::LewisPull> pulls_of(const Simulation& simulation,
                                            const montecarlo::MomentSums& sums) {
  if (sums.histories < 2) return {};
  auto pulls = validation::lewis_pulls(sums, simulation.scattering.screening, simulation.limit);
  const double radius = simulation.source_radius / simulation.limit_mm();
  for (auto& pull : pulls)
    if (pull.name == "r2") pull.exact += 0.5 * radius * radius;
  return pulls;
}

Json moments_json(const std::vector<validation::LewisPull>& moments) {
  Json json = Json::object();
  for (const auto& moment : moments)
    json[moment.name] = {{"value", moment.measured.value},
                         {"error", moment.measured.error},
                         {"exact", moment.exact}};
  return json;
}

Json tally_json(const montecarlo::TallyView& tally) {
  const auto& axis = tally.description.axes.front().range;
  return {{"low", axis.low},
          {"high", axis.high},
          {"underflow", tally.underflow()},
          {"overflow", tally.overflow()},
          {"counts", std::vector<std::uint64_t>(tally.bins().begin(), tally.bins().end())}};
}

std::string name_of(const std::string& moment) {
  static const std::map<std::string, std::string> names{
      {"z", "<z>"},        {"z2", "<z^2>"},        {"r2", "<x^2 + y^2>"},
      {"cosine", "<cos>"}, {"cosine2", "<cos^2>"}, {"scatterings", "scatterings"}};
  const auto at = names.find(moment);
  return at == names.end() ? moment : at->second;
}

std::string moments_text(const std::vector<validation::LewisPull>& moments) {
  program::Table table({"moment", "measured", "error", "exact", "pull"});
  for (const auto& moment : moments)
    table.add_row({name_of(moment.name), fmt::format("{:.9f}", moment.measured.value),
                   fmt::format("{:.2g}", moment.measured.error),
                   fmt::format("{:.9f}", moment.exact), fmt::format("{:+.2f}", moment.pull())});
  return table.text();
}

std::string comparisons_text(const std::vector<Comparison>& comparisons) {
  program::Table table({"reference", "histories", "KS distance", "p", "chi2/ndf", "p"});
  for (const auto& c : comparisons) {
    const auto& chi2 = c.chi2;
    table.add_row({c.tally, std::to_string(c.reference_counts),
                   fmt::format("{:.3g}", c.kolmogorov_smirnov.distance),
                   fmt::format("{:.3g}", c.kolmogorov_smirnov.p_value),
                   chi2 ? fmt::format("{:.1f}/{}", chi2->chi2, chi2->degrees_of_freedom) : "-",
                   chi2 ? fmt::format("{:.3g}", chi2->p_value) : "-"});
  }
  return table.text();
}

const char* word(Stop stop) {
  switch (stop) {
    case Stop::precision:
      return "precision";
    case Stop::interrupt:
      return "interrupt";
    default:
      return "histories";
  }
}

}  // namespace

std::string hash_of(const montecarlo::TransportCounts& counts) {
  trackplex::Fingerprint hash;
  hash.add(counts.cells).add(counts.moments.histories).add(counts.moments.skipped);
  for (const auto& sum : counts.moments.sums) hash.add(sum.high).add(sum.low);
  for (const auto& range : counts.histories.ranges()) hash.add(range.begin).add(range.end);
  return hash.hex();
}

Results::Results(const Simulation& of, montecarlo::TransportCounts found, Stop why)
    : simulation(of),
      counts(std::move(found)),
      stop(why),
      tallies(montecarlo::tally_views(simulation.description().tallies, counts)),
      moments(pulls_of(simulation, counts.moments)) {}

Json Results::to_json() const {
  Json pulls = Json::object(), axes = Json::object(), compared = Json::object();
  for (const auto& moment : moments) pulls[moment.name] = moment.pull();
  for (const auto& tally : tallies)
    if (tally.description.axes.size() == 1) axes[tally.description.name] = tally_json(tally);
  for (const auto& comparison : comparisons) compared[comparison.tally] = comparison.to_json();
  Json ranges = Json::array();
  for (const auto& range : counts.histories.ranges()) ranges.push_back({range.begin, range.end});
  Json json = {{"histories", counts.histories.size()},
               {"ranges", ranges},
               {"stopped_by", word(stop)},
               {"moments", moments_json(moments)},
               {"lewis_pulls", pulls},
               {"relative_error", moments.empty() ? Json() : Json(relative_error(counts.moments))},
               {"left_out_of_moments", counts.moments.skipped},
               {"counts_hash", hash_of(counts)},
               {"tallies", axes}};
  if (!comparisons.empty()) json["references"] = compared;
  return json;
}

std::string Results::text() const {
  std::string text = fmt::format("{} histories, lengths in units of the limit:\n{}",
                                 counts.histories.size(), moments_text(moments));
  if (counts.moments.skipped > 0)
    text +=
        fmt::format("{} histories ended too far away for the moments.\n", counts.moments.skipped);
  for (const auto& tally : tallies) {
    if (tally.description.axes.size() != 1) continue;
    const auto outside = tally.underflow() + tally.overflow();
    if (outside > 0)
      text += fmt::format("{}: {} histories below the bins and {} beyond them\n",
                          tally.description.name, tally.underflow(), tally.overflow());
  }
  if (!comparisons.empty()) text.append("\n").append(comparisons_text(comparisons));
  return text;
}

}  // namespace coulomb
