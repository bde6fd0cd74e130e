// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/trajectory_bend.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/io/elegant/detail/elegant_rules.hpp>

#include <string>
#include <string_view>
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
  field.normal[0] = -v("HKICK");
  field.skew[0] = -v("VKICK");
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
  const int order = v.integer("ORDER"), kicks = v.integer("N_KICKS");
  v.require(order >= 0 && order <= 20, "ORDER", "it is 0 to 20");
  v.require(kicks >= 1, "N_KICKS", "there must be one at least");
  beam::Multipoles field{std::vector<double>(order + 1, 0.), {}};
  field.normal[order] = v("KNL") * v("FACTOR");
  return beam::CanonicalMultipole{.length = v("L"),
                                  .field = field,
                                  .slices = kicks,
                                  .integration_order = 2,
                                  .misalignment = placement_of(v),
                                  .expanded = v.flag("EXPAND_HAMILTONIAN"),
                                  .radiates = v.flag("SYNCH_RAD") && v("L") > 0.,
                                  .quantum = v.flag("ISR") && v("L") > 0.};
}

inline beam::EdgeEffects edge_effects_of(const ElementValues& v, std::string_view name) {
  const int effects = v.integer(name);
  v.require(effects >= 0 && effects <= 3, name, "it is 0 to 3");
  if (effects != 0 && v.has_exact_edges()) return beam::EdgeEffects::exact;
  return beam::EdgeEffects(effects);
}

inline beam::CanonicalBend bend_of(const ElementValues& v) {
  beam::CanonicalBend bend{.length = v("L"), .angle = v("ANGLE")};
  for (int n = 1; n <= 8; ++n) bend.strengths.push_back(v("K" + std::to_string(n)));
  bend.entrance = v("E1");
  bend.exit = v("E2");
  bend.entrance_curve = v("H1");
  bend.exit_curve = v("H2");
  bend.half_gap = v("HGAP");
  bend.fringe = v("FINT");
  bend.entrance_effects = edge_effects_of(v, "EDGE1_EFFECTS");
  bend.exit_effects = edge_effects_of(v, "EDGE2_EFFECTS");
  bend.edge_order = v.integer("EDGE_ORDER") > 1 ? 2 : 1;  // as elegant tracks
  bend.field_error = v("FSE");
  bend.slices = v.integer(v("N_KICKS") > 0. ? "N_KICKS" : "N_SLICES");
  v.require(bend.slices >= 1, "N_SLICES", "there must be one at least");
  bend.integration_order = v.integer("INTEGRATION_ORDER");
  v.require(
      bend.integration_order == 2 || bend.integration_order == 4 || bend.integration_order == 6,
      "INTEGRATION_ORDER", "it is 2, 4 or 6");
  bend.nonlinear = v.flag("NONLINEAR");
  bend.expansion_order = v.integer("EXPANSION_ORDER");
  bend.horizontal_kick = v("XKICK");
  bend.vertical_kick = v("YKICK");
  bend.error_tilt = v("ETILT");
  bend.expanded = v.flag("EXPAND_HAMILTONIAN");
  bend.is_corrected = v.flag("REFERENCE_CORRECTION");
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

/// Parameters of all integrated magnets, and others. ISR1PART = 0, no random losses in bunches of
/// one particle, is not looked at.
inline std::vector<ParameterRule> canonical_parameters(double kicks, double slices,
                                                       std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"L", 0., not_negative},
                               {"TILT"},
                               {"DX"},
                               {"DY"},
                               {"DZ"},
                               {"N_KICKS", kicks, integer},
                               {"N_SLICES", slices, integer},
                               {"EXPAND_HAMILTONIAN", 0., flag},
                               {"SYNCH_RAD", 0., flag},
                               {"ISR", 0., flag},
                               {"ISR1PART", 1., passive}});
  return others;
}

/// Those of magnets whose slices have an order, and kicks of correctors.
inline std::vector<ParameterRule> corrector_parameters(double kicks,
                                                       std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"INTEGRATION_ORDER", 4., integer},
                               {"HKICK"},
                               {"VKICK"},
                               {"HCALIBRATION", 1., fixed},
                               {"VCALIBRATION", 1., fixed},
                               {"HSTEERING", 0., passive},
                               {"VSTEERING", 0., passive},
                               {"PITCH", 0., passive},
                               {"YAW", 0., passive},
                               {"MALIGN_METHOD", 0., fixed},
                               {"SYSTEMATIC_MULTIPOLES", 0., fixed},
                               {"RANDOM_MULTIPOLES", 0., fixed},
                               {"STEERING_MULTIPOLES", 0., fixed},
                               {"RADIAL", 0., fixed},
                               {"EDGE1_EFFECTS", 0., flag},
                               {"EDGE2_EFFECTS", 0., flag}});
  return canonical_parameters(kicks, 1., others);
}

/// Parameters of CSBEND, and others.
inline std::vector<ParameterRule> canonical_bend_parameters(
    const std::vector<ParameterRule>& others = {}) {
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
                                     {"INTEGRATION_ORDER", 4., integer},
                                     {"EDGE1_EFFECTS", 1., integer},
                                     {"EDGE2_EFFECTS", 1., integer},
                                     {"EDGE_ORDER", 1., integer},
                                     {"NONLINEAR", 1., flag},
                                     {"EXPANSION_ORDER", 0., integer},
                                     {"XKICK"},
                                     {"YKICK"},
                                     {"REFERENCE_CORRECTION", 0., flag},
                                     {"USE_BN", 0., fixed},
                                     {"FSE_DIPOLE", 0., fixed},
                                     {"FSE_QUADRUPOLE", 0., fixed}};
  for (const char* strength : {"K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8"})
    bend.push_back({strength});
  bend.insert(bend.end(), others.begin(), others.end());
  return canonical_parameters(0., 4., bend);
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
       corrector_parameters(0., {{"K1"}, {"FSE"}, {"BORE", 0., not_negative}, {"B"}}),
       make_canonical_quadrupole},
      {"KSEXT", "KSEXTUPOLE",
       corrector_parameters(0.,
                            {{"K2"}, {"K1"}, {"J1"}, {"FSE"}, {"BORE", 0., not_negative}, {"B"}}),
       make_canonical_sextupole},
      {"KOCT", "KOCTUPOLE",
       corrector_parameters(4., {{"K3"}, {"FSE"}, {"BORE", 0., not_negative}, {"B"}}),
       [](Values v) -> Kind {
         return multipole_of(v, {{0., 0., 0., strength_of(v, "K3", 3) * (1. + v("FSE"))}});
       }},
      {"KQUSE", "", corrector_parameters(0., {{"K1"}, {"K2"}, {"FSE1"}, {"FSE2"}}),
       [](Values v) -> Kind {
         return multipole_of(v, {{0., v("K1") * (1. + v("FSE1")), v("K2") * (1. + v("FSE2"))}});
       }},
      {"MULT", "MULTIPOLE",
       canonical_parameters(4., 0.,
                            {{"KNL"},
                             {"ORDER", 1., integer},
                             {"FACTOR", 1.},
                             {"BORE", 0., fixed},
                             {"BTIPL", 0., fixed}}),
       make_multipole},
      {"CSBEND", "CSBEN", canonical_bend_parameters(), [](Values v) -> Kind { return bend_of(v); }},
      {"KSBEND", "", trajectory_bend_parameters(), make_trajectory_bend},
  };
}

}  // namespace trackplex::io::detail
