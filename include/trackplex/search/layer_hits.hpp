// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/core/reserve.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace trackplex::search {

/// Points with their covariances, of many events, on the layers of a detector. Layer l of event e
/// owns the hits [first(e, l), first(e, l + 1)); inside it they are counted from 0, in any order.
template <class T, class Space>
struct LayerHits {
  using MemorySpace = typename Space::memory_space;
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

  Array<T> x, y, z;  ///< cm
  /// Of each hit, cm^2: the lower triangle xx, yx, yy, zx, zy, zz.
  Kokkos::View<T* [6], Kokkos::LayoutRight, MemorySpace> covariance;
  Array<std::int32_t> offsets;  ///< events * layers + 1
  int events = 0, layers = 0;
  int hits = 0;            ///< of all events
  int max_layer_hits = 0;  ///< of the fullest layer of any event

  KOKKOS_FUNCTION std::int32_t first(int event, int layer) const {
    return offsets(event * layers + layer);
  }
};

/// The same on the host, filled hit by hit.
template <class T>
class HostLayerHits {
 public:
  explicit HostLayerHits(int layers) : layers_(layers) {
    if (layers < 1)
      throw UsageError("HostLayerHits", "a detector has at least one layer",
                       std::to_string(layers) + " layers");
  }

  /// `covariance`: xx, yx, yy, zx, zy, zz.
  void add(T hit_x, T hit_y, T hit_z, const std::array<T, 6>& hit_covariance) {
    x.push_back(hit_x);
    y.push_back(hit_y);
    z.push_back(hit_z);
    covariance.push_back(hit_covariance);
  }

  /// What follows belongs to the next layer, or to the first one of the next event.
  void end_layer() {
    if (x.size() > std::size_t(std::numeric_limits<std::int32_t>::max()))
      throw UsageError("HostLayerHits", "there are too many hits for one batch of events", {},
                       "use smaller batches");
    offsets.push_back(std::int32_t(x.size()));
  }

  int layers() const { return layers_; }
  /// Whole events.
  int events() const { return int(offsets.size() - 1) / layers_; }
  int size(int event, int layer) const {
    const auto i = std::size_t(event * layers_ + layer);
    return offsets[i + 1] - offsets[i];
  }

  std::vector<T> x, y, z;
  std::vector<std::array<T, 6>> covariance;
  std::vector<std::int32_t> offsets{0};

 private:
  int layers_;
};

/// Copies hits to the memory of the instance; waits until that is done.
/// @throws UsageError if the last event lacks layers
template <class Space, class T, class HostT>
void upload(const Space& exec, const HostLayerHits<HostT>& host, LayerHits<T, Space>& hits) {
  const std::size_t n = host.x.size();
  const auto layers = std::size_t(host.layers());
  if ((host.offsets.size() - 1) % layers != 0 || std::size_t(host.offsets.back()) != n)
    throw UsageError("upload of hits", "the last event is not complete", {},
                     "call end_layer() after each layer");
  reserve(exec, hits.x, "Trackplex::Search::hit_x", n);
  reserve(exec, hits.y, "Trackplex::Search::hit_y", n);
  reserve(exec, hits.z, "Trackplex::Search::hit_z", n);
  reserve(exec, hits.covariance, "Trackplex::Search::hit_covariance", n);
  reserve(exec, hits.offsets, "Trackplex::Search::hit_offsets", host.offsets.size());
  hits.events = host.events();
  hits.layers = host.layers();
  hits.hits = int(n);
  hits.max_layer_hits = 0;
  for (std::size_t i = 0; i + 1 < host.offsets.size(); ++i)
    hits.max_layer_hits = std::max(hits.max_layer_hits, host.offsets[i + 1] - host.offsets[i]);

  const auto copy = [&](const auto& view, std::size_t size, const auto& value) {
    const auto mirror = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < size; ++i) value(mirror, i);
    Kokkos::deep_copy(exec, view, mirror);
    exec.fence();
  };
  copy(hits.x, n, [&](const auto& to, std::size_t i) { to(i) = T(host.x[i]); });
  copy(hits.y, n, [&](const auto& to, std::size_t i) { to(i) = T(host.y[i]); });
  copy(hits.z, n, [&](const auto& to, std::size_t i) { to(i) = T(host.z[i]); });
  copy(hits.covariance, n, [&](const auto& to, std::size_t i) {
    for (std::size_t e = 0; e < 6; ++e) to(i, e) = T(host.covariance[i][e]);
  });
  copy(hits.offsets, host.offsets.size(),
       [&](const auto& to, std::size_t i) { to(i) = host.offsets[i]; });
}

}  // namespace trackplex::search
