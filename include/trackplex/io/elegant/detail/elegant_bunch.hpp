// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/center.hpp>
#include <trackplex/beam/elements/clean.hpp>
#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/line_segment_map.hpp>
#include <trackplex/beam/elements/marker.hpp>
#include <trackplex/beam/elements/momentum_filter.hpp>
#include <trackplex/beam/elements/radiation_effects.hpp>
#include <trackplex/beam/elements/remove_correlations.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/beam/elements/watch.hpp>
#include <trackplex/io/elegant/detail/elegant_feedback.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// elegant's keywords of elements that move, centre, damp or clean the bunch, and of those that
/// particles do not notice.

namespace trackplex::io::detail {

inline beam::ElementKind make_center(const ElementValues& v) {
  return beam::Center{v.flag("X"), v.flag("XP"),    v.flag("Y"), v.flag("YP"),
                      v.flag("S"), v.flag("DELTA"), v.flag("T")};
}

/// CENTRAL_ENERGY is the kinetic energy in units of the rest energy.
inline beam::ElementKind make_momentum(const ElementValues& v) {
  const double gamma = v("CENTRAL_ENERGY") + 1.;
  const double momentum =
      v("CENTRAL_ENERGY") != 0. ? std::sqrt(gamma * gamma - 1.) : v("CENTRAL_MOMENTUM");
  return beam::SetMomentum{momentum, v.flag("MATCH_BEAMLINE"), v.flag("MATCH_PARTICLES")};
}

inline beam::ElementKind make_clean(const ElementValues& v) {
  using Mode = beam::Clean::Mode;
  beam::Clean clean;
  const std::string mode = v.text("MODE");
  if (mode == "absdeviation") {
    clean.mode = Mode::absolute_deviation;
  } else if (mode == "absvalue") {
    clean.mode = Mode::absolute_value;
  } else {
    v.require(mode.empty() || mode == "stdeviation", "MODE",
              "it is stdeviation, absdeviation or absvalue");
  }
  clean.limit = {limit_of(v, "XLIMIT"),  limit_of(v, "XPLIMIT"), limit_of(v, "YLIMIT"),
                 limit_of(v, "YPLIMIT"), limit_of(v, "TLIMIT"),  limit_of(v, "DELTALIMIT")};
  return clean;
}

inline beam::ElementKind make_momentum_filter(const ElementValues& v) {
  return beam::MomentumFilter{limit_of(v, "DELTALIMIT"), v.flag("BEAMCENTERED"),
                              limit_of(v, "LOWERFRACTION"), limit_of(v, "UPPERFRACTION")};
}

inline beam::ElementKind make_correlations(const ElementValues& v) {
  const int with = v.integer("WITH");
  v.require(with >= 1 && with <= 6, "WITH", "it is the number of a coordinate, 1 to 6");
  return beam::RemoveCorrelations{{v.flag("X"), v.flag("XP"), v.flag("Y"), v.flag("YP")},
                                  beam::Coordinate(with - 1)};
}

inline beam::ElementKind make_displacement(const ElementValues& v) {
  return beam::Displacement{v("DX"),  v("DXP"), v("DY"),
                            v("DYP"), v("DZ"),  v("DT"),
                            v("DP"),  v("DE"),  v.integer("ON_PASS")};
}

inline beam::ElementKind make_exact_kicker(const ElementValues& v, double horizontal,
                                           double vertical) {
  return beam::ExactKicker{v("L"), horizontal, vertical, placement_of(v)};
}

inline beam::ElementKind make_radiation_effects(const ElementValues& v) {
  v.require(v("PREF") >= 0., "PREF", "it is a momentum, or 0 for the equilibrium of the ring");
  beam::SynchrotronRadiationEffects effects;
  effects.x_partition = v("JX");
  effects.y_partition = v("JY");
  effects.momentum_partition = v("JDELTA");
  effects.x_emittance = v("EXREF");
  effects.y_emittance = v("EYREF");
  effects.momentum_spread = v("SDELTAREF");
  effects.momentum_change = v("DDELTAREF");
  effects.reference_momentum = v("PREF");
  effects.coupling = v("COUPLING");
  effects.fraction = v("FRACTION");
  effects.damping = v.flag("DAMPING");
  effects.excitation = v.flag("QEXCITATION");
  effects.loss = v.flag("LOSSES");
  effects.cutoff = v("CUTOFF");
  effects.include_offsets = v.flag("INCLUDE_OFFSETS");
  return effects;
}

inline beam::LineSegmentMap::Plane plane_of(const ElementValues& v, const std::string& plane) {
  const auto of = [&](std::string name) {
    name.replace(name.find('*'), 1, plane);
    return v(name);
  };
  return {of("NU*"),      of("NU*1M"),  of("NU*2M"),     of("NU*3M"), of("NU*1AX"),  of("NU*2AX"),
          of("NU*1AY"),   of("NU*2AY"), of("NU*1AX1AY"), of("BETA*"), of("BETA*1M"), of("ALPHA*"),
          of("ALPHA*1M"), of("ETA*"),   of("ETAP*"),     of("ETA*1"), of("ETAP*1")};
}

inline beam::ElementKind make_line_segment_map(const ElementValues& v) {
  for (const char* beta : {"BETAX", "BETAY"}) v.require(v(beta) > 0., beta, "it must be above 0");
  beam::LineSegmentMap map{v("L"),      plane_of(v, "X"), plane_of(v, "Y"),
                           v("ALPHAC"), v("ALPHAC2"),     v("ALPHAC3")};
  map.longer_x = v("DS1AX");
  map.longer2_x = v("DS2AX");
  map.longer_y = v("DS1AY");
  map.longer2_y = v("DS2AY");
  map.longer_xy = v("DS1AX1AY");
  map.tilt = v("TILT");
  map.may_cross = v.flag("CROSS_RESONANCE");
  return map;
}

inline std::vector<ParameterRule> line_segment_map_parameters() {
  using enum ParameterKind;
  std::vector<ParameterRule> rules = {{"CROSS_RESONANCE", 0., flag}, {"VERBOSITY", 0., passive}};
  for (const char* name :
       {"L",       "NUX",       "NUX1M",     "NUX2M",  "NUX3M",   "NUX1AX",  "NUX2AX",   "NUX1AY",
        "NUX2AY",  "NUX1AX1AY", "NUY",       "NUY1M",  "NUY2M",   "NUY3M",   "NUY1AX",   "NUY2AX",
        "NUY1AY",  "NUY2AY",    "NUY1AX1AY", "BETAX",  "BETAX1M", "ALPHAX",  "ALPHAX1M", "BETAY",
        "BETAY1M", "ALPHAY",    "ALPHAY1M",  "ETAX",   "ETAPX",   "ETAX1",   "ETAPX1",   "ETAY",
        "ETAPY",   "ETAY1",     "ETAPY1",    "ALPHAC", "ALPHAC2", "ALPHAC3", "DS1AX",    "DS2AX",
        "DS1AY",   "DS2AY",     "DS1AX1AY",  "TILT"})
    rules.push_back({name});
  return rules;
}

inline std::vector<ParameterRule> exact_kicker_parameters(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"L", 0., not_negative},
                               {"TILT"},
                               {"DX"},
                               {"DY"},
                               {"DZ"},
                               {"STEERING", 1., passive},
                               {"LERAD", 0., passive},
                               {"MATRIX_ORDER", 0., passive},
                               {"SYNCH_RAD", 0., fixed},
                               {"ISR", 0., fixed}});
  return others;
}

/// Elements without effect on particles; their parameters are not looked at.
inline ElementRule passive_rule(std::string_view keyword, std::string_view long_name = {}) {
  return {keyword,
          long_name,
          {},
          [](const ElementValues&) -> beam::ElementKind { return beam::Marker{}; },
          true};
}

/// Passes are counted from 0; the last one of elegant's counts, too.
inline beam::ElementKind make_watch(const ElementValues& v) {
  using Of = beam::Watch::Of;
  const std::string mode = upper_case(v.text("MODE"));  // may be cut
  const bool has_particles = std::string_view("COORDINATES").starts_with(mode);
  v.require(has_particles || std::string_view("PARAMETERS").starts_with(mode) ||
                std::string_view("CENTROIDS").starts_with(mode),
            "MODE", "it is coordinates, parameters or centroids");
  v.require(v.is_given("FILENAME"), "FILENAME", "it must be given");
  v.require(v("INTERVAL") >= 1., "INTERVAL", "it is 1 at least");
  return beam::Watch{.file = v.text("FILENAME"),
                     .of = has_particles ? Of::particles : Of::moments,
                     .first_turn = v.integer("START_PASS"),
                     .end_turn = v("END_PASS") < 0. ? -1 : v.integer("END_PASS") + 1,
                     .interval = v.integer("INTERVAL"),
                     .first_id = v.integer("START_PID"),
                     .last_id = v.integer("END_PID")};
}

/// Twiss parameters that the line has by itself.
inline beam::ElementKind make_twiss(const ElementValues& v) {
  for (const auto name : {"FROM_BEAM", "FROM_0VALUES"})
    v.require(!v.flag(name) || v.flag("DISABLE"), name,
              "it changes the particles, which is not done here", "set DISABLE=1");
  return beam::Marker{};
}

inline std::vector<ElementRule> bunch_rules() {
  using enum ParameterKind;
  using Values = const ElementValues&;
  using Kind = beam::ElementKind;
  return {
      {"CENTER",
       "",
       {{"X", 1., flag},
        {"XP", 1., flag},
        {"Y", 1., flag},
        {"YP", 1., flag},
        {"S", 0., flag},
        {"DELTA", 0., flag},
        {"T", 0., flag},
        {"ONCE_ONLY", 0., fixed},
        {"ON_PASS", -1., fixed}},
       make_center},
      {"ENERGY",
       "",
       {{"CENTRAL_ENERGY"},
        {"CENTRAL_MOMENTUM"},
        {"MATCH_BEAMLINE", 0., flag},
        {"MATCH_PARTICLES", 0., flag}},
       make_momentum},
      {"CLEAN",
       "",
       {{"MODE", 0., text},
        {"XLIMIT"},
        {"XPLIMIT"},
        {"YLIMIT"},
        {"YPLIMIT"},
        {"TLIMIT"},
        {"DELTALIMIT"}},
       make_clean},
      {"PFILTER",
       "",
       {{"DELTALIMIT", -1.},
        {"LOWERFRACTION"},
        {"UPPERFRACTION"},
        {"FIXPLIMITS", 0., fixed},
        {"BEAMCENTERED", 0., flag},
        {"BINS", 1024., passive}},
       make_momentum_filter},
      {"REMCOR",
       "",
       {{"X", 1., flag},
        {"XP", 1., flag},
        {"Y", 1., flag},
        {"YP", 1., flag},
        {"WITH", 6., integer},
        {"ONCE_ONLY", 0., fixed}},
       make_correlations},
      {"MALIGN",
       "",
       {{"DXP"},
        {"DYP"},
        {"DX"},
        {"DY"},
        {"DZ"},
        {"DT"},
        {"DP"},
        {"DE"},
        {"ON_PASS", -1., integer},
        {"FORCE_MODIFY_MATRIX", 0., passive},
        {"START_PID", -1., fixed},
        {"END_PID", -1., fixed},
        {"FLOOR", 0., fixed},
        {"EXCLUDE_ORBIT", 0., fixed}},
       make_displacement},
      {"ROTATE",
       "",
       {{"TILT"},
        {"EXCLUDE_FLOOR", 0., passive},
        {"EXCLUDE_OPTICS", 0., passive},
        {"ON_PASS", -1., fixed}},
       [](Values v) -> Kind { return beam::Rotator{v("TILT")}; }},
      {"EKICKER", "",
       exact_kicker_parameters({{"HKICK"}, {"VKICK"}, {"HCALIBRATION", 1.}, {"VCALIBRATION", 1.}}),
       [](Values v) {
         return make_exact_kicker(v, v("HKICK") * v("HCALIBRATION"),
                                  v("VKICK") * v("VCALIBRATION"));
       }},
      {"EHKICK", "EHKICKER", exact_kicker_parameters({{"KICK"}, {"CALIBRATION", 1.}}),
       [](Values v) { return make_exact_kicker(v, v("KICK") * v("CALIBRATION"), 0.); }},
      {"EVKICK", "EVKICKER", exact_kicker_parameters({{"KICK"}, {"CALIBRATION", 1.}}),
       [](Values v) { return make_exact_kicker(v, 0., v("KICK") * v("CALIBRATION")); }},
      {"SCATTER",
       "",
       {{"X"},
        {"XP"},
        {"Y"},
        {"YP"},
        {"DP"},
        {"PROBABILITY", 1., not_negative},
        {"STARTONPASS", 0., integer},
        {"ENDONPASS", -1., integer},
        {"DISTRIBUTION", 0., text}},
       make_scatter},
      {"SREFFECTS",
       "",
       {{"JX", 1.},
        {"JY", 1.},
        {"JDELTA", 2.},
        {"EXREF"},
        {"EYREF"},
        {"SDELTAREF"},
        {"DDELTAREF"},
        {"PREF"},
        {"COUPLING"},
        {"FRACTION", 1.},
        {"DAMPING", 1., flag},
        {"QEXCITATION", 1., flag},
        {"LOSSES", 1., flag},
        {"CUTOFF", 100.},
        {"INCLUDE_OFFSETS", 1., flag}},
       make_radiation_effects},
      {"TFBPICKUP", "",
       feedback_parameters(0., {{"PLANE", 0., text},
                                {"RMS_NOISE", 0., not_negative},
                                {"REFERENCE_FREQUENCY", 0., passive},
                                {"DX"},
                                {"DY"}}),
       make_pickup},
      {"TFBDRIVER", "",
       feedback_parameters(1., {{"STRENGTH"},
                                {"KICK_LIMIT", 0., not_negative},
                                {"FREQUENCY", 0., fixed},
                                {"DRIVE_FREQUENCY", 0., passive},
                                {"CLOCK_FREQUENCY", 0., passive},
                                {"CLOCK_OFFSET", 0., passive},
                                {"PHASE", 0., passive},
                                {"RAOVERQ", 0., fixed},
                                {"QLOADED", 0., fixed},
                                {"OUTPUT_FILE", 0., passive},
                                {"OUTPUT_INTERVAL", 1024., passive},
                                {"GAIN_FACTOR_FILE", 0., text},
                                {"GAIN_FACTOR_COLUMN", 0., text},
                                {"DELAY", 0., integer},
                                {"LONGITUDINAL", 0., flag}}),
       make_driver},
      {"ILMATRIX", "", line_segment_map_parameters(), make_line_segment_map},
      passive_rule("RECIRC"),
      {"WATCH",
       "",
       {{"FILENAME", 0., text},
        {"MODE", 0., text},
        {"LABEL", 0., text},
        {"INTERVAL", 1., integer},
        {"START_PASS", 0., integer},
        {"END_PASS", -1., integer},
        {"FRACTION", 1., fixed},
        {"START_PID", -1., integer},
        {"END_PID", -1., integer},
        {"DISABLE", 0., fixed},
        {"X_DATA", 1., passive},
        {"Y_DATA", 1., passive},
        {"LONGIT_DATA", 1., passive},
        {"EXCLUDE_SLOPES", 0., passive},
        {"FLUSH_INTERVAL", 100., passive},
        {"USE_DISCONNECT", 0., passive},
        {"INDEX_OFFSET", 0., fixed}},
       make_watch},
      passive_rule("HISTOGRAM"),
      passive_rule("MHISTOGRAM"),
      passive_rule("SLICE"),
      passive_rule("RIMULT"),
      passive_rule("TRCOUNT"),
      passive_rule("FLOOR"),
      {"TWISS",
       "",
       {{"BETAX", 1., passive},
        {"ALPHAX", 0., passive},
        {"ETAX", 0., passive},
        {"ETAXP", 0., passive},
        {"BETAY", 1., passive},
        {"ALPHAY", 0., passive},
        {"ETAY", 0., passive},
        {"ETAYP", 0., passive},
        {"FROM_BEAM", 0., flag},
        {"FROM_0VALUES", 0., flag},
        {"COMPUTE_ONCE", 0., passive},
        {"APPLY_ONCE", 0., passive},
        {"VERBOSE", 0., passive},
        {"DISABLE", 0., flag}},
       make_twiss,
       true},
  };
}

}  // namespace trackplex::io::detail
