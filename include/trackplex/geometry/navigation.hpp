// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Navigation of tracks from layer to layer, in a memory space: each lane may be on another layer.

#include <trackplex/core/shortest.hpp>
#include <trackplex/geometry/coverage.hpp>
#include <trackplex/geometry/detector.hpp>
#include <trackplex/geometry/layer_graph.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::geometry {

/// Settings of `Navigation`.
struct NavigationParams {
  double tolerance = 0.5;     ///< max distance of a crossing beyond an edge of a layer, cm
  CoverageParams coverage{};  ///< of holes
};

/// Layer that a track meets next, in each lane.
template <class Real>
struct NextLayer {
  IntegerOf<Real> layer;  ///< its number; -1: none
  Real path;              ///< path length to its surface, cm; 0 without a layer
};

/// Detector with the successors of its layers and their coverage; passed to kernels by value.
/// @tparam T scalar of the numbers, `float` or `double`
template <class T, class MemorySpace>
struct Navigation {
  /// Crossings at smaller path lengths are on the layer where the track is, cm.
  static constexpr T min_path = T(1e-4);

  Detector<T, MemorySpace> detector;  ///< modules and layers
  /// For each layer, `max_successors` numbers of layers in ascending order; -1 if there are fewer.
  Kokkos::View<std::int32_t*, MemorySpace> successors;
  Coverage<T, MemorySpace> coverage;  ///< where a missing hit counts as a hole
  int max_successors = 0;             ///< largest number of successors of a layer
  T tolerance = T(0);                 ///< see NavigationParams::tolerance, cm

  /// Returns the successor of `layer` whose surface the parabola
  /// r(s) = position + s direction + s^2/2 bend meets first at positive s, within the edges of the
  /// successor; of two at the same path length the one with the lower number.
  /// @param layer number of the present layer; lanes with -1 have no next layer
  /// @param position cm
  /// @param direction unit vector
  /// @param bend its derivative with respect to the path length, 1/cm
  /// @param mask lanes in use; the others have no next layer
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION NextLayer<Real> next(const Integer& layer,
                                                   const Vector3<Real>& position,
                                                   const Vector3<Real>& direction,
                                                   const Vector3<Real>& bend,
                                                   const MaskOf<Real>& mask) const {
    const auto on_layer = mask && layer >= Integer(0);
    const Integer first = select(on_layer, layer, Integer(0)) * Integer(max_successors);
    NextLayer<Real> found{Integer(-1), Real(0)};
    for (int i = 0; i < max_successors; ++i) {
      const Integer number = gather<Integer>(successors.data(), first + Integer(i), on_layer);
      const auto exists = on_layer && number >= Integer(0);
      if (none_of(exists)) break;
      const auto successor = detector.template layer<Real>(select(exists, number, Integer(0)));
      const auto [length, reached] = successor.surface.path(position, direction, bend);
      const Real half = Real(T(0.5)) * length;
      const auto point = add_scaled(position, length, add_scaled(direction, half, bend));
      const auto is_first = found.layer < Integer(0) || length < found.path;
      const auto meets = exists && reached && length > Real(min_path) && is_first &&
                         successor.contains(point, Real(tolerance));
      found.layer = select(meets, number, found.layer);
      found.path = select(meets, length, found.path);
    }
    return found;
  }

  /// Returns the lanes whose place, given in the natural coordinates of the layer, is
  /// certainly covered by active modules: a track without a hit there has a hole. None where
  /// `layer` is -1.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_hole(const Integer& layer, const Real& first,
                                                   const Real& second) const {
    return coverage.at(layer, first, second, layer >= Integer(0)) == Integer(int(Cover::surely));
  }
};

/// Lists the arrays for copies and allocations, and copies the numbers; see core/copy.hpp.
template <class T, class FromSpace, class ToSpace, class F>
void for_each_array(const Navigation<T, FromSpace>& from, Navigation<T, ToSpace>& to, const F& f) {
  for_each_array(from.detector, to.detector, f);
  for_each_array(from.coverage, to.coverage, f);
  to.max_successors = from.max_successors;
  to.tolerance = from.tolerance;
  const auto layers = std::size_t(from.detector.n_layers);
  f(from.successors, to.successors, "Trackplex::Geometry::successors",
    layers * std::size_t(from.max_successors));
}

/// Returns a detector with other successors of its layers, which shares everything else; waits
/// until the successors are copied.
/// @throws UsageError if the graph has another number of layers
template <class T, class ExecutionSpace>
Navigation<T, MemoryOf<ExecutionSpace>> with_graph(
    const ExecutionSpace& exec, Navigation<T, MemoryOf<ExecutionSpace>> navigation,
    const LayerGraph& graph) {
  if (int(graph.successors.size()) != navigation.detector.n_layers)
    throw UsageError("layer graph", "it is of another detector",
                     std::to_string(graph.successors.size()) + " layers, the detector has " +
                         std::to_string(navigation.detector.n_layers));
  navigation.max_successors = graph.max_successors();
  std::vector<std::int32_t> successors;
  for (auto list : graph.successors) {
    std::sort(list.begin(), list.end());
    list.resize(std::size_t(navigation.max_successors), -1);
    successors.insert(successors.end(), list.begin(), list.end());
  }
  navigation.successors =
      trackplex::to_device<std::int32_t>(exec, "Trackplex::Geometry::successors", successors);
  return navigation;
}

/// Copies a detector and the successors of its layers to the memory of the instance, rounded to T,
/// and waits until that is done.
/// @throws UsageError if the numbers of modules and layers, or the graph, do not match the
///         detector, or a parameter is not possible
template <class T, class ExecutionSpace>
Navigation<T, MemoryOf<ExecutionSpace>> to_device(const ExecutionSpace& exec,
                                                  const DetectorDescription& description,
                                                  const LayerGraph& graph,
                                                  const NavigationParams& params = {}) {
  check(graph, description);
  if (!(params.tolerance >= 0.) || !std::isfinite(params.tolerance))
    throw UsageError("navigation", "the tolerance is no length", shortest(params.tolerance),
                     "give cm, 0 or more");
  Navigation<T, MemoryOf<ExecutionSpace>> device;
  device.detector = to_device<T>(exec, description);
  device.coverage = to_device<T>(exec, find_coverage(description, params.coverage));
  device.tolerance = T(params.tolerance);
  return with_graph(exec, device, graph);
}

}  // namespace trackplex::geometry
