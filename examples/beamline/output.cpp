// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <trackplex/core/constants.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

namespace beamline {

namespace beam = trackplex::beam;

namespace {

/// As CSV has it: in quotation marks, those inside twice, where the text needs it.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

}  // namespace

std::string moments_csv(const Input& input, const std::vector<MomentRow>& rows) {
  std::string text =
      "turn,element,name,s,particles,sigma_x,sigma_xp,sigma_y,sigma_yp,sigma_s,sigma_delta,"
      "emittance_x,emittance_y,normalized_emittance_x,normalized_emittance_y,beta_x,alpha_x,"
      "beta_y,alpha_y,dispersion_x,dispersion_slope_x,dispersion_y,dispersion_slope_y,"
      "mean_x,mean_xp,mean_y,mean_yp,mean_s,mean_delta\n";
  for (const MomentRow& row : rows) {
    const auto& m = row.moments;
    const auto x = m.betatron_optics(beam::x), y = m.betatron_optics(beam::y);
    const bool is_start = row.element < 0;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{}", row.turn, row.element,
                   is_start ? "start" : csv_field(input.line[row.element].name),
                   m.reference.path_length, std::uint64_t(m.number));
    const auto add = [&](double value) { fmt::format_to(std::back_inserter(text), ",{}", value); };
    for (int c = 0; c < beam::n_coordinates; ++c) add(m.sigma(c));
    for (const double value :
         {x.emittance, y.emittance, x.normalized_emittance, y.normalized_emittance, x.beta, x.alpha,
          y.beta, y.alpha, x.dispersion, x.dispersion_slope, y.dispersion, y.dispersion_slope})
      add(value);
    for (int c = 0; c < beam::n_coordinates; ++c) add(m.mean[c]);
    text += '\n';
  }
  return text;
}

std::string profile_csv(const Input& input, const Profile& profile) {
  const double energy =
      1e6 * trackplex::constants::elegant::electron_mass * std::hypot(1., input.p0());
  std::string text = "time_s,current_a,voltage_v,energy_change_ev,relative_energy_change\n";
  for (std::size_t i = 0; i < profile.time.size(); ++i) {
    const double change = energy_change(profile.voltage[i]);
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", profile.time[i],
                   profile.current[i], profile.voltage[i], change, change / energy);
  }
  return text;
}

}  // namespace beamline
