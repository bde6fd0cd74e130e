// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/history_random.hpp>
#include <trackplex/montecarlo/screened_rutherford.hpp>

namespace trackplex::montecarlo {

/// Where a history begins. Lengths in mean free paths.
template <class Real>
struct Start {
  Real x, y, z;
  Direction<Real> direction;
};

/// Where a history ended. Lengths in units of the limit of its track length.
template <class T>
struct End {
  T x, y, z;
  Direction<T> direction;
  int scatterings;
};

/// Histories in flight, one in each lane.
template <class Real>
struct Walk {
  using Integer = IntegerOf<Real>;
  using Mask = MaskOf<Real>;
  using Word = typename HistoryNumbers<Real>::Word;

  Real x, y, z;  ///< mean free paths
  Direction<Real> direction;
  Real left;            ///< track length to the limit, mean free paths; 0: ended
  Integer scatterings;  ///< so far
  HistoryNumbers<Real> number;
  Word block;  ///< of random numbers, next

  /// To the next scattering, which is done, or to the limit. Walks that have ended stay.
  KOKKOS_FORCEINLINE_FUNCTION void step(const StepDraws<Real>& draws, const Real& screening) {
    const Real drawn = -log(draws.path);
    const Mask scatters = drawn < left;
    const Real length = min(left, drawn);
    x = fma(length, direction.x, x);
    y = fma(length, direction.y, y);
    z = fma(length, direction.z, z);
    left = left - length;
    const Direction<Real> turned =
        scattered(direction, sample_deflection(draws.angle, screening), sincospi(draws.azimuth));
    direction.x = select(scatters, turned.x, direction.x);
    direction.y = select(scatters, turned.y, direction.y);
    direction.z = select(scatters, turned.z, direction.z);
    scatterings = select(scatters, scatterings + Integer(1), scatterings);
  }

  /// The steps of one block of random numbers.
  KOKKOS_FORCEINLINE_FUNCTION void step_block(PhiloxKey key, const Real& screening) {
    const StepBlock<Real> random(key, block, number);
    for (int i = 0; i < StepBlock<Real>::steps; ++i) step(random.draws(i), screening);
    block = block + Word(1u);
  }
};

}  // namespace trackplex::montecarlo
