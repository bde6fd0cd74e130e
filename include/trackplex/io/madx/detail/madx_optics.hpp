// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/madx/detail/madx_expand.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Optics that TWISS computes, in MAD-X' variables.

namespace trackplex::io::detail {

/// A TWISS command: its sequence, values at the start and problems.
struct MadxTwiss {
  MadxPlace at{};
  std::string sequence{};         ///< or line
  bool is_line = false;           ///< from values at the start; else the periodic solution
  MadxNumbers start{};            ///< values at the start of a line
  std::string table = "twiss";    ///< name of the table
  std::string problem{}, help{};  ///< why there is no table; empty: there is one
  MadxPlace problem_at{};

  /// Notes why there is no table; the first reason counts.
  void refuse(const MadxPlace& place, const std::string& what, const std::string& hint) {
    if (!problem.empty()) return;
    problem = what;
    help = hint;
    problem_at = place;
  }
};

// Variables of MAD-X: x, p_x/p_0, y, p_y/p_0, and dE/(p_0 c) in the place of delta.

/// Relative energy dE/(p_0 c) of a momentum deviation, at a reference momentum p0 (beta gamma).
inline double madx_energy(double delta, double p0) {
  const double p = (1. + delta) * p0;
  return p0 * delta * (2. + delta) / (std::sqrt(1. + p * p) + std::sqrt(1. + p0 * p0));
}

/// Coordinates of a particle of MAD-X' numbers.
inline beam::TransferMap::Vector from_madx(double x, double px, double y, double py, double pt,
                                           double p0) {
  const double beta = p0 / std::sqrt(1. + p0 * p0);
  const double p2 = 1. + pt * (2. / beta + pt), along2 = p2 - px * px - py * py;
  if (!(along2 > 0.)) throw UsageError("TWISS", "the particle does not go forwards");
  const double along = std::sqrt(along2);
  return {x, px / along, y, py / along, 0., std::sqrt(p2) - 1.};
}

/// Momentum along the axis in units of p_0.
inline double momentum_along(const beam::TransferMap::Vector& v) {
  return (1. + v[beam::delta]) / hypot(hypot(1., v[beam::xp]), v[beam::yp]);
}

/// Derivatives of MAD-X' variables by the coordinates of a particle.
inline beam::TransferMap to_madx(const beam::TransferMap::Vector& v, double p0) {
  using namespace beam;
  const double g2 = 1. + v[xp] * v[xp] + v[yp] * v[yp], along = momentum_along(v) / g2;
  const double p = (1. + v[delta]) * p0;
  TransferMap map = TransferMap::identity(1);
  map.R(2, 2) = along * (1. + v[yp] * v[yp]);
  map.R(2, 4) = map.R(4, 2) = -along * v[xp] * v[yp];
  map.R(4, 4) = along * (1. + v[xp] * v[xp]);
  map.R(2, 6) = v[xp] / std::sqrt(g2);
  map.R(4, 6) = v[yp] / std::sqrt(g2);
  map.R(6, 6) = p / std::sqrt(1. + p * p);
  return map;
}

/// Derivatives of the coordinates of a particle by MAD-X' variables.
inline beam::TransferMap behind_madx(const beam::TransferMap::Vector& v, double p0) {
  using namespace beam;
  const double along = momentum_along(v), p = (1. + v[delta]) * p0;
  const double delta_by_energy = std::sqrt(1. + p * p) / p;
  const double slope_by_energy = -(1. + v[delta]) / (along * along) * delta_by_energy;
  TransferMap map = TransferMap::identity(1);
  map.R(2, 2) = (1. + v[xp] * v[xp]) / along;
  map.R(2, 4) = map.R(4, 2) = v[xp] * v[yp] / along;
  map.R(4, 4) = (1. + v[yp] * v[yp]) / along;
  map.R(2, 6) = v[xp] * slope_by_energy;
  map.R(4, 6) = v[yp] * slope_by_energy;
  map.R(6, 6) = delta_by_energy;
  return map;
}

/// The linear map about a particle, in MAD-X' variables.
inline beam::TransferMap in_madx_variables(beam::TransferMap map,
                                           const beam::TransferMap::Vector& orbit, double p0) {
  beam::TransferMap::Vector end{};
  for (int c = 0; c < beam::n_coordinates; ++c) end[c] = std::exchange(map.component[c].c, 0.);
  return concatenated(concatenated(behind_madx(orbit, p0), map), to_madx(end, p0));
}

/// Optics of a sequence or line, with what tables need of it.
struct MadxOptics {
  beam::BeamLine line;
  double p0 = 0.;
  std::vector<MadxPlaced> placed;  ///< its elements
  std::vector<std::size_t> ends;   ///< index of their ends in `about`
  beam::OrbitOptics about{};       ///< optics in MAD-X' variables
  double longer = 0.;              ///< derivative of the path of a turn by delta, m
};

/// Computes the optics of a TWISS with the definitions that there were.
class MadxOpticsFinder {
 public:
  using Tracker = beam::OrbitTracker<HostExecutor>;

  MadxOpticsFinder(const MadxModel& model, const MadxOptions& options, const MadxTwiss& asked)
      : model_(model), options_(options), asked_(asked) {
    options_.apertures = false;
    options_.exact = true;  // TWISS has edges of bends beyond the linear ones of TRACK
  }

  /// @throws UsageError if there are no optics, InputError if elements cannot be tracked
  MadxOptics find() const {
    MadxExpander expander(model_, options_, max_elements);
    beam::BeamLine line = expander.expand(asked_.sequence);
    MadxOptics found{std::move(line), 0., expander.placed(), expander.ends()};
    for (MadxPlaced& element : found.placed) element.alignment = nullptr;  // it is the model's
    const MadxBeamState* beam = MadxValues(model_).beam(asked_.sequence);
    found.p0 = (beam ? beam->particles() : MadxBeam{}).p0();
    if (beam && beam->direction() < 0.)
      throw UsageError("BV=-1", "elements have the fields of TRACK, not those of TWISS");
    const bool has_cavities = switch_cavities_off(found.line);
    if (has_cavities && asked_.is_line)
      throw UsageError("cavities", "they change the optics of lines in ways that are not computed",
                       {}, "volt=0 switches them off");
    Tracker tracker(HostExecutor(), found.line, found.p0);
    if (asked_.is_line)
      follow(found, tracker, start_of_line(), orbit_of_line(found.p0));
    else
      find_periodic(found, tracker, has_cavities);
    check_modes(found.about.optics);
    return found;
  }

 private:
  static constexpr std::int64_t max_elements = 2'000'000;

  /// Closed orbits have the reference momentum; cavities keep it. Returns whether there are some.
  bool switch_cavities_off(beam::BeamLine& line) const {
    bool any = false;
    for (beam::Element& element : line) {
      if (!element.kind.as<beam::RfCavity>()) continue;
      any = true;
      const double length = beam::length_of(element);
      if (element.kind.momentum_behind(1.) == 1.) element.kind = make_madx_drift(length, options_);
    }
    return any;
  }

  void find_periodic(MadxOptics& found, Tracker& tracker, bool has_cavities) const {
    const auto orbit = tracker.closed_orbit();
    const beam::TransferMap turn = tracker.turn_about(orbit);
    const double length = beam::length_of(found.line);
    if (has_cavities && std::abs(turn.component[beam::s].c) > 1e-10 * length)
      throw UsageError("closed orbit", "it is longer than that of the axis",
                       "cavities then change its momentum, which is not computed",
                       "volt=0 switches them off");
    const auto map = in_madx_variables(turn, orbit, found.p0);
    const auto periodic = beam::periodic_twiss(map);
    follow(found, tracker, periodic.start, orbit);
    found.longer = map.R(5, 6);
    for (int c = 0; c < 4; ++c) found.longer += map.R(5, c + 1) * periodic.start.dispersion[c];
    found.longer *= found.p0 / std::sqrt(1. + found.p0 * found.p0);
  }

  /// Optics along the line, from those at its start.
  static void follow(MadxOptics& found, Tracker& tracker, const beam::Optics& start,
                     const beam::TransferMap::Vector& orbit) {
    beam::OrbitOptics& about = found.about;
    about.orbit = {orbit};
    about.optics = {start};
    double position = 0.;
    const auto maps = tracker.maps_about(orbit);
    for (std::size_t i = 0; i < maps.size(); ++i) {
      beam::TransferMap::Vector at{};
      for (int c = 0; c < beam::n_coordinates; ++c) at[c] = maps[i].component[c].c;
      about.orbit.push_back(at);
      position += beam::length_of(found.line[i]);
      beam::Optics here = behind(start, in_madx_variables(maps[i], orbit, found.p0), position);
      beam::detail::continue_phase(about.optics.back().phase_x, here.phase_x);
      beam::detail::continue_phase(about.optics.back().phase_y, here.phase_y);
      about.optics.push_back(here);
    }
  }

  beam::Optics start_of_line() const {
    const double turn = 2. * std::numbers::pi;
    beam::Optics start;
    start.x = {number("betx"), number("alfx")};
    start.y = {number("bety"), number("alfy")};
    start.phase_x = turn * number("mux");
    start.phase_y = turn * number("muy");
    for (int c = 0; c < 4; ++c)
      start.dispersion[c] = number(std::array{"dx", "dpx", "dy", "dpy"}[c]);
    if (!(start.x.beta > 0.) || !(start.y.beta > 0.))
      throw UsageError("BETX and BETY", "they are above 0 at the start of a line");
    return start;
  }
  beam::TransferMap::Vector orbit_of_line(double p0) const {
    return from_madx(number("x"), number("px"), number("y"), number("py"), number("pt"), p0);
  }
  double number(std::string_view name) const {
    const auto given = asked_.start.find(name);
    return given == asked_.start.end() ? 0. : given->second;
  }

  static void check_modes(const std::vector<beam::Optics>& optics) {
    for (const beam::Optics& at : optics)
      if (!(at.first_in_y.area() < 0.5) || !(at.second_in_x.area() < 0.5))
        throw UsageError("optics", "the planes are coupled too strongly",
                         "a normal mode is mostly in the other plane");
  }

  const MadxModel& model_;
  MadxOptions options_;
  const MadxTwiss& asked_;
};

}  // namespace trackplex::io::detail
