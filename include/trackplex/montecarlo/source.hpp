// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/history.hpp>

namespace trackplex::montecarlo {

/// Sources: where histories begin. A source gives the start of each lane's history from its
/// number, with random numbers of a substream that steps do not use; users write their own. A
/// direction has length 1. Where the starts spread over more than 16 limits of the track length,
/// moments leave histories out (see `MomentSums`).

/// All at the origin, along z.
struct PencilSource {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Start<Real> operator()(PhiloxKey, const HistoryNumbers<Real>&) const {
    return {Real(0), Real(0), Real(0), {Real(0), Real(0), Real(1)}};
  }
};

/// Uniform numbers in (0, 1] of a history for its source: two with 24 bits (float), or 32 and 53. A
/// source that needs more takes the next block of them.
template <class Real>
struct SourceDraws {
  Real first, second;

  KOKKOS_FORCEINLINE_FUNCTION SourceDraws(PhiloxKey key, const HistoryNumbers<Real>& history,
                                          unsigned block = 0) {
    using Word = typename HistoryNumbers<Real>::Word;
    const StepBlock<Real> random(key, Word(block), history, Word(1u));
    const auto draws = random.draws(0);
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
