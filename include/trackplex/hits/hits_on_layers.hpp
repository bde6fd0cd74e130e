// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Common part of hits on layers, points (layer_hits.hpp) or on modules (detector_hits.hpp): their
/// order, and their copies from the host.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/spaces.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace trackplex::hits {

/// Order of the hits of many events on the layers of a detector. Layer l of event e owns the hits
/// [first(e, l), first(e, l + 1)), in any order.
template <class MemorySpace>
struct HitsOnLayers {
  /// One-dimensional array in the memory space.
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;

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

/// Lists the arrays for copies and allocations, and copies the numbers; see core/copy.hpp.
template <template <class, class> class Hits, class T, class FromSpace, class ToSpace, class F>
requires std::derived_from<Hits<T, FromSpace>, HitsOnLayers<FromSpace>>
void for_each_array(const Hits<T, FromSpace>& from, Hits<T, ToSpace>& to, const F& f) {
  to.events = from.events;
  to.layers = from.layers;
  to.hits = from.hits;
  to.max_layer_hits = from.max_layer_hits;
  Hits<T, ToSpace>::for_each_column(from, to,
                                    [&](const auto& of_from, auto& of_to, const char* label) {
                                      f(of_from, of_to, label, std::size_t(from.hits));
                                    });
  f(from.offsets, to.offsets, "Trackplex::Hits::offsets",
    std::size_t(from.events) * std::size_t(from.layers) + 1);
}

/// Order of hits on the host, filled event by event.
class HostHitsOnLayers {
 public:
  std::vector<std::int32_t> offsets{0};  ///< first hit of each layer of each event, and the end

  /// Returns the number of layers of the detector.
  int layers() const { return layers_; }
  /// Returns the number of complete events.
  int events() const { return int(offsets.size() - 1) / layers_; }
  /// Returns the index of the first hit of an event; for the event after the last one, the end.
  std::int32_t first(int event) const { return offsets[std::size_t(event) * std::size_t(layers_)]; }
  /// Returns the number of hits of a layer of an event.
  int size(int event, int layer) const {
    const auto i = std::size_t(event * layers_ + layer);
    return offsets[i + 1] - offsets[i];
  }

  /// Checks the number of hits before a layer or an event ends.
  /// @throws UsageError if there are more than 2^31 - 1 hits
  static void check_size(const char* where, std::size_t hits) {
    if (hits > std::size_t(std::numeric_limits<std::int32_t>::max()))
      throw UsageError(where, "there are too many hits for one batch of events",
                       std::to_string(hits) + " hits", "use smaller batches");
  }

 protected:
  /// No events of a detector with this number of layers.
  explicit HostHitsOnLayers(int layers) : layers_(layers) {}

 private:
  int layers_;
};

/// Checks that the last event of a list is complete.
/// @throws UsageError otherwise
template <class Host>
void check_complete(const char* where, const Host& list) {
  if ((list.offsets.size() - 1) % std::size_t(list.layers()) != 0 ||
      std::size_t(list.offsets.back()) != list.n_hits())
    throw UsageError(where, "the last event is not complete", {},
                     std::string("call ") + Host::how_to_end);
}

/// Appends n events from `first` on of another list for the same detector.
template <class Host>
void append_events(const Host& from, int first, int n, Host& to) {
  const auto begin = from.first(first), end = from.first(first + n);
  const auto shift = to.offsets.back() - begin;
  for (int i = first * from.layers() + 1; i <= (first + n) * from.layers(); ++i)
    to.offsets.push_back(from.offsets[std::size_t(i)] + shift);
  Host::template Hits<double, Kokkos::HostSpace>::for_each_column(
      from, to, [&](const auto& source, auto& column, const char*) {
        column.insert(column.end(), source.begin() + begin, source.begin() + end);
      });
  if constexpr (requires { to.added; })
    to.added.insert(to.added.end(), from.added.begin() + begin, from.added.begin() + end);
}

/// Sets the numbers of hits to those of the lists of events, and allocates arrays that are too
/// small.
/// @tparam Host `HostLayerHits` or `HostDetectorHits`
/// @tparam Hits `LayerHits` or `DetectorHits`
/// @throws UsageError if the last event of a list is not complete, a list belongs to a detector
/// with another number of layers, or there are more than 2^31 - 1 hits
template <class Memory, class Host, class Hits>
void allocate_hits(const Memory& memory, const std::vector<const Host*>& lists, int layers,
                   Hits& hits) {
  std::size_t events = 0, n = 0;
  for (const auto* list : lists) {
    if (list->layers() != layers)
      throw UsageError(
          "upload of hits", "events are of different detectors",
          std::to_string(layers) + " and " + std::to_string(list->layers()) + " layers");
    check_complete("upload of hits", *list);
    events += std::size_t(list->events());
    n += list->n_hits();
  }
  HostHitsOnLayers::check_size("upload of hits", n);
  hits.events = int(events);
  hits.layers = layers;
  hits.hits = int(n);
  allocate_arrays(memory, hits);
}

namespace detail {
template <class View, class Value>
void set_entry(const View& to, std::size_t i, const Value& value) {
  if constexpr (View::rank == 1)
    to(i) = typename View::value_type(value);
  else
    for (std::size_t e = 0; e < value.size(); ++e) to(i, e) = typename View::value_type(value[e]);
}
}  // namespace detail

/// Copies the hits of lists of events, one list after the other, into arrays that
/// `allocate_hits` has allocated.
template <class Host, class Hits>
void stage_hits(const std::vector<const Host*>& lists, Hits& hits) {
  std::size_t hit = 0, entry = 0;
  hits.max_layer_hits = 0;
  hits.offsets(entry++) = 0;
  for (const auto* list : lists) {
    for (std::size_t i = 1; i < list->offsets.size(); ++i, ++entry) {
      hits.offsets(entry) = std::int32_t(hit) + list->offsets[i];
      hits.max_layer_hits =
          std::max(hits.max_layer_hits, hits.offsets(entry) - hits.offsets(entry - 1));
    }
    Hits::for_each_column(*list, hits, [&](const auto& from, auto& to, const char*) {
      for (std::size_t i = 0; i < from.size(); ++i) detail::set_entry(to, hit + i, from[i]);
    });
    hit += list->n_hits();
  }
}

/// Copies hits to the memory of the instance, rounded to the scalar of `hits`, and waits until that
/// is done.
/// @throws UsageError if the last event is not complete
template <class ExecutionSpace, class Host, class Hits>
void upload(const ExecutionSpace& exec, const Host& host, Hits& hits) {
  const std::vector<const Host*> lists{&host};
  allocate_hits(exec, lists, host.layers(), hits);
  HostOf<Hits> staged;
  allocate_copies(HostExecutor(), staged, hits);
  stage_hits(lists, staged);
  copy_arrays(exec, hits, staged);
  exec.fence();
}

/// Copies hits to the memory of the instance, rounded to T, and waits until that is done.
/// @throws UsageError if the last event is not complete
template <class T, class ExecutionSpace, std::derived_from<HostHitsOnLayers> Host>
auto to_device(const ExecutionSpace& exec, const Host& host) {
  typename Host::template Hits<T, MemoryOf<ExecutionSpace>> hits;
  upload(exec, host, hits);
  return hits;
}

}  // namespace trackplex::hits
