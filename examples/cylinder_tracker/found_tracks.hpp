// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/fingerprint.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cylinder_tracker {

/// What the final fit and the smoother made of a track.
struct FinalFit {
  bool complete = false;  ///< reached all layers
  double chi2 = 0.;
  int degrees_of_freedom = 0;
  trackplex::kalman::TrackState<double> first;  ///< smoothed, on the first layer
};

/// Tracks or seeds of many events on the host.
struct TrackList {
  int layers = 0;                      ///< of each track's entries in `hits`
  std::vector<std::int32_t> event;     ///< of each track
  std::vector<std::int32_t> particle;  ///< of the seed, in the event; -1 where it is not known
  std::vector<std::int32_t> hits;      ///< track by track, layer by layer; negative for none
  std::vector<float> chi2;             ///< of building
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

/// Tracks [first, end) are those of one event.
inline trackplex::Fingerprint begin_event(const TrackList& list, std::size_t first,
                                          std::size_t end) {
  const auto layers = std::size_t(list.layers);
  trackplex::Fingerprint hash;
  hash.add(list.fingerprint).add(std::span(list.event).subspan(first, end - first));
  hash.add(std::span(list.hits).subspan(first * layers, (end - first) * layers));
  return hash;
}

/// With the bits of the number type that it was found in.
template <class Real>
void add_state(trackplex::Fingerprint& hash, const trackplex::kalman::TrackState<double>& state) {
  for (const double parameter : state.parameters.elements) hash.add(Real(parameter));
  for (const double element : state.covariance.elements) hash.add(Real(element));
}

}  // namespace detail

/// Goes on with the fingerprint of seeds: one event's, whose states `state(seed)` gives.
template <class Real, class State>
void add_seeds_of_event(TrackList& list, std::size_t first, std::size_t end, const State& state) {
  auto hash = detail::begin_event(list, first, end);
  for (std::size_t i = first; i < end; ++i) detail::add_state<Real>(hash, state(i));
  list.fingerprint = hash.value();
}

/// The same of tracks, with their chi2 and their fits.
template <class Real, class Chi2, class State>
void add_tracks_of_event(TrackList& list, std::size_t first, std::size_t end, const Chi2& chi2,
                         const State& state) {
  auto hash = detail::begin_event(list, first, end);
  for (std::size_t i = first; i < end; ++i) hash.add(Real(chi2(i)));
  for (std::size_t i = first; i < end; ++i) detail::add_state<Real>(hash, state(i));
  list.fingerprint = hash.value();
  auto with_fits = detail::begin_event(list, first, end);
  for (std::size_t i = first; i < end; ++i)
    if (list.fits[i].complete) detail::add_state<Real>(with_fits, list.fits[i].first);
  list.fingerprint = with_fits.value();
}

/// Whether a fit has reached all layers and has more measurements than parameters on a layer.
inline bool is_complete(bool reached, int measurements) {
  return reached && measurements > trackplex::kalman::Parameter::count - 1;
}

}  // namespace cylinder_tracker
