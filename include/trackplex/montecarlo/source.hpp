// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/history.hpp>

namespace trackplex::montecarlo {

/// @file
/// Sources: the starts of histories. A source is a function object that is copied to the device:
/// `source(key, history)` returns the `Start<Real>` of each lane's history from its number, with
/// random numbers of a substream that steps do not use (`SourceDraws`). Custom sources are
/// templates on `Real`. A direction has length 1. If starts spread over more than `max_limits`
/// limits of the track length, moments skip histories (see `MomentSums`).

/// Source of a pencil beam: all histories start at the origin, along z.
struct PencilSource {
  /// Returns the start of each lane's history.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Start<Real> operator()(PhiloxKey, const HistoryNumbers<Real>&) const {
    return {Real(0), Real(0), Real(0), {Real(0), Real(0), Real(1)}};
  }
};

/// Two random numbers of a history for its source, uniform in (0, 1], of 24 bits each in single
/// precision, of 32 and 53 bits in double precision. A source that needs more draws the next block.
template <class Real>
struct SourceDraws {
  Real first,  ///< Of 24 bits (float) or 32 bits (double).
      second;  ///< Of 24 bits (float) or 53 bits (double).

  /// Draws block number `block` of the source's substream of a history.
  KOKKOS_FORCEINLINE_FUNCTION SourceDraws(PhiloxKey key, const HistoryNumbers<Real>& history,
                                          unsigned block = 0) {
    using Word = typename HistoryNumbers<Real>::Word;
    const StepBlock<Real> random(key, Word(block), history, Word(1u));
    const auto draws = random.draws(0);
    first = draws.path;
    second = draws.angle;
  }
};

/// Source of a parallel beam along z with a uniform density over a disk around the origin, z = 0.
struct DiskSource {
  double radius = 0.;  ///< Radius of the disk, mean free paths.

  /// Returns the start of each lane's history.
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
