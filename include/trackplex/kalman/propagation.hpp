// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tracks to surfaces, in a magnetic field along z. The Jacobians are exact for the field that a
/// step uses; how that field changes with the start of the step is left out.

#include <trackplex/kalman/field.hpp>
#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/matriplex/similarity.hpp>

namespace trackplex::kalman {

/// The parameters on a surface, and their derivatives with respect to those at the start. Lanes
/// that do not reach the surface hold nothing of use.
template <class Real, Pattern<6, 6> P>
struct Transport {
  Parameters<Real> parameters;
  Matrix<Real, 6, 6, P> jacobian;
  MaskOf<Real> reached;
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

/// Along one helix to a surface. `curvature_factor`: see `curvature_per_inverse_pt`.
template <class Surface, class Real>
KOKKOS_FUNCTION auto transport(const Parameters<Real>& start, const Real& curvature_factor,
                               const Surface& surface) {
  const Helix<Real> helix(start, curvature_factor);
  return detail::transport<detail::fixes_z<Surface>>(helix, surface.cross(helix));
}

/// In `steps` helices to a surface, each with the field where it starts.
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

/// Moves a state to a `Cylinder`, `ZPlane` or `Plane`, in `steps` helices. Returns where it was
/// reached; elsewhere the state stays as it is.
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
