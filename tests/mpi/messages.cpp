// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI, counted in its profiling interface, are those that docs/guide/many_ranks.md tells.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/montecarlo/schedule.hpp>
#include <trackplex/mpi/communicator.hpp>
#include <trackplex/mpi/mpi_event_farm.hpp>
#include <trackplex/simulation/bunch_generator.hpp>
#include <vector>

#include "beam/elements/every_element.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

struct Calls {
  int n = 0;
  std::size_t bytes = 0;  ///< that this rank gives
};
std::map<std::string, Calls> calls;
std::mutex calls_mutex;  // a farm has a thread that receives

void count(const char* name, int n, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  const std::lock_guard lock(calls_mutex);
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
int MPI_Isend(const void* from, int n, MPI_Datatype type, int to, int tag, MPI_Comm communicator,
              MPI_Request* request) {
  count("message", n, type);
  return PMPI_Isend(from, n, type, to, tag, communicator, request);
}
int MPI_Fetch_and_op(const void* value, void* before, MPI_Datatype type, int rank, MPI_Aint place,
                     MPI_Op operation, MPI_Win window) {
  count("atomic", 1, type);
  return PMPI_Fetch_and_op(value, before, type, rank, place, operation, window);
}
}

namespace {

using Space = HostExecutor;
constexpr int blocks = 24, particles = blocks * reduce_block;

/// Most bytes that a rank gives for the sums of some components: two branches for each level.
std::size_t most_bytes(int components) {
  return std::size_t(2 * std::bit_width(unsigned(blocks))) * (2 + std::size_t(components)) * 8;
}

Bunch<double, MemoryOf<Space>> some_bunch(const Ranks& ranks) {
  Workspace<Space> workspace;
  return simulation::generate_bunch<double>(Space(), {.particles = particles}, workspace, &ranks);
}

/// Checks the calls in which a bunch passes a line behind a charge, after other passes: gatherings
/// of at most so many bytes, and sums of so many.
void check_calls(const BeamLine& line, const std::vector<std::size_t>& gathered,
                 const std::vector<std::size_t>& summed = {}, int passes_before = 0) {
  const auto total = [](const auto& bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::size_t(0));
  };
  const mpi::Communicator all;
  auto bunch = some_bunch(all);
  BeamLine charged{{"charge", Charge{1e-9}}};
  charged.insert(charged.end(), line.begin(), line.end());
  CAPTURE(line.back().name);
  LineTracker<double, Space> tracker(Space(), charged);
  tracker.track(bunch, passes_before);
  calls.clear();
  tracker.track(bunch, 1, {}, passes_before);
  CHECK(calls["gather"].n == int(gathered.size()));
  CHECK(calls["gather"].bytes <= total(gathered));
  CHECK(calls["sum"].n == int(summed.size()));
  CHECK(calls["sum"].bytes == total(summed));
  CHECK(calls.size() == 2);
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

TEST_CASE("A wake takes one gathering and one or two sums", "[mpi]") {
  const std::size_t bins = 64;
  Wake wake{.table = test::some_wakes(), .bins = bins, .allow_long_beam = true};
  check_calls({{"longitudinal", wake}}, {most_bytes(3)}, {8 * bins, 24});
  wake.change_p0 = true;
  check_calls({{"to mean", wake}}, {most_bytes(3), most_bytes(1)}, {8 * bins, 24});
  check_calls(
      {{"transverse", TransverseWake{.table = wake.table, .bins = bins, .allow_long_beam = true}}},
      {most_bytes(5)}, {2 * 8 * bins});
}

TEST_CASE("Each slice with coherent radiation takes one gathering and two sums", "[mpi]") {
  using Field = CsrDrift::Field;
  const std::size_t bins = 100, bins_of_width = 10000, range = most_bytes(2);
  const Element bend{"bend",
                     CsrBend{.magnet = {.length = 0.2, .angle = 0.05, .slices = 2}, .bins = bins}};
  std::vector<std::size_t> gathered{range, range}, summed{8 * bins, 24, 8 * bins, 24, 8};
  check_calls({bend}, gathered, summed);
  check_calls({bend, {"constant", CsrDrift{.length = 0.1, .steps = 2}}}, gathered, summed);
  gathered.push_back(range);
  summed.insert(summed.end(), {8 * bins, 24});
  check_calls({bend, {"transient", CsrDrift{.length = 0.1, .field = Field::transient}}}, gathered,
              summed);
  summed.end()[-2] = 8 * bins_of_width;
  check_calls({bend, {"overtaking", CsrDrift{.length = 0.1, .field = Field::overtaking}}}, gathered,
              summed);
}

TEST_CASE("A cavity takes a gathering where it needs a mean", "[mpi]") {
  const RfCavity usual{.length = 0.5, .voltage = 1e6, .phase = 1.2, .frequency = 2.856e9};
  const RfDeflector deflector{.length = 0.2, .voltage = 1e5, .kicks = 5};
  RfCavity accelerates = usual, linear = usual;
  accelerates.change_momentum = linear.linearize = true;
  const std::size_t mean = most_bytes(1);
  for (const int passes : {0, 1}) {
    const std::vector<std::size_t> first(passes == 0 ? 1 : 0, mean);
    const std::vector<std::size_t> losses(std::size_t(passes), 8);  // at the limits of a turn
    auto always = first;
    always.push_back(mean);
    check_calls({{"usual", usual}}, first, losses, passes);
    check_calls({{"deflector", deflector}}, first, losses, passes);
    check_calls({{"accelerates", accelerates}}, always, losses, passes);
    check_calls({{"linear", linear}}, always, losses, passes);
  }
}

TEST_CASE("Elements that need means or moments take gatherings", "[mpi]") {
  using Mode = Clean::Mode;
  const std::size_t mean = most_bytes(1);
  const std::vector<std::size_t> moments{most_bytes(7), most_bytes(28), most_bytes(12)};
  auto and_mean = moments;
  and_mean.push_back(mean);
  auto and_two = and_mean;
  and_two.push_back(mean);
  check_calls({{"center", Center{}}}, moments);
  check_calls({{"on time", Center{.time = true}}}, and_mean);
  check_calls({{"line", SetMomentum{.match_line = true}}}, {mean});
  check_calls({{"particles", SetMomentum{.match_particles = true}}}, {mean});
  check_calls({{"near", Clean{Mode::absolute_deviation, {1e-2}}}}, moments);
  check_calls({{"5 sigma", Clean{Mode::standard_deviation, {0., 0., 0., 0., 5.}}}}, and_two);
  check_calls({{"inside", Clean{Mode::absolute_value, {1e-2, 0., 0., 0., 1.}}}}, {});
  check_calls({{"centered", MomentumFilter{0.5, true}}}, {mean});
  const mpi::Communicator all;
  const Share share(particles, reduce_block, &all);
  check_calls({{"part", MomentumFilter{.lower_fraction = 0.01}}}, {std::size_t(share.n) * 8});
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
  CHECK(calls["message"].n <= 2);  // to the neighbours
  CHECK(calls["message"].bytes <= 2 * (reduce_block / 2) * (6 * 8 + 8 + 8));
}

TEST_CASE("The order of particles takes 130 sums", "[mpi]") {
  const mpi::Communicator all;
  const Space exec;
  auto bunch = some_bunch(all);
  calls.clear();
  sorted_particles(exec, bunch);
  CHECK(calls["sum"].n == 130);
  CHECK(calls["sum"].bytes == 8 * (1 + 129 * std::size_t(all.size())));
  CHECK(calls["message"].bytes == 16 * std::size_t(all.size() - 1));  // all are where they belong

  const Kokkos::View<std::int64_t*, MemoryOf<Space>> ids = bunch.ids;
  for (int i = 0; i < bunch.size(); ++i) ids(i) = particles - ids(i);
  calls.clear();
  sorted_particles(exec, bunch);
  CHECK(calls["message"].bytes <=
        std::size_t(bunch.size()) * 64 + 16 * std::size_t(all.size() - 1));
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

TEST_CASE("A batch of events takes two atomic operations and one message", "[mpi]") {
  const mpi::Communicator all;
  constexpr std::size_t events = 400, batch = 10, bytes = 100;
  int n_written = 0, batches = 0;
  mpi::MpiEventFarm farm(all, {.batch = batch},
                         [&](std::size_t, mpi::MpiEventFarm::Outcome&&) { ++n_written; });
  calls.clear();
  std::vector<std::size_t> begun;
  while (const auto event = farm.next()) {
    if (*event >= events) break;
    begun.push_back(*event);
    if (begun.size() < batch) continue;
    ++batches;
    for (const auto number : begun) farm.give(number, mpi::MpiEventFarm::Outcome(bytes));
    begun.clear();
  }
  farm.finish();
  if (all.is_first()) {
    CHECK(n_written == int(events));
    CHECK(calls["atomic"].n <= 2 * (batches + 1) + n_written);
    CHECK(calls.size() == 1);
  } else {
    CHECK(calls["atomic"].n == 2 * (batches + 1));  // one draws what is behind the end
    CHECK(calls["message"].n == batches + 1);       // the end is another one
    CHECK(calls["message"].bytes <= (std::size_t(batches) * batch + 1) * (bytes + 16));
    CHECK(calls.size() == 2);
  }
}
