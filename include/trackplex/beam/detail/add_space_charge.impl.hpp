// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/add_space_charge.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
#include <string>

namespace trackplex::beam {

namespace detail {

/// Appends kicks and parts of elements to a line.
struct SpaceChargeLine {
  const SpaceChargeSteps& steps;
  BeamLine line;

  void add(const Element& element) {
    const double length = length_of(element);
    if (!(length > 0.)) {
      line.push_back(element);
    } else if (element.kind.is_whole()) {
      kick(element, steps.kick_first ? length : 0.5 * length);
      line.push_back(element);
      if (!steps.kick_first) kick(element, 0.5 * length);
    } else {
      add_parts(element, length, int(std::ceil(length / steps.max_length * (1. - 1e-12))));
    }
  }

 private:
  void add_parts(const Element& element, double length, int n) {
    const int per_step = steps.kick_first ? 1 : 2;
    for (int step = 0; step < n; ++step)
      for (int part = 0; part < per_step; ++part) {
        if (part == per_step - 1) kick(element, length / n);
        line.push_back({element.name, element.kind.part(step * per_step + part, n * per_step)});
      }
  }
  void kick(const Element& element, double length) {
    SpaceChargeKick kick = steps.kick;
    kick.effective_length = length;
    line.push_back({element.name + ".sc", kick});
  }
};

}  // namespace detail

TRACKPLEX_INLINE BeamLine with_space_charge(const BeamLine& line, const SpaceChargeSteps& steps) {
  constexpr const char* where = "space charge along a line";
  if (!(steps.max_length > 0.) || !std::isfinite(steps.max_length))
    throw UsageError(where, "the greatest length of a step is not above 0",
                     shortest(steps.max_length));
  detail::SpaceChargeLine result{steps, {}};
  for (const Element& element : line) {
    const auto* drift = element.kind.as<SpaceChargeDrift>();
    if ((drift && drift->space_charge) || element.kind.as<SpaceChargeKick>())
      throw UsageError(where, "element '" + element.name + "' has space charge already", {},
                       "switch that off, or leave out space charge along the line");
    if (double(result.line.size()) + length_of(element) / steps.max_length > 1e7)
      throw UsageError(where, "there are more than ten million steps",
                       shortest(steps.max_length) + " m", "take longer steps");
    result.add(element);
  }
  return result.line;
}

}  // namespace trackplex::beam
