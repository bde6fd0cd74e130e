// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <trackplex/core/error.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>

#include "support/refusals.hpp"
#include "used_lattice.hpp"

using namespace trackplex;
using namespace trackplex::io;

namespace {

const std::string good =
    "! a small lattice\n% 0.2 sto lq 2 * sto l2\nlong = (lq + 1)^2 * sqrt(4)\n"
    "QF: QUAD, L=lq, K1=\"1.5 2 *\", TILT=-0.1\n\"Q D\": KQUAD, L=lq, K1=-1.5, N_SLICES=8\n"
    "B: RBEN, L=0.5, ANGLE=0.2, E1=0.01, &\n  HGAP=0.01 ! gap\nS: SEXT, L=0.1, K2=20\n"
    "D: DRIF, L=long - 2/3\nC: LSCDRIFT, L=1, BINS=256\nK: KICKER, HKICK=1e-3\nM: MARK\n"
    "R: RCOL, X_MAX=1e-2\nQ: CHARGE, TOTAL=1e-9\nHALF: LINE=(qf, d, -b, \"Q D\")\n"
    "ALL: LINE=(q, m, 2*half, -half, 3*(d, 2*(s, r)), k, c)\nUSE, HALF\nRETURN\n";

const std::string good_sequence =
    "! a small ring\nbeam, particle=proton, pc=2*0.7; kf = 0.4; kd := -kf*(1 + 2^(-3)); /* of\n"
    "quadrupoles */ mq: quadrupole, l=0.5, apertype=ellipse, aperture={0.03, 0.02};\n"
    "qf: mq, k1:=kf; qd: mq, k1:=kd; // bends\nmb: rbend, l=1, angle:=twopi/8, hgap=0.02, "
    "fint=0.5; rf: rfcavity, volt=1e-3, harmon=2, lag=0.5; x: multipole, knl:={0, 0, qf->l + 1};\n"
    "k: kicker, hkick=1e-4; if (kf > 0.3 && kd < 0) { kf = 0.45; } else { kf = 0; }\n"
    "cell: sequence, l=5, refer=centre; qf, at=0.5; mb, at=1.7; b2: mb, at=1.5, from=mb;\n"
    "qd, at=4.6; x, at=4.9; endsequence;\nring: sequence, l=20, refer=entry; cell, at=0; cell, "
    "at=5; cell, at=10; rf, at=15; k, at=15.5; endsequence; half: line=(qf, 2*(mb, -qd), k);\n"
    "use, sequence=ring; select, flag=error, clear; select, flag=error, pattern=\"^q[fd]*$\";\n"
    "ealign, dx=1e-3, dpsi:=kf*1e-3; qf->tilt = 0.1; return;\n";

void expand_all(const std::string& text) {
  const auto file = parse_madx(text, "x.madx");
  for (const auto& name : file.sequences()) file.expand(name, 1000);
}

void lattice_fails(const std::string& text, const std::string& message) {
  CAPTURE(text);
  try {
    test::used_lattice(text, "x.lte");
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).substr(0, message.size()) == message);
  }
}

/// A text with a few bytes changed, removed or repeated.
std::string damaged(std::string bytes, const std::string& symbols, std::mt19937& random) {
  for (unsigned k = random() % 4; k < 4; ++k) {
    const std::size_t at = random() % bytes.size();
    switch (random() % 4) {
      case 0:
        bytes[at] = char(random());
        break;
      case 1:
        bytes[at] = symbols[random() % symbols.size()];
        break;
      case 2:
        bytes.erase(at, random() % 20);
        break;
      default:
        bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 20));
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("errors of words name their place", "[io]") {
  lattice_fails("A: DRIF\nB: DRIF, L=\"1 2", "x.lte: line 2, column 12: quotation marks are not");
  lattice_fails("A: DRIF, L=1m", "x.lte: line 1, column 12: there is no number '1m'");
  lattice_fails("A: DRIF, L=1e999", "x.lte: line 1, column 12: '1e999' is too large");
  lattice_fails("A; DRIF", "x.lte: line 1, column 2: ':' is missing after 'A'");
  lattice_fails("A\x80: DRIF", "x.lte: line 1, column 2: byte 0x80 means nothing here");
  lattice_fails("A: DRIF, & L=1\n", "x.lte: line 1, column 10: text follows &");
  lattice_fails("#INCLUDE: no/b.lte", "no/b.lte: cannot be opened");
}

TEST_CASE("errors of statements name their place", "[io]") {
  lattice_fails("A: DRIFF",
                "x.lte: line 1, column 4: 'DRIFF' is no type of element that is known "
                "here; did you mean DRIF");
  lattice_fails("A: GFWIGGLER", "x.lte: line 1, column 4: 'GFWIGGLER' is not tracked here");
  lattice_fails("A: SCRIPT, L=1, COMMAND=\"x\"",
                "x.lte: line 1, column 4: 'SCRIPT' is not tracked here (elegant's SCRIPT is a "
                "program that is run to change the particles); --skip-unknown makes it a drift");
  lattice_fails("A DRIF", "x.lte: line 1, column 3: ':' is missing after 'A'");
  lattice_fails("A:", "x.lte: line 1, column 3: the type of the element is missing");
  lattice_fails("A: DRIF L=1", "x.lte: line 1, column 9: 'L' is not expected here");
  lattice_fails("A: DRIF, L", "x.lte: line 1, column 11: '=' is missing after L");
  lattice_fails("A: DRIF,,", "x.lte: line 1, column 9: the name of a parameter is missing");
  lattice_fails("\"\": DRIF", "x.lte: line 1, column 1: the name of an element or line is missing");
  lattice_fails("A: DRIF\na: MARK",
                "x.lte: line 2, column 1: 'a' is defined twice (the other is in line 1)");
  lattice_fails("A: DRIF\nA: LINE=(A)", "x.lte: line 2, column 1: 'A' is defined twice");
  test::check_refused([] { parse_elegant_lattice("USE, ring", "x.lte").expand(); },
                      "x.lte: line 1, column 6: 'ring' is not defined");
}

TEST_CASE("errors of parameters name their place", "[io]") {
  lattice_fails("A: QUAD, L=1, &\n K3=2",
                "x.lte: line 2, column 2: 'K3' is no parameter of QUAD "
                "(known: L, K1, ");
  lattice_fails("A: QUAD, L=1, L=1", "x.lte: line 1, column 15: L is given twice");
  lattice_fails("A: QUAD, L=-1", "x.lte: line 1, column 10: QUAD: L cannot be -1 (it must not be");
  lattice_fails("A: QUAD, PITCH=1", "x.lte: line 1, column 10: QUAD: PITCH cannot be 1 (what");
  lattice_fails("A: QUAD, ORDER=4", "x.lte: line 1, column 10: QUAD: ORDER cannot be 4");
  lattice_fails("A: QUAD, ORDER=1.5", "x.lte: line 1, column 10: QUAD: ORDER cannot be 1.5 (it");
  lattice_fails("A: ECOL, EXPONENT=3", "x.lte: line 1, column 10: ECOL: EXPONENT cannot be 3 (it");
  lattice_fails("A: KQUAD, N_SLICES=0", "x.lte: line 1, column 11: KQUAD: N_SLICES cannot be 0");
  lattice_fails("A: KSEXT, INTEGRATION_ORDER=3", "x.lte: line 1, column 11: KSEXT: INTEGRATION");
  lattice_fails("A: SBEN, ANGLE=1", "x.lte: line 1, column 4: SBEN: L cannot be 0 (a bend of an");
  lattice_fails("A: SBEN, L=1, ANGLE=1, E2=1.6", "x.lte: line 1, column 24: SBEN: E2 cannot be");
  lattice_fails("A: RBEN, L=1, ANGLE=4", "x.lte: line 1, column 15: RBEN: ANGLE cannot be 4");
  lattice_fails("A: SBEN, L=1, EDGE1_EFFECTS=2", "x.lte: line 1, column 15: SBEN: EDGE1_EFFECTS");
  lattice_fails("A: LSCDRIFT, L=1", "x.lte: line 1, column 4: LSCDRIFT: BINS cannot be 0 (an even");
  lattice_fails("A: LSCDRIFT, BINS=7", "x.lte: line 1, column 14: LSCDRIFT: BINS cannot be 7");
  lattice_fails("A: LSCDRIFT, BINS=8, SMOOTHING=1, SG_ORDER=3",
                "x.lte: line 1, column 35: LSCDRIFT: SG_ORDER cannot be 3");
  lattice_fails("A: QUAD, L=0.1, K1=1e300, FSE=1e300",
                "x.lte: line 1, column 1: element 'A': its strength k1 cannot be inf (it must be");
}

TEST_CASE("errors of expressions name their place", "[io]") {
  lattice_fails("A: DRIF, L=", "x.lte: line 1, column 12: a value is missing at the end");
  lattice_fails("A: DRIF, L=1+", "x.lte: line 1, column 14: a value is missing at the end");
  lattice_fails("A: DRIF, L=1/(2-2)", "x.lte: line 1, column 13: division by zero");
  lattice_fails("A: DRIF, L=(1+2", "x.lte: line 1, column 16: ')' is missing (for '(' in line 1");
  lattice_fails("A: DRIF, L=1e300^2", "x.lte: line 1, column 17: the result is not a finite");
  lattice_fails("A: DRIF, L=sqrt(-1)", "x.lte: line 1, column 12: the result is not a finite");
  lattice_fails("A: DRIF, L=(-8)^0.5", "x.lte: line 1, column 16: the result is not a finite");
  lattice_fails("% 1 sto lenght\nA: DRIF, L=length",
                "x.lte: line 2, column 12: there is no number 'length'; did you mean lenght?");
  lattice_fails("A: DRIF, L=f(1)", "x.lte: line 1, column 12: there is no function 'f'");
  lattice_fails("A: DRIF, L=\"1 +\"", "x.lte: line 1, column 12: '+' has too few numbers");
  lattice_fails("A: DRIF, L=\"1 0 /\"", "x.lte: line 1, column 12: division by zero");
  lattice_fails("A: DRIF, L=\"1 2\"", "x.lte: line 1, column 12: the RPN expression leaves 2");
  lattice_fails("A: DRIF, L=\"\"", "x.lte: line 1, column 12: the RPN expression leaves 0");
  lattice_fails("A: DRIF, L=\"1 2x\"", "x.lte: line 1, column 12: '2x' is no number and no");
  lattice_fails("% 1 sto", "x.lte: line 1, column 1: sto has no name");
  lattice_fails("% 1 sto sin", "x.lte: line 1, column 1: 'sin' is an operation");
  lattice_fails("% 2 *", "x.lte: line 1, column 1: '*' has too few numbers before it");
  lattice_fails("A: DRIF, L=\"1 SIN\"",
                "x.lte: line 1, column 12: there is no operation 'SIN' (names have a case here); "
                "did you mean sin?");
  lattice_fails("% 1 sto lq\nA: DRIF, L=\"LQ\"",
                "x.lte: line 2, column 12: there is no number 'LQ'; did you mean lq?");
  lattice_fails("A: DRIF, L=\"1 ? 2 : 3 $\"", "x.lte: line 1, column 12: '?' has too few comp");
  lattice_fails("A: DRIF, L=\"1 2 < ? 3 $\"", "x.lte: line 1, column 12: a conditional is not");
  for (const char* value : {"1.5d0", "1.5D-3", "\"1.5d0\"", "\"2 1D+2 *\""})
    lattice_fails(std::string("A: DRIF, L=") + value, "x.lte: line 1, column 12: '");
  lattice_fails(
      "A: DRIF, L=1.5d-3",
      "x.lte: line 1, column 12: '1.5d-3' has an exponent D (elegant takes what is before "
      "it, without a word); write e: 1.5e-3");
  std::string conditionals;
  for (int i = 0; i < 10000; ++i) conditionals += "true ? ";
  for (int i = 0; i < 10000; ++i) conditionals += "1 : 2 $ ";
  lattice_fails("% " + conditionals, "x.lte: line 1, column 1: conditionals are nested too");
  lattice_fails("% 1 sto 2", "x.lte: line 1, column 1: '2' is no name for a number");
  const std::string deep(100000, '(');
  lattice_fails("A: DRIF, L=" + deep, "x.lte: line 1, column 213: parentheses are nested too");
  std::string powers = "A: DRIF, L=1";
  for (int i = 0; i < 100000; ++i) powers += "^1";
  lattice_fails(powers, "x.lte: line 1, column ");
}

TEST_CASE("errors of lines name their place", "[io]") {
  const std::string a = "QF: DRIF\n";
  lattice_fails(a + "L: LINE=QF", "x.lte: line 2, column 9: '(' is missing after LINE=");
  lattice_fails(a + "L: LINE=()", "x.lte: line 2, column 10: the name of an element or line is");
  lattice_fails(a + "L: LINE=(QF",
                "x.lte: line 2, column 12: ',' or ')' is missing before the end "
                "of the statement ('(' is in line 2, column 9)");
  lattice_fails(a + "L: LINE=(QF,)", "x.lte: line 2, column 13: the name of an element or line is");
  lattice_fails(a + "L: LINE=(QF))", "x.lte: line 2, column 13: ')' is not expected here");
  lattice_fails(a + "L: LINE=(QF, QG)",
                "x.lte: line 2, column 14: 'QG' is not defined; did you mean QF?");
  lattice_fails(a + "L: LINE=(QF, L)", "x.lte: line 2, column 14: 'L' is not defined");
  lattice_fails(a + "L: LINE=(1.5*QF)", "x.lte: line 2, column 10: '1.5' is no number of rep");
  lattice_fails(a + "L: LINE=(1e10*QF)", "x.lte: line 2, column 10: '1e10' is no number of rep");
  lattice_fails(a + "L: LINE=(2 QF)", "x.lte: line 2, column 12: '*' is missing after a number");
  const std::string deep(100000, '(');
  lattice_fails(a + "L: LINE=" + deep, "x.lte: line 2, column 210: parentheses are nested too");
}

TEST_CASE("parts of a lattice are read or refused", "[io]") {
  CHECK(parse_elegant_lattice(good, "x.lte", {.infix = true}).lattice.elements().size() == 10);
  CHECK(parse_elegant_lattice(good, "x.lte", {.infix = true}).lattice.expand("all").size() == 31);
  int refused = 0;
  for (std::size_t n = 0; n < good.size(); ++n) {
    try {
      test::used_lattice(good.substr(0, n), "x.lte");
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 280);
}

TEST_CASE("no bytes make the reader of lattices fail otherwise", "[io]") {
  std::mt19937 random(1);
  const std::string symbols = "&!%\"():=,*+-/^ \n.\r\te0123456789AL";
  for (int n = 0; n < 20000; ++n) {
    const std::string bytes = damaged(good, symbols, random);
    try {
      const auto file = parse_elegant_lattice(bytes, "x.lte", {.infix = true});
      if (!file.line.empty()) file.expand(file.line, 1000);
    } catch (const InputError&) {
    } catch (const CapacityError&) {
    }
  }
  SUCCEED();
}

TEST_CASE("parts of a sequence are read or refused", "[io]") {
  const auto file = parse_madx(good_sequence, "x.madx");
  CHECK(file.expand().size() == 47);
  CHECK(file.expand("half").size() == 12);
  int refused = 0;
  for (std::size_t n = 0; n < good_sequence.size(); ++n) {
    try {
      expand_all(good_sequence.substr(0, n));
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 700);
}

TEST_CASE("no bytes make the reader of sequences fail otherwise", "[io]") {
  std::mt19937 random(2);
  const std::string symbols = "!/*%\"'():=,;+-^<>{}[]. \n\te0123456789al#";
  for (int n = 0; n < 20000; ++n) {
    const std::string bytes = damaged(good_sequence, symbols, random);
    try {
      expand_all(bytes);
    } catch (const InputError&) {
    }
  }
  SUCCEED();
}
