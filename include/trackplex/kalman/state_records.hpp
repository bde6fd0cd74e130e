// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track states as records that kernels find by index.

#include <trackplex/core/quad.hpp>
#include <trackplex/kalman/track_state.hpp>

namespace trackplex::kalman {

/// Track states as consecutive records, for kernels that find states by index: a few transpositions
/// load those of all lanes. A record consists of the 6 parameters, the 21 elements of the
/// covariance and the charge, in seven quads.
/// @tparam Model meaning of the last three parameters
template <class T, TrackModel Model = CentralTrack>
struct StateRecords {
  static constexpr int quads = 7;  ///< quads of a record

  Quad<T>* data;  ///< first record, in memory of the caller

  /// Loads the record at `index` of each lane; every lane's index must be valid.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION TrackState<Real, Model> gather(const Integer& index) const {
    const Integer at = index * Integer(quads);
    Real numbers[4 * quads];
    for (int q = 0; q < quads; ++q) {
      const auto quad = gather_quads<Real>(data + q, at);
      numbers[4 * q] = quad.x;
      numbers[4 * q + 1] = quad.y;
      numbers[4 * q + 2] = quad.z;
      numbers[4 * q + 3] = quad.w;
    }
    TrackState<Real, Model> state;
    for (int i = 0; i < parameters; ++i) state.parameters.elements[i] = numbers[i];
    for (int i = 0; i < covariances; ++i) state.covariance.elements[i] = numbers[parameters + i];
    state.charge = numbers[parameters + covariances];
    return state;
  }

  /// Stores the states of the lanes of `mask` in the records at `index`; these indices must differ.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION void scatter(const Integer& index,
                                           const TrackState<Real, Model>& state,
                                           const MaskOf<Real>& mask) const {
    const Integer at = index * Integer(quads);
    Real numbers[4 * quads];
    for (int i = 0; i < parameters; ++i) numbers[i] = state.parameters.elements[i];
    for (int i = 0; i < covariances; ++i) numbers[parameters + i] = state.covariance.elements[i];
    numbers[parameters + covariances] = state.charge;
    for (int q = 0; q < quads; ++q)
      scatter_quads(
          data + q, at,
          Quad<Real>{numbers[4 * q], numbers[4 * q + 1], numbers[4 * q + 2], numbers[4 * q + 3]},
          mask);
  }

 private:
  static constexpr int parameters = Parameter::count;
  static constexpr int covariances = Parameter::count * (Parameter::count + 1) / 2;
};

}  // namespace trackplex::kalman
