// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Points with covariances, of many events, on the layers of a detector. Lengths in cm.

#include <trackplex/hits/hits_on_layers.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::hits {

/// Points with their covariances, of many events, on the layers of a detector. The hits of a layer
/// are counted from 0.
template <class T, class MemorySpace>
struct LayerHits : HitsOnLayers<MemorySpace> {
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<T> x,  ///< x of each hit, cm
      y,       ///< y of each hit, cm
      z;       ///< z of each hit, cm
  /// Covariance of each hit, cm^2: the lower triangle xx, yx, yy, zx, zy, zz.
  Kokkos::View<T* [6], Kokkos::LayoutRight, MemorySpace> covariance;

  /// Calls f(of from, of to, label) for each array of the hits, on the device or the host.
  template <class From, class To, class F>
  static void for_each_column(const From& from, To& to, const F& f) {
    f(from.x, to.x, "Trackplex::Hits::x");
    f(from.y, to.y, "Trackplex::Hits::y");
    f(from.z, to.z, "Trackplex::Hits::z");
    f(from.covariance, to.covariance, "Trackplex::Hits::covariance");
  }
};

/// Hits on layers on the host, filled event by event and, within an event, layer by layer.
template <class T>
class HostLayerHits : public HostHitsOnLayers {
 public:
  /// Hits in a memory space.
  template <class Scalar, class MemorySpace>
  using Hits = LayerHits<Scalar, MemorySpace>;
  static constexpr const char* how_to_end = "end_layer() after each layer";  ///< in messages

  /// No events of a detector with this number of layers.
  /// @throws UsageError if there is no layer
  explicit HostLayerHits(int layers) : HostHitsOnLayers(layers) {
    if (layers < 1)
      throw UsageError("HostLayerHits", "a detector has at least one layer",
                       std::to_string(layers) + " layers");
  }

  /// Adds a hit (cm) to the current layer; its covariance is xx, yx, yy, zx, zy, zz (cm^2).
  void add(T hit_x, T hit_y, T hit_z, const std::array<T, 6>& hit_covariance) {
    x.push_back(hit_x);
    y.push_back(hit_y);
    z.push_back(hit_z);
    covariance.push_back(hit_covariance);
  }

  /// Ends a layer: hits added later belong to the next layer, or to the first layer of the next
  /// event.
  /// @throws UsageError if there are more than 2^31 - 1 hits
  void end_layer() {
    check_size("HostLayerHits", n_hits());
    offsets.push_back(std::int32_t(n_hits()));
  }
  /// Returns a list of the same detector without events.
  HostLayerHits without_events() const { return HostLayerHits(layers()); }
  /// Returns the number of hits.
  std::size_t n_hits() const { return x.size(); }

  std::vector<T> x,                          ///< x of each hit, cm
      y,                                     ///< y of each hit, cm
      z;                                     ///< z of each hit, cm
  std::vector<std::array<T, 6>> covariance;  ///< of each hit: xx, yx, yy, zx, zy, zz, cm^2
};

}  // namespace trackplex::hits
