// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/table.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb {

namespace fs = std::filesystem;
using program::Json;
using program::Table;

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

/// Without a test of chi2 where there are too few counts.
Json compare(const montecarlo::TallyView& tally, const Reference& reference) {
  const auto& axis = tally.description.axes.front().range;
  const auto& table = reference.table;
  const double tolerance = 1e-3 * (axis.high - axis.low) / axis.bins;
  bool same_bins = table.size() == std::size_t(axis.bins);
  for (int i = 0; same_bins && i < axis.bins; ++i)
    same_bins = std::abs(table.low[std::size_t(i)] - axis.edge(i)) <= tolerance;
  if (!same_bins || !(std::abs(table.high.back() - axis.high) <= tolerance))
    throw InputError(
        {reference.file}, "bins differ from those of the tally " + tally.description.name,
        fmt::format("{} from {} to {}", table.size(), table.low.front(), table.high.back()),
        fmt::format("expected {} from {} to {}; see --bins", axis.bins, axis.low, axis.high));
  const validation::BinnedCounts ours(tally.bins()), theirs(table.counts);
  if (theirs.total() == 0) throw InputError({reference.file}, "has no counts");
  validation::KolmogorovSmirnov ks;
  std::size_t usable = 0;
  if (ours.total() > 0) {
    ks = validation::kolmogorov_smirnov(ours, theirs);
    for (std::size_t i = 0; i < ours.size(); ++i) usable += ours[i] + theirs[i] >= 20;
  }
  Json json = {{"file", reference.file},
               {"counts", theirs.total()},
               {"kolmogorov_smirnov",
                {{"distance", ks.distance}, {"statistic", ks.statistic}, {"p_value", ks.p_value}}},
               {"chi2", nullptr}};
  if (usable < 2) return json;
  const auto chi2 = validation::chi2_of_two(ours, theirs, 20);
  json["chi2"] = {{"chi2", chi2.chi2},
                  {"degrees_of_freedom", chi2.degrees_of_freedom},
                  {"p_value", chi2.p_value}};
  return json;
}

Json to_json(const montecarlo::TallyView& tally) {
  const auto& axis = tally.description.axes.front().range;
  return {{"low", axis.low},
          {"high", axis.high},
          {"underflow", tally.underflow()},
          {"overflow", tally.overflow()},
          {"counts", std::vector<std::uint64_t>(tally.bins().begin(), tally.bins().end())}};
}

/// Densities with errors in at most 2000 bins, each one or several of an axis.
Json steps_of(const std::string& label, const montecarlo::AxisRange& axis, const auto& counts,
              double histories) {
  const int merged = 1 + (axis.bins - 1) / 2000;
  Json json = {{"label", label}, {"style", "steps"}, {"edges", {axis.low}}};
  json["y"] = Json::array();
  json["error"] = Json::array();
  for (int begin = 0; begin < axis.bins; begin += merged) {
    const int end = std::min(begin + merged, axis.bins);
    const double count = std::accumulate(counts.begin() + begin, counts.begin() + end, 0.);
    const double scale = 1. / (histories * (axis.edge(end) - axis.edge(begin)));
    json["edges"].push_back(axis.edge(end));
    json["y"].push_back(count > 0. ? Json(count * scale) : Json());  // a gap on a logarithmic axis
    json["error"].push_back(std::sqrt(count) * scale);
  }
  return json;
}

}  // namespace

std::string hash_of(const montecarlo::TransportCounts& counts) {
  Fingerprint hash;
  hash.add(counts.cells).add(counts.moments.histories).add(counts.moments.skipped);
  for (const auto& sum : counts.moments.sums) hash.add(sum.high).add(sum.low);
  for (const auto& range : counts.histories.ranges()) hash.add(range.begin).add(range.end);
  return hash.hex();
}

std::string tally_file(const std::string& prefix, const std::string& tally) {
  for (const std::string_view ending : {".h5", ".sdds"})
    if (prefix.ends_with(ending))
      return fmt::format("{}_{}{}", prefix.substr(0, prefix.size() - ending.size()), tally, ending);
  return fmt::format("{}_{}.csv", prefix, tally);
}

References read_references(const std::vector<std::string>& names) {
  References references;
  const auto add = [&](const std::string& tally, const std::string& file) {
    if (references.contains(tally))
      throw UsageError("--reference", "there are two files for the tally " + tally, file);
    references[tally] = {file, io::read_tally(file, tally)};
  };
  std::vector<std::string> tallies;
  for (const auto& distribution : distributions) tallies.push_back(distribution.tally);
  for (const auto& name : names) {
    const bool is_file = fs::is_regular_file(name);
    bool found = false;
    for (const auto& [tally, x, y] : distributions) {
      const auto file = is_file ? name : tally_file(name, tally);
      const bool fits = is_file ? fs::path(name).filename().string().find(tally) != name.npos
                                : fs::is_regular_file(file);
      if (fits && !(is_file && found)) add(tally, file);
      found = found || fits;
    }
    if (is_file && !found)
      throw UsageError("--reference", "the name does not contain the tally", name,
                       fmt::format("it must contain one of {}", fmt::join(tallies, ", ")));
    if (!found)
      throw InputError({name}, "there is no such file", "",
                       "give a file, or PREFIX for PREFIX_longitudinal.csv and so on");
  }
  return references;
}

Results::Results(const Simulation& simulation, const montecarlo::TransportCounts& counts,
                 montecarlo::StopReason stop, const References& references)
    : simulation_(simulation),
      counts_(counts),
      stop_(stop),
      tallies_(montecarlo::tally_views(simulation.description("").tallies, counts)),
      moments_(pulls_of(simulation, counts.moments)),
      references_(references) {
  if (simulation.binning.plane) {
    plane_ = tallies_.back();
    tallies_.pop_back();
  }
  for (const auto& tally : tallies_)
    if (const auto at = references.find(tally.description.name); at != references.end())
      comparisons_.emplace(at->first, compare(tally, at->second));
}

Json Results::to_json() const {
  Json json = {{"histories", counts_.histories.size()}, {"ranges", Json::array()}};
  for (const auto& range : counts_.histories.ranges())
    json["ranges"].push_back({range.begin, range.end});
  json["stopped_by"] = stop_ == montecarlo::StopReason::relative_error ? "precision"
                       : stop_ == montecarlo::StopReason::interrupt    ? "interrupt"
                                                                       : "histories";
  Json moments = Json::object(), pulls = Json::object();
  for (const auto& moment : moments_) {
    moments[moment.name] = {{"value", moment.measured.value},
                            {"error", moment.measured.error},
                            {"exact", moment.exact}};
    pulls[moment.name] = moment.pull();
  }
  json["moments"] = moments;
  json["lewis_pulls"] = pulls;
  json["relative_error"] =
      moments_.empty() ? Json() : Json(montecarlo::relative_error(counts_.moments));
  json["left_out_of_moments"] = counts_.moments.skipped;
  for (const auto& tally : tallies_)
    json["tallies"][tally.description.name] = coulomb::to_json(tally);
  if (!comparisons_.empty()) json["references"] = comparisons_;
  return json;
}

std::string Results::text() const {
  static const std::map<std::string, std::string> names{
      {"z", "<z>"},        {"z2", "<z^2>"},        {"r2", "<x^2 + y^2>"},
      {"cosine", "<cos>"}, {"cosine2", "<cos^2>"}, {"scatterings", "scatterings"}};
  Table moments({"moment", "measured", "error", "exact", "pull"});
  for (const auto& moment : moments_)
    moments.add_row({names.at(moment.name), fmt::format("{:.9f}", moment.measured.value),
                     fmt::format("{:.2g}", moment.measured.error),
                     fmt::format("{:.9f}", moment.exact), fmt::format("{:+.2f}", moment.pull())});
  std::string text = fmt::format("{} histories, lengths in units of the limit:\n{}",
                                 counts_.histories.size(), moments.text());
  if (counts_.moments.skipped > 0)
    text +=
        fmt::format("{} histories ended too far away for the moments.\n", counts_.moments.skipped);
  for (const auto& tally : tallies_)
    if (tally.underflow() + tally.overflow() > 0)
      text += fmt::format("{}: {} histories below the bins and {} above them\n",
                          tally.description.name, tally.underflow(), tally.overflow());
  if (comparisons_.empty()) return text;
  return text + "\n" +
         program::table_of(Json(comparisons_),
                           {{"reference", ""},
                            {"histories", "counts"},
                            {"KS distance", "kolmogorov_smirnov/distance", "{:.3g}"},
                            {"p", "kolmogorov_smirnov/p_value", "{:.3g}"},
                            {"chi2/ndf", "chi2/chi2 chi2/degrees_of_freedom", "{:.1f}/{}"},
                            {"p", "chi2/p_value", "{:.3g}"}});
}

Json Results::plot() const {
  const double histories = std::max(1., double(counts_.histories.size()));
  Json panels = Json::array();
  for (std::size_t i = 0; i < tallies_.size(); ++i) {
    const auto& [name, x, y] = distributions[i];
    const auto& axis = tallies_[i].description.axes.front().range;
    auto& panel = panels.emplace_back(
        Json{{"title", name},
             {"x", {{"label", x}}},
             {"y", {{"label", y}, {"log", true}}},
             {"series", Json::array({steps_of("coulomb", axis, tallies_[i].bins(), histories)})}});
    const auto at = comparisons_.find(name);
    if (at == comparisons_.end()) continue;
    const auto& comparison = at->second;
    panel["series"].push_back(steps_of("reference", axis, references_.at(name).table.counts,
                                       comparison["counts"].get<double>()));
    panel["ratio"] = {{"of", "coulomb"}, {"to", "reference"}};
    panel["text"] = Json::array({program::cell_of(
        comparison, {"", "kolmogorov_smirnov/p_value", "p = {:.3g} (Kolmogorov-Smirnov)"})});
  }
  return {{"name", "distributions"},
          {"title", fmt::format("{}, {} MeV electrons after {} mean free paths: {} histories",
                                simulation_.material.name, simulation_.scattering.kinetic_energy,
                                simulation_.limit, counts_.histories.size())},
          {"columns", 3},
          {"panels", panels}};
}

void Results::write_tallies(const std::string& prefix, const io::Metadata& metadata) const {
  for (const auto& tally : tallies_)
    io::write_table(tally_file(prefix, tally.description.name),
                    io::tally_table(tally, counts_.histories.size(), metadata));
}

io::Table Results::plane_table(const io::Metadata& metadata) const {
  return io::plane_table(*plane_, counts_.histories.size(), metadata);
}

}  // namespace coulomb
