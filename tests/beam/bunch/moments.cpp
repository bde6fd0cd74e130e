// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <limits>
#include <random>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/elements/remove_correlations.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

constexpr double sigmas[n_coordinates] = {1e-4, 2e-5, 3e-4, 1e-5, 1e-3, 5e-3};

/// Correlated coordinates of very different size, `offset` sigma away from the origin.
template <class T>
ParticleTable some_bunch(int n, double offset) {
  ParticleTable bunch(n, 200.);
  std::mt19937 random(11);
  const auto uniform = [&] { return random() / 4294967296. - 0.5; };
  for (int i = 0; i < n; ++i) {
    const double common = uniform();
    for (int c = 0; c < n_coordinates; ++c)
      bunch.v[c][i] = T(sigmas[c] * (2. * uniform() + c * common + offset * (c - 2.5)));
  }
  return bunch;
}

/// Straight from the definition.
Moments defined_moments(const ParticleTable& bunch) {
  Moments m;
  m.reference = bunch.reference;
  std::vector<int> present;
  for (int i = 0; i < bunch.size(); ++i)
    if (bunch.losses[i].element == Loss::none) present.push_back(i);
  m.number = double(present.size());
  if (present.empty()) return m;
  long double mean[n_coordinates];
  for (int c = 0; c < n_coordinates; ++c) {
    const auto& v = bunch.v[c];
    long double sum = 0.;
    m.min[c] = m.max[c] = v[present[0]];
    for (const int i : present) {
      sum += v[i];
      m.min[c] = std::min(m.min[c], double(v[i]));
      m.max[c] = std::max(m.max[c], double(v[i]));
    }
    mean[c] = sum / present.size();
    m.mean[c] = double(mean[c]);
  }
  for (int a = 0; a < n_coordinates; ++a)
    for (int b = 0; b < n_coordinates; ++b) {
      long double sum = 0.;
      for (const int i : present) sum += (bunch.v[a][i] - mean[a]) * (bunch.v[b][i] - mean[b]);
      m.covariance[a][b] = double(sum / present.size());
    }
  return m;
}

/// Largest difference of the covariances, in units of the sigmas.
double covariance_difference(const Moments& a, const Moments& b) {
  double largest = 0.;
  for (int i = 0; i < n_coordinates; ++i)
    for (int j = 0; j < n_coordinates; ++j)
      largest = std::max(
          largest, std::abs(a.covariance[i][j] - b.covariance[i][j]) / (b.sigma(i) * b.sigma(j)));
  return largest;
}

template <class T, class Space>
void check_moments(const ParticleTable& host, double tolerance) {
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = upload<T>(exec, host);
  const auto expected = defined_moments(host);
  const auto moments = moments_of(exec, bunch, workspace);
  CAPTURE(host.size(), host.n_lost());
  REQUIRE(moments.number == expected.number);
  REQUIRE(moments.min == expected.min);
  REQUIRE(moments.max == expected.max);
  for (int c = 0; c < n_coordinates; ++c)
    REQUIRE(std::abs(moments.mean[c] - expected.mean[c]) <=
            4e-16 * std::abs(expected.mean[c]) + tolerance * sigmas[c]);
  if (moments.number > 1.) REQUIRE(covariance_difference(moments, expected) < tolerance);
}

template <class T, class Space, int Width>
MomentSums sums_at_width(const ParticleTable& host) {
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = upload<T>(exec, host);
  Kokkos::View<MomentSums*, typename Space::memory_space> rows("rows", 2);
  SumMoments<Space, Width>{1}(exec, bunch, rows, workspace);
  return to_host(exec, rows)(1);
}

bool same_bits(const MomentSums& a, const MomentSums& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

constexpr int sizes[] = {0, 1, 2, 31, 33, 100, 4095, 4096, 4097, 30011};

/// Every seventh particle lost, without a position.
ParticleTable with_lost(ParticleTable bunch) {
  for (int i = 3; i < bunch.size(); i += 7) {
    bunch.losses[i] = {0, 5};
    for (auto& column : bunch.v) column[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return bunch;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("moments are those of their definition", "[beam]", test::EnabledSpaces) {
  for (const int n : sizes) {
    for (const double offset : {0., 1e3}) {
      check_moments<double, TestType>(some_bunch<double>(n, offset), 1e-13);
      check_moments<float, TestType>(some_bunch<float>(n, offset), 1e-13);
    }
    check_moments<double, TestType>(with_lost(some_bunch<double>(n, 1e3)), 1e-13);
    check_moments<float, TestType>(with_lost(some_bunch<float>(n, 10.)), 1e-13);
  }
}

TEST_CASE("moments of sorted bunches and of bunches with halo keep their digits", "[beam]") {
  using Space = HostExecutor;
  auto bunch = some_bunch<double>(50000, 1e3);
  for (auto& column : bunch.v) std::sort(column.begin(), column.end());
  check_moments<double, Space>(bunch, 1e-13);
  for (auto& column : bunch.v) column[0] = -column[0];  // 2000 sigma away
  check_moments<double, Space>(bunch, 1e-13);
}

TEMPLATE_LIST_TEST_CASE("sums of moments have the same bits at every width", "[beam]",
                        test::EnabledSpaces) {
  for (const int n : sizes) {
    CAPTURE(n);
    for (const bool lost : {false, true}) {
      auto host = some_bunch<double>(n, 3.);
      if (lost) host = with_lost(host);
      constexpr int lanes = default_lane_width<TestType, double>;
      const auto one =
          sums_at_width<double, HostExecutor,
                        test::reference_lanes<default_lane_width<HostExecutor, double>>>(host);
      CHECK(same_bits(sums_at_width<double, TestType, lanes>(host), one));
    }
    if constexpr (is_host_space<TestType>) {
      const auto host = some_bunch<float>(n, 3.);
      constexpr int lanes = default_lane_width<TestType, float>;
      const auto one = sums_at_width<float, TestType, test::reference_lanes<lanes>>(host);
      CHECK(same_bits(sums_at_width<float, TestType, lanes>(host), one));
    }
  }
}

TEST_CASE("particles lost one by one or by the block leave the moments of the others", "[beam]") {
  // The lost ones are skipped where they are, and nothing else changes: sums of zeros are exact.
  using Space = HostExecutor;
  auto host = some_bunch<double>(9000, 1e3);
  host.losses[8191] = {2, 1};
  check_moments<double, Space>(host, 1e-13);
  for (int i = 0; i < 4096; ++i) host.losses[i] = {1, 0};  // nearly half
  check_moments<double, Space>(host, 1e-13);
  for (auto& loss : host.losses) loss = {1, 0};
  check_moments<double, Space>(host, 1e-13);
  // All particles of the sample, which is the first half of both blocks
  auto no_sample = some_bunch<double>(2 * reduce_block, 1.);
  for (int i = 0; i < no_sample.size(); ++i)
    if (i % reduce_block < reduce_block / 2) no_sample.losses[i] = {1, 0};
  check_moments<double, Space>(no_sample, 1e-11);
}

TEMPLATE_LIST_TEST_CASE("rows of moments are recorded along a line", "[beam]",
                        test::EnabledSpaces) {
  const TestType exec;
  Workspace<TestType> workspace;
  const auto host = some_bunch<double>(10000, 0.);
  auto bunch = upload<double>(exec, host);
  Kokkos::View<MomentSums*, typename TestType::memory_space> rows;
  SumMoments<TestType>{2}.allocate(GrowingMemory<TestType>{exec}, bunch, rows);
  CHECK(rows.extent(0) == 3);
  for (int row = 0; row < 3; ++row) {
    SumMoments<TestType>{row}(exec, bunch, rows, workspace);
    deep_copy(exec, bunch.values(row), 1. + row);
  }
  const auto recorded = to_host(exec, rows);
  for (int row = 0; row < 3; ++row) {
    const Moments m(recorded(row), bunch.reference);
    const auto whole = defined_moments(host);
    for (int c = 0; c < n_coordinates; ++c) {
      if (c < row) {
        CHECK(m.mean[c] == 1. + c);
        CHECK(m.covariance[c][c] == 0.);
      } else {
        CHECK(m.sigma(c) == Catch::Approx(whole.sigma(c)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("optical functions of known covariances", "[beam]") {
  const double emittance = 3e-9, beta = 12., alpha = -1.7, eta = 0.4, eta_slope = -0.1;
  const double spread = 2e-3;
  Moments m;
  m.number = 10.;
  m.reference = {200., 0.};
  m.mean[delta] = 0.01;
  auto& v = m.covariance;
  v[delta][delta] = spread * spread;
  v[y][y] = emittance * beta + eta * eta * spread * spread;
  v[y][yp] = v[yp][y] = -emittance * alpha + eta * eta_slope * spread * spread;
  v[yp][yp] = emittance * (1. + alpha * alpha) / beta + eta_slope * eta_slope * spread * spread;
  v[y][delta] = v[delta][y] = eta * spread * spread;
  v[yp][delta] = v[delta][yp] = eta_slope * spread * spread;
  const auto optics = m.betatron_optics(y);
  using Catch::Approx;
  CHECK(optics.emittance == Approx(emittance).epsilon(1e-12));
  CHECK(optics.normalized_emittance == Approx(emittance * 202.).epsilon(1e-12));
  CHECK(optics.beta == Approx(beta).epsilon(1e-12));
  CHECK(optics.alpha == Approx(alpha).epsilon(1e-12));
  CHECK(optics.dispersion == Approx(eta).epsilon(1e-14));
  CHECK(optics.dispersion_slope == Approx(eta_slope).epsilon(1e-14));
  const auto all = m.optics(y);
  const double square = v[y][y] * v[yp][yp] - v[y][yp] * v[y][yp];
  CHECK(all.emittance == Approx(std::sqrt(square)).epsilon(1e-12));
  CHECK(all.beta == Approx(v[y][y] / std::sqrt(square)).epsilon(1e-12));
  CHECK(all.dispersion == optics.dispersion);
  CHECK(m.momentum_spread() == Approx(spread / 1.01).epsilon(1e-14));
  // the energy is sqrt(1 + p^2): a finite difference of it
  const auto energy = [](double p) { return std::sqrt(1. + p * p); };
  const double step = 1e-4;
  CHECK(m.energy_spread() ==
        Approx(spread * (energy(202. + 200. * step) - energy(202. - 200. * step)) / (2. * step) /
               energy(202.))
            .epsilon(1e-8));
  CHECK(m.optics(x).emittance == 0.);
}

TEST_CASE("duration of a slow bunch after a long way", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  Workspace<Space> workspace;
  auto host = some_bunch<double>(20000, 0.);
  host.reference.p0 = 2.5;
  for (auto& value : host.v[delta]) value = 0.002 + 1e-3 * value;
  auto bunch = upload<double>(exec, host);
  bunch.reference.path_length = 700.;
  const auto m = moments_of(exec, bunch, workspace);
  long double sum = 0., sum2 = 0.;
  for (int i = 0; i < host.size(); ++i) {
    const long double t = delay(bunch.reference, host.v[s][i], host.v[delta][i]) / 299792458.L;
    sum += t;
    sum2 += t * t;
  }
  const long double n = host.size();
  const double expected = double(std::sqrt(sum2 / n - (sum / n) * (sum / n)));
  CHECK(m.duration() == Catch::Approx(expected).epsilon(1e-4));
  CHECK(m.duration() < 0.8 * m.length() / 299792458.);
  bunch.reference.path_length = 0.;
  const Moments at_start(moments_of(exec, bunch, workspace));
  CHECK(at_start.duration() ==
        Catch::Approx(at_start.length() * std::sqrt(1. + 1. / 6.25) / 299792458.).epsilon(1e-3));
}

TEST_CASE("moments of no particles and of one", "[beam]") {
  using Space = HostExecutor;
  const Space exec;
  Workspace<Space> workspace;
  const auto nothing = moments_of(exec, Bunch<double, MemoryOf<Space>>(exec, 0, 200.), workspace);
  CHECK(nothing.number == 0.);
  CHECK(nothing.sigma(x) == 0.);
  CHECK(nothing.optics(x).emittance == 0.);
  const auto host = some_bunch<double>(1, 1e3);
  const auto one = moments_of(exec, upload<double>(exec, host), workspace);
  for (int c = 0; c < n_coordinates; ++c) {
    CHECK(one.mean[c] == host.v[c][0]);
    CHECK(one.sigma(c) == 0.);
  }
  CHECK(one.betatron_optics(y).emittance == 0.);
}

TEMPLATE_LIST_TEST_CASE("correlations are removed, from the coordinates that are asked for",
                        "[beam]", test::EnabledSpaces) {
  ParticleTable table(1000, 200.);
  RandomStream<double> random(5, 1);
  for (int i = 0; i < table.size(); ++i) {
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = 1e-3 * random.normal() + 1e-4;
    table.v[x][i] += 0.5 * table.v[delta][i];
    table.v[yp][i] -= 2. * table.v[delta][i];
  }
  const TestType exec;
  Workspace<TestType> workspace;
  auto bunch = upload<double>(exec, table);
  constexpr int width = is_host_space<TestType> ? test::line_lanes<double> : 1;
  RemoveCorrelationsAction<double, TestType, width>(exec, {.from = {true, false, true, true}})(
      exec, bunch, workspace);
  const auto after = download(exec, bunch);
  const auto sum = [](const ParticleTable& of, int a, int b) {
    double sum = 0.;
    for (int i = 0; i < of.size(); ++i) sum += of.v[a][i] * of.v[b][i];
    return sum;
  };
  for (const int c : {x, y, yp}) {
    CHECK(std::abs(sum(after, c, delta)) < 1e-12 * std::abs(sum(table, x, delta)));
    const double ratio = sum(table, c, delta) / sum(table, delta, delta);
    CHECK(std::abs(after.v[c][7] - (table.v[c][7] - ratio * table.v[delta][7])) < 1e-15);
  }
  CHECK(after.v[xp] == table.v[xp]);
  CHECK(after.v[delta] == table.v[delta]);
}
