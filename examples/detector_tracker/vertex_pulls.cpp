// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vertex_pulls.hpp"

#include <common/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace detector_tracker {

namespace program = trackplex::program;
using P = trackplex::kalman::Parameter;
using program::Json;

namespace {

constexpr std::array<const char*, VertexPulls::size> names{"1/pT", "phi", "theta", "d0", "z0"};

/// Half of the interval that holds the middle 68.27 %, and the median.
struct Quantiles {
  double median = 0., half_width = 0.;

  explicit Quantiles(std::vector<double> values) {
    if (values.empty()) return;
    std::ranges::sort(values);
    const auto at = [&](double part) {
      return values[std::size_t(part * double(values.size() - 1))];
    };
    median = at(0.5);
    half_width = 0.5 * (at(0.841345) - at(0.158655));
  }
};

}  // namespace

Vector3 normal_of(const State& truth) {
  const double phi = truth.parameters(P::phi);
  return {{std::cos(phi), std::sin(phi), 0.}};
}

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

bool VertexPulls::add(const State& truth_state, const State& found_state) {
  const auto& truth = truth_state.parameters;
  const auto& found = found_state.parameters;
  const auto& covariance = found_state.covariance;
  const double sign = found_state.charge * truth_state.charge;
  const auto normal = normal_of(truth_state);
  const double across = normal(0) * (found(1) - truth(1)) - normal(1) * (found(0) - truth(0));
  const double variance_across = normal(1) * normal(1) * covariance(0, 0) -
                                 2. * normal(0) * normal(1) * covariance(1, 0) +
                                 normal(0) * normal(0) * covariance(1, 1);
  const std::array<double, size> values{
      sign * found(P::inverse_pt) - truth(P::inverse_pt),
      std::remainder(found(P::phi) - truth(P::phi), 2. * std::numbers::pi),
      found(P::theta) - truth(P::theta), across, found(2) - truth(2)};
  const std::array<double, size> variances{
      covariance(P::inverse_pt, P::inverse_pt), covariance(P::phi, P::phi),
      covariance(P::theta, P::theta), variance_across, covariance(2, 2)};
  if (!std::ranges::all_of(variances, [](double v) { return v > 0. && std::isfinite(v); }))
    return false;
  ++count_;
  for (std::size_t i = 0; i < pulls_.size(); ++i)
    pulls_[i].add(values[i] / std::sqrt(variances[i]));
  pt_.push_back(truth(P::inverse_pt) / (sign * found(P::inverse_pt)) - 1.);
  across_.push_back(1e4 * across);
  along_.push_back(1e4 * (found(2) - truth(2)));
  return true;
}

Json VertexPulls::to_json(int first, int last) const {
  Json json = Json::object();
  for (auto i = std::size_t(first); i <= std::size_t(last); ++i)
    json[keys[i]] = pulls_[i].to_json();
  return json;
}

Json VertexPulls::resolution() const {
  const Quantiles pt(pt_), across(across_), along(along_);
  return {{"pt_relative", pt.half_width},
          {"pt_bias", pt.median},
          {"d0_um", across.half_width},
          {"z0_um", along.half_width}};
}

std::string VertexPulls::text() const {
  program::Table table({"pulls at the vertex", "mean", "+-", "width", "+-", "beyond 4"});
  for (std::size_t i = 0; i < pulls_.size(); ++i) {
    const auto& p = pulls_[i].within.moments;
    table.add_row({names[i], fmt::format("{:+.3f}", p.mean()),
                   fmt::format("{:.3f}", p.mean_error()), fmt::format("{:.3f}", p.sigma()),
                   fmt::format("{:.3f}", p.sigma_error()), std::to_string(pulls_[i].beyond)});
  }
  const Quantiles pt(pt_), across(across_), along(along_);
  return table.text() +
         fmt::format("resolution: pT {:.2f} % (bias {:+.2f} %), d0 {:.0f} um, z0 {:.0f} um\n",
                     100. * pt.half_width, 100. * pt.median, across.half_width, along.half_width);
}

Json VertexPulls::plot() const {
  Json panels;
  for (std::size_t i = 0; i < pulls_.size(); ++i) {
    const auto& p = pulls_[i].within;
    panels.push_back(program::panel(fmt::format("pull of {}", names[i]), "tracks",
                                    {p.counts.series("fitted"), p.expected()}));
    panels.back()["text"] = {
        fmt::format("mean {:+.3f}, width {:.3f}", p.moments.mean(), p.moments.sigma())};
  }
  return program::plot("pulls", fmt::format("{} tracks at their vertices", count_), 3, panels);
}

}  // namespace detector_tracker
