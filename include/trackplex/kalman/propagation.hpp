// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Propagation of tracks to surfaces in a magnetic field along z. The Jacobians are exact for the
/// field that a step uses; they neglect how that field changes with the start of the step.

#include <trackplex/kalman/field.hpp>
#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/matriplex/similarity.hpp>

namespace trackplex::kalman {

/// Result of the transport of parameters to a surface. Lanes that do not reach it are undefined.
/// @tparam P pattern of the Jacobian: its elements that are 0, 1 or stored
template <class Real, Pattern<6, 6> P>
struct Transport {
  Parameters<Real> parameters;     ///< X' on the surface
  Matrix<Real, 6, 6, P> jacobian;  ///< dX'/dX with respect to the parameters at the start
  MaskOf<Real> reached;            ///< lanes that reach the surface
};

namespace detail {

/// E = dX'/dX at constant L, and T = dX'/dL. On a plane of constant z, z' depends on nothing.
template <bool FixedZ>
inline constexpr Pattern<6, 6> fixed_length_pattern("1 . . x x .", ". 1 . x x .",
                                                    FixedZ ? ". . . . . ." : ". . 1 . . x",
                                                    ". . . 1 . .", ". . . x 1 .", ". . . . . 1");
template <bool FixedZ>
inline constexpr Pattern<6, 1> tangent_pattern("x", "x", FixedZ ? "." : "x", ".", "x", ".");

/// J = E + T dL/dX
template <bool FixedZ, class Real, Pattern<1, 6> P>
KOKKOS_FORCEINLINE_FUNCTION auto transport(const Helix<Real>& helix,
                                           const Crossing<Real, P>& crossing) {
  using Q = Parameter;
  const auto& point = crossing.point;
  Matrix<Real, 6, 6, fixed_length_pattern<FixedZ>> fixed_length;
  fixed_length.template set<Q::x, Q::inverse_pt>(point.dx_dinverse_pt);
  fixed_length.template set<Q::y, Q::inverse_pt>(point.dy_dinverse_pt);
  fixed_length.template set<Q::x, Q::phi>(-point.dy);
  fixed_length.template set<Q::y, Q::phi>(point.dx);
  fixed_length.template set<Q::phi, Q::inverse_pt>(helix.curvature_factor() * point.length);
  Matrix<Real, 6, 1, tangent_pattern<FixedZ>> tangent;
  tangent.template set<Q::x>(point.cos_phi);
  tangent.template set<Q::y>(point.sin_phi);
  tangent.template set<Q::phi>(helix.curvature());
  if constexpr (!FixedZ) {
    const Real per_sin = Real(1) / helix.sin_theta();
    fixed_length.template set<Q::z, Q::theta>(-point.length * per_sin * per_sin);
    tangent.template set<Q::z>(helix.cos_theta() * per_sin);
  }
  constexpr auto pattern = sum(fixed_length_pattern<FixedZ>, product(tangent_pattern<FixedZ>, P));
  Transport<Real, pattern> result{point.parameters, as<Matrix<Real, 6, 6, pattern>>(fixed_length),
                                  crossing.reached};
  add_product(result.jacobian, tangent, crossing.length_derivatives);
  return result;
}

template <class Surface>
inline constexpr bool fixes_z = false;
template <class Real>
inline constexpr bool fixes_z<ZPlane<Real>> = true;

}  // namespace detail

/// Transports parameters along one helix to a `Cylinder`, `ZPlane` or `Plane`, with the exact
/// Jacobian \f$ J = E + T\,dL/dX \f$ (see `Crossing`). Returns a `Transport`.
///
/// `curvature_factor` is the curvature per 1/pT, see `curvature_per_inverse_pt`.
template <class Surface, class Real>
KOKKOS_FUNCTION auto transport(const Parameters<Real>& start, const Real& curvature_factor,
                               const Surface& surface) {
  const Helix<Real> helix(start, curvature_factor);
  return detail::transport<detail::fixes_z<Surface>>(helix, surface.cross(helix));
}

/// Transports parameters to a surface in `steps` helices (at least one), each with the field at its
/// own start. Returns a `Transport`.
///
/// `charge` is in units of the proton's; `field(x, y, z)` returns B_z in T, see field.hpp.
template <class Surface, class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION auto transport(const Parameters<Real>& start, const Real& charge,
                                           const Field& field, const Surface& surface, int steps) {
  using T = ScalarOf<Real>;
  const auto step_to = [&](const Parameters<Real>& from, const Surface& to) {
    const Real tesla =
        field(from.template get<0>(), from.template get<1>(), from.template get<2>());
    return transport(from, curvature_per_inverse_pt(charge, tesla), to);
  };
  const auto surface_of = [&](int step) {
    return step == steps ? surface : surface.between(start, Real(T(step) / T(steps)));
  };
  auto result = step_to(start, surface_of(1));
  for (int step = 2; step <= steps; ++step) {
    const auto next = step_to(result.parameters, surface_of(step));
    result.jacobian = as<decltype(result.jacobian)>(next.jacobian * result.jacobian);
    result.parameters = next.parameters;
    result.reached = result.reached && next.reached;
  }
  return result;
}

/// Propagates a state to a `Cylinder`, `ZPlane` or `Plane` in `steps` helices, without material:
/// X becomes X', P becomes J P Jᵀ. Returns the lanes that reached the surface; the states of others
/// are unchanged.
template <class Surface, class Real, class Field>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> propagate(TrackState<Real>& state,
                                                                 const Field& field,
                                                                 const Surface& surface,
                                                                 int steps = 1) {
  const auto moved = transport(state.parameters, state.charge, field, surface, steps);
  const TrackState<Real> there{moved.parameters,
                               as<Covariance<Real>>(similarity(moved.jacobian, state.covariance)),
                               state.charge};
  state = select(moved.reached, there, state);
  return moved.reached;
}

}  // namespace trackplex::kalman
