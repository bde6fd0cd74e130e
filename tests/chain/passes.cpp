// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains that run some steps several times: each pass picks the multiples of a divisor among the
// numbers that are left.
#include <trackplex/chain/chain.hpp>
#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/core/launch.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/refusals.hpp"
#include "support/spaces.hpp"

namespace trackplex::test::passes_of_chain {
namespace {

using namespace chain;

using Numbers = std::vector<int>;

template <class Space>
struct Left {
  Kokkos::View<int*, MemoryOf<Space>> values;  ///< number, or 0
};
template <class Space>
struct Picked {
  Kokkos::View<int*, MemoryOf<Space>> values;  ///< number, or 0
};

/// One event on the host, from 1 on.
struct Staged {
  int size = 0;
};

struct StageNumbers {
  static constexpr const char* name = "stage_numbers";
  void operator()(const Events<int>& events, Staged& staged) const {
    staged.size = *events.pointers[0];
  }
};

struct NumberKernel {
  int* to;
  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const { to[tile.first] = tile.first + 1; }
};

template <class Space>
struct Begin {
  static constexpr const char* name = "begin";
  template <class Memory>
  void allocate(const Memory& memory, const Staged& staged, Left<Space>& left) const {
    allocate_array(memory.of(left), left.values, "Trackplex::Test::left", std::size_t(staged.size));
  }
  void operator()(const Space& exec, const Staged& staged, Left<Space>& left) const {
    for_each_tile<int>(exec, "Trackplex::Test::begin", staged.size,
                       NumberKernel{left.values.data()});
  }
};

struct PickKernel {
  int *left, *picked;
  int divisor;
  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    int& number = left[tile.first];
    picked[tile.first] = number % divisor == 0 ? number : 0;
    if (picked[tile.first] > 0) number = 0;
  }
};

/// Overwrites what is left.
template <class Space>
struct Pick {
  static constexpr const char* name = "pick";
  int divisor;
  template <class Memory>
  void allocate(const Memory& memory, const Staged& staged, const Left<Space>&,
                Picked<Space>& picked) const {
    allocate_array(memory.of(picked), picked.values, "Trackplex::Test::picked",
                   std::size_t(staged.size));
  }
  void operator()(const Space& exec, const Staged& staged, const Left<Space>& left,
                  Picked<Space>& picked) const {
    for_each_tile<int>(exec, "Trackplex::Test::pick", staged.size,
                       PickKernel{left.values.data(), picked.values.data(), divisor});
  }
};

template <class Space>
struct OnHost {
  Kokkos::View<int*, Kokkos::HostSpace> values;
};
template <class Space>
void for_each_array(const Picked<Space>& from, OnHost<Space>& to, const auto& f) {
  f(from.values, to.values, "Trackplex::Test::picked", from.values.extent(0));
}
template <class Space>
struct Fetch : CopyArrays<Space, Picked<Space>, OnHost<Space>> {
  static constexpr const char* name = "fetch";
};

/// Adds the numbers of a pass to the result, behind the number of the pass.
template <class Space>
struct Note {
  static constexpr const char* name = "note";
  int pass;
  void operator()(const Staged& staged, const OnHost<Space>& picked,
                  Results<Numbers>& results) const {
    results.values.resize(1);
    auto& list = results.values[0];
    list.push_back(-pass);
    for (int i = 0; i < staged.size; ++i)
      if (picked.values(i) > 0) list.push_back(picked.values(i));
  }
};

template <class Space>
using Sieve = Chain<Space, Inputs<Events<int>>,
                    Steps<StageNumbers, Begin<Space>, InPasses<Pick<Space>>, InPasses<Fetch<Space>>,
                          InPasses<Note<Space>>>>;

const std::vector<std::string> one_pass{"stage_numbers", "begin", "pick", "fetch", "note"};

std::vector<std::string> passes(int n) {
  auto names = one_pass;
  for (int pass = 1; pass < n; ++pass)
    names.insert(names.end(), one_pass.begin() + 2, one_pass.end());
  return names;
}

template <class Space>
Sieve<Space> sieve(const ArenaSize& arena = {}) {
  const std::vector<std::pair<int, int>> passes{{0, 3}, {1, 2}, {2, 5}};  // number and divisor
  return {Space(),
          arena,
          {},
          {},
          in_passes(passes, [](const auto& pass) { return Pick<Space>{pass.second}; }),
          in_passes(passes, [](const auto&) { return Fetch<Space>(); }),
          in_passes(passes, [](const auto& pass) { return Note<Space>{pass.first}; })};
}

const Numbers of_ten_in_three{0, 3, 6, 9, -1, 2, 4, 8, 10, -2, 5};

template <class Space>
Numbers run(Sieve<Space>& sieve, int n) {
  return sieve(std::vector{n}).front();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Passes have their parameters and add to the results", "[chain]",
                        EnabledSpaces) {
  for (const auto& arena : {ArenaSize{}, ArenaSize{1 << 16, 1 << 16}}) {
    auto chain = sieve<TestType>(arena);
    CHECK(run(chain, 10) == Numbers{0, 3, 6, 9});
    for (int batch = 0; batch < 2; ++batch) {
      chain.select(passes(3));
      CHECK(run(chain, 10) == of_ten_in_three);
      CHECK(run(chain, 0) == Numbers{0, -1, -2});
    }
    chain.select(passes(2));
    CHECK(run(chain, 4) == Numbers{0, 3, -1, 2, 4});
    CHECK(chain.selected() == passes(2));
    const auto report = chain.report();
    REQUIRE(report.steps.size() == one_pass.size());  // each once
    CHECK(report.steps[0].calls == 6);
    CHECK(report.steps[2].calls == 1 + 4 * 3 + 2);
  }
}

TEMPLATE_LIST_TEST_CASE("Passes share the memory of an arena", "[chain]", EnabledSpaces) {
  auto one = sieve<TestType>({1 << 20, 1 << 20}), three = sieve<TestType>({1 << 20, 1 << 20});
  three.select(passes(3));
  run(one, 1000);
  const auto results = run(three, 1000);
  CHECK(three.report().device.high_water == one.report().device.high_water);
  auto enough = sieve<TestType>({one.report().device.high_water, 1 << 20});
  enough.select(passes(3));
  CHECK(run(enough, 1000) == results);
}

TEMPLATE_LIST_TEST_CASE("An observer sees the arrays of each pass", "[chain]", EnabledSpaces) {
  auto chain = sieve<TestType>();
  chain.select(passes(3));
  run(chain, 1000);  // arrays that are too large later
  std::vector<std::string> seen;
  chain.observe([&](const StepArrays& step) {
    for (const auto& array : step.arrays) {
      const auto label = array.label.substr(array.label.rfind(':') + 1);
      if (step.algorithm != "fetch")
        seen.push_back(step.algorithm + " " + label + " " + std::to_string(array.size()));
    }
  });
  for (int batch = 0; batch < 2; ++batch) {
    seen.clear();
    CHECK(run(chain, 10) == of_ten_in_three);
    CHECK(seen == std::vector<std::string>{"begin left 10", "pick picked 10", "pick left 10",
                                           "pick picked 10", "pick left 10", "pick picked 10",
                                           "pick left 10"});
  }
}

TEST_CASE("Passes that are not possible are refused", "[chain]") {
  auto chain = sieve<HostExecutor>();
  const auto refused = [&](std::vector<std::string> names, const char* message) {
    check_refused<UsageError>([&] { chain.select(names); }, message);
  };
  refused(passes(4), "pick occurs more often than there are passes (3 passes)");
  refused({"stage_numbers", "begin", "fetch", "pick"}, "fetch reads");
  refused({"stage_numbers", "begin", "begin", "pick", "fetch", "note"}, "which is there already");
  CHECK(run(chain, 4) == Numbers{0, 3});
}

}  // namespace trackplex::test::passes_of_chain
