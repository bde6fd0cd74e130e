// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/bunch_map.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/elegant/detail/elegant_rules.hpp>
#include <trackplex/io/elegant/elegant_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// @file
/// elegant's elements that are Taylor maps: their parameters, and what they become.

namespace trackplex::io::detail {

inline beam::ElementKind make_quadrupole(const ElementValues& v) {
  const int order = order_of(v, 3);
  v.require(v("FFRINGE") >= 0. && v("FFRINGE") <= 1., "FFRINGE", "it is a part of the length");
  v.require(v("FFRINGE") == 0. || order < 3, "FFRINGE", "the map of fringe fields is of order 2",
            "take ORDER=2");
  return beam::Quadrupole{.length = v("L"),
                          .k1 = v("K1") * (1. + v("FSE")),
                          .order = order,
                          .misalignment = placement_of(v),
                          .fringe = {.length = 0.5 * v("FFRINGE") * v("L")},
                          .horizontal = v("HKICK") * v("HCALIBRATION"),
                          .vertical = v("VKICK") * v("VCALIBRATION")};
}

inline beam::ElementKind make_sextupole(const ElementValues& v) {
  const int order = order_of(v, 3);
  for (const auto name : {"K1", "J1"})
    v.require(v(name) == 0. || order < 3, name, "its map is of order 2", "take ORDER=2");
  return beam::Sextupole{v("L"), v("K2") * (1. + v("FSE")), order, placement_of(v), v("K1"),
                         v("J1")};
}

inline beam::ElementKind make_octupole(const ElementValues& v) {
  return beam::Octupole{v("L"), v("K3") * (1. + v("FSE")), order_of(v, 3), placement_of(v)};
}

/// The strength of a solenoid is that of KS, or else of B.
inline beam::ElementKind make_solenoid(const ElementValues& v) {
  v.require(v("KS") == 0. || v("B") == 0., "B", "KS is given, too", "give one of them");
  const int order = order_of(v, 2);
  const beam::Misalignment by{.dx = v("DX"), .dy = v("DY"), .dz = v("DZ")};
  if (v("B") != 0.) return beam::SolenoidField{v("L"), v("B"), order, by};
  return beam::Solenoid{v("L"), v("KS"), order, by};
}

/// Kicker of angles before its calibration, rad.
inline beam::ElementKind make_kicker(const ElementValues& v, double horizontal, double vertical) {
  return beam::Kicker{
      v("L"), horizontal, vertical, v("TILT"), order_of(v, 2), v("B2"), v.flag("EDGE_EFFECTS")};
}

inline beam::ElementKind make_monitor(const ElementValues& v) {
  return beam::Monitor{v("L"), order_of(v, 2)};
}

/// A map of elegant's, which acts on s relative to the mean of the bunch.
inline beam::ElementKind map_element(const ElementValues& v, const beam::TransferMap& map,
                                     double momentum_step, const beam::Misalignment& by = {}) {
  const beam::MapElement element(v("L"), beam::misaligned(beam::relative_to_path(map, v("L")), by));
  if (momentum_step == 0. && !beam::depends_on_s(map)) return element;
  return beam::BunchMap{element, momentum_step};
}

/// A map by its coefficients, which are 0 where they are not given.
inline beam::ElementKind make_matrix(const ElementValues& v) {
  beam::TransferMap map;
  map.order = order_of(v, 2);
  const auto digit = [](int i) { return char('0' + i); };
  for (int i = 1; i <= 6; ++i) {
    map.C(i) = v(std::string{'C', digit(i)});
    for (int j = 1; j <= 6; ++j) {
      map.R(i, j) = v(std::string{'R', digit(i), digit(j)});
      for (int k = 1; k <= j && map.order > 1; ++k)
        map.T(i, j, k) = v(std::string{'T', digit(i), digit(j), digit(k)});
    }
  }
  return map_element(v, map, v("DELTAP"), misalignment_of(v));
}

/// The map of a file, cut to an order.
inline beam::ElementKind make_matrix_of_file(const ElementValues& v) {
  v.require(v.is_given("FILENAME"), "FILENAME", "there is no map without a file");
  beam::TransferMap map = read_elegant_matrix(v.path("FILENAME"));
  const int order = order_of(v, 3);
  v.require(order <= map.order, "ORDER", "the map of the file is of a lower one");
  map.order = order;
  for (beam::Polynomial& p : map.component) {
    if (order < 2) p.t.fill(0.);
    if (order < 3) p.q.fill(0.);
  }
  return map_element(v, map, 0.);
}

/// `edges` is the angle that the edges of a rectangular magnet have beside E1 and E2, `length` that
/// along the axis. Without an angle it is a drift, as in elegant, whatever K1 and K2 are.
inline beam::ElementKind make_bend(const ElementValues& v, double length, double edges) {
  const double angle = v("ANGLE");
  if (std::abs(angle) < 1e-10) return beam::Drift{length, order_of(v, 2)};
  v.require(length > 0., "L", "a bend of an angle has a length");
  for (const auto name : {"E1", "E2"})
    v.require(std::abs(v(name) + edges) < 0.5 * std::numbers::pi, name,
              "the edge must be less than a quarter turn from the normal of the axis");
  v.require(v("EDGE_ORDER") >= 0. && v("EDGE_ORDER") <= 2., "EDGE_ORDER",
            "orders are 1 and 2, and 0 for that of the bend");
  const double dipole_error = v("FSE") + v("FSE_DIPOLE");
  v.require(dipole_error > -1., "FSE", "a bend has a field");
  v.require(v("ETILT") == 0. || v("TILT") == 0., "ETILT", "the bend has a TILT, too");
  const beam::SectorBend magnet{.length = length,
                                .angle = angle,
                                .k1 = v("K1") * (1. + v("FSE") + v("FSE_QUADRUPOLE")),
                                .k2 = v("K2") * (1. + v("FSE")),
                                .entrance = v("E1") + edges,
                                .exit = v("E2") + edges,
                                .half_gap = v("HGAP"),
                                .fringe = v("FINT"),
                                .entrance_edge = v.flag("EDGE1_EFFECTS"),
                                .exit_edge = v.flag("EDGE2_EFFECTS"),
                                .entrance_curvature = v("H1"),
                                .exit_curvature = v("H2"),
                                .dipole_error = dipole_error,
                                .error_tilt = error_tilt_of(v),
                                .edge_order = v.integer("EDGE_ORDER")};
  return beam::Bend{magnet, order_of(v, 2), placement_of(v)};
}

/// The length of a rectangular bend is that of its chord.
inline beam::ElementKind make_rectangular_bend(const ElementValues& v) {
  const double half = 0.5 * v("ANGLE");
  v.require(std::abs(half) < 0.5 * std::numbers::pi, "ANGLE",
            "a rectangular magnet bends by less than half a turn");
  const double arc_per_chord = std::abs(half) > 1e-14 ? half / sin(half) : 1.;
  return make_bend(v, v("L") * arc_per_chord, half);
}

/// The parameters that quadrupoles and sextupoles share, and others.
inline std::vector<ParameterRule> magnet_parameters(const char* strength,
                                                    const std::vector<ParameterRule>& others) {
  std::vector<ParameterRule> rules = {
      {"L", 0., ParameterKind::not_negative}, {strength}, {"TILT"}, {"DX"}, {"DY"}, {"FSE"}};
  rules.insert(rules.end(), others.begin(), others.end());
  return rules;
}

/// The parameters of bends.
inline std::vector<ParameterRule> bend_parameters() {
  using enum ParameterKind;
  return {{"L", 0., not_negative},
          {"ANGLE"},
          {"K1"},
          {"K2"},
          {"E1"},
          {"E2"},
          {"TILT"},
          {"HGAP", 0., not_negative},
          {"FINT", 0.5},
          {"DX"},
          {"DY"},
          {"ORDER", 0., integer},
          {"EDGE1_EFFECTS", 1., flag},
          {"EDGE2_EFFECTS", 1., flag},
          {"FSE"},
          {"FSE_DIPOLE"},
          {"FSE_QUADRUPOLE"},
          {"H1"},
          {"H2"},
          {"DZ"},
          {"ETILT"},
          {"ETILT_SIGN", 1., integer},
          {"B1", 0., passive},  // without USE_BN
          {"B2", 0., passive},
          {"EDGE_ORDER", 0., integer},
          {"TRANSPORT", 0., fixed},
          {"USE_BN", 0., fixed}};
}

/// The parameters that kickers share, and others.
inline std::vector<ParameterRule> kicker_parameters(const std::vector<ParameterRule>& others) {
  using enum ParameterKind;
  std::vector<ParameterRule> rules = {{"L", 0., not_negative},
                                      {"TILT"},
                                      {"B2"},
                                      {"ORDER", 0., integer},
                                      {"EDGE_EFFECTS", 0., flag},
                                      {"STEERING", 1., passive},
                                      {"LERAD", 0., passive},
                                      {"SYNCH_RAD", 0., fixed},
                                      {"ISR", 0., fixed}};
  rules.insert(rules.end(), others.begin(), others.end());
  return rules;
}

/// The parameters of monitors of one plane: what they read is not computed here.
inline std::vector<ParameterRule> monitor_parameters(const char* calibration = "CALIBRATION",
                                                     const char* setpoint = "SETPOINT",
                                                     const char* readout = "READOUT") {
  using enum ParameterKind;
  return {{"L"},
          {"DX", 0., passive},
          {"DY", 0., passive},
          {"TILT", 0., passive},
          {"WEIGHT", 1., passive},
          {calibration, 1., passive},
          {setpoint, 0., passive},
          {readout, 0., passive},
          {"CO_FITPOINT", 0., passive},
          {"STORE_TURN_BY_TURN", 0., passive},
          {"ORDER", 0., integer}};
}
/// Those of monitors of both planes.
inline std::vector<ParameterRule> double_monitor_parameters() {
  using enum ParameterKind;
  auto all = monitor_parameters("XCALIBRATION", "XSETPOINT", "XREADOUT");
  all.insert(
      all.end(),
      {{"YCALIBRATION", 1., passive}, {"YSETPOINT", 0., passive}, {"YREADOUT", 0., passive}});
  return all;
}

/// L, DX, DY, TILT, ORDER, Ci, Rij and Tijk. DELTAP changes the reference momentum.
inline std::vector<ParameterRule> matrix_parameters() {
  using enum ParameterKind;
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (char i = '1'; i <= '6'; ++i) {
      all.push_back({'C', i});
      for (char j = '1'; j <= '6'; ++j) {
        all.push_back({'R', i, j});
        for (char k = '1'; k <= j; ++k) all.push_back({'T', i, j, k});
      }
    }
    return all;
  }();
  std::vector<ParameterRule> rules = {{"L"},     {"DX"}, {"DY"}, {"TILT"}, {"ORDER", 0., integer},
                                      {"DELTAP"}};
  for (const std::string& name : names) rules.push_back({name});
  return rules;
}

/// The keywords of elements that are Taylor maps.
inline std::vector<ElementRule> map_rules() {
  using enum ParameterKind;
  using Values = const ElementValues&;
  return {
      {"DRIF",
       "DRIFT",
       {{"L"}, {"ORDER", 0., integer}},
       [](Values v) -> beam::ElementKind {
         return beam::Drift{v("L"), order_of(v, 2)};
       }},
      {"EDRIFT",
       "",
       {{"L"}},
       [](Values v) -> beam::ElementKind { return beam::ExactDrift{v("L")}; }},
      {"MARK",
       "MARKER",
       {{"DX", 0., passive}, {"DY", 0., passive}, {"FITPOINT", 0., passive}},
       [](Values) -> beam::ElementKind { return beam::Marker{}; }},

      {"QUAD", "QUADRUPOLE",
       magnet_parameters("K1", {{"ORDER", 0., integer},
                                {"FFRINGE"},
                                {"DZ"},
                                {"HKICK"},
                                {"VKICK"},
                                {"HCALIBRATION", 1.},
                                {"VCALIBRATION", 1.},
                                {"HSTEERING", 0., passive},
                                {"VSTEERING", 0., passive},
                                {"PITCH", 0., fixed},
                                {"YAW", 0., fixed},
                                {"EDGE1_EFFECTS", 1., fixed},
                                {"EDGE2_EFFECTS", 1., fixed},
                                {"LEFFECTIVE", -1., fixed},
                                {"RADIAL", 0., fixed},
                                {"MALIGN_METHOD", 0., fixed}}),
       make_quadrupole},
      {"SEXT", "SEXTUPOLE",
       magnet_parameters("K2",
                         {{"ORDER", 0., integer}, {"K1"}, {"J1"}, {"DZ"}, {"FFRINGE", 0., fixed}}),
       make_sextupole},
      {"OCTU", "OCTUPOLE", magnet_parameters("K3", {{"ORDER", 0., integer}, {"DZ"}}),
       make_octupole},
      {"SOLE",
       "SOLENOID",
       {{"L", 0., not_negative}, {"KS"}, {"B"}, {"DX"}, {"DY"}, {"DZ"}, {"ORDER", 0., integer}},
       make_solenoid},
      {"SBEN", "SBEND", bend_parameters(), [](Values v) { return make_bend(v, v("L"), 0.); }},
      {"RBEN", "RBEND", bend_parameters(), make_rectangular_bend},
      {"HKICK", "HKICKER", kicker_parameters({{"KICK"}, {"CALIBRATION", 1.}}),
       [](Values v) { return make_kicker(v, v("KICK") * v("CALIBRATION"), 0.); }},
      {"VKICK", "VKICKER", kicker_parameters({{"KICK"}, {"CALIBRATION", 1.}}),
       [](Values v) { return make_kicker(v, 0., v("KICK") * v("CALIBRATION")); }},
      {"KICKER", "",
       kicker_parameters({{"HKICK"}, {"VKICK"}, {"HCALIBRATION", 1.}, {"VCALIBRATION", 1.}}),
       [](Values v) {
         return make_kicker(v, v("HKICK") * v("HCALIBRATION"), v("VKICK") * v("VCALIBRATION"));
       }},
      {"MONI", "MONITOR", double_monitor_parameters(), make_monitor},
      {"HMON", "HMONITOR", monitor_parameters(), make_monitor},
      {"VMON", "VMONITOR", monitor_parameters(), make_monitor},
      {"EMATRIX", "", matrix_parameters(), make_matrix},
      {"MATR",
       "MATRIX",
       {{"L"}, {"FILENAME", 0., text}, {"ORDER", 1., integer}},
       make_matrix_of_file},
  };
}

}  // namespace trackplex::io::detail
