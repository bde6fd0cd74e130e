// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/random.hpp>

#include <cmath>
#include <cstdint>

namespace trackplex::simulation::detail {

/// Two independent numbers.
struct Pair {
  double first;
  double second;
};

/// Random numbers of the distributions that generators need, of one stream, by portable math only.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t stream) : stream_(seed, stream) {}

  /// Uniform in (0, 1), with 53 bits.
  double uniform() { return stream_.uniform(); }

  /// Uniform in (0, 1), with 32 bits: half the work.
  double coarse_uniform() { return (static_cast<double>(stream_.bits()) + 0.5) * 0x1p-32; }

  /// True with a probability, which is kept to 2^-32.
  bool happens(double probability) { return coarse_uniform() < probability; }

  /// Cosine and sine of a uniform angle.
  Pair direction() {
    const auto angle = trackplex::sincospi(2. * coarse_uniform());
    return {angle.cos, angle.sin};
  }

  /// Two standard normal numbers (Box and Muller), up to 6.7.
  Pair normal_pair() {
    const double radius = std::sqrt(-2. * trackplex::log(coarse_uniform()));
    const Pair unit = direction();
    return {radius * unit.first, radius * unit.second};
  }

  /// Exponential with mean 1, up to 22.
  double exponential() { return -trackplex::log(coarse_uniform()); }

  /// Poisson, as the number of exponential intervals that fit into `mean`; in parts, so that their
  /// product does not underflow.
  unsigned poisson(double mean) {
    unsigned count = 0;
    for (; mean > 0.; mean -= 16.) {
      const double limit = trackplex::exp(-(mean < 16. ? mean : 16.));
      for (double product = uniform(); product > limit; product *= uniform()) ++count;
    }
    return count;
  }

 private:
  RandomStream<double> stream_;
};

}  // namespace trackplex::simulation::detail
