// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/bunch/reference_particle.hpp>

using namespace trackplex;
using namespace trackplex::beam;

TEST_CASE("delays of particles, far from the begin of the way", "[beam]") {
  for (const double p0 : {0.05, 1., 200., 1e5})
    for (const double path : {0., 1., 1e4})
      for (const double s : {-1e-3, 0., 2e-4})
        for (const double delta : {-0.2, -1e-6, 0., 1e-3, 0.1}) {
          CAPTURE(p0, path, s, delta);
          const trackplex::beam::ReferenceParticle reference{p0, path};
          const auto inverse_beta = [](long double p) { return std::sqrt(1.L + p * p) / p; };
          const long double p = p0 * (1.L + delta), w = inverse_beta(p), w0 = inverse_beta(p0);
          // w - w0, from w^2 - w0^2
          const long double excess = -(delta * (2.L + delta)) / (p * p) / (w + w0);
          CHECK(std::abs(excess - (w - w0)) <= 4e-19L * w0);
          const long double expected = s * w + path * excess;
          const double largest = std::abs(s * double(w)) + std::abs(path * double(excess));
          const double found = trackplex::beam::delay(reference, s, delta);
          CHECK(std::abs(found - expected) <= 2e-15 * largest);
          CHECK(std::abs(s_of_delay(reference, found, delta) - s) <= 2e-15 * largest);
          const float single = trackplex::beam::delay(reference, float(s), float(delta));
          CHECK(std::abs(single - expected) <= 1e-6 * largest);
        }
}
