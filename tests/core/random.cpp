// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/random.hpp>
#include <vector>

#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

using Words = std::array<std::uint32_t, 4>;

template <class Word>
Words philox_words(Words counter, PhiloxKey key, int lane) {
  PhiloxBlock<Word> block;
  for (int i = 0; i < 4; ++i) {
    // other lanes compute other blocks
    block.word[i] = lane_index<Word>() * Word(7u) + Word(counter[i]) - Word(7u * unsigned(lane));
    if constexpr (sizeof(ScalarOf<Word>) == 8) block.word[i] = block.word[i] & Word(0xffffffffu);
  }
  block = philox4x32_10(block, key);
  Words result;
  for (int i = 0; i < 4; ++i) result[i] = static_cast<std::uint32_t>(extract(block.word[i], lane));
  return result;
}

/// Bits of a number, so that a comparison is exact and sees signs of zero.
template <class T>
auto bits_of_number(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return bit_cast<IntegerOf<T>>(x);
  } else {
    return static_cast<std::int64_t>(x);
  }
}

/// How many lanes of `a` differ from the scalar values.
template <class N, class Scalars>
int differences(const N& a, const Scalars& scalars) {
  int count = 0;
  for (int lane = 0; lane < width_of<N>; ++lane)
    count += bits_of_number(extract(a, lane)) != bits_of_number(scalars[lane]);
  return count;
}

struct Moments {
  double count = 0, sum = 0, squares = 0, cubes = 0;
  void add(double x) {
    ++count;
    sum += x;
    squares += x * x;
    cubes += x * x * x;
  }
  double mean() const { return sum / count; }
  double variance() const { return squares / count - mean() * mean(); }
};

/// (chi2 - degrees of freedom) / its standard deviation.
double chi2_pull(const std::vector<double>& observed, const std::vector<double>& expected) {
  double chi2 = 0;
  for (std::size_t i = 0; i < observed.size(); ++i)
    chi2 += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
  const double freedom = double(observed.size()) - 1;
  return (chi2 - freedom) / std::sqrt(2 * freedom);
}

}  // namespace

TEMPLATE_TEST_CASE("Philox4x32-10 gives the known answers", "[random]", std::uint32_t,
                   (Lanes<std::uint32_t, 2>), (Lanes<std::uint32_t, 4>), (Lanes<std::uint32_t, 8>),
                   (Lanes<std::uint32_t, 16>), std::uint64_t, (Lanes<std::uint64_t, 2>),
                   (Lanes<std::uint64_t, 4>), (Lanes<std::uint64_t, 8>)) {
  // From the authors' reference implementation, Random123.
  for (int lane = 0; lane < width_of<TestType>; ++lane) {
    CHECK(philox_words<TestType>({0, 0, 0, 0}, PhiloxKey(0), lane) ==
          Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    const auto ones = ~0u;
    CHECK(philox_words<TestType>({ones, ones, ones, ones}, PhiloxKey(~std::uint64_t{0}), lane) ==
          Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox_words<TestType>({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                 PhiloxKey(0x299f31d0a4093822),
                                 lane) == Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  }
}

TEST_CASE("A random stream uses all words of its blocks in order", "[random]") {
  const std::uint64_t seed = 0x0123456789abcdef, stream = 0xfedcba9876543210;
  RandomStream<float> random(seed, stream, 5);
  for (std::uint32_t b = 0; b < 3; ++b) {
    const auto block = philox4x32_10(
        PhiloxBlock<std::uint32_t>{{b, 5, std::uint32_t(stream), std::uint32_t(stream >> 32)}},
        PhiloxKey(seed));
    for (auto word : block.word) CHECK(random.bits() == word);
  }
}

TEST_CASE("Uniform numbers come from the upper bits of their words", "[random]") {
  RandomStream<float> floats(1, 2);
  RandomStream<double> doubles(1, 2);
  RandomStream<float> words(1, 2);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t first = words.bits(), second = words.bits();
    CHECK(floats.uniform() == float(first >> 8) * 0x1p-24f);
    CHECK(floats.uniform() == float(second >> 8) * 0x1p-24f);
    CHECK(doubles.uniform() == double((second << 32 | first) >> 11) * 0x1p-53);
  }
}

TEMPLATE_TEST_CASE("A lane draws what the scalar stream of its number draws", "[random]",
                   (Lanes<float, 2>), (Lanes<float, 4>), (Lanes<float, 8>), (Lanes<float, 16>),
                   (Lanes<double, 2>), (Lanes<double, 4>), (Lanes<double, 8>)) {
  using Scalar = ScalarOf<TestType>;
  using Integer = IntegerOf<TestType>;
  using StreamNumber = typename RandomStream<TestType>::StreamNumber;
  constexpr int width = width_of<TestType>;
  const std::uint64_t seed = 987654321012345;

  StreamNumber streams = lane_index<StreamNumber>() * StreamNumber(1000003u) + StreamNumber(17u);
  RandomStream<TestType> lanes(seed, streams, 3);
  std::array<RandomStream<Scalar>, width> scalars;
  for (int i = 0; i < width; ++i) scalars[i] = {seed, extract(streams, i), 3};

  const auto each = [&](auto draw) {
    std::array<decltype(draw(scalars[0], Scalar(1))), width> values;
    for (int i = 0; i < width; ++i) values[i] = draw(scalars[i], Scalar(1 + i * i));
    return values;
  };
  const TestType means = [] {
    TestType m;
    for (int i = 0; i < width; ++i) insert(m, i, Scalar(1 + i * i));
    return m;
  }();
  RandomStream<float> choice(4, 4);
  int wrong = 0;
  for (int i = 0; i < 3000; ++i) {
    switch (extract(choice.below(7), 0)) {
      case 0:
        wrong += differences(lanes.bits(), each([](auto& r, Scalar) { return r.bits(); }));
        break;
      case 1:
        wrong += differences(lanes.uniform(), each([](auto& r, Scalar) { return r.uniform(); }));
        break;
      case 2:
        wrong += differences(lanes.below(Integer(1000)),
                             each([](auto& r, Scalar) { return r.below(1000); }));
        break;
      case 3:
        wrong +=
            differences(lanes.exponential(), each([](auto& r, Scalar) { return r.exponential(); }));
        break;
      case 4: {
        const auto pair = lanes.normal_pair();
        const auto pairs = each([](auto& r, Scalar) { return r.normal_pair(); });
        for (int lane = 0; lane < width; ++lane) {
          wrong += extract(pair.first, lane) != pairs[lane].first;
          wrong += extract(pair.second, lane) != pairs[lane].second;
        }
        break;
      }
      case 5:
        wrong += differences(lanes.poisson(means),
                             each([](auto& r, Scalar mean) { return r.poisson(mean); }));
        break;
      default: {  // some lanes go on with other streams
        const auto mask = lanes.uniform() < TestType(Scalar(0.25));
        streams = streams + select(mask, StreamNumber(12345u), StreamNumber(0u));
        lanes.restart(mask, streams);
        each([](auto& r, Scalar) { return r.uniform(); });
        for (int lane = 0; lane < width; ++lane)
          if (extract(mask, lane)) scalars[lane].restart(true, extract(streams, lane));
      }
    }
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("Uniform numbers are uniform", "[random]", float, double) {
  const int streams = 1000, draws = 1000, bins = 100;
  std::vector<double> histogram(bins), pairs(bins), expected(bins, streams * draws / double(bins));
  Moments moments;
  bool inside = true;
  for (int s = 0; s < streams; ++s) {
    RandomStream<TestType> random(2026, std::uint64_t(s));
    TestType previous = TestType(0.5);
    for (int i = 0; i < draws; ++i) {
      const TestType u = random.uniform();
      inside = inside && u > 0 && u < 1;
      moments.add(double(u));
      ++histogram[int(u * bins)];
      ++pairs[int(previous * 10) * 10 + int(u * 10)];  // successive numbers are independent
      previous = u;
    }
  }
  CHECK(inside);
  // Mean and variance within 4 standard deviations, chi2 within 4 of its own.
  CHECK(std::abs(moments.mean() - 0.5) < 4 * std::sqrt(1 / 12. / moments.count));
  CHECK(std::abs(moments.variance() - 1 / 12.) < 4 * std::sqrt(1 / 180. / moments.count));
  CHECK(std::abs(chi2_pull(histogram, expected)) < 4);
  CHECK(std::abs(chi2_pull(pairs, expected)) < 4);

  RandomStream<TestType> random(1, 1);
  for (int i = 0; i < 1000; ++i) {
    const TestType u = random.uniform(TestType(-3), TestType(5));
    CHECK((u >= -3 && u <= 5));
  }
}

TEMPLATE_TEST_CASE("Integers below n are uniform", "[random]", float, double) {
  const int n = 77, draws = 770000;
  std::vector<double> histogram(n), expected(n, draws / double(n));
  RandomStream<TestType> random(11, 22);
  for (int i = 0; i < draws; ++i) ++histogram.at(std::size_t(random.below(n)));
  CHECK(std::abs(chi2_pull(histogram, expected)) < 4);
  for (int i = 0; i < 100; ++i) CHECK(random.below(1) == 0);
}

TEMPLATE_TEST_CASE("Normal and exponential numbers follow their distributions", "[random]", float,
                   double) {
  const int draws = 400000, bins = 50;
  Moments normal, exponential;
  double product = 0;
  std::vector<double> normal_bins(bins), exponential_bins(bins);
  const std::vector<double> expected(bins, draws / double(bins)), twice(bins, 2. * draws / bins);
  RandomStream<TestType> random(5, 6);
  for (int i = 0; i < draws; ++i) {
    const auto pair = random.normal_pair();
    for (const double x : {double(pair.first), double(pair.second)}) {
      normal.add(x);
      // the distribution function makes it uniform
      ++normal_bins.at(std::size_t(bins * 0.5 * std::erfc(-x / std::numbers::sqrt2)));
    }
    product += double(pair.first) * double(pair.second);
    const double e = double(random.exponential());
    exponential.add(e);
    ++exponential_bins.at(std::size_t(bins * std::exp(-e) * (1 - 1e-12)));
  }
  CHECK(std::abs(normal.mean()) < 4 / std::sqrt(normal.count));
  CHECK(std::abs(normal.variance() - 1) < 4 * std::sqrt(2 / normal.count));
  CHECK(std::abs(normal.cubes / normal.count) < 4 * std::sqrt(15 / normal.count));
  CHECK(std::abs(product) < 4 * std::sqrt(double(draws)));
  CHECK(std::abs(chi2_pull(normal_bins, twice)) < 4);
  CHECK(std::abs(exponential.mean() - 1) < 4 / std::sqrt(exponential.count));
  CHECK(std::abs(exponential.variance() - 1) < 4 * std::sqrt(8 / exponential.count));
  CHECK(std::abs(chi2_pull(exponential_bins, expected)) < 4);
  Moments scaled;
  for (int i = 0; i < 10000; ++i) scaled.add(double(random.normal(TestType(7), TestType(0.5))));
  CHECK(std::abs(scaled.mean() - 7) < 4 * 0.5 / 100);
}

TEMPLATE_TEST_CASE("Poisson numbers follow their distribution", "[random]", float, double) {
  for (const double mean : {0.1, 1., 5., 9.99, 10., 12.7, 50., 1000.3}) {
    CAPTURE(mean);
    const int draws = 100000;
    const int low = int(std::max(0., mean - 3 * std::sqrt(mean)));
    const int high = int(mean + 3 * std::sqrt(mean) + 1);
    std::vector<double> histogram(std::size_t(high - low + 1)), expected(histogram.size());
    for (int k = low; k <= high; ++k)  // the tails fall into the outer bins
      expected[std::size_t(k - low)] =
          draws * std::exp(-mean + k * std::log(mean) - std::lgamma(k + 1.));
    double inner = 0;
    for (int k = low + 1; k < high; ++k) inner += expected[std::size_t(k - low)];
    double below = 0;
    for (int k = 0; k <= low; ++k)
      below += draws * std::exp(-mean + k * std::log(mean) - std::lgamma(k + 1.));
    expected.front() = below;
    expected.back() = draws - inner - below;

    RandomStream<TestType> random(31, 41);
    Moments moments;
    for (int i = 0; i < draws; ++i) {
      const int k = int(random.poisson(TestType(mean)));
      moments.add(k);
      ++histogram[std::size_t(std::clamp(k, low, high) - low)];
    }
    CHECK(std::abs(moments.mean() - mean) < 4 * std::sqrt(mean / draws));
    CHECK(std::abs(moments.variance() / mean - 1) < 4 * std::sqrt((2 + 1 / mean) / draws));
    CHECK(std::abs(chi2_pull(histogram, expected)) < 4);
  }
  RandomStream<TestType> random(1, 1);
  CHECK(random.poisson(TestType(0)) == 0);
  CHECK(random.poisson(TestType(-1)) == 0);
}

namespace {

/// Every kind of draw from stream s.
template <class Real, class Space>
struct DrawAll {
  static constexpr int values = 8;
  using Values = Kokkos::View<Real* [values], Kokkos::LayoutRight, MemoryOf<Space>>;
  Values out;

  KOKKOS_FUNCTION void operator()(int s) const {
    RandomStream<Real> random(99, std::uint64_t(s));
    out(s, 0) = random.uniform();
    out(s, 1) = random.normal();
    out(s, 2) = random.exponential();
    out(s, 3) = Real(random.below(1000));
    out(s, 4) = Real(random.poisson(Real(s)));
    random.restart(s % 2 == 0, 7);
    const auto pair = random.normal_pair();
    out(s, 5) = pair.first;
    out(s, 6) = pair.second;
    out(s, 7) = random.uniform(Real(1), Real(2));
  }
};

template <class Real, class Space>
void check_draws_on_space() {
  const int streams = 300;
  const Space space;
  using SpaceDraw = DrawAll<Real, Space>;
  const SpaceDraw draw{typename SpaceDraw::Values("Trackplex::Test::random", streams)};
  for_each_item(space, "Trackplex::Test::random", streams, draw);
  const auto drawn = Kokkos::create_mirror_view(draw.out);
  deep_copy(space, drawn, draw.out);
  space.fence();

  using Host = HostExecutor;
  using HostDraw = DrawAll<Real, Host>;
  const HostDraw host{typename HostDraw::Values("Trackplex::Test::random", streams)};
  int wrong = 0;
  for (int s = 0; s < streams; ++s) {
    host(s);
    for (int i = 0; i < host.values; ++i)
      wrong += bits_of_number(drawn(s, i)) != bits_of_number(host.out(s, i));
  }
  CHECK(wrong == 0);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Random numbers are the same on every space", "[random]", EnabledSpaces) {
  check_draws_on_space<float, TestType>();
  check_draws_on_space<double, TestType>();
}

}  // namespace trackplex::test
