// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/collective/detail/add_counts.hpp>
#include <trackplex/beam/collective/detail/impedance_field.hpp>
#include <trackplex/beam/collective/detail/wake_action.hpp>
#include <trackplex/beam/collective/impedance.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/steps/step_builder.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE void ImpedanceTable::check(const std::string& name) const {
  if (!(bin_size > 0.) || !std::isfinite(bin_size))
    throw UsageError(name, "the bins of an impedance have no length", shortest(bin_size) + " s");
  if (real.size() < 3 || real.size() != imaginary.size())
    throw UsageError(name, "an impedance needs three frequencies or more, with two parts each",
                     std::to_string(real.size()) + " real parts, " +
                         std::to_string(imaginary.size()) + " imaginary ones");
  for (std::size_t i = 0; i < real.size(); ++i)
    if (!std::isfinite(real[i]) || !std::isfinite(imaginary[i]))
      throw UsageError(name, "an impedance is not finite", "frequency " + std::to_string(i));
  if (imaginary.front() != 0. || imaginary.back() != 0.)
    throw UsageError(name, "the impedance of the first or the last frequency is complex", {},
                     "currents of real numbers have none there: set it to 0");
}

TRACKPLEX_INLINE ImpedanceTable resonator_impedance(double shunt, double quality, double frequency,
                                                    double bin_size, int bins) {
  ImpedanceTable table{bin_size, std::vector<double>(std::size_t(bins / 2 + 1), 0.), {}};
  table.imaginary = table.real;
  for (int k = 1; k < bins / 2; ++k) {
    const double f = k / (bins * bin_size) / frequency, term = quality * (1. / f - f);
    table.real[std::size_t(k)] = shunt / (1. + term * term);
    table.imaginary[std::size_t(k)] = table.real[std::size_t(k)] * term;
  }
  return table;
}

TRACKPLEX_INLINE void LongitudinalImpedance::check(const ElementCheck& check) const {
  check.finite("factor", factor);
  check.not_negative("charge", charge);
  check.not_negative("number of turns of the ramp", ramp_turns);
}

}  // namespace trackplex::beam
