// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

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
std::vector<Material> published_materials();

/// Returns a material of the published simulation by its name, in lower case.
/// @throws UsageError if there is no published material of this name
Material published_material(const std::string& name);

/// Element of a material.
struct ElementFraction {
  int z = 1;             ///< Atomic number Z.
  double a = 1.;         ///< Atomic weight, g/mol.
  double fraction = 1.;  ///< Fraction of the mass; or of the atoms, or atoms in a formula.
};
/// Meaning of `ElementFraction::fraction`.
enum class FractionOf {
  mass,  ///< Fractions of the mass, which add up to 1.
  atoms  ///< Fractions of the atoms, or their numbers in a formula, with any sum.
};

/// Computes the constants of a material from its elements and its density rho, g/cm^3. With n atoms
/// of each element of atomic number Z and weight A:
/// \f[ b_c=\frac{7821.6}{\mathrm{cm}}\,\rho\,\frac{z_s}{s_A}\,e^{(z_e-z_x)/z_s},\qquad
///     \chi_{cc}^2=0.1569\,\frac{\mathrm{MeV}^2}{\mathrm{cm}}\,\rho\,\frac{z_s}{s_A}, \f]
/// \f[ z_s=\sum nZ(Z+1),\quad s_A=\sum nA,\quad z_e=\sum nZ(Z+1)\ln Z^{-2/3},\quad
///     z_x=\sum nZ(Z+1)\ln\bigl(1+3.34\,(\alpha Z)^2\bigr). \f]
/// G. Moliere, Z. Naturforsch. 3a (1948) 78; W. R. Nelson et al., SLAC-265 (1985).
/// @throws UsageError if there are no elements, the density, a weight or a fraction is not above 0
/// and finite, an atomic number is not 1 to 118, or fractions of the mass do not add up to 1 within
/// 0.001
Material material_of(const std::string& name, const std::vector<ElementFraction>& elements,
                     double density, FractionOf fractions = FractionOf::mass);

}  // namespace trackplex::montecarlo

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/montecarlo/detail/material.impl.hpp>
#endif
