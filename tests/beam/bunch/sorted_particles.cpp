// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
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
