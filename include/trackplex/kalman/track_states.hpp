// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// States of many tracks in the memory of a space.

#include <trackplex/core/allocate.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/matriplex/matriplex.hpp>

#include <concepts>
#include <cstddef>

namespace trackplex::kalman {

/// States of many tracks as kernels access them.
template <class ParametersView, class CovarianceView, class ChargeView,
          TrackModel Model = CentralTrack>
struct TrackStatesView {
  ParametersView parameters;  ///< view of a Matriplex of 6 x 1, one item per track
  CovarianceView covariance;  ///< view of a symmetric Matriplex of 6 x 6, one item per track
  ChargeView charge;          ///< one per track, in units of the proton's

  /// Loads the states of a tile of tracks; the tile begins at a multiple of its width.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION TrackState<Real, Model> load(const Tile<Real>& tile) const {
    return {parameters.load(tile), covariance.load(tile), tile.load(charge.data())};
  }
  /// Stores the states of a tile of tracks; the tile begins at a multiple of its width.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile,
                                         const TrackState<Real, Model>& state) const {
    parameters.store(tile, state.parameters);
    covariance.store(tile, state.covariance);
    tile.store(charge.data(), state.charge);
  }

  /// Loads the states of a tile that may begin at any track, element by element; lanes past the end
  /// of the tile are 0.
  template <class Real>
  KOKKOS_FUNCTION TrackState<Real, Model> load_anywhere(const Tile<Real>& tile) const {
    TrackState<Real, Model> state;
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
  /// Stores the states of a tile that may begin at any track, element by element.
  template <class Real>
  KOKKOS_FUNCTION void store_anywhere(const Tile<Real>& tile,
                                      const TrackState<Real, Model>& state) const {
    for (int lane = 0; lane < tile.count; ++lane) {
      for (int e = 0; e < Parameters<Real>::size; ++e)
        parameters.element(tile.first + lane, e) = extract(state.parameters.elements[e], lane);
      for (int e = 0; e < Covariance<Real>::size; ++e)
        covariance.element(tile.first + lane, e) = extract(state.covariance.elements[e], lane);
    }
    tile.store(charge.data(), state.charge);
  }
};

/// States of many tracks, tile by tile in a memory space.
template <class T, class MemorySpace, TrackModel TheModel = CentralTrack>
struct TrackStates {
  using Scalar = T;            ///< type of the numbers
  using Memory = MemorySpace;  ///< where the states are
  using Model = TheModel;      ///< meaning of the last three parameters
  /// Parameters of each track: position in cm, and the three of the model.
  Matriplex<T, Parameter::count, 1, MemorySpace> parameters{"Trackplex::Kalman::parameters"};
  /// Covariance of the parameters of each track.
  SymMatriplex<T, Parameter::count, MemorySpace> covariance{"Trackplex::Kalman::covariance"};
  /// Charge of each track, in units of the proton's.
  Kokkos::View<T*, MemorySpace> charge;

  /// Returns the number of tracks.
  int size() const { return parameters.size(); }

  /// Sets the number of states to n and allocates if the capacity is too small; see
  /// `BasicMatriplex::allocate`.
  template <class Memory>
  void allocate(const Memory& memory, int n) {
    parameters.allocate(memory, n);
    covariance.allocate(memory, n);
    allocate_array(memory, charge, "Trackplex::Kalman::charge", std::size_t(n));
  }

  /// Returns the view for kernels that write states.
  auto view() {
    return TrackStatesView<decltype(parameters.view()), decltype(covariance.view()),
                           decltype(charge), Model>{parameters.view(), covariance.view(), charge};
  }
  /// Returns the view for kernels that only read states.
  auto const_view() const {
    using Charge = Kokkos::View<const T*, MemorySpace>;
    return TrackStatesView<decltype(parameters.const_view()), decltype(covariance.const_view()),
                           Charge, Model>{parameters.const_view(), covariance.const_view(), charge};
  }
};

/// `TrackStates` in the memory of an execution space.
template <class States, class ExecutionSpace>
concept TrackStatesOf = std::same_as < States,
        TrackStates < typename States::Scalar, MemoryOf<ExecutionSpace>,
typename States::Model >> ;

}  // namespace trackplex::kalman
