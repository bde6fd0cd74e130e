// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/elegant_apertures.hpp>
#include <trackplex/io/detail/elegant_canonical.hpp>
#include <trackplex/io/detail/elegant_map_elements.hpp>
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
  static const std::vector<ElementRule> rules = joined(
      {
          {"DRIF",
           "DRIFT",
           {{"L"}, {"ORDER", 0., integer}},
           [](Values v) -> Kind {
             return beam::Drift{v("L"), order_of(v, 2)};
           }},
          {"EDRIFT", "", {{"L"}}, [](Values v) -> Kind { return beam::ExactDrift{v("L")}; }},
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
      map_rules(), canonical_rules(), aperture_rules());
  return rules;
}

}  // namespace trackplex::io::detail
