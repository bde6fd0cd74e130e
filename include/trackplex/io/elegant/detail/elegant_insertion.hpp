// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/wiggler.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/elegant/detail/elegant_columns.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// elegant's keywords of wigglers and undulators.

namespace trackplex::io::detail {

/// Harmonics of a file; wave numbers over that of a period.
inline std::vector<beam::WigglerHarmonic> harmonics_of(const ElementValues& v,
                                                       std::string_view name) {
  if (!v.is_given(name)) return {};
  const auto columns =
      columns_of_file(v.path(name), {"Cmn", "KxOverKw", "KyOverKw", "KzOverKw", "Phase"});
  std::vector<beam::WigglerHarmonic> harmonics;
  for (std::size_t i = 0; i < columns[0].size(); ++i)
    harmonics.push_back(
        {columns[0][i], columns[1][i], columns[2][i], columns[3][i], columns[4][i]});
  v.require(!harmonics.empty(), name, "the file has no harmonics");
  v.require(harmonics[0].phase >= 0., name, "the phase of the first harmonic is negative");
  for (const auto& harmonic : harmonics)
    v.require(2. * std::numbers::pi * harmonic.kz <= 2. * v("STEPS_PER_PERIOD"), name,
              "a harmonic varies too fast for the steps", "take more STEPS_PER_PERIOD");
  return harmonics;
}

inline beam::ElementKind make_wiggler(const ElementValues& v) {
  beam::Wiggler wiggler;
  wiggler.length = v("L");
  v.require(wiggler.length > 0., "L", "a wiggler has a length");
  wiggler.periods = v.integer("PERIODS");
  v.require(wiggler.periods >= 1, "PERIODS", "there must be one at least");
  wiggler.steps_per_period = v.integer("STEPS_PER_PERIOD");
  v.require(wiggler.steps_per_period >= 1, "STEPS_PER_PERIOD", "there must be one at least");
  if (wiggler.steps_per_period % 4 != 0)  // as in elegant
    wiggler.steps_per_period = (wiggler.steps_per_period / 4 + 1) * 4;
  wiggler.integration_order = v.integer("INTEGRATION_ORDER");
  v.require(wiggler.integration_order == 2 || wiggler.integration_order == 4, "INTEGRATION_ORDER",
            "it is 2 or 4");
  for (const auto name : {"BX_MAX", "BY_MAX"})
    v.require(v("B_MAX") == 0. || v(name) == 0., name, "B_MAX is given, too", "give one of them");
  wiggler.vertical.peak = v("BY_MAX") != 0. ? v("BY_MAX") : v("B_MAX");
  wiggler.horizontal.peak = v("BX_MAX") != 0. ? v("BX_MAX") : v("B_MAX");
  const bool is_helical = v.flag("HELICAL"), is_vertical = v.flag("VERTICAL");
  if (v.flag("SINUSOIDAL")) {
    for (const auto file : {"BX_FILE", "BY_FILE"})
      v.require(!v.is_given(file), file, "the field is sinusoidal");
    const double phase = is_helical ? 0.5 * std::numbers::pi : 0.;
    if (!is_vertical || is_helical) wiggler.vertical.harmonics = {{1., 0., 1., 1., 0.}};
    if (is_vertical || is_helical) wiggler.horizontal.harmonics = {{1., 1., 0., 1., phase}};
  } else {
    for (const auto name : {"HELICAL", "VERTICAL"})
      v.require(!v.flag(name), name, "the field is not sinusoidal", "set SINUSOIDAL=1");
    wiggler.vertical.harmonics = harmonics_of(v, "BY_FILE");
    wiggler.horizontal.harmonics = harmonics_of(v, "BX_FILE");
  }
  wiggler.vertical.has_split_poles = v.flag("BY_SPLIT_POLE");
  wiggler.horizontal.has_split_poles = v.flag("BX_SPLIT_POLE");
  wiggler.pole_factors = {v("POLE1_FACTOR"), v("POLE2_FACTOR"), v("POLE3_FACTOR")};
  wiggler.is_matched = v.flag("FORCE_MATCHED");
  wiggler.radiates = v.flag("SYNCH_RAD");
  wiggler.quantum = v.flag("ISR");
  wiggler.misalignment = placement_of(v);
  wiggler.has_strength_of_elegant = true;
  return wiggler;
}

/// Tells whether the field of a wiggler is given otherwise than by its bending radius.
inline bool has_wiggler_field(const ElementValues& v) {
  return v.rule_of("POLES") && (v("K") > 0. || v("B") > 0.);
}

/// Bending radius at the peak field of a wiggler, m: by K, else by B, else as it is given.
inline double wiggler_radius(const ElementValues& v) {
  if (!has_wiggler_field(v)) return v("RADIUS");
  const char* const given = v("K") > 0. ? "K" : "B";
  v.require(v.p0() > 0., given, "its bending radius needs the reference momentum",
            "give it (--momentum), or the RADIUS");
  if (v("K") > 0.) return v.p0() * v("L") / (std::numbers::pi * v("K") * v("POLES"));
  return v.p0() * constants::elegant::electron_energy_from_mass /
         (constants::speed_of_light * v("B"));
}

/// Linear map of a wiggler with a vertical field of period 2 L/N for N poles, averaged over its
/// oscillation: of strength \f$k_y^2=1/(2\rho^2)\f$ vertically and a drift horizontally, and
/// \f$R_{56}=-\lfloor N/2\rfloor L^3/(\pi^2\rho^2N^3)\f$.
inline beam::ElementKind make_matrix_wiggler(const ElementValues& v) {
  const double length = v("L");
  const int poles = v.integer("POLES");
  if (length == 0.) return beam::Marker{};
  v.require(poles >= 1, "POLES", "there must be one at least");
  const double radius = wiggler_radius(v);
  v.require(radius != 0., "RADIUS", "there is no field", "give RADIUS, K or B");
  auto map = beam::TransferMap::identity(1);
  map.R(1, 2) = map.R(3, 4) = length;
  if (v.flag("FOCUSING")) {
    const double k = 1. / (std::numbers::sqrt2 * std::abs(radius));
    map.R(3, 3) = map.R(4, 4) = cos(k * length);
    map.R(3, 4) = sin(k * length) / k;
    map.R(4, 3) = -k * sin(k * length);
  }
  const double pole = length / poles;
  map.R(5, 6) = -double(poles / 2) * pole * pole * pole /
                (std::numbers::pi * std::numbers::pi * radius * radius);
  return beam::MapElement(length, beam::misaligned(map, placement_of(v)));
}

inline std::vector<ElementRule> insertion_rules() {
  using enum ParameterKind;
  return {{"CWIGGLER",
           "",
           {{"L", 0., not_negative},
            {"B_MAX"},
            {"BX_MAX"},
            {"BY_MAX"},
            {"TGU_GRADIENT", 0., passive},
            {"TGU_COMP_FACTOR", 1., passive},
            {"POLE1_FACTOR", 1.},
            {"POLE2_FACTOR", 1.},
            {"POLE3_FACTOR", 1.},
            {"DX"},
            {"DY"},
            {"DZ"},
            {"TILT"},
            {"PERIODS", 0., integer},
            {"STEPS_PER_PERIOD", 12., integer},
            {"INTEGRATION_ORDER", 4., integer},
            {"BY_FILE", 0., text},
            {"BX_FILE", 0., text},
            {"BY_SPLIT_POLE", 0., flag},
            {"BX_SPLIT_POLE", 0., flag},
            {"SYNCH_RAD", 0., flag},
            {"ISR", 0., flag},
            {"ISR1PART", 1., passive},
            {"SINUSOIDAL", 0., flag},
            {"VERTICAL", 0., flag},
            {"HELICAL", 0., flag},
            {"TGU", 0., fixed},
            {"FORCE_MATCHED", 1., flag},
            {"FIELD_OUTPUT", 0., passive},
            {"VERBOSITY", 0., passive},
            {"BX_CONSTANT", 0., fixed},
            {"BY_CONSTANT", 0., fixed}},
           make_wiggler},
          {"WIGGLER",
           "",
           {{"L", 0., not_negative},
            {"RADIUS"},
            {"K"},
            {"B"},
            {"DX"},
            {"DY"},
            {"DZ"},
            {"TILT"},
            {"POLES", 0., integer},
            {"FOCUSING", 1., flag}},
           make_matrix_wiggler}};
}

}  // namespace trackplex::io::detail
