// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/bend_edge.hpp>
#include <trackplex/beam/steps/bend_field.hpp>
#include <trackplex/beam/steps/bend_steps.hpp>
#include <trackplex/beam/steps/canonical_multipole.hpp>
#include <trackplex/beam/steps/radiation.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace trackplex::beam {
namespace detail {

TRACKPLEX_INLINE std::vector<double> bend_coefficients(const BendBody& body) {
  const IntegrationScheme scheme = integration_scheme(body.integration_order);
  if (body.slices < 1) throw UsageError("bend", "it needs slices", std::to_string(body.slices));
  const double radius = body.length / body.angle, slice = body.length / body.slices;
  std::vector<double> c(n_bend_coefficients);
  c[bend_kicks] = double(scheme.kicks.size());
  c[bend_slices] = body.slices;
  c[bend_order] = body.field.order;
  c[bend_h] = body.angle / body.length;
  c[bend_radius] = radius;
  c[bend_per_radius] = body.field_angle / body.length;
  c[bend_horizontal] = body.field.horizontal;
  const auto add_drift = [&](double part) {
    const double length = part * slice, angle = length / radius;
    const double half_sine = sin(0.5 * angle);
    // sin(t) - t by its series where the difference would lose digits
    const double t2 = angle * angle;
    const double less = std::abs(angle) < 0.1
                            ? -angle * t2 / 6. * (1. - t2 / 20. * (1. - t2 / 42. * (1. - t2 / 72.)))
                            : sin(angle) - angle;
    c.insert(c.end(), {sin(angle), 2. * half_sine * half_sine, radius * less, length});
  };
  for (std::size_t i = 0; i < scheme.kicks.size(); ++i) {
    add_drift(scheme.drifts[i]);
    c.push_back(scheme.kicks[i] * slice);
  }
  add_drift(scheme.drifts.back());
  add_drift(scheme.drifts.back() + scheme.drifts.front());
  c.insert(c.end(), body.field.polynomial.begin(), body.field.polynomial.end());
  if (!body.is_corrected) return c;
  auto once = c;
  once[bend_slices] = 1.;
  Particle<double> v{};
  const NoRadiation none;
  body.expanded ? pass_bend<true>(once.data(), none, v) : pass_bend<false>(once.data(), none, v);
  c[bend_correction] = v[x];
  c[bend_correction + 1] = v[xp] / std::sqrt(1. + v[xp] * v[xp]);
  c[bend_correction + 2] = v[s];
  return c;
}

}  // namespace detail

namespace steps {

TRACKPLEX_INLINE std::vector<double> RadiatingBend::coefficients(const ElementPass& pass) const {
  return with_bend(ClassicalRadiation<double>::coefficients(pass, body.length));
}

TRACKPLEX_INLINE std::vector<double> RadiatingBend::with_bend(std::vector<double> radiation) const {
  radiation[0] *= body.field_angle * body.field_angle / body.length;
  radiation.insert(radiation.end(), {tan(entrance), tan(exit)});
  const auto slices = detail::bend_coefficients(body);
  radiation.insert(radiation.end(), slices.begin(), slices.end());
  return radiation;
}

TRACKPLEX_INLINE std::vector<double> QuantumBend::coefficients(const ElementPass& pass) const {
  const BendBody& body = bend.body;
  const int kicks = body.slices * int(integration_scheme(body.integration_order).kicks.size());
  auto values = QuantumRadiation<double>::coefficients(pass, body.length, kicks);
  if (!loses) values[0] = 0.;
  values.back() *= body.field_angle * std::sqrt(body.field_angle);
  return bend.with_bend(values);
}

}  // namespace steps
}  // namespace trackplex::beam
