// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

#include <array>
#include <cstdint>
#include <utility>

namespace trackplex::benchmarks {

/// The numbers of the GNU C library's rand(), everywhere and without its lock: an additive feedback
/// generator, x[i] = x[i - 3] + x[i - 31] modulo 2^32, whose lowest bit is dropped.
class GlibcRandom {
 public:
  static constexpr std::int32_t max = 0x7fffffff;

  explicit GlibcRandom(std::uint32_t seed = 1) {
    std::int64_t word = seed == 0 ? 1 : std::int32_t(seed);
    for (std::size_t i = 0; i < state_.size(); ++i) {
      state_[i] = std::uint32_t(word);
      word = 16807 * word % max;
      if (word < 0) word += max;
    }
    for (int i = 0; i < 310; ++i) (*this)();
  }

  std::int32_t operator()() {
    const std::uint32_t sum = state_[front_] += state_[back_];
    front_ = front_ + 1 == state_.size() ? 0 : front_ + 1;
    back_ = back_ + 1 == state_.size() ? 0 : back_ + 1;
    return std::int32_t(sum >> 1);
  }

 private:
  std::array<std::uint32_t, 31> state_;
  std::size_t front_ = 3, back_ = 0;
};

/// Normal deviates by Marsaglia's polar method, in the order in which p2z and p2r take them.
template <class Real>
class PolarNormal {
 public:
  explicit PolarNormal(std::uint32_t seed = 1) : random_(seed) {}

  Real operator()() {
    if (std::exchange(has_second_, !has_second_)) return second_;
    Real u, v, w;
    do {
      u = uniform();
      v = uniform();
      w = Real(double(u) * double(u) + double(v) * double(v));
    } while (w >= Real(1) || w == Real(0));
    const auto m = Real(trackplex::sqrt(-2. * trackplex::log(double(w)) / double(w)));
    second_ = v * m;
    return u * m;
  }

 private:
  /// In [-1, 1].
  Real uniform() { return Real(-1) + Real(random_()) / Real(GlibcRandom::max) * Real(2); }

  GlibcRandom random_;
  Real second_ = 0;
  bool has_second_ = false;
};

}  // namespace trackplex::benchmarks
