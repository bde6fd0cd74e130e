// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits on modules, filled on the host one by one, and their copy to the memory of a space.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/kalman/module_measurements.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace trackplex::kalman {

/// Hits of many tracks on modules, which the host sets one by one:
/// @code
/// HostModuleMeasurements<float, MemoryOf<Space>> host(layers, tracks);
/// host.set(layer, track, {point, u, v, covariance, 2});
/// const auto hits = to_device(exec, host);  // ModuleMeasurements
/// @endcode
/// The track skips layers that are not set.
/// @tparam MemorySpace memory space of the hits that are mirrored
/// @tparam M max number of coordinates of a hit, see `ModuleMeasurements`
template <class T, class MemorySpace, int M = 2>
class HostModuleMeasurements {
 public:
  /// Makes hits of n_tracks tracks on up to n_layers layers, none of which is set yet; with
  /// material, modules cause scattering and energy loss.
  /// @throws UsageError, CapacityError as `items_on_layers` does
  HostModuleMeasurements(int n_layers, int n_tracks, bool with_material = false)
      : layers_(n_layers), tracks_(n_tracks) {
    const int n = items_on_layers("HostModuleMeasurements", n_layers, n_tracks);
    const HostExecutor host;
    point_.allocate(host, n);
    axes_.allocate(host, n);
    covariance_.allocate(host, n);
    material_.allocate(host, with_material ? n : 0);
    allocate_array(host, count_, "Trackplex::Kalman::host_module_count", std::size_t(n));
    fill_with_zeros(host, count_);
    host.fence();
  }

  /// Sets the hit of a track on one of its layers, counted in the order of the fit, and the
  /// thickness of the module along its normal: in radiation lengths, and xi = K/2 Z/A rho d
  /// (GeV) of its energy loss. A `dimension` of 0 is a module that the track crosses without being
  /// measured.
  /// @throws UsageError if there is no such layer or track, the point is not finite, the axes are
  /// not unit vectors, the dimension is not 0 to M, the covariance is invalid, a thickness is below
  /// zero or not finite, or it is given for hits made without material
  void set(int layer, int track, const ModuleHit<double, M>& hit, double radiation_lengths = 0.,
           double xi = 0.) {
    check(layer, track, hit);
    check_material(layer, track, radiation_lengths, xi);
    const int item = layer * layer_stride(tracks_) + track;
    for (int e = 0; e < 3; ++e) {
      point_.view()(item, e) = T(hit.point(e));
      axes_.view()(item, 0, e) = T(hit.u(e));
      axes_.view()(item, 1, e) = T(hit.v(e));
    }
    for (int i = 0; i < M; ++i)
      for (int j = 0; j <= i; ++j)
        covariance_.view()(item, i, j) = i < hit.dimension ? T(hit.covariance(i, j)) : T(i == j);
    count_(std::size_t(item)) = std::int8_t(hit.dimension);
    if (material_.size() == 0) return;
    material_.view()(item, 0) = T(radiation_lengths);
    material_.view()(item, 1) = T(xi);
  }

  Material material_properties = silicon;  ///< see `ModuleMeasurements`

  /// Lists the arrays for copies to a space; see core/copy.hpp.
  template <class F>
  friend void for_each_array(const HostModuleMeasurements& from,
                             ModuleMeasurements<T, MemorySpace, M>& to, const F& f) {
    to.layers = from.layers_;
    to.tracks = from.tracks_;
    to.material_properties = from.material_properties;
    const auto n = std::size_t(from.point_.size());
    f(from.point_, to.point, "Trackplex::Kalman::module_point", n);
    f(from.axes_, to.axes, "Trackplex::Kalman::module_axes", n);
    f(from.covariance_, to.covariance, "Trackplex::Kalman::module_covariance", n);
    f(from.material_, to.material, "Trackplex::Kalman::module_material",
      std::size_t(from.material_.size()));
    f(from.count_, to.count, "Trackplex::Kalman::module_count", n);
  }

 private:
  template <int Rows, int Columns>
  using Mirror = typename Matriplex<T, Rows, Columns, MemorySpace>::HostMirror;

  static void refuse(int layer, int track, const char* problem) {
    throw UsageError("hit of track " + std::to_string(track) + " on layer " + std::to_string(layer),
                     problem);
  }

  void check(int layer, int track, const ModuleHit<double, M>& hit) const {
    const auto is_unit = [](const auto& axis) {
      return std::abs(geometry::dot(axis, axis) - 1.) < 1e-5;
    };
    if (layer < 0 || layer >= layers_ || track < 0 || track >= tracks_)
      refuse(layer, track, "there is no such layer or track");
    if (!std::isfinite(hit.point(0) + hit.point(1) + hit.point(2)))
      refuse(layer, track, "its point is not finite");
    if (!(is_unit(hit.u) && is_unit(hit.v) && std::abs(geometry::dot(hit.u, hit.v)) < 1e-5))
      refuse(layer, track, "its axes are no unit vectors at right angles");
    if (hit.dimension < 0 || hit.dimension > M)
      refuse(layer, track, "it has more coordinates than these hits");
    if (!is_possible(hit))
      refuse(layer, track,
             "its covariance is none: a variance is negative, or a correlation beyond 1");
  }

  void check_material(int layer, int track, double radiation_lengths, double xi) const {
    if (!(radiation_lengths >= 0. && xi >= 0. && std::isfinite(radiation_lengths + xi)))
      refuse(layer, track, "the thickness of its module is below zero or not finite");
    if (radiation_lengths + xi > 0. && material_.size() == 0)
      refuse(layer, track, "these hits have no material");
  }

  /// Whether the measured part of the covariance is positive semidefinite.
  static bool is_possible(const ModuleHit<double, M>& hit) {
    Symmetric<double, M> v;
    for (int i = 0; i < M; ++i)
      for (int j = 0; j <= i; ++j)
        v(i, j) = i < hit.dimension ? hit.covariance(i, j) : double(i == j);
    constexpr double rounding = 1e-6;
    bool possible = is_covariance(v, rounding);
    for (int i = 0; i < M; ++i) possible = possible && std::isfinite(v(i, i));
    if constexpr (M == 3)
      possible = possible && !(determinant(v) < -rounding * v(0, 0) * v(1, 1) * v(2, 2));
    return possible;
  }

  int layers_, tracks_;
  Mirror<3, 1> point_{"Trackplex::Kalman::host_module_point"};
  Mirror<2, 3> axes_{"Trackplex::Kalman::host_module_axes"};
  typename SymMatriplex<T, M, MemorySpace>::HostMirror covariance_{
      "Trackplex::Kalman::host_module_covariance"};
  Mirror<2, 1> material_{"Trackplex::Kalman::host_module_material"};
  Kokkos::View<std::int8_t*, Kokkos::HostSpace> count_;
};

/// Returns the hits in the memory of an instance; on hosts the arrays are shared.
/// Waits for the instance.
template <class ExecutionSpace, class T, int M>
ModuleMeasurements<T, MemoryOf<ExecutionSpace>, M> to_device(
    const ExecutionSpace& exec,
    const HostModuleMeasurements<T, MemoryOf<ExecutionSpace>, M>& hits) {
  const auto device = enqueue_copy<ModuleMeasurements<T, MemoryOf<ExecutionSpace>, M>>(exec, hits);
  exec.fence();
  return device;
}

}  // namespace trackplex::kalman
