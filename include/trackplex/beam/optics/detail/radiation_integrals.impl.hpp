// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/radiation_effects.hpp>
#include <trackplex/beam/optics/radiation_integrals.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::beam {
namespace detail {

/// Adds what a bend contributes, whose entrance has the optics `at`.
TRACKPLEX_INLINE void add_bend(RadiationIntegrals& sums, const AxisBend& bend, double length,
                               Optics at) {
  const double h = bend.angle / length, cube = std::abs(h * h * h);
  const auto pass_edge = [&](double edge) {
    sums.i4 -= h * h * at.dispersion[0] * tan(edge);
    TransferMap map = TransferMap::identity(1);
    map.R(2, 1) = h * tan(edge);
    at = behind(at, map, 0.);
  };
  const auto add = [&](double weight) {
    const auto& [eta, slope, y, yp] = at.dispersion;
    sums.i1 += weight * h * eta;
    sums.i4 += weight * h * (h * h + 2. * bend.k1) * eta;
    sums.i5 +=
        weight * cube *
        (at.x.gamma() * eta * eta + 2. * at.x.alpha * eta * slope + at.x.beta * slope * slope);
  };
  pass_edge(bend.entrance);
  constexpr int parts = 64;  // of Simpson's rule: even
  const TransferMap map = sector_bend_map({.length = length / parts,
                                           .angle = bend.angle / parts,
                                           .k1 = bend.k1,
                                           .entrance_edge = false,
                                           .exit_edge = false},
                                          1);
  const double part = length / parts / 3.;
  add(part);
  for (int i = 1; i <= parts; ++i) {
    at = behind(at, map, 0.);
    add(part * (i == parts ? 1. : i % 2 == 1 ? 4. : 2.));
  }
  sums.i2 += h * h * length;
  sums.i3 += cube * length;
  pass_edge(bend.exit);
}

}  // namespace detail

TRACKPLEX_INLINE RadiationIntegrals radiation_integrals(const BeamLine& ring,
                                                        const std::vector<Optics>& optics) {
  RadiationIntegrals sums;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const AxisBend bend = ring[i].kind.axis_bend();
    const double length = length_of(ring[i]);
    if (bend.angle == 0. || length == 0.) continue;
    if (std::abs(sin(bend.tilt)) > 1e-9)
      throw UsageError("element '" + ring[i].name + "'", "its bend is not horizontal", {},
                       "radiation integrals are those of flat rings");
    detail::add_bend(sums, bend, length, optics.at(i));
  }
  return sums;
}

TRACKPLEX_INLINE RadiationEquilibrium radiation_equilibrium(const RadiationIntegrals& of, double p0,
                                                            double length) {
  namespace c = constants::elegant;
  if (!(of.i2 > 0.)) throw UsageError("radiation", "the ring has no bends");
  const double gamma2 = 1. + p0 * p0, ratio = of.i4 / of.i2;
  if (!(ratio < 1.) || !(ratio > -2.))
    throw UsageError("radiation", "oscillations are not damped", "I4/I2 = " + shortest(ratio),
                     "J_x = 1 - I4/I2 and J_delta = 2 + I4/I2 must be above 0");
  const double cq =
      55. / (32. * std::numbers::sqrt3) * c::classical_electron_radius * c::inverse_fine_structure;
  RadiationEquilibrium result;
  result.energy_loss =
      2. / 3. * c::classical_electron_radius * c::electron_energy * gamma2 * gamma2 * of.i2;
  result.x_partition = 1. - ratio;
  result.momentum_partition = 2. + ratio;
  result.x_emittance = cq * gamma2 * of.i5 / (of.i2 - of.i4);
  result.momentum_spread = std::sqrt(cq * gamma2 * of.i3 / (2. * of.i2 + of.i4));
  const double turn = length * std::sqrt(gamma2) / p0 / constants::speed_of_light;
  const double time = 2. * c::electron_energy * std::sqrt(gamma2) * turn / result.energy_loss;
  result.x_time = time / result.x_partition;
  result.y_time = time / result.y_partition;
  result.momentum_time = time / result.momentum_partition;
  return result;
}

TRACKPLEX_INLINE BeamLine with_equilibrium(BeamLine ring, double p0) {
  const auto lacks = [](const Element& element) {
    const auto* effects = element.kind.as<SynchrotronRadiationEffects>();
    return effects && effects->reference_momentum == 0.;
  };
  if (std::none_of(ring.begin(), ring.end(), lacks)) return ring;
  const auto optics = optics_along(ring, periodic_twiss(map_of(ring, 1, p0)).start, p0);
  const auto found =
      radiation_equilibrium(radiation_integrals(ring, optics), p0, optics.back().position);
  const auto optics_at = [](const PlaneTwiss& twiss, const double* dispersion) {
    return RingOptics{twiss.beta, dispersion[0], dispersion[1]};
  };
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (!lacks(ring[i])) continue;
    auto effects = *ring[i].kind.as<SynchrotronRadiationEffects>();
    const Optics& at = optics[i];
    effects.reference_momentum = p0;
    effects.x_partition = found.x_partition;
    effects.y_partition = found.y_partition;
    effects.momentum_partition = found.momentum_partition;
    effects.x_emittance =
        found.x_emittance / (1. + effects.coupling * found.y_partition / found.x_partition);
    effects.y_emittance = effects.coupling * effects.x_emittance;
    effects.coupling = 0.;  // they are those of the planes now
    if (!effects.x_optics) effects.x_optics = optics_at(at.x, at.dispersion);
    if (!effects.y_optics) effects.y_optics = optics_at(at.y, at.dispersion + 2);
    effects.momentum_spread = found.momentum_spread;
    effects.momentum_change = -found.energy_loss / constants::elegant::electron_energy / p0;
    ring[i].kind = effects;
  }
  return ring;
}

}  // namespace trackplex::beam
