// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/chain/chain.hpp>
#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/core/copy.hpp>

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <numeric>

#include "support/spaces.hpp"

using namespace trackplex::chain;

namespace {

// Words by their lengths: staged, copied, sorted, copied back.

template <class Memory>
struct Lengths {
  Kokkos::View<int*, Memory> values;
  int size = 0, n_keys = 0;
};
template <class From, class To, class F>
void for_each_array(const Lengths<From>& from, Lengths<To>& to, const F& f) {
  to.size = from.size;
  to.n_keys = from.n_keys;
  f(from.values, to.values, "Trackplex::Test::lengths", std::size_t(from.size));
}
struct StagedLengths : Lengths<Kokkos::HostSpace> {};

struct Words {
  std::vector<std::string> words;
};

struct StageLengths {
  static constexpr const char* name = "stage";
  template <class Memory>
  void allocate(const Memory& memory, const Words& words, StagedLengths& lengths) const {
    lengths.size = int(words.words.size());
    lengths.n_keys = 20;
    trackplex::allocate_arrays(memory.of(lengths), lengths);
  }
  void operator()(const Words& words, StagedLengths& lengths) const {
    for (int i = 0; i < lengths.size; ++i)
      lengths.values(i) = int(words.words[std::size_t(i)].size());
  }
};

template <class Space>
struct CopyLengths : CopyArrays<Space, StagedLengths, Lengths<typename Space::memory_space>> {
  static constexpr const char* name = "copy";
};

template <class Space>
struct SortLengths : SortByKey<Space, Lengths<typename Space::memory_space>, OrderByKey<Space>> {
  static constexpr const char* name = "sort";
};

struct Sorted {
  std::vector<int> order, offsets;
};
template <class Space>
struct FetchOrder {
  static constexpr const char* name = "fetch";
  void operator()(const Space& exec, const OrderByKey<Space>& order, Sorted& sorted) const {
    const auto permutation = trackplex::to_host(exec, order.permutation);
    const auto offsets = trackplex::to_host(exec, order.offsets);
    sorted.order.assign(permutation.data(), permutation.data() + permutation.extent(0));
    sorted.offsets.assign(offsets.data(), offsets.data() + offsets.extent(0));
  }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("A chain sorts by keys with scratch of the arena", "[chain]",
                        trackplex::test::EnabledSpaces) {
  Chain<TestType, Inputs<Words>,
        Steps<StageLengths, CopyLengths<TestType>, SortLengths<TestType>, FetchOrder<TestType>>>
      chain(TestType(), {1 << 20, 1 << 20}, {}, {}, {}, {});
  auto& words = chain.template product<Words>().words;
  for (int i = 0; i < 3000; ++i) words.push_back(std::string(std::size_t(i * 7919 % 20), 'x'));
  chain.stage();
  chain.run();

  std::vector<int> expected(words.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::ranges::stable_sort(expected, {}, [&](int i) { return words[std::size_t(i)].size(); });
  const auto& sorted = chain.template product<Sorted>();
  CHECK(sorted.order == expected);
  REQUIRE(sorted.offsets.size() == 21);
  for (int key = 0; key <= 20; ++key)
    CHECK(sorted.offsets[std::size_t(key)] ==
          std::ranges::count_if(words, [&](const auto& word) { return int(word.size()) < key; }));
  CHECK(chain.memory().device().used() == 0);
}
