// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moments of transport against the exact ones, which depend on the screening and the limit alone.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <montecarlo/run_transport.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/validation/lewis_moments.hpp>
#include <tuple>

using namespace trackplex;
using namespace trackplex::montecarlo;
using namespace trackplex::montecarlo::test;

namespace {

using Space = HostExecutor;

template <class T>
MomentSums moments_of(double screening, double limit, std::uint64_t histories) {
  return run_transport<T, Space>({screening, limit, 2026}, tallies(), {{0, histories}}).moments;
}

void check_pulls(const MomentSums& moments, double screening, double limit) {
  for (const auto& pull : validation::lewis_pulls(moments, screening, limit)) {
    CAPTURE(pull.name, pull.measured.value, pull.measured.error, pull.exact);
    CHECK(pull.measured.error > 0.);
    CHECK(std::abs(pull.pull()) < 4.);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("transport has the exact moments in five materials", "[montecarlo]", float,
                   double) {
  for (const char* material : materials) {
    CAPTURE(material);
    const double screening = scattering_in(material).screening;
    const auto moments = moments_of<TestType>(screening, 33.5, 2000000);
    CHECK(moments.histories == 2000000);
    CHECK(moments.skipped == 0);
    check_pulls(moments, screening, 33.5);
  }
}

TEST_CASE("the moments tell a screening that is 2 % off", "[montecarlo]") {
  const double screening = scattering_in("water").screening;
  const auto pulls =
      validation::lewis_pulls(moments_of<float>(screening, 33.5, 2000000), 1.02 * screening, 33.5);
  CHECK(std::abs(pulls[0].pull()) > 8.);
  CHECK(std::abs(pulls[3].pull()) > 8.);
}

TEMPLATE_TEST_CASE("transport has the exact moments at other energies and limits", "[montecarlo]",
                   float, double) {
  for (const auto& [material, energy, limit, histories] :
       {std::tuple("water", 0.01, 33.5, 300000), std::tuple("gold", 0.02, 5., 1000000),
        std::tuple("air", 2., 33.5, 300000), std::tuple("gold", 0.128, 1000., 20000),
        std::tuple("bone", 0.128, 0.3, 3000000)}) {
    CAPTURE(material, energy, limit);
    const double screening = scattering_in(material, energy).screening;
    check_pulls(moments_of<TestType>(screening, limit, std::uint64_t(histories)), screening, limit);
  }
}

TEST_CASE("isotropic scattering has its moments", "[montecarlo]") {
  for (const double limit : {0.5, 8.})
    check_pulls(moments_of<double>(1e6, limit, 1000000), 1e6, limit);
}

TEST_CASE("small screening in double precision", "[montecarlo]") {
  const double screening = scattering_in("water", 50.).screening;  // 7e-9
  CHECK(screening < 1e-8);
  check_pulls(moments_of<double>(screening, 300., 200000), screening, 300.);
}

TEST_CASE("the number of scatterings is a Poisson number", "[montecarlo]") {
  const auto moments = moments_of<float>(1e-3, 33.5, 1000000);
  const double mean = moments.mean(Moment::scatterings);
  const double variance = moments.mean(Moment::scatterings2) - mean * mean;
  // variance of the sample variance of a Poisson number: (mean + 2 mean^2)/n
  const double error = std::sqrt((33.5 + 2. * 33.5 * 33.5) / 1e6);
  CHECK(std::abs(variance - 33.5) < 4. * error);
}

TEST_CASE("a limit before the first scattering", "[montecarlo]") {
  const auto moments = moments_of<double>(1e-3, 1e-9, 1000);
  CHECK(moments.mean(Moment::scatterings) == 0.);
  CHECK(moments.mean(Moment::z) == 1.);
  CHECK(moments.mean(Moment::r2) == 0.);
  for (const auto& pull : validation::lewis_pulls(moments, 1e-3, 1e-9))
    if (pull.name != "scatterings") CHECK(std::abs(pull.measured.value - pull.exact) < 1e-9);
}
