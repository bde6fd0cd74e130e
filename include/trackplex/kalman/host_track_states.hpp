// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/host_copy.hpp>
#include <trackplex/kalman/track_states.hpp>

namespace trackplex::kalman {

/// Track states that the host reaches, in the same order in memory as those of a space.
template <class T, class MemorySpace>
struct HostTrackStates {
  typename Matriplex<T, Parameter::count, 1, MemorySpace>::HostMirror parameters{
      "Trackplex::Kalman::host_parameters"};
  typename SymMatriplex<T, Parameter::count, MemorySpace>::HostMirror covariance{
      "Trackplex::Kalman::host_covariance"};
  Kokkos::View<T*, Kokkos::HostSpace> charge;

  int size() const { return parameters.size(); }

  /// Room for n states; see `BasicMatriplex::reserve`.
  template <class Memory>
  void reserve(const Memory& memory, int n) {
    parameters.reserve(memory, n);
    covariance.reserve(memory, n);
    using trackplex::reserve;
    reserve(memory, charge, "Trackplex::Kalman::host_charge", std::size_t(n));
  }
  auto const_view() const {
    using Charge = Kokkos::View<const T*, Kokkos::HostSpace>;
    return TrackStatesView<decltype(parameters.const_view()), decltype(covariance.const_view()),
                           Charge>{parameters.const_view(), covariance.const_view(), charge};
  }

  /// There is room for them.
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

/// See core/host_copy.hpp.
template <class T, class MemorySpace, class F>
void for_each_array(const HostTrackStates<T, MemorySpace>& from, TrackStates<T, MemorySpace>& to,
                    const F& f) {
  detail::for_each_array_of_states(from, to, f);
}
template <class T, class MemorySpace, class F>
void for_each_array(const TrackStates<T, MemorySpace>& from, HostTrackStates<T, MemorySpace>& to,
                    const F& f) {
  detail::for_each_array_of_states(from, to, f);
}

}  // namespace trackplex::kalman
