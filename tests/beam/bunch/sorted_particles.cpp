// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdint>
#include <limits>
#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/core/host_executor.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::beam;

TEST_CASE("particles are sorted by number, loss and place", "[beam]") {
  const HostExecutor exec;
  ParticleTable table(7, 200.);
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  table.ids = {5, -3, 5, least, most, 5, 5};
  table.v[x] = {0., 1., 2., 3., 4., 5., 6.};
  table.losses[0] = {2, 1};
  table.losses[5] = {1, 7};
  const auto sorted = sorted_particles(exec, upload<double>(exec, table));
  CHECK(sorted.ids == std::vector<std::int64_t>{least, -3, 5, 5, 5, 5, most});
  CHECK(sorted.v[x] == std::vector{3., 1., 2., 6., 5., 0., 4.});
  CHECK(sorted.losses[4].element == 7);
}

TEST_CASE("fingerprints of particles see every bit", "[beam]") {
  ParticleTable table(5000, 200.);
  const auto hash = fingerprint_of(table);
  CHECK(fingerprint_of(ParticleTable(5001, 200.)) != hash);
  auto other = table;
  other.v[delta][4999] = 1e-300;
  CHECK(fingerprint_of(other) != hash);
  other = table;
  other.losses[17].turn = 0;
  CHECK(fingerprint_of(other) != hash);
  other = table;
  other.ids[0] = 1;
  CHECK(fingerprint_of(other) != hash);
}

TEST_CASE("parts of a bunch are those of its table, in the order of the particles", "[beam]") {
  const HostExecutor exec;
  const int n = 2 * reduce_block + 7;
  ParticleTable table(n, 200.);
  table.set_spins(0., 1., 0.);
  for (int i = 0; i < n; ++i) table.v[x][i] = table.spin[0][i] = 1e-3 * i;
  const bool is_turned = GENERATE(false, true);
  CAPTURE(is_turned);
  if (is_turned) std::ranges::reverse(table.ids);
  const auto bunch = upload<double>(exec, table);
  const auto sorted = sorted_particles(exec, bunch);
  int next = 0;
  for_each_sorted_part(exec, bunch, [&](std::int64_t first, const ParticleTable& part) {
    CHECK(first == next);
    CHECK(part.size() == std::min(reduce_block, n - next));
    CHECK(part.reference.p0 == 200.);
    for (int i = 0; i < part.size(); ++i, ++next) {
      REQUIRE(part.ids[i] == sorted.ids[next]);
      REQUIRE(part.v[x][i] == sorted.v[x][next]);
      REQUIRE(part.spin[0][i] == sorted.spin[0][next]);
    }
  });
  CHECK(next == n);
  CHECK(fingerprint_of(exec, bunch) == fingerprint_of(sorted));
  for_each_sorted_part(exec, Bunch<double, MemoryOf<HostExecutor>>(),
                       [](std::int64_t, const ParticleTable&) { FAIL(); });
}
