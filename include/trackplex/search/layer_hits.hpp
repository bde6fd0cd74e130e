// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Points with covariances, of many events, on the layers of a detector. Lengths in cm.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/core/spaces.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace trackplex::search {

/// Points with their covariances, of many events, on the layers of a detector. Layer l of event e
/// owns the hits [first(e, l), first(e, l + 1)); inside it they are counted from 0, in any order.
template <class T, class MemorySpace>
struct LayerHits {
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<T> x,  ///< x of each hit, cm
      y,       ///< y of each hit, cm
      z;       ///< z of each hit, cm
  /// Covariance of each hit, cm^2: the lower triangle xx, yx, yy, zx, zy, zz.
  Kokkos::View<T* [6], Kokkos::LayoutRight, MemorySpace> covariance;
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

/// Hits on layers on the host, filled event by event and, within an event, layer by layer.
template <class T>
class HostLayerHits {
 public:
  /// No events of a detector with this number of layers.
  /// @throws UsageError if there is no layer
  explicit HostLayerHits(int layers) : layers_(layers) {
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
    if (x.size() > std::size_t(std::numeric_limits<std::int32_t>::max()))
      throw UsageError("HostLayerHits", "there are too many hits for one batch of events", {},
                       "use smaller batches");
    offsets.push_back(std::int32_t(x.size()));
  }

  /// Returns the number of layers of the detector.
  int layers() const { return layers_; }
  /// Returns the number of complete events.
  int events() const { return int(offsets.size() - 1) / layers_; }
  /// Returns the number of hits of a layer of an event.
  int size(int event, int layer) const {
    const auto i = std::size_t(event * layers_ + layer);
    return offsets[i + 1] - offsets[i];
  }

  std::vector<T> x,                          ///< x of each hit, cm
      y,                                     ///< y of each hit, cm
      z;                                     ///< z of each hit, cm
  std::vector<std::array<T, 6>> covariance;  ///< of each hit: xx, yx, yy, zx, zy, zz, cm^2
  std::vector<std::int32_t> offsets{0};      ///< first hit of each layer of each event, and the end

 private:
  int layers_;
};

/// Lists the arrays for copies and allocations, and copies the numbers; see core/copy.hpp.
template <class T, class FromSpace, class ToSpace, class F>
void for_each_array(const LayerHits<T, FromSpace>& from, LayerHits<T, ToSpace>& to, const F& f) {
  to.events = from.events;
  to.layers = from.layers;
  to.hits = from.hits;
  to.max_layer_hits = from.max_layer_hits;
  const auto n = std::size_t(from.hits);
  f(from.x, to.x, "Trackplex::Search::hit_x", n);
  f(from.y, to.y, "Trackplex::Search::hit_y", n);
  f(from.z, to.z, "Trackplex::Search::hit_z", n);
  f(from.covariance, to.covariance, "Trackplex::Search::hit_covariance", n);
  f(from.offsets, to.offsets, "Trackplex::Search::hit_offsets",
    std::size_t(from.events) * std::size_t(from.layers) + 1);
}

/// Sets the numbers of hits to those of the lists of events, and allocates arrays that are too
/// small.
/// @throws UsageError if the last event of a list lacks layers, a list belongs to a detector
/// with another number of layers, or there are more than 2^31 - 1 hits
template <class Memory, class HostT, class T, class MemorySpace>
void allocate_hits(const Memory& memory, const std::vector<const HostLayerHits<HostT>*>& lists,
                   int layers, LayerHits<T, MemorySpace>& hits) {
  std::size_t events = 0, n = 0;
  for (const auto* list : lists) {
    if (list->layers() != layers)
      throw UsageError(
          "upload of hits", "events are of different detectors",
          std::to_string(layers) + " and " + std::to_string(list->layers()) + " layers");
    if ((list->offsets.size() - 1) % std::size_t(layers) != 0 ||
        std::size_t(list->offsets.back()) != list->x.size())
      throw UsageError("upload of hits", "the last event is not complete", {},
                       "call end_layer() after each layer");
    events += std::size_t(list->events());
    n += list->x.size();
  }
  if (n > std::size_t(std::numeric_limits<std::int32_t>::max()))
    throw UsageError("upload of hits", "there are too many hits for one batch of events",
                     std::to_string(n) + " hits", "use smaller batches");
  hits.events = int(events);
  hits.layers = layers;
  hits.hits = int(n);
  allocate_arrays(memory, hits);
}

/// Copies the hits of lists of events, one list after the other, into arrays that
/// `allocate_hits` has allocated.
template <class HostT, class T>
void stage_hits(const std::vector<const HostLayerHits<HostT>*>& lists,
                LayerHits<T, Kokkos::HostSpace>& hits) {
  std::size_t hit = 0, entry = 0;
  hits.max_layer_hits = 0;
  hits.offsets(entry++) = 0;
  for (const auto* list : lists) {
    for (std::size_t i = 1; i < list->offsets.size(); ++i, ++entry) {
      hits.offsets(entry) = std::int32_t(hit) + list->offsets[i];
      hits.max_layer_hits =
          std::max(hits.max_layer_hits, hits.offsets(entry) - hits.offsets(entry - 1));
    }
    for (std::size_t i = 0; i < list->x.size(); ++i, ++hit) {
      hits.x(hit) = T(list->x[i]);
      hits.y(hit) = T(list->y[i]);
      hits.z(hit) = T(list->z[i]);
      for (std::size_t e = 0; e < 6; ++e) hits.covariance(hit, e) = T(list->covariance[i][e]);
    }
  }
}

/// Copies hits to the memory of the instance, and waits until that is done.
/// @throws UsageError if the last event lacks layers
template <class ExecutionSpace, class T, class HostT>
void upload(const ExecutionSpace& exec, const HostLayerHits<HostT>& host,
            LayerHits<T, MemoryOf<ExecutionSpace>>& hits) {
  const std::vector<const HostLayerHits<HostT>*> lists{&host};
  allocate_hits(exec, lists, host.layers(), hits);
  LayerHits<T, Kokkos::HostSpace> staged;
  allocate_copies(HostExecutor(), staged, hits);
  stage_hits(lists, staged);
  copy_arrays(exec, hits, staged);
  exec.fence();
}

}  // namespace trackplex::search
