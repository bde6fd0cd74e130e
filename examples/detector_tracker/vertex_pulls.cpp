// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vertex_pulls.hpp"

#include <trackplex/core/angle.hpp>
#include <trackplex/core/math.hpp>

#include <fmt/format.h>

#include <cmath>

namespace detector_tracker {

using P = kalman::Parameter;

Vector3 normal_of(const State& truth) {
  const double phi = truth.parameters(P::phi);
  return {{trackplex::cos(phi), trackplex::sin(phi), 0.}};
}

bool TrimmedPulls::add(std::span<const double> differences, std::span<const double> variances) {
  const auto pulls = pulls_of(differences, variances);
  if (!all_finite(pulls)) return false;
  ++count;
  ParameterPulls::add(pulls);
  return true;
}

void TrimmedPulls::write(program::Program& p) const {
  p.text += "\n" + pull_table(fmt::format("pulls at the {}", place_), {{"", this}}, 3);
  p.plots.push_back(
      pull_plot(fmt::format("{} tracks at the {}", count, place_), 3, {{"fitted", this}}));
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
  const std::array<double, parameters_on_plane> values{
      sign * found(P::inverse_pt) - truth(P::inverse_pt),
      wrapped_angle(found(P::phi) - truth(P::phi)), found(P::theta) - truth(P::theta), across,
      found(2) - truth(2)};
  const std::array<double, parameters_on_plane> variances{
      covariance(P::inverse_pt, P::inverse_pt), covariance(P::phi, P::phi),
      covariance(P::theta, P::theta), variance_across, covariance(2, 2)};
  if (!TrimmedPulls::add(values, variances)) return false;
  pt_.push_back(truth(P::inverse_pt) / (sign * found(P::inverse_pt)) - 1.);
  across_.push_back(1e4 * across);
  along_.push_back(1e4 * (found(2) - truth(2)));
  return true;
}

void VertexPulls::write(program::Program& p) const {
  const Quantiles pt(pt_), across(across_), along(along_);
  p.results["resolution"] = {{"pt_relative", pt.half_width},
                             {"pt_bias", pt.median},
                             {"d0_um", across.half_width},
                             {"z0_um", along.half_width}};
  TrimmedPulls::write(p);
  p.text +=
      fmt::format("resolution: pT {:.2f} % (bias {:+.2f} %), d0 {:.0f} um, z0 {:.0f} um\n",
                  100. * pt.half_width, 100. * pt.median, across.half_width, along.half_width);
}

}  // namespace detector_tracker
