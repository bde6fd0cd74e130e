// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Algorithms that only the chain `TrackFinder` uses; the other ones are in search, seeding and
/// candidates.

#include <trackplex/candidates/add_inner_hits.hpp>
#include <trackplex/candidates/add_overlap_hits.hpp>
#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/core/part_memory.hpp>
#include <trackplex/detector/finder_products.hpp>
#include <trackplex/detector/track_list.hpp>
#include <trackplex/seeding/seeds.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace trackplex::detector {

/// Collects the hits of all events of a batch in arrays on the host. A step on the host.
template <class T>
struct StageHits {
  static constexpr const char* name = "stage_hits";

  int layers;  ///< number of layers of the detector

  /// Allocates the arrays of the hits.
  /// @throws UsageError if a list has more or less than one event, or another number of layers
  template <class Memory>
  void allocate(const Memory& memory, const Events& events, StagedHits<T>& hits) const {
    for (const auto* event : events.pointers)
      if (event->events() != 1 || event->layers() != layers)
        throw UsageError(name,
                         std::to_string(event->events()) + " events with " +
                             std::to_string(event->layers()) + " layers",
                         "one event with " + std::to_string(layers) + " layers is wanted",
                         "use hits::split");
    hits::allocate_hits(memory.of(hits), lists(events), layers, hits);
  }
  /// Copies the hits of the events into the arrays.
  void operator()(const Events& events, StagedHits<T>& hits) const {
    hits::stage_hits(lists(events), hits);
  }

 private:
  static std::vector<const hits::HostDetectorHits*> lists(const Events& events) {
    return {events.pointers.begin(), events.pointers.end()};
  }
};

/// Copies staged hits to the device; on hosts both are the same arrays.
template <class T, class ExecutionSpace>
struct UploadHits : chain::CopyArrays<ExecutionSpace, StagedHits<T>,
                                      hits::DetectorHits<T, MemoryOf<ExecutionSpace>>> {
  static constexpr const char* name = "upload_hits";
};

/// Clears the flags of all hits: no hit is on a track before the first pass.
template <class T, class ExecutionSpace>
struct FreeAllHits {
  static constexpr const char* name = "free_all_hits";
  using Hits = hits::DetectorHits<T, MemoryOf<ExecutionSpace>>;  ///< input
  using Taken = TakenHits<MemoryOf<ExecutionSpace>>;             ///< output

  /// Allocates a flag for each hit.
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, Taken& taken) const {
    allocate_array(memory.of(taken), taken, "Trackplex::Detector::taken", std::size_t(hits.hits));
  }
  /// Enqueues the zeros.
  void operator()(const ExecutionSpace& exec, const Hits&, Taken& taken) const {
    fill_with_zeros(exec, taken);
  }
};

namespace detail {

/// The layers of tracks, from the last hit to the first: track building ends with the state of
/// all hits there.
template <class T, class MemorySpace>
tracks::DetectorTrackLayers<T, MemorySpace> backwards(
    const hits::DetectorHits<T, MemorySpace>& hits, const tracks::TrackHits<MemorySpace>& tracks,
    const geometry::Detector<T, MemorySpace>& detector) {
  return {hits, tracks, detector, true, tracks::FitOrder::last_to_first};
}

}  // namespace detail

/// Adds the hits on overlapping modules to the kept tracks: `candidates::AddOverlapHits` along each
/// track from its last hit to its first.
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field, int Width, kalman::TrackModel Model>
struct AddOverlaps {
  using Add = candidates::AddOverlapHits<T, ExecutionSpace, Field, Width, Model>;  ///< algorithm
  static constexpr const char* name = Add::name;
  using MemorySpace = MemoryOf<ExecutionSpace>;              ///< of its arrays
  using Hits = hits::DetectorHits<T, MemorySpace>;           ///< input
  using Tracks = tracks::KeptTracks<T, MemorySpace, Model>;  ///< input
  using Starts = FitStarts<T, MemorySpace, Model>;           ///< input
  using Added = TracksWithOverlaps<T, MemorySpace, Model>;   ///< output
  using Binned = typename Add::Binned;                       ///< input
  using Scratch = typename Add::Scratch;                     ///< temporary arrays

  Add add;  ///< detector, field and limits

  /// Allocates hits and states of the tracks.
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Binned& binned, const Tracks& tracks,
                const Starts& starts, Added& added, Scratch& scratch) const {
    add.allocate(PartMemory{memory.of(added), memory.scratch()}, layers(hits, tracks), binned,
                 starts.states, added.hits, added.at_first, scratch);
  }
  /// Enqueues the kernels.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  const Tracks& tracks, const Starts& starts, Added& added,
                  Scratch& scratch) const {
    add(exec, layers(hits, tracks), binned, starts.states, added.hits, added.at_first, scratch);
  }

 private:
  auto layers(const Hits& hits, const Tracks& tracks) const {
    return detail::backwards(hits, tracks.tracks.hits, add.navigation.detector);
  }
};

/// Adds the hits before the first ones to central tracks: `candidates::AddInnerHits`. Forward
/// tracks, and all tracks if there is nothing to add, are passed on.
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field, int Width, kalman::TrackModel Model>
struct AddInners {
  using Add = candidates::AddInnerHits<T, ExecutionSpace, Field, Width>;  ///< algorithm
  static constexpr const char* name = Add::name;
  static constexpr bool aliases_inputs = true;      ///< tracks without further hits are the input
  using MemorySpace = MemoryOf<ExecutionSpace>;     ///< of its arrays
  using Hits = hits::DetectorHits<T, MemorySpace>;  ///< input
  using Tracks = TracksWithOverlaps<T, MemorySpace, Model>;  ///< input
  using Complete = CompleteTracks<MemorySpace>;              ///< output
  using Binned = typename Add::Binned;                       ///< input
  using Scratch = typename Add::Scratch;                     ///< temporary arrays

  Add add;  ///< reversed detector, field and limits; `max_layers` = 1 if no hits are to be added

  /// Allocates the hits of the tracks.
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Binned& binned, const Tracks& tracks,
                Complete& complete, Scratch& scratch) const {
    if constexpr (is_central)
      if (adds())
        return add.allocate(PartMemory{memory.of(complete), memory.scratch()}, layers(hits, tracks),
                            binned, tracks.at_first, complete.hits, scratch);
    complete.hits = tracks.hits;
  }
  /// Enqueues the kernels.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  const Tracks& tracks, Complete& complete, Scratch& scratch) const {
    if constexpr (is_central)
      if (adds()) add(exec, layers(hits, tracks), binned, tracks.at_first, complete.hits, scratch);
  }

 private:
  static constexpr bool is_central = std::is_same_v<Model, kalman::CentralTrack>;
  bool adds() const { return add.params.max_layers > 1; }
  auto layers(const Hits& hits, const Tracks& tracks) const {
    return detail::backwards(hits, tracks.hits, add.inwards.detector);
  }
};

/// Kalman fit of all hits of each track, from the last one to the first. The states are the arrays
/// of the start, which the fit overwrites.
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field, int Width, kalman::TrackModel Model>
struct FitCompleteTracks {
  static constexpr const char* name = "fit_tracks";
  static constexpr bool aliases_inputs = true;      ///< states are those of the start
  using MemorySpace = MemoryOf<ExecutionSpace>;     ///< of its arrays
  using Hits = hits::DetectorHits<T, MemorySpace>;  ///< input
  using Tracks = CompleteTracks<MemorySpace>;       ///< input
  using Starts = FitStarts<T, MemorySpace, Model>;  ///< input
  using Fits = FinalFits<T, MemorySpace, Model>;    ///< output

  geometry::Detector<T, MemorySpace> detector;  ///< modules and layers
  Field field;                                  ///< B or B_z, T
  kalman::FitOptions options{};                 ///< of the fits

  /// Allocates the results, one per track.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks& tracks, const Starts& starts,
                Fits& fits) const {
    fits.states = starts.states;
    fits.results.allocate(memory.of(fits), tracks.hits.tracks);
  }
  /// Enqueues the fits.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks, const Starts&,
                  Fits& fits) const {
    kalman::fit_tracks<Width>(exec, fits.states, field,
                              detail::backwards(hits, tracks.hits, detector), options,
                              fits.results);
  }
};

/// Copies the tracks of a pass to the host; on hosts both are the same arrays.
template <class T, class ExecutionSpace, kalman::TrackModel Model>
struct FetchTracks {
  static constexpr const char* name = "fetch_tracks";
  static constexpr bool aliases_inputs = is_host_space<ExecutionSpace>;  ///< on hosts: no copy
  using MemorySpace = MemoryOf<ExecutionSpace>;                          ///< of the inputs
  using Tracks = CompleteTracks<MemorySpace>;                            ///< input
  using Fits = FinalFits<T, MemorySpace, Model>;                         ///< input
  using Accepted = AcceptedTracks<MemorySpace>;                          ///< input
  using Host = HostPassTracks<T, MemorySpace, Model>;                    ///< output

  /// Allocates the arrays on the host.
  template <class Memory>
  void allocate(const Memory& memory, const Tracks& tracks, const Fits& fits,
                const Accepted& accepted, Host& host) const {
    allocate_copies(memory.of(host), host,
                    PassTracksToHost<T, MemorySpace, Model>{tracks, fits, accepted});
  }
  /// Enqueues the copies.
  void operator()(const ExecutionSpace& exec, const Tracks& tracks, const Fits& fits,
                  const Accepted& accepted, Host& host) const {
    copy_arrays(exec, host, PassTracksToHost<T, MemorySpace, Model>{tracks, fits, accepted});
  }
};

/// Appends the accepted tracks of a pass to the lists of their events, and adds its losses. A step
/// on the host.
template <class T, class MemorySpace, kalman::TrackModel Model>
struct CollectTracks {
  static constexpr const char* name = "collect_tracks";
  using Tracks = HostPassTracks<T, MemorySpace, Model>;  ///< input

  int pass;  ///< number of the pass

  /// Appends the tracks; in the first pass there is an empty list for each event.
  void operator()(const StagedHits<T>& hits, const seeding::SeedOrigins& origins,
                  const Tracks& from, chain::Results<TrackList<Model>>& results) const {
    results.values.resize(std::size_t(hits.events));
    for (std::size_t event = 0; event < origins.lost.extent(0); ++event)
      results.values[event].lost_seeds += origins.lost(event);
    for (int track = 0; track < from.hits.tracks; ++track) {
      const auto t = std::size_t(track);
      if (from.accepted(t) == 0) continue;
      const int event = from.hits.event(t);
      auto& list = results.values[std::size_t(event)];
      for (int slot = 0; slot < from.hits.layers; ++slot)
        if (const auto hit = from.hits(track, slot); hit >= 0)
          list.hits.push_back(hit - hits.first(event, 0));
      list.first.push_back(std::int32_t(list.hits.size()));
      list.states.push_back(from.states.state(track));
      list.chi2.push_back(double(from.chi2(t)));
      list.measurements.push_back(from.measurements(t));
      list.pass.push_back(pass);
    }
  }
};

}  // namespace trackplex::detector
