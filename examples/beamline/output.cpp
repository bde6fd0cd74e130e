// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <trackplex/core/constants.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace beamline {

namespace beam = trackplex::beam;
namespace io = trackplex::io;

io::Table moments_table(const Input& input, const std::vector<MomentRow>& rows) {
  using enum io::ColumnType;
  constexpr std::array<std::array<const char*, 2>, beam::n_coordinates> coordinates{
      {{"x", "m"}, {"xp", "rad"}, {"y", "m"}, {"yp", "rad"}, {"s", "m"}, {"delta", ""}}};
  io::Table table{"moments",
                  {{"turn", "", int64},
                   {"element", "", int64},
                   {"name", "", string},
                   {"s", "m", float64},
                   {"particles", "", int64}}};
  const auto add = [&](const std::string& name, const char* unit) {
    table.columns.emplace_back(name, unit, float64);
  };
  for (const auto& [name, unit] : coordinates) add(std::string("sigma_") + name, unit);
  for (const char* name :
       {"emittance_x", "emittance_y", "normalized_emittance_x", "normalized_emittance_y"})
    add(name, "m");
  for (const char* plane : {"_x", "_y"}) {
    add(std::string("beta") + plane, "m");
    add(std::string("alpha") + plane, "");
  }
  for (const char* plane : {"_x", "_y"}) {
    add(std::string("dispersion") + plane, "m");
    add(std::string("dispersion_slope") + plane, "");
  }
  for (const auto& [name, unit] : coordinates) add(std::string("mean_") + name, unit);

  for (const MomentRow& row : rows) {
    const auto& m = row.moments;
    const auto x = m.betatron_optics(beam::x), y = m.betatron_optics(beam::y);
    std::array<double, beam::n_coordinates> sigma, mean;
    for (int c = 0; c < beam::n_coordinates; ++c) {
      sigma[std::size_t(c)] = m.sigma(c);
      mean[std::size_t(c)] = m.mean[c];
    }
    table.add_row(row.turn, row.element, row.element < 0 ? "start" : input.line[row.element].name,
                  m.reference.path_length, std::uint64_t(m.number), sigma, x.emittance, y.emittance,
                  x.normalized_emittance, y.normalized_emittance, x.beta, x.alpha, y.beta, y.alpha,
                  x.dispersion, x.dispersion_slope, y.dispersion, y.dispersion_slope, mean);
  }
  return table;
}

io::Table profile_table(const Input& input, const Profile& profile) {
  using enum io::ColumnType;
  const double energy =
      1e6 * trackplex::constants::elegant::electron_mass * std::hypot(1., input.p0());
  io::Table table{"profile",
                  {{"time", "s", float64},
                   {"current", "A", float64},
                   {"voltage", "V", float64},
                   {"energy_change", "eV", float64},
                   {"relative_energy_change", "", float64}}};
  for (std::size_t i = 0; i < profile.time.size(); ++i) {
    const double change = energy_change(profile.voltage[i]);
    table.add_row(profile.time[i], profile.current[i], profile.voltage[i], change, change / energy);
  }
  return table;
}

}  // namespace beamline
