// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step draws: random words, deflections, rotations, free paths.
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/montecarlo/source.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>
#include <trackplex/validation/lewis_moments.hpp>
#include <vector>

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using namespace trackplex::montecarlo;

namespace {

/// The draws of `n` steps of history `number`, one after the other.
template <class T>
std::vector<StepDraws<T>> draws_of(std::uint64_t seed, std::uint64_t number, int n) {
  const HistoryNumbers<T> history{std::uint32_t(number), std::uint32_t(number >> 32)};
  std::vector<StepDraws<T>> all;
  for (std::uint32_t block = 0; int(all.size()) < n; ++block) {
    const StepBlock<T> random(PhiloxKey(seed), block, history);
    for (int i = 0; i < StepBlock<T>::steps; ++i) all.push_back(random.draws(i));
  }
  return all;
}

/// p-value of the hypothesis that values follow a cumulated distribution.
template <class Cumulated>
double p_value_of(std::vector<double> values, const Cumulated& cumulated) {
  std::sort(values.begin(), values.end());
  const double n = double(values.size());
  double distance = 0.;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double f = cumulated(values[i]);
    distance = std::max({distance, std::abs(f - double(i) / n), std::abs(f - double(i + 1) / n)});
  }
  return validation::kolmogorov_p_value(std::sqrt(n) * distance);
}

template <class T>
Direction<T> direction_at(double cosine, double phi) {
  const double sine = std::sqrt(std::max(0., 1. - cosine * cosine));
  return {T(sine * std::cos(phi)), T(sine * std::sin(phi)), T(cosine)};
}

}  // namespace

TEST_CASE("all bits of a Philox block are used", "[montecarlo]") {
  const std::uint64_t seed = 0x299f31d0a4093822, number = 0x0370734413198a2e;
  const auto block =
      philox4x32_10(PhiloxBlock<std::uint32_t>{{5, 0, 0x13198a2e, 0x03707344}}, PhiloxKey(seed));
  const HistoryNumbers<double> history{0x13198a2e, 0x03707344};
  for (int i = 0; i < 4; ++i)
    CHECK(StepBlock<double>(PhiloxKey(seed), 5, history).block.word[i] == block.word[i]);

  const auto in_double = draws_of<double>(seed, number, 6)[5];
  CHECK(in_double.angle == block.word[0] * 0x1p-32 + block.word[1] * 0x1p-64);
  CHECK(in_double.path == block.word[2] * 0x1p-32 + 0x1p-33);
  CHECK(in_double.azimuth == block.word[3] * 0x1p-31);

  const auto in_float = draws_of<float>(seed, number, 12);
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t a = block.word[2 * i], b = block.word[2 * i + 1];
    CHECK(in_float[std::size_t(10 + i)].angle == float((a >> 8) * 0x1p-24 + 0x1p-25));
    CHECK(in_float[std::size_t(10 + i)].path == float((b >> 8) * 0x1p-24 + 0x1p-25));
    CHECK(in_float[std::size_t(10 + i)].azimuth ==
          float(((a & 0xffu) << 8 | (b & 0xffu)) * 0x1p-15));
  }
}

TEST_CASE("a source draws other numbers than the steps", "[montecarlo]") {
  const HistoryNumbers<double> history{7, 0};
  const PhiloxKey key(1);
  for (const unsigned number : {0u, 3u}) {
    const auto block = philox4x32_10(PhiloxBlock<std::uint32_t>{{number, 1, 7, 0}}, key);
    const SourceDraws<double> draws(key, history, number);
    CHECK(draws.first == block.word[2] * 0x1p-32 + 0x1p-33);
    CHECK(draws.second == block.word[0] * 0x1p-32 + block.word[1] * 0x1p-64);
  }
}

TEST_CASE("draws at the ends of their range", "[montecarlo]") {
  StepBlock<float> in_float(PhiloxKey(0), 0, {0, 0});
  StepBlock<double> in_double(PhiloxKey(0), 0, {0, 0});
  for (int i = 0; i < 4; ++i) in_float.block.word[i] = in_double.block.word[i] = 0;
  CHECK(in_float.draws(0).angle == 0x1p-25f);
  CHECK(in_float.draws(1).path == 0x1p-25f);
  CHECK(in_double.draws(0).angle == 0x1p-65);
  CHECK(in_double.draws(0).path == 0x1p-33);
  for (int i = 0; i < 4; ++i) in_float.block.word[i] = in_double.block.word[i] = 0xffffffffu;
  CHECK(in_float.draws(0).angle == 1.f);
  CHECK(in_float.draws(1).path == 1.f);
  CHECK(in_float.draws(1).azimuth < 2.f);
  CHECK(in_double.draws(0).angle < 1.);
  CHECK(in_double.draws(0).path < 1.);
  CHECK(in_double.draws(0).azimuth < 2.);
  // the whole range of deflections, and no step backwards
  CHECK(sample_deflection(1.f, 1e-4f) == 0.f);
  CHECK_THAT(sample_deflection(0x1p-65, 1e-4), WithinRel(2., 1e-12));
  CHECK(-log(1.f) == 0.f);
}

TEMPLATE_TEST_CASE("deflections follow the cross section", "[montecarlo]", float, double) {
  for (const double screening : {1.28e-4, 1.32e-3, 0.5, 30.}) {
    CAPTURE(screening);
    std::vector<double> mu;
    double sum = 0., sum2 = 0.;
    for (const auto& draws : draws_of<TestType>(3, 1, 200000)) {
      const double d = double(sample_deflection(draws.angle, TestType(screening)));
      CHECK((d >= 0. && d <= 2.));
      mu.push_back(d / 2.);
      sum += d;
      sum2 += d * d;
    }
    const auto cumulated = [&](double m) { return m * (1. + screening) / (m + screening); };
    CHECK(p_value_of(mu, cumulated) > 1e-3);
    // Where all deflections are about as likely, a small change cannot be told
    const double wrong = screening * (screening > 10. ? 4. : 1.05);
    CHECK(p_value_of(mu, [&](double m) { return m * (1. + wrong) / (m + wrong); }) < 1e-3);
    const double n = double(mu.size()), mean = sum / n;
    const double error = std::sqrt((sum2 / n - mean * mean) / n);
    CHECK(std::abs(mean - validation::lewis_moments(screening, 1.).g1) < 4. * error);
  }
}

TEMPLATE_TEST_CASE("free paths are exponential", "[montecarlo]", float, double) {
  std::vector<double> paths, azimuths;
  for (const auto& draws : draws_of<TestType>(5, 1ull << 40, 200000)) {
    paths.push_back(double(-log(draws.path)));
    azimuths.push_back(double(draws.azimuth));
  }
  CHECK(p_value_of(paths, [](double s) { return 1. - std::exp(-s); }) > 1e-3);
  CHECK(p_value_of(paths, [](double s) { return 1. - std::exp(-1.01 * s); }) < 1e-3);
  CHECK(p_value_of(azimuths, [](double phi) { return phi / 2.; }) > 1e-3);
}

TEMPLATE_TEST_CASE("a rotation keeps angle, azimuth and length", "[montecarlo]", float, double) {
  const double pi = std::numbers::pi;
  const double rounding = sizeof(TestType) == 4 ? 5e-7 : 1e-15;
  for (const double cosine : {1., 1. - 1e-12, 0.9, 1e-6, 0., -1e-6, -0.3, -1. + 1e-12, -1.})
    for (const double phi : {0., 1., 0.5 * pi, 3., 4., 6.}) {
      const auto v = direction_at<TestType>(cosine, phi);
      Direction<double> sum{0., 0., 0.};
      for (const double d : {0., 1e-9, 1e-3, 1., 1.7, 2.})
        for (int k = 0; k < 8; ++k) {
          CAPTURE(cosine, phi, d, k);
          const auto w = scattered(v, TestType(d), sincospi(TestType(k * 0.25)));
          const double wx = double(w.x), wy = double(w.y), wz = double(w.z);
          const double dot = double(v.x) * wx + double(v.y) * wy + double(v.z) * wz;
          CHECK_THAT(wx * wx + wy * wy + wz * wz, WithinAbs(1., 4. * rounding));
          CHECK_THAT(dot, WithinAbs(1. - d, 4. * rounding));
          if (d == 1.) sum = {sum.x + wx, sum.y + wy, sum.z + wz};
          // opposite azimuths are opposite to the old direction
          const auto u = scattered(v, TestType(d), sincospi(TestType(k * 0.25 + 1.)));
          CHECK_THAT(wx + double(u.x), WithinAbs(2. * (1. - d) * double(v.x), 8. * rounding));
          CHECK_THAT(wz + double(u.z), WithinAbs(2. * (1. - d) * double(v.z), 8. * rounding));
        }
      CHECK_THAT(sum.x, WithinAbs(0., 30. * rounding));
      CHECK_THAT(sum.y, WithinAbs(0., 30. * rounding));
      CHECK_THAT(sum.z, WithinAbs(0., 30. * rounding));
    }
}

TEMPLATE_TEST_CASE("small deflections are not lost", "[montecarlo]", float, double) {
  // sin theta of d = 1e-12 is 1.4e-6: far below what 1 - cos theta resolves in single precision
  const auto w = scattered(Direction<TestType>{0, 0, 1}, TestType(1e-12), sincospi(TestType(0)));
  CHECK_THAT(double(w.x), WithinRel(std::sqrt(2e-12), 1e-6));
}

TEMPLATE_TEST_CASE("many scatterings leave directions their length", "[montecarlo]", float,
                   double) {
  Direction<TestType> v{0, 0, 1};
  for (const auto& draws : draws_of<TestType>(11, 2, 100000))
    v = scattered(v, sample_deflection(draws.angle, TestType(1e-3)), sincospi(draws.azimuth));
  const double length =
      double(v.x) * double(v.x) + double(v.y) * double(v.y) + double(v.z) * double(v.z);
  CHECK_THAT(length, WithinAbs(1., sizeof(TestType) == 4 ? 5e-6 : 1e-14));
}
