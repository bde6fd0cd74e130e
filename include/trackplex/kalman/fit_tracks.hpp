// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Fits and smoothers of many tracks.
///
/// The type `Hits` provides `hits.of(tile)`, the layers (see fit.hpp) of a tile of tracks. It is
/// what `CylinderMeasurements::view()` returns, or a type that the caller defines. A member
/// `check(where, n)` is optional: called on the host before the launch, it throws `UsageError`
/// unless the hits belong to n tracks.

#include <trackplex/core/launch.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/kalman/cylinder_measurements.hpp>
#include <trackplex/kalman/smoother.hpp>
#include <trackplex/kalman/square_root_smoother.hpp>
#include <trackplex/kalman/track_states.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace trackplex::kalman {

/// Hits of many tracks, for kernels with the number type `Real`; see fit_tracks.hpp.
template <class Hits, class Real>
concept HitsOfTracks = requires(const Hits& hits, const Tile<Real>& tile) {
  { hits.of(tile) } -> LayersOfTracks<Real>;
};

/// Results of the fits of many tracks, one entry per track; see `FitResult`.
template <class T, class MemorySpace>
struct FitResults {
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;
  Array<T> chi2;                      ///< sum over the measurements that were used
  Array<std::uint16_t> measurements,  ///< numbers that were used: two for a 2-dimensional hit
      outliers;                       ///< measurements that were not used
  Array<std::uint8_t> reached;        ///< 1: all layers were reached, with valid covariances; or 0
  Array<std::uint8_t> status;         ///< the `FitStatus` as an integer

  /// Allocates entries for n tracks if there are fewer.
  template <class Memory>
  void allocate(const Memory& memory, int n) {
    allocate_array(memory, chi2, "Trackplex::Kalman::chi2", std::size_t(n));
    allocate_array(memory, measurements, "Trackplex::Kalman::measurements", std::size_t(n));
    allocate_array(memory, outliers, "Trackplex::Kalman::outliers", std::size_t(n));
    allocate_array(memory, reached, "Trackplex::Kalman::reached", std::size_t(n));
    allocate_array(memory, status, "Trackplex::Kalman::fit_status", std::size_t(n));
  }

  /// Stores the results of a tile of tracks.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile,
                                         const FitResult<Real>& result) const {
    using Integer = IntegerOf<Real>;
    tile.store(chi2.data(), result.chi2);
    tile.store(measurements.data(), result.measurements);
    tile.store(outliers.data(), result.outliers);
    tile.store(reached.data(), select(result.reached, Integer(1), Integer(0)));
    tile.store(status.data(), result.status);
  }
};

/// Returns the number of the first n fits with each status, whose number is its index. Waits for
/// the instance.
template <class ExecutionSpace, class T, class MemorySpace>
std::array<std::size_t, fit_statuses> count_statuses(const ExecutionSpace& exec,
                                                     const FitResults<T, MemorySpace>& results,
                                                     std::size_t n) {
  std::array<std::size_t, fit_statuses> counts{};
  const auto statuses = to_host(exec, results.status, n);
  for (std::size_t track = 0; track < n; ++track) ++counts[std::size_t(statuses(track))];
  return counts;
}

/// Results of the fits of `TrackStates`.
template <class States>
using FitResultsOf = FitResults<typename States::Scalar, typename States::Memory>;

/// Smoothed states and residuals as kernels write them.
template <class States, class Residuals, class Covariances>
struct SmoothedTracksView {
  States states;                    ///< a `TrackStatesView`
  Residuals residual;               ///< view of a Matriplex of M x 1
  Covariances residual_covariance;  ///< view of a symmetric Matriplex of M x M

  /// Stores the smoothed states and residuals of a tile of tracks.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile, const auto& state,
                                         const auto& smoothed_residual) const {
    states.store(tile, state);
    residual.store(tile, smoothed_residual.residual);
    residual_covariance.store(tile, smoothed_residual.covariance);
  }
};

/// Smoothed states and residuals of many tracks on all layers: item
/// `layer * layer_stride(tracks) + track`. Tracks that skip a layer have there the state of the
/// previous layer, and no residual: 0 with variance 1.
/// @tparam M dimension of the measurements
/// @tparam Model meaning of the last three parameters
template <class T, class MemorySpace, int M = 2, TrackModel Model = CentralTrack>
struct SmoothedTracks {
  TrackStates<T, MemorySpace, Model> states;  ///< on the surface of the layer
  /// m - h(X) of the smoothed state, in the unit of the measurement (cm for hits on cylinders).
  Matriplex<T, M, 1, MemorySpace> residual{"Trackplex::Kalman::smoothed_residual"};
  /// Covariance of the residual, see `SmoothedFit::SmoothedResidual`.
  SymMatriplex<T, M, MemorySpace> residual_covariance{
      "Trackplex::Kalman::smoothed_residual_covariance"};

  /// Allocates states and residuals of `tracks` tracks on `layers` layers if there are fewer.
  /// @throws UsageError, CapacityError as `items_on_layers` does
  template <class Memory>
  void allocate(const Memory& memory, int layers, int tracks) {
    const int n = items_on_layers("smoothed tracks", layers, tracks);
    states.allocate(memory, n);
    residual.allocate(memory, n);
    residual_covariance.allocate(memory, n);
  }

  /// Returns the view for kernels.
  auto view() {
    return SmoothedTracksView<decltype(states.view()), decltype(residual.view()),
                              decltype(residual_covariance.view())>{states.view(), residual.view(),
                                                                    residual_covariance.view()};
  }
};

/// Smoother of a fit in this form: `SmoothedFit` or `SquareRootSmoothedFit`.
template <FitForm Form, class Real, int M, int Stride = width_of<Real>,
          TrackModel Model = CentralTrack>
using SmoothedFitOf = std::conditional_t<Form == FitForm::gain, SmoothedFit<Real, M, Stride, Model>,
                                         SquareRootSmoothedFit<Real, M, Stride, Model>>;

/// Memory of `smooth_tracks` for the steps of the tracks that are in progress at the same time.
/// @tparam M dimension of the measurements
/// @tparam Form form of the fit and the smoother
template <class T, class MemorySpace, int M = 2, FitForm Form = FitForm::gain>
struct SmootherSteps {
  int max_layers = 0;                     ///< max number of layers of a track
  Kokkos::View<T*, MemorySpace> numbers;  ///< blocks of `interleaved` tracks, see `SmoothedFit`

  /// Number of consecutive tracks whose steps are interleaved: the lanes, or the threads of a warp.
  template <class ExecutionSpace, int Width>
  static constexpr int interleaved =
      is_host_space<ExecutionSpace> ? Width : SpaceTraits<ExecutionSpace>::template tile_width<T>;

  /// Returns how many of `tracks` tracks are in progress at the same time: on hosts a tile for
  /// each thread.
  template <class ExecutionSpace, int Width>
  static int in_work(int tracks) {
    constexpr int block = interleaved<ExecutionSpace, Width>;
    const int max_in_work = is_host_space<ExecutionSpace>
                                ? Width * max_concurrency<ExecutionSpace>()
                                : SpaceTraits<ExecutionSpace>::max_resident_threads;
    return std::min(max_in_work, (tracks + block - 1) / block * block);
  }

  /// Allocates memory for smoothing `tracks` tracks with `Width` lanes if there is less.
  template <class ExecutionSpace, int Width, class Memory>
  void allocate(const Memory& memory, int tracks) {
    allocate_array(memory, numbers, "Trackplex::Kalman::smoother_steps",
                   std::size_t(in_work<ExecutionSpace, Width>(tracks)) * std::size_t(max_layers) *
                       SmoothedFitOf<Form, T, M>::numbers_per_layer);
  }
};

namespace detail {

/// Dimension of the measurements of hits.
template <class Hits, class Real>
inline constexpr int dimension_of =
    std::decay_t<decltype(std::declval<const Hits&>()
                              .of(std::declval<const Tile<Real>&>())
                              .measure(0, std::declval<const Parameters<Real>&>()))>::dimension;

/// Checks options and sizes, but not the values of states and hits.
template <class States, class Hits>
void check_fit(const char* where, const States& states, const Hits& hits,
               const FitOptions& options) {
  const int n = states.size();
  if (states.covariance.size() != n || states.charge.extent(0) < std::size_t(n))
    throw UsageError(where, "states lack covariances or charges", std::to_string(n) + " states",
                     "allocate the states as a whole");
  const bool mass_is_one = options.mass > 0. && std::isfinite(options.mass);
  if (options.steps < 1 || !mass_is_one || !(options.max_chi2 >= 0.))
    throw UsageError(where, "an option is out of range",
                     std::to_string(options.steps) + " steps, mass " + shortest(options.mass) +
                         " GeV, max_chi2 " + shortest(options.max_chi2),
                     "take at least one step, a mass above 0, and max_chi2 of 0 or more");
  if constexpr (requires { hits.check(where, n); }) hits.check(where, n);
}

/// Scalar and memory of a view of states.
template <class States>
using ChargesOf = std::decay_t<decltype(std::declval<States&>().charge)>;
template <class States>
using MemoryOfStates = typename ChargesOf<States>::memory_space;
template <class States>
using ResultsOfStates =
    FitResults<typename ChargesOf<States>::non_const_value_type, MemoryOfStates<States>>;

template <class Real, FitForm Form, class States, class Field, class Hits>
struct FitTracks {
  using Results = ResultsOfStates<States>;

  States states;
  Field field;
  Hits hits;
  BasicFitOptions<ScalarOf<Real>> options;
  Results results;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    auto state = states.load(tile);
    if constexpr (Form == FitForm::gain)
      results.store(tile, kalman::fit(state, field, hits.of(tile), options));
    else
      results.store(tile, square_root_fit(state, field, hits.of(tile), options));
    states.store(tile, state);
  }
};

/// @tparam Fit a `SmoothedFitOf`, whose stride is the number of tracks with interleaved steps
template <class Fit, class States, class Field, class Hits>
struct SmoothTracks {
  using Real = typename Fit::Real;
  using T = ScalarOf<Real>;
  using Results = ResultsOfStates<States>;
  using Smoothed = decltype(std::declval<SmoothedTracks<T, MemoryOfStates<States>, Fit::dimension,
                                                        typename Fit::Model>&>()
                                .view());

  States states;
  Field field;
  Hits hits;
  BasicFitOptions<T> options;
  Results results;
  Smoothed smoothed;
  int layers, stride, tracks;
  T* steps;
  int max_layers, in_work;

  /// Smooths each track whose number is that of a first one plus a multiple of `in_work`: these
  /// tracks share the memory for steps.
  KOKKOS_FUNCTION void operator()(const Tile<Real>& first) const {
    const int block = first.first / Fit::stride, lane = first.first % Fit::stride;
    const int block_size = Fit::stride * Fit::numbers_per_layer;
    Fit fit(steps + std::ptrdiff_t(block) * max_layers * block_size + lane, max_layers);
    for (int track = first.first; track < tracks; track += in_work) {
      const int left = tracks - track;
      smooth({track, left < Tile<Real>::width ? left : Tile<Real>::width}, fit);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void smooth(const Tile<Real>& tile, Fit& fit) const {
    auto state = states.load(tile);
    results.store(tile, fit.fit(state, field, hits.of(tile), options));
    states.store(tile, state);
    fit.smooth([&](int layer, const auto& there, const auto& residual) {
      if (layer >= layers) return;  // not requested
      smoothed.store(tile_of_layer(tile, layer, stride), there, residual);
    });
  }
};

template <int Width, FitForm Form, class ExecutionSpace, class States, class Field, class Hits>
void fit_tracks(const char* where, const ExecutionSpace& exec, States& states, const Field& field,
                const Hits& hits, const FitOptions& options, FitResultsOf<States>& results) {
  using T = typename States::Scalar;
  using Real = LanesOf<T, Width>;
  check_fit(where, states, hits, options);
  results.allocate(exec, states.size());
  const auto view = states.view();
  using Kernel = FitTracks<Real, Form, std::decay_t<decltype(view)>, FieldFor<T, Field>, Hits>;
  for_each_tile<Real>(exec, "Trackplex::Kalman::fit_tracks", states.size(),
                      Kernel{view, field_for<T>(field), hits, options, results});
}

template <int Width, class ExecutionSpace, class States, class Field, class Hits, int M,
          FitForm Form>
void smooth_tracks(
    const ExecutionSpace& exec, States& states, const Field& field, const Hits& hits, int layers,
    const FitOptions& options, FitResultsOf<States>& results, auto& smoothed,
    SmootherSteps<typename States::Scalar, typename States::Memory, M, Form>& steps) {
  using T = typename States::Scalar;
  using Real = LanesOf<T, Width>;
  using Steps = std::decay_t<decltype(steps)>;
  const int tracks = states.size();
  check_fit("smooth_tracks", states, hits, options);
  if (layers < 0 || layers > steps.max_layers)
    throw UsageError("smooth_tracks", "states on " + std::to_string(layers) + " layers",
                     "at most " + std::to_string(steps.max_layers) + " can be smoothed");
  results.allocate(exec, tracks);
  smoothed.allocate(exec, layers, tracks);
  steps.template allocate<ExecutionSpace, Width>(exec, tracks);
  const int in_work = Steps::template in_work<ExecutionSpace, Width>(tracks);
  const auto view = states.view();
  constexpr int stride = Steps::template interleaved<ExecutionSpace, Width>;
  using Fit = SmoothedFitOf<Form, Real, M, stride, typename States::Model>;
  using Kernel = SmoothTracks<Fit, std::decay_t<decltype(view)>, FieldFor<T, Field>, Hits>;
  for_each_tile<Real>(
      exec, "Trackplex::Kalman::smooth_tracks", std::min(in_work, tracks),
      Kernel{view, field_for<T>(field), hits, options, results, smoothed.view(), layers,
             layer_stride(tracks), tracks, steps.numbers.data(), steps.max_layers, in_work});
}

}  // namespace detail

/// Fits each track with `fit`, from its state before the first layer to its state at the last one,
/// which replaces it in `states`. Enqueues one kernel on the instance, after allocating `results`
/// if it is too small.
///
/// @tparam Width number of lanes, such as `default_lane_width<ExecutionSpace, T,
/// KernelKind::track_states>`
/// @tparam Field functor `field(x, y, z)`, see field_along_z.hpp
/// @tparam Hits hits of all tracks, see fit_tracks.hpp
/// @throws UsageError if states and hits do not belong to the same number of tracks, or an option
/// is out of range
template <int Width, class ExecutionSpace, TrackStatesOf<ExecutionSpace> States, class Field,
          HitsOfTracks<typename States::Scalar> Hits>
void fit_tracks(const ExecutionSpace& exec, States& states, const Field& field, const Hits& hits,
                const FitOptions& options, FitResultsOf<States>& results) {
  detail::fit_tracks<Width, FitForm::gain>("fit_tracks", exec, states, field, hits, options,
                                           results);
}

/// Fits each track as `fit_tracks` does, with `square_root_fit`: for start states with very large
/// errors, and for single precision.
template <int Width, class ExecutionSpace, TrackStatesOf<ExecutionSpace> States, class Field,
          HitsOfTracks<typename States::Scalar> Hits>
void square_root_fit_tracks(const ExecutionSpace& exec, States& states, const Field& field,
                            const Hits& hits, const FitOptions& options,
                            FitResultsOf<States>& results) {
  detail::fit_tracks<Width, FitForm::square_root>("square_root_fit_tracks", exec, states, field,
                                                  hits, options, results);
}

/// Smoothed tracks for states and measurements of these types.
template <class States, class Hits>
using SmoothedTracksOf =
    SmoothedTracks<typename States::Scalar, typename States::Memory,
                   detail::dimension_of<Hits, typename States::Scalar>, typename States::Model>;
/// Memory for the steps of the smoother, for states and measurements of these types.
template <class States, class Hits, FitForm Form>
using SmootherStepsOf = SmootherSteps<typename States::Scalar, typename States::Memory,
                                      detail::dimension_of<Hits, typename States::Scalar>, Form>;

/// Fits each track as `fit_tracks` does, and smooths its states on the first `layers` layers.
/// Enqueues one kernel, after allocating the arrays that are too small.
///
/// Tracks have at most `steps.max_layers` layers; with more, no track counts as reached. Items of
/// `smoothed` whose track has no such layer are not written.
///
/// @tparam Width number of lanes, such as `default_lane_width<ExecutionSpace, T,
/// KernelKind::track_states>`
/// @tparam Field functor `field(x, y, z)`, see field_along_z.hpp
/// @tparam Hits hits of all tracks, see fit_tracks.hpp
/// @throws UsageError as `fit_tracks`, and if `layers` is negative or more than `steps.max_layers`
template <int Width, class ExecutionSpace, TrackStatesOf<ExecutionSpace> States, class Field,
          HitsOfTracks<typename States::Scalar> Hits>
void smooth_tracks(const ExecutionSpace& exec, States& states, const Field& field, const Hits& hits,
                   int layers, const FitOptions& options, FitResultsOf<States>& results,
                   SmoothedTracksOf<States, Hits>& smoothed,
                   SmootherStepsOf<States, Hits, FitForm::gain>& steps) {
  detail::smooth_tracks<Width>(exec, states, field, hits, layers, options, results, smoothed,
                               steps);
}
/// The same with square roots of covariances, which the type of `steps` asks for.
template <int Width, class ExecutionSpace, TrackStatesOf<ExecutionSpace> States, class Field,
          HitsOfTracks<typename States::Scalar> Hits>
void smooth_tracks(const ExecutionSpace& exec, States& states, const Field& field, const Hits& hits,
                   int layers, const FitOptions& options, FitResultsOf<States>& results,
                   SmoothedTracksOf<States, Hits>& smoothed,
                   SmootherStepsOf<States, Hits, FitForm::square_root>& steps) {
  detail::smooth_tracks<Width>(exec, states, field, hits, layers, options, results, smoothed,
                               steps);
}

}  // namespace trackplex::kalman

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/kalman/detail/fit_tracks.instances.hpp>
#endif
