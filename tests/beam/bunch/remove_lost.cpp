// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <numeric>
#include <random>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/remove_lost.hpp>

#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

/// Coordinates that tell the particle and the column, exact in single precision, too.
ParticleTable numbered_particles(int n) {
  ParticleTable table(n, 200.);
  for (int i = 0; i < n; ++i) {
    table.ids[i] = 7 * i + 3;
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = i + c / 8.;
  }
  return table;
}

ParticleTable picked(const ParticleTable& table, const std::vector<int>& order) {
  ParticleTable to(table.size(), 200.);
  for (int i = 0; i < table.size(); ++i) {
    to.ids[i] = table.ids[order[i]];
    to.losses[i] = table.losses[order[i]];
    for (int c = 0; c < n_coordinates; ++c) to.v[c][i] = table.v[c][order[i]];
  }
  return to;
}

bool equal(const ParticleTable& a, const ParticleTable& b) {
  for (int c = 0; c < n_coordinates; ++c)
    if (a.v[c] != b.v[c]) return false;
  const auto same_loss = [](const Loss& l, const Loss& m) {
    return l.turn == m.turn && l.element == m.element;
  };
  return a.ids == b.ids &&
         std::equal(a.losses.begin(), a.losses.end(), b.losses.begin(), b.losses.end(), same_loss);
}

/// Loses and removes particles twice, and compares with the standard library.
template <class T, class Space>
void check(int n, const std::function<bool(int)>& lost_first,
           const std::function<bool(int)>& lost_later) {
  const Space exec;
  Workspace<Space> workspace;
  auto expected = numbered_particles(n);
  auto bunch = upload<T>(exec, expected);
  int size = n;
  int turn = 0;
  for (const auto& lost : {lost_first, lost_later}) {
    ++turn;
    int n_lost = 0;
    for (int i = 0; i < size; ++i)
      if (lost(i)) {
        expected.losses[i] = {turn, i % 5};
        ++n_lost;
      }
    copy_to_device(exec, bunch.losses, expected.losses);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.begin() + size,
                          [&](int i) { return expected.losses[i].element == Loss::none; });
    expected = picked(expected, order);
    size -= n_lost;

    bunch.may_have_lost = true;
    CAPTURE(n, n_lost, turn);
    REQUIRE(remove_lost(exec, bunch, workspace) == n_lost);
    REQUIRE(bunch.size() == size);
    REQUIRE(bunch.n_removed() == n - size);
    REQUIRE_FALSE(bunch.may_have_lost);
    REQUIRE(equal(download(exec, bunch), expected));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("lost particles come after the others", "[beam]", test::EnabledSpaces) {
  std::mt19937 random(3);
  const auto none = [](int) { return false; };
  const auto all = [](int) { return true; };
  const auto some = [&](unsigned per_thousand) {
    return [&random, per_thousand](int) { return random() % 1000 < per_thousand; };
  };
  for (const int n : {0, 1, 2, 1023, 1024, 1025, 5003, 100001}) {
    check<double, TestType>(n, none, some(500));
    check<float, TestType>(n, some(500), all);
    check<double, TestType>(n, all, none);
    check<double, TestType>(n, some(2), some(300));
    check<float, TestType>(n, some(950), some(20));
    check<double, TestType>(
        n, [n](int i) { return i == n - 1; }, [](int i) { return i == 0; });
  }
}

TEMPLATE_LIST_TEST_CASE("a bunch without lost particles is not looked at", "[beam]",
                        test::EnabledSpaces) {
  const TestType exec;
  Workspace<TestType> workspace;
  Bunch<double, MemoryOf<TestType>> bunch(exec, 100, 200.);
  exec.fence();
  CHECK(remove_lost(exec, bunch, workspace) == 0);
  CHECK(workspace.bytes() == 0);
  CHECK(bunch.size() == 100);
}
