// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/rf_cavity.hpp>
#include <trackplex/beam/wake.hpp>
#include <trackplex/io/detail/elegant_rules.hpp>
#include <trackplex/io/wake_table.hpp>

#include <memory>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// elegant's keywords of cavities and of elements in which particles act on each other.

namespace trackplex::io::detail {

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

inline beam::RfCavity::Fiducial fiducial_of(const ElementValues& v) {
  using Fiducial = beam::RfCavity::Fiducial;
  const std::string mode = v.text("FIDUCIAL");
  if (mode.empty() || mode == "tmean") return Fiducial::mean_time;
  if (mode == "light") return Fiducial::light;
  if (mode == "pmaximum") return Fiducial::max_momentum;
  v.refuse("FIDUCIAL", "it is tmean, light or pmaximum");
}

inline beam::RfCavity::BodyFocus body_focus_of(const ElementValues& v) {
  using BodyFocus = beam::RfCavity::BodyFocus;
  const std::string model = upper_case(v.text("BODY_FOCUS_MODEL"));
  if (model.empty() || model == "NONE") return BodyFocus::none;
  if (model == "SRS") return BodyFocus::standing_wave;
  if (model == "TW1") return BodyFocus::travelling_wave;
  v.refuse("BODY_FOCUS_MODEL", "it is none, SRS or TW1");
}

inline beam::RfCavity cavity_of(const ElementValues& v) {
  beam::RfCavity cavity;
  cavity.length = v("L");
  cavity.voltage = v("VOLT");
  cavity.phase = v("PHASE") * std::numbers::pi / 180.;
  cavity.frequency = v("FREQ");
  cavity.quality = v("Q");
  cavity.phase_reference = v.integer("PHASE_REFERENCE");
  cavity.change_momentum = v.flag("CHANGE_P0");
  cavity.change_time = v.flag("CHANGE_T");
  cavity.fiducial = fiducial_of(v);
  cavity.entrance_focus = v.flag("END1_FOCUS");
  cavity.exit_focus = v.flag("END2_FOCUS");
  cavity.body_focus = body_focus_of(v);
  cavity.kicks = v.integer("N_KICKS");
  cavity.standing_wave = v.flag("STANDING_WAVE");
  cavity.dx = v("DX");
  cavity.dy = v("DY");
  if (v.is_given("T_REFERENCE")) cavity.reference_time = v("T_REFERENCE");
  cavity.linearize = v.flag("LINEARIZE");
  cavity.lock_phase = v.flag("LOCK_PHASE");
  return cavity;
}

/// Wakes from the file of an element.
inline std::shared_ptr<const beam::WakeTable> wakes_of(const ElementValues& v,
                                                       std::string_view file,
                                                       const WakeColumns& columns) {
  v.require(v.is_given(file), file, "a wake needs the file of its function");
  v.require(v.is_given("TCOLUMN"), "TCOLUMN", "a wake needs the column of its times");
  return std::make_shared<const beam::WakeTable>(read_wake_table(v.path(file), columns));
}

/// The parameters that both wakes have.
template <class Wake>
void set_wake(Wake& wake, const ElementValues& v) {
  wake.factor = v("FACTOR");
  wake.bins = v.integer("N_BINS");
  wake.interpolate = v.flag("INTERPOLATE");
  wake.smoothing = v.flag("SMOOTHING");
  wake.smoothing_half_width = v.integer("SG_HALFWIDTH");
  wake.smoothing_order = v.integer("SG_ORDER");
  wake.allow_long_beam = v.flag("ALLOW_LONG_BEAM");
  wake.charge = v("CHARGE");
}

inline beam::ElementKind make_wake(const ElementValues& v) {
  v.require(v.is_given("WCOLUMN"), "WCOLUMN", "a wake needs the column of its function");
  beam::Wake wake;
  wake.table =
      wakes_of(v, "INPUTFILE", {.time = v.text("TCOLUMN"), .longitudinal = v.text("WCOLUMN")});
  wake.change_p0 = v.flag("CHANGE_P0");
  set_wake(wake, v);
  return wake;
}

inline beam::ElementKind make_transverse_wake(const ElementValues& v) {
  v.require(v.is_given("WXCOLUMN") || v.is_given("WYCOLUMN"), "WXCOLUMN",
            "a transverse wake needs the column of its function, in x or y");
  beam::TransverseWake wake;
  wake.table =
      wakes_of(v, "INPUTFILE",
               {.time = v.text("TCOLUMN"), .x = v.text("WXCOLUMN"), .y = v.text("WYCOLUMN")});
  wake.x_factor = v("XFACTOR");
  wake.y_factor = v("YFACTOR");
  wake.dx = v("DX");
  wake.dy = v("DY");
  wake.tilt = v("TILT");
  set_wake(wake, v);
  return wake;
}

/// Parameters of cavities, and others.
inline std::vector<ParameterRule> cavity_parameters(std::vector<ParameterRule> others = {}) {
  using enum ParameterKind;
  others.insert(others.end(), {{"L", 0., not_negative},
                               {"VOLT"},
                               {"PHASE"},
                               {"FREQ", 500e6, not_negative},
                               {"Q", 0., not_negative},
                               {"PHASE_REFERENCE", 0., integer},
                               {"CHANGE_P0", 0., flag},
                               {"CHANGE_T", 0., flag},
                               {"FIDUCIAL", 0., text},
                               {"END1_FOCUS", 0., flag},
                               {"END2_FOCUS", 0., flag},
                               {"BODY_FOCUS_MODEL", 0., text},
                               {"N_KICKS", 0., integer},
                               {"STANDING_WAVE", 0., flag},
                               {"DX"},
                               {"DY"},
                               {"T_REFERENCE", -1.},
                               {"LINEARIZE", 0., flag},
                               {"LOCK_PHASE", 0., flag}});
  return others;
}

/// Parameters of wakes, and others.
inline std::vector<ParameterRule> wake_parameters(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"INPUTFILE", 0., text},
                               {"TCOLUMN", 0., text},
                               {"CHARGE", 0., not_negative},
                               {"FACTOR", 1.},
                               {"N_BINS", 0., integer},
                               {"INTERPOLATE", 0., flag},
                               {"SMOOTHING", 0., flag},
                               {"SG_HALFWIDTH", 4., integer},
                               {"SG_ORDER", 1., integer},
                               {"ALLOW_LONG_BEAM", 0., flag},
                               {"RAMP_PASSES", 0., fixed}});
  return others;
}

inline std::vector<ElementRule> collective_rules() {
  using enum ParameterKind;
  using Values = const ElementValues&;
  using Kind = beam::ElementKind;
  return {
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
      {"RFCA", "", cavity_parameters(), [](Values v) -> Kind { return cavity_of(v); }},
      {"WAKE", "",
       wake_parameters(
           {{"WCOLUMN", 0., text}, {"CHANGE_P0", 0., flag}, {"ACAUSAL_ALLOWED", 0., fixed}}),
       make_wake},
      {"TRWAKE", "",
       wake_parameters({{"WXCOLUMN", 0., text},
                        {"WYCOLUMN", 0., text},
                        {"XFACTOR", 1.},
                        {"YFACTOR", 1.},
                        {"DX"},
                        {"DY"},
                        {"TILT"},
                        {"X_DRIVE_EXPONENT", 1., fixed},
                        {"Y_DRIVE_EXPONENT", 1., fixed},
                        {"X_PROBE_EXPONENT", 0., fixed},
                        {"Y_PROBE_EXPONENT", 0., fixed}}),
       make_transverse_wake},
  };
}

}  // namespace trackplex::io::detail
