// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track finding in any detector of modules, in passes.

#include <trackplex/candidates/add_inner_hits.hpp>
#include <trackplex/candidates/add_overlap_hits.hpp>
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/detector/detail/find_seeds.hpp>
#include <trackplex/detector/inflate_covariances.hpp>
#include <trackplex/detector/select_tracks.hpp>
#include <trackplex/detector/track_finder_params.hpp>
#include <trackplex/detector/track_list.hpp>
#include <trackplex/kalman/host_track_states.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::detector {

/// Finder of the tracks of many events in a detector of modules. In each pass the hits that are
/// on no track yet are binned, seeds are found and fitted, tracks are built from them, tracks that
/// share too many hits are removed, hits on overlapping modules and before the first hit are added,
/// and tracks are fitted from their last hit to the first and selected.
///
/// An object owns the memory for all steps, which grows with the events; it is used by one thread
/// at a time.
/// Seeds of central tracks are triplets on helices about the z axis, seeds of forward tracks
/// straight lines upstream of a magnet.
/// @tparam Field functor that returns B_z, see kalman/field_along_z.hpp, or a vector field, in
/// which tracks are built and fitted; triplets are in its `kalman::turning_field`. In a map,
/// `kalman::HelicesInField` is fast
/// @tparam Strategy of track building
/// @tparam Width number of lanes
/// @tparam Model track model
template <class T, class ExecutionSpace, class Field, class Strategy = candidates::CloneEngine<4>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>,
          kalman::TrackModel Model = kalman::CentralTrack>
class TrackFinder {
 public:
  using Params = TrackFinderParams<Model>;  ///< parameters
  using Tracks = TrackList<Model>;          ///< result for an event

  /// Prepares a detector.
  /// @throws UsageError if the detector, or a parameter, is not possible
  TrackFinder(const ExecutionSpace& exec, const geometry::DetectorDescription& detector,
              const Field& field, Params params)
      : TrackFinder(exec, detector, geometry::find_layer_graph(detector, params.graph), field,
                    std::move(params)) {}
  /// Prepares a detector with a layer graph of the user.
  /// @throws UsageError if the detector, its graph, or a parameter is not possible
  TrackFinder(const ExecutionSpace& exec, const geometry::DetectorDescription& detector,
              const geometry::LayerGraph& graph, const Field& field, Params params)
      : exec_(exec),
        field_(field),
        params_(std::move(params)),
        navigation_(geometry::to_device<T>(exec, detector, graph, params_.navigation)),
        inwards_(geometry::with_graph(exec, navigation_, geometry::reversed(graph))),
        axes_(search::layer_axes<T>(exec, detector, params_.bins)),
        find_seeds_(exec, detector, field, params_.passes) {}

  /// Finds the tracks of events.
  std::vector<Tracks> operator()(const search::HostDetectorHits& events) {
    upload(events);
    find();
    return results(events);
  }

  /// Copies the hits of events to the device.
  void upload(const search::HostDetectorHits& events) {
    hits_ = search::to_device<T>(exec_, events);
  }
  /// Finds the tracks of the events that were uploaded. Waits for the instance.
  void find() {
    find([](const char*, const auto& work) { work(); });
  }
  /// The same, stage by stage: `stage(name, work)` calls `work()`, which enqueues a stage of a
  /// pass. Stages are "binning", "seeding", "building", "clean" and "fit".
  template <class Stage>
  void find(const Stage& stage) {
    allocate_array(exec_, taken_, "Trackplex::Detector::taken", std::size_t(hits_.hits));
    fill_with_zeros(exec_, taken_);
    found_.resize(params_.passes.size());
    for (std::size_t pass = 0; pass < params_.passes.size(); ++pass)
      find(pass, params_.passes[pass], found_[pass], stage);
    exec_.fence();
  }
  /// Returns the tracks that were found in each of the events.
  std::vector<Tracks> results(const search::HostDetectorHits& events) const {
    std::vector<Tracks> lists(std::size_t(events.events()));
    for (std::size_t pass = 0; pass < found_.size(); ++pass)
      append(found_[pass], int(pass), events, lists);
    return lists;
  }

 private:
  using Memory = MemoryOf<ExecutionSpace>;
  using Hits = search::DetectorHits<T, Memory>;
  using Binned = search::BinnedDetectorHits<T, Memory>;
  using BinHits = search::BinFreeHits<T, ExecutionSpace, Width>;
  using Seeds = seeding::Seeds<T, Memory, Model>;
  using ResolveAmbiguities = candidates::ResolveAmbiguities<T, ExecutionSpace, Hits, Model>;
  using AddOverlapHits = candidates::AddOverlapHits<T, ExecutionSpace, Field, Width, Model>;
  using AddInnerHits = candidates::AddInnerHits<T, ExecutionSpace, Field, Width>;
  using Layers = seeding::DetectorTrackLayers<T, Memory>;
  using Flags = Kokkos::View<std::uint8_t*, Memory>;

  /// Fitted tracks of a pass.
  struct Found {
    seeding::TrackHits<Memory> hits;
    kalman::TrackStates<T, Memory, Model> states;
    kalman::FitResults<T, Memory> fits;
    Flags accepted;
  };

  template <class Stage>
  void find(std::size_t number, const PassParams<Model>& pass, Found& found, const Stage& stage) {
    stage("binning", [&] {
      const BinHits bin{{{navigation_.detector, axes_}}};
      run_algorithm(exec_, bin, hits_, taken_, binned_, bin_scratch_);
    });
    stage("seeding",
          [&] { find_seeds_(number, pass, navigation_.detector, hits_, binned_, taken_, seeds_); });
    stage("building", [&] {
      const candidates::BuildTracks<Strategy, T, ExecutionSpace, Field, Binned, Width, Model> build{
          navigation_, field_, pass.building};
      run_algorithm(exec_, build, seeds_, binned_, built_);
    });
    stage("clean", [&] {
      const ResolveAmbiguities remove{pass.shared_hits};
      run_algorithm(exec_, remove, hits_, built_, kept_, remove_scratch_);
    });
    stage("fit", [&] { finish(pass, found); });
  }

  /// The layers of tracks, from the last hit to the first: track building ends with the state of
  /// all hits there.
  Layers backwards(const seeding::TrackHits<Memory>& hits) const {
    return {hits_, hits, navigation_.detector, true, seeding::FitOrder::last_to_first};
  }

  void finish(const PassParams<Model>& pass, Found& found) {
    auto options = params_.fit;
    options.along = false;
    const InflateCovariances<T, ExecutionSpace, Width, Model> widen{params_.start_spread *
                                                                    params_.start_spread};
    run_algorithm(exec_, widen, kept_.tracks.states, found.states);
    complete(pass, options, found);
    kalman::fit_tracks<Width>(exec_, found.states, field_, backwards(found.hits), options,
                              found.fits);
    run_algorithm(exec_, SelectTracks<T, ExecutionSpace>{pass.selection}, found.hits, found.fits,
                  found.accepted, taken_);
  }

  /// Adds hits on overlapping modules, and to central tracks the hits before their first one.
  void complete(const PassParams<Model>& pass, const kalman::FitOptions& options, Found& found) {
    constexpr bool is_central = std::is_same_v<Model, kalman::CentralTrack>;
    const bool adds_inner = is_central && params_.inner_layers > 0;
    auto& with_overlaps = adds_inner ? with_overlaps_ : found.hits;
    AddOverlapHits add{navigation_, field_, pass.building, options};
    add.params.max_chi2 = params_.added_chi2;
    run_algorithm(exec_, add, backwards(kept_.tracks.hits), binned_, found.states, with_overlaps,
                  at_first_, overlap_scratch_);
    if constexpr (is_central) {
      if (!adds_inner) return;
      AddInnerHits inner{inwards_, field_, pass.building};
      inner.params.max_chi2 = params_.added_chi2;
      inner.params.max_holes = 1;
      inner.params.min_cosine = params_.inner_min_cosine;
      inner.params.max_layers = params_.inner_layers + 1;
      run_algorithm(exec_, inner, backwards(with_overlaps), binned_, at_first_, found.hits,
                    inner_scratch_);
    }
  }

  /// Appends the accepted tracks of a pass to the lists of their events.
  void append(const Found& found, int pass, const search::HostDetectorHits& events,
              std::vector<Tracks>& lists) const {
    const int n = found.hits.tracks;
    const auto hits = enqueue_copy<seeding::TrackHits<Kokkos::HostSpace>>(exec_, found.hits);
    const auto states = kalman::states_on_host(exec_, found.states);
    const auto chi2 = to_host(exec_, found.fits.chi2, std::size_t(n));
    const auto measurements = to_host(exec_, found.fits.measurements, std::size_t(n));
    const auto accepted = to_host(exec_, found.accepted, std::size_t(n));
    for (int track = 0; track < n; ++track) {
      const auto t = std::size_t(track);
      if (accepted(t) == 0) continue;
      const int event = hits.event(t);
      auto& list = lists[std::size_t(event)];
      for (int slot = 0; slot < hits.layers; ++slot)
        if (const auto hit = hits(track, slot); hit >= 0)
          list.hits.push_back(hit - events.first(event));
      list.first.push_back(std::int32_t(list.hits.size()));
      list.states.push_back(states[t]);
      list.chi2.push_back(double(chi2(t)));
      list.measurements.push_back(measurements(t));
      list.pass.push_back(pass);
    }
  }

  ExecutionSpace exec_;
  Field field_;
  Params params_;
  geometry::Navigation<T, Memory> navigation_, inwards_;
  search::LayerAxes<T, Memory> axes_;
  detail::FindSeeds<T, ExecutionSpace, Field, Width, Model> find_seeds_;

  Hits hits_;
  Flags taken_;
  Binned binned_;
  typename BinHits::Scratch bin_scratch_;
  Seeds seeds_;
  candidates::FoundTracks<T, Memory, Model> built_;
  candidates::KeptTracks<T, Memory, Model> kept_;
  typename ResolveAmbiguities::Scratch remove_scratch_;
  typename AddOverlapHits::Scratch overlap_scratch_;
  seeding::TrackHits<Memory> with_overlaps_;
  kalman::TrackStates<T, Memory, Model> at_first_;
  typename AddInnerHits::Scratch inner_scratch_;
  std::vector<Found> found_;
};

}  // namespace trackplex::detector

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/detector/detail/track_finder.instances.hpp>
#endif
