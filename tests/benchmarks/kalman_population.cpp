// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

#include "benchmarks/kalman/glibc_random.hpp"
#include "benchmarks/kalman/sample.hpp"

namespace trackplex::test {
namespace {

using namespace trackplex::benchmarks;

TEST_CASE("GlibcRandom gives the numbers of the GNU C library", "[kalman]") {
  GlibcRandom one(1);
  for (const int expected : {1804289383, 846930886, 1681692777, 1714636915, 1957747793})
    CHECK(one() == expected);
  GlibcRandom other(42);
  for (const int expected : {71876166, 708592740, 1483128881, 907283241, 442951012})
    CHECK(other() == expected);
}

TEST_CASE("PolarNormal gives normal deviates", "[kalman]") {
  PolarNormal<float> normal;
  constexpr int n = 200000;
  double sum = 0., squares = 0., fourth = 0.;
  for (int i = 0; i < n; ++i) {
    const double x = double(normal());
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  CHECK(std::abs(sum / n) < 4. / std::sqrt(double(n)));
  CHECK(std::abs(squares / n - 1.) < 4. * std::sqrt(2. / n));
  CHECK(std::abs(fourth / n - 3.) < 4. * std::sqrt(96. / n));
}

TEST_CASE("Copies that are not smeared are the sample, its covariance times 100", "[kalman]") {
  const auto sample = generate_sample(Surfaces::planes, 3, 1);
  const auto all = smeared_copies<float>(sample, 2, 3, 0.);
  REQUIRE(all.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t c = 0; c < track_components; ++c) {
      const bool in_covariance = c >= covariance_begin && c < charge_component;
      CHECK(all.tracks[i * track_components + c] ==
            float(sample.track[c]) * (in_covariance ? 100.f : 1.f));
    }
    for (std::size_t layer = 0; layer < 3; ++layer)
      for (std::size_t c = 0; c < hit_components; ++c)
        CHECK(all.hits[(i * 3 + layer) * hit_components + c] == float(sample.hits[layer][c]));
  }
}

TEST_CASE("Smeared copies differ by as much as they should", "[kalman]") {
  const auto sample = generate_sample(Surfaces::cylinders, 2, 1);
  const auto all = smeared_copies<double>(sample, 20000, 2, 1e-3);
  double squares = 0.;
  for (std::size_t i = 0; i < 20000; ++i) {
    const double relative = all.tracks[i * track_components] / sample.track[0] - 1.;
    squares += relative * relative;
  }
  CHECK(std::abs(std::sqrt(squares / 20000.) / 1e-3 - 1.) < 0.03);
}

}  // namespace
}  // namespace trackplex::test
