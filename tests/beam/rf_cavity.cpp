// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <trackplex/beam/rf_cavity.hpp>

#include "beam/element_sets.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Space = Kokkos::DefaultHostExecutionSpace;

namespace {

constexpr double degree = std::numbers::pi / 180.;
using Fiducial = RfCavity::Fiducial;
using BodyFocus = RfCavity::BodyFocus;

/// Tracks a table through cavities, with exact drifts of 0.5 m between them.
template <class T, int Width, class OfSpace>
ParticleTable tracked(const ParticleTable& table, const std::vector<RfCavity>& cavities) {
  const OfSpace exec;
  Workspace<OfSpace> workspace;
  LineState state;
  auto bunch = upload<T>(exec, table);
  for (const RfCavity& cavity : cavities) {
    if (&cavity != &cavities.front())
      RfCavity{.length = 0.5}.check(ElementCheck("drift")),
          RfCavityAction<T, OfSpace, Width>(exec, {.length = 0.5}, state)(exec, bunch, workspace);
    RfCavity::Action<T, OfSpace, Width>(exec, cavity, state)(exec, bunch, workspace);
  }
  return download(exec, bunch);
}

struct Case {
  const char* name;
  double p0, p0_behind;
  std::vector<RfCavity> cavities;
  double tolerance = 1e-12;
};

std::vector<Case> cases() {
  constexpr double f = 2.856e9;
  const RfCavity one{.length = 1., .voltage = 20e6, .phase = 60. * degree, .frequency = f};
  const auto with = [](RfCavity cavity, auto change) {
    change(cavity);
    return cavity;
  };
  const auto phase = [&](double degrees) {
    return with(one, [&](RfCavity& c) { c.phase = degrees * degree; });
  };
  const auto point = [&](double degrees) {
    return RfCavity{.voltage = 5e6, .phase = degrees * degree, .frequency = f};
  };
  // 3 m
  const RfCavity ends{.length = 3.,
                      .voltage = 50e6,
                      .phase = 80. * degree,
                      .frequency = f,
                      .change_momentum = true,
                      .entrance_focus = true,
                      .exit_focus = true};
  const auto of_ends = [&](auto change) { return with(ends, change); };
  const auto of_one = [&](auto change) { return with(one, change); };
  const auto reference = [&](double degrees, long number) {
    return with(phase(degrees), [&](RfCavity& c) {
      c.change_momentum = true;
      c.phase_reference = number;
    });
  };
  const double second = 1. / constants::speed_of_light;
  (void)second;
  return {
      {"changet", 200., 200., {with(phase(70.), [](RfCavity& c) { c.change_time = true; })}},
      {"dxdy", 200., 238.4516948260739, {with(phase(80.), [](RfCavity& c) {
         c.change_momentum = c.entrance_focus = c.exit_focus = true;
         c.dx = 1e-3;
         c.dy = -2e-3;
       })}},
      {"end1only", 200., 239.08776058818552, {with(phase(90.), [](RfCavity& c) {
         c.change_momentum = c.entrance_focus = true;
       })}},
      {"endfocus", 200., 296.1881614658131, {ends}},
      {"fiducial_light", 200., 200., {of_one([](RfCavity& c) { c.fiducial = Fiducial::light; })}},
      {"fiducial_pmax", 200., 200., {of_one([](RfCavity& c) {
         c.fiducial = Fiducial::max_momentum;
       })}},
      {"fiducial_pmax2", 200., 200., {of_one([](RfCavity& c) {
         c.fiducial = Fiducial::max_momentum;
       })}},
      {"fiducial_tmean", 200., 200., {one}},
      {"l0crest", 200., 200., {point(90.)}},
      {"l0phase0", 200., 200., {point(0.)}},
      {"l0phase60", 200., 200., {point(60.)}},
      {"l1changep0", 200., 233.86477242247764, {of_one([](RfCavity& c) {
         c.change_momentum = true;
       })}},
      {"l1default", 200., 200., {phase(90.)}},
      {"l3kicks10", 200., 294.3570422021627, {of_ends([](RfCavity& c) {
         c.phase = 75. * degree;
         c.entrance_focus = c.exit_focus = false;
         c.kicks = 10;
       })}},
      {"l3kicks10_low", 2000., 2000., {of_ends([](RfCavity& c) {
         c.phase = 105. * degree;
         c.change_momentum = c.entrance_focus = c.exit_focus = false;
         c.kicks = 10;
       })}},
      {"linearize", 200., 200., {with(phase(70.), [](RfCavity& c) { c.linearize = true; })}},
      {"lockphase", 200., 200., {of_one([](RfCavity& c) {
         c.lock_phase = true;
         c.kicks = 1;
       })}},
      {"mean_offset", 200., 200., {one}},
      {"negative", 200., 200., {with(phase(90.), [](RfCavity& c) { c.voltage = -10e6; })}},
      {"q", 200., 200., {with(phase(90.), [](RfCavity& c) { c.quality = 15000.; })}},
      {"ring500", 13000., 13000., {RfCavity{.length = 0.5,
                                            .voltage = 2e6,
                                            .phase = 170. * degree,
                                            .frequency = 352e6}}},
      {"srs_end_k20", 2000., 2000., {of_ends([](RfCavity& c) {
         c.length = 2.;
         c.voltage = 40e6;
         c.phase = 65. * degree;
         c.body_focus = BodyFocus::standing_wave;
         c.kicks = 20;
         c.change_momentum = false;
       })}},
      {"srs_kicks", 200., 296.21587190069613, {of_ends([](RfCavity& c) {
         c.body_focus = BodyFocus::standing_wave;
         c.kicks = 10;
       })}},
      {"standing_kicks", 200., 210.9550967856903, {of_ends([](RfCavity& c) {
         c.standing_wave = true;
         c.kicks = 10;
       })}},
      {"standing_srs", 200., 296.2272675984593, {of_ends([](RfCavity& c) {
         c.standing_wave = true;
         c.body_focus = BodyFocus::standing_wave;
       })}},
      {"treference", 200., 200., {of_one([](RfCavity& c) { c.reference_time = 3e-12; })}},
      {"tw1", 200., 296.1890900628549, {of_ends([](RfCavity& c) {
         c.body_focus = BodyFocus::travelling_wave;
         c.kicks = 10;
       })}},
      {"two", 200., 268.4011085714499, {reference(80., 0), reference(50., 0)}},
      {"two_ref", 200., 255.32452294987115, {reference(80., 7), reference(50., 7)}},
      {"volt0", 200., 200., {RfCavity{.length = 0.7, .phase = 90. * degree, .frequency = f}}},
  };
}

}  // namespace

TEST_CASE("cavities track as those of elegant", "[beam]") {
  for (const Case& of : cases()) {
    CAPTURE(of.name);
    const auto set = test::element_set(std::string("rfca_") + of.name, of.p0, of.p0_behind);
    const auto after = tracked<double, 4, Space>(test::table_before(set), of.cavities);
    const auto deviation = test::deviation_of(after, set);
    std::printf("%-16s", of.name);
    for (double d : deviation.of) std::printf(" %8.1e", d);
    std::printf("  p0 %8.1e\n", after.reference.p0 / of.p0_behind - 1.);
    CHECK(deviation.largest() <= of.tolerance);
    CHECK(std::abs(after.reference.p0 / of.p0_behind - 1.) < 1e-13);
  }
}
