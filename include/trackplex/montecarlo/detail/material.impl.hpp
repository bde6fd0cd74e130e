// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/montecarlo/material.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

TRACKPLEX_INLINE std::vector<Material> published_materials() {
  return {{"water", 877.879, 0.0661905},
          {"air", 1.02281, 7.88813e-5},
          {"bone", 1645.05, 0.17879},
          {"tissue", 888.813, 0.0647072},
          {"gold", 12481.2, 9.72643}};
}

TRACKPLEX_INLINE Material published_material(const std::string& name) {
  std::string names;
  for (const auto& material : published_materials()) {
    if (material.name == name) return material;
    names += (names.empty() ? "" : ", ") + material.name;
  }
  throw UsageError("material", "there is no material '" + name + "'", {}, "known: " + names);
}

TRACKPLEX_INLINE Material material_of(const std::string& name,
                                      const std::vector<ElementFraction>& elements, double density,
                                      FractionOf fractions) {
  const std::string where = "material " + name;
  const auto is_positive = [](double value) { return value > 0. && std::isfinite(value); };
  if (!is_positive(density))
    throw UsageError(where, "its density is not above 0", shortest(density) + " g/cm^3");
  if (elements.empty()) throw UsageError(where, "it consists of nothing");
  constexpr int heaviest_element = 118;
  constexpr double alpha = constants::fine_structure;
  double zs = 0., sa = 0., ze = 0., zx = 0., sum = 0.;
  for (const auto& element : elements) {
    if (element.z < 1 || !is_positive(element.a) || !is_positive(element.fraction))
      throw UsageError(where, "Z, A or the fraction of an element is not above 0",
                       "Z = " + std::to_string(element.z) + ", A = " + shortest(element.a) +
                           ", fraction " + shortest(element.fraction));
    if (element.z > heaviest_element)
      throw UsageError(where, "there is no such element", "Z = " + std::to_string(element.z));
    sum += element.fraction;
    const double z = element.z;
    const double n =
        fractions == FractionOf::atoms ? element.fraction : element.fraction / element.a;
    const double weight = n * z * (z + 1.);
    zs += weight;
    sa += n * element.a;
    ze -= weight * 2. / 3. * log(z);
    zx += weight * log1p(3.34 * alpha * alpha * z * z);
  }
  if (fractions == FractionOf::mass && !(std::abs(sum - 1.) <= 1e-3))
    throw UsageError(where, "the fractions of its mass do not add up to 1",
                     "their sum is " + shortest(sum));
  constexpr double mm_per_cm = 10.;
  return {name, 7821.6 * density * zs / sa * exp((ze - zx) / zs) / mm_per_cm,
          0.1569 * density * zs / sa / mm_per_cm};
}

}  // namespace trackplex::montecarlo
