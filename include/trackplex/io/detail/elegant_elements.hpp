// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/elegant_apertures.hpp>
#include <trackplex/io/detail/elegant_canonical.hpp>
#include <trackplex/io/detail/elegant_rules.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

/// @file
/// elegant's keywords of elements, with its parameters and their defaults.

namespace trackplex::io::detail {

template <class... Others>
std::vector<ElementRule> joined(std::vector<ElementRule> rules, const Others&... others) {
  (rules.insert(rules.end(), others.begin(), others.end()), ...);
  return rules;
}

inline beam::ElementKind make_quadrupole(const ElementValues& v) {
  return beam::Quadrupole{v("L"), v("K1") * (1. + v("FSE")), order_of(v, 3), misalignment_of(v)};
}

inline beam::ElementKind make_sextupole(const ElementValues& v) {
  return beam::Sextupole{v("L"), v("K2") * (1. + v("FSE")), order_of(v, 3), misalignment_of(v)};
}

/// A bend without an angle is what elegant makes of it: a quadrupole, sextupole or drift.
inline beam::ElementKind make_straight_bend(const ElementValues& v) {
  if (v("K2") == 0.) {
    if (v("K1") == 0.) return beam::Drift{v("L"), order_of(v, 2)};
    return beam::Quadrupole{v("L"), v("K1"), order_of(v, 3), misalignment_of(v)};
  }
  v.require(v("K1") == 0., "K1", "the magnet has K2, too, and no angle",
            "make it a QUAD and a SEXT");
  return beam::Sextupole{v("L"), v("K2"), order_of(v, 3), misalignment_of(v)};
}

/// `edges` is the angle that the edges of a rectangular magnet have beside E1 and E2, `length` that
/// along the axis.
inline beam::ElementKind make_bend(const ElementValues& v, double length, double edges) {
  const double angle = v("ANGLE");
  if (std::abs(angle) < 1e-10 || length > 1e6 * std::abs(angle)) return make_straight_bend(v);
  v.require(length > 0., "L", "a bend of an angle has a length");
  for (const auto name : {"E1", "E2"})
    v.require(std::abs(v(name) + edges) < 0.5 * std::acos(-1.), name,
              "the edge must be less than a quarter turn from the normal of the axis");
  const beam::SectorBend magnet{.length = length,
                                .angle = angle,
                                .k1 = v("K1"),
                                .k2 = v("K2"),
                                .entrance = v("E1") + edges,
                                .exit = v("E2") + edges,
                                .half_gap = v("HGAP"),
                                .fringe = v("FINT"),
                                .entrance_edge = v.flag("EDGE1_EFFECTS"),
                                .exit_edge = v.flag("EDGE2_EFFECTS")};
  return beam::Bend{magnet, order_of(v, 2), misalignment_of(v)};
}

/// The length of a rectangular bend is that of its chord.
inline beam::ElementKind make_rectangular_bend(const ElementValues& v) {
  const double half = 0.5 * v("ANGLE");
  v.require(std::abs(half) < 0.5 * std::acos(-1.), "ANGLE",
            "a rectangular magnet bends by less than half a turn");
  const double arc_per_chord = std::abs(half) > 1e-14 ? half / std::sin(half) : 1.;
  return make_bend(v, v("L") * arc_per_chord, half);
}

inline beam::ElementKind make_space_charge_drift(const ElementValues& v) {
  beam::SpaceChargeDrift e;
  e.length = v("L");
  e.effective_length = v("LEFFECTIVE");
  e.bins = v.integer("BINS");
  e.space_charge = v.flag("LSC");
  if (e.space_charge)
    v.require(e.bins >= 4 && e.bins % 2 == 0, "BINS", "an even number of 4 or more is needed");
  e.smoothing = v.flag("SMOOTHING");
  e.smoothing_half_width = v.integer("SG_HALFWIDTH");
  e.smoothing_order = v.integer("SG_ORDER");
  if (e.smoothing) {
    v.require(e.smoothing_half_width >= 1, "SG_HALFWIDTH", "one bin is the least");
    v.require(e.smoothing_order >= 0 && e.smoothing_order <= 2 * e.smoothing_half_width, "SG_ORDER",
              "a polynomial needs more points than its order");
  }
  e.interpolate = v.flag("INTERPOLATE");
  e.low_frequency = {v("LOW_FREQUENCY_CUTOFF0"), v("LOW_FREQUENCY_CUTOFF1")};
  e.high_frequency = {v("HIGH_FREQUENCY_CUTOFF0"), v("HIGH_FREQUENCY_CUTOFF1")};
  e.radius_factor = v("RADIUS_FACTOR");
  v.require(e.radius_factor > 0., "RADIUS_FACTOR", "it must be above 0");
  return e;
}

/// The parameters that quadrupoles and sextupoles share, and others.
inline std::vector<ParameterRule> magnet_parameters(const char* strength,
                                                    const std::vector<ParameterRule>& others) {
  std::vector<ParameterRule> rules = {
      {"L", 0., ParameterKind::not_negative}, {strength}, {"TILT"}, {"DX"}, {"DY"}, {"FSE"}};
  rules.insert(rules.end(), others.begin(), others.end());
  return rules;
}

/// The parameters of bends. Errors of strength change the orbit, which maps to second order around
/// the axis do not describe: they are fixed.
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
          {"FSE", 0., fixed},
          {"FSE_DIPOLE", 0., fixed},
          {"FSE_QUADRUPOLE", 0., fixed},
          {"H1", 0., fixed},
          {"H2", 0., fixed},
          {"DZ", 0., fixed},
          {"ETILT", 0., fixed},
          {"EDGE_ORDER", 0., fixed},
          {"TRANSPORT", 0., fixed},
          {"USE_BN", 0., fixed}};
}

/// All keywords. LINE is not among them.
inline const std::vector<ElementRule>& element_rules() {
  using enum ParameterKind;
  using Values = const ElementValues&;
  using Kind = beam::ElementKind;
  static const std::vector<ElementRule> rules = joined(
      {
          {"DRIF",
           "DRIFT",
           {{"L"}, {"ORDER", 0., integer}},
           [](Values v) -> Kind {
             return beam::Drift{v("L"), order_of(v, 2)};
           }},
          {"EDRIFT", "", {{"L"}}, [](Values v) -> Kind { return beam::ExactDrift{v("L")}; }},
          {"QUAD", "QUADRUPOLE",
           magnet_parameters("K1", {{"ORDER", 0., integer},
                                    {"FFRINGE", 0., fixed},
                                    {"DZ", 0., fixed},
                                    {"HKICK", 0., fixed},
                                    {"VKICK", 0., fixed},
                                    {"PITCH", 0., fixed},
                                    {"YAW", 0., fixed}}),
           make_quadrupole},
          {"SEXT", "SEXTUPOLE",
           magnet_parameters("K2", {{"ORDER", 0., integer},
                                    {"K1", 0., fixed},
                                    {"J1", 0., fixed},
                                    {"DZ", 0., fixed},
                                    {"FFRINGE", 0., fixed}}),
           make_sextupole},
          {"SBEN", "SBEND", bend_parameters(), [](Values v) { return make_bend(v, v("L"), 0.); }},
          {"RBEN", "RBEND", bend_parameters(), make_rectangular_bend},
          {"HKICK",
           "HKICKER",
           {{"L", 0., not_negative}, {"KICK"}, {"TILT"}},
           [](Values v) -> Kind {
             return beam::Kicker{v("L"), v("KICK"), 0., v("TILT")};
           }},
          {"VKICK",
           "VKICKER",
           {{"L", 0., not_negative}, {"KICK"}, {"TILT"}},
           [](Values v) -> Kind {
             return beam::Kicker{v("L"), 0., v("KICK"), v("TILT")};
           }},
          {"KICKER",
           "",
           {{"L", 0., not_negative}, {"HKICK"}, {"VKICK"}, {"TILT"}},
           [](Values v) -> Kind {
             return beam::Kicker{v("L"), v("HKICK"), v("VKICK"), v("TILT")};
           }},
          {"MARK",
           "MARKER",
           {{"FITPOINT", 0., fixed}},
           [](Values) -> Kind { return beam::Marker{}; }},
          {"LSCDRIFT",
           "",
           {{"L", 0., not_negative},
            {"LEFFECTIVE", 0., not_negative},
            {"BINS", 0., integer},
            {"SMOOTHING", 0., flag},
            {"SG_HALFWIDTH", 1., integer},
            {"SG_ORDER", 1., integer},
            {"INTERPOLATE", 1., flag},
            {"LSC", 1., flag},
            {"LOW_FREQUENCY_CUTOFF0", -1.},
            {"LOW_FREQUENCY_CUTOFF1", -1.},
            {"HIGH_FREQUENCY_CUTOFF0", -1.},
            {"HIGH_FREQUENCY_CUTOFF1", -1.},
            {"RADIUS_FACTOR", 1.7},
            {"AUTO_LEFFECTIVE", 0., fixed}},
           make_space_charge_drift},
          {"CHARGE",
           "",
           {{"TOTAL"}, {"PER_PARTICLE", 0., fixed}},
           [](Values v) -> Kind { return beam::Charge{v("TOTAL")}; }},
      },
      canonical_rules(), aperture_rules());
  return rules;
}

}  // namespace trackplex::io::detail
