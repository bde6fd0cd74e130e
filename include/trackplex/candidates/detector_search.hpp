// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Steps of track building in any detector: from layer to layer along the layer graph, each
/// candidate on a layer of its own. They are device functions, for use in other kernels too.

#include <trackplex/candidates/detail/place_buffer.hpp>
#include <trackplex/candidates/detector_search_params.hpp>
#include <trackplex/geometry/navigation.hpp>
#include <trackplex/kalman/osculating_parabola.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/update.hpp>
#include <trackplex/search/hit_windows.hpp>

#include <cstdint>
#include <type_traits>

namespace trackplex::candidates {

/// Steps of track building in a detector of modules.
///
/// The state of a candidate is on the surface of its layer. Hits are on the planes of their
/// modules, near that surface: `kalman::OsculatingParabola` takes the candidate from one to the
/// other.
/// @tparam TheModel meaning of the parameters of states
/// @tparam Field vector field or B_z as a functor, see kalman/propagation.hpp
template <kalman::TrackModel TheModel, class T, class MemorySpace, class Field>
struct DetectorSearch {
  static constexpr bool own_layers = true;  ///< each candidate has a layer of its own
  using Model = TheModel;                   ///< meaning of the parameters of states
  /// State of a candidate.
  template <class Real>
  using State = kalman::TrackState<Real, Model>;
  /// Osculating parabola of a candidate.
  template <class Real>
  using Parabola = kalman::OsculatingParabola<Real, Model>;

  search::BinnedDetectorHits<T, MemorySpace> binned;           ///< hits
  geometry::Navigation<T, MemorySpace> navigation;             ///< layers and their successors
  Field field;                                                 ///< B or B_z, T
  DetectorSearchConstants<T> constants;                        ///< cuts, windows and material
  Kokkos::View<const std::int32_t*, MemorySpace> seed_layers;  ///< layer of each seed's last hit
  int n_steps;  ///< hits of a seed and further layers

  /// Returns the number of the last step plus one.
  KOKKOS_FORCEINLINE_FUNCTION int steps() const { return n_steps; }
  /// Returns the layers of the last hits of seeds.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> first_layer(const Tile<Real>& seeds, int) const {
    return seeds.template load<IntegerOf<Real>>(seed_layers.data());
  }

  /// Propagates states from their layers, through the material there, to the next layers, and
  /// sets `layer` to these. Lanes that meet no layer, or meet one at a grazing angle, are removed
  /// from `mask`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void propagate(State<Real>& state, MaskOf<Real>& mask,
                                             IntegerOf<Real>& layer, int /*step*/) const {
    using Integer = IntegerOf<Real>;
    const Integer here = select(mask, layer, Integer(0));
    leave(state, mask, here);
    const auto near = parabola(state);
    const auto next = navigation.next(here, near.point, near.direction, near.bend, mask);
    mask = mask && next.layer >= Integer(0);
    layer = select(mask, next.layer, layer);
    const auto surface =
        navigation.detector.template layer<Real>(select(mask, layer, Integer(0))).surface;
    const auto moved = transport(state, surface, near, next.path);
    mask = mask && moved.reached &&
           kalman::incidence_cosine<Model>(moved.parameters, surface) > Real(constants.min_cosine);
    assign_where(mask, as<kalman::Covariance<Real>>(similarity(moved.jacobian, state.covariance)),
                 state.covariance);
    assign_where(mask, moved.parameters, state.parameters);
  }

  /// Calls `visit(place, chi2, accepted)` for the hits near states on their layers; see the
  /// function for cylinders.
  template <class Real, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_compatible_hit(const IntegerOf<Real>& layer,
                                                           const IntegerOf<Real>& events,
                                                           const State<Real>& state,
                                                           const MaskOf<Real>& mask,
                                                           const Visit& visit) const {
    const auto near = parabola(state);
    const IntegerOf<Real> at = select(mask, layer, IntegerOf<Real>(0));
    for_each_compatible_hit_in(window(state, near, at), near, at, events, state, mask, visit);
  }

  /// Does the same for hits on modules next to the module of a state: the window includes the
  /// errors of its direction, over the reach of the layer.
  template <class Real, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_neighbouring_hit(const IntegerOf<Real>& layer,
                                                             const IntegerOf<Real>& events,
                                                             const State<Real>& state,
                                                             const MaskOf<Real>& mask,
                                                             const Visit& visit) const {
    const auto near = parabola(state);
    const IntegerOf<Real> at = select(mask, layer, IntegerOf<Real>(0));
    for_each_compatible_hit_in(window_of_neighbours(state, near, at), near, at, events, state, mask,
                               visit);
  }

  /// Returns the lanes in which a missing hit counts as a hole: where modules certainly
  /// cover the layer.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> expects_hit(const IntegerOf<Real>& layer,
                                                       const State<Real>& state) const {
    using Integer = IntegerOf<Real>;
    const auto& x = state.parameters;
    const Integer at = max(layer, Integer(0));
    const auto place =
        navigation.detector.template layer<Real>(at).coordinates({{x(0), x(1), x(2)}});
    return navigation.is_hole(at, place.first, place.second);
  }

  /// Updates states with the hits at places, in the lanes of `where`; places of other lanes need
  /// not be valid.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void update(State<Real>& state, const IntegerOf<Real>& place,
                                          const MaskOf<Real>& where) const {
    if (none_of(where)) return;
    using Integer = IntegerOf<Real>;
    const auto measured = measure(parabola(state), select(where, place, Integer(0)));
    kalman::gain_of(state.covariance, measured, where, kalman::no_limit<Real>())
        .update(state, measured.residual);
  }

  /// Returns the window on its layer, or near it, in which the hit of a state is searched for: n =
  /// `window_sigmas` standard deviations of the state and of a typical hit of the layer. It is not
  /// wider than `max_half_width`, or than n standard deviations of the hit alone if these are more:
  /// along a strip, for example.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::LayerWindow<Real> window(const State<Real>& state,
                                                               const Parabola<Real>& near,
                                                               const IntegerOf<Real>& layer) const {
    const auto of_layer = navigation.detector.template layer<Real>(layer);
    const auto properties = binned.template properties<Real>(layer);
    const auto centre = of_layer.coordinates(near.point);
    const auto gradients = of_layer.gradients(near.point);
    const Real cosine = geometry::dot(near.direction, of_layer.surface.gradient(near.point));
    const Real least = Real(T(0.05));  // of nearly tangential tracks
    const Real per_cosine = Real(1) / copysign(max(abs(cosine), least), cosine);
    const auto half = [&](const geometry::Vector3<Real>& gradient, const Real& hit_variance) {
      const Real scale2 = geometry::dot(gradient, gradient);
      const Real variance = fma(hit_variance, scale2, projected(state.covariance, gradient));
      const Real sigmas(constants.window_sigmas);
      const Real limit = max(Real(constants.max_half_width), sigmas * sqrt(hit_variance));
      return min(sigmas * sqrt(max(variance, Real(0))), limit * sqrt(scale2));
    };
    const Real off = of_layer.surface.distance(near.point);
    // Off a cylinder of radius R by F, the distance is F - F^2/2R
    const Real reach = binned.template reach<Real>(layer) + abs(off);
    const Real bow = Real(T(0.5)) * of_layer.surface.curvature * reach * reach;
    const Real first_slope = geometry::dot(gradients.first, near.direction) * per_cosine,
               second_slope = geometry::dot(gradients.second, near.direction) * per_cosine;
    return {fma(-off, first_slope, centre.first),
            fma(bow, abs(first_slope), half(gradients.first, properties.z)),
            fma(-off, second_slope, centre.second),
            fma(bow, abs(second_slope), half(gradients.second, properties.w)),
            first_slope,
            second_slope,
            binned.template first_axis<Real>(layer).period};
  }

  /// Returns the parabola that osculates a candidate.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Parabola<Real> parabola(const State<Real>& state) const {
    const auto& at = state.parameters;
    return {at, state.charge, kalman::field_vector<Real>(field, at(0), at(1), at(2))};
  }
  /// Returns the measurement of the hit at each lane's place, which must be valid.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION auto measure(const Parabola<Real>& near,
                                           const IntegerOf<Real>& place) const {
    const auto hit = binned.template hit<Real>(place);
    const auto frame = navigation.detector.template frame<Real>(hit.module);
    return near.measure(frame, hit.u, hit.v, hit.variance_u, hit.variance_v);
  }

 private:
  /// The hits in windows on valid layers.
  template <class Real, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_compatible_hit_in(
      const search::LayerWindow<Real>& window, const Parabola<Real>& near,
      const IntegerOf<Real>& layer, const IntegerOf<Real>& events, const State<Real>& state,
      const MaskOf<Real>& mask, const Visit& visit) const {
    using Integer = IntegerOf<Real>;
    using Mask = MaskOf<Real>;
    const Real max_chi2 = Real(constants.max_chi2);
    detail::PlaceBuffer<Real> buffer;
    const auto compare = [&](const Integer& place, const Mask& exists) {
      const auto measured = measure(near, place);
      const auto result = kalman::gain_of(state.covariance, measured, exists, max_chi2).result;
      visit(place, result.chi2,
            exists && result.updated && result.chi2 >= Real(0) && result.chi2 < max_chi2);
    };
    search::for_each_hit_in(
        binned, layer, events, window, mask,
        [&](const Integer& place, const auto& record, const Mask& inside) {
          navigation.detector.prefetch(convert<Integer>(record.z));  // its module
          buffer.add(place, inside);
          if (buffer.full()) buffer.flush(compare);
        });
    buffer.flush(compare);
  }

  /// The window of a state for hits at distances up to the reach of the layer.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::LayerWindow<Real> window_of_neighbours(
      const State<Real>& state, const Parabola<Real>& near, const IntegerOf<Real>& layer) const {
    auto result = window(state, near, layer);
    const auto of_layer = navigation.detector.template layer<Real>(layer);
    const auto gradients = of_layer.gradients(near.point);
    const auto normal = of_layer.surface.gradient(near.point);
    const Real cosine = max(abs(geometry::dot(near.direction, normal)), Real(T(0.05)));
    const Real path =
        (binned.template reach<Real>(layer) + abs(of_layer.surface.distance(near.point))) / cosine;
    const auto widen = [&](const geometry::Vector3<Real>& gradient, const Real& slope, Real& half) {
      const auto on_surface = geometry::add_scaled(gradient, -slope, normal);
      Real variance(0), derivatives[3];
      for (int i = 0; i < 3; ++i) {
        derivatives[i] = fma(on_surface(0), near.direction_derivatives(0, i),
                             fma(on_surface(1), near.direction_derivatives(1, i),
                                 on_surface(2) * near.direction_derivatives(2, i)));
        for (int j = 0; j <= i; ++j)
          variance = fma(Real(T(i == j ? 1 : 2)) * derivatives[i] * derivatives[j],
                         state.covariance(3 + i, 3 + j), variance);
      }
      const Real more = Real(constants.window_sigmas) * path * sqrt(max(variance, Real(0)));
      const Real limit = Real(constants.max_half_width) * sqrt(geometry::dot(gradient, gradient));
      half = max(half, min(half + more, limit));
    };
    widen(gradients.first, result.first_slope, result.half_first);
    widen(gradients.second, result.second_slope, result.half_second);
    return result;
  }

  /// g C g of the position.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real projected(const kalman::Covariance<Real>& c,
                                                    const geometry::Vector3<Real>& g) {
    const Real diagonal =
        fma(g(0) * g(0), c(0, 0), fma(g(1) * g(1), c(1, 1), g(2) * g(2) * c(2, 2)));
    const Real mixed = fma(g(0) * g(1), c(1, 0), fma(g(0) * g(2), c(2, 0), g(1) * g(2) * c(2, 1)));
    return fma(Real(2), mixed, diagonal);
  }

  /// The material of the layer that candidates leave.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void leave(State<Real>& state, MaskOf<Real>& mask,
                                         const IntegerOf<Real>& layer) const {
    const Real radiation_lengths = binned.template properties<Real>(layer).y;
    const auto crossing = mask && radiation_lengths > Real(0);
    if (none_of(crossing)) return;
    const kalman::LayerConstants<Real> material(
        radiation_lengths, radiation_lengths * Real(constants.xi_per_radiation_length),
        constants.material);
    const auto of_layer = navigation.detector.template layer<Real>(layer);
    const Real cosine =
        max(kalman::incidence_cosine<Model>(state.parameters, of_layer.surface), Real(T(0.05)));
    const auto passage = kalman::detail::pass_at<Model>(state.parameters, state.charge, material,
                                                        cosine, Real(constants.mass), true);
    mask = mask && (passage.passed || !crossing);
    const auto passed = crossing && passage.passed;
    assign_where(passed, passage.parameters, state.parameters);
    assign_where(passed, passage.behind(state.covariance), state.covariance);
  }

  /// Along a helix in the field at the midpoint, for fields along z.
  template <class Real, class Surface>
  KOKKOS_FORCEINLINE_FUNCTION auto transport(const State<Real>& state, const Surface& surface,
                                             const Parabola<Real>& near, const Real& path) const {
    if constexpr (!geometry::VectorField<Field, Real> &&
                  std::is_same_v<Model, kalman::CentralTrack>) {
      const auto half_way = geometry::add_scaled(near.point, Real(T(0.5)) * path, near.direction);
      const Real tesla = field(half_way(0), half_way(1), half_way(2));
      return kalman::transport(state.parameters,
                               kalman::curvature_per_inverse_pt(state.charge, tesla), surface);
    } else {
      return kalman::transport<Model>(state.parameters, state.charge, field, surface);
    }
  }
};

}  // namespace trackplex::candidates
