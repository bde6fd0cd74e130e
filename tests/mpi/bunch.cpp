// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/mpi/communicator.hpp>
#include <trackplex/simulation/bunch_generator.hpp>
#include <vector>

#include "beam/elements/every_element.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

constexpr int lanes = 0;  // the best

template <class T, class Space, int Width>
constexpr int width =
    Width == lanes ? default_lane_width<Space, T, KernelKind::beam_tracking> : Width;

void add(Fingerprint& hash, const Moments& moments) {
  hash.add(moments.number).add(moments.mean).add(moments.min).add(moments.max);
  for (const auto& row : moments.covariance) hash.add(row);
}

/// Particles at the end and moments behind stops of a line in two turns.
struct Hashes {
  std::string particles, moments;
  std::int64_t lost = 0;
};

template <class T, class Space, int Width>
Hashes hashes_behind(const BeamLine& line, const simulation::BunchParams& params,
                     const std::vector<int>& stops, const Ranks* ranks) {
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = simulation::generate_bunch<T>(exec, params, workspace, ranks);
  bunch.seed = 5;
  LineTracker<T, Space, ElementTypes<>, width<T, Space, Width>> tracker(exec, line, {1., 0.5},
                                                                        stops);
  Fingerprint moments;
  tracker.track(bunch, 2,
                [&](int, int, auto& at) { add(moments, moments_of(exec, at, workspace)); });
  remove_lost(exec, bunch, workspace);
  CHECK((bunch.size() == 0 || bunch.share().first % reduce_block == 0));
  add(moments, moments_of(exec, bunch, workspace));
  CHECK(fingerprint_of(exec, bunch) == fingerprint_of(sorted_particles(exec, bunch), ranks));
  return {fingerprint_of(exec, bunch), moments.hex(), bunch.size_of_all() - bunch.share().all};
}

template <class T, class Space, int Width>
void check_line(const BeamLine& line, const simulation::BunchParams& params,
                const std::vector<int>& stops) {
  const mpi::Communicator all;
  const Hashes one = hashes_behind<T, Space, Width>(line, params, stops, nullptr);
  const Hashes many = hashes_behind<T, Space, Width>(line, params, stops, &all);
  CHECK(many.moments == one.moments);
  CHECK(many.lost == one.lost);
  CHECK(many.particles == one.particles);
}

/// Losses in a narrow line with space charge.
BeamLine lossy_line() {
  return {{"charge", Charge{1e-9}},
          {"qf", Quadrupole{0.2, 1.5}},
          {"many_steps", SpaceChargeDrift{.length = 1., .bins = 256}},
          {"c", Collimator{0., {Aperture::Shape::ellipse, 4e-4, 4e-4}}},
          {"kick", SpaceChargeDrift{.effective_length = 0.2, .bins = 200, .interpolate = false}},
          {"qd", Quadrupole{0.2, -1.5}}};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Bunches of ranks after space charge and losses are those of one", "[mpi]",
                        test::EnabledSpaces) {
  for (const int n : {10, 5000, 30011}) {
    CAPTURE(n);
    const simulation::BunchParams params{.particles = n,
                                         .x = {.emittance = 1.5e-9, .beta = 15.},
                                         .y = {.emittance = 1.5e-9, .beta = 7.}};
    check_line<double, TestType, lanes>(lossy_line(), params, {2, 3, 5});
    check_line<float, TestType, default_lane_width<TestType, float, KernelKind::beam_tracking>>(
        lossy_line(), params, {2, 5});
    check_line<double, TestType, lanes>(test::every_space_charge_kick(), params, {2, 5});
  }
}

TEST_CASE("Spins of ranks after losses are those of one", "[mpi]") {
  const simulation::BunchParams params{.particles = 30011,
                                       .x = {.emittance = 1.5e-9, .beta = 15.},
                                       .y = {.emittance = 1.5e-9, .beta = 7.},
                                       .spin = {{0.36, 0.48, 0.8}}};
  check_line<double, HostExecutor, lanes>(lossy_line(), params, {2, 3, 5});
}

TEST_CASE("Bunches of ranks after all elements that act on the whole", "[mpi]") {
  using Space = HostExecutor;
  const simulation::BunchParams params{.particles = 15001,
                                       .x = {.emittance = 1e-8, .beta = 5.},
                                       .y = {.emittance = 1e-8, .beta = 5.},
                                       .sigma_delta = 1e-3};
  check_line<double, Space, lanes>(test::every_collective_element(), params, {5, 9, 16, 20});
  check_line<float, Space, lanes>(test::every_collective_element(), params, {5});
  check_line<double, Space, lanes>(test::every_cavity_mode(), params, {1, 2, 4});
  check_line<float, Space, lanes>(test::every_cavity_mode(), params, {4});
}

TEST_CASE("Bunches of ranks draw random numbers by the numbers of particles", "[mpi]") {
  using Space = HostExecutor;
  const simulation::BunchParams params{.particles = 9001,
                                       .x = {.emittance = 5e-7, .beta = 2.},
                                       .y = {.emittance = 2.5e-7, .beta = 2., .alpha = 0.4},
                                       .sigma_delta = 5e-3};
  check_line<double, Space, lanes>(test::every_element(2.), params, {3, 10, 30});
}

TEST_CASE("Generated bunches with exact moments do not depend on ranks", "[mpi]") {
  using Space = HostExecutor;
  const simulation::BunchParams params{.particles = 20000, .exact_moments = true};
  check_line<double, Space, lanes>({{"d", Drift{1.}}}, params, {0});
}

namespace {

/// Rows of a table that are a rank's share.
ParticleTable share_of(const ParticleTable& table, const Ranks& ranks) {
  const Share share(table.size(), reduce_block, &ranks);
  ParticleTable part(0);
  part.reference = table.reference;
  const auto cut = [&](const auto& from, auto& to) {
    to.assign(from.begin() + share.first, from.begin() + share.first + share.n);
  };
  for (int c = 0; c < n_coordinates; ++c) cut(table.v[c], part.v[c]);
  cut(table.ids, part.ids);
  cut(table.losses, part.losses);
  return part;
}

}  // namespace

TEST_CASE("Uploaded tables come back from all ranks", "[mpi]") {
  using Space = HostExecutor;
  const mpi::Communicator all;
  const Space exec;
  Workspace<Space> workspace;
  ParticleTable table(20000, 100.);
  for (int i = 0; i < table.size(); ++i) {
    table.ids[std::size_t(i)] = (std::int64_t(1) << 40) + 3 * i;
    table.v[x][std::size_t(i)] = i;
    if (i % 3 == 0 || i < 9000) table.losses[std::size_t(i)] = {1, 2};
  }
  const auto own = share_of(table, all);
  auto bunch = upload<double>(exec, own, &all);
  CHECK(bunch.size_of_all() == table.size());
  CHECK(remove_lost(exec, bunch, workspace) == table.n_lost());
  CHECK(bunch.share().all == table.size() - table.n_lost());
  CHECK(all.sum_of(bunch.size()) == table.size() - table.n_lost());
  CHECK(all.sum_of(bunch.n_removed()) == table.n_lost());
  CHECK(all.max_of(bunch.size()) <= bunch.share().all / all.size() * 5 / 4 + reduce_block);
  const auto again = sorted_particles(exec, bunch);
  CHECK(again.ids == own.ids);
  CHECK(again.v[x] == own.v[x]);
  CHECK(again.n_lost() == own.n_lost());
  CHECK(fingerprint_of(again, &all) == fingerprint_of(table));
}

TEST_CASE("Particles of ranks are sorted by their numbers", "[mpi]") {
  using Space = HostExecutor;
  const mpi::Communicator all;
  const Space exec;
  for (const int n : {0, 3, 4096, 30000})
    for (const int kinds : {0, 1, 2, 7}) {  // numbers that several particles have; 0: none
      CAPTURE(n, kinds);
      ParticleTable table(n, 100.);
      for (std::size_t i = 0; i < std::size_t(n); ++i) {
        const auto random = std::int64_t(i * 7919 % 30011);
        table.ids[i] = (kinds > 0 ? random % kinds : random) * (i % 2 ? -1 : 1) << 33;
        table.v[y][i] = double(i);
        if (i % 5 == 1) table.losses[i] = {std::int32_t(i % 3), std::int32_t(i % 4)};
      }
      const auto expected = sorted_particles(exec, upload<double>(exec, table));
      CHECK(std::ranges::is_sorted(expected.ids));
      const auto bunch = upload<double>(exec, share_of(table, all), &all);
      const auto sorted = sorted_particles(exec, bunch);
      const auto own = share_of(expected, all);
      CHECK(sorted.ids == own.ids);
      CHECK(sorted.v[y] == own.v[y]);
      CHECK(fingerprint_of(sorted, &all) == fingerprint_of(expected));
      CHECK(fingerprint_of(exec, bunch) == fingerprint_of(expected));
    }
}

TEST_CASE("Tables of one rank with faults are refused by all", "[mpi]") {
  using Space = HostExecutor;
  const mpi::Communicator all;
  ParticleTable table = share_of(ParticleTable(20000, 100.), all);
  if (all.rank() + 1 == all.size()) table.losses.pop_back();
  test::check_refused<UsageError>([&] { upload<double>(Space(), table, &all); },
                                  "columns have different lengths");
}

TEST_CASE("Shares that do not begin with a block are refused", "[mpi]") {
  using Space = HostExecutor;
  Share share(100);
  share.first = 17;
  test::check_refused<UsageError>([&] { Bunch<double, MemoryOf<Space>>(Space(), share, 10.); },
                                  "whole block");
}
