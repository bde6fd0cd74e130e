// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/history.hpp>

namespace trackplex::montecarlo {

/// Sources: where histories begin. A source gives the start of each lane's history from its
/// number, with random numbers of a substream that steps do not use; users write their own.

/// All at the origin, along z.
struct PencilSource {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Start<Real> operator()(PhiloxKey, const HistoryNumbers<Real>&) const {
    return {Real(0), Real(0), Real(0), {Real(0), Real(0), Real(1)}};
  }
};

/// Two uniform numbers of a history for its source: not 0, with 24 (float) or 32 bits.
template <class Real>
struct SourceDraws {
  Real first, second;

  KOKKOS_FORCEINLINE_FUNCTION SourceDraws(PhiloxKey key, const HistoryNumbers<Real>& history) {
    using Word = typename HistoryNumbers<Real>::Word;
    const StepBlock<Real> block(key, Word(0u), history, Word(1u));
    const auto draws = block.draws(0);
    first = draws.path;
    second = draws.angle;
  }
};

/// Uniform over a disk around the origin, along z.
struct DiskSource {
  double radius = 0.;  ///< mean free paths

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Start<Real> operator()(PhiloxKey key,
                                                     const HistoryNumbers<Real>& history) const {
    const SourceDraws<Real> draws(key, history);
    const Real r = Real(ScalarOf<Real>(radius)) * sqrt(draws.first);
    const auto azimuth = sincospi(Real(2) * draws.second);
    return {r * azimuth.cos, r * azimuth.sin, Real(0), {Real(0), Real(0), Real(1)}};
  }
};

}  // namespace trackplex::montecarlo
