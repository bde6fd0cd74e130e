// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Propagation of tracks to surfaces in magnetic fields. In a field of any direction tracks of any
/// model are followed along helices where it is uniform, else by integration; the Jacobians are
/// those of the field, its gradient included. Tracks of the model `CentralTrack` in a field along z
/// are followed along helices, each with the field at its start; the Jacobians neglect how that
/// field changes with the start.

#include <trackplex/kalman/detail/vector_transport.hpp>
#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/kalman/helices_in_field.hpp>
#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/matriplex/similarity.hpp>

#include <concepts>
#include <type_traits>

namespace trackplex::kalman {

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

/// Transports parameters along one helix to a `Cylinder`, `ZPlane` or `Plane`, or to a surface F =
/// 0 such as `geometry::Surface`, with the exact Jacobian \f$ J = E + T\,dL/dX \f$ (see
/// `Crossing`). Returns a `Transport`.
///
/// `curvature_factor` is the curvature per 1/pT, see `curvature_per_inverse_pt`.
template <class Surface, class Real>
KOKKOS_FUNCTION auto transport(const Parameters<Real>& start, const Real& curvature_factor,
                               const Surface& surface) {
  const Helix<Real> helix(start, curvature_factor);
  if constexpr (geometry::ImplicitSurface<Surface, Real>)
    return detail::transport<false>(helix, cross(helix, surface));
  else
    return detail::transport<detail::fixes_z<Surface>>(helix, surface.cross(helix));
}

namespace detail {

/// Helix from the parameters of a track in the field at its start.
template <class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION Helix<Real> helix_at(const Parameters<Real>& from, const Real& charge,
                                                 const Field& field) {
  const Real tesla = field(from.template get<0>(), from.template get<1>(), from.template get<2>());
  return {from, curvature_per_inverse_pt(charge, tesla)};
}

/// Transport in several helices to a surface F = 0: each but the last one covers an equal part of
/// the remaining path.
template <class Real, class Field, class Surface>
KOKKOS_FORCEINLINE_FUNCTION auto transport_in_steps(const Parameters<Real>& start,
                                                    const Real& charge, const Field& field,
                                                    const Surface& surface, int steps) {
  using T = ScalarOf<Real>;
  const auto to_surface = [&](const Parameters<Real>& from) {
    const auto helix = helix_at(from, charge, field);
    return transport<false>(helix, cross(helix, surface));
  };
  if (steps == 1) return to_surface(start);
  decltype(to_surface(start)) result{start, {}, MaskOf<Real>(true)};
  using Jacobian = decltype(result.jacobian);
  result.jacobian = as<Jacobian>(IdentityMatrix<Real>{});
  const auto add = [&](const auto& next) {
    result.jacobian = as<Jacobian>(next.jacobian * result.jacobian);
    result.parameters = next.parameters;
    result.reached = result.reached && next.reached;
  };
  for (int left = steps; left > 1; --left) {
    const auto helix = helix_at(result.parameters, charge, field);
    const auto path = path_length(helix, surface);
    using None = Matrix<Real, 1, 6, Pattern<1, 6>{}>;
    const HelixPoint<Real> point(helix, path.length * Real(T(1) / T(left)));
    add(transport<false>(helix, Crossing<Real, None::pattern>{point, {}, path.reached}));
  }
  add(to_surface(result.parameters));
  return result;
}

}  // namespace detail

namespace detail {

/// Transport to a surface in `steps` helices (at least one), each with the field along z at its own
/// start.
template <class Surface, class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION auto transport_on_helices(const Parameters<Real>& start,
                                                      const Real& charge, const Field& field,
                                                      const Surface& surface, int steps) {
  using T = ScalarOf<Real>;
  const auto step_to = [&](const Parameters<Real>& from, const Surface& to) {
    const Real tesla =
        field(from.template get<0>(), from.template get<1>(), from.template get<2>());
    return kalman::transport(from, curvature_per_inverse_pt(charge, tesla), to);
  };
  if constexpr (geometry::ImplicitSurface<Surface, Real>) {
    return transport_in_steps(start, charge, field, surface, steps);
  } else {
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
}

}  // namespace detail

/// Magnetic field in lanes of `Real`: a functor `field(x, y, z)` of a point in cm that returns B, a
/// `geometry::Vector3<Real>`, or B_z in T.
template <class Field, class Real>
concept MagneticField = geometry::VectorField<Field, Real> ||
    requires(const Field& field, const Real& coordinate) {
  { field(coordinate, coordinate, coordinate) } -> std::convertible_to<Real>;
};

namespace detail {

/// Surfaces for helices about the z axis as surfaces F = 0.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION geometry::Surface<Real> implicit(const Cylinder<Real>& cylinder) {
  return geometry::Surface<Real>::cylinder(cylinder.radius);
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION geometry::Surface<Real> implicit(const ZPlane<Real>& plane) {
  return geometry::Surface<Real>::disk(plane.z);
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION geometry::Surface<Real> implicit(const Plane<Real>& plane) {
  return {Real(0), {{plane.nx, plane.ny, plane.nz}}, plane.offset};
}
template <class Surface>
KOKKOS_FORCEINLINE_FUNCTION const Surface& implicit(const Surface& surface) {
  return surface;
}
template <class Surface, class Real>
inline constexpr bool has_implicit_form =
    geometry::ImplicitSurface<Surface, Real> || std::is_same_v<Surface, Cylinder<Real>> ||
    std::is_same_v<Surface, ZPlane<Real>> || std::is_same_v<Surface, Plane<Real>>;

/// Field along z as a vector field; its gradient counts as 0.
template <class Field>
struct FieldAlongZ {
  const Field& field;

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION geometry::Vector3<Real> operator()(const Real& x, const Real& y,
                                                                 const Real& z) const {
    return {{Real(0), Real(0), field(x, y, z)}};
  }
};

}  // namespace detail

/// Transports the parameters of a track model to a surface. Returns a `Transport`.
///
/// In a uniform vector field (geometry/field.hpp) it follows a helix, with its exact Jacobian; in
/// `HelicesInField` the helix in the field at the midpoint; in any other field it integrates, see
/// `IntegratedTrack`, in steps that are planned from the start of each step: of at most 0.1 rad
/// (float) or 0.02 rad (double) and the field's `step_limit`. Lanes that leave the region
/// that the field `covers` do not reach the surface, nor do lanes that have not arrived after
/// nearly a turn or 1000 steps. A functor that returns B_z is a field along z; for the model
/// `CentralTrack` the track follows helices, each in the field at its own start. Neutral tracks are
/// straight.
///
/// @tparam Model track model, see track_model.hpp
/// @param start parameters at the start
/// @param charge in units of the proton's
/// @param field `field(x, y, z)` returns B or B_z in T
/// @param surface `geometry::Surface` or another `ImplicitSurface`, `Cylinder`, `ZPlane` or `Plane`
/// @param steps number of helices for the model `CentralTrack` in a field along z
template <TrackModel Model, class Surface, class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION auto transport(const Parameters<Real>& start, const Real& charge,
                                           const Field& field, const Surface& surface,
                                           int steps = 1) {
  static_assert(MagneticField<Field, Real>,
                "A field is a functor field(x, y, z) that returns B, a Vector3<Real>, or B_z.");
  constexpr bool is_axial_helix =
      std::is_base_of_v<CentralTrack, Model> && !geometry::VectorField<Field, Real>;
  static_assert(is_axial_helix || detail::has_implicit_form<Surface, Real>,
                "A surface has the members distance, gradient and path of geometry::Surface.");
  if constexpr (geometry::VectorField<Field, Real>) {
    const detail::TrackStart<Model, Real> at(start, charge);
    if constexpr (geometry::is_uniform<Field>())
      return detail::along_helix(at, field(start(0), start(1), start(2)),
                                 detail::implicit(surface));
    else if constexpr (follows_helices<Field>())
      return detail::along_helix(at, detail::field_half_way(at, field, detail::implicit(surface)),
                                 detail::implicit(surface));
    else
      return detail::by_integration(at, field, detail::implicit(surface));
  } else if constexpr (is_axial_helix) {
    return detail::transport_on_helices(start, charge, field, surface, steps);
  } else {
    const detail::TrackStart<Model, Real> at(start, charge);
    const detail::FieldAlongZ<Field> along_z{field};
    if constexpr (geometry::is_uniform<Field>())
      return detail::along_helix(at, along_z(start(0), start(1), start(2)),
                                 detail::implicit(surface));
    else
      return detail::by_integration(at, along_z, detail::implicit(surface));
  }
}

/// Transports the parameters of a `CentralTrack`, as above.
template <class Surface, class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION auto transport(const Parameters<Real>& start, const Real& charge,
                                           const Field& field, const Surface& surface,
                                           int steps = 1) {
  return transport<CentralTrack>(start, charge, field, surface, steps);
}

/// Propagates a state to a surface without material: X becomes X', P becomes J P Jᵀ; see the
/// `transport` of a track model. Returns the lanes that reached the surface; the states of others
/// are unchanged.
///
/// @param state of a track
/// @param field `field(x, y, z)` returns B or B_z in T
/// @param surface `geometry::Surface` or another `ImplicitSurface`, `Cylinder`, `ZPlane` or `Plane`
/// @param steps number of helices for the model `CentralTrack` in a field along z
template <class Surface, class Real, TrackModel Model, class Field>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> propagate(TrackState<Real, Model>& state,
                                                                 const Field& field,
                                                                 const Surface& surface,
                                                                 int steps = 1) {
  const auto moved = transport<Model>(state.parameters, state.charge, field, surface, steps);
  assign_where(moved.reached, as<Covariance<Real>>(similarity(moved.jacobian, state.covariance)),
               state.covariance);
  assign_where(moved.reached, moved.parameters, state.parameters);
  return moved.reached;
}

}  // namespace trackplex::kalman
