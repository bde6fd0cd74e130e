// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/elements/bunch_map.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/elegant/elegant_matrix.hpp>
#include <tuple>
#include <vector>

#include "beam/reference_vectors.hpp"
#include "support/data.hpp"
#include "support/refusals.hpp"
#include "used_lattice.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;

namespace {

/// The element E of a statement or two.
template <class Kind>
Kind element(const std::string& text) {
  CAPTURE(text);
  const auto file = parse_elegant_lattice(text, "test.lte", {.infix = true});
  return *file.lattice.element("E").kind.as<Kind>();
}

/// An element is refused with both texts in the message.
void refuse(const std::string& text, const std::string& place, const std::string& why) {
  CAPTURE(text);
  const auto parse = [&] { return test::used_lattice(text, "test.lte"); };
  test::check_refused(parse, place);
  test::check_refused(parse, why);
}

double length(const std::string& value) { return element<Drift>("E: DRIF, L=" + value).length; }

std::string names(const BeamLine& line) {
  std::string text;
  for (const Element& element : line) text += element.name;
  return text;
}

std::string expanded(const std::string& line) {
  return names(parse_elegant_lattice("A: MARK\nB: MARK\nC: MARK\nAB: LINE=(A, B)\nX: LINE=" + line,
                                     "test.lte")
                   .expand());
}

}  // namespace

TEST_CASE("values are numbers and arithmetic", "[io]") {
  CHECK(length("0.25") == 0.25);
  CHECK(length("-.5e1") == -5.);
  CHECK(length("+3.") == 3.);
  CHECK(length("1+2*3") == 7.);
  CHECK(length("(1+2)*3") == 9.);
  CHECK(length("8/4/2") == 1.);
  CHECK(length("7-4-2") == 1.);
  CHECK(length("2^3^2") == 512.);
  CHECK(length("-2^2") == -4.);
  CHECK(length("2^-1") == 0.5);
  CHECK(length("2*-3") == -6.);
  CHECK(length("sqrt(16) + Sin(0)") == 4.);
  CHECK(length("pi") == std::acos(-1.));
  CHECK(length("2 * \"1 2 +\"") == 6.);
}

TEST_CASE("infix arithmetic has to be asked for", "[io]") {
  const auto parse = [](const std::string& value) {
    const auto file = parse_elegant_lattice("% 0.5 sto l\nE: DRIF, L=" + value, "test.lte");
    return file.lattice.element("E").kind.as<Drift>()->length;
  };
  CHECK(parse("1e-1") == 0.1);
  CHECK(parse("-l") == -0.5);
  CHECK(parse("-\"l 2 *\", ORDER=1") == -1.);
  const auto refused = [&](const std::string& value, const std::string& why) {
    CAPTURE(value);
    test::check_refused([&] { parse(value); }, why);
  };
  refused("1/2", "column 12: '1/2' is arithmetic (elegant takes 1, the whole is 0.5)");
  refused("-3*l", "'-3*l' is arithmetic (elegant takes -3, the whole is -1.5)");
  refused("(1+l)/2", "'(1+l)/2' is arithmetic (elegant does not read it, the whole is 0.75)");
  refused("sqrt(4)", "'sqrt(4)' is arithmetic (elegant does not read it, the whole is 2)");
  refused("2 ORDER=1", "'ORDER' is not expected here (elegant takes 2)");
}

TEST_CASE("values are in reverse Polish notation, too", "[io]") {
  CHECK(length("\"1 2 +\"") == 3.);
  CHECK(length("\"10 4 - 2 / 5 *\"") == 15.);
  CHECK(length("\"2 3 pow\"") == 8.);
  CHECK(length("\"2 chs sqr dup +\"") == 8.);
  CHECK(length("\"1 4 swap -\"") == 3.);
  CHECK(length("\"4 rec -1e-3 +\"") == 0.25 + -1e-3);
  CHECK(length("\"9 sqrt\"") == 3.);
}

TEST_CASE("constants have the values that they have at their use", "[io]") {
  CHECK(element<Drift>("% 0.2 sto lq\nE: DRIF, L=lq*2").length == 0.4);
  CHECK(element<Drift>("% 1 2 + sto l1 4 * sto L2\nE: DRIF, L=l1+l2").length == 15.);
  CHECK(element<Drift>("a = 3\nb := a^2 + 1\nE: DRIF, L=\"A b *\"").length == 30.);
  CHECK(element<Drift>("% 1 sto a\nE: DRIF, L=a\n% 2 sto a").length == 1.);
}

TEST_CASE("statements go on after &, and comments are left out", "[io]") {
  const auto e = element<Quadrupole>(
      "! a file\n\n  e : &  ! of one element\n ! and a comment inside\n quad , & \r\n"
      "l = 0.2 , &\n k1=1.5 ! &\n! the end & \n");
  CHECK(e.length == 0.2);
  CHECK(e.k1 == 1.5);
}

TEST_CASE("statements end with ;, and words go on after &", "[io]") {
  const auto file = parse_elegant_lattice(
      "E: DRIFT, L=0.069&  \n2&\n ; F: DRIF, L=1.5e&\n-1, ; LONG: LINE=(E, F&\n)", "test.lte");
  CHECK(file.lattice.element("E").kind.as<Drift>()->length == 0.0692);
  CHECK(file.lattice.element("F").kind.as<Drift>()->length == 0.15);
  CHECK(names(file.expand()) == "EF");
  // as in elegant, a statement ends at a blank line behind &
  CHECK(element<Quadrupole>("E: QUAD, L=1, &\n \n! more\nD: DRIF").length == 1.);
  refuse("E: QUAD, L=1, &\n\nK1=2", "line 2, column 1", "a blank line follows &");
}

TEST_CASE("names of definitions and of lists need no quotation marks", "[io]") {
  const auto file = parse_elegant_lattice(
      "B-0: MARK\n3P3 : MARK\n\"S:1\": MARK\n\"B-0 \": MARK\nX: LINE=(3P3, S:1, 2*3P3, \"B-0\")",
      "test.lte");
  CHECK(names(file.expand()) == "3P3S:13P33P3B-0");
}

TEST_CASE("types are abbreviated and written out where only one is meant", "[io]") {
  CHECK(element<Kicker>("E: KICK, HKICK=0.25").horizontal == 0.25);
  CHECK(element<Drift>("E: drif, L=2").length == 2.);
  CHECK(element<CanonicalQuadrupole>("E: KQUADRUPOLE, L=2").length == 2.);
  refuse("E: KQU, L=1", "line 1, column 4", "no type of element");
  refuse("E: CSR, L=1", "line 1, column 4", "no type of element");
  refuse("E: CSRB, L=1", "line 1, column 4", "no type of element");
}

TEST_CASE("elements like others", "[io]") {
  CHECK(element<Drift>("D: DRIF, L=2\nE: D").length == 2.);
  CHECK(element<Drift>("QUAD1: DRIF, L=2\nE: QUAD1").length == 2.);
  CHECK(element<Drift>("D: DRIF, L=2\nE: D, L=3").length == 3.);
  const std::string first = "% 0.8 sto k\nA: QUAD, L=0.5, K1=\"k\", TILT=-0.1\n% 2 sto k\n";
  CHECK(element<Quadrupole>(first + "E: A").k1 == 2.);  // expressions have the values of here
  CHECK(element<Quadrupole>(first + "B: A, K1=0.3\nE: B, L=2").k1 == 0.3);
  const auto copy = element<Quadrupole>(first + "B: A, K1=0.3\nE: B, L=2, K1=\"k\"");
  CHECK((copy.length == 2. && copy.k1 == 2. && copy.misalignment.tilt == -0.1));
  CHECK(element<CanonicalBend>("A: CSBEND, L=1, ANGLE=0.1, N_KICKS=8\nE: A, N_SLICES=2").slices ==
        2);
  std::string copies = "D0: DRIF\n";
  for (int i = 1; i < 200; ++i)
    copies += "D" + std::to_string(i) + ": D" + std::to_string(i - 1) + ", L=1\n";
  test::check_refused([&] { (void)element<Drift>(copies); }, "copies of copies are nested");
  refuse("D: DRIF, L=2\nE: D, L=3, L=4", "line 2, column 12", "L is given twice");
  refuse("A: NOTHING\nE: A", "line 1, column 4", "no type of element");
}

TEST_CASE("lines with arguments are refused where they stand", "[io]") {
  const std::string d = "Q: QUAD, L=0.1, K1=1\nD: DRIF, L=0.5\n";
  refuse(d + "L(A, B): LINE=(A, 2*B, -A)", "line 3, column 1", "'L' has arguments");
  refuse(d + "L: LINE=(Q, D)\nR: LINE=(D, 2*L(Q, D))", "line 4, column 15", "write the line out");
}

TEST_CASE("elements that cannot be tracked are refused where a line has them", "[io]") {
  const std::string text =
      "A: NOTHING, L=0.5, FILE=\"x y\", K\nB: MARK\nBB: LINE=(B)\nAB: LINE=(A, B)";
  test::check_refused([&] { parse_elegant_lattice(text, "test.lte"); }, "'=' is missing after K");
  const std::string good =
      "A: NOTHING, L=0.5, FILE=\"x y\"\nC: QUAD, L=0.25, TILTED=1\nD: DRIF, L=1, ORDER=0.5\nB: "
      "MARK\n"
      "BB: LINE=(B)\nAB: LINE=(A, B, C, D)";
  const auto file = parse_elegant_lattice(good, "test.lte");
  CHECK(names(file.expand("BB")) == "B");
  test::check_refused([&] { file.expand("AB"); },
                      "test.lte: line 1, column 4: 'NOTHING' is no type of element");
  test::check_refused([&] { file.expand("C"); }, "'TILTED' is no parameter of QUAD");
  test::check_refused([&] { file.expand("D"); }, "ORDER cannot be 0.5");

  const auto drifts = parse_elegant_lattice(good, "test.lte", {.skip_unknown = true});
  CHECK(drifts.drifts == "DRIF (1), NOTHING (1), QUAD (1)");
  CHECK(length_of(drifts.expand()) == 1.75);
  CHECK(file.drifts.empty());
}

TEST_CASE("files that a lattice includes", "[io]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_included_lattices";
  std::filesystem::create_directories(folder);
  write_file(folder / "parts.lte", "D: DRIF, L=2\nQ: NOTHING");
  write_file(folder / "all.lte",
             "M: MARK\n#INCLUDE: parts.lte\n#include: \"parts2.lte\"\nX: LINE=(M, D, E)");
  write_file(folder / "parts2.lte", "E: DRIF, L=3");
  const auto file = read_elegant_lattice(folder / "all.lte");
  CHECK(names(file.expand()) == "MDE");
  test::check_refused([&] { file.expand("Q"); }, "parts.lte: line 2, column 4");
  write_file(folder / "parts2.lte", "#INCLUDE: all.lte");
  test::check_refused([&] { read_elegant_lattice(folder / "all.lte"); }, "is defined twice");
  write_file(folder / "itself.lte", "#INCLUDE: itself.lte");
  test::check_refused([&] { read_elegant_lattice(folder / "itself.lte"); },
                      "more than 1000 files are included");
  test::check_refused([&] { parse_elegant_lattice("#INCLUDE: ", "test.lte"); },
                      "the name of a file is missing");
}

TEST_CASE("numbers and functions that elegant knows", "[io]") {
  CHECK(length("c_mks") == 299792458.);
  CHECK(length("\"3 4 hypot\"") == 5.);
  CHECK(length("\"3 4 max2 2 min2\"") == 2.);
  CHECK(length("\"1 7 3 4 3 maxn +\"") == 8.);
  CHECK(length("\"3 fact 10 /\"") == 0.6);
  CHECK(length("\"0.4 fact 5.6 fact +\"") == 721.);
  CHECK(length("\"0.4 view\"") == 0.4);
  CHECK(length("\"5 7 3 4 3 minn -\"") == 2.);
  CHECK(length("\"9 7 3 1 maxn -\"") == 2.);  // of two at least
  test::check_refused([&] { length("\"1 2 3 maxn\""); }, "'maxn' has too few numbers");
  test::check_refused([&] { length("\"1 2 1e300 minn\""); }, "'minn' has too few numbers");
  CHECK(length("\"0.75 beta.p\"") == 0.6);
  CHECK(std::abs(length("\"30 dsin\"") - 0.5) < 1e-15);
  CHECK(std::abs(length("\"0.5 dasin\"") - 30.) < 1e-13);
}

TEST_CASE("keywords of magnets", "[io]") {
  auto q = element<Quadrupole>("E: QUADRUPOLE, L=0.2, K1=2, TILT=0.1, DX=1e-3, DY=-1e-3, FSE=0.5");
  CHECK(q.k1 == 3.);
  CHECK(q.order == 2);
  CHECK(q.misalignment.tilt == 0.1);
  CHECK(q.misalignment.dx == 1e-3);
  CHECK(q.misalignment.dy == -1e-3);
  CHECK(element<Quadrupole>("E: QUAD, ORDER=3, FFRINGE=0").order == 3);
  CHECK(element<Quadrupole>("E: QUAD, ORDER=0, GROUP=\"all\"").order == 2);
  CHECK(element<Drift>("E: DRIFT, ORDER=3").order == 2);
  CHECK(element<ExactDrift>("E: EDRIFT, L=2").length == 2.);
  CHECK(element<Drift>("E: DRIF, L=-0.3").length == -0.3);  // as in elegant, it goes back
  const auto k = element<CanonicalQuadrupole>("E: KQUAD, L=0.2, K1=2, FSE=-0.5, NSLICES=7");
  CHECK(k.k1 == 1.);
  CHECK(k.slices == 7);
  CHECK(k.integration_order == 4);
  CHECK(element<Sextupole>("E: SEXT, L=0.2, K2=20, FSE=0.1").k2 == 20. * (1. + 0.1));
  const auto s = element<CanonicalSextupole>("E: KSEXT, K2=20, INTEGRATION_ORDER=6, DX=0.1");
  CHECK(s.k2 == 20.);
  CHECK(s.slices == 1);
  CHECK(s.integration_order == 6);
  CHECK(s.misalignment.dx == 0.1);
}

TEST_CASE("keywords of bends", "[io]") {
  const auto b = element<Bend>(
      "E: SBEND, L=0.5, ANGLE=0.2, K1=1, K2=2, E1=0.1, E2=0.05, HGAP=0.01, FINT=0.4, "
      "EDGE1_EFFECTS=0, ORDER=1, TILT=0.3, DX=1, DY=2");
  CHECK(b.magnet.length == 0.5);
  CHECK(b.magnet.angle == 0.2);
  CHECK(b.magnet.k1 == 1.);
  CHECK(b.magnet.k2 == 2.);
  CHECK(b.magnet.entrance == 0.1);
  CHECK(b.magnet.exit == 0.05);
  CHECK(b.magnet.half_gap == 0.01);
  CHECK(b.magnet.fringe == 0.4);
  CHECK(!b.magnet.entrance_edge);
  CHECK(b.magnet.exit_edge);
  CHECK(b.order == 1);
  CHECK(b.misalignment.tilt == 0.3);
  CHECK(b.misalignment.dy == 2.);
  const auto defaults = element<Bend>("E: SBEN, L=0.5, ANGLE=0.2");
  CHECK(defaults.magnet.fringe == 0.5);
  CHECK(defaults.magnet.entrance_edge);
  CHECK(defaults.order == 2);
  CHECK(element<Bend>("E: SBEN, L=0.5, ANGLE=0.2, ORDER=3").order == 2);
  const auto r = element<Bend>("E: RBEN, L=0.5, ANGLE=-0.2, E1=0.01, E2=0.02");
  CHECK(r.magnet.angle == -0.2);
  CHECK(std::abs(r.magnet.length - 0.5 * 0.1 / std::sin(0.1)) < 1e-16);
  CHECK(r.magnet.entrance == 0.01 - 0.1);
  CHECK(r.magnet.exit == 0.02 - 0.1);
}

TEST_CASE("bends without an angle are drifts", "[io]") {
  CHECK(element<Drift>("E: SBEN, L=0.5").length == 0.5);
  CHECK(element<Drift>("E: RBEN").length == 0.);
  CHECK(element<Drift>("E: SBEN, L=0.5, K1=2, TILT=0.1, FSE=0.1").length == 0.5);
  CHECK(element<Drift>("E: RBEN, L=0.5, K2=2, ORDER=1").order == 1);
  CHECK(element<ExactDrift>("E: CSRCSBEND, L=0.5, K1=2").length == 0.5);
}

TEST_CASE("keywords of other elements", "[io]") {
  const auto h = element<Kicker>("E: HKICK, L=0.1, KICK=1e-3, TILT=0.2");
  CHECK(h.length == 0.1);
  CHECK(h.horizontal == 1e-3);
  CHECK(h.vertical == 0.);
  CHECK(h.tilt == 0.2);
  CHECK(element<Kicker>("E: vkicker, KICK=1e-3").vertical == 1e-3);
  const auto k = element<Kicker>("E: KICKER, HKICK=1, VKICK=2");
  CHECK(k.horizontal == 1.);
  CHECK(k.vertical == 2.);
  element<Marker>("E: MARK");
  const auto c = element<Collimator>("E: ECOL, L=1, X_MAX=2, YMAX=3, DX=4, DY=5");
  CHECK(c.aperture.shape == Aperture::Shape::ellipse);
  CHECK(c.length == 1.);
  CHECK(c.aperture.x_max == 2.);
  CHECK(c.aperture.y_max == 3.);
  CHECK(c.aperture.dx == 4.);
  CHECK(c.aperture.dy == 5.);
  CHECK(element<Collimator>("E: RCOL").aperture.shape == Aperture::Shape::rectangle);
  CHECK(element<Charge>("E: CHARGE, TOTAL=1e-9").total == 1e-9);
}

TEST_CASE("errors of magnets", "[io]") {
  const auto q = element<Quadrupole>(
      "E: QUAD, L=0.2, K1=2, FSE=0.5, DZ=1e-3, FFRINGE=0.1, HKICK=1e-3, HCALIBRATION=2, "
      "VKICK=2e-3");
  CHECK(q.k1 == 3.);
  CHECK(q.misalignment.dz == 1e-3);
  CHECK(std::abs(q.fringe.length - 0.01) < 1e-17);
  CHECK(q.horizontal == 2e-3);
  CHECK(q.vertical == 2e-3);
  const auto s = element<Sextupole>("E: SEXT, L=0.2, K2=20, K1=1, J1=2, FSE=0.5, DZ=1e-3");
  CHECK(s.k1 == 1.);
  CHECK(s.j1 == 2.);
  CHECK(s.misalignment.dz == 1e-3);
  const auto o = element<Octupole>("E: OCTU, L=0.2, K3=20, FSE=0.5, ORDER=3, TILT=0.1");
  CHECK(o.k3 == 30.);
  CHECK(o.order == 3);
  CHECK(o.misalignment.tilt == 0.1);
  const auto b = element<Bend>(
      "E: SBEN, L=0.5, ANGLE=0.2, K1=1, K2=2, H1=3, H2=4, FSE=0.25, FSE_DIPOLE=0.25, "
      "FSE_QUADRUPOLE=0.5, ETILT=0.1, EDGE_ORDER=1, DZ=1e-3");
  CHECK(b.magnet.dipole_error == 0.5);
  CHECK(b.magnet.k1 == 1.75);
  CHECK(b.magnet.k2 == 2.5);
  CHECK(b.magnet.entrance_curvature == 3.);
  CHECK(b.magnet.exit_curvature == 4.);
  CHECK(b.magnet.error_tilt == 0.1);
  CHECK(b.magnet.edge_order == 1);
  CHECK(b.misalignment.dz == 1e-3);
  const auto k = element<Kicker>(
      "E: KICKER, L=0.2, HKICK=1, HCALIBRATION=2, VKICK=2, VCALIBRATION=3, B2=4, EDGE_EFFECTS=1, "
      "ORDER=1");
  CHECK(k.horizontal == 2.);
  CHECK(k.vertical == 6.);
  CHECK(k.b2 == 4.);
  CHECK(k.edges);
  CHECK(k.order == 1);
  CHECK(element<Kicker>("E: HKICK, KICK=2, CALIBRATION=3").horizontal == 6.);
}

TEST_CASE("solenoids, monitors and maps", "[io]") {
  CHECK(element<Solenoid>("E: SOLE, L=0.3, KS=1.2, DZ=1").ks == 1.2);
  CHECK(element<Solenoid>("E: SOLENOID, L=0.3").order == 2);
  CHECK(element<SolenoidField>("E: SOLE, L=0.3, B=0.05, DX=1").field == 0.05);
  for (const std::string keyword : {"MONI", "HMON", "VMON", "MONITOR"})
    CHECK(element<Monitor>("E: " + keyword + ", L=0.3, WEIGHT=2").length == 0.3);
  const auto e =
      element<BunchMap>("E: EMATRIX, L=0.5, ORDER=2, C5=0.5, C1=1, R11=2, R66=3, T543=4, DX=0.5");
  CHECK(e.length() == 0.5);
  TransferMap map = e.element.map();
  CHECK(map.order == 2);
  CHECK(map.C(5) == 0.);
  CHECK(map.C(1) == 1. - 2. * 0.5 + 0.5);
  CHECK(map.R(6, 6) == 3.);
  CHECK(map.T(5, 4, 3) == 4.);
  map = element<MapElement>("E: EMATRIX, ORDER=1, R55=1, T543=4").map();
  CHECK(map.T(5, 4, 3) == 0.);
  CHECK(element<BunchMap>("E: EMATRIX, R55=1, DELTAP=2").momentum_step == 2.);
}

TEST_CASE("maps of files", "[io]") {
  const std::string rows = "L: E\nC: 1 2 3 4 5 6\nR1: 1 2 3 4 5 6\nT43: 7 8 9\nC: 0 0 0 0 0 0\n";
  TransferMap map = io::parse_elegant_matrix(rows, "test.mat");
  CHECK(map.order == 2);
  CHECK(map.C(5) == 5.);
  CHECK(map.R(1, 6) == 6.);
  CHECK(map.R(2, 2) == 0.);
  CHECK(map.T(4, 3, 3) == 9.);
  map = io::parse_elegant_matrix("C: 1 2 3 4 5 6\nQ654: 1 2 3 4\n", "x");
  CHECK(map.order == 3);
  CHECK(map.Q(6, 5, 4, 4) == 4.);
  const auto refused = [](const std::string& text, const std::string& message) {
    test::check_refused([&] { return io::parse_elegant_matrix(text, "test.mat"); }, message);
  };
  refused("", "test.mat: there is no map");
  refused("R1: 1 2 3 4 5 6\n", "there is no map");
  refused("C: 1 2 3 4 5 6\nR1: 1 2\n", "test.mat: line 2: a number is missing");
  refused("C: 1 2 3 4 5 x\n", "a number is missing");
  refused("C: 1 2 3 4 5 6 7\n", "there is more than a row: '7'");
  refuse("E: MATR, L=0.5", "FILENAME", "there is no map without a file");
  refuse("E: MATR, L=0.5, FILENAME=\"nowhere.mat\"", "nowhere.mat", "");
}

TEST_CASE("errors of magnets that are not known are refused", "[io]") {
  refuse("E: QUAD, L=0.2, FFRINGE=0.1, ORDER=3", "FFRINGE", "of order 2");
  refuse("E: QUAD, L=0.2, FFRINGE=2", "FFRINGE", "part of the length");
  refuse("E: SEXT, L=0.2, K1=0.1, ORDER=3", "K1", "of order 2");
  refuse("E: SBEN, L=0.5, ANGLE=0.2, FSE=-1", "FSE", "has a field");
  refuse("E: SBEN, L=0.5, ANGLE=0.2, ETILT=0.1, TILT=0.1", "ETILT", "TILT, too");
  refuse("E: SBEN, L=0.5, ANGLE=0.2, EDGE_ORDER=3", "EDGE_ORDER", "1 and 2");
  refuse("E: SOLE, L=0.5, B=0.2, KS=0.1", "B", "KS is given");
}

TEST_CASE("attributes that a type of elegant does not have are refused", "[io]") {
  for (const std::string element :
       {"SOLE, L=1, TILT=0.1", "MONI, CALIBRATION=1", "HMON, XCALIBRATION=1",
        "VMON, YCALIBRATION=1", "MATR, FILENAME=a, DX=1e-3", "KSEXT, RADIAL=0",
        "KSEXT, EDGE1_EFFECTS=0", "KOCT, HKICK=1", "KQUSE, VKICK=1", "KQUSE, MALIGN_METHOD=0",
        "MULT, ISR=1", "RFDF, FIRST_BUNCH_ONLY=0", "CSRCSBEND, XKICK=1", "CSRCSBEND, FSE_DIPOLE=0",
        "CSRCSBEND, EXPAND_HAMILTONIAN=0", "TRWAKE, ALLOW_LONG_BEAM=1", "RFCW, LOCK_PHASE=1",
        "WATCH, LONGIT=1"})
    refuse("E: " + element, "is no parameter of", "line 1");
}

TEST_CASE("parameters of bends that are not done here have their defaults only", "[io]") {
  const std::string bend = "E: CSBEND, L=1, ANGLE=0.1";
  CHECK_NOTHROW(test::used_lattice(
      bend + ", MALIGN_METHOD=0, EPITCH=0, EDGE1_KICK_LIMIT=-1, SQRT_ORDER=0, B1=0", "test.lte"));
  refuse(bend + ", MALIGN_METHOD=1", "MALIGN_METHOD cannot be 1", "what elegant does then");
  refuse(bend + ", ETILT_SIGN=2", "ETILT_SIGN cannot be 2", "1 or -1");
  refuse(bend + ", FSE_DIPOLE=-2", "FSE_DIPOLE cannot be -2", "has a field");
}

TEST_CASE("drifts with space charge", "[io]") {
  const auto e = element<SpaceChargeDrift>(
      "E: LSCDRIFT, L=0.1, LEFFECTIVE=0.2, BINS=64, SMOOTHING=1, SG_HALFWIDTH=4, SG_ORDER=2, "
      "INTERPOLATE=0, LOW_FREQUENCY_CUTOFF0=0.01, LOW_FREQUENCY_CUTOFF1=0.02, "
      "HIGH_FREQUENCY_CUTOFF0=0.2, HIGH_FREQUENCY_CUTOFF1=0.25, RADIUS_FACTOR=2");
  CHECK(e.length == 0.1);
  CHECK(e.effective_length == 0.2);
  CHECK(e.bins == 64);
  CHECK(e.smoothing);
  CHECK(e.smoothing_half_width == 4);
  CHECK(e.smoothing_order == 2);
  CHECK(!e.interpolate);
  CHECK(e.low_frequency.begin == 0.01);
  CHECK(e.low_frequency.end == 0.02);
  CHECK(e.high_frequency.begin == 0.2);
  CHECK(e.high_frequency.end == 0.25);
  CHECK(e.radius_factor == 2.);
  CHECK(e.space_charge);
  const auto off = element<SpaceChargeDrift>("E: LSCDRIFT, LSC=0");
  CHECK(!off.space_charge);
  CHECK(off.bins == 0);
  CHECK(!off.smoothing);
  CHECK(off.interpolate);
  CHECK(off.radius_factor == 1.7);
  CHECK(off.high_frequency.begin < 0.);
}

TEST_CASE("lines have repetitions, groups and reversed parts", "[io]") {
  CHECK(expanded("(a,b , c)") == "ABC");
  CHECK(expanded("(3*a, 0*b, 1*c)") == "AAAC");
  CHECK(expanded("(ab, -ab, -2*ab)") == "ABBABABA");
  CHECK(expanded("(2*(a, 2*(b, c)), -(ab, c))") == "ABCBCABCBCCBA");
  CHECK(expanded("(1*-ab, -1*-ab)") == "BAAB");
  CHECK(expanded("(-2*(ab, c), -(ab, c))") == "ABCABCCBA");
  CHECK(expanded("(\"A\", &\n b)") == "AB");
}

TEST_CASE("names in quotation marks", "[io]") {
  const auto file = parse_elegant_lattice(
      "\"3:B-1\": DRIF, L=1\n\"Q\": \"QUAD\"\nLIN: LINE=(2*\"3:b-1\", q)", "test.lte");
  CHECK(names(file.expand()) == "3:B-13:B-1Q");
}

TEST_CASE("the line to use is the last, or that of USE", "[io]") {
  const std::string text = "A: MARK\nL1: LINE=(a)\nL2: LINE=(2*a)\n";
  CHECK(parse_elegant_lattice(text, "x").line == "L2");
  CHECK(parse_elegant_lattice(text + "USE, l1\nRETURN\nanything", "x").line == "l1");
  CHECK_THROWS_AS(parse_elegant_lattice("A: MARK", "x").expand(), UsageError);
  CHECK(parse_elegant_lattice("", "x").lattice.elements().empty());
}

TEST_CASE("the lattices of elegant's references are read", "[io]") {
  int n = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::reference_or_skip("beam/lattice"))) {
    if (entry.path().extension() != ".lte") continue;
    CAPTURE(entry.path().string());
    const auto file = read_elegant_lattice(entry.path());
    CHECK(file.line == "LAT");
    CHECK(!file.expand().empty());
    ++n;
  }
  CHECK(n == 26);
}

TEST_CASE("the lattices of elegant's references have their elements", "[io]") {
  const auto read = [](const std::string& name) {
    return read_elegant_lattice(test::reference_or_skip("beam/lattice/" + name + ".lte")).expand();
  };
  const auto fodo = read("fodo20_o2");
  REQUIRE(fodo.size() == 40);
  CHECK(fodo[38].name == "QD");
  CHECK(fodo[38].kind.as<Quadrupole>()->k1 == -1.5);
  CHECK(fodo[39].kind.as<Drift>()->length == 0.8);
  for (const int order : {1, 2, 3}) {
    const auto q = *read("quad_d_o" + std::to_string(order))[0].kind.as<Quadrupole>();
    CHECK(q.order == order);
    CHECK(q.k1 == -5.);
    CHECK(q.length == 0.2);
  }
  CHECK(read("kquad_s4_i4")[0].kind.as<CanonicalQuadrupole>()->k1 == 5.);
  CHECK(read("sext_o3")[0].kind.as<Sextupole>()->k2 == 50.);
  CHECK(read("edrift")[0].kind.as<ExactDrift>()->length == 0.5);
  const auto body = read("sbend_body_o2")[0].kind.as<Bend>()->magnet;
  CHECK(!body.entrance_edge);
  CHECK(!body.exit_edge);
  const auto edge = read("sbend_edge_o2")[0].kind.as<Bend>()->magnet;
  CHECK(edge.half_gap == 0.02);
  CHECK(edge.entrance == 0.1);
  CHECK(read("sbend_k1_o2")[0].kind.as<Bend>()->magnet.k1 == 1.5);
  const auto smooth = read("lsc_256_smooth");
  REQUIRE(smooth.size() == 2);
  CHECK(smooth[0].kind.as<Charge>()->total == 1e-9);
  const auto drift = *smooth[1].kind.as<SpaceChargeDrift>();
  CHECK(drift.smoothing);
  CHECK(drift.smoothing_half_width == 4);
  CHECK(drift.bins == 256);
  CHECK(read("lsc_256_kick")[1].kind.as<SpaceChargeDrift>()->effective_length == 0.2);
  CHECK(!read("lsc_off")[0].kind.as<SpaceChargeDrift>()->space_charge);
}

TEST_CASE("elements of elegant's lattices have the maps that it prints of them", "[io]") {
  // elegant gives bends a little vertical focusing, and prints 15 digits after the point
  for (const auto& [name, order, tolerance] :
       {std::tuple("drift_o1", 1, 1e-15), std::tuple("drift_o2", 2, 1e-15),
        std::tuple("edrift", 2, 1e-15), std::tuple("quad_f_o1", 1, 1e-15),
        std::tuple("quad_f_o2", 2, 1e-15), std::tuple("quad_d_o2", 2, 1e-15),
        std::tuple("sext_o2", 2, 1e-15), std::tuple("sbend_o1", 1, 1e-10),
        std::tuple("sbend_o2", 2, 1e-10), std::tuple("sbend_body_o2", 2, 1e-10),
        std::tuple("sbend_edge_o2", 2, 1e-10), std::tuple("sbend_k1_o2", 2, 1e-10)}) {
    CAPTURE(name);
    const auto lattice =
        read_elegant_lattice(test::reference_or_skip(std::string("beam/lattice/") + name + ".lte"));
    const BeamLine line = lattice.expand();
    REQUIRE(line.size() == 1);
    auto found = map_of(line[0]);
    const auto expected = test::reference_map(name, order);
    CHECK(found.order == order);
    found.C(5) += length_of(line);  // elegant's s is the whole way
    double largest = 0.;
    for (int i = 0; i < n_coordinates; ++i) {
      const Polynomial &a = found.component[i], &b = expected.component[i];
      largest = std::max(largest, std::abs(a.c - b.c));
      for (int j = 0; j < n_coordinates; ++j)
        largest = std::max(largest, std::abs(a.r[j] - b.r[j]));
      for (int j = 0; j < n_pairs; ++j) largest = std::max(largest, std::abs(a.t[j] - b.t[j]));
    }
    CHECK(largest <= tolerance);
  }
}

TEST_CASE("names of numbers have a case in RPN", "[io]") {
  const std::string two = "% 1.0 sto lq\n% 2.0 sto Lq\n% 3.0 sto LQ\nE: DRIF, L=";
  CHECK(element<Drift>(two + "\"lq\"").length == 1.);
  CHECK(element<Drift>(two + "\"Lq\"").length == 2.);
  // without quotation marks elegant has them in upper case
  CHECK(element<Drift>(two + "lq").length == 3.);
  CHECK(element<Drift>("% 1.0 sto lq\nE: DRIF, L=lq").length == 1.);
}

TEST_CASE("RPN has elegant's operations", "[io]") {
  const auto command = [](const std::string& text) {
    return element<Drift>("% " + text + "\nE: DRIF, L=\"a\"").length;
  };
  CHECK(command("1.0 &\n 2 * sto a") == 2.);
  CHECK(command("1.0 &  \n! a comment\n 2 * &\n 3 * sto a ! and another") == 6.);
  CHECK(command("1.0 sto a pop") == 1.);
  CHECK(command("3 = * sto a") == 9.);
  CHECK(command("100 log sto a") == 2.);
  CHECK(command("1.0 sto b 2.0 sto c b + sto a") == 3.);
  CHECK(command("3\n% 2 * sto a") == 6.);  // numbers stay for the next command
  CHECK(command("1, 2; + sto a") == 3.);
  CHECK(length("\"1 2 atan2\"") == std::atan2(2., 1.));
  CHECK(std::abs(length("\"2 acosh\"") - std::acosh(2.)) < 1e-15);
  CHECK(std::abs(length("\"2 asinh 0.5 atanh +\"") - std::asinh(2.) - std::atanh(0.5)) < 1e-14);
  CHECK(length("\"1 2 < ? 3 : 4 $\"") == 3.);
  CHECK(length("\"1 2 > ? pop pop 3 : pop pop 4 $ 2 *\"") == 8.);
  CHECK(length("\"1 2 > ? 3 : 1 1 == ? 5 : 6 $ $\"") == 5.);
  CHECK(length("\"1 2 < 3 2 < ! && ? 7 : 8 $\"") == 7.);
  CHECK(length("\"-7 3 mod -7 3 fmod - 1.5 floor + 1.5 ceil +\"") == 2. + 1. + 1. + 2.);
  CHECK(length("\"1 2 3 rup rup + +\"") == 6.);
  CHECK(length("\"e_mks me_mks /\"") == 1.60217733e-19 / 9.1093897e-31);
}

TEST_CASE("names that differ only in case are two where one has quotation marks", "[io]") {
  const auto lengths = [](const std::string& line, const std::string& more = {}) {
    const auto file = parse_elegant_lattice(
        "\"q1\": DRIF, L=1\nQ1: DRIF, L=2\n" + more + "l: LINE=(" + line + ")", "test.lte");
    std::string text;
    for (const Element& element : file.expand())
      text += std::to_string(int(element.kind.as<Drift>()->length));
    return text;
  };
  CHECK(lengths("\"q1\"") == "1");
  CHECK(lengths("q1, \"q1\", Q1, 2*\"q1\", \"Q1\"") == "212112");
  CHECK(lengths("d, \"d\"", "d: \"q1\"\n\"d\": q1\n") == "12");
  const std::string text = "q1: DRIF, L=2\n\"q1\": DRIF, L=1\nL1: LINE=(q1)\n\"l1\": LINE=(\"q1\")";
  const auto file = parse_elegant_lattice(
      text, "test.lte", {.changes = {{.name = "Q1", .parameter = "L", .value = 5.}}});
  CHECK(length_of(file.expand("L1")) == 5.);
  CHECK(length_of(file.expand("l1")) == 1.);
  refuse("\"q1\": DRIF\nQ1: DRIF\nq1: DRIF", "line 3, column 1", "'Q1' is defined twice");
  // else case does not matter
  CHECK(names(parse_elegant_lattice("\"q\": MARK\nl: LINE=(Q, \"Q\")", "x").expand()) == "qq");
}

TEST_CASE("bends of edges of order 0 are those of order 1", "[io]") {
  const auto map = map_of(
      parse_elegant_lattice("b: CSBEND, L=0.3, ANGLE=0.3, E1=0.15, E2=0.15, HGAP=0.03, FINT=0.4, "
                            "EDGE_ORDER=0\nl: LINE=(b)",
                            "test.lte")
          .expand(),
      1, 1000.);
  CHECK(std::abs(map.R(1, 2) - 0.2955202066613395) < 1e-12);
  CHECK(std::abs(map.R(1, 6) - 0.04466351087439402) < 1e-12);
  CHECK(std::abs(map.R(2, 6) - 0.3022704361165901) < 1e-12);
  CHECK(element<CanonicalBend>("E: CSBEND, L=1, ANGLE=0.1, EDGE_ORDER=0").edge_order == 1);
  CHECK(element<CanonicalBend>("E: CSBEND, L=1, ANGLE=0.1, EDGE_ORDER=3").edge_order == 2);
}

TEST_CASE("elements that only mark, and charges of particles", "[io]") {
  for (const std::string type : {"TWISS, BETAX=3", "SLICE", "FLOOR, X=1", "MHISTOGRAM", "TRCOUNT"})
    element<Marker>("E: " + type);
  CHECK(parse_elegant_lattice("E: TWISS\nl: LINE=(E)", "x").skipped == "TWISS (1)");
  refuse("E: TWISS, FROM_BEAM=1", "line 1, column 11", "it changes the particles");
  CHECK(element<Charge>("E: CHARGE, PER_PARTICLE=2e-19").per_particle == 2e-19);
}

TEST_CASE("files that a lattice includes may be in the working folder", "[io]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_working_folder";
  const auto before = std::filesystem::current_path();
  std::filesystem::create_directories(folder / "sub");
  write_file(folder / "sub" / "a.lte", "#INCLUDE: parts.lte\nL: LINE=(D)");
  write_file(folder / "parts.lte", "D: DRIF, L=2");
  std::filesystem::remove(folder / "sub" / "parts.lte");
  std::filesystem::current_path(folder);
  CHECK(length_of(read_elegant_lattice("sub/a.lte").expand()) == 2.);
  write_file(folder / "sub" / "parts.lte", "D: DRIF, L=2");
  CHECK(read_elegant_lattice("sub/a.lte").remarks.empty());  // the same
  write_file(folder / "sub" / "parts.lte", "D: DRIF, L=3");
  const auto file = read_elegant_lattice("sub/a.lte");
  std::filesystem::current_path(before);
  CHECK(length_of(file.expand()) == 3.);
  REQUIRE(file.remarks.size() == 1);
  CHECK(file.remarks[0] ==
        "'sub/parts.lte' is read, not the other 'parts.lte' in the working folder");
}

TEST_CASE("strengths may be those of a field at the poles", "[io]") {
  const auto strength = [](const std::string& text, double p0) {
    const auto file = parse_elegant_lattice(text + "\nL: LINE=(E)", "x", {.p0 = p0});
    const auto line = file.expand();
    if (const auto* q = line[0].kind.as<CanonicalQuadrupole>()) return q->k1;
    if (const auto* s = line[0].kind.as<CanonicalSextupole>()) return s->k2;
    return line[0].kind.as<CanonicalMultipole>()->field.normal.at(3) / line[0].kind.length();
  };
  // of 1 T at 0.1 m and a rigidity of 2 T m
  const double p0 = 2. * 1.60217733e-19 / (9.1093897e-31 * 299792458.);
  CHECK(std::abs(strength("E: KQUAD, L=1, K1=9, BORE=0.1, B=1, FSE=0.5", p0) - 7.5) < 1e-12);
  CHECK(std::abs(strength("E: KSEXT, L=1, BORE=0.1, B=1", p0) - 100.) < 1e-11);
  CHECK(std::abs(strength("E: KOCT, L=2, BORE=0.1, B=1", p0) - 3000.) < 1e-10);
  CHECK(strength("E: KQUAD, L=1, K1=9, B=1", 0.) == 9.);
  test::check_refused([&] { strength("E: KQUAD, L=1, BORE=0.1, B=1", 0.); },
                      "give it (--momentum)");
  const auto file = parse_elegant_lattice(
      "E: KQUAD, L=1, BORE=0.1, B=1\nP: ENERGY, CENTRAL_MOMENTUM=5, MATCH_BEAMLINE=0\nL: LINE=(E, "
      "P)\nM: LINE=(P, E)",
      "x", {.p0 = p0});
  CHECK(file.expand("L").size() == 2);
  test::check_refused([&] { file.expand("M"); }, "the reference momentum changes before it");
}

TEST_CASE("bends of one name in a row have no edges where they meet", "[io]") {
  // (x, x', y') behind the line from 0.5 mm, 0.2 mrad, -0.3 mm, 0.1 mrad, 1e-3, by elegant 2025.1
  const auto check = [&](const std::string& bend, const std::string& line, double x_, double xp_,
                         double yp_) {
    CAPTURE(bend, line);
    const HostExecutor exec;
    const auto file = parse_elegant_lattice(
        "b: " + bend +
            "\nm: MARK\nw: WATCH, FILENAME=\"w\"\nh: HMON\nz: DRIF\nc: b\nl: LINE=" + line,
        "test.lte");
    LineTracker<double, HostExecutor, ElementTypes<>, 1> tracker(exec, file.expand(), {0., 0.});
    ParticleTable table(1, 1000.);
    const double start[] = {5e-4, 2e-4, -3e-4, 1e-4, 0., 1e-3};
    for (int i = 0; i < 6; ++i) table.v[i][0] = start[i];
    auto bunch = upload<double>(exec, table);
    tracker.track(bunch, 1);
    table = download(exec, bunch);
    CHECK(std::abs(table.v[x][0] - x_) < 1e-11);
    CHECK(std::abs(table.v[xp][0] - xp_) < 1e-11);
    CHECK(std::abs(table.v[yp][0] - yp_) < 1e-11);
  };
  const std::string edges = ", L=0.5, ANGLE=0.1, E1=0.1, E2=-0.05";
  const std::string canonical = "CSBEND, N_SLICES=4" + edges;
  for (const char* line : {"(b, b)", "(b, m, b)", "(b, w, b)", "(b, m, w, m, b)", "(2*b)"})
    check(canonical, line, 0.000798284446, 0.000376496917, 0.000104074668);
  for (const char* line : {"(b, h, b)", "(b, z, b)", "(b, c)"})
    check(canonical, line, 0.000801431431, 0.000382737319, 0.000106568938);
  check(canonical, "(b, -b)", 0.000798284446, 0.000400481557, 0.000109902616);
  check(canonical, "(-b, m, -b)", 0.000783359816, 0.000385459985, 0.000101069766);
  check(canonical, "(b, b, b)", 0.00101121297, 0.000456261441, 0.00010460475);
  check("CSRCSBEND, N_SLICES=4, BINS=10, CSR=0" + edges, "(b, m, b)", 0.000798284446,
        0.000376496917, 0.000104074668);
  check("SBEN" + edges, "(b, m, b)", 0.000798278236, 0.000376473483, 0.000104072194);
  check("SBEN, ORDER=1" + edges, "(-b, m, -b)", 0.000783398854, 0.000385631706, 0.000101071135);
  check("RBEN, HGAP=0.02, FINT=0.5" + edges, "(b, b, b)", 0.00101891057, 0.000471191618,
        0.000108692452);
  check("KSBEND, N_KICKS=20" + edges, "(b, b)", 0.000801421431, 0.000382714914, 0.000106568938);
  // coherent radiation goes on, unless it is blocked
  const auto angles_before = [&](const std::string& parameters) {
    std::vector<double> angles;
    for (const Element& part : parse_elegant_lattice("b: CSRCSBEND, BINS=10" + edges + parameters +
                                                         "\nm: MARK\nl: LINE=(b, m, b, -b)",
                                                     "test.lte")
                                   .expand())
      if (const auto* bend = part.kind.as<CsrBend>()) angles.push_back(bend->angle_before);
    return angles;
  };
  CHECK(angles_before("") == std::vector<double>{0., 0.1, 0.2});
  CHECK(angles_before(", BLOCK_CSR=1") == std::vector<double>{0., 0., 0.});
}
