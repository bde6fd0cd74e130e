// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kalman fit of a track: propagation and update layer by layer, with the state in registers.
///
/// The type `Layers` is the caller's. It describes the layers 0 to size() - 1 of a track, or of a
/// tile of tracks, in the order of the fit:
///
///     int size() const;
///     surface(i)       a geometry::Surface, or for the model CentralTrack a Cylinder, ZPlane or
///                      Plane; the same type for all layers
///     present(i)       mask of the lanes that have a measurement on the layer
///     measure(i, X)    the Measurement, linearised about the parameters X; lanes without one may
///                      hold any value
///     material(i)      optional: the ThinLayer that a track crosses after the update, or its
///                      LayerConstants, which may be those of each lane
///     has_material()   optional, for layers with `crosses`: false if all have thickness 0
///     crosses(i)       optional: mask of the lanes that cross the layer. The others skip it, as if
///                      they did not have it: their state stays where it is. Only lanes that cross
///                      the layer may be `present`
///     prefetch(i)      optional: prefetches what the layer reads by index, see
///                      trackplex::prefetch; called one layer ahead

#include <trackplex/kalman/material_effects.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/update.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace trackplex::kalman {

/// Options of a fit.
/// @tparam T scalar of its numbers
template <class T>
struct BasicFitOptions {
  T max_chi2 = std::numeric_limits<T>::infinity();  ///< of a measurement that is used; above it,
                                                    ///< the measurement is an outlier
  int steps = 1;          ///< helices from layer to layer; more than one for a non-uniform field
  T mass = T(pion_mass);  ///< mass of the particle for the effects of material, GeV
  bool along = true;      ///< true: the fit follows the momentum, and particles lose energy;
                          ///< false: against it, and the energy is added back

  /// Rounds the numbers to another scalar.
  template <class To>
  KOKKOS_FUNCTION constexpr operator BasicFitOptions<To>() const {
    return {To(max_chi2), steps, To(mass), along};
  }
};
/// Options of a fit in double precision, for users; they convert to the options of kernels.
using FitOptions = BasicFitOptions<double>;

/// Outcome of the fit of a track, in the order of harm.
enum class FitStatus : std::uint8_t {
  fitted,              ///< all is well
  invalid_hit,         ///< fitted, without measurements whose covariances are none
  invalid_covariance,  ///< rounding has made a variance negative: fitted, but the errors are wrong.
                       ///< Or the covariance is not finite: not `reached`
  not_reached,         ///< a layer was not reached; the state is the last one before
  stopped,             ///< the particle has no energy left; the state is the last one before
  invalid_start,       ///< the covariance at the start is none: the state was not updated
};
/// Number of values of a `FitStatus`.
inline constexpr int fit_statuses = 6;

/// Result of a fit, of each lane.
template <class Number>
struct FitResult {
  using Real = Number;               ///< number type of a kernel
  Real chi2 = Real(0);               ///< sum over the measurements that were used
  IntegerOf<Real> measurements = 0;  ///< numbers that were used: two for a 2-dimensional hit
  IntegerOf<Real> outliers = 0;      ///< measurements that were not used: above
                                     ///< `FitOptions::max_chi2`, with an invalid covariance, or of
                                     ///< a track with an invalid start
  MaskOf<Real> reached = true;  ///< whether all layers were reached, from a valid start, with a
                                ///< finite covariance
  IntegerOf<Real> status = 0;   ///< the `FitStatus` as an integer
};

/// Form in which a fit keeps covariances.
enum class FitForm {
  gain,        ///< the covariances themselves: fast, see `fit`
  square_root  ///< square roots of them: for starts that know next to nothing, and for single
               ///< precision where errors differ by factors of more than 100, see `square_root_fit`
};

/// Layers of a fit in kernels with the number type `Real`; see fit.hpp.
template <class Layers, class Real>
concept LayersOfTracks = requires(const Layers& layers, const Parameters<Real>& at) {
  { layers.size() } -> std::convertible_to<int>;
  layers.surface(0);
  { layers.present(0) } -> std::convertible_to<MaskOf<Real>>;
  layers.measure(0, at).residual;
  layers.measure(0, at).projection;
  layers.measure(0, at).covariance;
};

namespace detail {

template <class Layers, class Real>
concept WithMaterial = requires(const Layers& layers) {
  constants_of<Real>(layers.material(0)).thickness;
};
template <class Layers>
concept WithCrossings = requires(const Layers& layers) {
  layers.crosses(0);
};

template <class Real, class Layers>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> lanes_that_cross(const Layers& layers, int i) {
  if constexpr (WithCrossings<Layers>)
    return layers.crosses(i);
  else
    return MaskOf<Real>(true);
}

/// Prefetches what a layer reads, if the layer exists and has `prefetch`.
template <class Layers>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_layer(const Layers& layers, int i) {
  if constexpr (requires { layers.prefetch(i); })
    if (i < layers.size()) layers.prefetch(i);
}

/// Transports the parameters of a model to a surface.
template <class Model, class Real, class Field, class Surface>
KOKKOS_FORCEINLINE_FUNCTION auto transport_to(const Parameters<Real>& at, const Real& charge,
                                              const Field& field, const Surface& surface,
                                              int steps) {
  using kalman::transport;
  if constexpr (requires { transport<Model>(at, charge, field, surface, steps); })
    return transport<Model>(at, charge, field, surface, steps);
  else
    return transport(at, charge, field, surface, steps);
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real trace(const Covariance<Real>& c) {
  return c(0, 0) + c(1, 1) + c(2, 2) + c(3, 3) + c(4, 4) + c(5, 5);
}

/// Record of a fit that stores nothing. The fit passes it the Jacobian to each layer and the
/// predicted state there with its measurement and gain, and calls it after the update.
struct NoRecord {
  KOKKOS_FORCEINLINE_FUNCTION void transported(int, const auto&) const {}
  KOKKOS_FORCEINLINE_FUNCTION void measured(int, const auto&, const auto&, const auto&) const {}
  KOKKOS_FORCEINLINE_FUNCTION void updated(int, const auto&) const {}
};

/// Passage without material.
template <class Real>
struct NoPassage {
  static constexpr bool passed = true;
  const Parameters<Real>& parameters;
  IdentityMatrix<Real> jacobian;
  KOKKOS_FORCEINLINE_FUNCTION const auto& behind(const Covariance<Real>& before) const {
    return before;
  }
};

/// Material still to be applied: that of the last layer that each lane crossed.
template <class Real, class Model, class Layers>
class MaterialBehind {
 public:
  /// Calls `go(passage)` with the effect of the material before layer i: a `Passage` or
  /// `NoPassage`.
  template <class Go>
  KOKKOS_FORCEINLINE_FUNCTION void pass(int i, const Parameters<Real>& at, const Real& charge,
                                        const Layers& layers,
                                        const BasicFitOptions<ScalarOf<Real>>& options,
                                        const Go& go) const {
    if constexpr (lane_by_lane) {
      if (has_material(layers)) {
        auto passage =
            pass_at<Model>(at, charge, layer_, cosine_, Real(options.mass), options.along);
        passage.restrict_to(layer_.thickness > Real(0), at);
        return go(passage);
      }
    } else if constexpr (WithMaterial<Layers, Real>) {
      if (i > 0 && has_thickness(layers.material(i - 1)))
        return go(pass_layer<Model>(at, charge, layers.material(i - 1), layers.surface(i - 1),
                                    options.mass, options.along));
    }
    go(NoPassage<Real>{at, {}});
  }
  /// Stores the material of layer i for the lanes that crossed it.
  KOKKOS_FORCEINLINE_FUNCTION void cross(int i, const Parameters<Real>& at, const Layers& layers,
                                         const MaskOf<Real>& crossing) {
    if constexpr (lane_by_lane) {
      if (!has_material(layers)) return;
      const LayerConstants<Real> layer = constants_of<Real>(layers.material(i));
      layer_ = select(crossing, layer, layer_);
      const Real cosine = incidence<Model>(at, layers.surface(i));
      cosine_ = select(crossing, cosine, cosine_);
    }
  }

 private:
  static constexpr bool lane_by_lane = WithMaterial<Layers, Real> && WithCrossings<Layers>;
  struct None {};
  /// Whether any layer has material: the same for all lanes and layers, and so are the bits of the
  /// result.
  static KOKKOS_FORCEINLINE_FUNCTION bool has_material(const Layers& layers) {
    if constexpr (requires { layers.has_material(); })
      return layers.has_material();
    else
      return true;
  }
  template <class Layer>
  static KOKKOS_FORCEINLINE_FUNCTION bool has_thickness(const Layer& layer) {
    return any_of(layer.thickness > decltype(layer.thickness)(0));
  }

  std::conditional_t<lane_by_lane, LayerConstants<Real>, None> layer_{};
  Real cosine_ = Real(1);
};

/// Returns the lanes with a covariance from which a fit can start.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_valid_start(const Covariance<Real>& covariance) {
  return is_state_covariance(covariance, CovarianceTolerance<ScalarOf<Real>>::start) &&
         is_finite(trace(covariance));
}

/// Result of a fit that has not begun.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION FitResult<Real> not_reached() {
  return {Real(0), 0, 0, false, static_cast<int>(FitStatus::not_reached)};
}

/// Lanes that a fit has not lost, and reasons for lost lanes.
template <class Real>
struct FitProgress {
  using Integer = IntegerOf<Real>;
  MaskOf<Real> valid_start;      ///< lanes with a covariance at the start
  MaskOf<Real> positive = true;  ///< no variance has become negative
  MaskOf<Real> reached = true, stopped = false, invalid_hit = false;

  KOKKOS_FORCEINLINE_FUNCTION void go_on(const MaskOf<Real>& passed, const MaskOf<Real>& arrived) {
    stopped = stopped || (reached && !passed);
    reached = reached && passed && arrived;
  }
  KOKKOS_FORCEINLINE_FUNCTION void check(const Covariance<Real>& covariance) {
    positive = positive && has_positive_variances(covariance);
  }
  /// Completes the result from the covariance at the end.
  KOKKOS_FORCEINLINE_FUNCTION void finish(const Covariance<Real>& covariance,
                                          FitResult<Real>& result) const {
    const auto status = [](FitStatus which) {
      return Integer(ScalarOf<Integer>(static_cast<int>(which)));
    };
    const auto finite = is_finite(trace(covariance));
    result.status = select(invalid_hit, status(FitStatus::invalid_hit), status(FitStatus::fitted));
    result.status =
        select(positive && finite, result.status, status(FitStatus::invalid_covariance));
    result.status =
        select(reached, result.status,
               select(stopped, status(FitStatus::stopped), status(FitStatus::not_reached)));
    result.status = select(valid_start, result.status, status(FitStatus::invalid_start));
    result.reached = reached && valid_start && finite;
  }
};

/// Propagates from the surface of the previous layer to that of layer i. Lost lanes, and lanes
/// that do not cross the layer, keep their state.
template <class Real, class Model, class Field, class Layers, class Record>
KOKKOS_FORCEINLINE_FUNCTION void go_to_layer(int i, TrackState<Real, Model>& state,
                                             const Field& field, const Layers& layers,
                                             const BasicFitOptions<ScalarOf<Real>>& options,
                                             const MaskOf<Real>& crossing,
                                             const MaterialBehind<Real, Model, Layers>& behind,
                                             FitProgress<Real>& progress, Record& record) {
  if constexpr (WithCrossings<Layers>)
    if (none_of(crossing)) return record.transported(i, IdentityMatrix<Real>{});
  behind.pass(i, state.parameters, state.charge, layers, options, [&](const auto& passage) {
    const auto moved = transport_to<Model>(passage.parameters, state.charge, field,
                                           layers.surface(i), options.steps);
    progress.go_on(passage.passed || !crossing, moved.reached || !crossing);
    const auto jacobian = moved.jacobian * passage.jacobian;
    if constexpr (WithCrossings<Layers>) {
      auto jacobian_of_lanes = as<Matrix<Real, 6, 6>>(IdentityMatrix<Real>{});
      assign_where(crossing, as<Matrix<Real, 6, 6>>(jacobian), jacobian_of_lanes);
      record.transported(i, jacobian_of_lanes);
    } else {
      record.transported(i, jacobian);
    }
    const auto moves = progress.reached && crossing;
    assign_where(moves, moved.parameters, state.parameters);
    assign_where(moves,
                 as<Covariance<Real>>(similarity(moved.jacobian, passage.behind(state.covariance))),
                 state.covariance);
  });
}

template <class Real, class Model, class Field, class Layers, class Record>
KOKKOS_FORCEINLINE_FUNCTION FitResult<Real> fit(TrackState<Real, Model>& state, const Field& field,
                                                const Layers& layers,
                                                const BasicFitOptions<ScalarOf<Real>>& options,
                                                Record& record) {
  using Integer = IntegerOf<Real>;
  FitResult<Real> result;
  FitProgress<Real> progress{is_valid_start(state.covariance)};
  MaterialBehind<Real, Model, Layers> behind;
  prefetch_layer(layers, 0);
  for (int i = 0; i < layers.size(); ++i) {
    prefetch_layer(layers, i + 1);
    const auto crossing = lanes_that_cross<Real>(layers, i);
    go_to_layer(i, state, field, layers, options, crossing, behind, progress, record);
    const auto measurement = layers.measure(i, state.parameters);
    const auto wanted = layers.present(i) && progress.reached;
    constexpr int dimension = std::decay_t<decltype(measurement)>::dimension;
    const auto usable = is_valid(measurement);
    const KalmanGain<Real, dimension> k(state.covariance, measurement,
                                        wanted && usable && progress.valid_start,
                                        Real(options.max_chi2));
    record.measured(i, state, measurement, k);
    k.update(state, measurement.residual);
    record.updated(i, k);
    progress.check(state.covariance);
    progress.invalid_hit = progress.invalid_hit || (wanted && !usable);
    const auto updated = k.result.updated;
    result.chi2 += select(updated, k.result.chi2, Real(0));
    result.measurements += select(updated, measurement.count, Integer(0));
    result.outliers += select(wanted && !updated, Integer(1), Integer(0));
    behind.cross(i, state.parameters, layers, crossing);
  }
  progress.finish(state.covariance, result);
  return result;
}

}  // namespace detail

/// Fits a track. `state` is on input the start state before the first layer, whose covariance
/// gives its weight, and on output the state at the last layer.
///
/// On each layer in turn: material of the previous layer, propagation, measurement, update. chi2
/// has as many degrees of freedom as numbers were measured. A device function; `fit_tracks`
/// launches it for many tracks.
///
/// @tparam Field functor `field(x, y, z)`, see field_along_z.hpp
/// @tparam Layers layers with hits, see fit.hpp
template <class Real, class Model, class Field, LayersOfTracks<Real> Layers>
KOKKOS_FORCEINLINE_FUNCTION FitResult<Real> fit(
    TrackState<Real, Model>& state, const Field& field, const Layers& layers,
    const BasicFitOptions<ScalarOf<Real>>& options = {}) {
  detail::NoRecord none;
  return detail::fit(state, field, layers, options, none);
}

}  // namespace trackplex::kalman
