// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/matriplex/matriplex.hpp>

#include <cstddef>

namespace trackplex::kalman {

/// The states of many tracks as a kernel sees them.
template <class ParametersView, class CovarianceView, class ChargeView>
struct TrackStatesView {
  ParametersView parameters;
  CovarianceView covariance;
  ChargeView charge;

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION TrackState<Real> load(const Tile<Real>& tile) const {
    return {parameters.load(tile), covariance.load(tile), tile.load(charge.data())};
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile,
                                         const TrackState<Real>& state) const {
    parameters.store(tile, state.parameters);
    covariance.store(tile, state.covariance);
    tile.store(charge.data(), state.charge);
  }

  /// The same for tiles that need not begin at a multiple of the lanes, number by number.
  template <class Real>
  KOKKOS_FUNCTION TrackState<Real> load_anywhere(const Tile<Real>& tile) const {
    TrackState<Real> state;
    for (auto& number : state.parameters.elements) number = Real(0);
    for (auto& number : state.covariance.elements) number = Real(0);
    for (int lane = 0; lane < tile.count; ++lane) {
      for (int e = 0; e < Parameters<Real>::size; ++e)
        insert(state.parameters.elements[e], lane, parameters.element(tile.first + lane, e));
      for (int e = 0; e < Covariance<Real>::size; ++e)
        insert(state.covariance.elements[e], lane, covariance.element(tile.first + lane, e));
    }
    state.charge = tile.load(charge.data());
    return state;
  }
  template <class Real>
  KOKKOS_FUNCTION void store_anywhere(const Tile<Real>& tile, const TrackState<Real>& state) const {
    for (int lane = 0; lane < tile.count; ++lane) {
      for (int e = 0; e < Parameters<Real>::size; ++e)
        parameters.element(tile.first + lane, e) = extract(state.parameters.elements[e], lane);
      for (int e = 0; e < Covariance<Real>::size; ++e)
        covariance.element(tile.first + lane, e) = extract(state.covariance.elements[e], lane);
    }
    tile.store(charge.data(), state.charge);
  }
};

/// The states of many tracks.
template <class T, class MemorySpace>
struct TrackStates {
  Matriplex<T, Parameter::count, 1, MemorySpace> parameters{"Trackplex::Kalman::parameters"};
  SymMatriplex<T, Parameter::count, MemorySpace> covariance{"Trackplex::Kalman::covariance"};
  Kokkos::View<T*, MemorySpace> charge;

  int size() const { return parameters.size(); }

  /// Makes it n states; see `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int n) {
    parameters.allocate(memory, n);
    covariance.allocate(memory, n);
    allocate_array(memory, charge, "Trackplex::Kalman::charge", std::size_t(n));
  }

  auto view() {
    return TrackStatesView<decltype(parameters.view()), decltype(covariance.view()),
                           decltype(charge)>{parameters.view(), covariance.view(), charge};
  }
  auto const_view() const {
    using Charge = Kokkos::View<const T*, MemorySpace>;
    return TrackStatesView<decltype(parameters.const_view()), decltype(covariance.const_view()),
                           Charge>{parameters.const_view(), covariance.const_view(), charge};
  }
};

}  // namespace trackplex::kalman
