// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/longitudinal_modes.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>

#include <complex>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE void LongitudinalModes::check(const ElementCheck& check) const {
  for (const LongitudinalMode& mode : modes) {
    mode.resonator.check(check);
    check.finite("voltage of a mode", mode.voltage);
    check.finite("phase of a mode", mode.phase);
  }
  turns.check(check);
  check.not_negative("length of a bin", bin_size);
  check.not_negative("number of bins", bins);
  check.finite("number of cavities", cavities);
  check.finite("initial time", initial_time);
  check.not_negative("charge of the preload", preload_charge);
  check.finite("factor of the preload", preload_factor);
  check.not_negative("harmonic of the preload", preload_harmonic);
  check.not_negative("charge", charge);
}

TRACKPLEX_INLINE std::vector<std::complex<double>> LongitudinalModes::initial_phasors() const {
  std::vector<std::complex<double>> phasors;
  for (const LongitudinalMode& mode : modes) {
    const auto turned = sincos(mode.phase);
    phasors.emplace_back(mode.voltage * turned.cos, mode.voltage * turned.sin);
  }
  return phasors;
}

TRACKPLEX_INLINE std::vector<std::complex<double>> LongitudinalModes::preloaded_phasors(
    double turn_time) const {
  std::vector<std::complex<double>> phasors;
  for (const LongitudinalMode& mode : modes) {
    const Resonator& resonator = mode.resonator;
    const double harmonic = preload_harmonic > 0 ? double(preload_harmonic)
                                                 : floor(resonator.frequency * turn_time + 0.5);
    if (!(harmonic >= 1.) || !(turn_time > 0.))
      throw UsageError("mode of a cavity", "no harmonic of the turn is near its frequency",
                       "a turn of " + shortest(turn_time) + " s",
                       "give the harmonic of the preload, or initial voltages");
    const double exciting = harmonic / turn_time;
    const double tangent =
        2. * resonator.loaded_quality() * (resonator.frequency - exciting) / exciting;
    const double volts = -(preload_charge / turn_time) * 2. * resonator.shunt /
                         (1. + resonator.coupling) * preload_factor / (1. + tangent * tangent);
    phasors.emplace_back(volts, volts * tangent);
  }
  return phasors;
}

}  // namespace trackplex::beam
