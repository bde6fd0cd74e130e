// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/random.hpp>

#include <type_traits>

namespace trackplex::montecarlo {

/// Numbers of histories, 64 bits of each lane in two words as the generator takes them.
template <class Real>
struct HistoryNumbers {
  using Word = typename RandomStream<Real>::Word;
  Word low, high;
};

/// Random numbers of one step of a history.
template <class Real>
struct StepDraws {
  Real path, angle;  ///< uniform in (0, 1]
  Real azimuth;      ///< in half turns, uniform in [0, 2)
};

/// Random numbers of the steps of a history: blocks of Philox4x32-10 with the counter {block,
/// substream, history}, all 128 bits of which are used. In single precision a block serves two
/// steps with 24 bits for path and angle each, and 16 for the azimuth; in double precision one
/// step with 32, 64 and 32 bits. A history draws the same numbers in any lane.
template <class Real>
struct StepBlock {
  using Word = typename HistoryNumbers<Real>::Word;
  using Integer = IntegerOf<Real>;
  static constexpr int steps = std::is_same_v<ScalarOf<Real>, float> ? 2 : 1;

  PhiloxBlock<Word> block;

  KOKKOS_FORCEINLINE_FUNCTION StepBlock(PhiloxKey key, const Word& number,
                                        const HistoryNumbers<Real>& history,
                                        const Word& substream = Word(0u))
      : block(philox4x32_10(PhiloxBlock<Word>{{number, substream, history.low, history.high}},
                            key)) {}

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
    } else {  // below 2^32: exact without a conversion of 64 bits
      return bit_cast<Real>(word | Word(0x4330000000000000u)) - Real(0x1p52);
    }
  }
  /// The middle of one of 2^24 intervals of (0, 1), rounded; that of the last one to 1.
  KOKKOS_FORCEINLINE_FUNCTION static Real unit24(const Word& word) {
    return fma(number(word), Real(0x1p-24f), Real(0x1p-25f));
  }
};

}  // namespace trackplex::montecarlo
