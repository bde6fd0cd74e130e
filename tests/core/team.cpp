// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <latch>
#include <string>
#include <thread>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/team_launch.hpp>
#include <utility>
#include <vector>

#include "support/spaces.hpp"

using namespace trackplex;

namespace {

/// Every team makes, in its scratch memory, 0, 1, ..., n - 1, keeps the odd ones, in three ways,
/// and scans the others.
template <class Real, class Space>
struct UseTeam {
  Kokkos::View<int**, Kokkos::LayoutRight, typename Space::memory_space> odd;      // team, position
  Kokkos::View<int**, Kokkos::LayoutRight, typename Space::memory_space> offsets;  // team, item
  Kokkos::View<int**, Kokkos::LayoutRight, typename Space::memory_space> odd_of_tiles;
  Kokkos::View<Quartet<ScalarOf<Real>>**, Kokkos::LayoutRight, typename Space::memory_space>
      records;
  // team, {kept, sum, counted, added, lowest, wrong, kept of tiles}
  Kokkos::View<int**, typename Space::memory_space> totals;
  int n;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<char>(3);
    carver.take<float>(n);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<Real, Member> team(member);
    const int t = member.league_rank();
    scratch.take<char>(3);
    float* const numbers = scratch.take<float>(n);
    team.for_each(n, [&](Tile<Real> tile) { tile.store(numbers, convert<Real>(tile.index())); });
    team.barrier();
    const int kept = team.compact(
        n, [&](int i) { return int(numbers[i]) % 2 == 1; },
        [&](int i, int position) { odd(t, position) = int(numbers[i]); });
    const int kept_of_tiles = team.compact_tiles(
        n,
        [&](Tile<Real> tile) { return (tile.index() & IntegerOf<Real>(1)) == IntegerOf<Real>(1); },
        [&](Tile<Real> tile, MaskOf<Real> mask, int position) {
          team.compress_store(&odd_of_tiles(t, position), tile.index(), mask);
          const Real number = convert<Real>(tile.index());
          team.compress_store_quartets(
              &records(t, position), Quartet<Real>{number, -number, number + number, number}, mask);
        });
    team.template for_each<int>(n,
                                [&](Tile<int> i) { offsets(t, i.first) = int(numbers[i.first]); });
    team.barrier();
    const int sum = team.exclusive_scan(&offsets(t, 0), n);
    team.template for_each<int>(n, [&](Tile<int>) { team.increment(&totals(t, 2)); });
    team.template for_each<int>(n, [&](Tile<int> i) {
      const int before = team.add(&totals(t, 3), 2);
      if (before % 2 != 0 || team.read(&totals(t, 3)) <= before) team.raise(&totals(t, 5));
      if (team.lower(&totals(t, 4), 50 - i.first) > 0) team.raise(&totals(t, 5));
    });
    team.single([&] {
      totals(t, 0) = kept;
      totals(t, 1) = sum;
      totals(t, 6) = kept_of_tiles;
    });
  }
};

template <class Real, class Space>
void check_team(int team_size) {
  const Space exec;
  const int teams = 5;
  for (const int n : {1, 7, 64, 333}) {
    CAPTURE(n, team_size, width_of<Real>);
    UseTeam<Real, Space> functor{};
    functor.odd = decltype(functor.odd)("odd", teams, n);
    functor.offsets = decltype(functor.offsets)("offsets", teams, n + 1);
    functor.odd_of_tiles = decltype(functor.odd_of_tiles)("odd_of_tiles", teams, n + 64);
    functor.records = decltype(functor.records)("records", teams, n + 64);
    functor.totals = decltype(functor.totals)("totals", teams, 7);
    functor.n = n;
    for_each_team(exec, "Trackplex::Test::use_team", teams, functor, team_size);
    exec.fence();
    const auto odd = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), functor.odd);
    const auto odd_of_tiles =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), functor.odd_of_tiles);
    const auto records = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), functor.records);
    const auto offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), functor.offsets);
    const auto totals = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), functor.totals);
    for (int t = 0; t < teams; ++t) {
      REQUIRE(totals(t, 0) == n / 2);
      REQUIRE(totals(t, 1) == n * (n - 1) / 2);
      REQUIRE(totals(t, 2) == n);
      REQUIRE(totals(t, 3) == 2 * n);
      REQUIRE(totals(t, 4) == std::min(0, 51 - n));
      REQUIRE(totals(t, 5) == 0);
      REQUIRE(totals(t, 6) == n / 2);
      for (int i = 0; i < n / 2; ++i) {
        REQUIRE(odd(t, i) == 2 * i + 1);
        REQUIRE(odd_of_tiles(t, i) == 2 * i + 1);
        const int number = 2 * i + 1;
        REQUIRE(records(t, i).x == number);
        REQUIRE(records(t, i).y == -number);
        REQUIRE(records(t, i).z == 2 * number);
        REQUIRE(records(t, i).w == number);
      }
      for (int i = 0; i < n; ++i) REQUIRE(offsets(t, i) == i * (i - 1) / 2);
      // Only a thread alone may write more
      if (team_size > 1 || width_of<Real> == 1) REQUIRE(records(t, n / 2).x == 0);
    }
  }
}

/// Fills `Factor` * 100 items of scratch memory and appends their sum to the team's number.
template <class Space, int Factor>
struct CountItems {
  Kokkos::View<int*, typename Space::memory_space> sums;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<int>(Factor * 100);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<int, Member> team(member);
    int* const items = scratch.take<int>(Factor * 100);
    team.for_each(Factor * 100, [&](Tile<int> i) { items[i.first] = Factor; });
    team.barrier();
    int& sum = sums(member.league_rank());
    team.single([&] {
      sum *= 1000;  // shows the order of the kernels
      for (int i = 0; i < Factor * 100; ++i) sum += items[i];
    });
  }
};

/// y = 2 x + 1 for the items that exist; others stay as they are.
template <class Real, class Space>
struct Line {
  Kokkos::View<const float*, typename Space::memory_space> x;
  Kokkos::View<float*, typename Space::memory_space> y;
  KOKKOS_FUNCTION void operator()(Tile<Real> tile) const {
    tile.store(y.data(), fma(Real(2), tile.load(x.data()), Real(1)));
  }
};

template <class Real, class Space>
void check_tiles() {
  const Space exec;
  for (const int n : {0, 1, 3, 8, 100, 1001}) {
    CAPTURE(n, width_of<Real>);
    Kokkos::View<float*, typename Space::memory_space> x("x", n), y("y", n + 1);
    const auto host_x = Kokkos::create_mirror_view(x);
    for (int i = 0; i < n; ++i) host_x(i) = 0.5f * float(i);
    Kokkos::deep_copy(x, host_x);
    Kokkos::deep_copy(y, -1.f);
    for_each_tile<Real>(exec, "Trackplex::Test::line", n, Line<Real, Space>{x, y});
    exec.fence();
    const auto host_y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    for (int i = 0; i < n; ++i) REQUIRE(host_y(i) == float(i) + 1.f);
    REQUIRE(host_y(n) == -1.f);  // nothing is written past the end
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a team shares out items, compacts and scans in order", "[core]",
                        trackplex::test::EnabledSpaces) {
  check_team<float, TestType>(0);
  if constexpr (is_host_space<TestType>) {
    check_team<Lanes<float, 4>, TestType>(0);
    check_team<Lanes<float, 8>, TestType>(0);
    check_team<Lanes<float, 16>, TestType>(0);
    // A host team of several threads goes the way of a device.
    const int threads = int(TestType().concurrency());
    check_team<float, TestType>(threads);
    check_team<Lanes<float, 8>, TestType>(threads);
  }
}

TEMPLATE_LIST_TEST_CASE("tiles cover the items and mask the remainder", "[core]",
                        trackplex::test::EnabledSpaces) {
  check_tiles<float, TestType>();
  if constexpr (is_host_space<TestType>) {
    check_tiles<Lanes<float, 4>, TestType>();
    check_tiles<Lanes<float, 8>, TestType>();
    check_tiles<Lanes<float, 16>, TestType>();
  }
}

TEST_CASE("a scratch carver adds up what its arrays take", "[core]") {
  ScratchCarver counting;
  CHECK(counting.take<double>(3) == nullptr);
  CHECK(counting.take<char>(65) == nullptr);
  CHECK(counting.bytes() == 64 + 128 + ScratchCarver::alignment);
  alignas(64) char memory[256];
  ScratchCarver carving(memory);
  CHECK(static_cast<void*>(carving.take<double>(3)) == static_cast<void*>(memory));
  CHECK(carving.take<char>(65) == memory + 64);
  CHECK(carving.bytes() == counting.bytes());
}

#if defined(KOKKOS_ENABLE_SERIAL)
namespace {
/// How often `is_right(work)` is not, for the works 0 and 1 on a thread each.
template <class IsRight>
std::array<int, 2> count_wrong_of_two_threads(int repetitions, const IsRight& is_right) {
  std::array<int, 2> wrong{};
  std::latch start(2);
  const auto repeat = [&](int work) {
    start.arrive_and_wait();
    for (int i = 0; i < repetitions; ++i) wrong[std::size_t(work)] += !is_right(work);
  };
  std::thread other(repeat, 1);
  repeat(0);
  other.join();
  return wrong;
}

struct AddOneOrThree {
  struct One {};
  struct Three {};
  KOKKOS_FUNCTION void operator()(One, int /*i*/, int& sum) const { sum += 1; }
  KOKKOS_FUNCTION void operator()(Three, int /*i*/, int& sum) const { sum += 3; }
};
}  // namespace

TEST_CASE("host threads that share an instance of Serial do not disturb one another", "[core]") {
  using Ints = Kokkos::View<int*, Kokkos::HostSpace>;
  const Kokkos::Serial exec;
  SECTION("teams") {
    constexpr int teams = 20;
    const CountItems<Kokkos::Serial, 1> ones{Ints("ones", teams)};
    const CountItems<Kokkos::Serial, 3> threes{Ints("threes", teams)};
    const auto is_right = [&](const auto& kernel, int sum) {
      for_each_team(exec, "Trackplex::Test::count", teams, kernel);
      bool right = true;
      for (int t = 0; t < teams; ++t) right &= std::exchange(kernel.sums(t), 0) == sum;
      return right;
    };
    CHECK(count_wrong_of_two_threads(20000, [&](int work) {
            return work == 0 ? is_right(ones, 100) : is_right(threes, 900);
          }) == std::array{0, 0});
  }
  SECTION("scans") {
    constexpr int n = 100;
    const std::array counts{Ints("ones", n), Ints("threes", n)};
    Kokkos::deep_copy(counts[0], 1);
    Kokkos::deep_copy(counts[1], 3);
    const std::array offsets{Ints("offsets", n + 1), Ints("offsets", n + 1)};
    CHECK(count_wrong_of_two_threads(200000, [&](int work) {
            const auto& found = offsets[std::size_t(work)];
            exclusive_scan(exec, counts[std::size_t(work)], found, n);
            return std::exchange(found(n), 0) == n * (work == 0 ? 1 : 3);
          }) == std::array{0, 0});
  }
  SECTION("sums") {
    constexpr int n = 100;
    constexpr AddOneOrThree body;
    CHECK(count_wrong_of_two_threads(200000, [&](int work) {
            const std::string label = "Trackplex::Test::sum";
            return work == 0 ? count_items<AddOneOrThree::One>(exec, label, n, body) == n
                             : count_items<AddOneOrThree::Three>(exec, label, n, body) == 3 * n;
          }) == std::array{0, 0});
  }
}
#endif
