// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/map_pattern.hpp>
#include <trackplex/beam/steps/aperture.hpp>
#include <trackplex/beam/steps/canonical_multipole.hpp>
#include <trackplex/beam/steps/spin_rotation.hpp>
#include <trackplex/beam/steps/step_type.hpp>

#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::beam {

/// Field of a Taylor map as spins need it.
struct MapField {
  bool is_transverse = false;  ///< Whether it is magnetic and across the axis; false: unknown.
  double bend = 0.;            ///< Angle of the axis in the plane of x, rad; positive: to -x.
  double entrance = 0.,        ///< Curvature by the dipole that begins at the entrance, 1/m, or 0.
      exit = 0.;               ///< Curvature by the dipole that ends at the exit, 1/m, or 0.
  double dxp = 0.,             ///< Change of x' that a later step adds.
      dyp = 0.;                ///< Change of y' that a later step adds.
};

}  // namespace trackplex::beam

/// Steps of the elements of the library.
namespace trackplex::beam::steps {

/// Taylor map of a pattern.
template <class Pattern>
struct Map {
  std::vector<double> values;  ///< Coefficients, in the order of `coefficients_of`.
  MapField field{};            ///< Its field.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = Pattern::value.size() > patterns::Midplane::value.size();
  static constexpr unsigned changes = [] {
    unsigned bits = 0;
    for (int i = 0; i < n_coordinates; ++i) bits |= Pattern::value.changes(i) ? 1u << i : 0u;
    return bits;
  }();
  std::vector<double> coefficients() const {
    auto all = values;
    all.insert(all.end(), {field.bend, field.dxp, field.dyp, field.entrance, field.exit});
    return all;
  }
  bool knows_spin() const { return field.is_transverse; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    if constexpr (std::is_same_v<Pattern, patterns::Dense3>) {
      v = apply_cubic_map(c, v);
    } else {
      v = apply_map<Pattern>(c, v);
    }
  }
  /// Rotates by 1 + a gamma times the change of the slopes. In a bend this is in the middle of the
  /// angle that the spin of a particle on the axis turns by relative to the axis, and what is of
  /// first order of the field along the velocity, and along the axis at the ends, is added.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                               Spin<Real>& spin) {
    using T = ScalarOf<Real>;
    const T* const field = c + Pattern::value.size();
    const Real xp0 = v[xp], yp0 = v[yp];
    [[maybe_unused]] const Real y0 = v[y];
    pass(c, v);
    const Real dxp = v[xp] - xp0 + Real(field[1]), dyp = v[yp] - yp0 + Real(field[2]);
    if (field[0] == T(0)) return deflect_spin(dxp, dyp, spin);
    const Real one(1), zero(0), bend(T(0.5) * field[0]), a = spin.anomaly;
    const Real across = -bend * (a * spin.gamma);
    const Real along = bend * (a * (spin.gamma - one)), end = (one + a) / (one + v[delta]);
    rotate_spin(zero, zero, -Real(field[3]) * (y0 * end), spin);
    rotate_spin(zero, across, along * yp0, spin);
    deflect_spin(dxp, dyp, spin);
    rotate_spin(zero, across, along * v[yp], spin);
    rotate_spin(zero, zero, Real(field[4]) * (v[y] * end), spin);
  }
  /// @}
};

/// Straight lines.
struct ExactDrift {
  double length;  ///< Length, m.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr unsigned changes = 1u << x | 1u << y | 1u << s;
  std::vector<double> coefficients() const { return {length}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    drift_exactly(v, Real(c[0]));
  }
  /// @}
};

/// Drift to second order in the momenta.
struct ExpandedDrift {
  double length;  ///< Length, m.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr bool is_long = true;
  static constexpr unsigned changes = 1u << x | 1u << y | 1u << s;
  std::vector<double> coefficients() const { return {length}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real length(c[0]), one(1), u = fma(v[xp], v[xp], v[yp] * v[yp]), square = one + u;
    const Real way = length / sqrt(square);
    v[x] = fma(way, v[xp], v[x]);
    v[y] = fma(way, v[yp], v[y]);
    v[s] = fma(Real(ScalarOf<Real>(0.5)) * length, u / square, v[s]);
  }
  /// @}
};

/// Translation of positions and slopes.
struct Shift {
  double dx;   ///< Term of x, m.
  double dxp;  ///< Term of x'.
  double dy;   ///< Term of y, m.
  double dyp;  ///< Term of y'.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr unsigned changes = (1u << s) - 1;
  std::vector<double> coefficients() const { return {dx, dxp, dy, dyp}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    v[x] += Real(c[0]);
    v[xp] += Real(c[1]);
    v[y] += Real(c[2]);
    v[yp] += Real(c[3]);
  }
  /// @}
};

/// Term of s.
struct Lengthen {
  double ds;  ///< Extra path, m.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr unsigned changes = 1u << s;
  std::vector<double> coefficients() const { return {ds}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    v[s] += Real(c[0]);
  }
  /// @}
};

/// Rotation around the axis.
struct Rotation {
  double cosine;  ///< Cosine of the angle, from x towards y.
  double sine;    ///< Sine of the angle.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr unsigned changes = (1u << s) - 1;
  std::vector<double> coefficients() const { return {cosine, sine}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    rotate(Real(c[0]), Real(c[1]), v[x], v[y]);
    rotate(Real(c[0]), Real(c[1]), v[xp], v[yp]);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                               Spin<Real>& spin) {
    pass(c, v);
    // 1 - cosine that belongs to the rounded sine: the length of spins stays for many turns
    using T = ScalarOf<Real>;
    const T square = c[1] * c[1];
    const Real sine(c[1]), x0 = spin.x;
    const Real versine(c[0] > T(0) ? square / (T(1) + sqrt(T(1) - square)) : T(1) - c[0]);
    spin.x += fma(sine, spin.y, -(versine * x0));
    spin.y -= fma(sine, x0, versine * spin.y);
  }
  /// @}

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void rotate(const Real& cosine, const Real& sine, Real& u,
                                                 Real& w) {
    const Real turned = fma(cosine, u, sine * w);
    w = fma(cosine, w, -(sine * u));
    u = turned;
  }
};

/// Magnet in slices: drifts and kicks of one field.
template <class Field>
struct Magnet {
  double length;    ///< Length, m.
  double strength;  ///< Strength of the field.
  int slices;       ///< Number of slices.
  int order;        ///< Order of the integration, 2, 4 or 6.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const {
    auto values = slice_coefficients(length, strength, slices, order);
    values.insert(values.begin(), {double(values.size() / 2), double(slices)});
    return values;
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return integrate_magnet<Field>(c + 2, int(c[0]), int(c[1]), v);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       Spin<Real>& spin) {
    return integrate_magnet<Field>(c + 2, int(c[0]), int(c[1]), v, TurningSpin<Real>{spin});
  }
  /// @}
};

/// Limits of positions and slopes.
struct Limits {
  double position;  ///< Max |x| and |y|, m; 0: no limit.
  double slope;     ///< Max |xp| and |yp|; 0: no limit.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr unsigned changes = 0;
  std::vector<double> coefficients() const { return {position, slope}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return detail::is_within(v[x], c[0]) && detail::is_within(v[y], c[0]) &&
           detail::is_within(v[xp], c[1]) && detail::is_within(v[yp], c[1]);
  }
  /// @}
};

}  // namespace trackplex::beam::steps
