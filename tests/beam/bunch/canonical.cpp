// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>

using namespace trackplex;
using namespace trackplex::beam;

TEST_CASE("canonical coordinates are those of their definition", "[beam]") {
  for (const double p0 : {0.3, 5., 400.}) {
    const ReferenceParticle reference{p0, 12.};
    const Particle<double> v{1e-3, 0.1, -2e-3, -0.05, 3e-3, 0.02};
    const auto c = to_canonical(reference, v);
    const double p = p0 * 1.02, pz = p / std::sqrt(1. + 0.1 * 0.1 + 0.05 * 0.05);
    CHECK(c[canonical::px] == Catch::Approx(0.1 * pz / p0).epsilon(1e-15));
    CHECK(c[canonical::py] == Catch::Approx(-0.05 * pz / p0).epsilon(1e-15));
    const double gamma0 = std::hypot(1., p0), gamma = std::hypot(1., p);
    CHECK(c[canonical::pt] == Catch::Approx(-(gamma - gamma0) / p0).epsilon(1e-12));
    CHECK(c[canonical::ct] ==
          Catch::Approx((12. + 3e-3) * gamma / p - 12. * gamma0 / p0).epsilon(1e-10));
    const auto back = from_canonical(reference, c);
    for (int i = 0; i < n_coordinates; ++i) CHECK(back[i] == Catch::Approx(v[i]).epsilon(1e-14));
  }
  const auto at_rest = to_canonical<double>({2., 0.}, Particle<double>{});
  for (int i = 0; i < n_coordinates; ++i) CHECK(at_rest[i] == 0.);
}

TEST_CASE("canonical moments are those of the canonical coordinates", "[beam]") {
  const HostExecutor exec;
  Workspace<HostExecutor> workspace;
  ParticleTable table(4, 5.);
  const double of[4][6] = {{1e-3, 0.1, 2e-3, 0.05, 0., 0.1},
                           {-1e-3, -0.2, 0., 0.1, 1e-3, -0.1},
                           {2e-3, 0.05, -1e-3, -0.3, -1e-3, 0.},
                           {9., 9., 9., 9., 9., 9.}};
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < 6; ++c) table.v[c][i] = of[i][c];
  table.losses[3] = {0, 0};
  const auto bunch = upload<double>(exec, table);
  const auto moments = canonical_moments_of<double>(exec, bunch, workspace);
  CHECK(moments.number == 3.);
  CHECK(moments.reference.p0 == 5.);
  double mean[6] = {}, square[6][6] = {};
  for (int i = 0; i < 3; ++i) {
    Particle<double> v;
    for (int c = 0; c < 6; ++c) v[c] = of[i][c];
    v = to_canonical(bunch.reference, v);
    for (int a = 0; a < 6; ++a) {
      mean[a] += v[a] / 3.;
      for (int b = 0; b < 6; ++b) square[a][b] += v[a] * v[b] / 3.;
    }
  }
  for (int a = 0; a < 6; ++a) {
    CHECK(moments.mean[a] == Catch::Approx(mean[a]).margin(1e-16));
    for (int b = 0; b < 6; ++b)
      CHECK(moments.covariance[a][b] ==
            Catch::Approx(square[a][b] - mean[a] * mean[b]).margin(1e-16));
  }
  const auto& cov = moments.covariance;
  CHECK(moments.sigma(canonical::x) == std::sqrt(cov[0][0]));
  CHECK(moments.emittance(canonical::x) ==
        Catch::Approx(std::sqrt(cov[0][0] * cov[1][1] - cov[0][1] * cov[0][1])));
  CHECK(moments.emittance(canonical::ct) ==
        Catch::Approx(std::sqrt(cov[4][4] * cov[5][5] - cov[4][5] * cov[4][5])));
  // the bunch is as it was
  const auto after = download(exec, bunch);
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < 6; ++c) CHECK(after.v[c][i] == of[i][c]);
}
