// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Counter-based random numbers: a value depends only on seed, stream, substream and the number of
/// words drawn before. An event, a particle or a history therefore draws the
/// same numbers on every backend, with every lane width and number of threads.

#include <trackplex/core/lanes.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/number.hpp>

#include <cstdint>
#include <type_traits>

namespace trackplex {

/// Four 32-bit words per lane: the counter or the result of a Philox block. `Word` is
/// `std::uint32_t`, lanes of it, or lanes of `std::uint64_t` whose upper halves are zero.
template <class Word>
struct PhiloxBlock {
  Word word[4];  ///< The words, lowest first.
};

/// 64-bit key of a Philox block: the seed of a random stream.
struct PhiloxKey {
  std::uint32_t word[2];  ///< Low and high half of the seed.

  PhiloxKey() = default;
  /// Splits a seed into its halves.
  KOKKOS_FUNCTION constexpr explicit PhiloxKey(std::uint64_t seed)
      : word{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}
};

namespace detail {
template <class Word>
KOKKOS_FORCEINLINE_FUNCTION void philox_product(Word a, std::uint32_t factor, Word& high,
                                                Word& low) {
  if constexpr (sizeof(ScalarOf<Word>) == 4) {
    multiply_wide(a, Word(factor), high, low);
  } else {
    low = multiply_low_halves(a, Word(factor));  // its upper half is dropped after the last round
    high = low >> 32;
  }
}

template <class Word>
KOKKOS_FORCEINLINE_FUNCTION void philox_round(Word (&x)[4], std::uint32_t key0,
                                              std::uint32_t key1) {
  Word high0, low0, high2, low2;
  philox_product(x[0], 0xD2511F53u, high0, low0);
  philox_product(x[2], 0xCD9E8D57u, high2, low2);
  x[0] = high2 ^ (x[1] ^ Word(key0));
  x[1] = low2;
  x[2] = high0 ^ (x[3] ^ Word(key1));
  x[3] = low0;
}

/// Philox4x32-10 of some blocks in place, with interleaved rounds; the upper halves of 64-bit words
/// are not dropped.
template <class... Word>
KOKKOS_FORCEINLINE_FUNCTION void philox_rounds(PhiloxKey key, Word (&... blocks)[4]) {
  std::uint32_t key0 = key.word[0], key1 = key.word[1];
  for (int two_rounds = 0; two_rounds < 5; ++two_rounds) {  // by two, the words need no moves
    for (int i = 0; i < 2; ++i) {
      (philox_round(blocks, key0, key1), ...);
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
  }
}

/// Philox4x32-10 in place.
template <class Word>
KOKKOS_FORCEINLINE_FUNCTION void philox4x32_10(Word (&x)[4], PhiloxKey key) {
  if constexpr (sizeof(ScalarOf<Word>) == 8) {
    philox_rounds(key, x);
    const Word low_half(0xffffffffu);
    for (auto& word : x) word = word & low_half;
  } else if constexpr (width_of<Word> < 4) {
    philox_rounds(key, x);
  } else {
    // even and odd lanes separately: a product is then one instruction, without shuffles
    using Wide = LanesOf<std::uint64_t, width_of<Word> / 2>;
    Wide even[4], odd[4];
    for (int i = 0; i < 4; ++i) {
      even[i] = as_pairs(x[i]);
      odd[i] = even[i] >> 32;
    }
    philox_rounds(key, even, odd);
    const Wide low_half(0xffffffffu);
    for (int i = 0; i < 4; ++i) x[i] = as_elements((even[i] & low_half) | (odd[i] << 32));
  }
}
}  // namespace detail

/// Computes a block of Philox4x32 with 10 rounds: a bijection of the 128-bit counter, keyed by 64
/// bits, that passes the test suite BigCrush.
///
/// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2,
/// 3", SC'11, doi:10.1145/2063384.2063405.
template <Number Word>
KOKKOS_FORCEINLINE_FUNCTION PhiloxBlock<Word> philox4x32_10(PhiloxBlock<Word> counter,
                                                            PhiloxKey key) {
  static_assert(std::is_same_v<ScalarOf<Word>, std::uint32_t> ||
                    std::is_same_v<ScalarOf<Word>, std::uint64_t>,
                "The words of a Philox counter are unsigned integers of 32 or 64 bits.");
  detail::philox4x32_10(counter.word, key);
  return counter;
}

/// Two independent numbers of the normal distribution with mean 0 and variance 1.
template <class Real>
struct NormalPair {
  Real first,  ///< One number.
      second;  ///< The other number.
};

/// Random numbers, one stream per lane (of an event, a particle, a history).
///
/// A stream consists of 32-bit words; block b of four is
/// `philox4x32_10({b, substream, stream & 0xffffffff, stream >> 32}, seed)`, and all words are
/// used. Every kind of draw uses a fixed number of words, independent of their values: the lanes
/// stay in step, and a lane draws the same numbers as a scalar with its stream, bit for bit. A
/// stream has 2^34 words.
template <RealNumber Real>
class RandomStream {
 public:
  /// 32 random bits in each lane, as wide as the lanes of `Real` if there are several.
  using Word = std::conditional_t<width_of<Real> == 1, std::uint32_t, UnsignedOf<Real>>;
  using Integer = IntegerOf<Real>;  ///< Integers, one in each lane.
  using Mask = MaskOf<Real>;        ///< Set of lanes.
  /// Number of a stream, one per lane: 64 bits, or 32 for lanes of `float`.
  using StreamNumber = std::conditional_t<width_of<Real> == 1, std::uint64_t, UnsignedOf<Real>>;

  RandomStream() = default;

  /// Starts the stream `stream` of each lane at its beginning. Substreams separate uses of random
  /// numbers within a stream, such as the stages of a simulation.
  KOKKOS_FUNCTION RandomStream(std::uint64_t seed, StreamNumber stream, std::uint32_t substream = 0)
      : key_(seed), substream_(substream) {
    split(stream, stream_low_, stream_high_);
  }
  /// The same for streams whose numbers have these low and high words, for 64-bit numbers in
  /// lanes of `float` too.
  KOKKOS_FUNCTION RandomStream(std::uint64_t seed, Word low, Word high, std::uint32_t substream)
      : stream_low_(low), stream_high_(high), key_(seed), substream_(substream) {}

  /// Draws 32 random bits (one word).
  KOKKOS_FUNCTION Word bits() {
    if (left_ == 0) refill();
    const Word next = words_[0];
    words_[0] = words_[1];  // a shift, not an index, keeps the words in registers
    words_[1] = words_[2];
    words_[2] = words_[3];
    --left_;
    return next;
  }

  /// Draws a number uniformly in the open interval (0, 1): k 2^-24 for `float` (one word),
  /// k 2^-53 for `double` (two words), with k = 0 replaced by 1/2.
  KOKKOS_FUNCTION Real uniform() {
    if constexpr (is_float) {
      const Real k = convert<Real>(bit_cast<Integer>(bits() >> 8));
      return max(k * Real(0x1p-24f), Real(0x1p-25f));
    } else {
      const Real low = as_real(bits() >> 11);
      const Real high = as_real(bits());
      return max(fma(high, Real(0x1p-32), low * Real(0x1p-53)), Real(0x1p-54));
    }
  }

  /// Draws a number uniformly between a and b; rounding may give b itself.
  KOKKOS_FUNCTION Real uniform(Real a, Real b) { return fma(uniform(), b - a, a); }

  /// Draws an integer from 0 to n - 1, for 0 < n < 2^31: the high half of word * n (one word). The
  /// probabilities differ from 1/n by less than 2^-32.
  KOKKOS_FUNCTION Integer below(Integer n) {
    if constexpr (width_of<Real> == 1) {
      return static_cast<Integer>((std::uint64_t{bits()} * static_cast<std::uint64_t>(n)) >> 32);
    } else if constexpr (is_float) {
      Word high, low;
      multiply_wide(bits(), bit_cast<Word>(n), high, low);
      return bit_cast<Integer>(high);
    } else {
      return bit_cast<Integer>(multiply_low_halves(bits(), bit_cast<Word>(n)) >> 32);
    }
  }

  /// Draws a number of the exponential distribution with mean 1: -log(uniform()).
  KOKKOS_FUNCTION Real exponential() { return -log(uniform()); }

  /// Draws two independent numbers of the normal distribution with mean 0 and variance 1, from two
  /// uniform ones.
  ///
  /// G. E. P. Box, M. E. Muller, Ann. Math. Statist. 29 (1958) 610, doi:10.1214/aoms/1177706645.
  /// The largest absolute values are 5.8 (float) and 8.6 (double).
  KOKKOS_FUNCTION NormalPair<Real> normal_pair() {
    const Real radius = sqrt(Real(-2) * log(uniform()));
    const auto angle = sincospi(Real(2) * uniform());
    return {radius * angle.cos, radius * angle.sin};
  }

  /// Draws a number of the normal distribution with mean 0 and variance 1: the first of a
  /// `normal_pair`, whose second is discarded.
  KOKKOS_FUNCTION Real normal() { return normal_pair().first; }

  /// Draws a number of the normal distribution with the given mean and standard deviation.
  KOKKOS_FUNCTION Real normal(Real mean, Real sigma) { return fma(normal(), sigma, mean); }

  /// Draws an integer of the Poisson distribution with the given mean, from one uniform number.
  ///
  /// The probabilities are subtracted from the uniform number in the order k0, k0 + 1, k0 - 1,
  /// k0 + 2, ... around k0 = floor(mean) (0 for means below 10), in about sqrt(mean) steps. For
  /// means up to 10^5 (float) or 10^9 (double); 0 for a mean that is not positive.
  KOKKOS_FUNCTION Integer poisson(Real mean) {
    mean = select(mean > Real(0), mean, Real(0));
    const Real k0 = select(mean < Real(10), Real(0), floor(mean));
    Real up = k0, up_probability = poisson_probability(k0, mean);
    Real down = k0, down_probability = up_probability;
    Real left = uniform() - up_probability;
    Real result = k0;
    Mask searching = left >= Real(0);
    while (any_of(searching)) {
      up = up + Real(1);
      up_probability = up_probability * (mean / up);
      down_probability = down_probability * (down / mean);
      down = down - Real(1);
      const Real after_up = left - up_probability;
      const Real after_down = after_up - down_probability;
      const Mask is_up = after_up < Real(0);
      const Mask is_down = !is_up && (after_down < Real(0));
      result = select(searching && is_up, up, select(searching && is_down, down, result));
      // Where the probabilities vanish, the remainder is a rounding error: it goes to k0.
      searching = searching && (after_down >= Real(0)) && (after_down < left);
      left = after_down;
    }
    return convert<Integer>(result);
  }

  /// Starts other streams at their beginning in the lanes of `mask`; the other lanes continue. All
  /// words of every block are still used, although the lanes are at different places of their
  /// blocks.
  KOKKOS_FUNCTION void restart(Mask mask, StreamNumber stream) {
    if (none_of(mask)) return;
    Word low, high;
    split(stream, low, high);
    stream_low_ = select(mask, low, stream_low_);
    stream_high_ = select(mask, high, stream_high_);
    if constexpr (width_of<Real> == 1) {
      block_ = 0;
      left_ = 0;
    } else {
      block_ = select(mask, Word(0u), block_);
      carried_ = select(mask, Word(0u), carried_);
      if (left_ == 0) return;
      // left_ words of the first block are used before the next refill, the others are carried
      // over.
      Word first[4];
      next_block(first);
      block_ = select(mask, Word(1u), block_);
      for (int i = 0; i < 4; ++i) words_[i] = select(mask, first[i], words_[i]);
      for (int i = 0; i < 3; ++i) carry_[i] = select(mask, first[i + 1], carry_[i]);
      carried_ = select(mask, Word(4u - left_), carried_);
      in_step_ = false;
    }
  }

 private:
  static KOKKOS_FUNCTION void split(StreamNumber stream, Word& low, Word& high) {
    if constexpr (width_of<Real> == 1) {
      low = static_cast<std::uint32_t>(stream);
      high = static_cast<std::uint32_t>(stream >> 32);
    } else if constexpr (is_float) {
      low = stream;
      high = Word(0u);
    } else {
      low = stream & Word(0xffffffffu);
      high = stream >> 32;
    }
  }

  /// e^-mean mean^k / k! for k = floor(mean) >= 10, by Stirling's series, or for k = 0.
  static KOKKOS_FUNCTION Real poisson_probability(Real k0, Real mean) {
    using S = ScalarOf<Real>;
    const Mask is_zero = k0 < Real(1);
    const Real k = select(is_zero, Real(10), k0);
    const Real inverse = Real(1) / k;
    const Real z = inverse * inverse;
    // log k! = k log k - k + log(2 pi k) / 2 + stirling
    const Real stirling =
        inverse * detail::polynomial(z, S(1) / S(12), S(-1) / S(360), S(1) / S(1260));
    // k x - k log(1 + x) for mean = k (1 + x), 0 <= x < 1/10
    const Real x = (mean - k) * inverse;
    const Real shift = k * x * x *
                       detail::polynomial(x, S(1) / S(2), S(-1) / S(3), S(1) / S(4), S(-1) / S(5),
                                          S(1) / S(6), S(-1) / S(7));
    constexpr S two_pi = is_float ? S(0x1.921fb6p+2f) : S(0x1.921fb54442d18p+2);
    const Real peak = exp(select(is_zero, -mean, -(stirling + shift)));
    return select(is_zero, peak, peak / sqrt(Real(two_pi) * k));
  }

  /// An integer below 2^32 as a double, exactly.
  static KOKKOS_FUNCTION Real as_real(Word k) {
    if constexpr (width_of<Real> == 1) {
      return static_cast<Real>(k);
    } else {
      return bit_cast<Real>(k | Word(0x4330000000000000u)) - Real(0x1p52);
    }
  }

  /// Computes the next block of words.
  KOKKOS_FORCEINLINE_FUNCTION void next_block(Word (&x)[4]) const {
    x[0] = block_;
    x[1] = Word(substream_);
    x[2] = stream_low_;
    x[3] = stream_high_;
    detail::philox4x32_10(x, key_);
  }

  KOKKOS_FUNCTION void refill() {
    Word x[4];
    next_block(x);
    block_ = block_ + Word(1u);
    if constexpr (width_of < Real >> 1) {
      if (!in_step_) rotate(x[0], x[1], x[2], x[3]);
    }
    for (int i = 0; i < 4; ++i) words_[i] = x[i];
    left_ = 4;
  }

  /// Lanes that carry c words of the previous block get these and the first 4 - c words of this
  /// block.
  KOKKOS_FUNCTION void rotate(Word& x0, Word& x1, Word& x2, Word& x3) {
    const Mask two = (carried_ & Word(2u)) != Word(0u);
    const Mask one = (carried_ & Word(1u)) != Word(0u);
    const Word from[5] = {select(two, carry_[0], carry_[2]), select(two, carry_[1], x0),
                          select(two, carry_[2], x1), select(two, x0, x2), select(two, x1, x3)};
    carry_[0] = x1;
    carry_[1] = x2;
    carry_[2] = x3;
    x0 = select(one, from[0], from[1]);
    x1 = select(one, from[1], from[2]);
    x2 = select(one, from[2], from[3]);
    x3 = select(one, from[3], from[4]);
  }

  static constexpr bool is_float = std::is_same_v<ScalarOf<Real>, float>;

  struct Nothing {
    Nothing() = default;
  };

  Word words_[4];  ///< the next words, left_ of which are valid
  Word block_{0u};
  Word stream_low_, stream_high_;
  PhiloxKey key_;
  std::uint32_t substream_ = 0;
  unsigned left_ = 0;
  bool in_step_ = true;  ///< no lane was restarted inside a block
  std::conditional_t<width_of<Real> == 1, Nothing, Word> carry_[3];  ///< last words of a block
  std::conditional_t<width_of<Real> == 1, Nothing, Word> carried_{};
};

}  // namespace trackplex
