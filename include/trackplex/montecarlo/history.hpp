// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/history_random.hpp>
#include <trackplex/montecarlo/screened_rutherford.hpp>

namespace trackplex::montecarlo {

/// Start of a history, in each lane: position in mean free paths, and direction of flight.
template <class Real>
struct Start {
  Real x,                     ///< Position along x, mean free paths.
      y,                      ///< Position along y, mean free paths.
      z;                      ///< Position along z, mean free paths.
  Direction<Real> direction;  ///< Direction of flight, of length 1.
};

/// End of a history: position in units of the limit of its track length, and final direction. `T`
/// is a scalar for tallies, which count one by one, or a number with an end in each lane.
template <class T>
struct End {
  T x,                         ///< Position along x, units of the limit.
      y,                       ///< Position along y, units of the limit.
      z;                       ///< Position along z, units of the limit.
  Direction<T> direction;      ///< Direction of flight after the last scattering.
  Rebind<T, int> scatterings;  ///< Number of scatterings of the history.
};

/// Histories in flight, one in each lane. Lengths in mean free paths.
template <class Real>
struct Walk {
  using Integer = IntegerOf<Real>;                   ///< Integer as wide as `Real`.
  using Mask = MaskOf<Real>;                         ///< Truth value of each lane.
  using Word = typename HistoryNumbers<Real>::Word;  ///< Word of the generator.

  Real x,                       ///< Position along x, mean free paths.
      y,                        ///< Position along y, mean free paths.
      z;                        ///< Position along z, mean free paths.
  Direction<Real> direction;    ///< Direction of flight.
  Real left;                    ///< Remaining track length, mean free paths; 0: ended.
  Integer scatterings;          ///< Number of scatterings so far.
  HistoryNumbers<Real> number;  ///< Number of the history.
  Word block;                   ///< Number of the next block of random numbers.

  /// Moves the histories by -ln u mean free paths and scatters them, or moves them to the limit
  /// if that comes first. Histories that have ended do not move.
  KOKKOS_FORCEINLINE_FUNCTION void step(const StepDraws<Real>& draws, const Real& screening) {
    const Real drawn = -log_of_normal(draws.path);
    const Mask scatters = drawn < left;
    const Real length = min(left, drawn);
    x = fma(length, direction.x, x);
    y = fma(length, direction.y, y);
    z = fma(length, direction.z, z);
    left = left - length;
    const Real deflection = select(scatters, sample_deflection(draws.angle, screening), Real(0));
    direction = scattered(direction, deflection, sincospi_of_positive(draws.azimuth));
    scatterings = select(scatters, scatterings + Integer(1), scatterings);
  }

  /// Makes the steps of one block of random numbers.
  KOKKOS_FORCEINLINE_FUNCTION void step_block(PhiloxKey key, const Real& screening) {
    const StepBlock<Real> random(key, block, number);
    for (int i = 0; i < StepBlock<Real>::steps; ++i) step(random.draws(i), screening);
    block = block + Word(1u);
  }
};

}  // namespace trackplex::montecarlo
