// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <trackplex/lhcb/velo_hits.hpp>
#include <trackplex/search/sort_by_phi.hpp>

#include "support/spaces.hpp"
#include "support/toy_events.hpp"

using namespace trackplex;

namespace {

template <class View>
auto on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

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

template <class Phi, class Groups, int Width, class Real, class Space>
void check_sort(int team_size = 0) {
  const Space exec;
  auto events = test::toy_velo_events();
  events.insert(events.begin(), crowded_event());
  events.push_back(crowded_event());
  search::Hits<Real, typename Space::memory_space> hits;
  lhcb::detail::VeloHitsStaging<Real> staging;
  lhcb::load_velo_hits<Space, Real>(exec, events, hits, staging);
  search::SortedHits<Real, typename Phi::Key, typename Space::memory_space> sorted;
  search::sort_by_phi<Phi, Groups, Width>(exec, hits, lhcb::velo_pairs, sorted, team_size);
  exec.fence();
  const auto index = on_host(sorted.index);
  const auto phi = on_host(sorted.phi);
  const auto x = on_host(sorted.x);
  const auto side = on_host(sorted.side);
  const auto bins = on_host(sorted.bin_offsets);

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
      REQUIRE(side(first + i) == modules[expected[i]] % 2);
    }
    REQUIRE(bins(e * table) == 0);
    REQUIRE(bins(e * table + table - 1) == n);
    for (int b = 0; b + 1 < table; ++b) REQUIRE(bins(e * table + b) <= bins(e * table + b + 1));
    first += n;
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("hits are sorted by group, phi and index", "[search]",
                        test::EnabledSpaces) {
  using Merged = search::Grouping<true, 6>;
  using Separate = search::Grouping<false, 5>;
  check_sort<search::Phi16<float>, Merged, 1, float, TestType>();
  check_sort<search::PhiRadians<float>, Separate, 1, float, TestType>();
  check_sort<search::PhiRadians<double>, Separate, 1, double, TestType>();
  if constexpr (is_host_space<TestType>) {
    check_sort<search::Phi16<float>, Merged, 8, float, TestType>();
    check_sort<search::Phi16<double>, Merged, 4, double, TestType>();
    check_sort<search::PhiRadians<float>, Separate, 8, float, TestType>();
    check_sort<search::Phi16<float>, search::Grouping<true, 0>, 8, float, TestType>();
    const int threads = int(TestType().concurrency());
    check_sort<search::Phi16<float>, Merged, 1, float, TestType>(threads);
  }
}
