// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts do not depend on who runs the histories: spaces, lanes, batches, runs that go on.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <montecarlo/run_transport.hpp>
#include <support/refusals.hpp>
#include <support/spaces.hpp>

using namespace trackplex;
using namespace trackplex::montecarlo;
using namespace trackplex::montecarlo::test;

namespace {

const TransportParams gold{1.323518893e-3, 33.5, 77};

template <class T, int Width, class Space>
TransportCounts counts_of(const std::vector<HistoryRange>& ranges) {
  return run_transport<T, Width, Space>(gold, reference_tallies<T>(), ranges, DiskSource{3.});
}

template <class T>
TransportCounts scalar_counts(const HistoryRange& range) {
  return counts_of<T, 1, HostExecutor>({range});
}

template <int Width, class Space>
void check_width() {
  const HistoryRange range{1000, 24321};  // more than one share of a thread, not a multiple of it
  CAPTURE(Width);
  const auto in_float = counts_of<float, Width, Space>({range});
  CHECK(in_float.moments.histories == range.size());
  static const TransportCounts scalar_float = scalar_counts<float>(range);
  static const TransportCounts scalar_double = scalar_counts<double>(range);
  CHECK(in_float.same_results(scalar_float));
  CHECK(counts_of<double, Width, Space>({range}).same_results(scalar_double));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("lanes do not change the counts", "[montecarlo]",
                        trackplex::test::EnabledSpaces) {
  check_width<1, TestType>();
  check_width<default_lane_width<TestType, float, KernelKind::transport>, TestType>();
}

TEMPLATE_LIST_TEST_CASE("ranges of histories add up", "[montecarlo]",
                        trackplex::test::EnabledSpaces) {
  using Space = TestType;
  constexpr int width = default_lane_width<Space, float>;
  const auto whole = counts_of<float, width, Space>({{0, 20000}});
  std::vector<HistoryRange> small;
  for (std::uint64_t begin = 0, size = 1; begin < 20000; begin += size, size = size % 701 + 37)
    small.push_back({begin, std::min<std::uint64_t>(begin + size, 20000)});
  CHECK(counts_of<float, width, Space>(small).same_results(whole));
  // in another order, taken one by one, and added up
  TransportCounts sum;
  for (const HistoryRange& range : {HistoryRange{15000, 20000}, {0, 1}, {1, 15000}}) {
    sum += counts_of<float, width, Space>({range});
  }
  CHECK(sum.same_results(whole));
  CHECK(sum.histories.ranges() == std::vector<HistoryRange>{{0, 20000}});
  CHECK_FALSE(counts_of<float, width, Space>({{1, 20001}}).same_results(whole));
}

TEMPLATE_LIST_TEST_CASE("histories have 64-bit numbers", "[montecarlo]",
                        trackplex::test::EnabledSpaces) {
  using Space = TestType;
  for (const std::uint64_t middle :
       {std::uint64_t(1) << 32, 3 * (std::uint64_t(1) << 32), std::uint64_t(1) << 63}) {
    CAPTURE(middle);
    const HistoryRange range{middle - 5000, middle + 5000};
    const auto whole = counts_of<float, default_lane_width<Space, float>, Space>({range});
    TransportCounts parts;
    for (std::uint64_t i = 0; i < 100; ++i)
      parts += scalar_counts<float>({range.begin + 100 * i, range.begin + 100 * (i + 1)});
    CHECK(whole.same_results(parts));
    CHECK(counts_of<double, default_lane_width<Space, double>, Space>({range}).same_results(
        scalar_counts<double>(range)));
    // not those of the lower 32 bits
    CHECK(whole.cells != scalar_counts<float>({0, 10000}).cells);
  }
  const HistoryRange last{UINT64_MAX - 100, UINT64_MAX};
  CHECK(counts_of<float, default_lane_width<Space, float>, Space>({last}).same_results(
      scalar_counts<float>(last)));
}

TEST_CASE("the seed has 64 bits", "[montecarlo]") {
  const auto cells = [](std::uint64_t seed) {
    return run_transport<float, HostExecutor>({1e-3, 33.5, seed}, reference_tallies<float>(),
                                              {{0, 1000}})
        .cells;
  };
  CHECK(cells(1) == cells(1));
  CHECK(cells(1) != cells(2));
  CHECK(cells(1) != cells(1 + (std::uint64_t(1) << 32)));
}

TEST_CASE("counts are taken once, and begin anew", "[montecarlo]") {
  using Space = HostExecutor;
  const Space exec;
  const auto list = reference_tallies<float>();
  Transport<float, Space, decltype(list)> transport(exec, gold, list);
  transport.run(exec, {0, 0});
  transport.run(exec, {5, 5});
  CHECK(transport.take(exec).moments == MomentSums{});
  transport.run(exec, {0, 1});
  const auto one = transport.take(exec);
  CHECK(one.histories.size() == 1);
  CHECK(one.moments.histories == 1);
  CHECK(one.moments.z().error == 0.);
  CHECK(one.moments.z().value > 0.);
  const auto nothing = transport.take(exec);
  CHECK(nothing.histories == HistorySet{});
  CHECK(nothing.moments == MomentSums{});
  CHECK(nothing.lane_steps == 0);
  CHECK(nothing.cells == std::vector<std::uint64_t>(one.cells.size(), 0));
  transport.run(exec, {0, 1});  // again
  CHECK(transport.take(exec).same_results(one));
}

TEST_CASE("a history counts once between two takes", "[montecarlo]") {
  using Space = HostExecutor;
  using trackplex::test::check_refused;
  const Space exec;
  Transport<float, Space, TallyList<>> transport(exec, gold, tallies());
  transport.run(exec, {10, 20});
  check_refused<UsageError>([&] { transport.run(exec, {19, 21}); }, "count twice");
  check_refused<UsageError>([&] { transport.run(exec, {5, 4}); }, "ends before it begins");
  const std::uint64_t most = decltype(transport)::max_histories;
  check_refused<UsageError>([&] { transport.run(exec, {100, 100 + most - 9}); }, "take the counts");
  check_refused<UsageError>([&] { transport.run(exec, {0, UINT64_MAX}); }, "take the counts");
  const auto counts = transport.take(exec);
  CHECK(counts.histories.ranges() == std::vector<HistoryRange>{{10, 20}});
  CHECK(counts.moments.histories == 10);
}

TEST_CASE("lanes do not wait for each other", "[montecarlo]") {
  using Space = HostExecutor;
  const auto occupancy = [](const TransportCounts& counts) {
    CHECK(counts.lane_steps > 0);
    return counts.occupancy();
  };
  for (const char* material : materials) {
    const TransportParams params{scattering_in(material).screening, 33.5, 5};
    // in single precision the second step of a block is lost where the first one ends a history
    const double in_float =
        occupancy(run_transport<float, 8, Space>(params, tallies(), {{0, 65536}}));
    CHECK((in_float > 0.97 && in_float < 1.));
    const double in_double =
        occupancy(run_transport<double, 4, Space>(params, tallies(), {{0, 65536}}));
    CHECK((in_double > 0.99 && in_double <= 1.));
  }
  CHECK(occupancy(run_transport<double, 1, Space>(gold, tallies(), {{0, 100}})) == 1.);
}
