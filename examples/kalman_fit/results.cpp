// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <trackplex/kalman/two_filter.hpp>
#include <trackplex/program/table.hpp>
#include <trackplex/validation/chi2.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace kalman_fit {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
namespace validation = trackplex::validation;
using kalman::Parameter;

namespace {

/// The pulls of a state in its coordinates on a cylinder, where all variances are positive.
std::optional<std::array<double, 5>> pulls_of(const kalman::TrackState<double>& state,
                                              const kalman::Parameters<double>& truth) {
  const kalman::Cylinder<double> any_radius{0.};
  const auto projection = kalman::surface_projection(state.parameters, any_radius);
  trackplex::Vector<double, Parameter::count> error;
  for (int i = 0; i < Parameter::count; ++i) error(i) = state.parameters(i) - truth(i);
  const auto difference = projection * error;
  const auto covariance = similarity(projection, state.covariance);
  const auto variance = trackplex::as<trackplex::Symmetric<double, 5>>(covariance);
  std::array<double, 5> pulls;
  for (int i = 0; i < 5; ++i) {
    pulls[std::size_t(i)] = difference(i) / std::sqrt(variance(i, i));
    if (!std::isfinite(pulls[std::size_t(i)])) return std::nullopt;
  }
  return pulls;
}

struct SmoothedPulls {
  std::array<double, 5> states;
  std::array<double, 2> residuals;
};

std::optional<SmoothedPulls> pulls_of(const SmoothedLayer& layer) {
  const auto states = pulls_of(layer.state, layer.truth);
  if (!states) return std::nullopt;
  SmoothedPulls pulls{*states, {}};
  for (int i = 0; i < 2; ++i) {
    double& pull = pulls.residuals[std::size_t(i)];
    pull = layer.residual(i) / std::sqrt(layer.residual_covariance(i, i));
    if (!std::isfinite(pull)) return std::nullopt;
  }
  return pulls;
}

program::Json to_json(const Counts& counts) {
  return {{"low", counts.low},
          {"high", counts.high},
          {"below", counts.below},
          {"above", counts.above},
          {"bins", counts.bins}};
}

template <std::size_t N>
program::Json to_json(const std::array<PullCounts, N>& pulls) {
  program::Json json;
  for (std::size_t i = 0; i < N; ++i) json[coordinates[i].key] = pulls[i].to_json();
  return json;
}

std::vector<std::string> row_of(const std::string& name, const validation::Pulls& pulls) {
  return {name, fmt::format("{:+.4f}", pulls.mean()), fmt::format("{:.4f}", pulls.mean_error()),
          fmt::format("{:.4f}", pulls.sigma()), fmt::format("{:.4f}", pulls.sigma_error())};
}

template <std::size_t N>
void add_rows(program::Table& table, const std::string& what,
              const std::array<PullCounts, N>& pulls) {
  for (std::size_t i = 0; i < N; ++i)
    table.add_row(row_of(fmt::format("{} {}", what, coordinates[i].name), pulls[i].pulls));
}

}  // namespace

void Counts::add(double value) {
  const double position = (value - low) / width();
  if (position < 0.)
    ++below;
  else if (position >= double(bins.size()))
    ++above;
  else
    ++bins[std::size_t(position)];
}

program::Json PullCounts::to_json() const {
  return {{"mean", pulls.mean()},
          {"mean_error", pulls.mean_error()},
          {"width", pulls.sigma()},
          {"width_error", pulls.sigma_error()},
          {"counts", kalman_fit::to_json(counts)}};
}

void Resolution::add(double fitted, double truth) {
  const double error = fitted - truth;
  ++tracks;
  squares += error * error;
  relative_squares += error * error / (truth * truth);
}
double Resolution::absolute() const {
  return tracks == 0 ? 0. : std::sqrt(squares / double(tracks));
}
double Resolution::relative() const {
  return tracks == 0 ? 0. : std::sqrt(relative_squares / double(tracks));
}
program::Json Resolution::to_json() const {
  return {{"absolute_per_gev", absolute()}, {"relative", relative()}};
}

Results::Results(int layers, double min_pt, double max_pt) : smoothed(std::size_t(layers)) {
  constexpr int bins = 5;
  for (int i = 0; i < bins; ++i)
    resolution.push_back({std::lerp(min_pt, max_pt, double(i) / bins),
                          std::lerp(min_pt, max_pt, double(i + 1) / bins),
                          {},
                          {}});
}

void Results::add(const FittedTrack& track) {
  ++tracks;
  if (!track.complete) {
    ++lost;
    return;
  }
  const auto& last = track.layers.back();
  const auto& first = track.layers.front();
  const auto fit = pulls_of(track.fitted, last.truth);
  std::vector<SmoothedPulls> on_layers;
  for (const auto& layer : track.layers)
    if (const auto pulls = pulls_of(layer)) on_layers.push_back(*pulls);
  if (!fit || on_layers.size() < track.layers.size() || !std::isfinite(track.chi2)) {
    ++failed;
    return;
  }

  ++fitted_tracks;
  outliers += std::uint64_t(track.outliers);
  chi2 += track.chi2;
  degrees_of_freedom += std::uint64_t(track.measurements);
  if (track.measurements > 0) {
    const double p = validation::chi2_p_value(std::max(track.chi2, 0.), track.measurements);
    probability.add(std::min(p, std::nextafter(1., 0.)));
  }
  for (std::size_t i = 0; i < fitted.size(); ++i) fitted[i].add((*fit)[i]);
  for (std::size_t layer = 0; layer < smoothed.size(); ++layer) {
    const auto& pulls = on_layers[layer];
    for (std::size_t i = 0; i < 5; ++i) smoothed[layer].states[i].add(pulls.states[i]);
    for (std::size_t i = 0; i < 2; ++i) smoothed[layer].residuals[i].add(pulls.residuals[i]);
  }

  constexpr int p = Parameter::inverse_pt;
  const double at_last = last.truth(p), at_first = first.truth(p);
  fitted_resolution.add(track.fitted.parameters(p), at_last);
  smoothed_resolution.add(first.state.parameters(p), at_first);
  for (auto& bin : resolution) {
    if (1. / at_first < bin.low || 1. / at_first >= bin.high) continue;
    bin.fitted.add(track.fitted.parameters(p), at_last);
    bin.smoothed.add(first.state.parameters(p), at_first);
  }
}

validation::KolmogorovSmirnov Results::flatness() const {
  // Against so many entries that their number does not matter.
  const std::vector<std::uint64_t> flat(probability.bins.size(), 1000000000);
  return validation::kolmogorov_smirnov(probability.bins, flat);
}

program::Json Results::to_json() const {
  program::Json json = {
      {"tracks", tracks},         {"fitted", fitted_tracks}, {"lost", lost},
      {"failed", failed},         {"outliers", outliers},    {"states_hash", hash},
      {"layers", smoothed.size()}};
  if (fitted_tracks == 0) return json;
  if (degrees_of_freedom > 0) {
    const auto test = flatness();
    json["chi2"] = {
        {"per_degree_of_freedom", chi2 / double(degrees_of_freedom)},
        {"degrees_of_freedom", degrees_of_freedom},
        {"kolmogorov_smirnov",
         {{"distance", test.distance}, {"statistic", test.statistic}, {"p_value", test.p_value}}},
        {"probability", kalman_fit::to_json(probability)}};
  }
  json["pulls"]["fitted"] = kalman_fit::to_json(fitted);
  json["pulls"]["smoothed"] = kalman_fit::to_json(smoothed.front().states);
  json["pulls"]["residuals"] = kalman_fit::to_json(smoothed.front().residuals);
  json["pulls_on_layers"] = program::Json::array();
  for (const auto& layer : smoothed)
    json["pulls_on_layers"].push_back({{"smoothed", kalman_fit::to_json(layer.states)},
                                       {"residuals", kalman_fit::to_json(layer.residuals)}});
  auto& inverse_pt = json["resolution"]["inverse_pt"];
  inverse_pt["fitted"] = fitted_resolution.to_json();
  inverse_pt["smoothed"] = smoothed_resolution.to_json();
  inverse_pt["over_pt"] = program::Json::array();
  for (const auto& bin : resolution)
    inverse_pt["over_pt"].push_back({{"low_gev", bin.low},
                                     {"high_gev", bin.high},
                                     {"tracks", bin.fitted.tracks},
                                     {"fitted", bin.fitted.to_json()},
                                     {"smoothed", bin.smoothed.to_json()}});
  return json;
}

std::string Results::text() const {
  std::string text = fmt::format("{} of {} tracks fitted", fitted_tracks, tracks);
  if (lost > 0) text += fmt::format("; {} do not reach the last layer", lost);
  if (failed > 0) text += fmt::format("; {} without a positive variance", failed);
  if (outliers > 0) text += fmt::format("; {} hits left out", outliers);
  text += "\n";
  if (fitted_tracks == 0) return text;

  program::Table table({"pulls", "mean", "+-", "width", "+-"});
  add_rows(table, "fitted, last layer:", fitted);
  add_rows(table, "smoothed, first layer:", smoothed.front().states);
  add_rows(table, "residual, first layer:", smoothed.front().residuals);
  text.append("\n").append(table.text()).append("\n");
  if (degrees_of_freedom > 0) {
    const auto test = flatness();
    text += fmt::format(
        "chi2/ndf {:.4f}; its probability is flat with p = {:.3g} (Kolmogorov-Smirnov, D = "
        "{:.4f})\n",
        chi2 / double(degrees_of_freedom), test.p_value, test.distance);
  }
  program::Table resolutions({"resolution of 1/pT", "tracks", "fitted", "smoothed"});
  const auto row = [&](const std::string& name, const Resolution& last, const Resolution& first) {
    resolutions.add_row({name, std::to_string(last.tracks), program::percent(last.relative()),
                         program::percent(first.relative())});
  };
  for (const auto& bin : resolution)
    row(fmt::format("pT {:.2f} to {:.2f} GeV", bin.low, bin.high), bin.fitted, bin.smoothed);
  row("all", fitted_resolution, smoothed_resolution);
  return text.append("\n").append(resolutions.text());
}

}  // namespace kalman_fit
