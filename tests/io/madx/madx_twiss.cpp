// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>
#include <utility>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::io;

namespace {

/// A ring of eight cells with correctors at its end, at a beta of 0.905.
std::string ring() {
  std::string text =
      "beam, particle=proton, pc=2; ks=0; hh=0; hv=0; sk=0; vv=0;"
      "qf: quadrupole, l=0.5, k1=0.6; qd: quadrupole, l=0.5, k1=-0.6, k1s:=sk;"
      "mb: sbend, l=1.5, angle=twopi/16; sx: sextupole, l=0.2, k2:=ks;"
      "hk: hkicker, kick:=hh; vk: vkicker, kick:=hv; cav: rfcavity, volt:=vv, harmon=4;"
      "ring: sequence, l=64, refer=centre;\n";
  for (int cell = 0; cell < 8; ++cell)
    for (const auto& [name, at] :
         {std::pair{"qf", 0.25}, {"mb", 2.25}, {"qd", 4.25}, {"mb", 6.25}, {"sx", 7.5}})
      text += std::string(name) + ", at=" + std::to_string(8 * cell + at) + "; ";
  return text + "hk, at=64; vk, at=64; cav, at=64; endsequence; use, sequence=ring;\n";
}

/// A line that bends, at a beta of 0.47.
const std::string line =
    "beam, particle=proton, pc=0.5;"
    "d: drift, l=1; q: quadrupole, l=0.3, k1=0.9; qq: quadrupole, l=0.3, k1=-0.8;"
    "b: sbend, l=1, angle=0.3; m: marker; e: marker; ln: line=(m,d,q,d,b,d,qq,d,e);"
    "use, sequence=ln;\n";

double value(const std::string& text, const std::string& expression) {
  return parse_madx(text + "v = " + expression + ";", "x.madx").get("v");
}

struct Number {
  const char* expression;
  double expected;
};
using Numbers = std::initializer_list<Number>;

/// Values of columns, of an element or, if it is empty, of the table summ.
void check(const MadxFile& file, const std::string& element, Numbers numbers,
           double tolerance = 5e-7) {
  for (const auto& [column, expected] : numbers) {
    CAPTURE(element, column);
    MadxFile copy = file;
    copy.read("v = table(" + (element.empty() ? "summ, " : "twiss, " + element + ", ") + column +
              ");");
    CHECK(copy.get("v") == Catch::Approx(expected).epsilon(tolerance).margin(tolerance));
  }
}

void fails(const std::string& text, const std::string& message) {
  CAPTURE(text);
  test::check_refused([&] { parse_madx(text, "x.madx"); }, message);
}

}  // namespace

// Numbers below are those of MAD-X 5.09.03 but where a formula stands.

TEST_CASE("tables of TWISS have MAD-X' numbers of a ring", "[io]") {
  const auto file = parse_madx(ring() + "twiss;", "x.madx");
  check(file, "",
        {{"length", 64.},
         {"q1", 2.34580919724995},
         {"q2", 1.55808959772108},
         {"alfa", 0.202260059427452},
         {"gammatr", 2.22353993970374},
         {"betxmax", 9.431063876815},
         {"betymax", 12.7464350274146},
         {"dxmax", 3.03649758127175},
         {"dymax", 0.},
         {"xcomax", 0.},
         {"ycomax", 0.}});
  check(file, "", {{"dq1", -1.4616353986951}, {"dq2", -1.58573121191896}});
  check(file, "qd[2]",
        {{"s", 12.5},
         {"l", 0.5},
         {"betx", 2.21456745641856},
         {"alfx", -0.445419568553539},
         {"mux", 0.462543218044526},
         {"bety", 12.7464350274146},
         {"alfy", 1.91709517809638},
         {"muy", 0.305897391041703},
         {"x", 0.},
         {"px", 0.},
         {"pt", 0.},
         {"dx", 1.76469849921839},
         {"dpx", 0.261444855273463},
         {"dy", 0.},
         {"dpy", 0.}});
  check(file, "ring$start", {{"betx", 9.431063876815}, {"s", 0.}, {"mux", 0.}});
  check(file, "ring$end", {{"betx", 9.431063876815}, {"s", 64.}, {"mux", 2.34580919724995}});
}

TEST_CASE("tables of TWISS are about the closed orbit", "[io]") {
  const auto file = parse_madx(ring() + "ks=3; hh=1e-3; twiss, chrom;", "x.madx");
  // with expanded drifts and edges, as the program beamline has them, q2 is 1.55737
  check(file, "",
        {{"q1", 2.34734150242107}, {"q2", 1.55752691714306}, {"xcomax", 0.00535695210741887}},
        3e-6);
  check(file, "",
        {{"dq1", 7.224548424},
         {"dq2", -6.46035529},
         {"alfa", 0.202071738811028},
         {"betxmax", 9.76008935738435}},
        5e-5);
  check(file, "qd[2]",
        {{"betx", 2.16744723504561},
         {"bety", 13.0494630455133},
         {"alfy", 1.98546412397614},
         {"mux", 0.4649557522028},
         {"x", -0.000643721689997101},
         {"px", -0.00126093009138172},
         {"dx", 1.80706544278867},
         {"dpx", 0.275337502400947}},
        2e-5);  // MAD-X' maps are of second order
}

TEST_CASE("tables of TWISS have the normal modes of coupled planes", "[io]") {
  const auto file = parse_madx(ring() + "sk=0.02; twiss;", "x.madx");
  check(file, "", {{"q1", 2.34716775771072}, {"q2", 1.55661669565181}});
  check(file, "qd[2]",
        {{"betx", 2.21466190032662},
         {"alfx", -0.444333347263099},
         {"mux", 0.462799462577683},
         {"bety", 12.7523315098231},
         {"alfy", 1.91684340034029},
         {"muy", 0.305606640456096},
         {"dy", 0.162540647481417},
         {"dpy", -0.0158579453136622}});
}

TEST_CASE("tables of TWISS have MAD-X' numbers of a line", "[io]") {
  const auto file = parse_madx(line +
                                   "i0: beta0, betx=3, alfx=0.5, bety=2, alfy=0.1, dx=0.2, "
                                   "mux=0.1; twiss, beta0=i0;",
                               "x.madx");
  check(file, "", {{"length", 5.6}, {"q1", 0.448130455173472}, {"q2", 0.17399967417278}});
  check(file, "m", {{"betx", 3.}, {"alfx", 0.5}, {"mux", 0.1}, {"dx", 0.2}});
  check(file, "d[3]",
        {{"s", 4.3},
         {"betx", 3.60342581781115},
         {"alfx", -0.998247254484903},
         {"mux", 0.412860458553817},
         {"bety", 19.0852551701159},
         {"alfy", -4.13975506784176},
         {"dx", 0.96177130044945},
         {"dpx", 0.565193705214373}});
  const auto off_axis = parse_madx(line +
                                       "i1: beta0, betx=3, bety=2, x=1e-3; twiss, beta0=i1, "
                                       "betx=4, pt=1e-3, px=1e-3, py=2e-3, dx=0.1;",
                                   "x.madx");
  check(off_axis, "d[3]",
        {{"x", 0.00405203802235502},
         {"px", 0.000800976809918772},
         {"y", 0.0105523980148763},
         {"py", 0.00262874403802622},
         {"pt", 1e-3}},
        2e-7);
  check(off_axis, "d[3]",
        {{"betx", 2.32705465776445},
         {"bety", 20.8396860912561},
         {"dx", 0.946103285273553},
         {"dpx", 0.596600366344926},
         {"dy", -0.0251023148483824}},
        2e-4);
}

TEST_CASE("tables of TWISS have the optics of a thin FODO cell", "[io]") {
  const std::string cell =
      "beam; f: multipole, knl={0, 0.25}; g: multipole, knl={0, -0.5}; "
      "c: sequence, l=4; f, at=0; g, at=2; f, at=4; endsequence; use, sequence=c; twiss;";
  const double phase = 2. * std::asin(0.5);  // sin(phase / 2) = L / (2 f), L = 2, f = 2
  CHECK(value(cell, "table(summ, q1)") ==
        Catch::Approx(phase / (2. * std::numbers::pi)).epsilon(1e-10));
  CHECK(value(cell, "table(twiss, f[2], betx)") ==
        Catch::Approx(4. * (1. + std::sin(0.5 * phase)) / std::sin(phase)).epsilon(1e-10));
  CHECK(value(cell, "table(twiss, f[2], bety)") ==
        Catch::Approx(4. * (1. - std::sin(0.5 * phase)) / std::sin(phase)).epsilon(1e-10));
}

TEST_CASE("tables are those of the latest TWISS, with the strengths of its time", "[io]") {
  auto file =
      parse_madx(line +
                     "twiss, betx=4, bety=3; v := table(twiss, e, betx); a = v; q->k1 = 0.5; b = v;"
                     "qq, k1 := -0.2 * v; twiss, betx=4, bety=3; c = v; k := qq->k1;"
                     "twiss, betx=5, bety=3, table=other; d = v; o = table(other, m, betx);"
                     "s = table(summ, q1); t = table(other, e, mux);",
                 "x.madx");
  CHECK(file.get("a") == file.get("b"));
  CHECK(file.get("a") ==
        Catch::Approx(value(line + "twiss, betx=4, bety=3;", "table(twiss, e, betx)")));
  CHECK(file.get("c") != file.get("a"));
  CHECK(file.get("k") == -0.2 * file.get("c"));
  // the strength of qq was that with the table before
  const std::string second = line + "q->k1 = 0.5; qq->k1 = -0.2 * (" +
                             std::to_string(file.get("a")) + "); twiss, betx=4, bety=3;";
  CHECK(file.get("c") == Catch::Approx(value(second, "table(twiss, e, betx)")).epsilon(1e-5));
  CHECK(file.get("d") == file.get("c"));
  CHECK(file.get("o") == Catch::Approx(5.).epsilon(1e-14));
  CHECK(file.get("s") == file.get("t"));
  CHECK(file.ignored().empty());
}

TEST_CASE("TWISS of a part of a sequence", "[io]") {
  const std::string start = "twiss, betx=5, bety=4";
  const auto part = parse_madx(ring() + start + ", range=sx[1]/qf[4];", "x.madx");
  check(part, "", {{"length", 17.1}, {"q1", 0.7440384205}, {"q2", 0.3886741024}});
  check(part, "qd[2]", {{"s", 5.1}, {"betx", 3.506472346}, {"dx", 1.017034299}});
  check(part, "sx", {{"s", 0.2}});
  const auto used =
      parse_madx(ring() + "use, sequence=ring, range=sx[1]/qf[4];" + start + ";", "x.madx");
  check(used, "qd[2]", {{"s", 5.1}, {"betx", 3.506472346}, {"dx", 1.017034299}});
  const std::string text = ring() + start + ", range=sx[1]/qf[4]; v = table(twiss, ";
  fails(text + "qd, s);", "there is no 'qd' in 'ring' as TWISS had it");
  fails(text + "ring$end, s);", "there is no 'ring$end'");
}

TEST_CASE("SAVEBETA keeps the values of TWISS at a place", "[io]") {
  const std::string save = line +
                           "savebeta, label=i0, place=q, sequence=ln;"
                           "savebeta, label=i1, place=#e; twiss, betx=3, bety=2, alfx=0.5;";
  for (const std::string column : {"betx", "alfx", "mux", "bety", "alfy", "muy", "dx", "dpx"}) {
    CAPTURE(column);
    CHECK(value(save, "i0->" + column + " - table(twiss, q, " + column + ")") == 0.);
    CHECK(value(save, "i1->" + column + " - table(twiss, ln$end, " + column + ")") == 0.);
  }
  // the rest of the line from there on is as it was, also after another TWISS
  const std::string rest =
      "r: line=(d,b,d,qq,d,e); twiss, betx=9, bety=9; twiss, sequence=r, beta0=i0;";
  for (const std::string column : {"betx", "alfy", "mux", "dx"}) {
    CAPTURE(column);
    const double whole = value(save, "table(twiss, e, " + column + ")");
    CHECK(value(save + rest, "table(twiss, e, " + column + ")") ==
          Catch::Approx(whole).epsilon(1e-9));
  }
  // those of a ring are periodic
  CHECK(value(ring() + "savebeta, label=b, place=#s; twiss; twiss, beta0=b;",
              "table(twiss, ring$end, betx)") == Catch::Approx(9.431063876815).epsilon(5e-7));
  fails(line + "savebeta, label=i0; twiss, betx=1, bety=1;", "SAVEBETA has no label or no place");
  fails(line + "savebeta, label=i0, place=qx; twiss, betx=1, bety=1; v = i0->betx;",
        "there is no 'qx' in 'ln' as TWISS had it");
  fails(line + "savebeta, label=i0, place=q; twiss, beta0=i0; v = table(summ, q1);",
        "there is no BETA0 'i0'");
}

TEST_CASE("cavities leave the tables of TWISS as they are, or are refused", "[io]") {
  check(parse_madx(ring() + "vv=1; twiss;", "x.madx"), "",
        {{"q1", 2.34580919724995}, {"dxmax", 3.03649758127175}});
  fails(ring() + "vv=1; hh=1e-3; twiss; v = table(summ, q1);",
        "closed orbit: it is longer than that of the axis");
  fails(ring() + "vv=1; twiss, betx=1, bety=1; v = table(summ, q1);",
        "cavities: they change the optics of lines");
}

TEST_CASE("arguments of tables that MAD-X would count as 0 are refused with their place", "[io]") {
  fails("x = table(twiss, a, betx);",
        "x.madx: line 1, column 5: 'table(twiss, a, betx)' has no value (there has been no TWISS");
  fails("x = table(ptc_twiss, a, betx);", "there is no table 'ptc_twiss' (only TWISS makes");
  const std::string text = ring() + "twiss; x = ";
  const auto refused = [&](const std::string& table, const std::string& message) {
    fails(text + table + ";", message);
  };
  refused("table(twiss, qg, betx)", "there is no 'qg' in 'ring' as TWISS had it; did you mean q");
  refused("table(twiss, qd[9], betx)", "there is no 'qd[9]'");
  refused("table(twiss, qd[i], betx)", "MAD-X finds no 'qd[i]'; name[n] is the n-th");
  refused("table(twiss, qd:2, betx)", "MAD-X finds no 'qd:2'; name[n] is the n-th");
  refused("table(twiss, #e, betx)", "MAD-X finds no '#e'");
  refused("table(twiss, qd, betz)",
          "the column 'betz' is not computed here; those of twiss are s, ");
  refused("table(twiss, betx)", "a value of this table belongs to an element");
  refused("table(twiss, betx, 3)", "write table(twiss, element, column)");
  refused("table(summ, q3)",
          "the column 'q3' is not computed here; those of summ are length, q1, ");
  refused("table(summ, q1, 2)", "this table has one row");
  CHECK(value(ring() + "twiss;", "table(summ, q1, 1)") > 2.);
}

TEST_CASE("what TWISS cannot have is refused where a table is used", "[io]") {
  const auto refused = [&](const std::string& before, const std::string& message) {
    CAPTURE(before);
    CHECK_NOTHROW(parse_madx(before, "x.madx"));
    fails(before + "x = table(summ, q1);", message);
  };
  refused(line + "q->k1 = 30;\n  twiss;",
          "x.madx: line 3, column 3: TWISS of 'ln' makes no tables: ");
  refused("s: sequence, l=1; endsequence; twiss;", "no sequence is in use; write USE before");
  refused(ring() + "twiss, sequence=rung;",
          "there is no sequence or line 'rung'; did you mean ring");
  refused(ring() + "twiss, deltap=1e-3;", "TWISS makes no tables: 'deltap' is not supported");
  refused(ring() + "twiss, deltap=0:1e-3:1e-4;", "the value of 'deltap' is not supported");
  refused(ring() + "twiss, centre;", "'centre' is not supported; leave it out");
  refused(ring() + "twiss, bettx=1;", "'bettx' of TWISS is not supported");
  refused(ring() + "twiss, betx=1;", "one of BETX and BETY is missing");
  refused(ring() + "twiss, betx=1, bety=-1;", "BETX and BETY: they are above 0");
  refused(ring() + "twiss, beta0=b;", "there is no BETA0 'b'; write before: b: beta0");
  refused(ring() + "beam, bv=-1; twiss;", "BV=-1: elements have the fields of TRACK");
  fails(line + "twiss, betx=1, bety=1; x = table(summ, alfa);",
        "'table(summ, alfa)' has no value (TWISS has values at the start of a line)");
  CHECK(value(ring() + "twiss, chrom, -couple, file=\"a b\", centre=false, save, table=twiss, "
                       "deltap=0, sequence=ring, range=#s/#e, sectorfile={a, b};",
              "table(summ, q1)") > 2.);
  CHECK(value("if (1 == 1) {" + ring() + "twiss, chrom} ", "table(summ, q1)") > 2.);
}
