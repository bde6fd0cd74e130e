// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/fit_statuses.hpp>
#include <common/plots.hpp>
#include <common/table.hpp>
#include <trackplex/kalman/two_filter.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace kalman_fit {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
namespace validation = trackplex::validation;
using kalman::Parameter;
using program::Histogram;
using program::Json;
using program::PullHistogram;

namespace {

/// The coordinates of a state on a cylinder, in the order of `surface_projection`; residuals have
/// the first two.
constexpr std::size_t n_states = 5, n_residuals = 2;
constexpr const char* keys[n_states] = {"r_phi", "z", "inverse_pt", "phi", "theta"};
constexpr const char* names[n_states] = {"r phi", "z", "1/pT", "phi", "theta"};

/// The pulls of a state in its coordinates on a cylinder; nan where a variance is not positive.
std::vector<double> pulls_of(const kalman::TrackState<double>& state,
                             const kalman::Parameters<double>& truth) {
  const kalman::Cylinder<double> any_radius{0.};
  const auto projection = kalman::surface_projection(state.parameters, any_radius);
  const auto difference =
      projection * kalman::difference<kalman::CentralTrack>(state.parameters, truth);
  const auto covariance = similarity(projection, state.covariance);
  const auto variance = trackplex::as<trackplex::Symmetric<double, 5>>(covariance);
  std::vector<double> pulls;
  for (int i = 0; i < 5; ++i) pulls.push_back(difference(i) / std::sqrt(variance(i, i)));
  return pulls;
}

/// Those of the smoothed state, and of the residuals.
std::vector<double> pulls_of(const SmoothedLayer& layer) {
  auto pulls = pulls_of(layer.state, layer.truth);
  for (int i = 0; i < 2; ++i)
    pulls.push_back(layer.residual(i) / std::sqrt(layer.residual_covariance(i, i)));
  return pulls;
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

Json to_json(std::span<const PullHistogram> list) {
  Json json;
  for (std::size_t i = 0; i < list.size(); ++i) {
    json[keys[i]] = program::to_json(list[i].moments);
    json[keys[i]]["counts"] = list[i].counts.to_json();
  }
  return json;
}

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
  double absolute() const { return tracks == 0 ? 0. : std::sqrt(squares / double(tracks)); }
  double relative() const {
    return tracks == 0 ? 0. : std::sqrt(relative_squares / double(tracks));
  }
  Json to_json() const { return {{"absolute_per_gev", absolute()}, {"relative", relative()}}; }
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
    fitted.add(track.fitted.parameters(p), track.layers.back().truth(p));
    smoothed.add(first.state.parameters(p), first.truth(p));
  }
};

/// The sums over tracks, in the order of their numbers: the last bits depend on it.
class Sums {
 public:
  Sums(int layers, double min_pt, double max_pt)
      : smoothed_(std::size_t(layers), std::vector<PullHistogram>(n_states + n_residuals)) {
    constexpr int bins = 5;
    for (int i = 0; i < bins; ++i)
      resolution_.push_back({std::lerp(min_pt, max_pt, double(i) / bins),
                             std::lerp(min_pt, max_pt, double(i + 1) / bins)});
  }

  void add(const FittedTrack& track) {
    ++tracks_;
    statuses_.add(track.status);
    if (!track.complete) {
      ++lost_;
      return;
    }
    const auto at_end = pulls_of(track.fitted, track.layers.back().truth);
    std::vector<std::vector<double>> on_layers;
    for (const auto& layer : track.layers) on_layers.push_back(pulls_of(layer));
    if (!std::isfinite(track.chi2) || !all_finite(at_end) ||
        !std::ranges::all_of(on_layers, all_finite)) {
      ++failed_;
      return;
    }
    ++n_;
    outliers_ += std::uint64_t(track.outliers);
    chi2_ += track.chi2;
    degrees_of_freedom_ += std::uint64_t(track.measurements);
    if (track.measurements > 0) {
      const double p = validation::chi2_p_value(std::max(track.chi2, 0.), track.measurements);
      probability_.add(std::min(p, std::nextafter(1., 0.)));
    }
    for (std::size_t i = 0; i < n_states; ++i) fitted_[i].add(at_end[i]);
    for (std::size_t layer = 0; layer < on_layers.size(); ++layer)
      for (std::size_t i = 0; i < on_layers[layer].size(); ++i)
        smoothed_[layer][i].add(on_layers[layer][i]);
    all_.add(track);
    for (auto& bin : resolution_) bin.add(track);
  }

  bool empty() const { return n_ == 0; }

  Json to_json() const {
    Json json = {{"tracks", tracks_},
                 {"fitted", n_},
                 {"lost", lost_},
                 {"failed", failed_},
                 {"outliers", outliers_},
                 {"layers", smoothed_.size()},
                 {"status_of_fits", statuses_.to_json()}};
    if (empty()) return json;
    if (degrees_of_freedom_ > 0) {
      const auto test = flatness();
      json["chi2"] = {
          {"per_degree_of_freedom", chi2_ / double(degrees_of_freedom_)},
          {"degrees_of_freedom", degrees_of_freedom_},
          {"kolmogorov_smirnov",
           {{"distance", test.distance}, {"statistic", test.statistic}, {"p_value", test.p_value}}},
          {"probability", probability_.to_json()}};
    }
    json["pulls"] = {{"fitted", kalman_fit::to_json(fitted_)},
                     {"smoothed", kalman_fit::to_json(states(0))},
                     {"residuals", kalman_fit::to_json(residuals(0))}};
    for (std::size_t layer = 0; layer < smoothed_.size(); ++layer)
      json["pulls_on_layers"].push_back({{"smoothed", kalman_fit::to_json(states(layer))},
                                         {"residuals", kalman_fit::to_json(residuals(layer))}});
    auto& inverse_pt = json["resolution"]["inverse_pt"];
    inverse_pt = {{"fitted", all_.fitted.to_json()}, {"smoothed", all_.smoothed.to_json()}};
    for (const auto& bin : resolution_)
      inverse_pt["over_pt"].push_back({{"low_gev", bin.low},
                                       {"high_gev", bin.high},
                                       {"tracks", bin.fitted.tracks},
                                       {"fitted", bin.fitted.to_json()},
                                       {"smoothed", bin.smoothed.to_json()}});
    return json;
  }

  std::string text() const {
    std::string text = fmt::format("{} of {} tracks fitted", n_, tracks_);
    if (lost_ > 0) text += fmt::format("; {} without a fit on the last layer", lost_);
    if (failed_ > 0) text += fmt::format("; {} without a positive variance", failed_);
    if (outliers_ > 0) text += fmt::format("; {} outliers skipped", outliers_);
    text += "\n";
    if (const auto statuses = statuses_.text(); !statuses.empty())
      text += fmt::format("status of the fits: {}\n", statuses);
    if (empty()) return text;
    text += "\n" + pull_table() + "\n";
    if (degrees_of_freedom_ > 0) {
      const auto test = flatness();
      text += fmt::format(
          "chi2/ndf {:.4f}; its probability is flat with p = {:.3g} (Kolmogorov-Smirnov, D = "
          "{:.4f})\n",
          chi2_ / double(degrees_of_freedom_), test.p_value, test.distance);
    }
    return text + "\n" + resolution_table();
  }

  Json plots() const {
    if (empty()) return Json::array();
    return {plot_of_pulls(), plot_over_layers(), plot_of_resolution()};
  }

 private:
  std::span<const PullHistogram> states(std::size_t layer) const {
    return std::span(smoothed_[layer]).first(n_states);
  }
  std::span<const PullHistogram> residuals(std::size_t layer) const {
    return std::span(smoothed_[layer]).last(n_residuals);
  }

  /// Whether the probabilities of chi2 are flat.
  validation::KolmogorovSmirnov flatness() const {
    // Against enough entries that their number does not matter.
    const std::vector<std::uint64_t> flat(probability_.bins.size(), 1000000000);
    return validation::kolmogorov_smirnov(probability_.bins, flat);
  }

  std::string pull_table() const {
    program::Table table({"pulls", "mean", "+-", "width", "+-"});
    const auto add = [&](const std::string& what, std::span<const PullHistogram> list) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        const auto& p = list[i].moments;
        table.add_row({what + names[i], fmt::format("{:+.4f}", p.mean()),
                       fmt::format("{:.4f}", p.mean_error()), fmt::format("{:.4f}", p.sigma()),
                       fmt::format("{:.4f}", p.sigma_error())});
      }
    };
    add("fitted, last layer: ", fitted_);
    add("smoothed, first layer: ", states(0));
    add("residual, first layer: ", residuals(0));
    return table.text();
  }

  std::string resolution_table() const {
    program::Table table({"resolution of 1/pT", "tracks", "fitted", "smoothed"});
    const auto add = [&](const std::string& name, const ResolutionBin& bin) {
      table.add_row({name, std::to_string(bin.fitted.tracks),
                     program::percent(bin.fitted.relative()),
                     program::percent(bin.smoothed.relative())});
    };
    for (const auto& bin : resolution_)
      add(fmt::format("pT {:.2f} to {:.2f} GeV", bin.low, bin.high), bin);
    add("all", all_);
    return table.text();
  }

  Json plot_of_pulls() const {
    Json panels;
    for (std::size_t i = 0; i < n_states; ++i) {
      Json series, text = {"mean, width"};
      const auto add = [&](const char* label, const PullHistogram& pulls) {
        series.push_back(pulls.counts.series(label));
        text.push_back(
            fmt::format("{}: {:+.3f}, {:.3f}", label, pulls.moments.mean(), pulls.moments.sigma()));
      };
      add("fitted, last layer", fitted_[i]);
      add("smoothed, first layer", states(0)[i]);
      if (i < n_residuals) add("residuals, first layer", residuals(0)[i]);
      series.push_back(fitted_[i].expected());
      panels.push_back(program::panel(fmt::format("pull of {}", names[i]), "tracks", series));
      panels.back()["text"] = text;
    }
    if (degrees_of_freedom_ > 0) {
      Histogram wide(0., 1., 50);
      for (std::size_t i = 0; i < probability_.bins.size(); ++i)
        wide.bins[i / (probability_.bins.size() / wide.bins.size())] += probability_.bins[i];
      const double flat = double(n_) / double(wide.bins.size());
      panels.push_back(program::panel("probability of chi2", "tracks",
                                      {wide.series("fitted, last layer"),
                                       program::reference_line("flat", {0., 1.}, {flat, flat})}));
      panels.back()["text"] = {fmt::format("flat with p = {:.3g}", flatness().p_value)};
    }
    return program::plot(
        "pulls",
        fmt::format("Kalman fit and smoother: {} tracks on {} layers", n_, smoothed_.size()), 3,
        panels);
  }

  Json plot_over_layers() const {
    Json means, widths;
    for (std::size_t i = 0; i < n_states + n_residuals; ++i) {
      program::Coordinates mean, width;
      for (std::size_t layer = 0; layer < smoothed_.size(); ++layer) {
        const auto& pulls = smoothed_[layer][i].moments;
        const double x = double(layer) + program::shift_of_series(i, n_states + n_residuals);
        mean.add(x, pulls.mean(), pulls.mean_error());
        width.add(x, pulls.sigma(), pulls.sigma_error());
      }
      const auto name = i < n_states ? names[i] : fmt::format("residual {}", names[i - n_states]);
      means.push_back(mean.series(name, "points"));
      widths.push_back(width.series(name, "points"));
    }
    const Json ends = {0, smoothed_.size() - 1};
    means.push_back(program::reference_line("unit Gaussian", ends, {0., 0.}));
    widths.push_back(program::reference_line("unit Gaussian", ends, {1., 1.}));
    return program::plot("pulls_over_layers", "Pulls of smoothed states and residuals", 2,
                         {program::panel("layer", "mean of the pulls", means),
                          program::panel("layer", "width of the pulls", widths)});
  }

  Json plot_of_resolution() const {
    program::Coordinates fitted, smoothed;
    for (const auto& bin : resolution_) {
      const auto add = [&](const Resolution& of, std::size_t i, program::Coordinates& points) {
        if (of.tracks == 0) return;
        const double x = std::lerp(bin.low, bin.high, 0.5 + program::shift_of_series(i, 2));
        const double percent = 100. * of.relative();
        points.add(x, percent, percent / std::sqrt(2. * double(of.tracks)));
      };
      add(bin.fitted, 0, fitted);
      add(bin.smoothed, 1, smoothed);
    }
    return program::plot(
        "resolution", "Resolution of the transverse momentum", 1,
        Json::array({program::panel("pT [GeV]", "resolution of 1/pT [%]",
                                    {fitted.series("fitted, last layer", "points"),
                                     smoothed.series("smoothed, first layer", "points")})}));
  }

  std::uint64_t tracks_ = 0;
  std::uint64_t n_ = 0;            ///< fitted: these enter all that follows
  std::uint64_t lost_ = 0;         ///< particle or fit did not reach the last layer
  std::uint64_t failed_ = 0;       ///< have a variance that is not positive, or no finite number
  std::uint64_t outliers_ = 0;     ///< skipped hits
  program::FitStatuses statuses_;  ///< of all tracks
  double chi2_ = 0.;
  std::uint64_t degrees_of_freedom_ = 0;
  Histogram probability_{0., 1., 1000};               ///< of chi2
  std::vector<PullHistogram> fitted_{n_states};       ///< at the last layer
  std::vector<std::vector<PullHistogram>> smoothed_;  ///< on each layer, residuals last
  ResolutionBin all_{-HUGE_VAL, HUGE_VAL};
  std::vector<ResolutionBin> resolution_;
};

}  // namespace

Results results_of(const std::vector<FittedTrack>& tracks, const FitSettings& settings) {
  Sums sums(settings.detector.layers, settings.detector.min_pt, settings.detector.max_pt);
  for (const auto& track : tracks) sums.add(track);
  return {sums.empty(), sums.to_json(), sums.plots(), sums.text()};
}

}  // namespace kalman_fit
