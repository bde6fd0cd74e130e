// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/aperture.hpp>
#include <trackplex/beam/steps/common_steps.hpp>
#include <trackplex/beam/steps/step_builder.hpp>
#include <trackplex/core/math.hpp>

namespace trackplex::beam {
namespace detail {

TRACKPLEX_INLINE bool covers(const MapPattern& pattern, const TransferMap& map) {
  for (int i = 0; i < n_coordinates; ++i) {
    const Polynomial& p = map.component[i];
    if (p.c != 0. && !pattern.constant[i]) return false;
    for (int j = 0; j < n_coordinates; ++j)
      if (p.r[j] != (i == j ? 1. : 0.) && !pattern.linear[i][j]) return false;
    for (int k = 0; k < n_pairs; ++k)
      if (p.t[k] != 0. && !pattern.quadratic[i][k]) return false;
    for (int k = 0; k < n_triples; ++k)
      if (p.q[k] != 0. && !pattern.cubic[i][k]) return false;
  }
  return true;
}

}  // namespace detail

TRACKPLEX_INLINE void StepBuilder::map(const TransferMap& map, const MapField& field) {
  detail::find_pattern([&]<class Pattern>(Pattern) {
    if (!detail::covers(Pattern::value, map)) return false;
    add(steps::Map<Pattern>{coefficients_of(map, Pattern::value), field});
    return true;
  });
}

TRACKPLEX_INLINE void StepBuilder::aperture(const Aperture& aperture) {
  if (!aperture.is_limited()) return;
  if (!aperture.is_plain()) return add(steps::Outline{aperture});
  if (aperture.shape == Aperture::Shape::rectangle) return add(steps::Rectangle{aperture});
  add(steps::Ellipse{aperture});
}

TRACKPLEX_INLINE void StepBuilder::add_limits() {
  if (to_.aperture) aperture(*to_.aperture);
}

}  // namespace trackplex::beam
