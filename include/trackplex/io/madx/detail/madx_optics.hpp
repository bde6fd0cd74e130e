// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/madx/detail/madx_expand.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// @file
/// Tables of TWISS: the optics of a sequence in MAD-X' variables.

namespace trackplex::io::detail {

/// What a TWISS is asked for.
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

/// Value that is computed when it is asked for first, as is an error.
template <class Value>
class MadxLazy {
 public:
  template <class Compute>
  const Value& operator()(const Compute& compute) const {
    std::call_once(once_, [&] {
      try {
        value_.emplace(compute());
      } catch (...) {
        error_ = std::current_exception();
      }
    });
    if (error_) std::rethrow_exception(error_);
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::optional<Value> value_;
  mutable std::exception_ptr error_;
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

/// Place of a table: the end of an element.
struct MadxTableRow {
  const beam::Optics& at;
  const beam::TransferMap::Vector& orbit;
  double p0, length;
};

/// Column of a table.
template <class Row>
struct MadxColumn {
  std::string_view name;
  double (*value)(const Row&);
};

/// Columns of twiss. Coupled planes have the beta functions of D. A. Edwards and L. C. Teng, IEEE
/// Trans. Nucl. Sci. 20 (1973) 885: those of a mode in its own plane over its share of the area.
inline constexpr MadxColumn<MadxTableRow> madx_twiss_columns[] = {
    {"s", [](const MadxTableRow& v) { return v.at.position; }},
    {"l", [](const MadxTableRow& v) { return v.length; }},
    {"betx", [](const MadxTableRow& v) { return v.at.x.beta / (1. - v.at.first_in_y.area()); }},
    {"alfx", [](const MadxTableRow& v) { return v.at.x.alpha / (1. - v.at.first_in_y.area()); }},
    {"mux", [](const MadxTableRow& v) { return v.at.phase_x * (0.5 * std::numbers::inv_pi); }},
    {"bety", [](const MadxTableRow& v) { return v.at.y.beta / (1. - v.at.second_in_x.area()); }},
    {"alfy", [](const MadxTableRow& v) { return v.at.y.alpha / (1. - v.at.second_in_x.area()); }},
    {"muy", [](const MadxTableRow& v) { return v.at.phase_y * (0.5 * std::numbers::inv_pi); }},
    {"x", [](const MadxTableRow& v) { return v.orbit[beam::x]; }},
    {"px", [](const MadxTableRow& v) { return momentum_along(v.orbit) * v.orbit[beam::xp]; }},
    {"y", [](const MadxTableRow& v) { return v.orbit[beam::y]; }},
    {"py", [](const MadxTableRow& v) { return momentum_along(v.orbit) * v.orbit[beam::yp]; }},
    {"pt", [](const MadxTableRow& v) { return madx_energy(v.orbit[beam::delta], v.p0); }},
    {"dx", [](const MadxTableRow& v) { return v.at.dispersion[0]; }},
    {"dpx", [](const MadxTableRow& v) { return v.at.dispersion[1]; }},
    {"dy", [](const MadxTableRow& v) { return v.at.dispersion[2]; }},
    {"dpy", [](const MadxTableRow& v) { return v.at.dispersion[3]; }},
};

/// Tables of a TWISS, for the definitions that there were.
class MadxOptics : public MadxTables {
 public:
  MadxOptics(MadxModel model, MadxOptions options, MadxTwiss asked)
      : model_(std::move(model)), options_(std::move(options)), asked_(std::move(asked)) {
    options_.apertures = false;
  }

  double value(const MadxStep& step) const override {
    return step.words[0] == "summ" ? of_summ(step) : of_twiss(step);
  }
  void prepare() const override {
    try {
      found();
    } catch (const Error&) {  // again where a value is asked for
    }
  }

 private:
  using Tracker = beam::OrbitTracker<HostExecutor>;
  static constexpr std::int64_t max_elements = 2'000'000;

  struct Found {
    beam::BeamLine line;
    double p0 = 0.;
    std::vector<MadxPlaced> placed;  ///< elements, with the index of their ends
    std::vector<std::size_t> ends;
    beam::OrbitOptics about;
    double longer = 0.;  ///< derivative of the path of a turn by delta, m
  };

  // Computation

  const Found& found() const {
    return found_([this] {
      if (!asked_.problem.empty())
        refuse_madx(asked_.problem_at, "TWISS makes no tables: " + asked_.problem, {}, asked_.help);
      try {
        Found found = compute();
        model_ = {};
        for (MadxPlaced& element : found.placed) element.alignment = nullptr;
        return found;
      } catch (const UsageError& error) {
        refuse_madx(asked_.at,
                    "TWISS of '" + asked_.sequence + "' makes no tables: " + error.what());
      }
    });
  }

  Found compute() const {
    MadxExpander expander(model_, options_, max_elements);
    Found found{expander.expand(asked_.sequence), {}, expander.placed(), expander.ends(), {}, 0.};
    const MadxBeamState* beam = MadxValues(model_).beam(asked_.sequence);
    found.p0 = (beam ? beam->particles() : MadxBeam{}).p0();
    if (beam && beam->direction() < 0.)
      throw UsageError("BV=-1", "elements have the fields of TRACK, not those of TWISS");
    const bool has_cavities = switch_cavities_off(found.line);
    if (has_cavities && asked_.is_line)
      throw UsageError("cavities", "they change the optics of lines in ways that are not computed",
                       {}, "volt=0 switches them off");
    const HostExecutor exec;
    Tracker tracker(exec, found.line, found.p0);
    if (asked_.is_line)
      follow(found, tracker, start_of_line(), orbit_of_line(found.p0));
    else
      find_periodic(found, tracker, has_cavities);
    check_modes(found.about.optics);
    return found;
  }

  /// Closed orbits have the reference momentum; cavities keep it. Returns whether there are some.
  bool switch_cavities_off(beam::BeamLine& line) const {
    bool any = false;
    for (beam::Element& element : line) {
      if (!element.kind.as<beam::RfCavity>()) continue;
      any = true;
      const double length = beam::length_of(element);
      if (element.kind.momentum_behind(1.) == 1.)
        element.kind = make_madx_drift(length, options_);
    }
    return any;
  }

  void find_periodic(Found& found, Tracker& tracker, bool has_cavities) const {
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
  static void follow(Found& found, Tracker& tracker, const beam::Optics& start,
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

  // Table twiss

  double of_twiss(const MadxStep& step) const {
    if (step.words.size() != 3 || is_number(step.words[2]))
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value",
                  "a value of this table belongs to an element",
                  "write table(" + step.words[0] + ", element, column)");
    const auto& column = column_of<MadxTableRow>(madx_twiss_columns, step, step.words[2]);
    const Found& optics = found();
    const auto [index, length] = place_of(optics, step);
    return column.value({optics.about.optics[index], optics.about.orbit[index], optics.p0, length});
  }
  static bool is_number(std::string_view word) {
    return !word.empty() && is_lattice_digit(word[0]);
  }

  /// Index of the end of an element, and its length.
  std::pair<std::size_t, double> place_of(const Found& optics, const MadxStep& step) const {
    const std::string& name = step.words[1];
    check_name(step, name);
    const MadxNodeName wanted(name);
    for (std::size_t i = 0; i < optics.placed.size(); ++i) {
      const MadxPlaced& element = optics.placed[i];
      if (element.name == wanted.name && element.occurrence == wanted.occurrence &&
          optics.ends[i] != MadxExpander::not_there)
        return {optics.ends[i], element.length};
    }
    const bool is_whole = std::ranges::find(optics.ends, MadxExpander::not_there) ==
                          optics.ends.end();
    if (is_whole && name == asked_.sequence + "$start") return {0, 0.};
    if (is_whole && name == asked_.sequence + "$end") return {optics.about.optics.size() - 1, 0.};
    std::vector<std::string_view> names;
    for (const MadxPlaced& element : optics.placed) names.push_back(element.name);
    refuse_madx(step.at,
                "'" + step.shown_table() + "': there is no '" + name + "' in '" + asked_.sequence +
                    "' as TWISS had it",
                {}, closest_name(wanted.name, names, "name[n] is the n-th one of that name"));
  }
  void check_name(const MadxStep& step, const std::string& name) const {
    const auto open = name.find('[');
    int n = 0;
    const char *begin = name.data() + open + 1, *end = name.data() + name.size() - 1;
    const bool is_good = name.find(':') == name.npos && name.find('#') == name.npos &&
                         (open == name.npos ||
                          (name.back() == ']' &&
                           std::from_chars(begin, end, n) == std::from_chars_result{end, {}}));
    if (!is_good)
      refuse_madx(step.at, "'" + step.shown_table() + "': MAD-X finds no '" + name + "'", {},
                  "name[n] is the n-th element of a name, " + asked_.sequence + "$start and " +
                      asked_.sequence + "$end are the start and the end");
  }

  template <class Row>
  static const MadxColumn<Row>& column_of(std::span<const MadxColumn<Row>> columns,
                                          const MadxStep& step, const std::string& name) {
    std::string all;
    for (const MadxColumn<Row>& column : columns) {
      if (column.name == name) return column;
      all.append(all.empty() ? "" : ", ").append(column.name);
    }
    refuse_madx(step.at,
                "'" + step.shown_table() + "': the column '" + name + "' is not computed here", {},
                "those of " + step.words[0] + " are " + all);
  }

  // Table summ

  double of_summ(const MadxStep& step) const {
    if (step.words.size() != 2 && !(step.words.size() == 3 && step.words[2] == "1"))
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value", "this table has one row",
                  "write table(summ, column)");
    const auto& column = column_of<MadxOptics>(summ_columns(), step, step.words[1]);
    found();
    if (asked_.is_line && is_of_rings(column.name))
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value",
                  "TWISS has values at the start of a line",
                  "leave them out for a ring");
    try {
      return column.value(*this);
    } catch (const UsageError& error) {
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value: " + error.what());
    }
  }
  static bool is_of_rings(std::string_view column) {
    return column == "dq1" || column == "dq2" || column == "alfa" || column == "gammatr";
  }
  /// Largest magnitude of a column of twiss.
  double largest(std::string_view name) const {
    const auto column = std::ranges::find(madx_twiss_columns, name, &MadxColumn<MadxTableRow>::name);
    const Found& all = found();
    double most = 0.;
    for (std::size_t i = 0; i < all.about.optics.size(); ++i)
      most = std::max(most, std::abs(column->value(
                                {all.about.optics[i], all.about.orbit[i], all.p0, 0.})));
    return most;
  }
  const beam::Optics& end() const { return found().about.optics.back(); }
  double compaction() const { return found().longer / end().position; }
  const beam::Chromaticity& chromaticity() const {
    return chromaticity_([this] {
      const HostExecutor exec;
      Tracker tracker(exec, found().line, found().p0);
      return beam::orbit_chromaticity(tracker);
    });
  }

  static constexpr double per_turn = 0.5 * std::numbers::inv_pi;
  static std::span<const MadxColumn<MadxOptics>> summ_columns() {
    static constexpr MadxColumn<MadxOptics> columns[] = {
      {"length", [](const MadxOptics& v) { return v.end().position; }},
      {"q1", [](const MadxOptics& v) { return v.end().phase_x * per_turn; }},
      {"q2", [](const MadxOptics& v) { return v.end().phase_y * per_turn; }},
      {"dq1", [](const MadxOptics& v) { return v.chromaticity().x; }},
      {"dq2", [](const MadxOptics& v) { return v.chromaticity().y; }},
      {"alfa", [](const MadxOptics& v) { return v.compaction(); }},
      {"gammatr",
       [](const MadxOptics& v) {
         const double alfa = v.compaction();
         if (alfa == 0.) throw UsageError("gammatr", "the path does not depend on the momentum");
         return std::copysign(1. / std::sqrt(std::abs(alfa)), alfa);
       }},
      {"betxmax", [](const MadxOptics& v) { return v.largest("betx"); }},
      {"betymax", [](const MadxOptics& v) { return v.largest("bety"); }},
      {"dxmax", [](const MadxOptics& v) { return v.largest("dx"); }},
      {"dymax", [](const MadxOptics& v) { return v.largest("dy"); }},
      {"xcomax", [](const MadxOptics& v) { return v.largest("x"); }},
      {"ycomax", [](const MadxOptics& v) { return v.largest("y"); }},
  };
    return columns;
  }

  mutable MadxModel model_;  ///< until the optics are computed
  MadxOptions options_;
  MadxTwiss asked_;
  MadxLazy<Found> found_;
  MadxLazy<beam::Chromaticity> chromaticity_;
};

}  // namespace trackplex::io::detail
