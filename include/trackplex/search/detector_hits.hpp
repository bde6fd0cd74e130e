// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits of many events on the modules of a detector, in the frames of the modules. Lengths in cm.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/geometry/check_numbers.hpp>
#include <trackplex/geometry/description.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace trackplex::search {

/// Hits of many events on the modules of a detector. Layer l of event e owns the hits
/// [first(e, l), first(e, l + 1)), in any order.
template <class T, class MemorySpace>
struct DetectorHits {
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<T> u,                   ///< first coordinate in the frame of the module, cm
      v,                        ///< second coordinate, cm
      variance_u,               ///< variance of u, cm^2
      variance_v;               ///< variance of v, cm^2; 0: not measured (a strip)
  Array<std::int32_t> module;   ///< number of the module in the detector
  Array<std::int32_t> offsets;  ///< first hit of each layer of each event, and the end
  int events = 0,               ///< number of events
      layers = 0;               ///< number of layers
  int hits = 0;                 ///< number of hits of all events
  int max_layer_hits = 0;       ///< number of hits of the fullest layer of any event

  /// Returns the index of the first hit of a layer of an event.
  KOKKOS_FUNCTION std::int32_t first(int event, int layer) const {
    return offsets(event * layers + layer);
  }
};

/// Hits on modules on the host, filled event by event and within an event in any order; each
/// event is sorted by layer, and the hits of a layer keep the order in which they were added.
class HostDetectorHits {
 public:
  /// No events of a detector.
  /// @throws UsageError if the detector has no modules, or its numbers of modules and layers do
  /// not match, see `geometry::check`
  explicit HostDetectorHits(const geometry::DetectorDescription& detector)
      : layers_(int(detector.layers.size())) {
    if (detector.modules.empty())
      throw UsageError("HostDetectorHits", "the detector has no modules", {},
                       "describe the planes that measure");
    geometry::check_numbers(detector);
    for (const auto& plane : detector.modules) layer_of_module_.push_back(plane.layer);
  }

  /// Adds a hit to the current event: coordinates in the frame of a module (cm) and their variances
  /// (cm^2). With `hit_variance_v` = 0 the hit is a strip, which measures only u; its v is that of
  /// any point on the strip.
  /// @throws UsageError if there is no such module, a number is not finite, the variance of u is
  /// not positive or that of v is negative
  void add(int hit_module, double hit_u, double hit_v, double hit_variance_u,
           double hit_variance_v) {
    if (hit_module < 0 || hit_module >= int(layer_of_module_.size()))
      throw UsageError("HostDetectorHits", "there is no such module", std::to_string(hit_module),
                       "from 0 to " + std::to_string(layer_of_module_.size() - 1));
    if (!std::isfinite(hit_u + hit_v + hit_variance_u + hit_variance_v) || !(hit_variance_u > 0.) ||
        hit_variance_v < 0.)
      throw UsageError("HostDetectorHits", "a hit has no finite coordinates or variances",
                       "module " + std::to_string(hit_module));
    u.push_back(hit_u);
    v.push_back(hit_v);
    variance_u.push_back(hit_variance_u);
    variance_v.push_back(hit_variance_v);
    this->module.push_back(hit_module);
  }

  /// Ends an event: sorts its hits by layer. Hits added later belong to the next one.
  /// @throws UsageError if there are more than 2^31 - 1 hits
  void end_event() {
    if (u.size() > std::size_t(std::numeric_limits<std::int32_t>::max()))
      throw UsageError("HostDetectorHits", "there are too many hits for one batch of events", {},
                       "use smaller batches");
    const auto begin = std::size_t(offsets.back()), n = u.size() - begin;
    std::vector<std::int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    const auto layer_of = [&](std::int32_t hit) {
      return layer_of_module_[std::size_t(module[begin + std::size_t(hit)])];
    };
    stable_sort(order, [&](auto a, auto b) { return layer_of(a) < layer_of(b); });
    auto next = order.begin();
    for (int layer = 0; layer < layers_; ++layer) {
      while (next != order.end() && layer_of(*next) == layer) ++next;
      offsets.push_back(std::int32_t(begin) + std::int32_t(next - order.begin()));
    }
    sort(u, begin, order);
    sort(v, begin, order);
    sort(variance_u, begin, order);
    sort(variance_v, begin, order);
    sort(module, begin, order);
    added.insert(added.end(), order.begin(), order.end());
  }

  /// Returns the number of layers of the detector.
  int layers() const { return layers_; }
  /// Returns the number of complete events.
  int events() const { return int(offsets.size() - 1) / layers_; }
  /// Returns the index of the first hit of an event; for the event after the last one, the end.
  std::int32_t first(int event) const { return offsets[std::size_t(event) * std::size_t(layers_)]; }
  /// Returns the number of the layer of a module.
  int layer_of_module(int number) const { return layer_of_module_[std::size_t(number)]; }

  std::vector<double> u,             ///< first coordinate of each hit, cm
      v,                             ///< second coordinate, cm
      variance_u,                    ///< variance of u, cm^2
      variance_v;                    ///< variance of v, cm^2; 0: not measured
  std::vector<std::int32_t> module;  ///< module of each hit
  /// Position of each hit in the order in which the hits of its event were added, from 0 on.
  std::vector<std::int32_t> added;
  std::vector<std::int32_t> offsets{0};  ///< first hit of each layer of each event, and the end

 private:
  template <class Value>
  static void sort(std::vector<Value>& values, std::size_t begin,
                   const std::vector<std::int32_t>& order) {
    const std::vector<Value> before(values.begin() + std::ptrdiff_t(begin), values.end());
    for (std::size_t i = 0; i < order.size(); ++i)
      values[begin + i] = before[std::size_t(order[i])];
  }

  int layers_;
  std::vector<int> layer_of_module_;
};

/// Lists the arrays for copies and allocations, and copies the numbers; see core/copy.hpp.
template <class T, class FromSpace, class ToSpace, class F>
void for_each_array(const DetectorHits<T, FromSpace>& from, DetectorHits<T, ToSpace>& to,
                    const F& f) {
  to.events = from.events;
  to.layers = from.layers;
  to.hits = from.hits;
  to.max_layer_hits = from.max_layer_hits;
  const auto n = std::size_t(from.hits);
  f(from.u, to.u, "Trackplex::Search::hit_u", n);
  f(from.v, to.v, "Trackplex::Search::hit_v", n);
  f(from.variance_u, to.variance_u, "Trackplex::Search::hit_variance_u", n);
  f(from.variance_v, to.variance_v, "Trackplex::Search::hit_variance_v", n);
  f(from.module, to.module, "Trackplex::Search::hit_module", n);
  f(from.offsets, to.offsets, "Trackplex::Search::hit_offsets",
    std::size_t(from.events) * std::size_t(from.layers) + 1);
}

/// Copies hits to the memory of the instance, rounded to T, and waits until that is done.
/// @throws UsageError if the last event has not been ended
template <class T, class ExecutionSpace>
DetectorHits<T, MemoryOf<ExecutionSpace>> to_device(const ExecutionSpace& exec,
                                                    const HostDetectorHits& host) {
  if (std::size_t(host.offsets.back()) != host.u.size())
    throw UsageError("to_device", "the last event is not complete", {}, "call end_event()");
  DetectorHits<T, Kokkos::HostSpace> staged;
  staged.events = host.events();
  staged.layers = host.layers();
  staged.hits = int(host.u.size());
  allocate_arrays(HostExecutor(), staged);
  for (std::size_t i = 0; i < host.u.size(); ++i) {
    staged.u(i) = T(host.u[i]);
    staged.v(i) = T(host.v[i]);
    staged.variance_u(i) = T(host.variance_u[i]);
    staged.variance_v(i) = T(host.variance_v[i]);
    staged.module(i) = host.module[i];
  }
  for (std::size_t i = 0; i < host.offsets.size(); ++i) {
    staged.offsets(i) = host.offsets[i];
    if (i > 0)
      staged.max_layer_hits =
          std::max(staged.max_layer_hits, host.offsets[i] - host.offsets[i - 1]);
  }
  auto hits = enqueue_copy<DetectorHits<T, MemoryOf<ExecutionSpace>>>(exec, staged);
  exec.fence();
  return hits;
}

}  // namespace trackplex::search
