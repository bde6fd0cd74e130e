// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/differenced_map.hpp>
#include <trackplex/beam/elements/detail/require_electrons.hpp>
#include <trackplex/beam/elements/detail/wiggler_pass.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/wiggler.hpp>
#include <trackplex/beam/steps/radiation.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE TransferMap Wiggler::map_to(int order, double p0) const {
  return p0 > 0. ? map_at(p0, order) : drift_map(length, order);
}

TRACKPLEX_INLINE void Wiggler::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.placed(misalignment);
  if (!(length > 0.)) check.refuse("length", length, "a wiggler has one");
  if (periods < 1) check.refuse("number of periods", periods, "there must be one at least");
  if (steps_per_period < 1) check.refuse("steps per period", steps_per_period, "there must be one");
  if (integration_order != 2 && integration_order != 4)
    check.refuse("order of the integration", integration_order, "it is 2 or 4");
  if (double(periods) * steps_per_period > 1e6)
    check.refuse("number of periods", periods, "there would be more than a million steps");
  for (const double factor : pole_factors) check.finite("factor of a pole", factor);
  for (const WigglerField* field : {&vertical, &horizontal}) {
    check.finite("peak of the field", field->peak);
    const bool trigonometric_x = (field == &vertical) != field->has_split_poles;
    for (const auto& [strength, kx, ky, kz, phase] : field->harmonics) {
      check.finite("strength of a harmonic", strength);
      check.finite("phase of a harmonic", phase);
      for (const double k : {kx, ky, kz}) check.finite("wave number of a harmonic", k);
      if (!(kz > 0.)) check.refuse("wave number along the axis", kz, "it must be above 0");
      const double longest = trigonometric_x ? ky : kx, other = trigonometric_x ? kx : ky;
      if (!(std::abs(hypot(other, kz) / longest - 1.) <= 1e-6))
        check.refuse(trigonometric_x ? "wave number in y" : "wave number in x", longest,
                     "its square must be the sum of those of the others");
    }
  }
}

namespace detail {

TRACKPLEX_INLINE WigglerProfile::WigglerProfile(const Wiggler& wiggler, const WigglerField& field) {
  const double period = wiggler.length / wiggler.periods, step = period / wiggler.steps_per_period;
  constexpr double pi = std::numbers::pi;
  start_ = 0.;
  end_ = wiggler.length;
  if (!field.harmonics.empty() && wiggler.is_matched) {
    const double phase = std::fmod(field.harmonics[0].phase, 2. * pi);
    if (phase != 0. && phase != pi) {
      start_ = ((phase < pi ? 1. : 2.) * pi - phase) / (2. * pi) * period;
      end_ = wiggler.length - (period - start_);
    }
  }
  start_ -= step / 16.;  // against rounding errors
  end_ += step / 16.;
}

TRACKPLEX_INLINE double pole_factor(const Wiggler& wiggler, double first, double last, double z) {
  const double period = wiggler.length / wiggler.periods;
  const double quarter = 0.25 * period, less = quarter / wiggler.steps_per_period;
  for (int pole = 0; pole < 3; ++pole)
    if (z < first + (2 * pole + 1) * quarter - less) return wiggler.pole_factors[std::size_t(pole)];
  for (int pole = 2; pole >= 0; --pole)
    if (z < last - (2 * pole + 1) * quarter - less)
      return pole == 2 ? 1. : wiggler.pole_factors[std::size_t(pole + 1)];
  return wiggler.pole_factors[0];
}

/// Coefficients of a harmonic of a vertical or a horizontal field, with the wave number of a
/// period.
TRACKPLEX_INLINE std::vector<double> harmonic_coefficients(const WigglerHarmonic& harmonic,
                                                           bool is_vertical, bool has_split_poles,
                                                           double kw) {
  const double kx = harmonic.kx * kw, ky = harmonic.ky * kw, sign = has_split_poles ? -1. : 1.;
  const double x2 = kx * kx, y2 = ky * ky;
  std::vector<double> c = {kx, ky, double(is_vertical != has_split_poles)};
  if (is_vertical)
    c.insert(c.end(), {1., 0., 0., sign * y2, 0., sign * x2, x2 / y2, 0., 0., sign * x2, -1., 0.});
  else
    c.insert(c.end(), {0., sign * y2, y2 / x2, 0., 1., 0., 0., sign * x2, 1., 0., 0., -sign * y2});
  return c;
}

/// The inverse of the magnetic rigidity of a momentum, 1/(T m), as it is for a wiggler.
TRACKPLEX_INLINE double inverse_rigidity(const Wiggler& wiggler, double p0) {
  namespace elegant = constants::elegant;
  if (wiggler.has_strength_of_elegant && p0 > 1.)
    return elegant::wiggler_inverse_rigidity / std::sqrt(p0 * p0 - 1.);
  return constants::speed_of_light / (elegant::electron_energy * p0);
}

TRACKPLEX_INLINE std::vector<double> wiggler_coefficients(const Wiggler& wiggler,
                                                          const ElementPass& pass) {
  require_electrons("wiggler", pass.reference);
  const double kw = 2. * std::numbers::pi * wiggler.periods / wiggler.length;
  const int steps = wiggler.periods * wiggler.steps_per_period;
  const double step = wiggler.length / steps;
  // H. Yoshida, Phys. Lett. A 150 (1990) 262
  const double outer = 1. / (2. - cbrt(2.)), inner = 1. - 2. * outer;
  const std::vector<double> parts = wiggler.integration_order == 2
                                        ? std::vector<double>{1.}
                                        : std::vector<double>{outer, inner, outer};
  const bool radiates = wiggler.radiates || wiggler.quantum;
  const double per_rigidity = inverse_rigidity(wiggler, pass.reference.p0);
  std::vector<double> c(n_wiggler_coefficients);
  c[wiggler_steps] = steps;
  c[wiggler_substeps] = double(parts.size());
  c[wiggler_random] = wiggler.quantum;
  for (std::size_t i = 0; i < parts.size(); ++i) c[wiggler_lengths + i] = parts[i] * step;
  c[wiggler_length] = step;
  auto radiation = QuantumRadiation<double>::coefficients(pass, wiggler.length, steps);
  radiation[0] *= wiggler.radiates ? wiggler.length : 0.;
  // of a step, with the field in 1/m
  radiation[3] *= wiggler.quantum ? wiggler.length * std::sqrt(double(steps) * step) : 0.;
  if (!radiates) std::fill(radiation.begin(), radiation.end(), 0.);
  std::copy(radiation.begin(), radiation.end(), c.begin() + wiggler_radiation);
  const std::array fields{&wiggler.vertical, &wiggler.horizontal};
  const WigglerProfile profiles[] = {{wiggler, wiggler.vertical}, {wiggler, wiggler.horizontal}};
  const auto for_each_harmonic = [&](const auto& f) {
    for (std::size_t i = 0; i < fields.size(); ++i)
      for (const auto& harmonic : fields[i]->harmonics) f(i, harmonic);
  };
  for_each_harmonic([&](std::size_t i, const WigglerHarmonic& harmonic) {
    c[wiggler_harmonics] += 1.;
    if (i == 1 || harmonic.kx != 0.) c[wiggler_deflects_y] = 1.;
    const auto more = harmonic_coefficients(harmonic, i == 0, fields[i]->has_split_poles, kw);
    c.insert(c.end(), more.begin(), more.end());
  });
  const auto& first = profiles[wiggler.vertical.harmonics.empty() ? 1 : 0];
  const auto add = [&](double z, double factor, bool of_field) {
    for_each_harmonic([&](std::size_t i, const WigglerHarmonic& harmonic) {
      const double b = factor * fields[i]->peak * harmonic.strength * per_rigidity;
      const double phase = harmonic.kz * kw * z + harmonic.phase;
      const double wave = of_field ? cos(phase) : sin(phase) / (harmonic.kz * kw);
      c.push_back(profiles[i].is_inside(z) ? b * wave : 0.);
    });
  };
  if (radiates)
    for (const bool of_field : {false, true}) add(0., wiggler.pole_factors[0], of_field);
  for (int i = 0; i < steps; ++i) {
    double z = i * step;
    const double factor = pole_factor(wiggler, first.start(), first.end(), z);
    for (const double part : parts) {
      add(z + 0.5 * part * step, factor, false);
      z += part * step;
    }
    if (radiates)
      for (const bool of_field : {false, true}) add((i + 1) * step, factor, of_field);
  }
  return c;
}

}  // namespace detail

namespace steps {

TRACKPLEX_INLINE std::vector<double> Wiggler::coefficients(const ElementPass& pass) const {
  return detail::wiggler_coefficients(wiggler, pass);
}

}  // namespace steps

// namespace steps
TRACKPLEX_INLINE void Wiggler::add_steps(StepBuilder& to) const {
  const Misalignment& by = misalignment;
  if (by.tilt != 0.) to.rotate(by.tilt);
  to.placed({.dx = by.dx, .dy = by.dy, .dz = by.dz}, [&] { to.add(steps::Wiggler{*this}); });
  if (by.tilt != 0.) to.rotate(-by.tilt);
}

TRACKPLEX_INLINE TransferMap Wiggler::map_at(double p0, int order) const {
  if (!(p0 > 0.))
    throw UsageError("wiggler", "the momentum of its map is not above 0", shortest(p0));
  beam::Wiggler ideal = *this;
  ideal.radiates = ideal.quantum = false;
  const auto c = detail::wiggler_coefficients(ideal, {0, {p0, 0.}});
  const Misalignment& by = misalignment;
  TransferMap map = detail::differenced_map(
      [&](Particle<double>& v) { detail::pass_wiggler(c.data(), v, detail::NoNumbers{}); }, order);
  map = misaligned(map, {.dx = by.dx, .dy = by.dy, .dz = by.dz});
  return misaligned(map, {.tilt = by.tilt});
}

}  // namespace trackplex::beam
