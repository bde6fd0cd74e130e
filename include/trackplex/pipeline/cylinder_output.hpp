// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Algorithms of a detector of cylinders: what was found, to the host and event by event.

#include <trackplex/core/host_copy.hpp>
#include <trackplex/pipeline/cylinder_products.hpp>
#include <trackplex/pipeline/slot_memory.hpp>

namespace trackplex::pipeline::cylinder {

/// Copies seeds, tracks and fits to the host. On hosts they are read where they are.
template <class Real, class ExecutionSpace>
struct CopyOut {
  static constexpr const char* name = "copy_out";
  static constexpr bool shares_inputs = is_host_space<ExecutionSpace>;
  bool all_states = false;  ///< also those of seeds and of building

  template <class Memory>
  void make_room(const Memory& memory, const Seeds<Real, ExecutionSpace>& seeds,
                 const Tracks<Real, ExecutionSpace>& tracks,
                 const FittedTracks<Real, ExecutionSpace>& fitted,
                 HostTracks<Real, ExecutionSpace>& host) const {
    for_each_copy(seeds, tracks, fitted, host,
                  [&](const auto& from, auto& to, const char* label, std::size_t n) {
                    reserve_copy(memory.of(host), from, to, label, n);
                  });
  }
  void operator()(const ExecutionSpace& exec, const Seeds<Real, ExecutionSpace>& seeds,
                  const Tracks<Real, ExecutionSpace>& tracks,
                  const FittedTracks<Real, ExecutionSpace>& fitted,
                  HostTracks<Real, ExecutionSpace>& host) const {
    for_each_copy(seeds, tracks, fitted, host,
                  [&](const auto& from, auto& to, const char*, std::size_t n) {
                    copy_first(exec, from, to, n);
                  });
  }

 private:
  template <class F>
  void for_each_copy(const Seeds<Real, ExecutionSpace>& seeds,
                     const Tracks<Real, ExecutionSpace>& tracks,
                     const FittedTracks<Real, ExecutionSpace>& fitted,
                     HostTracks<Real, ExecutionSpace>& host, const F& f) const {
    copy_tracks(seeds, host.seeds, f);
    copy_tracks(tracks.tracks, host.tracks, f);
    if (tracks.origin.extent(0) > 0)
      f(tracks.origin, host.origin, "Trackplex::Pipeline::origin",
        std::size_t(tracks.tracks.size()));
    for_each_array(fitted, host.fits, f);
  }

  template <class From, class F>
  void copy_tracks(const From& from, TracksOnHost<Real, ExecutionSpace>& to, const F& f) const {
    for_each_array(from.hits, to.hits, f);
    f(from.chi2, to.chi2, "Trackplex::Pipeline::chi2", std::size_t(from.size()));
    if (all_states) for_each_array(from.states, to.states, f);
  }
};

/// Seeds, tracks and fits of each event, in the order of the batch.
template <class Real, class ExecutionSpace>
struct Collect {
  static constexpr const char* name = "collect";

  void operator()(const Batch& batch, const SeedOrigins& origins,
                  const HostTracks<Real, ExecutionSpace>& host, Results& results) const {
    const std::size_t events = batch.events.size();
    results.events.resize(events);
    const auto first_seed = first_of_events(host.seeds.hits, events);
    const auto first_track = first_of_events(host.tracks.hits, events);
    const auto states = host.fits.states.const_view();
    for (std::size_t event = 0; event < events; ++event) {
      auto& result = results.events[event];
      const int begin = first_track[event], end = first_track[event + 1];
      append(host.seeds, first_seed[event], first_seed[event + 1], result.seeds);
      append(host.tracks, begin, end, result.tracks);
      if (origins.lost.extent(0) > 0) result.lost_seeds = origins.lost(event);
      for (int seed = first_seed[event]; seed < first_seed[event + 1]; ++seed)
        result.seeds.particle.push_back(particle(origins, seed));
      result.fits.reserve(std::size_t(end - begin));
      for (int track = begin; track < end; ++track) {
        const int seed = host.origin.extent(0) > 0 ? host.origin(std::size_t(track)) : track;
        result.tracks.particle.push_back(particle(origins, seed));
        result.fits.push_back(fit(host.fits, states, std::size_t(track)));
      }
    }
  }

 private:
  using TrackHits = seeding::TrackHits<Kokkos::HostSpace>;

  /// Tracks stand in the order of their events.
  static std::vector<int> first_of_events(const TrackHits& tracks, std::size_t events) {
    std::vector<int> first(events + 1, 0);
    for (int track = 0; track < tracks.tracks; ++track)
      ++first[std::size_t(tracks.event(std::size_t(track))) + 1];
    for (std::size_t event = 0; event < events; ++event) first[event + 1] += first[event];
    return first;
  }

  static std::int32_t particle(const SeedOrigins& origins, int seed) {
    return origins.particle.extent(0) > 0 ? origins.particle(std::size_t(seed)) : -1;
  }

  static void append(const TracksOnHost<Real, ExecutionSpace>& from, int begin, int end,
                     CylinderTrackList& to) {
    const auto n = std::size_t(end - begin);
    to.layers = from.hits.layers;
    to.particle.reserve(n);
    to.chi2.assign(from.chi2.data() + begin, from.chi2.data() + end);
    to.hits.resize(n * std::size_t(to.layers));
    for (int layer = 0; layer < to.layers; ++layer)
      for (std::size_t i = 0; i < n; ++i)
        to.hits[i * std::size_t(to.layers) + std::size_t(layer)] = from.hits(begin + int(i), layer);
    if (from.states.size() == 0) return;
    to.states.reserve(n);
    const auto states = from.states.const_view();
    for (int track = begin; track < end; ++track) to.states.push_back(state(states, track));
  }

  template <class States>
  static CylinderFit fit(const FitsOnHost<Real, ExecutionSpace>& fits, const States& states,
                         std::size_t track) {
    return {fits.reached(track) != 0, fits.measurements(track), fits.outliers(track),
            double(fits.chi2(track)), state(states, int(track))};
  }

  template <class States>
  static kalman::TrackState<double> state(const States& from, int track) {
    kalman::TrackState<double> state;
    for (int p = 0; p < kalman::Parameter::count; ++p)
      state.parameters.elements[p] = double(from.parameters.element(track, p));
    for (int e = 0; e < kalman::Covariance<double>::size; ++e)
      state.covariance.elements[e] = double(from.covariance.element(track, e));
    state.charge = double(from.charge(std::size_t(track)));
    return state;
  }
};

}  // namespace trackplex::pipeline::cylinder
