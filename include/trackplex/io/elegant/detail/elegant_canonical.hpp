// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/trajectory_bend.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/io/elegant/detail/elegant_rules.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// elegant's keywords of magnets that are integrated.

namespace trackplex::io::detail {

/// Number of slices: N_KICKS goes before N_SLICES, and is the number of kicks of order 2.
inline int slices_of(const ElementValues& v) {
  const int order = v.integer("INTEGRATION_ORDER"), kicks = v.integer("N_KICKS"),
            slices = v.integer("N_SLICES");
  v.require(order == 2 || order == 4 || order == 6, "INTEGRATION_ORDER", "it is 2, 4 or 6");
  if (kicks > 0) return order == 2 ? kicks : (kicks + order - 1) / order;
  v.require(slices >= 1, "N_SLICES", "there must be one at least");
  return slices;
}

/// A magnet of upright and skew multipoles and correctors' kicks; L = 0 has no field.
inline beam::CanonicalMultipole multipole_of(const ElementValues& v, beam::Multipoles field) {
  field = field.times(v("L"));
  for (auto* strengths : {&field.normal, &field.skew})
    if (strengths->empty()) strengths->push_back(0.);
  field.normal[0] = -value_or_zero(v, "HKICK");
  field.skew[0] = -value_or_zero(v, "VKICK");
  return {.length = v("L"),
          .field = field,
          .slices = slices_of(v),
          .integration_order = v.integer("INTEGRATION_ORDER"),
          .misalignment = placement_of(v),
          .expanded = v.flag("EXPAND_HAMILTONIAN"),
          .radiates = v.flag("SYNCH_RAD") && v("L") > 0.,
          .quantum = v.flag("ISR") && v("L") > 0.};
}

/// Tells whether a magnet has nothing beside its main field.
inline bool is_simple(const ElementValues& v) {
  return v("HKICK") == 0. && v("VKICK") == 0. && !v.flag("EXPAND_HAMILTONIAN") &&
         !v.flag("SYNCH_RAD") && !v.flag("ISR");
}

/// Tells whether the field of a magnet is given at its poles.
inline bool has_bore(const ElementValues& v) {
  return v.rule_of("BORE") && v.rule_of("B") && v("BORE") != 0.;
}

/// Strength of a multipole, 2n poles, by its parameter, or by the field B at the radius BORE:
/// n!/BORE^n B over the rigidity of the reference particle.
inline double strength_of(const ElementValues& v, std::string_view name, int n) {
  if (v("BORE") == 0.) return v(name);
  v.require(v.p0() > 0., "BORE", "the strength of its field needs the reference momentum",
            "give it (--momentum)");
  double factor = 1.;
  for (int i = 1; i <= n; ++i) factor *= i / v("BORE");
  const double inverse_rigidity =
      constants::speed_of_light / (constants::elegant::electron_energy_from_mass * v.p0());
  return factor * v("B") * inverse_rigidity;
}

inline beam::ElementKind make_canonical_quadrupole(const ElementValues& v) {
  const double k1 = strength_of(v, "K1", 1) * (1. + v("FSE"));
  if (!is_simple(v)) return multipole_of(v, {{0., k1}});
  return beam::CanonicalQuadrupole{v("L"), k1, slices_of(v), v.integer("INTEGRATION_ORDER"),
                                   placement_of(v)};
}

inline beam::ElementKind make_canonical_sextupole(const ElementValues& v) {
  const double k2 = strength_of(v, "K2", 2) * (1. + v("FSE"));
  if (!is_simple(v) || v("K1") != 0. || v("J1") != 0.)
    return multipole_of(v, {{0., v("K1"), k2}, {0., v("J1")}});
  return beam::CanonicalSextupole{v("L"), k2, slices_of(v), v.integer("INTEGRATION_ORDER"),
                                  placement_of(v)};
}

inline beam::ElementKind make_multipole(const ElementValues& v) {
  const int order = v.integer("ORDER"), slices = v.integer("N_SLICES");
  v.require(order >= 0 && order <= 20, "ORDER", "it is 0 to 20");
  v.require(slices >= 1, "N_SLICES", "there must be one at least");
  beam::Multipoles field{std::vector<double>(order + 1, 0.), {}};
  field.normal[order] = v("KNL") * v("FACTOR");
  return beam::CanonicalMultipole{.length = v("L"),
                                  .field = field,
                                  .slices = slices,
                                  .integration_order = 2,
                                  .misalignment = placement_of(v),
                                  .expanded = v.flag("EXPAND_HAMILTONIAN"),
                                  .radiates = v.flag("SYNCH_RAD") && v("L") > 0.};
}

inline beam::EdgeEffects edge_effects_of(const ElementValues& v, std::string_view name) {
  const int effects = v.integer(name);
  v.require(effects >= 0 && effects <= 3, name, "it is 0 to 3");
  if (effects != 0 && v.has_exact_edges()) return beam::EdgeEffects::exact;
  return beam::EdgeEffects(effects);
}

/// Sets the errors of the dipole, and of the quadrupole and the sextupole relative to it: FSE is
/// one of the whole field.
inline void set_field_errors(beam::CanonicalBend& bend, const ElementValues& v) {
  const double all = v("FSE"), dipole = value_or_zero(v, "FSE_DIPOLE"),
               quadrupole = value_or_zero(v, "FSE_QUADRUPOLE");
  bend.field_error = all + dipole;
  if (dipole == 0. && quadrupole == 0.) return;
  v.require(bend.field_error > -1., "FSE_DIPOLE", "the dipole has a field");
  bend.strengths[0] *= (1. + all + quadrupole) / (1. + bend.field_error);
  bend.strengths[1] *= (1. + all) / (1. + bend.field_error);
}

/// Integral of the fringe field at an end, if it is not FINT.
inline double fringe_of(const ElementValues& v, std::string_view name) {
  const bool is_own = v.rule_of(name) && v(name) >= 0.;
  return is_own ? v(name) : v("FINT");
}

inline beam::CanonicalBend bend_of(const ElementValues& v) {
  beam::CanonicalBend bend{.length = v("L"), .angle = v("ANGLE")};
  for (int n = 1; n <= 8; ++n) bend.strengths.push_back(v("K" + std::to_string(n)));
  set_field_errors(bend, v);
  bend.entrance = v("E1");
  bend.exit = v("E2");
  bend.entrance_curve = v("H1");
  bend.exit_curve = v("H2");
  bend.half_gap = v("HGAP");
  bend.fringe = fringe_of(v, "FINT1");
  if (const double fringe = fringe_of(v, "FINT2"); fringe != bend.fringe) bend.exit_fringe = fringe;
  bend.entrance_effects = edge_effects_of(v, "EDGE1_EFFECTS");
  bend.exit_effects = edge_effects_of(v, "EDGE2_EFFECTS");
  bend.edge_order = v.integer("EDGE_ORDER") > 1 ? 2 : 1;  // as elegant tracks
  bend.slices = v.integer("N_SLICES");
  v.require(bend.slices >= 1, "N_SLICES", "there must be one at least");
  bend.integration_order = v.integer("INTEGRATION_ORDER");
  v.require(
      bend.integration_order == 2 || bend.integration_order == 4 || bend.integration_order == 6,
      "INTEGRATION_ORDER", "it is 2, 4 or 6");
  bend.nonlinear = v.flag("NONLINEAR");
  bend.expansion_order = v.integer("EXPANSION_ORDER");
  bend.horizontal_kick = value_or_zero(v, "XKICK");
  bend.vertical_kick = value_or_zero(v, "YKICK");
  bend.error_tilt = error_tilt_of(v);
  bend.expanded = value_or_zero(v, "EXPAND_HAMILTONIAN") != 0.;
  bend.is_corrected = value_or_zero(v, "REFERENCE_CORRECTION") != 0.;
  bend.radiates = v.flag("SYNCH_RAD");
  bend.quantum = v.flag("ISR");
  bend.misalignment = placement_of(v);
  return bend;
}

inline beam::ElementKind make_trajectory_bend(const ElementValues& v) {
  beam::TrajectoryBend bend;
  beam::CanonicalBend& magnet = bend.magnet;
  magnet.length = v("L");
  magnet.angle = v("ANGLE");
  v.require(magnet.angle != 0., "ANGLE", "the axis must be curved");
  magnet.strengths = {v("K1"), v("K2"), v("K3"), v("K4")};
  magnet.entrance = v("E1");
  magnet.exit = v("E2");
  magnet.entrance_curve = v("H1");
  magnet.exit_curve = v("H2");
  magnet.half_gap = v("HGAP");
  magnet.fringe = v("FINT");
  using Effects = beam::EdgeEffects;
  magnet.entrance_effects = v.flag("EDGE1_EFFECTS") ? Effects::slopes : Effects::none;
  magnet.exit_effects = v.flag("EDGE2_EFFECTS") ? Effects::slopes : Effects::none;
  magnet.edge_order = v.integer("EDGE_ORDER") > 1 ? 2 : 1;
  magnet.field_error = v("FSE");
  magnet.slices = v.integer("N_KICKS");
  v.require(magnet.slices >= 1, "N_KICKS", "there must be one at least");
  magnet.nonlinear = v.flag("NONLINEAR");
  magnet.radiates = v.flag("SYNCH_RAD");
  magnet.misalignment = placement_of(v);
  const std::string method = v.text("METHOD");
  bend.is_leap_frog = method == "leap-frog";
  v.require(bend.is_leap_frog || method.empty() || method == "modified-midpoint", "METHOD",
            "it is modified-midpoint or leap-frog");
  bend.is_paraxial = v.flag("PARAXIAL");
  return bend;
}

/// Parameters of all integrated magnets, and others.
inline std::vector<ParameterRule> canonical_parameters(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(
      others.end(),
      {{"L", 0., not_negative}, {"TILT"}, {"DX"}, {"DY"}, {"DZ"}, {"SYNCH_RAD", 0., flag}});
  return others;
}

/// Number of slices of magnets to which N_KICKS is another name of N_SLICES.
inline std::vector<ParameterRule> with_slices(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.push_back({"N_SLICES", 4., integer});
  others.push_back({"N_KICKS", 4., integer, {}, "N_SLICES"});
  return others;
}

/// Those of magnets whose slices have an order.
inline std::vector<ParameterRule> ordered_parameters(double kicks, double slices,
                                                     std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"INTEGRATION_ORDER", 4., integer},
                               {"N_KICKS", kicks, integer},
                               {"N_SLICES", slices, integer},
                               {"EXPAND_HAMILTONIAN", 0., flag},
                               {"ISR", 0., flag},
                               {"ISR1PART", 1., passive}});
  return canonical_parameters(std::move(others));
}

/// Those of magnets with files of multipole errors.
inline std::vector<ParameterRule> imperfect_parameters(double kicks, double slices,
                                                       std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"PITCH", 0., passive},
                               {"YAW", 0., passive},
                               {"MALIGN_METHOD", 0., fixed},
                               {"SYSTEMATIC_MULTIPOLES", 0., fixed},
                               {"RANDOM_MULTIPOLES", 0., fixed},
                               {"SQRT_ORDER", 0., fixed}});
  return ordered_parameters(kicks, slices, std::move(others));
}

/// Those of quadrupoles and sextupoles, with kicks of correctors.
inline std::vector<ParameterRule> corrector_parameters(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"FSE"},
                               {"BORE", 0., not_negative},
                               {"B"},
                               {"HKICK"},
                               {"VKICK"},
                               {"HCALIBRATION", 1., fixed},
                               {"VCALIBRATION", 1., fixed},
                               {"HSTEERING", 0., passive},
                               {"VSTEERING", 0., passive},
                               {"STEERING_MULTIPOLES", 0., fixed},
                               {"EDGE_MULTIPOLES", 0., fixed},
                               {"SYSTEMATIC_MULTIPOLE_FACTOR", 1., passive},
                               {"RANDOM_MULTIPOLE_FACTOR", 1., passive},
                               {"STEERING_MULTIPOLE_FACTOR", 1., passive},
                               {"MIN_NORMAL_ORDER", -1., passive},
                               {"MIN_SKEW_ORDER", -1., passive},
                               {"MAX_NORMAL_ORDER", -1., passive},
                               {"MAX_SKEW_ORDER", -1., passive}});
  return imperfect_parameters(0., 1., std::move(others));
}

/// Parameters that CSBEND and CSRCSBEND share, and others.
inline std::vector<ParameterRule> canonical_bend_parameters(
    const std::vector<ParameterRule>& others) {
  using enum ParameterKind;
  std::vector<ParameterRule> bend = {{"ANGLE"},
                                     {"E1"},
                                     {"E2"},
                                     {"H1"},
                                     {"H2"},
                                     {"HGAP", 0., not_negative},
                                     {"FINT", 0.5},
                                     {"FSE"},
                                     {"ETILT"},
                                     {"ETILT_SIGN", 1., integer},
                                     {"INTEGRATION_ORDER", 4., integer},
                                     {"EDGE1_EFFECTS", 1., integer},
                                     {"EDGE2_EFFECTS", 1., integer},
                                     {"EDGE_ORDER", 1., integer},
                                     {"NONLINEAR", 1., flag},
                                     {"EXPANSION_ORDER", 0., integer},
                                     {"ISR", 0., flag},
                                     {"ISR1PART", 1., passive},
                                     {"USE_BN", 0., fixed}};
  for (const char* strength : {"K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8"})
    bend.push_back({strength});
  for (const char* strength : {"B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"})
    bend.push_back({strength, 0., passive});  // without USE_BN
  bend.insert(bend.end(), others.begin(), others.end());
  return canonical_parameters(with_slices(bend));
}

/// Parameters of CSBEND. Integrals of the fringe field act in edges with K1 effects of elegant's
/// only, which are not done here.
inline std::vector<ParameterRule> simple_bend_parameters() {
  using enum ParameterKind;
  std::vector<ParameterRule> bend = {{"FINT1", -1.},
                                     {"FINT2", -1.},
                                     {"FSE_DIPOLE"},
                                     {"FSE_QUADRUPOLE"},
                                     {"XKICK"},
                                     {"YKICK"},
                                     {"XSTEERING", 0., passive},
                                     {"YSTEERING", 0., passive},
                                     {"EXPAND_HAMILTONIAN", 0., flag},
                                     {"REFERENCE_CORRECTION", 0., flag},
                                     {"MALIGN_METHOD", 0., fixed},
                                     {"EPITCH", 0., fixed},
                                     {"EYAW", 0., fixed},
                                     {"EDGE1_KICK_LIMIT", -1., fixed},
                                     {"EDGE2_KICK_LIMIT", -1., fixed},
                                     {"KICK_LIMIT_SCALING", 0., fixed},
                                     {"XREFERENCE", 0., fixed},
                                     {"SQRT_ORDER", 0., fixed},
                                     {"USE_RAD_DIST", 0., fixed},
                                     {"ADD_OPENING_ANGLE", 1., passive},
                                     {"PHOTON_OUTPUT_FILE", 0., passive},
                                     {"PHOTON_LOW_ENERGY_CUTOFF", 0., passive},
                                     {"SR_IN_ORDINARY_MATRIX", 0., passive},
                                     {"TRACKING_MATRIX", 0., passive},
                                     {"FSE_CORRECTION", 0., fixed}};
  return canonical_bend_parameters(bend);
}

inline std::vector<ParameterRule> trajectory_bend_parameters() {
  using enum ParameterKind;
  return {{"L", 0., not_negative},
          {"ANGLE"},
          {"K1"},
          {"K2"},
          {"K3"},
          {"K4"},
          {"E1"},
          {"E2"},
          {"TILT"},
          {"H1"},
          {"H2"},
          {"HGAP", 0., not_negative},
          {"FINT", 0.5},
          {"DX"},
          {"DY"},
          {"DZ"},
          {"FSE"},
          {"ETILT", 0., fixed},
          {"N_KICKS", 4., integer},
          {"NONLINEAR", 1., flag},
          {"SYNCH_RAD", 0., flag},
          {"EDGE1_EFFECTS", 1., flag},
          {"EDGE2_EFFECTS", 1., flag},
          {"EDGE_ORDER", 1., integer},
          {"PARAXIAL", 0., flag},
          {"TRANSPORT", 0., fixed},
          {"METHOD", 0., text}};
}

inline std::vector<ElementRule> canonical_rules() {
  using enum ParameterKind;
  using Values = const ElementValues&;
  using Kind = beam::ElementKind;
  return {
      {"KQUAD", "KQUADRUPOLE",
       corrector_parameters({{"K1"},
                             {"RADIAL", 0., fixed},
                             {"EDGE1_EFFECTS", 0., flag},
                             {"EDGE2_EFFECTS", 0., flag}}),
       make_canonical_quadrupole},
      {"KSEXT", "KSEXTUPOLE", corrector_parameters({{"K2"}, {"K1"}, {"J1"}}),
       make_canonical_sextupole},
      {"KOCT", "KOCTUPOLE",
       imperfect_parameters(4., 4., {{"K3"}, {"FSE"}, {"BORE", 0., not_negative}, {"B"}}),
       [](Values v) -> Kind {
         return multipole_of(v, {{0., 0., 0., strength_of(v, "K3", 3) * (1. + v("FSE"))}});
       }},
      {"KQUSE", "",
       ordered_parameters(0., 1.,
                          {{"K1"}, {"K2"}, {"FSE1"}, {"FSE2"}, {"MATRIX_TRACKING", 0., fixed}}),
       [](Values v) -> Kind {
         return multipole_of(v, {{0., v("K1") * (1. + v("FSE1")), v("K2") * (1. + v("FSE2"))}});
       }},
      {"MULT", "MULTIPOLE",
       canonical_parameters(with_slices({{"KNL"},
                                         {"ORDER", 1., integer},
                                         {"FACTOR", 1.},
                                         {"BORE", 0., fixed},
                                         {"BTIPL", 0., fixed},
                                         {"MATRIX_ORDER", 0., passive},
                                         {"EXPAND_HAMILTONIAN", 0., flag}})),
       make_multipole},
      {"CSBEND", "CSBEN", simple_bend_parameters(), [](Values v) -> Kind { return bend_of(v); }},
      {"KSBEND", "", trajectory_bend_parameters(), make_trajectory_bend},
  };
}

}  // namespace trackplex::io::detail
