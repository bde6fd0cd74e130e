// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/rf_deflector.hpp>

#include "beam/element_sets.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Space = Kokkos::DefaultHostExecutionSpace;

namespace {

constexpr double degree = std::numbers::pi / 180.;

template <class T, int Width, class OfSpace>
ParticleTable tracked(const ParticleTable& table, const RfDeflector& cavity) {
  const OfSpace exec;
  Workspace<OfSpace> workspace;
  auto bunch = upload<T>(exec, table);
  RfDeflector::Action<T, OfSpace, Width>(exec, cavity)(exec, bunch, workspace);
  return download(exec, bunch);
}

}  // namespace

TEST_CASE("deflecting cavities track as those of elegant", "[beam]") {
  struct Case {
    const char* name;
    double p0;
    RfDeflector cavity;
  };
  const RfDeflector one{.length = 0.4, .voltage = 1e6};
  const auto with = [&](auto change) {
    RfDeflector cavity = one;
    change(cavity);
    return cavity;
  };
  const Case cases[] = {{"l0", 2000., {.voltage = 5e5, .phase = 30. * degree}},
                        {"magnetic", 200., with([](RfDeflector& c) {
                           c.magnetic = true;
                           c.kicks = 4;
                         })},
                        {"phase90", 200., with([](RfDeflector& c) {
                           c.phase = 90. * degree;
                           c.kicks = 5;
                         })},
                        {"plain", 200., one},
                        {"standing", 200., with([](RfDeflector& c) {
                           c.standing_wave = true;
                           c.kicks = 4;
                         })},
                        {"tilt", 200., with([](RfDeflector& c) {
                           c.length = 0.3;
                           c.phase = 10. * degree;
                           c.kicks = 4;
                           c.misalignment = {.dx = 1e-3, .tilt = 1.5707963267948966};
                         })}};
  for (const Case& of : cases) {
    CAPTURE(of.name);
    const auto set = test::element_set(std::string("rfdf_") + of.name, of.p0, of.p0);
    const auto after = tracked<double, 4, Space>(test::table_before(set), of.cavity);
    const auto deviation = test::deviation_of(after, set);
    std::printf("%-16s", of.name);
    for (double d : deviation.of) std::printf(" %8.1e", d);
    std::printf("\n");
    CHECK(deviation.largest() <= 1e-12);
  }
}
