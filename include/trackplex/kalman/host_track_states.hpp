// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track states on the host, and their copies.

#include <trackplex/core/copy.hpp>
#include <trackplex/kalman/track_states.hpp>

#include <vector>

namespace trackplex::kalman {

/// Track states that the host can access, in the memory order of the `TrackStates` of a space.
/// @tparam MemorySpace memory space of the states that are mirrored
template <class T, class MemorySpace, TrackModel TheModel = CentralTrack>
struct HostTrackStates {
  using Model = TheModel;  ///< meaning of the last three parameters
  /// Parameters of each track: position in cm, and the three of the model.
  typename Matriplex<T, Parameter::count, 1, MemorySpace>::HostMirror parameters{
      "Trackplex::Kalman::host_parameters"};
  /// Covariance of the parameters of each track.
  typename SymMatriplex<T, Parameter::count, MemorySpace>::HostMirror covariance{
      "Trackplex::Kalman::host_covariance"};
  Kokkos::View<T*, Kokkos::HostSpace> charge;  ///< of each track, in units of the proton's

  /// Returns the number of tracks.
  int size() const { return parameters.size(); }

  /// Sets the number of states to n and allocates if the capacity is too small; see
  /// `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int n) {
    parameters.allocate(memory, n);
    covariance.allocate(memory, n);
    allocate_array(memory, charge, "Trackplex::Kalman::host_charge", std::size_t(n));
  }
  /// Returns the state of a track in double precision.
  TrackState<double, Model> state(int track) const {
    TrackState<double, Model> state;
    for (int p = 0; p < Parameter::count; ++p)
      state.parameters.elements[p] = double(parameters.const_view().element(track, p));
    for (int e = 0; e < Covariance<double>::size; ++e)
      state.covariance.elements[e] = double(covariance.const_view().element(track, e));
    state.charge = double(charge(std::size_t(track)));
    return state;
  }

  /// Sets the number of states, up to the capacity, without allocating.
  void set_size(int n) {
    parameters.set_size(n);
    covariance.set_size(n);
  }
};

namespace detail {
template <class From, class To, class F>
void for_each_array_of_states(const From& from, To& to, const F& f) {
  const auto n = std::size_t(from.size());
  f(from.parameters, to.parameters, "Trackplex::Kalman::parameters", n);
  f(from.covariance, to.covariance, "Trackplex::Kalman::covariance", n);
  f(from.charge, to.charge, "Trackplex::Kalman::charge", n);
}
}  // namespace detail

/// Lists the arrays for copies from the host; see core/copy.hpp.
template <class T, class MemorySpace, class Model, class F>
void for_each_array(const HostTrackStates<T, MemorySpace, Model>& from,
                    TrackStates<T, MemorySpace, Model>& to, const F& f) {
  detail::for_each_array_of_states(from, to, f);
}
/// Lists the arrays for copies to the host; see core/copy.hpp.
template <class T, class MemorySpace, class Model, class F>
void for_each_array(const TrackStates<T, MemorySpace, Model>& from,
                    HostTrackStates<T, MemorySpace, Model>& to, const F& f) {
  detail::for_each_array_of_states(from, to, f);
}

/// Returns copies of all states on the host, in double precision. Waits for the instance.
template <class ExecutionSpace, class T, class MemorySpace, class Model>
std::vector<TrackState<double, Model>> states_on_host(
    const ExecutionSpace& exec, const TrackStates<T, MemorySpace, Model>& states) {
  const auto copy = enqueue_copy<HostTrackStates<T, MemorySpace, Model>>(exec, states);
  exec.fence();
  std::vector<TrackState<double, Model>> list;
  for (int track = 0; track < states.size(); ++track) list.push_back(copy.state(track));
  return list;
}

}  // namespace trackplex::kalman
