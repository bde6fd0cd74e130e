// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/remove_lost.hpp>
#include <trackplex/core/host_executor.hpp>

#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

ParticleTable numbered_table(int n) {
  ParticleTable table(n, 200.);
  table.reference.path_length = 12.5;
  table.particle_charge = 1e-15;
  for (int c = 0; c < n_coordinates; ++c)
    for (int i = 0; i < n; ++i) table.v[c][i] = (c + 1) * 0.1 + i / 3.;
  for (int i = 0; i < n; ++i) table.ids[i] = 7 * i + 3;
  return table;
}

template <class T>
void check_equal(const ParticleTable& found, const ParticleTable& expected) {
  CHECK(found.reference.p0 == expected.reference.p0);
  CHECK(found.reference.path_length == expected.reference.path_length);
  CHECK(found.particle_charge == expected.particle_charge);
  CHECK(found.ids == expected.ids);
  REQUIRE(found.size() == expected.size());
  REQUIRE(found.losses.size() == expected.losses.size());
  for (int i = 0; i < found.size(); ++i) {
    REQUIRE(found.losses[i].turn == expected.losses[i].turn);
    REQUIRE(found.losses[i].element == expected.losses[i].element);
    for (int c = 0; c < n_coordinates; ++c) REQUIRE(found.v[c][i] == double(T(expected.v[c][i])));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("particles go to a bunch and come back", "[beam]", test::EnabledSpaces) {
  const TestType exec;
  for (const int n : {0, 1, 17, 2000}) {
    CAPTURE(n);
    auto table = numbered_table(n);
    const auto bunch = upload<double>(exec, table);
    CHECK(bunch.size() == n);
    CHECK(!bunch.may_have_lost);
    check_equal<double>(download(exec, bunch), table);
    check_equal<float>(download(exec, upload<float>(exec, table)), table);
    if (n < 2) continue;
    table.losses[n / 2] = {3, 4};
    CHECK(table.n_lost() == 1);
    const auto with_lost = upload<double>(exec, table);
    CHECK(with_lost.may_have_lost);
    check_equal<double>(download(exec, with_lost), table);
  }
}

TEST_CASE("removed particles are downloaded, too", "[beam]") {
  const HostExecutor exec;
  auto bunch = upload<double>(exec, numbered_table(10));
  bunch.set_share(7);
  CHECK(download(exec, bunch).size() == 10);
}

TEMPLATE_LIST_TEST_CASE("a copied bunch shares nothing", "[beam]", test::EnabledSpaces) {
  const TestType exec;
  ParticleTable table(300, 200.);
  for (int i = 0; i < 300; ++i) table.v[x][i] = i;
  table.particle_charge = 1e-12;
  table.reference.path_length = 3.;
  table.losses[7] = {2, 5};
  auto start = upload<double>(exec, table);
  Workspace<TestType> workspace;
  auto removed = upload<double>(exec, table);
  remove_lost(exec, removed, workspace);
  Bunch<double, MemoryOf<TestType>> bunch;
  for (const auto& from : {start, removed, start}) {
    copy_bunch(exec, from, bunch);
    CHECK(bunch.column(x) != from.column(x));
    CHECK(bunch.size() == from.size());
    CHECK(bunch.may_have_lost == from.may_have_lost);
    const auto expected = download(exec, from), found = download(exec, bunch);
    CHECK(found.v[x] == expected.v[x]);
    CHECK(found.ids == expected.ids);
    CHECK(found.n_lost() == 1);
    CHECK(found.particle_charge == 1e-12);
    CHECK(found.reference.path_length == 3.);
  }
  auto shared = start;  // copies of a bunch share the memory
  copy_bunch(exec, start, shared);
  CHECK(shared.column(x) != start.column(x));
}

TEST_CASE("tables that are no bunches are refused", "[beam]") {
  const HostExecutor exec;
  auto table = numbered_table(5);
  table.v[delta].pop_back();
  CHECK_THROWS_AS(upload<double>(exec, table), UsageError);
  table = numbered_table(5);
  table.losses.clear();
  CHECK_THROWS_AS(upload<double>(exec, table), UsageError);
  CHECK_THROWS_AS(upload<double>(exec, ParticleTable(5)), UsageError);  // no momentum
}
