// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits of many events on the modules of a detector, in the frames of the modules. Lengths in cm.

#include <trackplex/core/stable_sort.hpp>
#include <trackplex/geometry/check_numbers.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/hits/hits_on_layers.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace trackplex::hits {

/// Hits of many events on the modules of a detector.
template <class T, class MemorySpace>
struct DetectorHits : HitsOnLayers<MemorySpace> {
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<T> u,                  ///< first coordinate in the frame of the module, cm
      v,                       ///< second coordinate, cm
      variance_u,              ///< variance of u, cm^2
      variance_v;              ///< variance of v, cm^2; 0: not measured (a strip)
  Array<std::int32_t> module;  ///< number of the module in the detector

  /// Calls f(of from, of to, label) for each array of the hits, on the device or the host.
  template <class From, class To, class F>
  static void for_each_column(const From& from, To& to, const F& f) {
    f(from.u, to.u, "Trackplex::Hits::u");
    f(from.v, to.v, "Trackplex::Hits::v");
    f(from.variance_u, to.variance_u, "Trackplex::Hits::variance_u");
    f(from.variance_v, to.variance_v, "Trackplex::Hits::variance_v");
    f(from.module, to.module, "Trackplex::Hits::module");
  }
};

/// Hits on modules on the host, filled event by event and within an event in any order; each
/// event is sorted by layer, and the hits of a layer keep the order in which they were added.
class HostDetectorHits : public HostHitsOnLayers {
 public:
  /// Hits in a memory space.
  template <class T, class MemorySpace>
  using Hits = DetectorHits<T, MemorySpace>;
  static constexpr const char* how_to_end = "end_event()";  ///< in messages

  /// No events of a detector.
  /// @throws UsageError if the detector has no modules, or its numbers of modules and layers do
  /// not match, see `geometry::check`
  explicit HostDetectorHits(const geometry::DetectorDescription& detector)
      : HostHitsOnLayers(int(detector.layers.size())) {
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
    check_size("HostDetectorHits", u.size());
    const auto begin = std::size_t(offsets.back()), n = u.size() - begin;
    std::vector<std::int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    const auto layer_of = [&](std::int32_t hit) {
      return layer_of_module_[std::size_t(module[begin + std::size_t(hit)])];
    };
    stable_sort(order, [&](auto a, auto b) { return layer_of(a) < layer_of(b); });
    auto next = order.begin();
    for (int layer = 0; layer < layers(); ++layer) {
      while (next != order.end() && layer_of(*next) == layer) ++next;
      offsets.push_back(std::int32_t(begin) + std::int32_t(next - order.begin()));
    }
    Hits<double, Kokkos::HostSpace>::for_each_column(
        *this, *this, [&](const auto&, auto& column, const char*) { sort(column, begin, order); });
    added.insert(added.end(), order.begin(), order.end());
  }

  /// Returns a list of the same detector without events.
  HostDetectorHits without_events() const { return {layers(), layer_of_module_}; }
  /// Returns the number of hits.
  std::size_t n_hits() const { return u.size(); }
  /// Returns the number of the layer of a module.
  int layer_of_module(int number) const { return layer_of_module_[std::size_t(number)]; }

  std::vector<double> u,             ///< first coordinate of each hit, cm
      v,                             ///< second coordinate, cm
      variance_u,                    ///< variance of u, cm^2
      variance_v;                    ///< variance of v, cm^2; 0: not measured
  std::vector<std::int32_t> module;  ///< module of each hit
  /// Position of each hit in the order in which the hits of its event were added, from 0 on.
  std::vector<std::int32_t> added;

 private:
  HostDetectorHits(int layers, const std::vector<int>& layer_of_module)
      : HostHitsOnLayers(layers), layer_of_module_(layer_of_module) {}

  template <class Value>
  static void sort(std::vector<Value>& values, std::size_t begin,
                   const std::vector<std::int32_t>& order) {
    const std::vector<Value> before(values.begin() + std::ptrdiff_t(begin), values.end());
    for (std::size_t i = 0; i < order.size(); ++i)
      values[begin + i] = before[std::size_t(order[i])];
  }

  std::vector<int> layer_of_module_;
};

}  // namespace trackplex::hits
