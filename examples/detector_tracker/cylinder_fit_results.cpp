// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit_counts.hpp"
#include "fits.hpp"
#include "modes.hpp"
#include "pulls.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>
#include <trackplex/kalman/two_filter.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace detector_tracker {

using kalman::Parameter;
using program::Histogram;
using program::Json;

namespace {

/// The coordinates of a state on a cylinder, in the order of `surface_projection`; residuals have
/// the first two.
constexpr std::array<ParameterName, parameters_on_plane> on_cylinder{
    {{"r_phi", "r phi"}, {"z", "z"}, {"inverse_pt", "1/pT"}, {"phi", "phi"}, {"theta", "theta"}}};
constexpr std::size_t n_states = on_cylinder.size(), n_residuals = 2;

std::vector<double> pulls_on_cylinder(const State& state, const kalman::Parameters<double>& truth) {
  const kalman::Cylinder<double> any_radius{0.};
  const auto projection = kalman::surface_projection(state.parameters, any_radius);
  const auto differences =
      projection * kalman::difference<kalman::CentralTrack>(state.parameters, truth);
  const auto covariance = similarity(projection, state.covariance);
  const auto symmetric = as<Symmetric<double, 5>>(covariance);
  std::array<double, n_states> variances;
  for (int i = 0; i < int(n_states); ++i) variances[std::size_t(i)] = symmetric(i, i);
  return pulls_of(differences.elements, variances);
}

std::vector<double> pulls_of_residuals(const SmoothedLayer& layer) {
  const auto& covariance = layer.residual_covariance;
  return pulls_of(layer.residual.elements, std::array{covariance(0, 0), covariance(1, 1)});
}

/// Pulls of smoothed states on a layer, and of their residuals.
struct LayerPulls {
  ParameterPulls states{on_cylinder}, residuals{std::span(on_cylinder).first(n_residuals)};
};

/// Root mean square of the errors of 1/pT.
struct Resolution {
  std::uint64_t tracks = 0;
  double squares = 0., relative_squares = 0.;  ///< of the errors in 1/GeV, of error over value

  void add(double fitted, double truth) {
    const double error = fitted - truth;
    ++tracks;
    squares += error * error;
    relative_squares += error * error / (truth * truth);
  }
  double root_mean(double sum) const { return tracks == 0 ? 0. : std::sqrt(sum / double(tracks)); }
  double relative() const { return root_mean(relative_squares); }
  Json to_json() const {
    if (tracks == 0) return {{"absolute_per_gev", nullptr}, {"relative", nullptr}};
    return {{"absolute_per_gev", root_mean(squares)}, {"relative", relative()}};
  }
};

/// In a range of the transverse momentum, GeV.
struct ResolutionBin {
  double low, high;
  Resolution fitted{}, smoothed{};  ///< at the last layer, at the first one

  void add(const FittedTrack& track) {
    constexpr int p = Parameter::inverse_pt;
    const auto& first = track.layers.front();
    const double pt = 1. / first.truth(p);
    if (pt < low || pt >= high) return;
    fitted.add(track.state.parameters(p), track.layers.back().truth(p));
    smoothed.add(first.state.parameters(p), first.truth(p));
  }
  Json to_json() const {
    return {{"low_gev", low},
            {"high_gev", high},
            {"tracks", fitted.tracks},
            {"fitted", fitted.to_json()},
            {"smoothed", smoothed.to_json()}};
  }
};

/// Pulls, chi2 and resolution of fitted and smoothed tracks. The last bits depend on the order in
/// which tracks are added.
class CylinderFits {
 public:
  CylinderFits(int layers, double min_pt, double max_pt)
      : fitted_(on_cylinder), layers_(std::size_t(layers)) {
    constexpr int bins = 5;
    for (int i = 0; i < bins; ++i)
      over_pt_.push_back({std::lerp(min_pt, max_pt, double(i) / bins),
                          std::lerp(min_pt, max_pt, double(i + 1) / bins)});
  }

  void add(const FittedTrack& track) {
    if (!counts_.add(track.status, track.reached)) return;
    const auto at_end = pulls_on_cylinder(track.state, track.layers.back().truth);
    std::vector<std::pair<std::vector<double>, std::vector<double>>> on_layers;
    bool finite = std::isfinite(track.chi2) && all_finite(at_end);
    for (const auto& layer : track.layers) {
      const auto& [states, residuals] = on_layers.emplace_back(
          pulls_on_cylinder(layer.state, layer.truth), pulls_of_residuals(layer));
      finite = finite && all_finite(states) && all_finite(residuals);
    }
    if (!finite) {
      ++counts_.failed;
      return;
    }
    counts_.add_fitted(track.chi2, track.measurements, track.outliers);
    if (track.measurements > 0) {
      const double p = validation::chi2_p_value(std::max(track.chi2, 0.), track.measurements);
      probability_.add(std::min(p, std::nextafter(1., 0.)));
    }
    fitted_.add(at_end);
    for (std::size_t layer = 0; layer < on_layers.size(); ++layer) {
      layers_[layer].states.add(on_layers[layer].first);
      layers_[layer].residuals.add(on_layers[layer].second);
    }
    all_.add(track);
    for (auto& bin : over_pt_) bin.add(track);
  }

  void write(program::Program& p) const {
    p.results = counts_.to_json();
    p.results["layers"] = layers_.size();
    p.text += counts_.text("on the last layer");
    if (counts_.fitted() == 0)
      return p.warn(
          "no track was fitted on all layers; raise --min-pt, or lower --layers or --material");
    for (const auto& [states, residuals] : layers_)
      p.results["pulls_on_layers"].push_back(
          {{"smoothed", states.to_json()}, {"residuals", residuals.to_json()}});
    p.results["pulls"] = p.results["pulls_on_layers"].front();
    p.results["pulls"]["fitted"] = fitted_.to_json();
    const auto& [states, residuals] = layers_.front();
    p.text += "\n" +
              pull_table("pulls",
                         {{"fitted, last layer: ", &fitted_},
                          {"smoothed, first layer: ", &states},
                          {"residual, first layer: ", &residuals}},
                         4) +
              "\n";
    p.plots.push_back(pull_plot(fmt::format("Kalman fit and smoother: {} tracks on {} layers",
                                            counts_.fitted(), layers_.size()),
                                3,
                                {{"fitted, last layer", &fitted_},
                                 {"smoothed, first layer", &states},
                                 {"residuals, first layer", &residuals}}));
    if (counts_.degrees_of_freedom > 0) write_chi2(p);
    p.plots.push_back(plot_over_layers());
    write_resolution(p);
  }

 private:
  void write_chi2(program::Program& p) const {
    // Flat against enough entries that their number does not matter.
    const std::vector<std::uint64_t> flat(probability_.bins.size(), 1000000000);
    const auto test = validation::kolmogorov_smirnov(probability_.bins, flat);
    const double chi2 = counts_.chi2_per_degree_of_freedom();
    p.results["chi2"] = {
        {"per_degree_of_freedom", chi2},
        {"degrees_of_freedom", counts_.degrees_of_freedom},
        {"kolmogorov_smirnov",
         {{"distance", test.distance}, {"statistic", test.statistic}, {"p_value", test.p_value}}},
        {"probability", probability_.to_json()}};
    p.text += fmt::format(
        "chi2/ndf {:.4f}; its probability is flat with p = {:.3g} (Kolmogorov-Smirnov, D = "
        "{:.4f})\n",
        chi2, test.p_value, test.distance);
    Histogram wide(0., 1., 50);
    for (std::size_t i = 0; i < probability_.bins.size(); ++i)
      wide.bins[i / (probability_.bins.size() / wide.bins.size())] += probability_.bins[i];
    const double level = double(counts_.fitted()) / double(wide.bins.size());
    auto panel = program::panel("probability of chi2", "tracks",
                                {wide.series("fitted, last layer"),
                                 program::reference_line("flat", {0., 1.}, {level, level})});
    panel["text"] = {fmt::format("flat with p = {:.3g}", test.p_value)};
    p.plots.back()["panels"].push_back(panel);
  }

  Json plot_over_layers() const {
    Json means, widths;
    for (std::size_t i = 0; i < n_states + n_residuals; ++i) {
      program::Coordinates mean, width;
      for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        const auto& [states, residuals] = layers_[layer];
        const auto& pulls = i < n_states ? states.moments(i) : residuals.moments(i - n_states);
        const double x = double(layer) + program::shift_of_series(i, n_states + n_residuals);
        mean.add(x, pulls.mean(), pulls.mean_error());
        width.add(x, pulls.sigma(), pulls.sigma_error());
      }
      const auto name =
          std::string(i < n_states ? "" : "residual ") + on_cylinder[i % n_states].text;
      means.push_back(mean.series(name, "points"));
      widths.push_back(width.series(name, "points"));
    }
    const Json ends = {0, layers_.size() - 1};
    means.push_back(program::reference_line("unit Gaussian", ends, {0., 0.}));
    widths.push_back(program::reference_line("unit Gaussian", ends, {1., 1.}));
    return program::plot("pulls_over_layers", "Pulls of smoothed states and residuals", 2,
                         {program::panel("layer", "mean of the pulls", means),
                          program::panel("layer", "width of the pulls", widths)});
  }

  void write_resolution(program::Program& p) const {
    const auto all = all_.to_json();
    Json over_pt, rows;
    program::Coordinates fitted, smoothed;
    for (const auto& bin : over_pt_) {
      over_pt.push_back(bin.to_json());
      rows.push_back(over_pt.back());
      rows.back()["name"] = fmt::format("pT {:.2f} to {:.2f} GeV", bin.low, bin.high);
      const auto add = [&](const Resolution& of, std::size_t i, program::Coordinates& points) {
        if (of.tracks == 0) return;
        const double x = std::lerp(bin.low, bin.high, 0.5 + program::shift_of_series(i, 2));
        const double percent = 100. * of.relative();
        points.add(x, percent, percent / std::sqrt(2. * double(of.tracks)));
      };
      add(bin.fitted, 0, fitted);
      add(bin.smoothed, 1, smoothed);
    }
    rows.push_back(all);
    rows.back()["name"] = "all";
    p.results["resolution"]["inverse_pt"] = {
        {"fitted", all["fitted"]}, {"smoothed", all["smoothed"]}, {"over_pt", over_pt}};
    p.text += "\n" + program::table_of(rows, {{"resolution of 1/pT", "name"},
                                              {"tracks", "tracks"},
                                              {"fitted", "fitted/relative", "{:.2f} %", 100.},
                                              {"smoothed", "smoothed/relative", "{:.2f} %", 100.}});
    p.plots.push_back(program::plot(
        "resolution", "Resolution of the transverse momentum", 1,
        Json::array({program::panel("pT [GeV]", "resolution of 1/pT [%]",
                                    {fitted.series("fitted, last layer", "points"),
                                     smoothed.series("smoothed, first layer", "points")})})));
  }

  FitCounts counts_;
  Histogram probability_{0., 1., 1000};  ///< of chi2
  ParameterPulls fitted_;                ///< at the last layer
  std::vector<LayerPulls> layers_;
  ResolutionBin all_{-HUGE_VAL, HUGE_VAL};
  std::vector<ResolutionBin> over_pt_;
};

}  // namespace

void write_cylinder_fits(program::Program& p, const std::vector<FittedTrack>& tracks,
                         const FitSettings& settings) {
  const auto& detector = settings.detector;
  CylinderFits fits(detector.layers, detector.min_pt, detector.max_pt);
  for (const auto& track : tracks) fits.add(track);
  fits.write(p);
}

}  // namespace detector_tracker
