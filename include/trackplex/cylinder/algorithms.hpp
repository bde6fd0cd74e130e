// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Algorithms that only the chain for the toy detector uses: events from the host, final
/// fits, and results to the host. The other algorithms of the chain are in search, seeding and
/// candidates.

#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/cylinder/cylinder_products.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <string>
#include <vector>

namespace trackplex::cylinder {

/// Batch of events that the chain reads; each list must hold one event.
using Events = chain::Events<tracks::TrackingEvents>;

/// Collects the hits of all events of a batch in arrays on the host. A step on the host.
template <class T>
struct StageHits {
  static constexpr const char* name = "stage_hits";
  using Hits = chain::Staged<hits::LayerHits<T, Kokkos::HostSpace>>;  ///< output

  int layers;  ///< number of layers of the detector

  /// Allocates the arrays of the hits.
  /// @throws UsageError if a list has more or less than one event, or another number of layers
  template <class Memory>
  void allocate(const Memory& memory, const Events& events, Hits& hits) const {
    for (const auto* event : events.pointers)
      if (event->events() != 1 || event->hits.layers() != layers)
        throw UsageError(name,
                         std::to_string(event->events()) + " events with " +
                             std::to_string(event->hits.layers()) + " layers",
                         "one event with " + std::to_string(layers) + " layers is wanted",
                         "take TrackingEvents::part(event, 1)");
    hits::allocate_hits(memory.of(hits), hits_of(events), layers, hits);
  }
  /// Copies the hits of the events into the arrays.
  void operator()(const Events& events, Hits& hits) const {
    hits::stage_hits(hits_of(events), hits);
  }

 private:
  static std::vector<const hits::HostLayerHits<float>*> hits_of(const Events& events) {
    std::vector<const hits::HostLayerHits<float>*> lists;
    for (const auto* event : events.pointers) lists.push_back(&event->hits);
    return lists;
  }
};

/// Copies staged hits to the device; on hosts both are the same arrays.
template <class T, class ExecutionSpace>
struct UploadHits : chain::CopyArrays<ExecutionSpace, typename StageHits<T>::Hits,
                                      hits::LayerHits<T, MemoryOf<ExecutionSpace>>> {
  static constexpr const char* name = "upload_hits";
};

/// Copies staged seeds to the device; on hosts both are the same arrays.
template <class T, class ExecutionSpace>
struct UploadSeeds
    : chain::CopyArrays<ExecutionSpace, seeding::StagedSeeds<T, MemoryOf<ExecutionSpace>>,
                        seeding::StartSeeds<T, MemoryOf<ExecutionSpace>>> {
  static constexpr const char* name = "upload_seeds";
};

/// Keeps all found tracks; replaces `candidates::ResolveAmbiguities`.
template <class T, class ExecutionSpace>
struct KeepTracks {
  static constexpr const char* name = "keep_tracks";
  static constexpr bool aliases_inputs = true;   ///< the output shares the arrays of the input
  using MemorySpace = MemoryOf<ExecutionSpace>;  ///< of both products

  /// Aliases the found tracks; launches nothing.
  void operator()(const ExecutionSpace&, const tracks::FoundTracks<T, MemorySpace>& found,
                  tracks::KeptTracks<T, MemorySpace>& tracks) const {
    tracks.tracks = found;
  }
};

/// Kalman fit of all hits of each track, outwards, from the state through its first, middle and
/// last hit (see `seeding::start_states`).
/// @tparam Width number of lanes for the start states; fits use `fit_width`. No result depends on
///   either.
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct FitTracks {
  static constexpr const char* name = "fit_tracks";
  static constexpr int fit_width =
      default_lane_width<ExecutionSpace, T, KernelKind::track_states>;  ///< lanes of the fits
  using MemorySpace = MemoryOf<ExecutionSpace>;                         ///< of all products
  using Hits = hits::LayerHits<T, MemorySpace>;                         ///< input
  using Tracks = tracks::KeptTracks<T, MemorySpace>;                    ///< input
  using Fitted = FittedTracks<T, MemorySpace>;                          ///< output

  tracks::CylinderLayers detector;   ///< radii of the layers, cm
  kalman::UniformField start_field;  ///< field for the start states, T
  kalman::SolenoidField field;       ///< field for the fit, T
  kalman::ThinLayer material;        ///< of each layer; none if its thickness is 0

  /// Allocates states and results, one per track.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks& tracks, Fitted& fitted) const {
    fitted.states.allocate(memory.of(fitted), tracks.tracks.size());
    fitted.results.allocate(memory.of(fitted), tracks.tracks.size());
  }
  /// Enqueues start states and fits.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  Fitted& fitted) const {
    kalman::fit_tracks<fit_width>(exec, fitted.states, field, start(exec, hits, tracks, fitted), {},
                                  fitted.results);
  }

 protected:
  /// Enqueues the start states and returns the layers of the fit.
  auto start(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
             Fitted& fitted) const {
    seeding::start_states<Width>(exec, hits, tracks.tracks.hits, start_field, {}, fitted.states);
    using Layers = tracks::TrackLayers<T, MemorySpace>;
    return kalman::HitsInMaterial<Layers>{Layers{hits, tracks.tracks.hits, detector}, material};
  }
};

/// Fits as `FitTracks` does and smooths the state on the first layer, which then contains the
/// information of all hits.
/// @tparam Width number of lanes for the start states
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct SmoothTracks : FitTracks<T, ExecutionSpace, Width> {
  static constexpr const char* name = "smooth_tracks";
  using Fit = FitTracks<T, ExecutionSpace, Width>;                     ///< the fit without smoother
  using typename Fit::Fitted,                                          ///< output
      typename Fit::Hits,                                              ///< input
      typename Fit::Tracks;                                            ///< input
  using Scratch = kalman::SmootherSteps<T, MemoryOf<ExecutionSpace>>;  ///< temporary memory

  /// Allocates fitted and smoothed states and results, one per track.
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Tracks& tracks, Fitted& fitted,
                Scratch& steps) const {
    Fit::allocate(memory, hits, tracks, fitted);
    fitted.smoothed.allocate(memory.of(fitted), 1, tracks.tracks.size());
    steps.max_layers = this->detector.size;
    steps.template allocate<ExecutionSpace, Fit::fit_width>(memory.scratch(), tracks.tracks.size());
  }
  /// Enqueues start states, fits and smoothing.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  Fitted& fitted, Scratch& steps) const {
    kalman::smooth_tracks<Fit::fit_width>(exec, fitted.states, this->field,
                                          this->start(exec, hits, tracks, fitted), 1, {},
                                          fitted.results, fitted.smoothed, steps);
  }
};

/// Copies seeds, tracks and fits to the host. On hosts the results alias the arrays of the kernels.
template <class T, class ExecutionSpace>
struct CopyOut {
  static constexpr const char* name = "copy_out";
  static constexpr bool aliases_inputs = is_host_space<ExecutionSpace>;  ///< on hosts: no copy
  using MemorySpace = MemoryOf<ExecutionSpace>;                          ///< of the inputs
  using Seeds = seeding::Seeds<T, MemorySpace>;                          ///< input
  using Tracks = tracks::KeptTracks<T, MemorySpace>;                     ///< input
  using Fitted = FittedTracks<T, MemorySpace>;                           ///< input
  using Host = HostResults<T, MemorySpace>;                              ///< output

  bool all_states = false;  ///< copy the states of seeds and of building too

  /// Allocates the arrays on the host.
  template <class Memory>
  void allocate(const Memory& memory, const Seeds& seeds, const Tracks& tracks,
                const Fitted& fitted, Host& host) const {
    allocate_copies(memory.of(host), host,
                    ToHost<T, MemorySpace>{seeds, tracks, fitted, all_states});
  }
  /// Enqueues the copies.
  void operator()(const ExecutionSpace& exec, const Seeds& seeds, const Tracks& tracks,
                  const Fitted& fitted, Host& host) const {
    copy_arrays(exec, host, ToHost<T, MemorySpace>{seeds, tracks, fitted, all_states});
  }
};

/// Distributes seeds, tracks and fits to one result per event. A step on the host.
template <class T, class ExecutionSpace>
struct Collect {
  static constexpr const char* name = "collect";
  using Host = HostResults<T, MemoryOf<ExecutionSpace>>;  ///< input

  /// Fills in one result per event, in the order of the batch.
  void operator()(const Events& events, const seeding::SeedOrigins& origins, const Host& host,
                  chain::Results<CylinderResult>& results) const {
    const auto known = [](const auto& array, int i, int otherwise) {
      return array.extent(0) > 0 ? int(array(std::size_t(i))) : otherwise;
    };
    results.values.clear();
    int seed = 0, track = 0;
    for (int event = 0; event < int(events.pointers.size()); ++event) {
      CylinderResult& result = results.values.emplace_back();
      result.lost_seeds = known(origins.lost, event, 0);
      result.seeds.layers = host.seeds.hits.layers;
      result.tracks.layers = host.tracks.hits.layers;
      reserve(host.seeds, count_of(event, seed, host.seeds), result.seeds);
      for (; is_of(event, seed, host.seeds); ++seed)
        append(host.seeds, seed, known(origins.particle, seed, -1), result.seeds);
      const auto n_tracks = count_of(event, track, host.tracks);
      reserve(host.tracks, n_tracks, result.tracks);
      result.fits.reserve(n_tracks);
      for (; is_of(event, track, host.tracks); ++track) {
        const int of_seed = known(host.origin, track, track);
        append(host.tracks, track, known(origins.particle, of_seed, -1), result.tracks);
        const auto t = std::size_t(track);
        const auto& fits = host.fits;
        result.fits.push_back({fits.reached(t) != 0, kalman::FitStatus(fits.status(t)),
                               fits.measurements(t), fits.outliers(t), double(fits.chi2(t)),
                               host.fitted.state(track)});
      }
    }
  }

 private:
  using Tracks = HostTracks<T, MemoryOf<ExecutionSpace>>;

  /// Whether a track exists and belongs to the event: tracks are in the order of their events.
  static bool is_of(int event, int track, const Tracks& from) {
    return track < from.hits.tracks && from.hits.event(std::size_t(track)) == event;
  }
  /// Returns the number of tracks of an event, of which `track` is the first one.
  static std::size_t count_of(int event, int track, const Tracks& from) {
    std::size_t n = 0;
    while (is_of(event, track + int(n), from)) ++n;
    return n;
  }
  static void reserve(const Tracks& from, std::size_t n, TrackList& to) {
    to.hits.reserve(n * std::size_t(to.layers));
    to.particle.reserve(n);
    to.chi2.reserve(n);
    if (from.states.size() > 0) to.states.reserve(n);
  }
  static void append(const Tracks& from, int track, int particle, TrackList& to) {
    for (int layer = 0; layer < to.layers; ++layer) to.hits.push_back(from.hits(track, layer));
    to.particle.push_back(particle);
    to.chi2.push_back(double(from.chi2(std::size_t(track))));
    if (from.states.size() > 0) to.states.push_back(from.states.state(track));
  }
};

}  // namespace trackplex::cylinder
