// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/velo/sort_by_phi.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"
#include "support/toy_events.hpp"

using namespace trackplex;

namespace {

using test::host_copy;

/// Many hits at about one azimuth in the first and in the last layer: their bins hold more than a
/// pack, with nothing before or behind them.
lhcb::VeloEvent crowded_event() {
  constexpr int crowd = 100;
  lhcb::VeloEvent event;
  event.name = "crowded";
  for (int m = 0; m < lhcb::velo_modules; ++m) {
    if (m == 0 || m == lhcb::velo_modules - 1)
      for (int i = 0; i < crowd; ++i) {
        event.x.push_back((m == 0 ? -1. : 1.) * (10. + 0.1 * i));
        event.y.push_back(0.001 * ((37 * i) % crowd));
        event.z.push_back(lhcb::velo_module_z[m]);
      }
    event.module_offsets[m + 1] = std::uint32_t(event.x.size());
  }
  return event;
}

template <class T, class Space>
lhcb::VeloHits<T, typename Space::memory_space> loaded_hits(
    const Space& exec, const std::vector<lhcb::VeloEvent>& events) {
  std::vector<const lhcb::VeloEvent*> pointers;
  for (const auto& event : events) pointers.push_back(&event);
  const chain::Events<lhcb::VeloEvent> input{pointers};
  lhcb::StagedVeloHits<T> staged;
  run_algorithm(exec, lhcb::StageVeloHits<T>(), input, staged);
  lhcb::VeloHits<T, typename Space::memory_space> hits;
  run_algorithm(exec, lhcb::CopyVeloHits<T, Space>(), std::as_const(staged), hits);
  exec.fence();
  return hits;
}

template <bool merge_sides, class Sorted>
const auto& in_order(const Sorted& sorted) {
  if constexpr (merge_sides)
    return sorted.merged;
  else
    return sorted.separate;
}

template <class Order, int Width, class Real, class Space>
void check_sort(int team_size = 0) {
  using Phi = typename Order::Phi;
  using Groups = typename Order::Groups;
  const Space exec;
  auto events = test::toy_velo_events();
  events.insert(events.begin(), crowded_event());
  events.push_back(crowded_event());
  const auto hits = loaded_hits<Real>(exec, events);
  lhcb::SortedHits<Real, typename Space::memory_space> both;
  run_algorithm(
      exec,
      lhcb::SortByPhi<Real, Space, Width>{
          .layers = lhcb::velo_pairs, .merge_sides = Groups::merge_sides, .team_size = team_size},
      hits, both);
  exec.fence();
  const auto& sorted = in_order<Groups::merge_sides>(both);
  const auto index = host_copy(sorted.index);
  const auto phi = host_copy(sorted.phi);
  const auto x = host_copy(sorted.x);
  const auto y = host_copy(sorted.y);
  const auto z = host_copy(sorted.z);
  const auto side = host_copy(sorted.side);
  const auto bins = host_copy(sorted.bin_offsets);

  std::size_t first = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& event = events[e];
    const int n = int(event.size());
    std::vector<int> modules(n), expected(n);
    for (int m = 0; m < lhcb::velo_modules; ++m)
      std::fill(modules.begin() + event.module_offsets[m],
                modules.begin() + event.module_offsets[m + 1], m);
    std::vector<typename Phi::Key> keys(n);
    for (int h = 0; h < n; ++h)
      keys[h] = Phi::of(Real(event.x[h]), Real(event.y[h]), IntegerOf<Real>(modules[h] & 1));
    std::iota(expected.begin(), expected.end(), 0);
    std::sort(expected.begin(), expected.end(), [&](int a, int b) {
      return std::tuple(Groups::group(modules[a]), keys[a], a) <
             std::tuple(Groups::group(modules[b]), keys[b], b);
    });
    const int table = Groups::bins_per_event(lhcb::velo_pairs) + 1;
    for (int i = 0; i < n; ++i) {
      REQUIRE(index(first + i) == expected[i]);
      REQUIRE(phi(first + i) == keys[expected[i]]);
      REQUIRE(x(first + i) == Real(event.x[expected[i]]));
      REQUIRE(y(first + i) == Real(event.y[expected[i]]));
      REQUIRE(z(first + i) == Real(event.z[expected[i]]));
      REQUIRE(side(first + i) == modules[expected[i]] % 2);
    }
    REQUIRE(bins(e * table) == 0);
    REQUIRE(bins(e * table + table - 1) == n);
    for (int b = 0; b + 1 < table; ++b) REQUIRE(bins(e * table + b) <= bins(e * table + b + 1));
    first += n;
  }
}

/// A kernel in scratch memory that holds one number everywhere, as other kernels might leave it.
template <class Kernel>
struct InUsedScratch {
  Kernel kernel;
  std::int32_t left_there;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return kernel.scratch_bytes(); }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver& scratch) const {
    const int words = int(scratch_bytes() / sizeof(std::int32_t));
    ScratchCarver whole = scratch;
    auto* const memory = whole.take<std::int32_t>(words);
    for (int i = 0; i < words; ++i) memory[i] = left_there;
    kernel(member, scratch);
  }
};

/// Some hits close to each other in the first and in the last module.
lhcb::VeloEvent ends_of_table() {
  lhcb::VeloEvent event;
  constexpr int n = 40;
  for (int m = 0; m < lhcb::velo_modules; ++m) {
    const bool last = m == lhcb::velo_modules - 1;
    if (m == 0 || last)
      for (int i = 0; i < n; ++i) {
        event.x.push_back(last ? 10. : -10.);
        event.y.push_back(0.001 * ((37 * i) % n) + (last ? 5.4 : -0.1));
        event.z.push_back(lhcb::velo_module_z[m]);
      }
    event.module_offsets[m + 1] = std::uint32_t(event.x.size());
  }
  return event;
}

/// What stands in the scratch memory looks like more hits of the first or of the last bin.
template <int Width>
void check_used_scratch() {
  using Space = HostExecutor;
  using Sorted = lhcb::SortedHits<float, Space::memory_space>;
  using Order = Sorted::MergedOrder;
  using Phi = Order::Phi;
  const Space exec;
  const auto event = ends_of_table();
  const auto hits = loaded_hits<float>(exec, {event});
  const lhcb::SortByPhi<float, Space, Width> sort{.layers = lhcb::velo_pairs};
  Sorted expected, found;
  run_algorithm(exec, sort, hits, expected);
  sort.allocate(GrowingMemory<Space>{exec}, hits, found);
  using Kernel = lhcb::detail::SortByPhi<Phi, Order::Groups, LanesOf<float, Width>, decltype(hits),
                                         decltype(found.merged)>;
  const auto bin_of = [&](std::size_t hit, int layer) {
    const auto phi = Phi::of(float(event.x[hit]), float(event.y[hit]));
    return std::int32_t(layer * Order::Groups::bins + Phi::bin<Order::Groups::log2_bins>(phi, 0));
  };
  for (const std::int32_t bin :
       {bin_of(0, 0), bin_of(event.size() - 1, lhcb::velo_pairs - 1), std::int32_t(-1)}) {
    CAPTURE(Width, bin);
    const InUsedScratch<Kernel> kernel{{hits, found.merged, lhcb::velo_pairs}, bin};
    for_each_team(exec, "Trackplex::Test::sort_in_used_scratch", 1, kernel);
    exec.fence();
    for (std::size_t i = 0; i < event.size(); ++i)
      REQUIRE(found.merged.index(i) == expected.merged.index(i));
  }
}

}  // namespace

TEST_CASE("what scratch memory held before changes no order of hits", "[search]") {
  check_used_scratch<default_lane_width<HostExecutor, float>>();
  if constexpr (test::all_widths) check_used_scratch<1>();
}

TEMPLATE_LIST_TEST_CASE("hits are sorted by group, phi and index", "[search]",
                        test::EnabledSpaces) {
  using Floats = lhcb::SortedHits<float, typename TestType::memory_space>;
  using Doubles = lhcb::SortedHits<double, typename TestType::memory_space>;
  check_sort<typename Floats::MergedOrder, 1, float, TestType>();
  check_sort<typename Floats::SeparateOrder, 1, float, TestType>();
  check_sort<typename Doubles::SeparateOrder, 1, double, TestType>();
  if constexpr (is_host_space<TestType>) {
    check_sort<typename Floats::MergedOrder, 8, float, TestType>();
    check_sort<typename Doubles::MergedOrder, 4, double, TestType>();
    check_sort<typename Floats::SeparateOrder, 8, float, TestType>();
    const int threads = int(TestType().concurrency());
    check_sort<typename Floats::MergedOrder, 1, float, TestType>(threads);
  }
}
