// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/elegant/detail/elegant_collective_elements.hpp>

#include <vector>

/// @file
/// elegant's keywords of cavities and of elements in which particles act on each other.

namespace trackplex::io::detail {

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
                               {"LINEARIZE", 0., flag}});
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
                               {"RAMP_PASSES", 0., fixed},
                               {"ACAUSAL_ALLOWED", 0., fixed},
                               {"BUNCHED_BEAM_MODE", 1., passive},
                               {"START_BUNCH", -1., fixed},
                               {"END_BUNCH", -1., fixed}});
  return others;
}

/// Parameters of CSBEND, and those of its coherent radiation; edges are of first order only.
inline std::vector<ParameterRule> csr_bend_parameters() {
  using enum ParameterKind;
  return canonical_bend_parameters({{"BINS", 0., integer},
                                    {"BIN_ONCE", 0., fixed},
                                    {"BIN_RANGE_FACTOR", 1.2},
                                    {"SG_HALFWIDTH", 0., integer},
                                    {"SG_ORDER", 1., integer},
                                    {"SGDERIV_HALFWIDTH", 0., integer},
                                    {"SGDERIV_ORDER", 1., integer},
                                    {"CSR", 1., flag},
                                    {"STEADY_STATE", 0., flag},
                                    {"BLOCK_CSR", 0., flag},
                                    {"IGF", 0., fixed},
                                    {"LINEARIZE", 0., fixed},
                                    {"TRAPAZOID_INTEGRATION", 1., fixed},
                                    {"CLIP_NEGATIVE_BINS", 1., fixed},
                                    {"LOW_FREQUENCY_CUTOFF0", -1., fixed},
                                    {"LOW_FREQUENCY_CUTOFF1", -1., fixed},
                                    {"HIGH_FREQUENCY_CUTOFF0", -1., fixed},
                                    {"HIGH_FREQUENCY_CUTOFF1", -1., fixed},
                                    {"SLICE_ANALYSIS_INTERVAL", 0., passive},
                                    {"OUTPUT_FILE", 0., passive},
                                    {"OUTPUT_INTERVAL", 1., passive},
                                    {"OUTPUT_LAST_WAKE_ONLY", 0., passive},
                                    {"PARTICLE_OUTPUT_FILE", 0., passive},
                                    {"PARTICLE_OUTPUT_INTERVAL", 0., passive}});
}

/// Parameters of pulsed magnets, and others.
inline std::vector<ParameterRule> pulse_parameters(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"L", 0., not_negative},
                               {"TILT"},
                               {"DX"},
                               {"DY"},
                               {"DZ"},
                               {"TIME_OFFSET"},
                               {"PERIODIC", 0., flag},
                               {"PHASE_REFERENCE", 0., integer},
                               {"FIRE_ON_PASS", 0., integer},
                               {"N_KICKS", 0., integer},
                               {"WAVEFORM", 0., text}});
  return others;
}

/// Parameters of RFCW beyond those of a cavity.
inline std::vector<ParameterRule> wake_cavity_parameters() {
  using enum ParameterKind;
  return cavity_parameters({{"CELL_LENGTH", 0., not_negative},
                            {"WAKEFILE", 0., text},
                            {"ZWAKEFILE", 0., text},
                            {"TRWAKEFILE", 0., text},
                            {"TCOLUMN", 0., text},
                            {"WXCOLUMN", 0., text},
                            {"WYCOLUMN", 0., text},
                            {"WZCOLUMN", 0., text},
                            {"N_BINS", 0., integer},
                            {"INTERPOLATE", 0., flag},
                            {"SMOOTHING", 0., flag},
                            {"SG_HALFWIDTH", 4., integer},
                            {"SG_ORDER", 1., integer},
                            {"ZWAKE", 1., flag},
                            {"TRWAKE", 1., flag},
                            {"WAKES_AT_END", 0., flag},
                            {"LSC", 0., flag},
                            {"LSC_BINS", 0., integer},
                            {"LSC_INTERPOLATE", 1., flag},
                            {"LSC_LOW_FREQUENCY_CUTOFF0", -1.},
                            {"LSC_LOW_FREQUENCY_CUTOFF1", -1.},
                            {"LSC_HIGH_FREQUENCY_CUTOFF0", -1.},
                            {"LSC_HIGH_FREQUENCY_CUTOFF1", -1.},
                            {"LSC_RADIUS_FACTOR", 1.7}});
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
       {{"TOTAL"}, {"PER_PARTICLE"}, {"ALLOW_TOTAL_CHANGE", 0., passive}},
       [](Values v) -> Kind {
         return beam::Charge{v("TOTAL"), v("PER_PARTICLE")};
       }},
      {"RFDF",
       "",
       {{"L", 0., not_negative},
        {"PHASE"},
        {"TILT"},
        {"FREQUENCY", 2856e6, not_negative},
        {"VOLTAGE"},
        {"N_KICKS", 0., integer},
        {"STANDING_WAVE", 0., flag},
        {"MAGNETIC_DEFLECTION", 0., flag},
        {"DX"},
        {"DY"},
        {"DZ"},
        {"PHASE_REFERENCE", 0., fixed},
        {"TIME_OFFSET", 0., fixed},
        {"FSE", 0., fixed},
        {"B2", 0., fixed},
        {"VOLTAGE_PERIODIC", 0., passive},
        {"ALIGN_WAVEFORMS", 0., passive},
        {"VOLTAGE_NOISE", 0., fixed},
        {"PHASE_NOISE", 0., fixed},
        {"GROUP_VOLTAGE_NOISE", 0., fixed},
        {"GROUP_PHASE_NOISE", 0., fixed},
        {"VOLTAGE_NOISE_GROUP", 0., passive},
        {"PHASE_NOISE_GROUP", 0., passive},
        {"START_PASS", -1., fixed},
        {"END_PASS", -1., fixed},
        {"START_PID", -1., fixed},
        {"END_PID", -1., fixed},
        {"DRIFT_MATRIX", 0., passive}},
       make_deflector},
      {"CSRCSBEND", "CSRCSBEN", csr_bend_parameters(), make_csr_bend},
      {"CSRDRIFT",
       "",
       {{"L", 0., not_negative},
        {"N_KICKS", 1., integer},
        {"DZ", 0., not_negative},
        {"ATTENUATION_LENGTH", 0., not_negative},
        {"USE_OVERTAKING_LENGTH", 0., flag},
        {"OL_MULTIPLIER", 1.},
        {"USE_STUPAKOV", 0., flag},
        {"CSR", 1., flag},
        {"LINEARIZE", 0., passive},
        {"USE_SALDIN54", 0., fixed},
        {"SPREAD", 0., fixed},
        {"SLICE_ANALYSIS_INTERVAL", 0., passive},
        {"LSC_BINS", 0., fixed},
        {"LSC_INTERPOLATE", 1., passive}},
       make_csr_drift},
      {"BUMPER", "", pulse_parameters({{"ANGLE"}, {"B2"}, {"DEFLECTION_MAP", 0., text}}),
       make_pulsed_kicker},
      {"MBUMPER", "", pulse_parameters({{"STRENGTH"}, {"ORDER", 0., integer}}),
       make_pulsed_multipole},
      {"RAMPP", "", {{"WAVEFORM", 0., text}}, make_momentum_ramp},
      {"RFCA", "", cavity_parameters({{"LOCK_PHASE", 0., flag}}),
       [](Values v) -> Kind { return cavity_of(v); }},
      {"RFCW", "", wake_cavity_parameters(), make_wake_cavity},
      {"WAKE", "",
       wake_parameters(
           {{"WCOLUMN", 0., text}, {"CHANGE_P0", 0., flag}, {"ALLOW_LONG_BEAM", 0., flag}}),
       make_wake},
      {"ZLONGIT",
       "",
       {{"CHARGE", 0., not_negative},
        {"BROAD_BAND", 0., flag},
        {"RA"},
        {"RS"},
        {"Q", 1., not_negative},
        {"FREQ"},
        {"ZREAL", 0., text},
        {"ZIMAG", 0., text},
        {"BIN_SIZE"},
        {"N_BINS", 128., integer},
        {"MAX_N_BINS", 0., integer},
        {"WAKES", 0., passive},
        {"WAKE_INTERVAL", 1., passive},
        {"WAKE_START", 0., passive},
        {"WAKE_END", 0., passive},
        {"AREA_WEIGHT", 0., fixed},
        {"INTERPOLATE", 0., flag},
        {"SMOOTHING", 0., flag},
        {"SG_ORDER", 1., integer},
        {"SG_HALFWIDTH", 4., integer},
        {"REVERSE_TIME_ORDER", 0., fixed},
        {"FACTOR", 1.},
        {"START_ON_PASS", 0., integer},
        {"RAMP_PASSES", 0., integer},
        {"HIGH_FREQUENCY_CUTOFF0", -1.},
        {"HIGH_FREQUENCY_CUTOFF1", -1.},
        {"BUNCHED_BEAM_MODE", 1., passive},
        {"START_BUNCH", -1., fixed},
        {"END_BUNCH", -1., fixed},
        {"ALLOW_LONG_BEAM", 0., flag}},
       make_impedance},
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
