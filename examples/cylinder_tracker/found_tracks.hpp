// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/fingerprint.hpp>
#include <trackplex/cylinder/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cylinder_tracker {

using trackplex::cylinder::CylinderResult;
using trackplex::kalman::TrackState;

/// Final fit of a track, with the smoother.
struct FinalFit {
  bool complete =
      false;  ///< reached all layers, with more measurements than a layer has parameters
  double chi2 = 0.;
  int degrees_of_freedom = 0;
  TrackState<double> first;  ///< smoothed, on the first layer
};

/// Tracks or seeds of many events on the host.
struct TrackList {
  int layers = 0;                      ///< of each track's entries in `hits`
  std::vector<std::int32_t> event;     ///< of each track
  std::vector<std::int32_t> particle;  ///< of the seed, in the event; -1 where it is not known
  std::vector<std::int32_t> hits;      ///< track by track, layer by layer; negative for none
  std::vector<FinalFit> fits;          ///< one for each track, or none at all
  /// Of all bits of hits, chi2, states and fits, event by event: it does not depend on the batches
  /// that they were found in.
  std::uint64_t fingerprint = 0;

  std::size_t size() const { return event.size(); }
  std::span<const std::int32_t> hits_of(std::size_t track) const {
    return std::span(hits).subspan(track * std::size_t(layers), std::size_t(layers));
  }
};

namespace detail {

/// Appends the tracks of an event, without chi2, states and fits.
inline void append_hits(int event, const trackplex::cylinder::TrackList& from, TrackList& to) {
  to.layers = from.layers;
  to.event.insert(to.event.end(), from.size(), event);
  to.particle.insert(to.particle.end(), from.particle.begin(), from.particle.end());
  to.hits.insert(to.hits.end(), from.hits.begin(), from.hits.end());
}

/// Continues the fingerprint with the last n tracks, those of one event.
inline trackplex::Fingerprint begin_event(const TrackList& list, std::size_t n) {
  trackplex::Fingerprint hash;
  hash.add(list.fingerprint).add(std::span(list.event).last(n));
  hash.add(std::span(list.hits).last(n * std::size_t(list.layers)));
  return hash;
}

/// With the bits of the number type that it was found in.
template <class Real>
void add_state(trackplex::Fingerprint& hash, const TrackState<double>& state) {
  for (const double parameter : state.parameters.elements) hash.add(Real(parameter));
  for (const double element : state.covariance.elements) hash.add(Real(element));
}

}  // namespace detail

/// Appends the seeds of an event, and continues the fingerprint.
template <class Real>
void append_seeds(int event, const CylinderResult& result, TrackList& list) {
  detail::append_hits(event, result.seeds, list);
  auto hash = detail::begin_event(list, result.seeds.size());
  for (const auto& state : result.seeds.states) detail::add_state<Real>(hash, state);
  list.fingerprint = hash.value();
}

/// The same of tracks, with their chi2 and their fits.
template <class Real>
void append_tracks(int event, const CylinderResult& result, TrackList& list) {
  constexpr int parameters_on_layer = trackplex::kalman::Parameter::count - 1;
  detail::append_hits(event, result.tracks, list);
  auto hash = detail::begin_event(list, result.tracks.size());
  for (const double chi2 : result.tracks.chi2) hash.add(Real(chi2));
  for (const auto& state : result.tracks.states) detail::add_state<Real>(hash, state);
  list.fingerprint = hash.value();
  auto with_fits = detail::begin_event(list, result.tracks.size());
  for (const auto& fit : result.fits) {
    const bool complete = fit.reached && fit.measurements > parameters_on_layer;
    list.fits.push_back({complete, fit.chi2, fit.measurements - parameters_on_layer,
                         complete ? fit.state : TrackState<double>{}});
    if (complete) detail::add_state<Real>(with_fits, fit.state);
  }
  list.fingerprint = with_fits.value();
}

}  // namespace cylinder_tracker
