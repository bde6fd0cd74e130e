// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Constants of a material for single scattering, in the notation of Moliere's theory (G. Moliere,
/// Z. Naturforsch. 3a (1948) 78; W. R. Nelson et al., SLAC-265 (1985)).
struct Material {
  std::string name;           ///< Name, for messages and files.
  double b_c = 0.;            ///< b_c, 1/mm; beta^2 (1 + A)/b_c is the mean free path.
  double chi_cc_square = 0.;  ///< chi_cc^2, MeV^2/mm.
};

/// Returns the materials of the published simulation, with its constants: water, air, bone, tissue
/// and gold.
inline std::vector<Material> published_materials() {
  return {{"water", 877.879, 0.0661905},
          {"air", 1.02281, 7.88813e-5},
          {"bone", 1645.05, 0.17879},
          {"tissue", 888.813, 0.0647072},
          {"gold", 12481.2, 9.72643}};
}

/// Returns a material of the published simulation by its name, in lower case.
/// @throws UsageError if there is no published material of this name
inline Material published_material(const std::string& name) {
  std::string names;
  for (const auto& material : published_materials()) {
    if (material.name == name) return material;
    names += (names.empty() ? "" : ", ") + material.name;
  }
  throw UsageError("material", "there is no material '" + name + "'", {}, "known: " + names);
}

/// Element of a material.
struct ElementFraction {
  int z = 1;             ///< Atomic number Z.
  double a = 1.;         ///< Atomic weight, g/mol.
  double fraction = 1.;  ///< Fraction of the mass; or of the atoms, or atoms in a formula.
};
/// Meaning of `ElementFraction::fraction`.
enum class FractionOf {
  mass,  ///< Fractions of the mass, which add up to 1.
  atoms  ///< Fractions of the atoms, or their numbers in a formula, of any sum.
};

/// Computes the constants of a material from its elements and its density rho, g/cm^3. With n atoms
/// of each element of atomic number Z and weight A:
/// \f[ b_c=\frac{7821.6}{\mathrm{cm}}\,\rho\,\frac{z_s}{s_A}\,e^{(z_e-z_x)/z_s},\qquad
///     \chi_{cc}^2=0.1569\,\frac{\mathrm{MeV}^2}{\mathrm{cm}}\,\rho\,\frac{z_s}{s_A}, \f]
/// \f[ z_s=\sum nZ(Z+1),\quad s_A=\sum nA,\quad z_e=\sum nZ(Z+1)\ln Z^{-2/3},\quad
///     z_x=\sum nZ(Z+1)\ln\bigl(1+3.34\,(\alpha Z)^2\bigr). \f]
/// G. Moliere, Z. Naturforsch. 3a (1948) 78; W. R. Nelson et al., SLAC-265 (1985).
/// @throws UsageError if there are no elements, the density, a weight or a fraction is not above 0
/// and finite, an atomic number is below 1, or fractions of the mass do not add up to 1 within
/// 0.001
inline Material material_of(const std::string& name, const std::vector<ElementFraction>& elements,
                            double density, FractionOf fractions = FractionOf::mass) {
  const std::string where = "material " + name;
  const auto is_positive = [](double value) { return value > 0. && std::isfinite(value); };
  if (!is_positive(density))
    throw UsageError(where, "its density is not above 0", shortest(density) + " g/cm^3");
  if (elements.empty()) throw UsageError(where, "it consists of nothing");
  constexpr double alpha = constants::fine_structure;
  double zs = 0., sa = 0., ze = 0., zx = 0., sum = 0.;
  for (const auto& element : elements) {
    if (element.z < 1 || !is_positive(element.a) || !is_positive(element.fraction))
      throw UsageError(where, "Z, A or the fraction of an element is not above 0",
                       "Z = " + std::to_string(element.z) + ", A = " + shortest(element.a) +
                           ", fraction " + shortest(element.fraction));
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
