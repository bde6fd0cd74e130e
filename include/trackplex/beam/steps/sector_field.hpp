// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/bend_edge.hpp>
#include <trackplex/beam/steps/spin_rotation.hpp>
#include <trackplex/beam/steps/step_type.hpp>
#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::beam {

namespace detail {

/// Coefficients of `steps::SectorField`, in this order.
enum SectorCoefficient {
  sector_length,
  sector_h,        // curvature of the axis, 1/m
  sector_versine,  // 1 - cosine
  sector_along,    // sine over h, m
  sector_across,   // 1 - cosine over h, m
  sector_field,    // over that of the axis
  n_sector_coefficients
};

/// arctan(t)/t.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real atanc(const Real& t) {
  using T = ScalarOf<Real>;
  const Real z = t * t;
  return trackplex::detail::polynomial(z, T(1), T(-1. / 3), T(1. / 5), T(-1. / 7), T(1. / 9),
                                       T(-1. / 11), T(1. / 13), T(-1. / 15), T(1. / 17));
}

}  // namespace detail

namespace steps {

/// Uniform field in a sector around the centre of the curve, by its closed map: E. Forest, Beam
/// Dynamics: A New Attitude and Framework (Harwood, 1998). With the angle phi of the sector, the
/// curvature h of its axis and the field g over that of the axis,
///   Q_x = q_x + h E,  E = (p_z - g - g h x) sin(phi)/h - q_x (1 - cos(phi))/h,
///   P_z = sqrt(p_t^2 - Q_x^2),  p_t^2 = (1 + delta)^2 - q_y^2,  T = (q_x + Q_x)/(P_z + p_z),
///   X = x cos(phi) + (p_z/g - 1) (1 - cos(phi))/h + (q_x sin(phi)/h - E T)/g,
/// and particles turn by phi - arctan(h E (q_x T + p_z)/(p_z P_z + q_x Q_x)): no digits are lost
/// where h is small.
struct SectorField {
  double length;  ///< Length along the axis, m.
  double angle;   ///< Angle of the sector, rad, above 0.
  double field;   ///< Field over the one that bends the reference particle along the axis.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return move(c, v, NoSpin{});
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       Spin<Real>& spin) {
    return move(c, v, TurningSpin<Real>{spin});
  }
  /// @}

 private:
  template <class Real, class Turning>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> move(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       const Turning& turning) {
    const Real one(1), momentum = one + v[delta], h(c[detail::sector_h]);
    const Real g(c[detail::sector_field]), per_g = one / g;
    const Real along(c[detail::sector_along]), across(c[detail::sector_across]);
    detail::to_momenta(v);
    const Real pt2 = fma(momentum, momentum, -v[yp] * v[yp]), pz2 = fma(-v[xp], v[xp], pt2);
    const Real pz = sqrt(pz2);
    const Real change = fma(pz - fma(g * h, v[x], g), along, -v[xp] * across);
    const Real turned = fma(h, change, v[xp]), turned_z2 = fma(-turned, turned, pt2);
    const Real turned_z = sqrt(turned_z2), mean = (v[xp] + turned) / (turned_z + pz);
    const Real less = change * fma(v[xp], mean, pz);
    const Real ahead = fma(pz, turned_z, v[xp] * turned);
    const Real longer = -turn_less(h, less, ahead);
    v[x] = fma(v[x], one - Real(c[detail::sector_versine]),
               fma(fma(pz, per_g, -one), across, per_g * fma(v[xp], along, -change * mean)));
    const Real length(c[detail::sector_length]), way = per_g * (length + longer);
    if constexpr (Turning::turns) {
      const Real per_momentum = one / momentum;
      turn_spin(h * (length + longer), -(h * longer), v[xp] * per_momentum, v[yp] * per_momentum,
                pz * per_momentum, turning.spin);
    }
    v[y] = fma(v[yp], way, v[y]);
    v[s] += fma(momentum * per_g, longer, length * fma(momentum, per_g, -one));
    v[xp] = turned;
    return detail::to_slopes(v) && pz2 > Real(0) && turned_z2 > Real(0);
  }

  /// Returns arctan(h sine/cosine)/h, also where h is small.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real turn_less(const Real& h, const Real& sine,
                                                    const Real& cosine) {
    const Real ratio = sine / cosine, t = h * ratio, small = ratio * detail::atanc(t);
    const auto large = !(abs(t) < Real(ScalarOf<Real>(0.125)) && cosine > Real(0));
    if (none_of(large)) return small;
    return select(large, atan2(h * sine, cosine) / h, small);
  }
};

}  // namespace steps

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/steps/detail/sector_field.impl.hpp>
#endif
