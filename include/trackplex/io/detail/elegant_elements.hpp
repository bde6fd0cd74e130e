// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/elegant_map_elements.hpp>
#include <trackplex/io/detail/elegant_values.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// elegant's keywords of elements, with its parameters and their defaults.

namespace trackplex::io::detail {

struct ElementRule {
  std::string_view keyword;
  std::string_view long_name;  ///< MAD's spelling, which elegant takes, too; may be empty
  std::vector<ParameterRule> parameters;
  beam::ElementKind (*make)(const ElementValues&);
};

/// A magnet that is integrated: ThickQuadrupole or ThickSextupole.
template <class Thick>
beam::ElementKind make_thick(const ElementValues& v, std::string_view strength) {
  const int order = v.integer("INTEGRATION_ORDER"), slices = v.integer("N_SLICES");
  v.require(order == 2 || order == 4 || order == 6, "INTEGRATION_ORDER", "it is 2, 4 or 6");
  v.require(slices >= 1, "N_SLICES", "there must be one at least");
  return Thick{v("L"), v(strength) * (1. + v("FSE")), slices, order, misalignment_of(v)};
}

inline beam::ElementKind make_collimator(const ElementValues& v, beam::Collimator::Shape shape) {
  return beam::Collimator{shape, v("L"), v("X_MAX"), v("Y_MAX"), v("DX"), v("DY")};
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

/// All keywords. LINE is not among them.
inline const std::vector<ElementRule>& element_rules() {
  using enum ParameterKind;
  using Values = const ElementValues&;
  using Kind = beam::ElementKind;
  using Shape = beam::Collimator::Shape;
  static const std::vector<ElementRule> rules = {
      {"DRIF",
       "DRIFT",
       {{"L"}, {"ORDER", 0., integer}},
       [](Values v) -> Kind {
         return beam::Drift{v("L"), order_of(v, 2)};
       }},
      {"EDRIFT", "", {{"L"}}, [](Values v) -> Kind { return beam::ExactDrift{v("L")}; }},
      {"QUAD", "QUADRUPOLE",
       magnet_parameters("K1", {{"ORDER", 0., integer},
                                {"FFRINGE"},
                                {"DZ"},
                                {"HKICK"},
                                {"VKICK"},
                                {"HCALIBRATION", 1.},
                                {"VCALIBRATION", 1.},
                                {"HSTEERING", 0., flag},
                                {"VSTEERING", 0., flag},
                                {"PITCH", 0., fixed},
                                {"YAW", 0., fixed}}),
       make_quadrupole},
      {"KQUAD", "",
       magnet_parameters("K1", {{"N_SLICES", 4., integer},
                                {"INTEGRATION_ORDER", 4., integer},
                                {"N_KICKS", 0., fixed},
                                {"DZ", 0., fixed},
                                {"HKICK", 0., fixed},
                                {"VKICK", 0., fixed},
                                {"SYNCH_RAD", 0., fixed},
                                {"EDGE1_EFFECTS", 0., fixed},
                                {"EDGE2_EFFECTS", 0., fixed}}),
       [](Values v) { return make_thick<beam::ThickQuadrupole>(v, "K1"); }},
      {"SEXT", "SEXTUPOLE",
       magnet_parameters("K2",
                         {{"ORDER", 0., integer}, {"K1"}, {"J1"}, {"DZ"}, {"FFRINGE", 0., fixed}}),
       make_sextupole},
      {"OCTU", "OCTUPOLE", magnet_parameters("K3", {{"ORDER", 0., integer}, {"DZ"}}),
       make_octupole},
      {"SOLE",
       "SOLENOID",
       {{"L", 0., not_negative},
        {"KS"},
        {"B"},
        {"TILT"},
        {"DX"},
        {"DY"},
        {"DZ"},
        {"ORDER", 0., integer}},
       make_solenoid},
      {"KSEXT", "",
       magnet_parameters("K2", {{"N_SLICES", 4., integer},
                                {"INTEGRATION_ORDER", 4., integer},
                                {"N_KICKS", 0., fixed},
                                {"K1", 0., fixed},
                                {"J1", 0., fixed},
                                {"DZ", 0., fixed},
                                {"SYNCH_RAD", 0., fixed}}),
       [](Values v) { return make_thick<beam::ThickSextupole>(v, "K2"); }},
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
      {"MONI", "MONITOR", monitor_parameters(), make_monitor},
      {"HMON", "HMONITOR", monitor_parameters(), make_monitor},
      {"VMON", "VMONITOR", monitor_parameters(), make_monitor},
      {"EMATRIX", "", matrix_parameters(), make_matrix},
      {"MARK", "MARKER", {{"FITPOINT", 0., fixed}}, [](Values) -> Kind { return beam::Marker{}; }},
      {"RCOL",
       "RCOLLIMATOR",
       {{"L", 0., not_negative},
        {"X_MAX", 0., not_negative},
        {"Y_MAX", 0., not_negative},
        {"DX"},
        {"DY"},
        {"INVERT", 0., fixed}},
       [](Values v) { return make_collimator(v, Shape::rectangle); }},
      {"ECOL",
       "ECOLLIMATOR",
       {{"L", 0., not_negative},
        {"X_MAX", 0., not_negative},
        {"Y_MAX", 0., not_negative},
        {"DX"},
        {"DY"},
        {"INVERT", 0., fixed},
        {"EXPONENT", 2., fixed},
        {"YEXPONENT", 0., fixed}},
       [](Values v) { return make_collimator(v, Shape::ellipse); }},
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
  };
  return rules;
}

}  // namespace trackplex::io::detail
