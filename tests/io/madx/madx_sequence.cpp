// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/dipole_edge.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/beam/optics/floor_plan.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/madx/detail/madx_patterns.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;

namespace {

double value(const std::string& expression) {
  CAPTURE(expression);
  return parse_madx("x := " + expression + ";", "x.madx").get("x");
}

/// Names of the elements of a line with their lengths.
std::string shown(const BeamLine& line) {
  std::string text;
  for (const Element& element : line) {
    const double length = std::round(1e6 * length_of(element)) * 1e-6;
    text += (text.empty() ? "" : " ") + element.name + "(" + shortest(length) + ")";
  }
  return text;
}
std::string expanded(const std::string& text) { return shown(parse_madx(text, "x.madx").expand()); }

/// The element e of a definition, in a sequence.
ElementKind element(const std::string& definition, const MadxOptions& options = {}) {
  CAPTURE(definition);
  const auto line = parse_madx("beam, particle=proton, pc=1;\n" + definition +
                                   "\ns: sequence, l=10; e, at=5; endsequence;",
                               "x.madx", options)
                        .expand();
  for (const Element& part : line)
    if (part.name == "e") return part.kind;
  FAIL("no element");
  return Marker{};
}
template <class Kind>
Kind element_of(const std::string& definition) {
  const ElementKind kind = element(definition);
  REQUIRE(kind.as<Kind>());
  return *kind.as<Kind>();
}

void fails(const std::string& text, const std::string& message) {
  CAPTURE(text);
  const auto expand = [&] {
    const MadxFile file = parse_madx(text, "x.madx");
    if (!file.used().empty()) file.expand();
  };
  test::check_refused(expand, message);
}
/// An element is refused.
void element_fails(const std::string& definition, const std::string& message) {
  fails(definition + "\ns: sequence, l=10; e, at=5; endsequence;", message);
}

}  // namespace

TEST_CASE("expressions of MAD-X", "[io]") {
  CHECK(value("1 + 2 * 3") == 7.);
  CHECK(value("(1+2)*3 - (-4)") == 13.);
  CHECK(value("8/4/2") == 1.);
  CHECK(value("-2^2") == -4.);
  CHECK(value("2^(-1)") == 0.5);
  CHECK(value("-2*3 + (+1)") == -5.);
  CHECK(value("1.5d1 + 5.0D-1 + 2d0") == 17.5);
  CHECK(value("8.0e\n-01 + 1.E \r\n  +01") == 10.8);
  CHECK(value("1.5e+\n01 + 1.5d\n 1") == 30.);
  CHECK(value("2^3^2") == 64.);
  CHECK(value("31./64 + 1.e-3 + .5E+1") == 31. / 64. + 1e-3 + 5.);
  CHECK(value("sin(pi/6) + cos(0)") == Catch::Approx(1.5));
  CHECK(value("sqrt(abs(-16)) + floor(1.5) + ceil(1.5) + round(2.6) + frac(-1.25)") == 9.75);
  CHECK(value("log10(100) + log(exp(2)) + tanh(0) + sinc(0)") == Catch::Approx(5.));
  CHECK(value("twopi*degrad") == Catch::Approx(360.));
  CHECK(value("clight") == 299792458.);
  CHECK(value("pmass") == 0.93827208816);
  CHECK(value("prad/erad*pmass/emass") == Catch::Approx(1.));
  for (const char* illegal : {"2^-1", "2*-3", "2--3", "2 + -3", "--2", "(--2)", "4/+2"})
    fails(std::string("a = ") + illegal + ";", "MAD-X does not read that); put the sign");
}

TEST_CASE("constants, integers and existing variables of MAD-X", "[io]") {
  const auto file = parse_madx(
      "const c = 1; c = 2; int i = 7/2; i2 = exist(i); i3 := exist(later); later = 1;", "x.madx");
  CHECK(file.get("c") == 1.);
  CHECK(file.remarks().size() == 1);
  CHECK(file.get("i") == 3.);
  CHECK(file.get("i2") == 1.);
  CHECK(file.get("i3") == 0.);
}

TEST_CASE("variables of MAD-X are immediate or deferred", "[io]") {
  auto file = parse_madx(
      "a = 1; B := a + 1; c = b; /* all\nof it */ a = 10; // more\nreal const d = A; ! end\n"
      "shared e1 = 3;",
      "x.madx");
  CHECK(file.get("b") == 11.);
  CHECK(file.get("C") == 2.);
  CHECK(file.get("d") == 10.);
  CHECK(file.get("e1") == 3.);
  file.set("a", 5.);
  CHECK(file.get("b") == 6.);
  file.read("a = 7;");  // what the user has set stays
  CHECK(file.get("a") == 5.);
  CHECK(file.undefined().empty());
  CHECK_FALSE(file.has("nothing"));
  CHECK(file.get("nothing") == 0.);
}

TEST_CASE("undefined variables of MAD-X are 0, and listed", "[io]") {
  auto file = parse_madx(
      "a = nothing + 1; b := later; q: quadrupole, l=1, k1:=kq;\n"
      "s: sequence, l=2; q, at=1; endsequence;",
      "x.madx");
  CHECK(file.get("a") == 1.);
  CHECK(file.undefined() == std::vector<std::string>{"nothing"});
  CHECK(file.expansion("s").undefined == std::vector<std::string>{"kq"});
  file.read("kq = 1;");
  CHECK(file.expansion("S").undefined.empty());
  test::check_refused([] { parse_madx("a = 1/b;", "x.madx"); }, "division by zero (these have no");
}

TEST_CASE("options give variables before files do", "[io]") {
  const MadxOptions options{.variables = {{"BRHO", 2.}}};
  const auto file = parse_madx("k = 1/brho; brho = 5;", "x.madx", options);
  CHECK(file.get("k") == 0.5);
  CHECK(file.get("brho") == 2.);
}

TEST_CASE("classes of MAD-X inherit attributes", "[io]") {
  auto file = parse_madx(
      "mq: quadrupole, l=0.5, k1:=kf; q1: mq; q2: q1, k1=-3; kf = 2; q1->tilt = 0.25;\n"
      "x := q1->k1 + q2->k1; s: sequence, l=4; q1, at=1; q2, at=2; q3: q2, l=1, at=3; endsequence;",
      "x.madx");
  CHECK(file.get("q1", "k1") == 2.);
  CHECK(file.get("q2", "K1") == -3.);
  CHECK(file.get("q1", "tilt") == 0.25);
  CHECK(file.get("q3", "tilt") == 0.);  // q2 is a copy of q1 as it was
  CHECK(file.get("x") == -1.);
  file.read("mq, k1:=2*kf;");
  CHECK(file.get("mq", "k1") == 4.);
  CHECK(file.get("q1", "k1") == 2.);
  file.read("kf = 3;");
  CHECK(file.get("q1", "k1") == 3.);  // the expression is copied
  file.read("mq: quadrupole, l=0.5, k1=9;");
  CHECK(file.get("q1", "k1") == 3.);
  CHECK(file.remarks().size() == 1);
  file.read("option, update_from_parent; mq, k1=8; mq->l=7;");
  CHECK(file.get("q1", "k1") == 8.);
  CHECK(file.get("q2", "k1") == -3.);
  CHECK(file.get("q1", "l") == 0.5);
  CHECK(expanded("mq: quadrupole, l=0.5; q1: mq; s: sequence, l=2; q1, at=1; endsequence;") ==
        "drift_0(0.75) q1(0.5) drift_1(0.75)");
  CHECK_THROWS_AS(file.get("q9", "k1"), UsageError);
}

TEST_CASE("an arrow sets the present value in MAD-X", "[io]") {
  auto file = parse_madx("k = 1; q: quadrupole, l=1; q->k1 := k; k = 2;", "x.madx");
  CHECK(file.get("q", "k1") == 1.);
  file.read("quadrupole->k1 = 3; q2: quadrupole, l=1;");
  CHECK(file.get("q2", "k1") == 3.);
  CHECK(file.get("q", "k1") == 1.);
  file.read("rb: rbend, l=1, angle=0.4; l1 = rb->l; option, rbarc=false; l2 = rb->l;");
  CHECK(file.get("l1") == Catch::Approx(0.2 / std::sin(0.2)));
  CHECK(file.get("l2") == 1.);
  file.read(
      "m: multipole, knl={0, 2}, ksl={3}; x1 = m->k1l + 10*m->k0sl + m->l; "
      "i: beta0, betx=5; x2 = i->betx; h: hkicker, kick=4; x3 = h->hkick;");
  CHECK(file.get("x1") == 32.);
  CHECK(file.get("x2") == 5.);
  CHECK(file.get("x3") == 4.);
  fails("m: multipole; m->knl = {1};", "'->' sets numbers only; write m, knl=...;");
}

TEST_CASE("elements of MAD-X are defined again and reused in sequences", "[io]") {
  const std::string d = "q: quadrupole, l=1, k1=2;\n";
  auto file =
      parse_madx(d + "s: sequence, l=9; q: quadrupole, k1=1, at=1; q, at=3, k1=5; q: q, at=5; "
                     "endsequence; q: q, k1=7;",
                 "x.madx");
  CHECK(file.get("q", "k1") == 2.);
  CHECK(file.remarks().size() == 3);
  CHECK(shown(file.expand()) == "drift_0(0.5) q(1) drift_1(1) q(1) drift_2(1) q(1) drift_3(3.5)");
  fails("s: sequence, l=9; q: quadrupole, at=1; q: quadrupole, at=3; endsequence;",
        "'q' is in the sequence already, and defined again; write q, at=...;");
}

TEST_CASE("places in sequences of MAD-X", "[io]") {
  const std::string d = "a: drift, l=1; b: drift, l=2; m: marker;\n";
  CHECK(expanded(d + "s: sequence, l=10; a, at=2; b, at=5; endsequence;") ==
        "drift_0(1.5) a(1) drift_1(1.5) b(2) drift_2(4)");
  CHECK(expanded(d + "s: sequence, refer=entry, l=10; a, at=2; b, at=5; endsequence;") ==
        "drift_0(2) a(1) drift_1(2) b(2) drift_2(3)");
  CHECK(expanded(d + "s: sequence, refer=exit, l=10; a, at=2; b, at=5; endsequence;") ==
        "drift_0(1) a(1) drift_1(1) b(2) drift_2(5)");
  // relative to the centre of another element
  CHECK(expanded(d +
                 "s: sequence, l=10; a, at=2; b, at=3, from=a; m, at=1.5, from=b; endsequence;") ==
        "drift_0(1.5) a(1) drift_1(1.5) b(2) drift_2(0.5) m(0) drift_3(3.5)");
  CHECK(expanded(d + "s: sequence, l=10, refer=entry; a, at=2; b, at=3, from=a; endsequence;") ==
        "drift_0(2) a(1) drift_1(2.5) b(2) drift_2(2.5)");
  // sequences inside of others
  const std::string cell = d + "c: sequence, l=3, refer=entry; a, at=0; b, at=1; endsequence;\n";
  CHECK(expanded(cell + "s: sequence, l=7, refer=entry; c, at=0; c, at=4; endsequence;") ==
        "a(1) b(2) drift_0(1) a(1) b(2)");
  CHECK(expanded(cell + "s: sequence, l=7; c, at=1.5; x: c, at=5.5; endsequence;") ==
        "a(1) b(2) drift_0(1) a(1) b(2)");
  CHECK(expanded(d + "c: sequence, l=3, refer=entry, refpos=m; a, at=0; m, at=1; b, at=1; "
                     "endsequence; s: sequence, l=9; c, at=4; endsequence;") ==
        "drift_0(3) a(1) m(0) b(2) drift_1(3)");
  // numbers may depend on others
  CHECK(expanded(d + "lc := 2*h; h = 3; s: sequence, l:=lc; a, at:=h-1; endsequence;") ==
        "drift_0(1.5) a(1) drift_1(3.5)");
}

TEST_CASE("overlaps in sequences of MAD-X are errors but for rounding", "[io]") {
  const std::string d = "a: drift, l=1; b: drift, l=2;\n";
  fails(d + "s: sequence, l=10; a, at=2; b, at=3.4; endsequence;",
        "x.madx: line 2, column 29: 'a' and 'b' overlap by 0.1");
  fails(d + "s: sequence, l=3; b, at=2.5; endsequence;", "'b' and the end of 's' overlap by 0.5 m");
  fails(d + "s: sequence, l=3; b, at=0.5; endsequence;", "the start of 's' and 'b' overlap by 0.5");
  CHECK(expanded(d + "s: sequence, l=3; a, at=0.5; b, at=2-1e-10; endsequence;") == "a(1) b(2)");
  const auto line =
      parse_madx(d + "s: sequence, l=3; a, at=0.5; b, at=2-1e-7; endsequence;", "x.madx").expand();
  CHECK(shown(line) == "a(1) drift_0(-0) b(2) drift_1(0)");
  CHECK(std::abs(length_of(line) - 3.) < 1e-14);
}

TEST_CASE("lines of MAD-X", "[io]") {
  const std::string d = "a: drift, l=1; b: drift, l=2; c: marker;\n";
  CHECK(expanded(d + "l: line=(a, 2*b, c);") == "a(1) b(2) b(2) c(0)");
  CHECK(expanded(d + "h: line=(a, b); l: line=(h, -h, 2*(c, -2*h));") ==
        "a(1) b(2) b(2) a(1) c(0) b(2) a(1) b(2) a(1) c(0) b(2) a(1) b(2) a(1)");
  CHECK(expanded(d + "h: line=(a, b); k: line=(b, a); use, period=h;") == "a(1) b(2)");
  fails(d + "l: line=(a, d);", "there is no element or line 'd'");
  fails(d + "l: line=(a, l);", "lines are nested too deeply");
  test::check_refused([&] { parse_madx(d + "l: line=(1e9*a);", "x.madx").expand("l", 1000); },
                      "'l' has more than 1000 elements");
  CHECK(expanded(d + "h(x, y): line=(x, y, -x); k: line=(a, b); l: line=(h(k, c), 2*h(c, a));") ==
        "a(1) b(2) c(0) b(2) a(1) c(0) a(1) c(0) c(0) a(1) c(0)");
  CHECK(expanded(d + "i(x): line=(x, x); h(x): line=(i(x), a); l: line=(h(b));") ==
        "b(2) b(2) a(1)");
  fails(d + "l(x): line=(a, x);", "'l' has arguments (other lines give their values)");
  fails(d + "h: line=(a, b);\nl: line=(c, 2*h(a));", "'h' has 0 arguments, but 'l' gives 1");
  fails(d + "h(x): line=(x); l: line=(h((a, b)));", "the name of an element or line is missing");
}

TEST_CASE("conditions and loops of MAD-X", "[io]") {
  const auto file = parse_madx(
      "n = 0; while (n < 5) { n = n + 1; } if (n == 5 && 1 > 2) { a = 1; } elseif (n >= 5) { a = "
      "2;\n"
      "  if (n <> 5) { a = 4; } } else { a = 3; } b = 7; m(x): macro = { whatever { } is = }; c = "
      "8;",
      "x.madx");
  CHECK(file.get("n") == 5.);
  CHECK(file.get("a") == 2.);
  CHECK(file.get("b") == 7.);
  CHECK(file.get("c") == 8.);
  CHECK(file.ignored().empty());
  const auto again = parse_madx("i = 0; while (i < 5) { i = i + 1; m: marker; }", "x.madx");
  CHECK(again.remarks().size() == 1);  // once for all turns
  fails("while (1 > 0) { }", "the loop does not end");
  fails(
      "m: marker; s: sequence, l=1; m, at=0; endsequence; beam; use, sequence=s; "
      "while (1 > 0) { twiss; }",
      "there are more than 5000000 statements");
  fails("if (1 > 0) { a = 1;", "'}' is missing");
  // what MAD-X counts as false, with a warning at most
  fails("i = 1; if (i) { a = 1; }", "line 1, column 13: a comparison is missing before ')'");
  fails("i = 1; while (i = 1) { a = 1; }", "write ==");
  fails("if (1 == 1 && 1 < 2 || 2 > 1) { a = 1; }", "a condition has one && or || at most");
}

TEST_CASE("macros of MAD-X", "[io]") {
  const auto file = parse_madx(
      "setk(name, v): macro = { kname = v; ! kept\n if (v > 1) { big.name = 1; } };\n"
      "n = 3; n2 = 2*n; exec, setk(a, 0.5); exec, setk(b, n2); exec, setk(c, $n);\n"
      "twice: macro = { n = n + 1; exec, setk(d, n); }; exec, twice; exec, twice;",
      "x.madx");
  CHECK(file.get("ka") == 0.5);
  CHECK_FALSE(file.has("big.a"));
  CHECK(file.get("kb") == 6.);
  CHECK(file.get("big.b") == 1.);
  CHECK(file.get("kc") == 3.);
  CHECK(file.get("kd") == 5.);
  fails("exec, m;", "there is no macro 'm'; define it before");
  fails("m: macro = { exec, m; }; exec, m;", "files or macros call each other too deeply");
  fails("m: macro = { a = ; }; exec, m;", "x.madx: macro 'm': line 1");
  fails(
      "a0: macro = { }; a1: macro = { exec, a0; exec, a0; };"
      "m(x): macro = { while (1 > 0) { x = 1; } }; exec, m(y);",
      "the loop does not end");
}

TEST_CASE("MAD-X files call others", "[io]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_madx_call";
  make_folder(folder / "inner");
  write_file(folder / "main.madx", "a = 1; call, file = \"inner/first.str\"; c = b + 1;");
  write_file(folder / "inner" / "first.str", "call, file='second.str'; b = a + z; return; b = 99;");
  write_file(folder / "inner" / "second.str", "z = 10;");
  write_file(folder / "last.str", "d := c * 2; stop; d = 0;");
  write_file(folder / "self.madx", "call, file=self.madx;");
  const auto file = read_madx({folder / "main.madx", folder / "last.str"});
  CHECK(file.get("c") == 12.);
  CHECK(file.get("d") == 24.);
  test::check_refused([&] { read_madx({folder / "self.madx"}); },
                      "files or macros call each other too");
  test::check_refused([&] { read_madx({folder / "no.madx"}); }, "no.madx");
  write_file(folder / "second.str", "z = 20;");
  write_file(folder / "moved.madx",
             "chdir, dir=\"inner\"; call, file=\"second.str\"; y = z; chdir, dir=\"..\"; "
             "call, file=second.str;");
  const auto moved = read_madx({folder / "moved.madx"});
  CHECK(moved.get("y") == 10.);
  CHECK(moved.get("z") == 20.);
  fails("chdir;", "CHDIR has no folder");
  std::filesystem::remove_all(folder);
}

TEST_CASE("beams of MAD-X", "[io]") {
  const auto beam = [](const std::string& text) {
    return parse_madx("beam, " + text + ";", "x.madx").beam().value();
  };
  CHECK(beam("particle=proton, pc=0.57").p0() == Catch::Approx(0.57 / 0.93827208816));
  CHECK(beam("particle=Electron, energy=2.5").charge == -1.);
  CHECK(beam("particle=electron, energy=2.5").gamma() == Catch::Approx(2.5 / 0.51099895e-3));
  CHECK(beam("particle=positron, gamma=1000").pc() == Catch::Approx(0.51099895).epsilon(1e-5));
  CHECK(beam("particle=ion, mass=193.7, charge=54, energy=300").mass == 193.7);
  CHECK(beam("particle=antiproton, beta=0.5").beta() == Catch::Approx(0.5));
  CHECK(beam("particle=ion, mass=193.7, charge=54, brho=10").brho() == Catch::Approx(10.));
  CHECK_FALSE(parse_madx("a=1;", "x.madx").beam());
  auto file = parse_madx(
      "beam, particle=proton, pc=1; b := beam->brho; s: sequence, l=1; endsequence;"
      "beam, sequence=s, particle=electron, energy=3; beam, pc=2; use, sequence=s;"
      "e1 := beam->energy;",
      "x.madx");
  CHECK(file.beam()->pc() == Catch::Approx(2.));
  CHECK(file.beam("s")->energy == 3.);
  CHECK(file.get("e1") == Catch::Approx(std::hypot(2., 0.93827208816)));  // of all sequences
  file.read("e2 := beam%s->energy; e3 := beam%t->pc; p = 7; beam, sequence=s, pc:=p; p = 9;");
  CHECK(file.get("e2") == Catch::Approx(7.).epsilon(1e-6));
  CHECK(file.get("e3") == Catch::Approx(2.));
  fails("beam, particle=proton, energy=0.5;", "the beam has no momentum (its energy is 0.5 GeV");
  CHECK(parse_madx("beam, pc=10; beam, particle=proton;", "x.madx").beam()->pc() ==
        Catch::Approx(9.955884981));  // the energy stays
  CHECK(parse_madx("beam, charge=2;", "x.madx").beam()->charge == 1.);
  CHECK(parse_madx("beam, ex=1e-6, gamma=1000; x = beam->exn;", "x.madx").get("x") ==
        Catch::Approx(1e-3));
  fails("beam, bv=2;", "BV is 1 or -1");
  fails("beam, pz=2;", "'pz' is no attribute of BEAM");
}

TEST_CASE("straight magnets of MAD-X", "[io]") {
  const auto q = element_of<CanonicalQuadrupole>("e: quadrupole, l=0.5, k1=2, tilt=0.1;");
  CHECK(q.length == 0.5);
  CHECK(q.k1 == 2.);
  CHECK(q.misalignment.tilt == 0.1);
  CHECK(q.integration_order == 6);
  CHECK(q.slices == 8);  // of a phase of 0.707
  CHECK(element_of<CanonicalSextupole>("e: sextupole, l=0.5, k2=20;").k2 == 20.);
  const auto skew = element_of<CanonicalMultipole>("e: quadrupole, l=0.5, k1=2, k1s=0.4;");
  CHECK(skew.field.normal == std::vector<double>{0., 1.});
  CHECK(skew.field.skew == std::vector<double>{0., -0.2});
  const auto octupole = element_of<CanonicalMultipole>("e: octupole, l=0.5, k3=10;");
  CHECK(octupole.field.normal == std::vector<double>{0., 0., 0., 5.});
  const auto thin = element_of<CanonicalMultipole>("e: multipole, knl={0, 0.1, 2}, ksl={0, -0.2};");
  CHECK(thin.length == 0.);
  CHECK(thin.field.normal == std::vector<double>{0., 0.1, 2.});
  CHECK(thin.field.skew == std::vector<double>{0., 0.2});
  // a skew quadrupole turns x into py with the sign of MAD-X: p_y grows by k1s l x
  CHECK(thin.map_to(1).R(4, 1) == -0.2);
  CHECK(thin.map_to(1).R(2, 1) == -0.1);
  const auto solenoid = element_of<ExactSolenoid>("e: solenoid, l=0.5, ks=0.2;");
  CHECK(solenoid.map_to(1).R(1, 3) > 0.);  // a field along s turns positive particles so
  // a skew dipole bends the axis vertically
  const auto vertical = element_of<ThinBend>("e: multipole, ksl={0.1};");
  CHECK(vertical.angle == Catch::Approx(0.1));
  CHECK(vertical.misalignment.tilt == Catch::Approx(-0.5 * std::numbers::pi));
  CHECK(vertical.map_to(1).R(5, 3) == Catch::Approx(-0.1));
  element_fails("e: solenoid, ksi=1;",
                "ksi cannot be 1 (solenoids without a length are not implemented)");
  element_fails("e: quadrupole, l=-1;", "l cannot be -1 (it must not be negative)");
}

TEST_CASE("kickers of MAD-X", "[io]") {
  const auto kick = [](const std::string& text) {
    auto map = element_of<CanonicalMultipole>("e: " + text + ";").map_to(1);
    return std::pair(map.C(2), map.C(4));
  };
  CHECK(kick("hkicker, l=1, kick=1e-3") == std::pair(1e-3, 0.));
  CHECK(kick("vkicker, kick=1e-3") == std::pair(0., 1e-3));
  CHECK(kick("kicker, hkick=1e-3, vkick=-2e-3") == std::pair(1e-3, -2e-3));
  CHECK(kick("tkicker, hkick=1e-3") == std::pair(1e-3, 0.));
  CHECK(element("e: hkicker, l=0.5;").length() == 0.5);
}

TEST_CASE("bends of MAD-X", "[io]") {
  const auto sector = element_of<CanonicalBend>(
      "e: sbend, l=2, angle=0.2, e1=0.05, e2=0.06, k1=0.1, k2=3, hgap=0.03, fint=0.4, fintx=0.5;");
  CHECK(sector.length == 2.);
  CHECK(sector.angle == 0.2);
  CHECK(sector.entrance == 0.05);
  CHECK(sector.exit == 0.06);
  CHECK(sector.strengths == std::vector<double>{0.1, 3., 0.});
  CHECK(sector.half_gap == 0.03);
  CHECK(sector.fringe == 0.4);
  CHECK(sector.exit_fringe == 0.5);
  CHECK_FALSE(sector.k0);
  // the length is the chord, and edges are relative to those of a rectangle
  const auto rectangle = element_of<CanonicalBend>("e: rbend, l=2, angle=0.2, e1=0.01;");
  CHECK(rectangle.length == Catch::Approx(2. * 0.1 / std::sin(0.1)));
  CHECK(rectangle.entrance == Catch::Approx(0.11));
  CHECK(rectangle.exit == Catch::Approx(0.1));
  CHECK(element_of<CanonicalBend>("option, rbarc=false; e: rbend, l=2, angle=0.2;").length == 2.);
  // K0 is the field if it is not 0
  CHECK_FALSE(element_of<CanonicalBend>("e: sbend, l=2, angle=0.2, k0=0;").k0);
  const auto other = element_of<CanonicalBend>("e: sbend, l=2, angle=0.2, k0=0.11;");
  CHECK(other.k0 == 0.11);
  CHECK(other.crossing == Catch::Approx(0.01));
  const auto straight = element_of<CanonicalBend>("e: rbend, l=0.5, k0=0.2, k2=1;");
  CHECK(straight.k0 == 0.2);
  CHECK(straight.angle == 0.);
  CHECK(element_of<CanonicalBend>("e: sbend, l=2, angle=0.2, knl={0.02};").k0.value() ==
        Catch::Approx(0.11));
  const auto thin = element_of<ThinBend>("e: multipole, knl={0.1}, lrad=2;");
  CHECK(thin.angle == 0.1);
  CHECK(thin.map_to(1).C(2) == 0.);
  CHECK(thin.map_to(1).R(2, 1) == Catch::Approx(-0.005));
  CHECK(thin.map_to(1).R(2, 6) == 0.1);
  CHECK(thin.map_to(1).R(5, 1) == 0.1);
  const auto edge = element_of<DipoleEdge>("e: dipedge, h=0.5, e1=0.1, hgap=0.02, fint=0.4;");
  CHECK(edge.map_to(1).R(2, 1) == Catch::Approx(0.5 * std::tan(0.1)));
  CHECK(edge.map_to(1).R(4, 3) == Catch::Approx(-0.5 * std::tan(0.1 - 0.00812)).epsilon(1e-3));
  const auto cut = element_of<CanonicalBend>(
      "e: sbend, l=1, angle=0.1, e1=0.1, k0s=1, kill_ent_fringe, kill_exi_fringe=false;");
  CHECK(cut.entrance_effects == EdgeEffects::none);
  CHECK(cut.exit_effects == EdgeEffects::linear);
  element_fails("e: sbend, angle=1;", "l cannot be 0 (a bend has a length)");
}

TEST_CASE("drifts of MAD-X are expanded or exact", "[io]") {
  CHECK(element("e: monitor, l=1;").type() == typeid(ExpandedDrift));
  CHECK(element("e: monitor, l=1;", {.exact = true}).type() == typeid(ExactDrift));
  CHECK(element("e: collimator;").type() == typeid(Marker));
  CHECK(element("e: crabcavity, l=1, freq=400;").type() == typeid(ExpandedDrift));
}

TEST_CASE("cavities of MAD-X", "[io]") {
  const auto cavity = element_of<RfCavity>("e: rfcavity, l=1, volt=2, freq=100, lag=0.25;");
  CHECK(cavity.voltage == 2e6);
  CHECK(cavity.frequency == 1e8);  // far from a harmonic
  CHECK(cavity.phase == Catch::Approx(0.5 * std::numbers::pi));
  CHECK(cavity.rest_energy == Catch::Approx(938272088.16));
  const double beta = 1. / std::hypot(1., 0.93827208816);
  CHECK(cavity.reference_time.value() == Catch::Approx(5. / (beta * 299792458.)));
  const double revolution = beta * 299792458. / 10.;
  CHECK(element_of<RfCavity>("e: rfcavity, volt=2, freq=50, harmon=3;").frequency ==
        element_of<RfCavity>("e: rfcavity, volt=2, harmon=3;").frequency);
  // MAD-X does not take the charge into account
  CHECK(parse_madx("beam, particle=ion, mass=193.7, charge=82, energy=1000; e: rfcavity, volt=10, "
                   "freq=100; s: sequence, l=1; e, at=0.5; endsequence;",
                   "x.madx")
            .expand()[1]
            .kind.as<RfCavity>()
            ->rest_energy == Catch::Approx(193.7e9));
  CHECK(element_of<RfCavity>("e: rfcavity, volt=2, harmon=3;").frequency ==
        Catch::Approx(3. * revolution).epsilon(1e-14));
  const double near = 3.001 * revolution * 1e-6;
  CHECK(element_of<RfCavity>("e: rfcavity, volt=2, freq=" + shortest(near) + ";").frequency ==
        Catch::Approx(3. * revolution).epsilon(1e-14));
  CHECK(element_of<RfCavity>("e: lcavity, l=1, volt=2, freq=100, lag=0.25;").change_momentum);
  CHECK(element("e: rfcavity, l=1;").length() == 1.);
  element_fails("e: rfcavity, volt=1, freq=1;", "what a voltage does depends on the particles");
  fails("beam, energy=1; e: rfcavity, volt=1; s: sequence, l=1; e, at=0.5; endsequence;",
        "a cavity has a frequency");
}

TEST_CASE("apertures of MAD-X", "[io]") {
  const std::string s = "s: sequence, l=10; e, at=5; endsequence;";
  const auto line =
      parse_madx(
          "e: quadrupole, l=1, apertype=rectellipse, aperture={0.03, 0.02, 0.025, 0.04}, "
          "aper_offset={1e-3, 2e-3};" +
              s,
          "x.madx")
          .expand();
  CHECK(shown(line) ==
        "drift_0(4.5) e.aperture(0) e.aperture(0) e(1) e.aperture(0) e.aperture(0) "
        "drift_1(4.5)");
  const Collimator first = *line[1].kind.as<Collimator>(), second = *line[2].kind.as<Collimator>();
  CHECK(first.aperture.shape == Aperture::Shape::rectangle);
  CHECK(first.aperture.x_max == 0.03);
  CHECK(first.aperture.dy == 2e-3);
  CHECK(second.aperture.shape == Aperture::Shape::ellipse);
  CHECK(second.aperture.y_max == 0.04);
  const auto circle = parse_madx("e: marker, aperture={0.03};" + s, "x.madx").expand();
  CHECK(shown(circle) == "drift_0(5) e.aperture(0) e(0) drift_1(5)");
  CHECK(circle[1].kind.as<Collimator>()->aperture.y_max == 0.03);
  CHECK(parse_madx("e: marker, aperture={0.03};" + s, "x.madx", {.apertures = false})
            .expand()
            .size() == 3);
  const auto racetrack =
      parse_madx("e: monitor, apertype=racetrack, aperture={0.04, 0.03, 0.01, 0.02}, tilt=0.1;" + s,
                 "x.madx")
          .expand()[1]
          .kind.as<Collimator>()
          ->aperture;
  CHECK(racetrack.x_corner == 0.01);
  CHECK(racetrack.y_corner == 0.02);
  CHECK(racetrack.tilt == 0.1);
  CHECK(parse_madx("e: marker, apertype=octagon, aperture={0.05, 0.05, 0.6, 0.9};" + s, "x.madx")
            .expand()
            .size() == 6);
  element_fails("e: marker, apertype=star, aperture={1,1,1,1};", "apertype cannot be 'star'");
  // an aperture that is unknown is left out, not the magnet that has it
  const auto skipped = parse_madx("e: quadrupole, l=1, k1=1, apertype=star, aperture={1};" + s,
                                  "x.madx", {.skip_unknown = true})
                           .expansion("s");
  CHECK(skipped.drifts == "aperture (1)");
  CHECK(skipped.line[1].kind.as<CanonicalQuadrupole>());
}

TEST_CASE("columns of tables are no variables", "[io]") {
  CHECK(parse_madx("q: quadrupole, l=1; s: sequence, l=2; q, at=1; endsequence; use, sequence=s; "
                   "select, flag=twiss, column=name, s, betx; select, flag=twiss, column=keyword;",
                   "x.madx")
            .undefined()
            .empty());
}

TEST_CASE("polygons of MAD-X are apertures", "[io]") {
  const auto of = [](const std::string& attributes) {
    return parse_madx("e: marker, " + attributes + "; s: sequence, l=2; e, at=1; endsequence;",
                      "x.madx")
        .expand();
  };
  const auto passes = [](const BeamLine& line, double px, double py) {
    bool inside = true;
    for (const Element& element : line)
      if (const auto* collimator = element.kind.as<Collimator>()) {
        const auto c = steps::Outline{collimator->aperture}.coefficients();
        Particle<double> v{};
        v[x] = px;
        v[y] = py;
        inside = inside && steps::Outline::pass(c.data(), v);
      }
    return inside;
  };
  // a kite, around the axis in both directions, not symmetric
  for (const std::string corners :
       {"aper_vx={0.03, 0, -0.01, 0}, aper_vy={0, 0.02, 0, -0.01}",
        "aper_vx={0, -0.01, 0, 0.03}, aper_vy={-0.01, 0, 0.02, 0}",
        "aper_vx={0.03, 0, -0.01, 0, 0.03}, aper_vy={0, -0.01, 0, 0.02, 0}"}) {
    CAPTURE(corners);
    const BeamLine line = of(corners);
    for (const auto& [u, w] : {std::pair{0.029, 0.},
                               {-0.009, 0.},
                               {0., 0.019},
                               {0., -0.009},
                               {0.014, 0.0099},
                               {-0.0049, -0.0049}})
      CHECK(passes(line, u, w));
    for (const auto& [u, w] : {std::pair{0.031, 0.},
                               {-0.011, 0.},
                               {0., 0.021},
                               {0., -0.011},
                               {0.0155, 0.0101},
                               {-0.0051, -0.0051},
                               {0.02, -0.005}})
      CHECK_FALSE(passes(line, u, w));
  }
  const BeamLine moved =
      of("aper_vx={1e-3, 1e-3, -1e-3}, aper_vy={-1e-3, 1e-3, 0}, "
         "aper_offset={5e-3, 0}");
  CHECK(passes(moved, 5.9e-3, 0.));
  CHECK(passes(moved, 5.9e-3, 0.9e-3));
  CHECK_FALSE(passes(moved, 4.5e-3, 0.9e-3));
  // another aperture inside of the polygon does not matter
  const std::string square =
      "aper_vx={1e-2, -1e-2, -1e-2, 1e-2}, aper_vy={1e-2, 1e-2, -1e-2, -1e-2}";
  CHECK(passes(of(square + ", aperture={1e-2}"), 9.9e-3, 9.9e-3));
  CHECK(passes(of(square + ", apertype=rectangle, aperture={1e-2, 5e-3}"), 9.9e-3, 9.9e-3));
  element_fails("e: marker, aperture={0.011}, " + square + ";", "particles survive outside");
  element_fails("e: marker, apertype=rectangle, aperture={5e-3, 1.1e-2}, " + square + ";",
                "particles survive outside");
  element_fails("e: marker, aper_vx={0, 1, 0.2, 1}, aper_vy={0, 0, 0.5, 1};", "not convex");
  element_fails("e: marker, aper_vx={0, 1, 2}, aper_vy={0, 1, 2};", "no area");
  element_fails("e: marker, aper_vx={0, 1, 2}, aper_vy={0, 1};", "corners have an APER_VX");
}

TEST_CASE("errors of alignment and field", "[io]") {
  const std::string ring =
      "q: quadrupole, l=1; mb: sbend, l=1, angle=0.1; q1: q; q2: q; q11: q;\n"
      "s: sequence, l=10; q1, at=1; q2, at=3; q11, at=5; b: mb, at=7; endsequence; use, "
      "sequence=s;\n";
  const auto by = [&](const std::string& text, const std::string& name) {
    for (const Element& part : parse_madx(ring + text, "x.madx").expand())
      if (part.name == name) {
        if (const auto* q = part.kind.as<CanonicalQuadrupole>()) return q->misalignment;
        return part.kind.as<CanonicalBend>()->misalignment;
      }
    return Misalignment{9., 9., 9., 9.};
  };
  const std::string clear = "select, flag=error, clear; ";
  CHECK(by(clear + "select, flag=error, pattern=^q1$; ealign, dx=1e-3, dy=2*1e-3;", "q1").dy ==
        2e-3);
  CHECK(by(clear + "select, flag=error, pattern=^q1$; ealign, dx=1e-3;", "q11").dx == 0.);
  CHECK(by(clear + "select, flag=error, pattern=\"q1\"; ealign, dx=1e-3;", "q11").dx == 1e-3);
  CHECK(by("select, flag=error, class=quadrupole; ealign, dx=1e-3;", "q2").dx == 1e-3);
  CHECK(by("select, flag=error, class=mb; ealign, ds=1e-3, dpsi=0.01;", "b").dz == 1e-3);
  CHECK(by("select, flag=error, range=q2/#e; ealign, dx=1e-3;", "q1").dx == 0.);
  CHECK(by("select, flag=error, range=q2/#e; ealign, dx=1e-3;", "q11").dx == 1e-3);
  CHECK(by("select, flag=error, full; ealign, dx=1e-3; use, sequence=s;", "q1").dx == 0.);
  const auto line =
      parse_madx(ring + "select, flag=error, range=q1; efcomp, dkn={0, 0, 0.5}, dks={0, 0.25};",
                 "x.madx")
          .expand();
  CHECK(line[1].kind.as<CanonicalMultipole>()->field.normal == std::vector<double>{0., 0., 0.5});
  CHECK(line[1].kind.as<CanonicalMultipole>()->field.skew == std::vector<double>{0., -0.25});
  fails("ealign, dx=1;", "errors are those of the sequence in use");
  fails(ring + "ealign, dphi=1;", "rotations around x and y are not supported");
  fails(ring + "efcomp, dknr={1};", "relative errors need the order of the magnet and a radius");
  fails(ring + "efcomp, dpn={1};", "'dpn' of efcomp is not supported");
  fails(ring + "select, flag=error, range=q9; ealign, dx=1;", "there is no 'q9' in the sequence");
  // values are those of the command, and are kept or added to
  const std::string all = "select, flag=error, full; ";
  CHECK(by(all + "a = 1e-3; ealign, dx := a; a = 2;", "q1").dx == 1e-3);
  CHECK(by(all + "eoption, add; ealign, dx=1e-3; ealign, dx=1e-3;", "q1").dx == 2e-3);
  CHECK(by(all + "eoption, add; ealign, dx=1e-3; eoption, -add; ealign, dx=5e-3;", "q1").dx ==
        5e-3);
  CHECK(by("select, flag=error; ealign, dx=1e-3;", "q1").dx == 1e-3);
  CHECK(by("select, flag=error, clear, class=quadrupole; ealign, dx=1e-3;", "q1").dx == 0.);
  const auto field = [&](const std::string& text) {
    return parse_madx(ring + "q, k1=2; q1, k1=2; select, flag=error, range=q1;" + text, "x.madx")
        .expand()[1]
        .kind.as<CanonicalMultipole>()
        ->field;
  };
  CHECK(field("efcomp, dkn={0, 1}; efcomp, dkn={3}, dks={4};").normal ==
        std::vector<double>{3., 3.});
  CHECK(field("efcomp, order=1, radius=0.1, dknr={0, 0, 1e-2}; q1, k1=5;").normal[2] ==
        Catch::Approx(2. * 1e-2 / 0.1 * 2.));
  // those of the dipole add to kicks, with their sign
  const auto corrector = parse_madx(
      "beam, particle=proton, pc=2; k: hkicker, l=0.1, kick=1e-3; s: sequence, l=1; k, at=0.5;"
      "endsequence; use, sequence=s; select, flag=error, full;"
      "efcomp, dkn={1e-4, 1e-2}, dks={2e-4};",
      "x.madx");
  const auto kicks = corrector.expand()[1].kind.as<CanonicalMultipole>()->field;
  CHECK(kicks.normal == std::vector<double>{-(1e-3 + 1e-4)});
  CHECK(kicks.skew == std::vector<double>{-2e-4});
  const auto remarks = [&](const std::string& text) {
    return parse_madx(ring + text, "x.madx").expansion("s").remarks.size();
  };
  CHECK(remarks("select, flag=error, class=quadrupole; efcomp, dkn={0, 0.1};") == 0);
  CHECK(remarks("select, flag=error, class=quadrupole; efcomp, dkn={0, 0, 0.1};") == 1);
  CHECK(remarks("select, flag=error, class=mb; efcomp, dkn={0.01, 0.1};") == 0);
  CHECK(remarks("q1, knl={0, 0.1};") == 1);
}

TEST_CASE("permanent displacements of MAD-X", "[io]") {
  const auto dx = [](const std::string& definition, const std::string& place,
                     const std::string& rest = "") {
    const auto line = parse_madx("q: quadrupole, l=1" + definition + "; s: sequence, l=4; q, at=1" +
                                     place + "; endsequence; " + rest,
                                 "x.madx")
                          .expand("s");
    return line[1].kind.as<CanonicalQuadrupole>()->misalignment.dx;
  };
  CHECK(dx(", dx=1e-3", "") == 1e-3);
  CHECK(dx(", dx=1e-3", ", dx=2e-3") == 2e-3);
  CHECK(dx(", dx:=a", "", "a = 3e-3;") == 3e-3);
  CHECK(dx(", dx=1e-3", "", "q, dx=5e-3;") == 1e-3);  // that of the place stays
  CHECK(dx(", dx=1e-3", "", "use, sequence=s; select, flag=error, full; ealign, dx=1e-3;") == 2e-3);
  fails("q: quadrupole, l=1, dphi=1; s: sequence, l=4; q, at=1; endsequence;",
        "rotations around x and y are not supported");
}

TEST_CASE("patterns of MAD-X", "[io]") {
  const auto matches_madx = [](std::string_view pattern, std::string_view name) {
    return io::detail::MadxPattern(pattern).matches(name);
  };
  CHECK(matches_madx("q\\.1", "q.1"));
  CHECK_FALSE(matches_madx("q\\.1", "qx1"));
  CHECK(matches_madx("^m[a-c]$", "mb"));
  CHECK_FALSE(matches_madx("^m[^a-c]$", "mb"));
  CHECK(matches_madx("^m[^a-c]*$", "mdef"));
  CHECK(matches_madx("", "abc"));
  CHECK(matches_madx("b", "abc"));
  CHECK(matches_madx("^ab*c$", "abbbc"));
  CHECK(matches_madx("^ab*c$", "ac"));
  CHECK(matches_madx("^m[qb].*1$", "mq.x1"));
  CHECK_FALSE(matches_madx("^b", "abc"));
  CHECK_FALSE(matches_madx("c$", "abcd"));
  CHECK_FALSE(matches_madx("^m[qb]$", "mc"));
  CHECK_FALSE(matches_madx("a*a*a*a*a*a*a*a*a*a*b", std::string(200, 'a')));
}

TEST_CASE("sequences of MAD-X are cycled", "[io]") {
  const std::string s =
      "a: drift, l=1; b: drift, l=2; m: marker; s: sequence, l=10; a, at=2; m, at=3; b, at=5; "
      "endsequence; seqedit, sequence=s;\n";
  CHECK(expanded(s + "flatten; cycle, start=m; endedit;") ==
        "m(0) drift_0(1) b(2) drift_1(5.5) a(1) drift_2(0.5) sm_p_(0)");
  CHECK(expanded(s + "cycle, start=b; endedit;") ==
        "b(2) drift_0(5.5) a(1) drift_1(0.5) m(0) drift_2(1) sb_p_(2)");
  fails(s + "cycle, start=c;", "there is no 'c' in 's' (CYCLE names it)");
}

TEST_CASE("sequences of MAD-X are edited", "[io]") {
  const std::string s =
      "a: drift, l=1; b: drift, l=2; m: marker; n: marker; s: sequence, l=10; a, at=2; b, at=5; "
      "a, at=8; endsequence; seqedit, sequence=s;\n";
  const auto edited = [&](const std::string& text) {
    return shown(parse_madx(s + text + "; endedit;", "x.madx").expand("s"));
  };
  CHECK(edited("install, element=m, at=3.5") ==
        "drift_0(1.5) a(1) drift_1(1) m(0) drift_2(0.5) b(2) drift_3(1.5) a(1) drift_4(1.5)");
  CHECK(edited("install, element=c, class=b, at=-1, from=a[2]; remove, element=b; remove, "
               "element=a[2]") == "drift_0(1.5) a(1) drift_1(3.5) c(2) drift_2(2)");
  CHECK(edited("move, element=b, by=0.5") ==
        "drift_0(1.5) a(1) drift_1(2) b(2) drift_2(1) a(1) drift_3(1.5)");
  CHECK(edited("move, element=a, to=9.5") == "drift_0(4) b(2) drift_1(1.5) a(1) drift_2(0.5) a(1)");
  CHECK(edited("replace, element=a[2], by=m") ==
        "drift_0(1.5) a(1) drift_1(1.5) b(2) drift_2(2) "
        "m(0) drift_3(2)");
  CHECK(edited("select, flag=seqedit, class=a; remove, element=selected") ==
        "drift_0(4) b(2) drift_1(4)");
  CHECK(edited("flatten; reflect") ==
        "drift_0(1.5) a(1) drift_1(1.5) b(2) drift_2(1.5) a(1) drift_3(1.5)");
  fails(s + "install, element=x, at=1;", "there is no element 'x' to install");
  fails(s + "remove, element=x;", "there is no 'x' in 's'; ELEMENT names it");
  fails("install, element=x, at=1;", "'install' is no command");
  CHECK(shown(parse_madx(s + "install, element=m, at=1; install, element=m, at=9; endedit; "
                             "extract, sequence=s, from=m, to=m[2], newname=e;",
                         "x.madx")
                  .expand("e")) ==
        "m(0) drift_0(0.5) a(1) drift_1(1.5) b(2) drift_2(1.5) a(1) drift_3(0.5) m(0)");
}

TEST_CASE("sequences of MAD-X are sliced", "[io]") {
  const std::string s =
      "beam, particle=proton, pc=1; q: quadrupole, l=0.5, k1=1; k = 1;"
      "a: quadrupole, l=0.5, k1:=k, aperture={0.03}; m: monitor, l=0.2; d: drift, l=1; n: marker;"
      "b: sbend, l=1, angle=0.1; c: sequence, l=1; a, at=0.5; endsequence;"
      "o: sequence, l=2; c, at=1; endsequence; x: solenoid, l=0.5, ks=0.1;"
      "e: sequence, l=2, refer=entry; a, at=1; endsequence; l: line=(d, a);"
      "s: sequence, l=9; a, at=1; b, at=3; m, at=4; d, at=5; endsequence;"
      "w: sequence, l=9; q, at=1; endsequence; z: sequence, l=2; x, at=1; endsequence;"
      "v: sequence, l=2; b, at=1, dx=1e-3; endsequence; use, sequence=w;\n";
  const auto thin = [&](const std::string& statements, const std::string& name = "s") {
    return shown(parse_madx(s + statements, "x.madx", {.apertures = false}).expand(name));
  };
  CHECK(thin("makethin, sequence=s;") ==
        "drift_0(1) a(0) drift_1(1.5) b_den(0) drift_2(0.5) b(0) drift_3(0.5) b_dex(0) "
        "drift_4(0.5) m(0) drift_5(5)");
  CHECK(thin("select, flag=makethin, class=a, slice=2; makethin, sequence=s, style=simple,"
             "makedipedge=false;") ==
        "drift_0(0.875) a..1(0) drift_1(0.125) a(0) drift_2(0.125) a..2(0) drift_3(1.875) b(0) "
        "drift_4(1) m(0) drift_5(5)");
  CHECK(thin("makethin, sequence=l;", "l") == "drift_0(1.25) a(0) drift_1(0.25)");
  CHECK(thin("seqedit, sequence=s; flatten; install, element=n, at=2; cycle, start=n; endedit;"
             "makethin, sequence=s;") ==
        "n(0) drift_0(0.5) b_den(0) drift_1(0.5) b(0) drift_2(0.5) b_dex(0) drift_3(0.5) m(0) "
        "drift_4(6) a(0) drift_5(1) sn_p_(0)");
  CHECK(thin("makethin, sequence=e;", "e") == "drift_0(1) a(0.5) drift_1(0.5)");
  const auto file = parse_madx(
      s + "select, flag=makethin, class=a, slice=2; makethin, sequence=s; k=3;", "x.madx");
  CHECK(file.get("a..2", "k1l") == 0.75);
  CHECK(file.get("a..2", "lrad") == 0.25);
  CHECK(file.ignored().empty());
  const auto refused = [&](const std::string& statements, const std::string& message) {
    fails(s + statements, message);
  };
  refused("makethin, sequence=y;", "there is no sequence 'y' to make thin");
  refused("makethin, sequence=o;", "MAKETHIN does not slice sequences that are inside of others");
  refused("makethin, sequence=c;", "('c' is in 'o'); write before: seqedit, sequence=o; flatten;");
  refused("q, knl={1}; makethin, sequence=w;",
          "MAKETHIN does not cut integrated strengths of thick magnets");
  refused("makethin, sequence=v;", "a bend with a permanent displacement, is not implemented");
  refused("makethin, sequence=z; use, sequence=z;",
          "ksi cannot be 0.05 (solenoids without a length are not implemented)");
  refused("makethin, sequence=s, style=fine;", "STYLE of MAKETHIN cannot be 'fine'");
  refused("makethin, sequence=s, makeconsistent;", "MAKECONSISTENT of MAKETHIN is not supported");
  refused("makethin, sequence=s, stile=fine;", "'stile' is no attribute of MAKETHIN");
  refused("select, flag=makethin, slice=1.5;", "SLICE cannot be 1.5; it is a whole number");
  refused("select, flag=makethin, slice=-1;", "SLICE cannot be -1; it is a whole number");
  refused("select, flag=makethin, thick, slice=2; makethin, sequence=s;",
          "MAKETHIN makes no thick slices here");
}

TEST_CASE("a range past the end of a ring goes on at its start", "[io]") {
  const std::string ring =
      "q1: quadrupole, l=0.3, k1=1.1; q2: quadrupole, l=0.3, k1=-1.2; b: sbend, l=1, angle=0.1; "
      "s: sequence, l=8; q1, at=1; b, at=2.5; q2, at=4; b, at=6; endsequence; "
      "beam, particle=proton, pc=2; use, sequence=s, range=q2/b;";
  const BeamLine line = parse_madx(ring, "x.madx").expand("s");
  double length = 0.;
  for (const Element& element : line) length += length_of(element);
  CHECK(length == Catch::Approx(7.15));  // without the drift between b and q2
  CHECK(line.front().name == "q2");
  CHECK(line.back().name == "b");
}

TEST_CASE("part of a sequence of MAD-X is used", "[io]") {
  const std::string s =
      "a: drift, l=1; m: marker; n: marker; s: sequence, l=10; m, at=0; a, at=2; n, at=4; a, at=8; "
      "endsequence; beam; ";
  const auto used = [&](const std::string& range) {
    return expanded(s + "use, sequence=s, range=" + range + ";");
  };
  CHECK(used("m/n") == "m(0) drift_0(1.5) a(1) drift_1(1.5) n(0)");
  CHECK(used("n/#e") == "n(0) drift_0(3.5) a(1) drift_1(1.5)");
  CHECK(used("#s/a") == "m(0) drift_0(1.5) a(1)");
  CHECK(used("a[2]") == "a(1)");
  fails(s + "use, sequence=s, range=x/n;", "there is no 'x' in the sequence (RANGE names it)");
  // Past the end of the ring, as MAD-X' nodes are linked to a ring
  CHECK(used("n/m") == "n(0) drift_0(3.5) a(1) drift_1(1.5) m(0)");
  CHECK(used("a[2]/a") == "a(1) drift_0(1.5) m(0) drift_1(1.5) a(1)");
  CHECK(used("a[2]/n") == "a(1) drift_0(1.5) m(0) drift_1(1.5) a(1) drift_2(1.5) n(0)");
  CHECK(used("#e/a") == used("#s/a"));
  CHECK(used("n/#s") == used("n/#e"));
  CHECK(used("#e").empty());
  CHECK(used("#e/#s").empty());
}

TEST_CASE("elements that cannot be tracked are refused on an expanded line only", "[io]") {
  const std::string text =
      "w: wire, l=2; a: marker; good: sequence, l=1; a, at=0.5; endsequence;\n"
      "bad: sequence, l=4; w, at=2; endsequence;";
  CHECK(parse_madx(text, "x.madx").expand("good").size() == 3);
  test::check_refused([&] { parse_madx(text, "x.madx").expand("bad"); },
                      "x.madx: line 1, column 1: 'w' (wire) cannot be tracked");
  const auto skipped = parse_madx(text, "x.madx", {.skip_unknown = true}).expansion("bad");
  CHECK(shown(skipped.line) == "drift_0(1) w(2) drift_1(1)");
  CHECK(skipped.drifts == "wire (1)");
  test::check_refused<UsageError>([&] { parse_madx(text, "x.madx").expand("god"); },
                                  "there is no sequence or line 'god'; did you mean good?");
}

TEST_CASE("what MAD-X computes is passed over, what changes the machine is refused", "[io]") {
  const auto file = parse_madx(
      "title, 'a; b'; option, -echo, -warn; value, 1+2; twiss, save, file=x; select, flag=twiss, "
      "clear; set, format=\"22.14e\"; print, text=\"x\"; assign, echo=\"y\"; pi = 3; ;;",
      "x.madx");
  CHECK(file.ignored() == "assign (1), print (1), select (1), set (1), title (1), value (1)");
  CHECK(file.remarks().size() == 1);
  fails("match, sequence=s;", "'match' is not supported in files");
  fails("sixtrack;", "'sixtrack' is not supported (what it does to the machine");
  for (const char* changes : {"correct, mode=svd;", "threader;", "setvars, table=twiss, row=3;"}) {
    fails(changes, "is not supported (what it does to the machine");
    const auto skipping = parse_madx(changes, "x.madx", {.skip_unknown = true});
    CHECK(skipping.remarks().size() == 1);
    CHECK_FALSE(skipping.ignored().empty());
  }
  fails("makethin, sequence=s;", "there is no sequence 's' to make thin");
  fails("x = ranf();", "'ranf' is a random number");
}

TEST_CASE("damage of MAD-X files is refused with its place", "[io]") {
  fails("a = 12", "x.madx: line 1, column 7: the last statement has no end; add ;");
  fails("a = (1 + 2;", "x.madx: line 1, column 11: ')' is missing (for '(' in line 1, column 5)");
  fails("a = ;", "x.madx: line 1, column 5: a value is missing at the end of the statement");
  fails("a = 1 + * 2;", "x.madx: line 1, column 9: a value is missing before '*'");
  fails("a = foo(1);", "x.madx: line 1, column 5: there is no function 'foo'");
  fails("a = 1e999;", "'1e999' is too large");
  fails("a = 1 2;", "'2' is not expected here; statements end with ;");
  for (const char* undefined :
       {"sqrt(-1)", "log(0)", "log10(-2)", "asin(1.1)", "acos(-2)", "acosh(0.5)", "atanh(1)",
        "(-2)^0.5", "0^(-1)", "10^400", "exp(800)", "sin(2e9)"})
    fails(std::string("a = ") + undefined + ";", "the result is not a finite number");
  fails("a := b; b := a; c = a;", "'a' depends on itself");
  fails("a = q->l;", "there is no element 'q'");
  fails("\n  /* open", "x.madx: line 2, column 3: the comment is not closed; add */");
  fails("title, 'open", "quotation marks are not closed");
  fails("a ? b;", "x.madx: line 1, column 3: '?' means nothing here");
  fails("q: quadrupol, l=1;",
        "'quadrupol' is no type of element and no element; did you mean quadrupole?");
  fails("q: quadrupole, k2=1;",
        "x.madx: line 1, column 16: 'k2' is no attribute of quadrupole; did you mean k1?");
  fails("q: quadrupole; a: q; q: a;", "'q' would be derived from itself");
  fails("quadrupole: marker;", "'quadrupole' cannot be an element (it is a type)");
  fails("q, l=1;", "'q' is no command, and no element that is defined");
  fails("quadrupole, l=1;", "MAD-X skips statements that begin with a type");
  fails("s: sequence, l=1; marker; endsequence;", "write name: marker");
  fails("s: sequence, l=1;", "the sequence 's' has no end; add ENDSEQUENCE;");
  fails("a: marker; l: line=(2*-a);", "a sign is not expected after '*'");
  fails("d: drift, aperture={1};", "'aperture' is no attribute of drift");
  fails("endsequence;", "there is no sequence to end");
  fails("q: marker; s: sequence, l=1; q; endsequence;",
        "'q' has no place in the sequence; give it AT=");
  fails("s: sequence, l=1, refer=middle;", "REFER cannot be 'middle'");
  fails("q: marker; s: sequence, l=1; q, at=0.5, k9=1; endsequence;",
        "'k9' is no attribute of marker");
  fails("q: drift, l=1, &\n k1=2;", "'&' means nothing here (lines are continued so in MAD8");
  fails("q: marker; s: sequence, l=1; q, at=0.5, from=z; endsequence;", "there is no 'z' in 's'");
  fails("q: marker; s: sequence, l=1; q, at=0.5, from=q; endsequence;",
        "'q' is relative to itself");
  fails(
      "s: sequence, l=1; endsequence; t: sequence, l=1; s, at=0.5; endsequence; s: sequence, l=1; "
      "t, "
      "at=0.5; endsequence; use, sequence=s;",
      "sequences are nested too deeply; none may contain itself");
  fails("s: sequence, l=-1; endsequence;", "'s' has a negative length");
  fails("use, sequence=s;", "there is no sequence or line 's'");
  fails("use;", "USE has no sequence");
  fails("call;", "CALL has no file");
  fails("call, file=\"no.str\";", "no.str");
  fails("a = " + std::string(100000, '('), "parentheses are nested too deeply");
  std::string blocks;
  for (int i = 0; i < 10000; ++i) blocks += "if (1 > 0) {";
  fails(blocks, "blocks are nested too deeply");
  std::string chain = "a0 = 1;";
  for (int i = 1; i < 2000; ++i)
    chain += "a" + std::to_string(i) + " := a" + std::to_string(i - 1) + ";";
  fails(chain + "x = a1999;", "values depend on each other too deeply");
  std::string web = "q0: drift, l=1;";
  for (int i = 1; i < 60; ++i) {
    const std::string last = "q" + std::to_string(i - 1) + "->l";
    web += "q" + std::to_string(i) + ": drift, l:=" + last + "+" + last + ";";
  }
  fails(web + "x = q59->l;", "the value depends on too many others");
}
