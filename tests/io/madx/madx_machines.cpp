// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <numbers>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/beam/optics/floor_plan.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/optics/synchrotron_motion.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;

namespace {

MadxFile machine(std::initializer_list<const char*> names, const MadxOptions& options = {}) {
  std::vector<std::filesystem::path> paths;
  for (const char* name : names)
    paths.push_back(test::data_or_skip(std::filesystem::path("madx") / name));
  return read_madx(paths, options);
}

/// What a machine must be.
struct Expected {
  std::size_t elements;  ///< without drifts between them
  double length;         ///< m
  double turns = 1.;     ///< sum of bends over 2 pi
  double gap = 1e-6;     ///< between the ends of the floor plan, m
};

void check_ring(const MadxFile& file, const std::string& sequence, const Expected& expected) {
  CAPTURE(sequence);
  const BeamLine line = file.expand(sequence);
  std::size_t n = 0;
  for (const Element& element : line) n += !element.name.starts_with("drift_");
  CHECK(n == expected.elements);
  CHECK(length_of(line) == Catch::Approx(expected.length).epsilon(1e-10));
  const FloorPlace end = floor_plan(line).back();
  for (const double place : end.position) CHECK(std::abs(place) < expected.gap);
  CHECK(end.turned / (2. * std::numbers::pi) == Catch::Approx(expected.turns).epsilon(1e-8));
  CHECK(file.remarks().empty());
  CHECK(file.ignored().empty());
}

/// A ring as particles are tracked around it.
class Ring {
  using Space = HostExecutor;

 public:
  Ring(const BeamLine& line, double p0) : tracker_(Space(), line, p0) {}

  struct Optics {
    TransferMap::Vector orbit{};
    double tune_x = 0., tune_y = 0., beta_x = 0., beta_y = 0.;
    double determinant = 0.;  ///< of the matrix of x
  };
  /// Closed orbit, and the optics about it.
  Optics optics(double momentum = 0.) {
    const auto orbit = tracker_.closed_orbit(momentum);
    const auto turn = tracker_.turn_about(orbit);
    const auto periodic = periodic_twiss(turn);
    return {orbit,
            periodic.tune_x,
            periodic.tune_y,
            periodic.start.x.beta,
            periodic.start.y.beta,
            turn.R(1, 1) * turn.R(2, 2) - turn.R(1, 2) * turn.R(2, 1)};
  }
  /// Derivatives of the tunes by delta.
  std::pair<double, double> chromaticity(double h = 1e-4) {
    double x = 0., y = 0.;
    for (const auto& [n, weight] : {std::pair{1., 8.}, {-1., -8.}, {2., -1.}, {-2., 1.}}) {
      const Optics at = optics(n * h);
      x += weight * at.tune_x / (12. * h);
      y += weight * at.tune_y / (12. * h);
    }
    return {x, y};
  }

 private:
  OrbitTracker<Space> tracker_;
};

/// The line from an element on.
BeamLine from(BeamLine line, const std::string& name) {
  const auto start = std::ranges::find(line, name, &Element::name);
  REQUIRE(start != line.end());
  std::rotate(line.begin(), start, line.end());
  return line;
}

/// The PS Booster with its injection chicane: a share of the strengths k0 and k2.
MadxFile booster(double dipole, double sextupole) {
  MadxFile file = machine({"psb_chicane/psb.seq", "psb_chicane/psb_fb_lhc.str"});
  file.read(
      "beam, particle=proton, pc=0.5708301551893517; use, sequence=psb1;\n"
      "select, flag=error, clear; select, flag=error, pattern=\"^bi1.bsw1l1\"; ealign, "
      "dx=-0.0442;");
  int i = 0;
  for (const double sign : {1., -1., -1., 1.}) {
    const std::string n = std::to_string(++i), name = "bi1.bsw1l1." + n;
    const double per_length = sign / file.get(name, "l");
    file.set("k0bi1bsw1l1" + n, 0.066 * dipole * per_length);
    file.set("k2bi1bsw1l1" + n, -0.097429 * sextupole * per_length);
  }
  return file;
}

}  // namespace

TEST_CASE("the eight machines of MAD-X are read and their floor plans close", "[io]") {
  check_ring(machine({"pimms/PIMM.seq", "pimms/betatron.str"}), "pimms", {54, 75.24});
  check_ring(machine({"pimms/PIMMS.seq", "pimms/pimms_optics.str"}), "pimms", {47, 75.24});
  check_ring(machine({"bessy3/bessy3.seq"}), "sec", {1184, 362.88});
  check_ring(machine({"clic_dr/sequence.madx"}), "ring", {5322, 427.5});
  check_ring(
      machine({"elena/elena.seq", "elena/highenergy.str"}, {.variables = {{"beam_p_gev_c", 0.1}}}),
      "elena", {65, 30.4053127797});
  check_ring(
      machine({"leir/leir.seq", "leir/leir_inj_nominal.str"}, {.variables = {{"brho", 1.1478}}}),
      "leir", {198, 78.5437026624, -1.});
  check_ring(machine({"ps_sftpro/ps.seq", "ps_sftpro/ps_hs_sftpro.str"}), "ps", {904, 628.3185});
  const auto booster = machine({"psb_chicane/psb.seq", "psb_chicane/psb_fb_lhc.str"});
  check_ring(booster, "psb1", {295, 157.08, -1.});
  check_ring(booster, "psb2", {294, 157.08, -1.});
  check_ring(booster, "psb3", {295, 157.08, -1.});
  check_ring(booster, "psb4", {294, 157.08, -1.});
  // the angles of the file have ten digits
  check_ring(machine({"sps_thick/sps.seq", "sps_thick/lhc_q20.str"}), "sps",
             {1912, 6911.5038, 1., 1e-4});
}

TEST_CASE("numbers of the machines are what their files say", "[io]") {
  const auto clic = machine({"clic_dr/sequence.madx"});
  CHECK(clic.beam()->particle == "electron");
  CHECK(clic.beam()->gamma() == Catch::Approx(5596.880385).epsilon(1e-8));
  const BeamLine ring = clic.expand();
  const auto cavity = std::ranges::find(ring, "rf", &Element::name)->kind;
  REQUIRE(cavity.as<RfCavity>());
  CHECK(cavity.as<RfCavity>()->frequency == Catch::Approx(2852. * 0.7012688964e6).epsilon(1e-8));
  const auto ps = machine({"ps_sftpro/ps.seq", "ps_sftpro/ps_hs_sftpro.str"});
  CHECK(ps.get("pr.qfn05", "k1") == 0.002695840592);
  CHECK(ps.get("pr.bht01.d", "k1") == Catch::Approx(-0.05711581728 - 8.431151543e-05));
}

TEST_CASE("the PS Booster has the optics that its strengths are for", "[io]") {
  const MadxFile file = booster(0., 0.);
  Ring ring(from(file.expand(), "bi1.tstr1l1"), file.beam("psb1")->p0());
  const auto at = ring.optics();
  CHECK(at.tune_x == Catch::Approx(0.4).margin(1e-6));
  CHECK(at.tune_y == Catch::Approx(0.45).margin(1e-6));
  CHECK(at.beta_x == Catch::Approx(5.2996347).margin(1e-4));
  CHECK(at.beta_y == Catch::Approx(3.838857).margin(1e-4));
  CHECK(std::abs(at.determinant - 1.) < 1e-9);
  CHECK(std::abs(at.orbit[0]) < 1e-12);
  const auto [x, y] = ring.chromaticity();
  CHECK(x == Catch::Approx(-3.56557575115).margin(1e-3));
  CHECK(y == Catch::Approx(-7.149781341846).margin(1e-3));
}

TEST_CASE("the injection chicane of the PS Booster", "[io]") {
  const auto check = [](double sextupole, const std::array<double, 7>& expected) {
    const MadxFile file = booster(1., sextupole);
    Ring ring(from(file.expand(), "bi1.tstr1l1"), file.beam("psb1")->p0());
    const auto at = ring.optics();
    CHECK(at.tune_x == Catch::Approx(expected[0]).margin(1e-6));
    CHECK(at.tune_y == Catch::Approx(expected[1]).margin(1e-6));
    const auto [x, y] = ring.chromaticity();
    CHECK(x == Catch::Approx(expected[2]).margin(1e-3));
    CHECK(y == Catch::Approx(expected[3]).margin(1e-3));
    CHECK(at.beta_x == Catch::Approx(expected[4]).margin(1e-4));
    CHECK(at.beta_y == Catch::Approx(expected[5]).margin(1e-4));
    CHECK(at.orbit[0] == Catch::Approx(expected[6]).margin(1e-5));
    CHECK(std::abs(at.orbit[2]) < 1e-12);
  };
  check(1., {0.396759378, 0.474426936, -3.560640, -8.624431, 5.201734, 6.900674, -45.739596e-3});
  check(1. / 3.,
        {0.3989420079, 0.4717791778, -3.5636322837, -8.2045492725, 5.264522, 6.317935, -45.887e-3});
}

TEST_CASE("the SPS has the tunes of its optics", "[io]") {
  MadxFile file = machine({"sps_thick/sps.seq", "sps_thick/lhc_q20.str"});
  file.read("beam, particle=proton, pc=26;");
  const BeamLine line = file.expand("sps");
  const auto at = Ring(line, file.beam()->p0()).optics();
  CHECK(at.tune_x == Catch::Approx(0.13).margin(1e-4));
  CHECK(at.tune_y == Catch::Approx(0.18).margin(1e-4));
  const auto end = optics_along(line, periodic_twiss(map_of(line, 1)).start).back();
  CHECK(end.phase_x / (2. * std::numbers::pi) == Catch::Approx(20.13).margin(1e-4));
  CHECK(end.phase_y / (2. * std::numbers::pi) == Catch::Approx(20.18).margin(1e-4));
}

TEST_CASE("exact and expanded drifts and edges have the same linear optics", "[io]") {
  const auto optics = [](bool exact) {
    MadxFile file = machine({"pimms/PIMM.seq", "pimms/betatron.str"}, {.exact = exact});
    return Ring(file.expand(), 1.).optics();
  };
  const auto a = optics(false), b = optics(true);
  CHECK(a.tune_x == Catch::Approx(b.tune_x).margin(1e-7));
  CHECK(a.tune_y == Catch::Approx(b.tune_y).margin(1e-7));
  CHECK(a.tune_x == Catch::Approx(0.666).margin(2e-3));  // "Qx - 1.6660"
}

TEST_CASE("protons oscillate in a cavity as theory says", "[io]") {
  // A ring without bends below transition: the slip is -1/gamma^2.
  MadxFile file = parse_madx(
      "beam, particle=proton, pc=1; rf: rfcavity, volt=0.01, harmon=4, lag=0; "
      "s: sequence, l=100; rf, at=30; endsequence;",
      "ring.madx");
  const auto beam = file.beam().value();
  const HostExecutor exec;
  LineTracker<double, HostExecutor> tracker(exec, file.expand(), {0., 0.});
  ParticleTable table(2, beam.p0());
  table.v[delta][1] = 1e-4;
  auto bunch = upload<double>(exec, table);
  const double phase_per_turn = std::sqrt(2. * std::numbers::pi * 4. * 0.01 /
                                          (beam.beta() * beam.beta() * beam.energy * 1e3)) /
                                beam.gamma();
  for (int turn = 1; turn <= 400; ++turn) {
    tracker.track(bunch, 1, {}, turn - 1);
    if (turn % 50 != 0) continue;
    table = download(exec, bunch);
    CHECK(std::abs(table.v[delta][0]) < 1e-12);  // the reference particle stays
    CHECK(table.v[delta][1] == Catch::Approx(1e-4 * std::cos(turn * phase_per_turn)).margin(1e-6));
  }
}

TEST_CASE("electrons oscillate in the damping ring of CLIC", "[io]") {
  const MadxFile file = machine({"clic_dr/sequence.madx"});
  const BeamLine line = file.expand();
  const double p0 = file.beam()->p0();
  const HostExecutor exec;
  LineTracker<double, HostExecutor> tracker(exec, line, {0., 0.});
  ParticleTable table(1, p0);
  table.v[delta][0] = 1e-4;
  auto bunch = upload<double>(exec, table);
  std::vector<double> crossings;
  double before = 1e-4;
  for (int turn = 0; turn < 85; ++turn) {
    tracker.track(bunch, 1, {}, turn);
    const double now = download(exec, bunch).v[delta][0];
    if (now * before < 0.) crossings.push_back(turn + before / (before - now));
    before = now;
  }
  REQUIRE(crossings.size() == 2);
  CHECK(0.5 / (crossings[1] - crossings[0]) ==
        Catch::Approx(synchrotron_motion(line, p0).tune).epsilon(2e-3));
}
