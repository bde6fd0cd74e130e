// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/random.hpp>

#include <type_traits>

namespace trackplex::montecarlo {

/// 64-bit number of the history in each lane, as the two 32-bit words of the generator's counter.
template <class Real>
struct HistoryNumbers {
  using Word = typename RandomStream<Real>::Word;  ///< Word of the generator, or one in each lane.
  Word low,                                        ///< Bits 0 to 31.
      high;                                        ///< Bits 32 to 63.
};

/// Random numbers of one step of a history, in each lane.
template <class Real>
struct StepDraws {
  Real path,     ///< For the length of the step, uniform in (0, 1].
      angle;     ///< For the polar angle of the scattering, uniform in (0, 1].
  Real azimuth;  ///< Azimuth of the scattering in half turns (units of pi), uniform in [0, 2).
};

/// Block of random numbers for the steps of a history, in each lane: Philox4x32-10 (J. K. Salmon
/// et al., SC11, 2011) with the counter {block, substream, history} and the seed as its key. All
/// 128 bits are used: in single precision for two steps with 24 bits for path and angle each, and
/// 16 for the azimuth; in double precision for one step with 32, 64 and 32 bits. A history draws
/// the same numbers in any lane, thread and backend.
template <class Real>
struct StepBlock {
  using Word = typename HistoryNumbers<Real>::Word;  ///< Word of the generator.
  using Integer = IntegerOf<Real>;                   ///< Integer as wide as `Real`.
  /// Number of steps that one block serves: 2 in single, 1 in double precision.
  static constexpr int steps = std::is_same_v<ScalarOf<Real>, float> ? 2 : 1;

  PhiloxBlock<Word> block;  ///< The 128 random bits, four words of 32.

  /// Computes block `number` of a history. Steps use substream 0, sources substream 1.
  KOKKOS_FORCEINLINE_FUNCTION StepBlock(PhiloxKey key, const Word& number,
                                        const HistoryNumbers<Real>& history,
                                        const Word& substream = Word(0u))
      : block(philox4x32_10(PhiloxBlock<Word>{{number, substream, history.low, history.high}},
                            key)) {}

  /// Returns the random numbers of a step of this block, counted from 0 to `steps` - 1.
  KOKKOS_FORCEINLINE_FUNCTION StepDraws<Real> draws([[maybe_unused]] int step) const {
    if constexpr (steps == 2) {
      const Word a = step == 0 ? block.word[0] : block.word[2];
      const Word b = step == 0 ? block.word[1] : block.word[3];
      const Word rest = ((a & Word(0xffu)) << 8) | (b & Word(0xffu));
      return {unit24(b >> 8), unit24(a >> 8), number(rest) * Real(0x1p-15f)};
    } else {
      const Real angle =
          fma(number(block.word[0]), Real(0x1p-32), number(block.word[1]) * Real(0x1p-64));
      return {fma(number(block.word[2]), Real(0x1p-32), Real(0x1p-33)),
              min(max(angle, Real(0x1p-65)), Real(1. - 0x1p-53)),
              number(block.word[3]) * Real(0x1p-31)};
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Real number(const Word& word) {
    if constexpr (width_of<Real> == 1) {
      return static_cast<Real>(word);
    } else if constexpr (steps == 2) {
      return convert<Real>(bit_cast<Integer>(word));
    } else {  // below 2^32: exact without a 64-bit conversion
      return bit_cast<Real>(word | Word(0x4330000000000000u)) - Real(0x1p52);
    }
  }
  /// Returns the midpoint of one of 2^24 intervals of (0, 1); the last midpoint rounds to 1.
  KOKKOS_FORCEINLINE_FUNCTION static Real unit24(const Word& word) {
    return fma(number(word), Real(0x1p-24f), Real(0x1p-25f));
  }
};

}  // namespace trackplex::montecarlo
