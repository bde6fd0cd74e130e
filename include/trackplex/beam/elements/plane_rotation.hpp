// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/steps/spin_rotation.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

#include <vector>

namespace trackplex::beam {

/// Rotation of the axis at one place by an angle t, towards positive x or y (MAD-X' YROTATION and
/// XROTATION): x -> x/(cos t (1 + x' tan t)), exactly, with particles on straight lines.
struct PlaneRotation {
  double angle = 0.;         ///< Angle of the axis, rad; not a right angle.
  bool is_vertical = false;  ///< Towards y; else towards x.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  AxisBend axis_bend() const;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  std::vector<double> coefficients() const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real tangent(c[0]), secant(c[1]), one(1);
    return c[2] != ScalarOf<Real>(0) ? turn(tangent, secant, v[y], v[yp], v[x], v[xp], v[s], one)
                                     : turn(tangent, secant, v[x], v[xp], v[y], v[yp], v[s], one);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       Spin<Real>& spin) {
    using T = ScalarOf<Real>;
    const Real cosine = Real(T(1) / c[1]), sine = Real(c[0]) * cosine;
    Real& across = c[2] != T(0) ? spin.y : spin.x;
    const Real before = across;
    across = fma(cosine, across, -(sine * spin.z));
    spin.z = fma(cosine, spin.z, sine * before);
    return pass(c, v);
  }
  /// @}

 private:
  /// Rotates in the plane of u; w is the other plane.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> turn(const Real& tangent, const Real& secant,
                                                       Real& u, Real& up, Real& w, Real& wp,
                                                       Real& s, const Real& one) {
    const Real ahead = fma(tangent, up, one), inverse = one / ahead;
    const Real way = -tangent * u * inverse;  // along the old axis
    s = fma(way, sqrt(one + fma(up, up, wp * wp)), s);
    w = fma(way, wp, w);
    u *= secant * inverse;
    up = (up - tangent) * inverse;
    wp *= secant * inverse;
    return ahead > Real(0);
  }
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/plane_rotation.impl.hpp>
#endif
