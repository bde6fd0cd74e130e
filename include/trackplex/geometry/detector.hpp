// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Detector for kernels: modules and layers in a memory space.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/geometry/check_numbers.hpp>
#include <trackplex/geometry/layer.hpp>

#include <cstdint>
#include <vector>

namespace trackplex::geometry {

/// Modules and layers of a detector in a memory space; lengths in cm. A module is a record of four
/// quartets and a layer one of three, so that few loads gather those of all lanes by number.
/// @tparam T scalar of the numbers, `float` or `double`
template <class T, class MemorySpace>
struct Detector {
  static constexpr int module_quartets = 4;  ///< quartets of a module
  static constexpr int layer_quartets = 3;   ///< quartets of a layer

  /// For each module: centre and thickness; u and radiation lengths; v and whether it is an
  /// annulus (1, else 0); LaneBounds::size and 0.
  Kokkos::View<Quartet<T>*, MemorySpace> modules;
  /// For each layer: normal and offset; curvature, low, high and radiation lengths; u of a plane
  /// and its LayerKind as a number.
  Kokkos::View<Quartet<T>*, MemorySpace> layers;
  Kokkos::View<std::int32_t*, MemorySpace> layer_of_module;  ///< number of each module's layer
  Kokkos::View<std::int32_t*, MemorySpace> first_module;     ///< of each layer, and the end
  int n_modules = 0,                                         ///< number of modules
      n_layers = 0;                                          ///< number of layers

  /// Returns the frame of the module number `module` in each lane; every lane's number must be
  /// valid, here and below.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION Frame<Real> frame(const Integer& module) const {
    const auto centre = module_quartet<Real>(module, 0), u = module_quartet<Real>(module, 1),
               v = module_quartet<Real>(module, 2);
    return {{{centre.x, centre.y, centre.z}}, {{u.x, u.y, u.z}}, {{v.x, v.y, v.z}}};
  }
  /// Returns the bounds of the module in each lane.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION LaneBounds<Real> bounds(const Integer& module) const {
    const auto size = module_quartet<Real>(module, 3);
    return {{size.x, size.y, size.z}, module_quartet<Real>(module, 2).w > Real(T(0.5))};
  }
  /// Returns Module::radiation_lengths of the module in each lane.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION Real radiation_lengths(const Integer& module) const {
    return module_quartet<Real>(module, 1).w;
  }
  /// Returns Module::thickness (cm) of the module in each lane.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION Real thickness(const Integer& module) const {
    return module_quartet<Real>(module, 0).w;
  }
  /// Prefetches the modules with the numbers `module`, see `trackplex::prefetch`.
  template <class Integer>
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Integer& module) const {
    const Integer first = module * Integer(module_quartets);
    trackplex::prefetch(modules.data(), first);
    if constexpr (sizeof(T) > sizeof(float)) trackplex::prefetch(modules.data() + 2, first);
    trackplex::prefetch(layer_of_module.data(), module);
  }
  /// Returns the layer number `layer` in each lane.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION LaneLayer<Real> layer(const Integer& layer) const {
    const Integer at = layer * Integer(layer_quartets);
    const auto plane = gather_quartets<Real>(layers.data(), at),
               rest = gather_quartets<Real>(layers.data() + 1, at),
               axis = gather_quartets<Real>(layers.data() + 2, at);
    return {{rest.x, {{plane.x, plane.y, plane.z}}, plane.w},
            rest.y,
            rest.z,
            rest.w,
            {{axis.x, axis.y, axis.z}},
            rest.x > Real(0),  // known without `axis`, which many kernels do not need
            axis.w == Real(T(int(LayerKind::plane)))};
  }

 private:
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION Quartet<Real> module_quartet(const Integer& module,
                                                           int quartet) const {
    return gather_quartets<Real>(modules.data() + quartet, module * Integer(module_quartets));
  }
};

/// Lists the arrays for copies and allocations, and copies the numbers; see core/copy.hpp.
template <class T, class FromSpace, class ToSpace, class F>
void for_each_array(const Detector<T, FromSpace>& from, Detector<T, ToSpace>& to, const F& f) {
  using Arrays = Detector<T, ToSpace>;
  to.n_modules = from.n_modules;
  to.n_layers = from.n_layers;
  const auto modules = std::size_t(from.n_modules), layers = std::size_t(from.n_layers);
  f(from.modules, to.modules, "Trackplex::Geometry::modules", Arrays::module_quartets * modules);
  f(from.layers, to.layers, "Trackplex::Geometry::layers", Arrays::layer_quartets * layers);
  f(from.layer_of_module, to.layer_of_module, "Trackplex::Geometry::layer_of_module", modules);
  f(from.first_module, to.first_module, "Trackplex::Geometry::first_module", layers + 1);
}

namespace detail {

template <class T>
void store_module(const Module& module, Quartet<T>* to) {
  const auto store = [&](int i, const Vector3<double>& a, double w) {
    to[i] = {T(a(0)), T(a(1)), T(a(2)), T(w)};
  };
  store(0, module.frame.centre, module.thickness);
  store(1, module.frame.u, module.radiation_lengths);
  store(2, module.frame.v, module.bounds.kind == BoundsKind::annulus ? 1. : 0.);
  const auto [a, b, c] = module.bounds.lane_size();
  store(3, {a, b, c}, 0.);
}

template <class T>
void store_layer(const DetectorDescription& detector, int number, Quartet<T>* to) {
  const auto& layer = detector.layers[std::size_t(number)];
  const auto [surface, low, high, radiation_lengths, u, is_barrel, is_plane] =
      lane_layer(detector, number);
  to[0] = {T(surface.normal(0)), T(surface.normal(1)), T(surface.normal(2)), T(surface.offset)};
  to[1] = {T(surface.curvature), T(low), T(high), T(radiation_lengths)};
  to[2] = {T(u(0)), T(u(1)), T(u(2)), T(int(layer.kind))};
}

}  // namespace detail

/// Copies a description to the memory of the instance, rounded to T, and waits until that is done.
/// @throws UsageError if the numbers of modules and layers do not match, see `check`
template <class T, class ExecutionSpace>
Detector<T, MemoryOf<ExecutionSpace>> to_device(const ExecutionSpace& exec,
                                                const DetectorDescription& description) {
  check_numbers(description);
  Detector<T, Kokkos::HostSpace> host;
  host.n_modules = int(description.modules.size());
  host.n_layers = int(description.layers.size());
  allocate_arrays(HostExecutor(), host);
  for (std::size_t i = 0; i < description.modules.size(); ++i) {
    detail::store_module(description.modules[i], &host.modules(host.module_quartets * i));
    host.layer_of_module(i) = description.modules[i].layer;
  }
  host.first_module(0) = 0;
  for (std::size_t l = 0; l < description.layers.size(); ++l) {
    detail::store_layer(description, int(l), &host.layers(host.layer_quartets * l));
    host.first_module(l + 1) = description.layers[l].first_module + description.layers[l].n_modules;
  }
  const auto device = enqueue_copy<Detector<T, MemoryOf<ExecutionSpace>>>(exec, host);
  exec.fence();
  return device;
}

}  // namespace trackplex::geometry
