// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/chain/chain.hpp>
#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>
#include <numeric>

#include "launchers/recorded_events.hpp"
#include "support/spaces.hpp"

using namespace trackplex::chain;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

template <class Space>
using Array = Kokkos::View<std::int32_t*, typename Space::memory_space>;
using HostArray = Kokkos::View<std::int32_t*, Kokkos::HostSpace>;

// Products: numbers of a batch, those that are multiples of three, their squares.

struct Batch {
  std::vector<std::int32_t> numbers;
};

struct StagedNumbers {
  static constexpr const char* name = "staged";
  HostArray numbers;
  int size = 0;
};

template <class Space>
struct Numbers {
  static constexpr const char* name = "numbers";
  Array<Space> values;
  int size = 0;
};

template <class Space>
struct Marks {
  Array<Space> values;  ///< 1 for multiples of three
  int size = 0;
};

template <class Space>
struct Places : Offsets<Space> {
  static constexpr const char* name = "places";
};

template <class Space>
struct Squares {
  static constexpr const char* name = "squares";
  Array<Space> values;
  int size = 0;
};

struct Result {
  std::vector<std::int32_t> squares;
};

template <class F>
void for_each_array(const StagedNumbers& from, auto& to, const F& f) {
  to.size = from.size;
  f(from.numbers, to.values, "Trackplex::Test::numbers", std::size_t(from.size));
}

// Algorithms.

struct Stage {
  static constexpr const char* name = "stage";
  template <class Memory>
  void allocate(const Memory& memory, const Batch& batch, StagedNumbers& staged) const {
    staged.size = int(batch.numbers.size());
    allocate_array(memory.of(staged), staged.numbers, "Trackplex::Test::staged",
                   batch.numbers.size());
  }
  void operator()(const Batch& batch, StagedNumbers& staged) const {
    for (int i = 0; i < staged.size; ++i) {
      if (batch.numbers[std::size_t(i)] < 0)
        throw trackplex::UsageError("stage", "a number is negative");
      staged.numbers(i) = batch.numbers[std::size_t(i)];
    }
  }
};

template <class Space>
struct CopyIn : CopyArrays<Space, StagedNumbers, Numbers<Space>> {
  static constexpr const char* name = "copy_in";
};

template <class Space>
struct MarkKernel {
  Array<Space> numbers, marks;
  int divisor;
  KOKKOS_FUNCTION void operator()(const trackplex::Tile<int>& tile) const {
    marks(tile.first) = numbers(tile.first) % divisor == 0;
  }
};

template <class Space>
struct Mark {
  static constexpr const char* name = "mark";
  int divisor = 3;
  template <class Memory>
  void allocate(const Memory& memory, const Numbers<Space>& numbers, Marks<Space>& marks) const {
    marks.size = numbers.size;
    allocate_array(memory.of(marks), marks.values, "Trackplex::Test::marks",
                   std::size_t(numbers.size));
  }
  void operator()(const Space& exec, const Numbers<Space>& numbers, Marks<Space>& marks) const {
    trackplex::for_each_tile<int>(exec, "Trackplex::Test::mark", numbers.size,
                                  MarkKernel<Space>{numbers.values, marks.values, divisor});
  }
};

template <class Space>
struct Scan : ScanCounts<Space, Marks<Space>, Places<Space>> {
  static constexpr const char* name = "scan";
};

template <class Space>
struct SquareKernel {
  Array<Space> numbers, offsets, doubled, squares;
  KOKKOS_FUNCTION void operator()(const trackplex::Tile<int>& tile) const {
    const int i = tile.first;
    doubled(i) = 2 * numbers(i);
    if (offsets(i + 1) > offsets(i)) squares(offsets(i)) = doubled(i) * numbers(i) / 2;
  }
};

/// Its room depends on what the device has counted; needs scratch.
template <class Space>
struct Square {
  static constexpr const char* name = "square";
  struct Scratch {
    Array<Space> doubled;
  };
  template <class Memory>
  void allocate(const Memory& memory, const Numbers<Space>& numbers, const Places<Space>& places,
                Squares<Space>& squares, Scratch& scratch) const {
    squares.size = places.total(0);
    allocate_array(memory.of(squares), squares.values, "Trackplex::Test::squares",
                   std::size_t(squares.size));
    allocate_array(memory.scratch(), scratch.doubled, "Trackplex::Test::doubled",
                   std::size_t(numbers.size));
  }
  void operator()(const Space& exec, const Numbers<Space>& numbers, const Places<Space>& places,
                  Squares<Space>& squares, Scratch& scratch) const {
    trackplex::for_each_tile<int>(
        exec, "Trackplex::Test::square", numbers.size,
        SquareKernel<Space>{numbers.values, places.values, scratch.doubled, squares.values});
  }
};

template <class Space>
struct CopyOut {
  static constexpr const char* name = "copy_out";
  void operator()(const Space& exec, const Squares<Space>& squares, Result& result) const {
    const auto host = trackplex::to_host(exec, squares.values, std::size_t(squares.size));
    result.squares.assign(host.data(), host.data() + squares.size);
  }
};

/// Another way to the result: all numbers, as they are.
template <class Space>
struct CopyNumbers {
  static constexpr const char* name = "copy_numbers";
  void operator()(const Space& exec, const Numbers<Space>& numbers, Result& result) const {
    const auto host = trackplex::to_host(exec, numbers.values, std::size_t(numbers.size));
    result.squares.assign(host.data(), host.data() + numbers.size);
  }
};

/// A host step at the end.
struct Reversed {
  std::vector<std::int32_t> squares;
};
struct Reverse {
  static constexpr const char* name = "reverse";
  void operator()(const Result& result, Reversed& reversed) const {
    reversed.squares.assign(result.squares.rbegin(), result.squares.rend());
  }
};

template <class Space>
using NumbersChain = Chain<
    Space, Inputs<Batch>,
    Steps<Stage, CopyIn<Space>, Mark<Space>, Scan<Space>, Square<Space>, CopyOut<Space>, Reverse>,
    Alternatives<CopyNumbers<Space>>>;

template <class Space>
NumbersChain<Space> make_chain(std::size_t bytes = 1 << 20) {
  return {Space(), {bytes, bytes}, {}, {}, {}, {}, {}, {}, {}, {}};
}

/// What the chain makes of the numbers.
std::vector<std::int32_t> reversed_squares(const std::vector<std::int32_t>& numbers) {
  std::vector<std::int32_t> squares;
  for (const auto n : numbers)
    if (n % 3 == 0) squares.insert(squares.begin(), n * n);
  return squares;
}

std::vector<std::int32_t> numbers(int n) {
  std::vector<std::int32_t> list(std::size_t(n), 0);
  std::iota(list.begin(), list.end(), 1);
  return list;
}

template <class Space>
void run(NumbersChain<Space>& chain, const std::vector<std::int32_t>& batch) {
  chain.template product<Batch>().numbers = batch;
  chain.stage();
  chain.run();
  chain.collect();
}

// What is complete and what is not, known when it is compiled.
using S = trackplex::HostExecutor;
static_assert(is_complete_chain<S, Inputs<Batch>, Stage, CopyIn<S>, Mark<S>, Scan<S>>);
static_assert(!is_complete_chain<S, Inputs<>, Stage>);
static_assert(!is_complete_chain<S, Inputs<Batch>, CopyIn<S>, Stage>);
static_assert(!is_complete_chain<S, Inputs<Batch>, Stage, CopyIn<S>, Scan<S>>);
static_assert(!is_complete_chain<S, Inputs<Batch>, Stage, Stage>);
static_assert(!is_complete_chain<S, Inputs<Batch, StagedNumbers>, Stage>);

}  // namespace

TEMPLATE_LIST_TEST_CASE("A chain runs its algorithms, batch after batch", "[chain]",
                        trackplex::test::EnabledSpaces) {
  auto chain = make_chain<TestType>();
  for (const int n : {10, 0, 1, 1000, 3}) {
    run(chain, numbers(n));
    CHECK(chain.template product<Reversed>().squares == reversed_squares(numbers(n)));
  }
  for (const auto& step : chain.report().steps) CHECK(step.calls == 5);
}

TEMPLATE_LIST_TEST_CASE("Memory is handed on from step to step", "[chain]",
                        trackplex::test::EnabledSpaces) {
  // At the most, numbers (on hosts: as they were staged), places, squares and scratch live at a
  // time, marks no longer.
  constexpr int n = 1000;
  constexpr std::size_t array = 4096;  // of n and of n + 1 numbers, rounded up
  constexpr std::size_t squares = 1536, total = 256;
  const std::size_t needed = 3 * array + squares + (trackplex::is_host_space<TestType> ? total : 0);
  auto chain = make_chain<TestType>(needed);
  run(chain, numbers(n));
  CHECK(chain.template product<Reversed>().squares == reversed_squares(numbers(n)));
  CHECK(chain.memory().device().high_water() == needed);

  auto smaller = make_chain<TestType>(needed - 1);
  CHECK_THROWS_MATCHES(run(smaller, numbers(n)), ArenaError,
                       MessageMatches(ContainsSubstring("square: ") &&
                                      ContainsSubstring("Trackplex::Test::doubled")));
  auto empty = make_chain<TestType>(0);
  CHECK_THROWS_AS(run(empty, numbers(1)), ArenaError);
  run(smaller, numbers(n / 2));
  CHECK(smaller.template product<Reversed>().squares == reversed_squares(numbers(n / 2)));
}

TEMPLATE_LIST_TEST_CASE("Without an arena arrays grow and stay", "[chain]",
                        trackplex::test::EnabledSpaces) {
  NumbersChain<TestType> chain(TestType(), {}, {}, {}, {}, {}, {}, {}, {}, {});
  for (const int n : {10, 0, 1, 1000, 3}) {
    run(chain, numbers(n));
    CHECK(chain.template product<Reversed>().squares == reversed_squares(numbers(n)));
  }
  CHECK(chain.template product<Numbers<TestType>>().values.extent(0) == 1000);
  CHECK(chain.report().device.capacity == 0);
  const auto events = trackplex::test::record([&] { run(chain, numbers(900)); });
  if (trackplex::is_host_space<TestType>)
    CHECK(std::ranges::count(events.allocations, "Trackplex::Test::numbers") == 0);

  auto bad = numbers(10);
  bad[5] = -1;
  CHECK_THROWS_AS(run(chain, bad), trackplex::UsageError);
  run(chain, numbers(10));
  CHECK(chain.template product<Reversed>().squares == reversed_squares(numbers(10)));

  auto in_arena = make_chain<TestType>();
  run(in_arena, numbers(10));
  CHECK_THROWS_AS(in_arena.repeat({"mark"}), trackplex::UsageError);
  chain.repeat({"mark", "scan"});
  CHECK(chain.template product<Places<TestType>>().total(0) == 3);
  CHECK_THROWS_AS(chain.repeat({"nothing"}), trackplex::UsageError);
}

TEMPLATE_LIST_TEST_CASE("An observer sees what each step makes", "[chain]",
                        trackplex::test::EnabledSpaces) {
  NumbersChain<TestType> chain(TestType(), {}, {}, {}, {}, {}, {}, {}, {}, {});
  run(chain, numbers(1000));  // arrays that are too large later, with other contents
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> seen;
  std::vector<std::string> steps;
  chain.observe([&](const StepArrays& step) {
    steps.push_back(step.algorithm);
    for (const auto& array : step.arrays) {
      CHECK(array.type == "int32");
      std::vector<std::int32_t> values(array.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(&values[i], array.element(i), sizeof(values[i]));
      seen.emplace_back(array.label, values);
    }
  });
  for (int batch = 0; batch < 2; ++batch) {
    seen.clear();
    run(chain, {3, 4, 6});
    std::erase_if(seen, [](const auto& s) { return s.first == "Trackplex::Test::numbers"; });
    using Seen = decltype(seen);
    CHECK(seen == Seen{{"Trackplex::Test::staged", {3, 4, 6}},
                       {"Trackplex::Test::marks", {1, 0, 1}},
                       {"Trackplex::Chain::offsets", {0, 1, 1, 2}},
                       {"Trackplex::Chain::total", {2}},
                       {"Trackplex::Test::squares", {9, 36}}});
    CHECK(chain.template product<Reversed>().squares == std::vector{36, 9});
  }
  CHECK(steps.size() == 2 * chain.selected().size());
  CHECK(steps.front() == "stage");

  chain.observe({});
  run(chain, numbers(10));
  CHECK(steps.size() == 2 * chain.selected().size());
  CHECK(chain.template product<Reversed>().squares == reversed_squares(numbers(10)));
  auto in_arena = make_chain<TestType>();
  CHECK_THROWS_AS(in_arena.observe([](const StepArrays&) {}), trackplex::UsageError);
}

// Adds 1 to the numbers of its input, which it calls its own.
struct Raised {
  HostArray numbers;
};
struct Raise {
  static constexpr const char* name = "raise";
  static constexpr bool aliases_inputs = true;
  void operator()(const StagedNumbers& staged, Raised& raised) const {
    raised.numbers = staged.numbers;
    for (int i = 0; i < staged.size; ++i) ++raised.numbers(i);
  }
};

TEST_CASE("An observer sees arrays of earlier steps that a step changes", "[chain]") {
  Chain<S, Inputs<Batch>, Steps<Stage, Raise>> chain(S(), {}, {}, {});
  std::vector<std::string> seen;
  chain.observe([&](const StepArrays& step) {
    for (const auto& array : step.arrays) seen.push_back(step.algorithm + " " + array.label);
  });
  chain.product<Batch>().numbers = {1, 2};
  chain.stage();
  chain.run();
  chain.collect();
  CHECK(seen ==
        std::vector<std::string>{"stage Trackplex::Test::staged", "raise Trackplex::Test::staged"});
}

// A function of events: each is a list of numbers, its result their sum.
struct Sums {
  static constexpr const char* name = "sums";
  void operator()(const Events<std::vector<int>>& events, Results<int>& results) const {
    for (const auto* event : events.pointers) {
      if (event->empty()) throw trackplex::UsageError("sums", "an event is empty");
      results.values.push_back(std::accumulate(event->begin(), event->end(), 0));
    }
  }
};

TEST_CASE("A chain of events is a function, and runs in parts", "[chain]") {
  using Event = std::vector<int>;
  const std::vector<Event> events{{1, 2}, {3}, {4, 5, 6}};
  for (const ArenaSize& arena : {ArenaSize{}, ArenaSize{1 << 10, 0}}) {
    Chain<S, Inputs<Events<Event>>, Steps<Sums>> sums(S(), arena, {});
    CHECK(sums(events) == std::vector{3, 3, 15});
    CHECK(sums({}).empty());
    CHECK_THROWS_AS(sums(std::vector<Event>{{1}, {}}), trackplex::UsageError);
    CHECK(sums(events) == std::vector{3, 3, 15});  // nothing is left of the failed batch

    std::vector<int> results{7};
    const std::vector<std::shared_ptr<const Event>> shared{std::make_shared<Event>(Event{8, 9})};
    sums.stage(shared);
    sums.run();
    sums.collect(results);
    CHECK(results == std::vector{7, 17});
  }
}

TEST_CASE("An algorithm runs by itself", "[chain]") {
  const S exec;
  StagedNumbers staged;
  Numbers<S> values;
  Marks<S> marks;
  trackplex::run_algorithm(exec, Stage(), Batch{{3, 4, 9}}, staged);
  trackplex::run_algorithm(exec, CopyIn<S>(), std::as_const(staged), values);
  trackplex::run_algorithm(exec, Mark<S>(), std::as_const(values), marks);
  exec.fence();
  CHECK(marks.size == 3);
  CHECK((marks.values(0) == 1 && marks.values(1) == 0 && marks.values(2) == 1));
}

TEMPLATE_LIST_TEST_CASE("After an error the next batch is as good as any", "[chain]",
                        trackplex::test::EnabledSpaces) {
  auto chain = make_chain<TestType>();
  auto bad = numbers(10);
  bad[5] = -1;
  CHECK_THROWS_AS(run(chain, bad), trackplex::UsageError);
  run(chain, numbers(10));
  CHECK(chain.template product<Reversed>().squares == reversed_squares(numbers(10)));
}

TEMPLATE_LIST_TEST_CASE("Nothing is allocated after a chain is made", "[chain]",
                        trackplex::test::EnabledSpaces) {
  auto chain = make_chain<TestType>();
  run(chain, {3});  // Kokkos' own memory for launches
  const auto events = trackplex::test::record([&] {
    for (const int n : {10, 1000, 100}) run(chain, numbers(n));
  });
  CHECK(events.kernels.size() == 9);
  if (trackplex::is_host_space<TestType>) CHECK(events.allocations.empty());  // to_host mirrors
  CHECK(events.global_fences.empty());
}

TEMPLATE_LIST_TEST_CASE("Other steps can be selected at run time", "[chain]",
                        trackplex::test::EnabledSpaces) {
  auto chain = make_chain<TestType>();
  CHECK(chain.selected() == NumbersChain<TestType>::default_steps());
  chain.select({"stage", "copy_in", "copy_numbers"});
  run(chain, numbers(5));
  CHECK(chain.template product<Result>().squares == numbers(5));
  CHECK(chain.selected() == std::vector<std::string>{"stage", "copy_in", "copy_numbers"});
  CHECK(chain.report().steps.size() == 3);

  const auto refused = [&](const std::vector<std::string>& names, const std::string& problem) {
    CHECK_THROWS_MATCHES(chain.select(names), trackplex::UsageError,
                         MessageMatches(ContainsSubstring(problem)));
  };
  refused({"stage", "copy_inn"},
          "there is no algorithm copy_inn; those that are compiled: stage, ");
  refused({"stage", "mark"}, "mark reads numbers, which no step before it makes");
  refused({"stage", "copy_in", "copy_in"}, "copy_in makes numbers, which is there already");
  run(chain, numbers(5));  // as selected before
  CHECK(chain.template product<Result>().squares == numbers(5));

  chain.select(NumbersChain<TestType>::default_steps());
  run(chain, numbers(5));
  CHECK(chain.template product<Reversed>().squares == reversed_squares(numbers(5)));
}

TEMPLATE_LIST_TEST_CASE("Steps are spans of a trace", "[chain]", trackplex::test::EnabledSpaces) {
  trackplex::Trace trace;
  const int lane = trace.add_lane("slot");
  auto chain = make_chain<TestType>();
  chain.time_each_step(true);
  chain.trace(&trace, lane, 7, 5);
  run(chain, numbers(5));
  const auto spans = trace.spans();
  const auto steps = NumbersChain<TestType>::default_steps();
  REQUIRE(spans.size() == steps.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    CHECK(spans[i].name == steps[i]);
    CHECK(spans[i].batch == 7);
    CHECK(spans[i].events == 5);
    CHECK(spans[i].begin_us <= spans[i].end_us);
    if (i > 0) CHECK(spans[i - 1].end_us <= spans[i].begin_us);
  }
}
