// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best N of the children of a seed: insertion by lanes and the heap of one lane, over N. Goal:
// for one lane the heap is faster from candidates::heap_pays_from on; with eight lanes, insertion
// is always.

#include <benchmark/benchmark.h>

#include <string>
#include <trackplex/candidates/best_by_heap.hpp>
#include <trackplex/candidates/detail/children.hpp>
#include <trackplex/core/random.hpp>
#include <type_traits>
#include <vector>

namespace trackplex {
namespace {

template <class Real>
using Child = candidates::detail::RankedChild<Real>;

/// `n` children with 5 to 7 hits, and any chi2.
template <class Real>
std::vector<Child<Real>> random_children(int n) {
  using Integer = IntegerOf<Real>;
  std::vector<Child<Real>> children;
  RandomStream<double> random(1, 0);
  for (int i = 0; i < n; ++i) {
    Child<Real> child{Integer(0), Real(0), Integer(i), Integer(i)};
    for (int lane = 0; lane < width_of<Real>; ++lane) {
      insert(child.hits, lane, ScalarOf<Integer>(5 + int(3. * random.uniform())));
      insert(child.chi2, lane, ScalarOf<Real>(100. * random.uniform()));
    }
    children.push_back(child);
  }
  return children;
}

/// Two children for each of the N candidates.
template <template <class, int> class Best, class Real, int N>
void keep_best(benchmark::State& state) {
  constexpr int n = 2 * N, seeds = 100;
  const auto children = random_children<Real>(n * seeds);
  for (auto _ : state)
    for (int seed = 0; seed < seeds; ++seed) {
      Best<Child<Real>, N> best;
      for (int i = 0; i < n; ++i) best.insert(children[std::size_t(seed * n + i)], true);
      best.sort();
      benchmark::DoNotOptimize(best[N - 1].chi2);
    }
  state.counters["s_per_child"] = benchmark::Counter(
      double(n * seeds * width_of<Real>),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <int N>
void add() {
  const std::string n = "/candidates:" + std::to_string(N);
  const auto add_one = [&](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(("best_entries/" + name + n).c_str(), run);
  };
  add_one("insertion/lanes:1", keep_best<candidates::BestOfLanes, float, N>);
  add_one("insertion/lanes:8", keep_best<candidates::BestOfLanes, LanesOf<float, 8>, N>);
  add_one("heap/lanes:1", keep_best<candidates::BestByHeap, float, N>);
}

const bool registered = [] {
  add<2>();
  add<6>();
  add<12>();
  add<16>();
  add<24>();
  add<32>();
  add<48>();
  add<64>();
  return true;
}();

}  // namespace
}  // namespace trackplex
