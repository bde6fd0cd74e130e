// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Materials and thin layers, and their constants for kernels.

#include <trackplex/core/constants.hpp>
#include <trackplex/core/lanes.hpp>

namespace trackplex::kalman {

/// Parameters of the density effect (R. Sternheimer, M. Berger, S. Seltzer, At. Data Nucl. Data
/// Tables 30 (1984) 261). With x = log10(beta gamma), the correction is
/// \f[ \delta = 2x\ln 10 - c + a\,(x_1-x)^k \f]
/// from x0 on, without the last term from x1 on, and 0 below x0, also in conductors.
struct DensityEffect {
  double x0,  ///< lower limit of x
      x1,     ///< upper limit of x
      a,      ///< factor of the power
      k,      ///< exponent of the power
      c;      ///< constant, not negative; C with a bar in RPP
};

/// Properties of a material on which energy loss and scattering depend.
struct Material {
  double radiation_length;        ///< X0, cm
  double density;                 ///< g/cm^3
  double z_over_a;                ///< Z/A, mol/g
  double mean_excitation_energy;  ///< I, eV
  DensityEffect density_effect;   ///< parameters of the density effect
};

/// Silicon.
inline constexpr Material silicon{
    9.37, 2.329, 0.49848, 173., {0.2015, 2.8716, 0.14921, 3.2546, 4.4355}};
/// Beryllium.
inline constexpr Material beryllium{
    35.28, 1.848, 0.44384, 63.7, {0.0592, 1.6922, 0.80392, 2.4339, 2.7847}};
/// Aluminium.
inline constexpr Material aluminium{
    8.897, 2.699, 0.48181, 166., {0.1708, 3.0127, 0.08024, 3.6345, 4.2395}};

/// Constants of a material as the formulas below use them: computed in double, and rounded once to
/// the scalar of a kernel. A `Material` converts to them.
/// @tparam Number scalar; or lanes, for constants that differ from lane to lane
template <class Number>
struct MaterialConstants {
  Number per_radiation_length;    ///< 1/X0, 1/cm
  Number bethe_factor;            ///< K/2 Z/A rho, GeV/cm
  Number mean_excitation_energy;  ///< I, GeV
  Number x0,                      ///< see `DensityEffect`
      x1,                         ///< see `DensityEffect`
      a,                          ///< see `DensityEffect`
      k,                          ///< see `DensityEffect`
      c;                          ///< see `DensityEffect`

  MaterialConstants() = default;
  /// Computes the constants.
  KOKKOS_FUNCTION constexpr MaterialConstants(const Material& material)
      : per_radiation_length(T(1. / material.radiation_length)),
        bethe_factor(T(0.5 * constants::bethe_coefficient * material.z_over_a * material.density)),
        mean_excitation_energy(T(material.mean_excitation_energy * 1e-9)),
        x0(T(material.density_effect.x0)),
        x1(T(material.density_effect.x1)),
        a(T(material.density_effect.a)),
        k(T(material.density_effect.k)),
        c(T(material.density_effect.c)) {}
  /// Repeats constants in all lanes.
  template <Scalar U>
  requires(!Scalar<Number>) KOKKOS_FUNCTION MaterialConstants(const MaterialConstants<U>& material)
      : per_radiation_length(material.per_radiation_length),
        bethe_factor(material.bethe_factor),
        mean_excitation_energy(material.mean_excitation_energy),
        x0(material.x0),
        x1(material.x1),
        a(material.a),
        k(material.k),
        c(material.c) {}

 private:
  using T = ScalarOf<Number>;
};

/// Thin layer of material: its effects do not change the position of a track.
struct ThinLayer {
  Material material;  ///< of the layer
  double thickness;   ///< along the normal, cm; 0: no material
};

/// Constants of a layer of material, see `MaterialConstants`. A `ThinLayer` converts to them.
/// @tparam Number scalar; or lanes, for layers that differ from lane to lane
template <class Number>
struct LayerConstants {
  MaterialConstants<Number> material;  ///< of the material
  Number thickness;                    ///< along the normal, cm; 0: no material

  LayerConstants() = default;
  /// Computes the constants.
  KOKKOS_FUNCTION constexpr LayerConstants(const ThinLayer& layer)
      : material(layer.material), thickness(ScalarOf<Number>(layer.thickness)) {}
  /// Repeats constants in all lanes.
  template <Scalar U>
  requires(!Scalar<Number>) KOKKOS_FUNCTION LayerConstants(const LayerConstants<U>& layer)
      : material(layer.material), thickness(layer.thickness) {}
  /// Constants of a layer that is known in radiation lengths and by xi, as CMS describes its
  /// modules: `thickness` becomes 1, or 0 if both are 0.
  /// @param radiation_lengths thickness along the normal over X0
  /// @param xi K/2 Z/A rho d, GeV, with the thickness d
  /// @param properties its mean excitation energy and density effect
  KOKKOS_FUNCTION LayerConstants(const Number& radiation_lengths, const Number& xi,
                                 const MaterialConstants<ScalarOf<Number>>& properties)
      : material(properties),
        thickness(select(radiation_lengths > Number(0) || xi > Number(0), Number(1), Number(0))) {
    material.per_radiation_length = radiation_lengths;
    material.bethe_factor = xi;
  }

  /// `a` where the mask is set, `b` elsewhere.
  friend KOKKOS_FORCEINLINE_FUNCTION LayerConstants select(MaskOf<Number> mask,
                                                           const LayerConstants& a,
                                                           const LayerConstants& b) {
    const MaterialConstants<Number>&m = a.material, &n = b.material;
    LayerConstants c;
    c.material.per_radiation_length = select(mask, m.per_radiation_length, n.per_radiation_length);
    c.material.bethe_factor = select(mask, m.bethe_factor, n.bethe_factor);
    c.material.mean_excitation_energy =
        select(mask, m.mean_excitation_energy, n.mean_excitation_energy);
    c.material.x0 = select(mask, m.x0, n.x0);
    c.material.x1 = select(mask, m.x1, n.x1);
    c.material.a = select(mask, m.a, n.a);
    c.material.k = select(mask, m.k, n.k);
    c.material.c = select(mask, m.c, n.c);
    c.thickness = select(mask, a.thickness, b.thickness);
    return c;
  }
};

}  // namespace trackplex::kalman
