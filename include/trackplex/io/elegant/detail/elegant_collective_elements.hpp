// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/csr.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/collective/transverse_wake.hpp>
#include <trackplex/beam/collective/wake.hpp>
#include <trackplex/beam/collective/wake_cavity.hpp>
#include <trackplex/beam/elements/momentum_ramp.hpp>
#include <trackplex/beam/elements/pulsed_multipole.hpp>
#include <trackplex/beam/elements/rf_cavity.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/io/elegant/detail/elegant_canonical.hpp>
#include <trackplex/io/elegant/detail/elegant_columns.hpp>
#include <trackplex/io/elegant/detail/elegant_impedance.hpp>
#include <trackplex/io/sdds/wake_file.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Cavities, and elements in which particles act on each other, from elegant's parameters.

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
  cavity.lock_phase = value_or_zero(v, "LOCK_PHASE") != 0.;
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

inline beam::ElementKind make_wake(const ElementValues& v) {
  v.require(v.is_given("WCOLUMN"), "WCOLUMN", "a wake needs the column of its function");
  beam::Wake wake;
  wake.table =
      wakes_of(v, "INPUTFILE", {.time = v.text("TCOLUMN"), .longitudinal = v.text("WCOLUMN")});
  wake.change_p0 = v.flag("CHANGE_P0");
  wake.bins = v.integer("N_BINS");
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
  wake.bins = v.integer("N_BINS");
  set_wake(wake, v);
  return wake;
}

/// A table of RFCW from the file of one wake or of both.
inline std::shared_ptr<const beam::WakeTable> wakes_of_cavity(const ElementValues& v,
                                                              std::string_view own_file,
                                                              const WakeColumns& columns) {
  v.require(!(v.is_given("WAKEFILE") && v.is_given(own_file)), own_file,
            "WAKEFILE names the files of both wakes already");
  return wakes_of(v, v.is_given("WAKEFILE") ? "WAKEFILE" : own_file, columns);
}

inline beam::ElementKind make_wake_cavity(const ElementValues& v) {
  beam::WakeCavity e;
  e.cavity = cavity_of(v);
  e.cell_length = v("CELL_LENGTH");
  const std::string time = v.text("TCOLUMN");
  if (v.flag("ZWAKE") && v.is_given("WZCOLUMN"))
    e.longitudinal =
        wakes_of_cavity(v, "ZWAKEFILE", {.time = time, .longitudinal = v.text("WZCOLUMN")});
  if (v.flag("TRWAKE") && (v.is_given("WXCOLUMN") || v.is_given("WYCOLUMN")))
    e.transverse = wakes_of_cavity(
        v, "TRWAKEFILE", {.time = time, .x = v.text("WXCOLUMN"), .y = v.text("WYCOLUMN")});
  v.require(e.cell_length > 0. || !(e.longitudinal || e.transverse), "CELL_LENGTH",
            "wakes need a length above 0");
  e.bins = v.integer("N_BINS");
  e.interpolate = v.flag("INTERPOLATE");
  e.smoothing = v.flag("SMOOTHING");
  e.smoothing_half_width = v.integer("SG_HALFWIDTH");
  e.smoothing_order = v.integer("SG_ORDER");
  e.effects_at_end = v.flag("WAKES_AT_END");
  e.space_charge = v.flag("LSC");
  e.space_charge_bins = v.integer("LSC_BINS");
  e.space_charge_interpolate = v.flag("LSC_INTERPOLATE");
  e.low_frequency = {v("LSC_LOW_FREQUENCY_CUTOFF0"), v("LSC_LOW_FREQUENCY_CUTOFF1")};
  e.high_frequency = {v("LSC_HIGH_FREQUENCY_CUTOFF0"), v("LSC_HIGH_FREQUENCY_CUTOFF1")};
  e.radius_factor = v("LSC_RADIUS_FACTOR");
  if (!e.space_charge) return e;
  v.require(e.space_charge_bins >= 4 && e.space_charge_bins % 2 == 0, "LSC_BINS",
            "an even number of 4 or more is needed");
  v.require(e.radius_factor > 0., "LSC_RADIUS_FACTOR", "it must be above 0");
  return e;
}

inline beam::ElementKind make_deflector(const ElementValues& v) {
  beam::RfDeflector cavity;
  cavity.length = v("L");
  cavity.voltage = v("VOLTAGE");
  cavity.phase = v("PHASE") * std::numbers::pi / 180.;
  cavity.frequency = v("FREQUENCY");
  cavity.kicks = v.integer("N_KICKS");
  cavity.standing_wave = v.flag("STANDING_WAVE");
  cavity.magnetic = v.flag("MAGNETIC_DEFLECTION");
  cavity.misalignment = placement_of(v);
  return cavity;
}

/// Curve of a file, whose name is for messages.
inline std::shared_ptr<const beam::Waveform> waveform_of(const ElementValues& v) {
  v.require(v.is_given("WAVEFORM"), "WAVEFORM", "nothing changes in time without a waveform");
  auto curve = curve_of(v, "WAVEFORM");
  beam::Waveform waveform{std::move(curve[0]), std::move(curve[1])};
  waveform.check(v.text("WAVEFORM"));
  return std::make_shared<const beam::Waveform>(std::move(waveform));
}

/// Sets the parameters that all pulsed magnets have.
template <class Magnet>
void set_pulse(Magnet& magnet, const ElementValues& v) {
  magnet.waveform = waveform_of(v);
  magnet.length = v("L");
  magnet.time_offset = v("TIME_OFFSET");
  magnet.is_periodic = v.flag("PERIODIC");
  magnet.phase_reference = v.integer("PHASE_REFERENCE");
  magnet.first_turn = v.integer("FIRE_ON_PASS");
  magnet.misalignment = placement_of(v);
  v.require(v("N_KICKS") >= 0., "N_KICKS", "it must not be negative");
}

inline beam::ElementKind make_pulsed_kicker(const ElementValues& v) {
  v.require(!v.is_given("DEFLECTION_MAP"), "DEFLECTION_MAP",
            "fields that depend on the place are not done here");
  beam::PulsedKicker kicker;
  set_pulse(kicker, v);
  kicker.angle = v("ANGLE");
  kicker.kicks = v.integer("N_KICKS");
  kicker.b2 = v("B2");
  return kicker;
}

/// Slices are of four kicks.
inline beam::ElementKind make_pulsed_multipole(const ElementValues& v) {
  v.require(v("ORDER") >= 1. && v("ORDER") <= 100., "ORDER",
            "it is 1 for a quadrupole, 2 for a sextupole and so on, up to 100");
  beam::PulsedMultipole magnet;
  set_pulse(magnet, v);
  magnet.strength = v("STRENGTH");
  magnet.order = v.integer("ORDER");
  magnet.slices = std::max(1, (v.integer("N_KICKS") + 3) / 4);
  return magnet;
}

inline beam::ElementKind make_momentum_ramp(const ElementValues& v) {
  const beam::MomentumRamp ramp{waveform_of(v)};
  for (const double factor : ramp.factor->value)
    v.require(factor > 0., "WAVEFORM", "a factor of the momentum is not above 0");
  return ramp;
}

inline beam::ElementKind make_csr_bend(const ElementValues& v) {
  // what elegant makes of it; it bends by tiny angles, too, with errors of rounding of 1e-16 radii
  if (v("L") > 1e6 * std::abs(v("ANGLE")) || v("ANGLE") == 0.) {
    for (const char* strength : {"K1", "K2", "K3", "K4"})
      v.require(v(strength) == 0. || v("ANGLE") == 0., strength,
                "a bend of almost no angle is a drift here");
    return beam::ExactDrift{v("L")};
  }
  beam::CsrBend bend;
  bend.magnet = bend_of(v);
  v.require(v.is_given("BINS"), "BINS", "it must be given");
  bend.bins = v.integer("BINS");
  bend.range_factor = v("BIN_RANGE_FACTOR");
  bend.smoothing_half_width = v.integer("SG_HALFWIDTH");
  bend.smoothing_order = v.integer("SG_ORDER");
  bend.derivative_half_width = v.integer("SGDERIV_HALFWIDTH");
  bend.derivative_order = v.integer("SGDERIV_ORDER");
  bend.radiation = v.flag("CSR");
  bend.steady_state = v.flag("STEADY_STATE");
  bend.radiates_behind = !v.flag("BLOCK_CSR");
  return bend;
}

inline beam::ElementKind make_csr_drift(const ElementValues& v) {
  using Field = beam::CsrDrift::Field;
  beam::CsrDrift drift;
  drift.length = v("L");
  drift.steps = v.integer("N_KICKS");
  drift.step_length = v("DZ");
  drift.attenuation_length = v("ATTENUATION_LENGTH");
  drift.overtaking_factor = v("OL_MULTIPLIER");
  const bool decays = v("ATTENUATION_LENGTH") > 0.;
  v.require(decays + v.flag("USE_OVERTAKING_LENGTH") + v.flag("USE_STUPAKOV") <= 1, "USE_STUPAKOV",
            "two models of the field are chosen");
  if (!v.flag("CSR")) {
    drift.field = Field::none;
  } else if (v.flag("USE_STUPAKOV")) {
    drift.field = Field::transient;
  } else if (v.flag("USE_OVERTAKING_LENGTH")) {
    drift.field = Field::overtaking;
  } else if (decays) {
    drift.field = Field::decaying;
  }
  return drift;
}

}  // namespace trackplex::io::detail
