// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of what expressions in lattice files give, of elements whose parameters they are, and of
// optics.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/beam/attributes.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/optics/match_optics.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/io/elegant/detail/lattice_expressions.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/madx/detail/madx_expressions.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>
#include <vector>

#include "golden_hashes.hpp"

namespace trackplex::test {
namespace {

constexpr int n_arguments = 1000;

/// Adds the values of a function of one number, where it has some.
void add_values(Fingerprint& hash, double (*function)(double)) {
  REQUIRE(function);
  RandomStream<double> random(1, 2);
  for (int i = 0; i < n_arguments; ++i) {
    const double near = random.uniform(-1., 1.);
    for (const double x : {near, 20. * near, 1. / near}) {
      const double value = function(x);
      hash.add(value == value ? value : 0.);  // the bits of a NaN are not promised
    }
  }
}

TEST_CASE("Functions in lattice files have the same values everywhere", "[reproducibility]") {
  Fingerprint of_elegant, of_madx;
  for (const char* name :
       {"sin",   "cos",   "tan",   "asin",   "acos",       "atan",       "exp",    "ln",
        "sqrt",  "log10", "sinh",  "cosh",   "tanh",       "dsin",       "dcos",   "dtan",
        "dasin", "dacos", "datan", "beta.p", "gamma.p",    "beta.gamma", "p.beta", "p.gamma",
        "sqr",   "int",   "dtor",  "rtod",   "gamma.beta", "abs"})
    add_values(of_elegant, io::detail::lattice_function(name));
  for (const char* name : {"sqrt", "log",  "log10", "exp",  "sin",   "cos",   "tan",   "asin",
                           "acos", "atan", "sinh",  "cosh", "tanh",  "asinh", "acosh", "atanh",
                           "sinc", "erf",  "erfc",  "abs",  "floor", "ceil",  "round", "frac"})
    add_values(of_madx, io::detail::madx_function(name));
  CHECK(of_elegant.hex() == elegant_functions_golden);
  CHECK(of_madx.hex() == madx_functions_golden);

  Fingerprint of_powers;
  RandomStream<double> random(3, 4);
  for (int i = 0; i < n_arguments; ++i) {
    const double x = random.uniform(0., 10.), y = random.uniform(-9., 9.);
    of_powers.add(pow(x, y)).add(pow(x, floor(y))).add(pow(-x, floor(y)));
  }
  CHECK(of_powers.hex() == powers_golden);
}

TEST_CASE("Elements of lattice files are the same everywhere", "[reproducibility]") {
  const auto hash_of = [](const beam::BeamLine& line) {
    Fingerprint hash;
    for (const auto& element : line) {
      hash.add(beam::length_of(element));
      for (const auto& component : beam::map_of(element).component)
        hash.add(component.c).add(component.r);
    }
    return hash.hex();
  };
  CHECK(hash_of(io::parse_elegant_lattice("% 0.31 sin 2 pow 1.7 exp / sto k\n"
                                          "Q: QUAD, L=\"0.3 3 log10 *\", K1=k, TILT=\"0.1 tan\"\n"
                                          "B: RBEN, L=0.9, ANGLE=\"11.25 dtor\", E1=0.02\n"
                                          "S: SOLE, L=0.4, KS=\"0.2 asin\"\n"
                                          "LINE1: LINE=(Q, B, S)\n",
                                          "x.lte")
                    .expand()) == elegant_elements_golden);
  CHECK(hash_of(io::parse_madx("beam, particle=proton, pc=sqrt(7)^1.3;\n"
                               "k := atan(0.3)^0.7 * exp(-0.2);\n"
                               "q: quadrupole, l=0.3, k1:=k, tilt=log(1.1);\n"
                               "b: rbend, l=0.9, angle=2*pi/33;\n"
                               "r: solenoid, l=0.2, ks:=erf(0.2);\n"
                               "s: sequence, l=4; q, at=0.5; b, at=2; r, at=3; endsequence;",
                               "x.madx")
                    .expand()) == madx_elements_golden);
}

TEST_CASE("Optics of rings are the same everywhere", "[reproducibility]") {
  const auto ring = [](const std::string& solenoid) {
    return io::parse_elegant_lattice(
               "QF: QUAD, L=0.5, K1=0.5\nQD: QUAD, L=0.5, K1=-0.5\nD: DRIF, L=1\n"
               "B: SBEN, L=2, ANGLE=\"6.283185307179586 16 /\"\nS: SOLE, L=0.4, KS=" +
                   solenoid + "\nCELL: LINE=(QF, D, B, D, QD, D, B, D)\nRING: LINE=(8*CELL, S)\n",
               "x.lte")
        .expand();
  };
  Fingerprint hash;
  for (const std::string solenoid : {"0", "0.1"}) {
    const auto line = ring(solenoid);
    const auto optics = beam::periodic_twiss(beam::map_of(line, 1));
    hash.add(optics.tune_x).add(optics.tune_y);
    for (const auto& at : beam::optics_along(line, optics.start)) {
      hash.add(at.x.beta).add(at.x.alpha).add(at.y.beta).add(at.y.alpha);
      hash.add(at.phase_x).add(at.phase_y).add(at.dispersion);
      hash.add(at.first_in_y.beta()).add(at.second_in_x.beta());
    }
  }
  CHECK(hash.hex() == optics_golden);
}

TEST_CASE("Matched strengths are the same everywhere", "[reproducibility]") {
  beam::VariedElements varied(
      io::parse_elegant_lattice(
          "QF: QUAD, L=0.5, K1=0.5\nQD: QUAD, L=0.5, K1=-0.5\nD: DRIF, L=1\n"
          "SF: SEXT, L=0.1\nSD: SEXT, L=0.1\nB: SBEN, L=2, ANGLE=\"6.283185307179586 16 /\"\n"
          "CELL: LINE=(QF, SF, D, B, D, QD, SD, D, B, D)\nRING: LINE=(8*CELL)\n",
          "x.lte")
          .expand());
  std::vector<beam::MatchVariable> variables;
  for (const char* name : {"QF", "QD"})
    variables.push_back(varied.add(name, beam::ElementAttribute("K1")));
  for (const char* name : {"SF", "SD"})
    variables.push_back(varied.add(name, beam::ElementAttribute("K2")));
  const auto result = beam::match_optics(
      {[&](const auto& values) { return varied(values); },
       [](const beam::BeamLine& line) { return beam::periodic_optics_along(line); }},
      variables,
      {{.quantity = "qx", .value = 1.31},
       {.quantity = "qy", .value = 1.28},
       {.quantity = "dqx", .value = 0.},
       {.quantity = "dqy", .value = 0.}});
  CHECK(result.is_matched());
  Fingerprint hash;
  for (const auto& variable : result.variables) hash.add(variable.after);
  CHECK(hash.hex() == matched_strengths_golden);
}

}  // namespace
}  // namespace trackplex::test
