// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/steps/radiation.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE Multipoles Multipoles::times(double factor) const {
  Multipoles result = *this;
  for (auto* strengths : {&result.normal, &result.skew})
    for (double& strength : *strengths) strength *= factor;
  return result;
}

TRACKPLEX_INLINE double Multipoles::of(const std::vector<double>& strengths, int n) {
  return n < int(strengths.size()) ? strengths[std::size_t(n)] : 0.;
}

TRACKPLEX_INLINE TransferMap thin_multipole_map(const Multipoles& field, int order) {
  TransferMap map = TransferMap::identity(order);
  const auto k = [&](int n) { return Multipoles::of(field.normal, n); };
  const auto j = [&](int n) { return Multipoles::of(field.skew, n); };
  map.C(2) = -k(0);
  map.C(4) = -j(0);
  map.R(2, 6) = k(0);
  map.R(4, 6) = j(0);
  map.R(2, 1) = -k(1);
  map.R(4, 3) = k(1);
  map.R(2, 3) = map.R(4, 1) = -j(1);
  if (order < 2) return map;
  map.T(2, 6, 6) = -k(0);
  map.T(4, 6, 6) = -j(0);
  map.T(2, 6, 1) = k(1);
  map.T(4, 6, 3) = -k(1);
  map.T(2, 6, 3) = map.T(4, 6, 1) = j(1);
  map.T(2, 1, 1) = -0.5 * k(2);
  map.T(2, 3, 3) = 0.5 * k(2);
  map.T(4, 3, 1) = k(2);
  map.T(2, 3, 1) = -j(2);
  map.T(4, 1, 1) = -0.5 * j(2);
  map.T(4, 3, 3) = 0.5 * j(2);
  return map;
}

namespace detail {

TRACKPLEX_INLINE std::vector<double> multipole_coefficients(double length, const Multipoles& field,
                                                            int slices, int integration_order) {
  auto slice = slice_coefficients(length, 0., slices, integration_order);
  const auto scheme = integration_scheme(integration_order);
  for (std::size_t i = 0; i < scheme.kicks.size(); ++i) slice[2 * i + 1] = scheme.kicks[i] / slices;
  const int order = std::max(0, field.order());
  std::vector<double> values = {double(scheme.kicks.size()), double(slices), double(order)};
  values.insert(values.end(), slice.begin(), slice.end());
  std::vector<double> factorials = {1.};
  for (int n = 1; n <= order; ++n) factorials.push_back(n * factorials.back());
  for (const auto* strengths : {&field.normal, &field.skew})
    for (int n = order; n >= 0; --n)
      values.push_back(Multipoles::of(*strengths, n) / factorials[std::size_t(n)]);
  return values;
}

}  // namespace detail

namespace steps {

TRACKPLEX_INLINE std::vector<double> RadiatingMultipole::coefficients(
    const ElementPass& pass) const {
  auto values = ClassicalRadiation<double>::coefficients(pass, length);
  const auto magnet = detail::multipole_coefficients(length, field, slices, order);
  values.insert(values.end(), magnet.begin(), magnet.end());
  return values;
}

TRACKPLEX_INLINE std::vector<double> QuantumMultipole::coefficients(const ElementPass& pass) const {
  const auto& [length, field, slices, order] = magnet;
  const int kicks = slices * int(integration_scheme(order).kicks.size());
  auto values = QuantumRadiation<double>::coefficients(pass, length, kicks);
  if (!loses) values[0] = 0.;
  const auto magnet_values = detail::multipole_coefficients(length, field, slices, order);
  values.insert(values.end(), magnet_values.begin(), magnet_values.end());
  return values;
}

}  // namespace steps

TRACKPLEX_INLINE double CanonicalMultipole::strength() const {
  const int order = field.order();
  return order < 0 ? 0. : Multipoles::of(field.normal, order) + Multipoles::of(field.skew, order);
}

TRACKPLEX_INLINE void CanonicalMultipole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  for (const auto* strengths : {&field.normal, &field.skew})
    for (std::size_t n = 0; n < strengths->size(); ++n)
      check.finite(("strength of order " + std::to_string(n)).c_str(), (*strengths)[n]);
  check.placed(misalignment);
  if ((radiates || quantum) && !(length > 0.))
    check.refuse("length", length, "a magnet without length cannot radiate");
  if ((radiates || quantum) && expanded)
    check.refuse("radiation", 1., "it is not computed with expanded slopes");
}

TRACKPLEX_INLINE TransferMap CanonicalMultipole::map_to(int order) const {
  order = std::min(order, 2);
  const IntegrationScheme scheme = integration_scheme(integration_order);
  const double slice = 1. / slices;
  TransferMap map = TransferMap::identity(order);
  for (int i = 0; i < slices; ++i)
    for (std::size_t k = 0; k < scheme.drifts.size(); ++k) {
      map = concatenated(map, drift_map(scheme.drifts[k] * slice * length, order));
      if (k < scheme.kicks.size())
        map = concatenated(map, thin_multipole_map(field.times(scheme.kicks[k] * slice), order));
    }
  return misaligned(map, misalignment);
}

TRACKPLEX_INLINE void CanonicalMultipole::add_steps(StepBuilder& to) const {
  to.placed(misalignment, [&] {
    const steps::RadiatingMultipole radiating{length, field, slices, integration_order};
    if (quantum) return to.add(steps::QuantumMultipole{radiating, radiates});
    if (radiates) return to.add(radiating);
    to.in_slices(slices, [&](int n, double part) {
      const Multipoles slice = field.times(part);
      if (expanded)
        return to.add(steps::CanonicalMultipole<true>{length * part, slice, n, integration_order});
      to.add(steps::CanonicalMultipole<false>{length * part, slice, n, integration_order});
    });
  });
}

TRACKPLEX_INLINE CanonicalMultipole CanonicalMultipole::part(int, int n) const {
  CanonicalMultipole result = *this;
  result.length /= n;
  result.field = field.times(1. / n);
  return result;
}

}  // namespace trackplex::beam
