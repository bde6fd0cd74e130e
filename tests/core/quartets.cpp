// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>
#include <trackplex/core/quartet.hpp>
#include <tuple>
#include <vector>

using namespace trackplex;

namespace {

constexpr int n_records = 50;

template <class T>
std::vector<Quartet<T>> numbered_records() {
  std::vector<Quartet<T>> records;
  for (int i = 0; i < n_records; ++i)
    records.push_back({T(4 * i), T(4 * i + 1), T(4 * i + 2), T(4 * i + 3)});
  return records;
}

template <class T>
bool same(const Quartet<T>& a, const Quartet<T>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

template <class Integer>
Integer in_lanes(const std::vector<int>& numbers) {
  Integer lanes = 0;
  for (int lane = 0; lane < width_of<Integer>; ++lane)
    insert(lanes, lane, ScalarOf<Integer>(numbers[std::size_t(lane)]));
  return lanes;
}

using Numbers =
    std::tuple<float, LanesOf<float, 4>, LanesOf<float, 8>, LanesOf<float, 16>, double,
               LanesOf<double, 2>, LanesOf<double, 4>, LanesOf<double, 8>, LanesOf<double, 16>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("quartets are gathered by index", "[core]", Numbers) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  const auto records = numbered_records<T>();
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    std::vector<int> index;
    for (int lane = 0; lane < width_of<Real>; ++lane)
      index.push_back(int(random() % unsigned(n_records)));  // some of them equal
    const auto quartet = gather_quartets<Real>(records.data(), in_lanes<IntegerOf<Real>>(index));
    for (int lane = 0; lane < width_of<Real>; ++lane) {
      const Quartet<T> of_lane{extract(quartet.x, lane), extract(quartet.y, lane),
                               extract(quartet.z, lane), extract(quartet.w, lane)};
      REQUIRE(same(of_lane, records[std::size_t(index[std::size_t(lane)])]));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("four numbers side by side are gathered from anywhere", "[core]", Numbers) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  std::vector<T> numbers(n_records);
  std::iota(numbers.begin(), numbers.end(), T(0));
  std::mt19937 random(9);
  for (int round = 0; round < 100; ++round) {
    std::vector<int> index;
    for (int lane = 0; lane < width_of<Real>; ++lane)
      index.push_back(int(random() % unsigned(n_records - 3)));
    const auto four = gather_four<Real>(numbers.data(), in_lanes<IntegerOf<Real>>(index));
    for (int lane = 0; lane < width_of<Real>; ++lane) {
      const Quartet<T> of_lane{extract(four.x, lane), extract(four.y, lane), extract(four.z, lane),
                               extract(four.w, lane)};
      const T first = T(index[std::size_t(lane)]);
      REQUIRE(same(of_lane, Quartet<T>{first, first + 1, first + 2, first + 3}));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("quartets are scattered where the mask is set, and nowhere else", "[core]",
                        Numbers) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  constexpr int width = width_of<Real>;
  std::mt19937 random(8);
  std::vector<int> index(n_records);
  std::iota(index.begin(), index.end(), 0);
  for (int round = 0; round < 200; ++round) {
    std::shuffle(index.begin(), index.end(), random);
    // All lanes, none, or any
    std::vector<int> chosen(width);
    for (int& lane : chosen) lane = round % 3 == 0 ? 1 : round % 3 == 1 ? int(random() % 2) : 0;
    Quartet<Real> quartet{Real(T(0)), Real(T(0)), Real(T(0)), Real(T(0))};
    for (int lane = 0; lane < width; ++lane) {
      insert(quartet.x, lane, T(-100 - lane));
      insert(quartet.y, lane, T(-200 - lane));
      insert(quartet.z, lane, T(-300 - lane));
      insert(quartet.w, lane, T(-400 - lane));
    }
    auto records = numbered_records<T>();
    scatter_quartets(records.data(), in_lanes<Integer>(index), quartet,
                     MaskOf<Real>(in_lanes<Integer>(chosen) == Integer(1)));

    auto expected = numbered_records<T>();
    for (int lane = 0; lane < width; ++lane)
      if (chosen[std::size_t(lane)])
        expected[std::size_t(index[std::size_t(lane)])] = {T(-100 - lane), T(-200 - lane),
                                                           T(-300 - lane), T(-400 - lane)};
    for (std::size_t i = 0; i < records.size(); ++i) REQUIRE(same(records[i], expected[i]));
  }
}

TEMPLATE_LIST_TEST_CASE("quartets of the set lanes are stored without gaps", "[core]", Numbers) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  constexpr int width = width_of<Real>;
  std::mt19937 random(9);
  const auto source = numbered_records<T>();
  const auto quartet = gather_quartets<Real>(source.data(), lane_index<Integer>());
  for (int round = 0; round < 100; ++round) {
    std::vector<int> chosen(width);
    for (int& lane : chosen) lane = round == 0 ? 1 : int(random() % 2);
    std::vector<Quartet<T>> to(n_records, Quartet<T>{T(-1), T(-1), T(-1), T(-1)});
    compress_store_quartets(to.data() + 1, quartet,
                            MaskOf<Real>(in_lanes<Integer>(chosen) == Integer(1)));
    std::size_t next = 1;
    for (std::size_t lane = 0; lane < std::size_t(width); ++lane)
      if (chosen[lane] != 0) REQUIRE(same(to[next++], source[lane]));
    REQUIRE(same(to[0], {T(-1), T(-1), T(-1), T(-1)}));
  }
}

TEMPLATE_LIST_TEST_CASE("the first quartets are stored side by side", "[core]", Numbers) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  const auto source = numbered_records<T>();
  const auto quartet = gather_quartets<Real>(source.data(), lane_index<IntegerOf<Real>>());
  for (int n = 0; n <= width_of<Real>; ++n) {
    std::vector<Quartet<T>> to(n_records, Quartet<T>{T(-1), T(-1), T(-1), T(-1)});
    store_quartets(to.data() + 1, quartet, n);
    for (int i = 0; i < n_records; ++i) {
      const bool written = 1 <= i && i <= n;
      const Quartet<T> expected =
          written ? source[std::size_t(i - 1)] : Quartet<T>{T(-1), T(-1), T(-1), T(-1)};
      REQUIRE(same(to[std::size_t(i)], expected));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("quartets of all lanes are stored apart, and nothing between them",
                        "[core]", Numbers) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  const auto source = numbered_records<T>();
  const auto quartet = gather_quartets<Real>(source.data(), lane_index<IntegerOf<Real>>());
  for (const int stride : {1, 2, 7}) {
    const Quartet<T> untouched{T(-1), T(-1), T(-1), T(-1)};
    std::vector<Quartet<T>> to(std::size_t(stride * width_of<Real>) + 2, untouched);
    store_quartets_apart(to.data() + 1, stride, quartet);
    for (int i = 0; i < int(to.size()); ++i) {
      const int lane = (i - 1) / stride;
      const bool written = i >= 1 && (i - 1) % stride == 0 && lane < width_of<Real>;
      REQUIRE(same(to[std::size_t(i)], written ? source[std::size_t(lane)] : untouched));
    }
  }
}
