// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <trackplex/candidates/best_by_heap.hpp>
#include <trackplex/candidates/detail/children.hpp>
#include <tuple>
#include <vector>

using namespace trackplex;
using namespace trackplex::candidates;

namespace {

struct Child {
  int hits;
  float chi2;
  int number;

  bool operator==(const Child&) const = default;
};

bool goes_before_scalar(const Child& a, const Child& b) {
  return a.hits > b.hits || (a.hits == b.hits && a.chi2 < b.chi2);
}

/// Gives each lane its own children, some rounds without any, and compares with a stable sort.
template <template <class, int> class Best, class Real, int N>
void check_children(int rounds) {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Entry = candidates::detail::RankedChild<Real>;
  constexpr int width = width_of<Real>;
  std::mt19937 random(unsigned(N * width));
  Best<Entry, N> best;
  std::vector<std::vector<Child>> given(width);
  for (int round = 0; round < rounds; ++round) {
    Entry entry{Integer(0), Real(0), Integer(0), Integer(0)};
    Integer chosen = 0;
    for (int lane = 0; lane < width; ++lane) {
      const Child child{int(random() % 3), float(random() % 4), round};
      const bool is_chosen = random() % 3 != 0;
      insert(entry.hits, lane, I(child.hits));
      insert(entry.chi2, lane, ScalarOf<Real>(child.chi2));
      insert(entry.parent, lane, I(child.number));
      insert(entry.hit, lane, I(1000 + child.number));
      insert(chosen, lane, I(is_chosen));
      if (is_chosen) given[std::size_t(lane)].push_back(child);
    }
    best.insert(entry, MaskOf<Real>(chosen == Integer(1)));
    auto sorted = best;
    sorted.sort();
    for (int lane = 0; lane < width; ++lane) {
      auto expected = given[std::size_t(lane)];
      std::stable_sort(expected.begin(), expected.end(), goes_before_scalar);
      for (int k = 0; k < N; ++k) {
        if (k >= int(expected.size())) {
          REQUIRE(extract(sorted[k].hits, lane) == Entry::no_hits);
          continue;
        }
        const Child found{int(extract(sorted[k].hits, lane)), float(extract(sorted[k].chi2, lane)),
                          int(extract(sorted[k].parent, lane))};
        REQUIRE(found == expected[std::size_t(k)]);
        REQUIRE(extract(sorted[k].hit, lane) == I(1000 + found.number));
      }
    }
  }
}

using Numbers = std::tuple<float, LanesOf<float, 4>, LanesOf<float, 8>, LanesOf<float, 16>, double,
                           LanesOf<double, 4>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("each lane keeps its best children in order", "[candidates]", Numbers) {
  for (const int rounds : {0, 1, 2, 40}) {
    check_children<BestOfLanes, TestType, 1>(rounds);
    check_children<BestOfLanes, TestType, 2>(rounds);
    check_children<BestOfLanes, TestType, 6>(rounds);
  }
}

TEST_CASE("a heap keeps the same children as lanes do", "[candidates]") {
  for (const int rounds : {0, 1, 2, 40, 100}) {
    check_children<BestByHeap, float, 1>(rounds);
    check_children<BestByHeap, float, 6>(rounds);
    check_children<BestByHeap, double, 32>(rounds);
  }
  using Child = candidates::detail::RankedChild<float>;
  STATIC_CHECK(std::is_same_v<BestEntries<Child, 64>, BestByHeap<Child, 64>>);
  STATIC_CHECK(std::is_same_v<BestEntries<Child, 6>, BestOfLanes<Child, 6>>);
}

TEST_CASE("of equally good hits, that with the lower place goes first", "[candidates]") {
  using Real = LanesOf<float, 4>;
  using Hit = candidates::detail::CompatibleHit<Real>;
  BestOfLanes<Hit, 3> best;
  CHECK(none_of(best[0].exists()));
  const auto all = MaskOf<Real>(true);
  best.insert({Real(2.f), 7}, all);
  best.insert({Real(1.f), 9}, all);
  best.insert({Real(2.f), 5}, all);
  best.insert({Real(2.f), 6}, all);
  best.insert({Real(3.f), 1}, all);
  CHECK(all_of(best[0].exists()));
  CHECK(extract(best[0].place, 2) == 9);
  CHECK(extract(best[1].place, 2) == 5);
  CHECK(extract(best[2].place, 2) == 6);
  CHECK(extract(best[2].chi2, 3) == 2.f);
}
