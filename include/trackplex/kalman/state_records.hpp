// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track states as records that kernels find by index.

#include <trackplex/core/quartet.hpp>
#include <trackplex/core/unroll.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <cstddef>

namespace trackplex::kalman {

/// Track states as consecutive records, for kernels that find states by index: a few transpositions
/// load the states of all lanes. A record consists of the 6 parameters, the 21 elements of the
/// covariance and the charge, in seven quartets.
/// @tparam Model meaning of the last three parameters
template <class T, TrackModel Model = CentralTrack>
struct StateRecords {
  static constexpr int quartets = 7;  ///< quartets of a record

  Quartet<T>* data;  ///< first record, in memory that the caller provides

  /// Loads the record at `index` of each lane; every lane's index must be valid.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION TrackState<Real, Model> gather(const Integer& index) const {
    const Integer at = index * Integer(quartets);
    TrackState<Real, Model> state;
    trackplex::detail::for_each_index<quartets>([&]<int Q>() TRACKPLEX_INLINE_LAMBDA {
      const auto quartet = gather_quartets<Real>(data + Q, at);
      number<4 * Q>(state) = quartet.x;
      number<4 * Q + 1>(state) = quartet.y;
      number<4 * Q + 2>(state) = quartet.z;
      number<4 * Q + 3>(state) = quartet.w;
    });
    return state;
  }

  /// Stores the states of all W lanes in consecutive records from `first` on.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(int first, const TrackState<Real, Model>& state) const {
    Quartet<T>* const to = data + std::size_t(first) * quartets;
    trackplex::detail::for_each_index<quartets>([&]<int Q>() TRACKPLEX_INLINE_LAMBDA {
      store_quartets_apart(to + Q, quartets,
                           Quartet<Real>{number<4 * Q>(state), number<4 * Q + 1>(state),
                                         number<4 * Q + 2>(state), number<4 * Q + 3>(state)});
    });
  }

 private:
  static constexpr int parameters = Parameter::count;
  static constexpr int covariances = Parameter::count * (Parameter::count + 1) / 2;

  /// The numbers of a record, in order.
  template <int I, class State>
  KOKKOS_FORCEINLINE_FUNCTION static auto& number(State& state) {
    if constexpr (I < parameters) {
      return state.parameters.elements[I];
    } else if constexpr (I < parameters + covariances) {
      return state.covariance.elements[I - parameters];
    } else {
      return state.charge;
    }
  }
};

}  // namespace trackplex::kalman
