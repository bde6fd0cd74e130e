// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Algorithms that only the chain for the toy detector has: events from the host, final fits, and
/// results to the host.

#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/cylinder/products.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/tracking_events.hpp>

#include <string>
#include <vector>

namespace trackplex::cylinder {

using Events = chain::Events<seeding::TrackingEvents>;

/// Puts the hits of all events into arrays.
template <class T>
struct StageHits {
  static constexpr const char* name = "stage_hits";
  using Hits = chain::Staged<search::LayerHits<T, Kokkos::HostSpace>>;

  int layers;

  /// @throws UsageError for anything but single events of the detector
  template <class Memory>
  void allocate(const Memory& memory, const Events& events, Hits& hits) const {
    for (const auto* event : events.pointers)
      if (event->events() != 1 || event->hits.layers() != layers)
        throw UsageError(name,
                         std::to_string(event->events()) + " events with " +
                             std::to_string(event->hits.layers()) + " layers",
                         "one event with " + std::to_string(layers) + " layers is wanted",
                         "take TrackingEvents::part(event, 1)");
    search::allocate_hits(memory.of(hits), hits_of(events), layers, hits);
  }
  void operator()(const Events& events, Hits& hits) const {
    search::stage_hits(hits_of(events), hits);
  }

 private:
  static std::vector<const search::HostLayerHits<float>*> hits_of(const Events& events) {
    std::vector<const search::HostLayerHits<float>*> lists;
    for (const auto* event : events.pointers) lists.push_back(&event->hits);
    return lists;
  }
};

template <class T, class ExecutionSpace>
struct UploadHits : chain::CopyArrays<ExecutionSpace, typename StageHits<T>::Hits,
                                      search::LayerHits<T, MemoryOf<ExecutionSpace>>> {
  static constexpr const char* name = "upload_hits";
};

template <class T, class ExecutionSpace>
struct UploadSeeds
    : chain::CopyArrays<ExecutionSpace, seeding::StagedSeeds<T, MemoryOf<ExecutionSpace>>,
                        seeding::StartSeeds<T, MemoryOf<ExecutionSpace>>> {
  static constexpr const char* name = "upload_seeds";
};

/// Takes all tracks that were found to be fitted.
template <class T, class ExecutionSpace>
struct KeepTracks {
  static constexpr const char* name = "keep_tracks";
  static constexpr bool aliases_inputs = true;
  using MemorySpace = MemoryOf<ExecutionSpace>;

  void operator()(const ExecutionSpace&, const candidates::FoundTracks<T, MemorySpace>& found,
                  candidates::KeptTracks<T, MemorySpace>& tracks) const {
    tracks.tracks = found;
  }
};

/// Fits all hits of each track, from a state that three of them give. Fits take the lanes that suit
/// the space, start states `Width`; results depend on neither.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FitTracks {
  static constexpr const char* name = "fit_tracks";
  static constexpr int fit_width = default_lane_width<ExecutionSpace, T>;
  using MemorySpace = MemoryOf<ExecutionSpace>;
  using Hits = search::LayerHits<T, MemorySpace>;
  using Tracks = candidates::KeptTracks<T, MemorySpace>;
  using Fitted = FittedTracks<T, MemorySpace>;

  seeding::CylinderLayers detector;
  kalman::UniformField start_field;
  kalman::SolenoidField field;
  kalman::ThinLayer material;

  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks& tracks, Fitted& fitted) const {
    fitted.states.allocate(memory.of(fitted), tracks.tracks.size());
    fitted.results.allocate(memory.of(fitted), tracks.tracks.size());
  }
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  Fitted& fitted) const {
    kalman::fit_tracks<fit_width>(exec, fitted.states, field, start(exec, hits, tracks, fitted), {},
                                  fitted.results);
  }

 protected:
  /// Start states, and the layers to fit.
  auto start(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
             Fitted& fitted) const {
    seeding::start_states<Width>(exec, hits, tracks.tracks.hits, start_field, {}, fitted.states);
    using Layers = seeding::TrackLayers<T, MemorySpace>;
    return kalman::HitsInMaterial<Layers>{Layers{hits, tracks.tracks.hits, detector}, material};
  }
};

/// The same, and the states on the first layer that all hits together give. Tracks have at most
/// `max_layers` layers.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct SmoothTracks : FitTracks<T, ExecutionSpace, Width> {
  static constexpr const char* name = "smooth_tracks";
  static constexpr int max_layers = 10;
  using Fit = FitTracks<T, ExecutionSpace, Width>;
  using typename Fit::Fitted, typename Fit::Hits, typename Fit::Tracks;

  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Tracks& tracks,
                Fitted& fitted) const {
    if (this->detector.size > max_layers)
      throw UsageError(name, "the detector has " + std::to_string(this->detector.size) + " layers",
                       "tracks of " + std::to_string(max_layers) + " layers can be smoothed",
                       "select fit_tracks");
    Fit::allocate(memory, hits, tracks, fitted);
    fitted.smoothed.allocate(memory.of(fitted), 1, tracks.tracks.size());
  }
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  Fitted& fitted) const {
    kalman::smooth_tracks<Fit::fit_width, max_layers>(exec, fitted.states, this->field,
                                                      this->start(exec, hits, tracks, fitted), 1,
                                                      {}, fitted.results, fitted.smoothed);
  }
};

/// Copies seeds, tracks and fits to the host. On hosts they are read where they are.
template <class T, class ExecutionSpace>
struct CopyOut {
  static constexpr const char* name = "copy_out";
  static constexpr bool aliases_inputs = is_host_space<ExecutionSpace>;
  using MemorySpace = MemoryOf<ExecutionSpace>;
  using Seeds = seeding::Seeds<T, MemorySpace>;
  using Tracks = candidates::KeptTracks<T, MemorySpace>;
  using Fitted = FittedTracks<T, MemorySpace>;
  using Host = HostResults<T, MemorySpace>;

  bool all_states = false;  ///< also those of seeds and of building

  template <class Memory>
  void allocate(const Memory& memory, const Seeds& seeds, const Tracks& tracks,
                const Fitted& fitted, Host& host) const {
    allocate_copies(memory.of(host), host,
                    ToHost<T, MemorySpace>{seeds, tracks, fitted, all_states});
  }
  void operator()(const ExecutionSpace& exec, const Seeds& seeds, const Tracks& tracks,
                  const Fitted& fitted, Host& host) const {
    copy_arrays(exec, host, ToHost<T, MemorySpace>{seeds, tracks, fitted, all_states});
  }
};

/// Gives each event its seeds, tracks and fits.
template <class T, class ExecutionSpace>
struct Collect {
  static constexpr const char* name = "collect";
  using Host = HostResults<T, MemoryOf<ExecutionSpace>>;

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
      for (; is_of(event, seed, host.seeds); ++seed)
        append(host.seeds, seed, known(origins.particle, seed, -1), result.seeds);
      for (; is_of(event, track, host.tracks); ++track) {
        const int of_seed = known(host.origin, track, track);
        append(host.tracks, track, known(origins.particle, of_seed, -1), result.tracks);
        const auto t = std::size_t(track);
        const auto& fits = host.fits;
        result.fits.push_back({fits.reached(t) != 0, fits.measurements(t), fits.outliers(t),
                               double(fits.chi2(t)), host.fitted.state(track)});
      }
    }
  }

 private:
  using Tracks = HostTracks<T, MemoryOf<ExecutionSpace>>;

  /// Tracks are in the order of their events.
  static bool is_of(int event, int track, const Tracks& from) {
    return track < from.hits.tracks && from.hits.event(std::size_t(track)) == event;
  }
  static void append(const Tracks& from, int track, int particle, TrackList& to) {
    for (int layer = 0; layer < to.layers; ++layer) to.hits.push_back(from.hits(track, layer));
    to.particle.push_back(particle);
    to.chi2.push_back(double(from.chi2(std::size_t(track))));
    if (from.states.size() > 0) to.states.push_back(from.states.state(track));
  }
};

}  // namespace trackplex::cylinder
