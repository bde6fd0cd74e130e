// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI, counted in its profiling interface, are those that docs/guide/many_ranks.md tells.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/moments.hpp>
#include <trackplex/montecarlo/schedule.hpp>
#include <trackplex/mpi/communicator.hpp>
#include <trackplex/simulation/bunch_generator.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

struct Calls {
  int n = 0;
  std::size_t bytes = 0;  ///< that this rank gives
};
std::map<std::string, Calls> calls;

void count(const char* name, int n, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  calls[name].n += 1;
  calls[name].bytes += std::size_t(n) * std::size_t(size);
}

}  // namespace

extern "C" {
int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm communicator) {
  count("sum", n, type);
  return PMPI_Allreduce(from, to, n, type, operation, communicator);
}
int MPI_Allgatherv(const void* from, int n, MPI_Datatype type, void* to, const int counts[],
                   const int offsets[], MPI_Datatype to_type, MPI_Comm communicator) {
  count("gather", n, type);
  return PMPI_Allgatherv(from, n, type, to, counts, offsets, to_type, communicator);
}
int MPI_Alltoallv(const void* from, const int from_counts[], const int from_offsets[],
                  MPI_Datatype from_type, void* to, const int to_counts[], const int to_offsets[],
                  MPI_Datatype to_type, MPI_Comm communicator) {
  int ranks = 0, n = 0;
  MPI_Comm_size(communicator, &ranks);
  for (int rank = 0; rank < ranks; ++rank) n += from_counts[rank];
  count("exchange", n, from_type);
  return PMPI_Alltoallv(from, from_counts, from_offsets, from_type, to, to_counts, to_offsets,
                        to_type, communicator);
}
}

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
constexpr int blocks = 24, particles = blocks * reduce_block;

/// Most bytes that a rank gives for the sums of some components: two branches for each level.
std::size_t most_bytes(int components) {
  return std::size_t(2 * std::bit_width(unsigned(blocks))) * (2 + std::size_t(components)) * 8;
}

Bunch<double, MemoryOf<Space>> some_bunch(const Ranks& ranks) {
  Workspace<Space> workspace;
  return simulation::generate_bunch<double>(Space(), {.particles = particles}, workspace, &ranks);
}

}  // namespace

TEST_CASE("Moments take three gatherings", "[mpi]") {
  const mpi::Communicator all;
  const Space exec;
  Workspace<Space> workspace;
  const auto bunch = some_bunch(all);
  calls.clear();
  moments_of(exec, bunch, workspace);
  CHECK(calls["gather"].n == 3);
  CHECK(calls["gather"].bytes <= most_bytes(7) + most_bytes(28) + most_bytes(12));
  CHECK(calls.size() == 1);
}

TEST_CASE("A step of space charge takes one gathering and two sums", "[mpi]") {
  const mpi::Communicator all;
  const Space exec;
  auto bunch = some_bunch(all);
  const int bins = 200;
  LineTracker<double, Space> tracker(
      exec, {{"charge", Charge{1e-9}}, {"sc", SpaceChargeDrift{.length = 1., .bins = bins}}});
  calls.clear();
  tracker.track(bunch, 1);
  const int steps = int(tracker.action<SpaceChargeDrift>(1).steps().size());
  CHECK(steps > 1);
  CHECK(calls["gather"].n == steps + 1);  // the first particle, too
  CHECK(calls["gather"].bytes <= std::size_t(steps) * most_bytes(6) + 16);
  CHECK(calls["sum"].n == 2 * steps);
  CHECK(calls["sum"].bytes == std::size_t(steps) * (8 * bins + 24));
  CHECK(calls.size() == 2);
}

TEST_CASE("Losses take one sum, and few particles move", "[mpi]") {
  const mpi::Communicator all;
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = some_bunch(all);
  bunch.may_have_lost = true;
  calls.clear();
  remove_lost(exec, bunch, workspace);
  CHECK(calls["sum"].n == 1);
  CHECK(calls.size() == 1);

  // one in a hundred
  for (int i = 0; i < bunch.size(); i += 100) bunch.losses(i) = {0, 0};
  bunch.may_have_lost = true;
  calls.clear();
  remove_lost(exec, bunch, workspace);
  CHECK(calls["sum"].n == 1);
  CHECK(calls["gather"].n == 1);
  CHECK(calls["exchange"].n <= 1);  // none if no share changes
  CHECK(calls["exchange"].bytes <= 2 * (reduce_block / 2) * (6 * 8 + 8 + 8));
}

TEST_CASE("A batch of histories takes three sums", "[mpi]") {
  const mpi::Communicator all;
  montecarlo::Schedule schedule({.histories = {0, 1000}, .batch = 1000}, {}, &all);
  calls.clear();
  const auto range = schedule.next();
  REQUIRE(range);
  montecarlo::TransportCounts counts;
  counts.histories.add(*range);
  counts.moments.histories = range->size();
  schedule.take(counts, 0.1);
  CHECK(calls["sum"].n <= 3);
  CHECK(calls["sum"].bytes <= 200);
  CHECK(calls.size() == 1);
}
