// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/step_type.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

namespace trackplex::beam {

/// Outline of an aperture across the axis; particles on it pass.
struct Aperture {
  /// Shape.
  enum class Shape {
    rectangle,  ///< |x - dx| <= x_max and |y - dy| <= y_max.
    ellipse     ///< Semi-axes x_max and y_max; a rectangle where one of them is 0.
  };
  /// Side on which there is no limit.
  enum class Open {
    none,     ///< None.
    plus_x,   ///< Positive x.
    minus_x,  ///< Negative x.
    plus_y,   ///< Positive y.
    minus_y   ///< Negative y.
  };
  Shape shape = Shape::rectangle;  ///< Shape.
  double x_max = 0.;               ///< Half width in x, m; 0: no limit.
  double y_max = 0.;               ///< Half width in y, m; 0: no limit.
  double dx = 0.;                  ///< Centre in x, m.
  double dy = 0.;                  ///< Centre in y, m.
  int x_exponent = 2;              ///< Exponent of x in the equation of the ellipse.
  int y_exponent = 2;              ///< Exponent of y in the equation of the ellipse.
  bool is_inverted = false;        ///< Whether particles inside are lost instead of others.
  Open open = Open::none;          ///< Side without a limit: within the other half width.
  double tilt = 0.;                ///< Rotation around its centre, rad, from x towards y.
  double x_corner = 0.;            ///< Radius in x of the round corners of a rectangle, m; 0: none.
  double y_corner = 0.;            ///< Radius in y of the round corners of a rectangle, m; 0: none.

  /// Tells whether there is any limit.
  bool is_limited() const { return x_max > 0. || y_max > 0.; }
  /// Tells whether it is a rectangle or ellipse without more.
  bool is_plain() const {
    return x_exponent == 2 && y_exponent == 2 && !is_inverted && open == Open::none && tilt == 0. &&
           x_corner == 0.;
  }
};

namespace detail {

/// |value| <= limit, or no limit where it is not above 0.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_within(const Real& value, ScalarOf<Real> limit) {
  return limit > ScalarOf<Real>(0) ? abs(value) <= Real(limit) : MaskOf<Real>(true);
}

/// |value|^exponent.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real power_of(const Real& value, int exponent) {
  Real power(1);
  for (int i = 0; i < exponent; ++i) power *= abs(value);
  return power;
}

}  // namespace detail

namespace steps {

/// Aperture |x - dx| <= x_max and |y - dy| <= y_max.
struct Rectangle {
  Aperture aperture;  ///< Its description.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr unsigned changes = 0;
  std::vector<double> coefficients() const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return detail::is_within(v[x] - Real(c[0]), c[2]) && detail::is_within(v[y] - Real(c[1]), c[3]);
  }
  /// @}
};

/// Aperture ((x - dx)/x_max)^2 + ((y - dy)/y_max)^2 <= 1; a rectangle where a semi-axis is 0.
struct Ellipse {
  Aperture aperture;  ///< Its description.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr unsigned changes = 0;
  std::vector<double> coefficients() const { return Rectangle{aperture}.coefficients(); }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    using T = ScalarOf<Real>;
    if (!(c[2] > T(0) && c[3] > T(0))) return Rectangle::pass(c, v);
    const Real dx = v[x] - Real(c[0]), dy = v[y] - Real(c[1]);
    const Real u = dx / Real(c[2]), w = dy / Real(c[3]);
    return fma(u, u, w * w) <= Real(1);
  }
  /// @}
};

/// Aperture of any description.
struct Outline {
  Aperture aperture;  ///< Its description.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr bool keeps_spin = true;
  static constexpr unsigned changes = 0;
  std::vector<double> coefficients() const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    using T = ScalarOf<Real>;
    Real dx = v[x] - Real(c[0]), dy = v[y] - Real(c[1]);
    if (c[11] != T(0)) {
      const Real turned = fma(Real(c[10]), dx, Real(c[11]) * dy);
      dy = fma(Real(c[10]), dy, -Real(c[11]) * dx);
      dx = turned;
    }
    MaskOf<Real> passes(true);
    if (c[12] > T(0)) {
      passes = is_in_rounded(c, dx, dy);
    } else if (c[4] > T(0)) {
      passes = detail::power_of(dx / Real(c[2]), int(c[4])) +
                   detail::power_of(dy / Real(c[3]), int(c[5])) <=
               Real(1);
    } else {
      passes = detail::is_within(dx, c[2]) && detail::is_within(dy, c[3]);
    }
    if (c[6] != T(0)) passes = !passes;
    if (c[7] != T(0)) passes = passes || (dx * Real(c[7]) > Real(0) && is_beside(dy, c[9]));
    if (c[8] != T(0)) passes = passes || (dy * Real(c[8]) > Real(0) && is_beside(dx, c[9]));
    return passes;
  }
  /// @}

 private:
  /// Rectangle whose corners are quarters of ellipses.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> is_in_rounded(const ScalarOf<Real>* c,
                                                                const Real& dx, const Real& dy) {
    const Real u = (abs(dx) - Real(c[2] - c[12])) / Real(c[12]);
    const Real w = (abs(dy) - Real(c[3] - c[13])) / Real(c[13]);
    const MaskOf<Real> beside = !(u > Real(0) && w > Real(0));
    return detail::is_within(dx, c[2]) && detail::is_within(dy, c[3]) &&
           (beside || fma(u, u, w * w) <= Real(1));
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> is_beside(const Real& value,
                                                            ScalarOf<Real> limit) {
    return limit > ScalarOf<Real>(0) ? abs(value) < Real(limit) : MaskOf<Real>(true);
  }
};

/// Half plane a_x (x - dx) + a_y (y - dy) <= limit.
struct HalfPlane {
  double dx;     ///< Origin in x, m.
  double dy;     ///< Origin in y, m.
  double a_x;    ///< Direction of the limit in x: 0, 1 or -1.
  double a_y;    ///< Direction of the limit in y: 0, 1 or -1.
  double limit;  ///< Limit, m.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr unsigned changes = 0;
  std::vector<double> coefficients() const { return {dx, dy, a_x, a_y, limit}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real across = fma(Real(c[2]), v[x] - Real(c[0]), Real(c[3]) * (v[y] - Real(c[1])));
    return across <= Real(c[4]);
  }
  /// @}
};

}  // namespace steps

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/steps/detail/aperture.impl.hpp>
#endif
