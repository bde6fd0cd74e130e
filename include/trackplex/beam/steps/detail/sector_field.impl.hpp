// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/sector_field.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

namespace trackplex::beam::steps {

TRACKPLEX_INLINE std::vector<double> SectorField::coefficients() const {
  const double half = sin(0.5 * angle), radius = length / angle;
  std::vector<double> c(detail::n_sector_coefficients);
  c[detail::sector_length] = length;
  c[detail::sector_h] = angle / length;
  c[detail::sector_versine] = 2. * half * half;
  c[detail::sector_along] = radius * sin(angle);
  c[detail::sector_across] = radius * (2. * half * half);
  c[detail::sector_field] = field;
  return c;
}

}  // namespace trackplex::beam::steps
