// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/bunch/energy_change.hpp>
#include <trackplex/beam/elements/detail/small_arguments.hpp>
#include <trackplex/core/host_executor.hpp>

#include "beam/collective/space_charge_cases.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Space = HostExecutor;
using Long = long double;

namespace {

/// Path, slopes and momentum behind a change of energy, in high precision.
struct Expected {
  Long s, slope, delta;

  Expected(const trackplex::beam::ReferenceParticle& reference, const Particle<double>& v,
           double change, bool keeps_momenta) {
    const Long p0 = reference.p0, p = p0 * (1 + Long(v[beam::delta]));
    const Long gamma = std::sqrt(1 + p * p), gamma1 = gamma + Long(change) * p0;
    const Long p1 = std::sqrt(gamma1 * gamma1 - 1), ratio = (p1 / gamma1) / (p / gamma);
    const Long whole = Long(reference.path_length) + Long(v[beam::s]);
    s = whole * (ratio - 1) + Long(v[beam::s]);
    delta = p1 / p0 - 1;
    const Long q = Long(v[xp]) * Long(v[xp]) + Long(v[yp]) * Long(v[yp]);
    const Long pz = p / std::sqrt(1 + q), pt2 = pz * pz * q;
    slope = keeps_momenta ? pz / std::sqrt(p1 * p1 - pt2) : 1;
  }
};

template <class T>
double ulps(T value, Long exact) {
  return double(std::fabs(Long(value) - exact) /
                (std::fabs(exact) * Long(std::numeric_limits<T>::epsilon())));
}

}  // namespace

TEST_CASE("changes of energy keep times, and slopes or transverse momenta", "[beam]") {
  for (const double p0 : {0.1, 3., 200., 13000.})
    for (const double change : {1e-12, -1e-6, 1e-3, 0.5, -0.001})
      for (const double path : {0., 1e3}) {
        CAPTURE(p0, change, path);
        const trackplex::beam::ReferenceParticle reference{p0, path};
        const Particle<double> before{{1e-3, 2e-3, -1e-3, -3e-2, 1e-4, 0.02}};
        for (const bool keeps_momenta : {false, true}) {
          Particle<double> v = before;
          const EnergyChange<double> energy(reference);
          keeps_momenta ? energy.keep_momenta(v, change) : energy.keep_slopes(v, change);
          const Expected expected(reference, before, change, keeps_momenta);
          CHECK(std::abs(v[s] - double(expected.s)) <
                4e-15 * std::abs(v[s]) +
                    2e-18 * (path + 1.) * (1. + 1. / (p0 * p0)));  // of long double
          CHECK(std::abs(v[delta] - double(expected.delta)) < 4e-16 * (1. + 1. / p0));
          CHECK(ulps(v[xp], expected.slope * Long(before[xp])) < 8);
          CHECK(ulps(v[yp], expected.slope * Long(before[yp])) < 8);
          CHECK(v[x] == before[x]);
          CHECK(v[y] == before[y]);
        }
      }
}

TEST_CASE("no particle loses more than its kinetic energy", "[beam]") {
  const EnergyChange<double> energy(trackplex::beam::ReferenceParticle{200., 10.});
  Particle<double> v{{1e-3, 2e-3, -1e-3, -3e-2, 1e-4, 0.02}};
  energy.keep_momenta(v, -5.);
  const double momentum = 200. * (1. + v[delta]),
               lowest = std::sqrt((1. + 1e-7) * (1. + 1e-7) - 1.);
  CHECK(std::abs(momentum / lowest - 1.) < 1e-4);
  for (int c = 0; c < n_coordinates; ++c) CHECK(std::isfinite(v[c]));
}

TEMPLATE_TEST_CASE("functions of small arguments are accurate", "[beam]", float, double) {
  using T = TestType;
  double excess = 0., sine = 0., cosine = 0., area = 0.;
  for (int i = 0; i < 200000; ++i) {
    const T a = T(std::ldexp(1. + (i % 1000) / 1000., -40 + i / 5000));  // to 1
    excess = std::max(excess,
                      ulps(beam::detail::path_excess(a), Long(a) / (1 + std::sqrt(1 + Long(a)))));
    const auto wave = beam::detail::sincos_near_zero(a);
    sine = std::max(sine, ulps(wave.sin, std::sin(Long(a))));
    cosine = std::max(cosine, ulps(wave.cos, std::cos(Long(a))));
    const T b = -T(0.5) * a;
    area = std::max(area, ulps(beam::detail::atanhc(b), std::atanh(Long(b)) / Long(b)));
  }
  CHECK(excess < 4.);
  CHECK(sine < 1.6);
  CHECK(cosine < 1.6);
  CHECK(area < 4.);
  CHECK(beam::detail::atanhc(T(0)) == T(1));
  CHECK(beam::detail::path_excess(T(0)) == T(0));
}

TEST_CASE("functions of small arguments depend on their own lane", "[beam]") {
  using Real = Lanes<double, 4>;
  const double values[] = {1e-9, 0.3, 1e-3, 0.9};
  const Real a = load<Real>(values);
  const auto wave = beam::detail::sincos_near_zero(a);
  const Real excess = beam::detail::path_excess(a), area = beam::detail::atanhc(a);
  for (int i = 0; i < 4; ++i) {
    CHECK(extract(excess, i) == beam::detail::path_excess(values[i]));
    CHECK(extract(area, i) == beam::detail::atanhc(values[i]));
    CHECK(extract(wave.sin, i) == beam::detail::sincos_near_zero(values[i]).sin);
    CHECK(extract(wave.cos, i) == beam::detail::sincos_near_zero(values[i]).cos);
  }
}

TEST_CASE("means over a bunch", "[beam]") {
  const Space exec;
  Workspace<Space> workspace;
  auto table = test::gaussian_table(5001);
  table.reference.path_length = 100.;
  const auto bunch = upload<double>(exec, table);
  Long deltas = 0, delays = 0;
  auto further = table.reference;
  further.path_length += 3.;
  for (int i = 0; i < table.size(); ++i) {
    deltas += table.v[delta][i];
    delays += trackplex::beam::delay(further, table.v[s][i], table.v[delta][i]);
  }
  CHECK(std::abs(mean_delta<4>(exec, bunch, workspace) - double(deltas / 5001)) < 1e-19);
  CHECK(std::abs(mean_delay<4>(exec, bunch, workspace, 3.) - double(delays / 5001)) < 1e-18);
  CHECK(mean_delta<1>(exec, bunch, workspace) == mean_delta<8>(exec, bunch, workspace));
  const auto nothing = upload<double>(exec, ParticleTable(0, 200.));
  CHECK(mean_delta<4>(exec, nothing, workspace) == 0.);
  CHECK(mean_delay<4>(exec, nothing, workspace) == 0.);
}

TEMPLATE_TEST_CASE("another reference momentum leaves particles as they are", "[beam]", float,
                   double) {
  constexpr double epsilon = std::numeric_limits<TestType>::epsilon();
  const Space exec;
  auto table = test::gaussian_table(100);
  table.reference = {3., 10.};
  for (const double p0 : {3.3, 1., 200.}) {
    CAPTURE(p0);
    auto bunch = upload<TestType>(exec, table);
    change_reference_momentum<4>(exec, bunch, p0);
    const auto after = download(exec, bunch);
    CHECK(after.reference.p0 == p0);
    const double light = beam::detail::light_path_of(after.reference);
    CHECK(std::abs(light - beam::detail::light_path_of(table.reference)) < 1e-14);
    for (int i = 0; i < table.size(); ++i) {
      const double path = after.reference.path_length + after.v[s][i];
      REQUIRE(std::abs(path - (10. + table.v[s][i])) < 10. * epsilon);
      REQUIRE(std::abs(p0 * (1. + after.v[delta][i]) - 3. * (1. + table.v[delta][i])) <
              4. * epsilon * std::max(p0, 3.));
      REQUIRE(after.v[xp][i] == double(TestType(table.v[xp][i])));
    }
  }
  auto bunch = upload<TestType>(exec, table);
  test::check_refused<UsageError>([&] { change_reference_momentum<4>(exec, bunch, 0.); },
                                  "it is not above 0");
}

TEST_CASE("the mean momentum as that of the reference particle", "[beam]") {
  const Space exec;
  Workspace<Space> workspace;
  auto table = test::gaussian_table(1000);
  for (double& value : table.v[delta]) value += 0.2;
  auto bunch = upload<double>(exec, table);
  set_reference_to_mean<4>(exec, bunch, workspace);
  CHECK(std::abs(bunch.reference.p0 / 240. - 1.) < 1e-4);
  CHECK(std::abs(mean_delta<4>(exec, bunch, workspace)) < 1e-16);
  auto nothing = upload<double>(exec, ParticleTable(0, 200.));
  set_reference_to_mean<4>(exec, nothing, workspace);
  CHECK(nothing.reference.p0 == 200.);
}
