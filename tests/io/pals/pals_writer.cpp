// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/map_element.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/pals/pals_writer.hpp>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;

namespace {

const PalsParticle proton = pals_particle_of(938272088.16, 1., 2e9);

PalsLine read_back(const PalsLine& line) {
  return parse_pals(pals_text(line).text, "written.pals.yaml");
}

/// An element of a line of one, written and read again.
ElementKind read_back(const ElementKind& kind) {
  const PalsText written = pals_text({.name = "l", .line = {{"e", kind}}, .particle = proton});
  CAPTURE(written.text);
  const PalsLine line = parse_pals(written.text, "written.pals.yaml");
  return line.line.back().kind;
}

void check_same(TransferMap a, TransferMap b) {
  for (int i = 1; i <= 6; ++i) {
    CHECK(a.C(i) == b.C(i));
    for (int j = 1; j <= 6; ++j) CHECK(a.R(i, j) == b.R(i, j));
  }
}
/// An element that is read has the same map and, but for those that act on the whole bunch, moves
/// particles alike, to the bit.
void check_same(const ElementKind& kind) {
  const ElementKind back = read_back(kind);
  REQUIRE(back.type() == kind.type());
  CHECK(back.length() == kind.length());
  const double p0 = proton.p0();
  check_same(kind.map_to(2, p0), back.map_to(2, p0));
  if (kind.is_collective()) return;
  const auto tracked = [&](const ElementKind& of) {
    OrbitTracker<HostExecutor> tracker(HostExecutor(), BeamLine{{"e", of}}, p0);
    return tracker.turn_about({1e-3, 2e-4, -2e-3, 1e-4, 0., 1e-3});
  };
  check_same(tracked(kind), tracked(back));
}

}  // namespace

TEST_CASE("Elements written to PALS are read as the same", "[io]") {
  const Misalignment by{.dx = 1e-3, .dy = -2e-3, .tilt = 0.1, .dz = 3e-3};
  check_same(Drift{1.5, 2});
  check_same(ExactDrift{0.1});
  check_same(ExpandedDrift{-0.3});
  check_same(Monitor{0.2});
  check_same(Quadrupole{.length = 0.3, .k1 = 1.7, .misalignment = by});
  check_same(ChromaticQuadrupole{0.3, -1.7, by});
  check_same(CanonicalQuadrupole{0.3, 1. / 3., 7, 6, by});
  check_same(Sextupole{.length = 0.3, .k2 = 17.});
  check_same(CanonicalSextupole{0.3, 17., 3, 2, by});
  check_same(Octupole{.length = 0.3, .k3 = 170., .order = 3});
  check_same(CanonicalMultipole{.length = 0.7,
                                .field = {{1e-3, 1. / 3., 2.}, {0., -0.1}},
                                .slices = 5,
                                .integration_order = 2,
                                .misalignment = by,
                                .expanded = true});
  check_same(CanonicalMultipole{.field = {{}, {1e-3}}, .slices = 1, .integration_order = 2});
  check_same(Bend{{.length = 1.,
                   .angle = 0.1,
                   .k1 = 0.3,
                   .entrance = 0.05,
                   .half_gap = 0.02,
                   .fringe = 0.4,
                   .exit_edge = false},
                  1,
                  {.tilt = 0.3}});
  CanonicalBend bend{
      .length = 1., .angle = 1. / 3., .strengths = {0.1, 0.2}, .entrance = 0.05, .exit = 0.06};
  bend.half_gap = 0.03;
  bend.fringe = 0.7;
  check_same(bend);
  bend.exit_fringe = 0.1;
  bend.entrance_effects = bend.exit_effects = EdgeEffects::linear;
  bend.slices = 6;
  bend.is_rigid = true;
  bend.is_corrected = true;
  bend.misalignment.tilt = 0.2;
  check_same(bend);
  bend.k0 = 0.3;
  bend.is_corrected = false;
  check_same(bend);
  check_same(CanonicalBend{.length = 1., .angle = 0.2, .closed = true});
  check_same(CanonicalBend{.length = 1., .angle = 0., .k0 = 0.1});
  check_same(Solenoid{.length = 1., .ks = 0.2, .misalignment = by});
  check_same(ExactSolenoid{1., 0.2, by});
  check_same(Kicker{.length = 0.1, .horizontal = 1e-3, .vertical = -2e-3, .tilt = 0.1});
  check_same(ExactKicker{0.1, 1e-3, -2e-3, by});
  RfCavity cavity{.length = 0.5, .voltage = 1e6, .phase = 1., .frequency = 4e8};
  cavity.kicks = 3;
  check_same(cavity);
  cavity.reference_time = 1e-8;
  cavity.rest_energy = 938272088.16;
  check_same(cavity);
  check_same(RfDeflector{.voltage = 1e6, .phase = 0.3, .frequency = 4e8, .kicks = 1});
  check_same(Collimator{0.3, {.x_max = 0.01, .y_max = 0.02, .dx = 1e-3}});
  check_same(Collimator{0., {.shape = Aperture::Shape::ellipse, .x_max = 0.01, .y_max = 0.02}});
  check_same(SetMomentum{.momentum = 3.3});
  check_same(Displacement{.dx = 1e-3, .dy = 2e-3});
  check_same(Rotator{0.1});

  const ElementKind read = read_back(cavity);
  const RfCavity back = *read.as<RfCavity>();
  CHECK(back.phase == cavity.phase);
  CHECK(back.rest_energy == cavity.rest_energy);
  CHECK(back.reference_time == cavity.reference_time);
  CHECK(back.kicks == 3);
  const ElementKind limit = read_back(Collimator{0., {.x_max = 0.01, .y_max = 0.02, .dx = 1e-3}});
  CHECK(limit.as<Collimator>()->aperture.x_max == 0.01);
  CHECK(limit.as<Collimator>()->aperture.dx == 1e-3);
}

TEST_CASE("Taylor maps written to PALS are read as the same", "[io]") {
  TransferMap map = TransferMap::identity(3);
  map.C(1) = 1e-3;
  map.R(2, 1) = -1. / 3.;
  map.R(2, 6) = 0.7;
  map.R(5, 1) = 0.1;
  map.T(5, 2, 6) = -0.3;
  map.T(4, 1, 3) = 1. / 7.;
  map.Q(2, 1, 3, 3) = 1e-9;
  const ElementKind kind = MapElement{0., map};
  check_same(kind);
  const ElementKind back = read_back(kind);
  CHECK(back.as<MapElement>()->map() == map);
  check_same(MapElement{0., TransferMap::identity(1)});
  TransferMap cavity = TransferMap::identity(1);
  cavity.R(6, 5) = 1.;
  const PalsLine unknown{.name = "l", .line = {{"c", MapElement{0., cavity}}}, .particle = proton};
  test::check_refused<UsageError>([&] { return pals_text(unknown); }, "has no counterpart");
}

TEST_CASE("Values of PALS go before how elements were tracked", "[io]") {
  std::string text =
      pals_text(
          {.name = "l", .line = {{"q", CanonicalQuadrupole{1., 2., 3, 6}}}, .particle = proton})
          .text;
  text.replace(text.find("Kn1: 2"), 6, "Kn1: 5");
  const ElementKind other = parse_pals(text, "f.yaml").line.back().kind;
  REQUIRE(other.as<CanonicalQuadrupole>());
  CHECK(other.as<CanonicalQuadrupole>()->k1 == 5.);
  CHECK(other.as<CanonicalQuadrupole>()->slices == 3);
  text.replace(text.find("Kn1: 5"), 6, "Kn1: 5\n          Kn2: 1");
  CHECK(parse_pals(text, "f.yaml").line.back().kind.as<CanonicalMultipole>());
}

TEST_CASE("Lattices written to PALS", "[io]") {
  const PalsLine line{.name = "my.ring",
                      .line = {{"a-1", Drift{1.}},
                               {"a_1", Drift{2.}},
                               {"a-1", Drift{1.}},
                               {"no", Marker{}},
                               {"a-1", Drift{3.}}},
                      .particle = proton,
                      .is_periodic = true};
  const PalsText written = pals_text(line);
  CHECK(written.remarks.size() == 1);
  CHECK(written.text.find("alias: \"a-1\"") != std::string::npos);
  const PalsLine back = parse_pals(written.text, "f.yaml");
  REQUIRE(back.line.size() == 6);
  CHECK(back.name == "my_ring");
  CHECK(back.is_periodic);
  CHECK(back.particle->species == "proton");
  CHECK(back.particle->p0c == proton.p0c);
  CHECK(back.line[1].name == back.line[3].name);
  CHECK(length_of(back.line) == 7.);
  // a second time nothing changes
  CHECK(pals_text(back).text.find("beginning:") != std::string::npos);
  CHECK(read_back(back).line.size() == back.line.size());
  CHECK(parse_pals(pals_text({.line = {{"m", Marker{}}}}).text, "f.yaml").line.size() == 1);

  const PalsLine unknown{
      .name = "l", .line = {{"w", MapElement{1., TransferMap::identity(1)}}}, .particle = proton};
  test::check_refused<UsageError>([&] { return pals_text(unknown); }, "\"w\" has no counterpart");
  const PalsText skipped = pals_text(unknown, true);
  CHECK(skipped.remarks.size() == 1);
  CHECK(length_of(parse_pals(skipped.text, "f.yaml").line) == 1.);
  const PalsLine bend{.name = "l", .line = {{"b", ThinBend{.angle = 0.1}}}, .particle = proton};
  test::check_refused<UsageError>([&] { return pals_text(bend, true); }, "the line's axis");
  test::check_refused<UsageError>([] { return pals_particle_of(1., 1., 1.); }, "no name");
}

TEST_CASE("A ring written to PALS has the same optics", "[io]") {
  const auto folder = test::data_or_skip(std::filesystem::path("formats") / "pals" / "examples");
  const PalsLine ring = read_pals(folder / "iota.pals.yaml");
  const PalsLine back = read_back(ring);
  REQUIRE(back.line.size() == ring.line.size());
  const auto optics_of = [](const PalsLine& of) {
    OrbitTracker<HostExecutor> tracker(HostExecutor(), of.line, of.particle->p0());
    return periodic_twiss(tracker.turn_about(tracker.closed_orbit(0.)));
  };
  const PeriodicOptics a = optics_of(ring), b = optics_of(back);
  CHECK(a.tune_x == b.tune_x);
  CHECK(a.tune_y == b.tune_y);
  CHECK(a.start.x.beta == b.start.x.beta);
  CHECK(a.start.dispersion[0] == b.start.dispersion[0]);
}
