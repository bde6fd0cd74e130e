// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/beam/optics/match_optics.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/random.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::ContainsSubstring;

namespace {

using Relation = MatchTarget::Relation;

bool is_near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

/// Thin quadrupoles in a cell of a length, m.
BeamLine thin_cell(double cell_length, double k1l) {
  const double length = 1e-6;
  const Element qf{"QF", Quadrupole{.length = length, .k1 = k1l / length}};
  const Element qd{"QD", Quadrupole{.length = length, .k1 = -k1l / length}};
  const Element drift{"D", Drift{.length = 0.5 * cell_length - length}};
  return {qf, drift, qd, drift};
}

/// A ring of cells with bends and sextupoles.
BeamLine ring(int cells) {
  const double angle = std::numbers::pi / cells;
  const Element qf{"QF", Quadrupole{.length = 0.2, .k1 = 1.5}};
  const Element qd{"QD", Quadrupole{.length = 0.2, .k1 = -1.5}};
  const Element sf{"SF", Sextupole{.length = 0.1}}, sd{"SD", Sextupole{.length = 0.1}};
  const Element bend{"B", Bend{.magnet = {.length = 0.6, .angle = angle}}};
  const Element drift{"D", Drift{.length = 0.3}};
  BeamLine line;
  for (int i = 0; i < cells; ++i)
    for (const auto& element : {qf, sf, drift, bend, drift, qd, sd, drift, bend, drift})
      line.push_back(element);
  return line;
}

/// A transfer line of four quadrupoles.
BeamLine transfer_line(const std::vector<double>& k1) {
  BeamLine line;
  for (std::size_t i = 0; i < k1.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    line.push_back({"D" + number, Drift{.length = 1.}});
    line.push_back({"Q" + number, Quadrupole{.length = 0.2, .k1 = k1[i]}});
  }
  line.push_back({"D", Drift{.length = 1.}});
  return line;
}

Optics start_of_transfer() {
  Optics start;
  start.x = {5., 0.5};
  start.y = {3., -0.5};
  start.dispersion[0] = 0.1;
  return start;
}

MatchFunctions of_ring(const VariedElements& varied) {
  return {[&](const auto& values) { return varied(values); },
          [](const BeamLine& line) { return periodic_optics_along(line); }};
}
MatchFunctions of_transfer(const VariedElements& varied) {
  return {[&](const auto& values) { return varied(values); },
          [](const BeamLine& line) {
            return OpticsAlong{.optics = optics_along(line, start_of_transfer())};
          }};
}

MatchVariable within(MatchVariable variable, double lower, double upper) {
  variable.unknown.lower = lower;
  variable.unknown.upper = upper;
  return variable;
}

/// Strengths of the transfer line that are to be found.
const std::vector<double> wanted_k1 = {1.1, -1.7, 1.9, -0.8};

std::vector<MatchTarget> targets_at_end(const std::vector<double>& k1 = wanted_k1) {
  const auto end = optics_along(transfer_line(k1), start_of_transfer()).back();
  return {{.quantity = "betx", .place = "end", .value = end.x.beta},
          {.quantity = "alfx", .place = "end", .value = end.x.alpha},
          {.quantity = "bety", .place = "end", .value = end.y.beta},
          {.quantity = "alfy", .place = "end", .value = end.y.alpha}};
}

}  // namespace

TEST_CASE("a cell of thin quadrupoles is matched to the textbook", "[beam]") {
  // sin(mu/2) = L/(4 f)
  VariedElements varied(thin_cell(4., 0.3));
  const auto variables = {varied.add("qf", ElementAttribute("k1l")),
                          varied.add("qd", ElementAttribute("k1l"))};
  for (const double tune : {0.25, 1. / 6., 0.4}) {
    const auto result =
        match_optics(of_ring(varied), variables,
                     {{.quantity = "Qx", .value = tune}, {.quantity = "nuy", .value = tune}});
    CHECK(result.is_matched());
    CHECK(result.is_finished);
    CHECK(result.complaint().empty());
    const double k1l = 4. * std::sin(std::numbers::pi * tune) / 4.;
    CHECK(is_near(result.variables[0].after, k1l, 1e-5));
    CHECK(is_near(result.variables[1].after, -k1l, 1e-5));
    CHECK(result.variables[0].before == 0.3);
    const auto optics = periodic_twiss(map_of(result.line, 1));
    CHECK(is_near(optics.tune_x, tune, 1e-10));
    CHECK(is_near(optics.tune_y, tune, 1e-10));
  }
}

TEST_CASE("tunes of a ring are matched with their whole turns", "[beam]") {
  VariedElements varied(ring(10));
  const auto variables = {varied.add("qf", ElementAttribute("k1")),
                          varied.add("qd", ElementAttribute("K1"))};
  const auto result =
      match_optics(of_ring(varied), variables,
                   {{.quantity = "q1", .value = 2.31}, {.quantity = "q2", .value = 2.27}});
  CHECK(result.is_matched());
  const auto end = periodic_optics_along(result.line).optics.back();
  CHECK(is_near(end.phase_x, 2.31 * 2. * std::numbers::pi, 1e-9));
  CHECK(is_near(end.phase_y, 2.27 * 2. * std::numbers::pi, 1e-9));
  CHECK(is_near(result.targets[0].after, 2.31, 1e-10));
}

TEST_CASE("chromaticities are matched with two families of sextupoles", "[beam]") {
  VariedElements varied(ring(10));
  const auto variables = {varied.add("sf", ElementAttribute("k2")),
                          varied.add("sd", ElementAttribute("k2"))};
  const auto result =
      match_optics(of_ring(varied), variables,
                   {{.quantity = "dqx", .value = 0.}, {.quantity = "dqy", .value = 1.}});
  CHECK(result.is_matched());
  // they are linear in the strengths
  CHECK(result.iterations <= 8);
  const BeamLine& line = result.line;
  const auto turn = map_of(line, 2);
  const auto change = chromaticity(turn, periodic_twiss(turn), length_of(line));
  CHECK(is_near(change.x, 0., 1e-9));
  CHECK(is_near(change.y, 1., 1e-9));
  CHECK(result.targets[0].before < -0.5);
  CHECK(result.variables[0].after > 0.);
  CHECK(result.variables[1].after < 0.);
}

TEST_CASE("Twiss functions at the end of a line are matched", "[beam]") {
  VariedElements varied(transfer_line({1., -1.5, 1.5, -1.}));
  std::vector<MatchVariable> variables;
  for (const char* name : {"q1", "q2", "q3", "q4"})
    variables.push_back(varied.add(name, ElementAttribute("k1")));
  const auto targets = targets_at_end();
  const auto result = match_optics(of_transfer(varied), variables, targets);
  CHECK(result.is_matched());
  for (std::size_t i = 0; i < targets.size(); ++i)
    CHECK(is_near(result.targets[i].after, targets[i].value, 1e-8));
  const auto end = optics_along(result.line, start_of_transfer()).back();
  CHECK(is_near(end.x.beta, targets[0].value, 1e-8));
  CHECK(is_near(end.y.alpha, targets[3].value, 1e-8));
}

TEST_CASE("most lines of four quadrupoles are matched", "[beam]") {
  RandomStream<double> random(1, 2);
  const auto strengths = [&] {
    std::vector<double> k1 = {1., -1.5, 1.5, -1.};
    for (double& k : k1) k *= random.uniform(0.5, 1.5);
    return k1;
  };
  int matched = 0;
  const int lines = 100;
  for (int i = 0; i < lines; ++i) {
    VariedElements varied(transfer_line(strengths()));
    std::vector<MatchVariable> variables;
    for (const char* name : {"q1", "q2", "q3", "q4"})
      variables.push_back(varied.add(name, ElementAttribute("k1")));
    const auto result = match_optics(of_transfer(varied), variables, targets_at_end(strengths()));
    matched += result.is_matched();
  }
  CHECK(matched == lines);
}

TEST_CASE("more targets than variables are met if they agree, else as well as possible", "[beam]") {
  VariedElements varied(transfer_line({1.2, -1.7, 1.9, -0.9}));
  const auto variables = {varied.add("q1", ElementAttribute("k1")),
                          varied.add("q4", ElementAttribute("k1"))};
  auto targets = targets_at_end();
  const auto end = optics_along(transfer_line(wanted_k1), start_of_transfer()).back();
  targets.push_back({.quantity = "etax", .place = "end", .value = end.dispersion[0]});
  targets.push_back({.quantity = "psiy", .place = "end", .value = end.phase_y});
  const auto result = match_optics(of_transfer(varied), variables, targets);
  CHECK(result.is_matched());
  CHECK(is_near(result.variables[0].after, wanted_k1[0], 1e-9));
  CHECK(is_near(result.variables[1].after, wanted_k1[3], 1e-9));

  // two values of one number: their mean, weighted by the squares of the tolerances
  const std::vector<MatchTarget> both = {
      {.quantity = "betx", .place = "end", .value = 4., .tolerance = 1.},
      {.quantity = "betx", .place = "end", .value = 5., .tolerance = 0.5}};
  const auto between = match_optics(of_transfer(varied), variables, both);
  CHECK(is_near(between.targets[0].after, (4. + 4. * 5.) / 5., 1e-5));
  CHECK(between.is_matched());  // within the tolerances
  CHECK(between.is_finished);
}

TEST_CASE("less targets than variables are met", "[beam]") {
  VariedElements varied(transfer_line({1., -1.5, 1.5, -1.}));
  std::vector<MatchVariable> variables;
  for (const char* name : {"q1", "q2", "q3", "q4"})
    variables.push_back(varied.add(name, ElementAttribute("k1")));
  const auto result = match_optics(of_transfer(varied), variables,
                                   {{.quantity = "betax", .place = "end", .value = 7.}});
  CHECK(result.is_matched());
  CHECK(is_near(optics_along(result.line, start_of_transfer()).back().x.beta, 7., 1e-8));
}

TEST_CASE("targets that cannot be met are told", "[beam]") {
  VariedElements varied(thin_cell(4., 0.3));
  const auto variables = {varied.add("q*", ElementAttribute("k1"), true)};
  const auto result =
      match_optics(of_ring(varied), variables,
                   {{.quantity = "qx", .value = 0.2}, {.quantity = "qy", .value = 0.3}});
  CHECK(!result.is_matched());
  CHECK(result.is_finished);
  CHECK_THAT(result.complaint(), ContainsSubstring("qx = 0.2 became 0.2") &&
                                     ContainsSubstring("with q*.k1 (factor) = "));
  // as well as possible: between them
  CHECK(is_near(result.targets[0].after, 0.25, 1e-4));
}

TEST_CASE("variables stay within their limits", "[beam]") {
  VariedElements varied(thin_cell(4., 0.3));
  const auto qf = varied.add("qf", ElementAttribute("k1l")),
             qd = varied.add("qd", ElementAttribute("k1l"));
  const std::vector<MatchTarget> targets = {{.quantity = "qx", .value = 0.25},
                                            {.quantity = "qy", .value = 0.25}};
  const auto wide =
      match_optics(of_ring(varied), {within(qf, 0., 1.), within(qd, -1., 0.)}, targets);
  CHECK(wide.is_matched());
  const auto narrow =
      match_optics(of_ring(varied), {within(qf, 0., 0.5), within(qd, -1., 0.)}, targets);
  CHECK(!narrow.is_matched());
  CHECK(narrow.variables[0].after == 0.5);
  CHECK(narrow.variables[0].is_at_limit());
  CHECK_THAT(narrow.complaint(), ContainsSubstring("qf.k1l = 0.5 (its limit)"));
  CHECK_THROWS_WITH(match_optics(of_ring(varied), {within(qf, 0.4, 1.)}, targets),
                    ContainsSubstring("qf.k1l: 0.3 is not within its limits (0.4 to 1)"));
}

TEST_CASE("a number of the optics may have a limit", "[beam]") {
  VariedElements varied(transfer_line({1., -1.5, 1.5, -1.}));
  std::vector<MatchVariable> variables;
  for (const char* name : {"q1", "q2", "q3", "q4"})
    variables.push_back(varied.add(name, ElementAttribute("k1")));
  std::vector<MatchTarget> targets = {
      {.quantity = "betx", .place = "*", .value = 5., .relation = Relation::at_most},
      {.quantity = "bety", .place = "end", .value = 3., .relation = Relation::at_least}};
  const auto result = match_optics(of_transfer(varied), variables, targets);
  CHECK(result.targets[0].before > 5.5);
  CHECK(result.is_matched());
  double largest = 0.;
  const auto along = optics_along(result.line, start_of_transfer());
  for (std::size_t i = 1; i < along.size(); ++i) largest = std::max(largest, along[i].x.beta);
  CHECK(largest <= 5. + 1e-6);
  CHECK(result.targets[0].after == largest);
  CHECK(along.back().y.beta >= 3. - 1e-6);
  CHECK(result.targets[0].name == "betx@* < 5");
}

TEST_CASE("targets are at the places that are named", "[beam]") {
  const auto along = periodic_optics_along(ring(4));
  VariedElements varied(ring(4));
  const auto variables = {varied.add("qf", ElementAttribute("k1"))};
  const auto before = [&](const std::string& place, int occurrence) {
    return match_optics(
               of_ring(varied), variables,
               {{.quantity = "muy", .place = place, .occurrence = occurrence, .value = 0.}},
               {.iterations = 1})
        .targets[0]
        .before;
  };
  const auto turns = [&](std::size_t place) {
    return along.optics[place].phase_y / (2. * std::numbers::pi);
  };
  CHECK(before("start", 0) == 0.);
  CHECK(is_near(before("end", 0), turns(40), 1e-15));
  CHECK(is_near(before("qd", 1), turns(6), 1e-15));
  CHECK(is_near(before("qd", 3), turns(26), 1e-15));
  CHECK(is_near(before("QD", 0), turns(36), 1e-15));  // the worst
}

TEST_CASE("matching refuses what it cannot do", "[beam]") {
  VariedElements varied(ring(4));
  const auto qf = varied.add("qf", ElementAttribute("k1"));
  const auto fail = [&](const MatchTarget& target, const std::string& words) {
    CHECK_THROWS_WITH(match_optics(of_ring(varied), {qf}, {target}), ContainsSubstring(words));
  };
  fail({.quantity = "beta", .place = "end"}, "no quantity 'beta'");
  fail({.quantity = "beta", .place = "end"}, "betax, alphax");
  fail({.quantity = "betx"}, "it has no place; give one: betx@end");
  fail({.quantity = "betx", .place = "qz"}, "the line has no element 'qz'");
  fail({.quantity = "betx", .place = "qd", .occurrence = 5}, "the line has 4 of these elements");
  fail({.quantity = "qx", .place = "end"}, "qx is of the whole ring");
  fail({.quantity = "qx", .value = NAN}, "no meaning");
  fail({.quantity = "qx", .tolerance = 0.}, "no meaning");
  CHECK_THROWS_WITH(match_optics(of_ring(varied), {}, {{.quantity = "qx"}}),
                    ContainsSubstring("no variables"));
  CHECK_THROWS_WITH(match_optics(of_ring(varied), {qf}, {}), ContainsSubstring("no targets"));
  CHECK_THROWS_WITH(match_optics(of_transfer(varied), {qf}, {{.quantity = "qx"}}),
                    ContainsSubstring("not those of a ring"));
  VariedElements unstable(thin_cell(4., 2.));
  CHECK_THROWS_WITH(match_optics(of_ring(unstable), {unstable.add("qf", ElementAttribute("k1"))},
                                 {{.quantity = "qx", .value = 0.2}}),
                    ContainsSubstring("no optics to begin with") &&
                        ContainsSubstring("begin with other strengths"));
  CHECK_THROWS_WITH(varied.add("qz", ElementAttribute("k1")),
                    ContainsSubstring("the line has no element 'qz'"));
  CHECK_THROWS_WITH(varied.add("d", ElementAttribute("k1")),
                    ContainsSubstring("'D' has no k1 (it is a drift); it has l"));
  CHECK_THROWS_WITH(varied.add("q?", ElementAttribute("k1l")),
                    ContainsSubstring("'QF' is in another variable already"));
  CHECK_THROWS_WITH(VariedElements(ring(4)).add("q?", ElementAttribute("k1")),
                    ContainsSubstring("different values (-1.5 to 1.5)"));
  CHECK_THROWS_WITH(VariedElements(ring(4)).add("s?", ElementAttribute("k2"), true),
                    ContainsSubstring("does not change elements of value 0"));
  CHECK_THROWS_WITH(ElementAttribute("k1x"), ContainsSubstring("no attribute 'k1x'"));
}

TEST_CASE("attributes of elements by name", "[beam]") {
  const auto check = [](const Element& element, const char* name, double value) {
    CAPTURE(element.kind.family(), name);
    const ElementAttribute attribute(name);
    REQUIRE(attribute.of(element));
    CHECK(is_near(*attribute.of(element), value, 1e-15));
    const auto changed = attribute.changed(element, 0.25);
    CHECK(is_near(*attribute.of(changed), 0.25, 1e-15));
    CHECK(changed.name == element.name);
    CHECK(is_near(*attribute.of(element), value, 1e-15));
  };
  const Element quadrupole{"q", CanonicalQuadrupole{.length = 0.5, .k1 = 3.}};
  check(quadrupole, "K1", 3.);
  check(quadrupole, "kn1", 3.);
  check(quadrupole, "k1l", 1.5);
  check(quadrupole, "knl[1]", 1.5);
  check(quadrupole, "Length", 0.5);
  CHECK(!ElementAttribute("k2").of(quadrupole));
  CHECK(!ElementAttribute("k1s").of(quadrupole));
  CHECK(attributes_of(quadrupole) == "l, k1, k1l");
  const Element thin{"m", CanonicalMultipole{.field = {{0., 0., 2.}, {0.1}}}};
  check(thin, "knl[2]", 2.);
  check(thin, "k2l", 2.);
  check(thin, "ksl[0]", -0.1);
  check(thin, "k5sl", 0.);
  CHECK(!ElementAttribute("k2").of(thin));
  const Element thick{"t", CanonicalMultipole{.length = 0.5, .field = {{0., 2.}, {}}}};
  check(thick, "k1", 4.);
  check(thick, "k1s", 0.);
  check({"s", Sextupole{.length = 0.1, .k2 = 7., .j1 = -2.}}, "ks1", 2.);
  check({"o", Octupole{.length = 0.1, .k3 = 7.}}, "k3", 7.);
  check({"b", Bend{.magnet = {.length = 2., .angle = 0.1, .k1 = 0.3}}}, "k1l", 0.6);
  const Element bend{"b", CanonicalBend{.length = 2., .angle = 0.1, .strengths = {0.3}}};
  check(bend, "k1", 0.3);
  check(bend, "k2", 0.);
  CHECK(!ElementAttribute("l").of(bend));
  CHECK(!ElementAttribute("k0").of(bend));
  check({"t", ThinBend{.angle = 0.1, .field = {{0.1, 0.2}, {}}}}, "knl[1]", 0.2);
  check({"k", Kicker{.horizontal = 1e-3, .vertical = 2e-3}}, "vkick", 2e-3);
  check({"k", ExactKicker{.horizontal = 1e-3}}, "hkick", 1e-3);
  check({"s", ExactSolenoid{.length = 1., .ks = 0.2}}, "ks", 0.2);
  CHECK(ElementAttribute("hkick").steers());
  CHECK(ElementAttribute("k0l").steers());
  CHECK(!ElementAttribute("k1").steers());
  CHECK(attributes_of({"m", Marker{}}).empty());
  CHECK_THROWS_WITH(ElementAttribute("k1").changed({"m", Marker{}}, 1.),
                    ContainsSubstring("'m': it has no k1 (it is a marker)"));
  CHECK_THROWS_AS(ElementAttribute("l").changed(quadrupole, -1.), UsageError);
  for (const char* name : {"", "k", "k1sk", "knl[1", "knl[]", "k99", "ks1s", "angle"})
    CHECK(!ElementAttribute::is_name(name));
}
