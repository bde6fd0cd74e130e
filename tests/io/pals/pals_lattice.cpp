// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/map_element.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/beam/optics/floor_plan.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>
#include <utility>
#include <vector>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;
using Catch::Approx;

namespace {

PalsLine parse(const std::string& text, const PalsOptions& options = {}) {
  return parse_pals(text, "line.pals.yaml", options);
}

/// A file of these items of a facility, and a line of protons of these items.
std::string file_of(const std::string& facility, const std::string& items) {
  return "PALS:\n  facility:\n" + facility +
         "    - start: {kind: BeginningEle, ReferenceP: {species_ref: proton, pc_ref: 1e9}}\n"
         "    - ring: {kind: BeamLine, line: [start, " +
         items + "]}\n    - all: {kind: Lattice, branches: [ring]}\n";
}
/// The same of one element, in JSON or YAML.
std::string file_of(const std::string& element) {
  return file_of("    - e: {" + element + "}\n", "e");
}

/// The element of a kind in a line of one.
template <class E>
E element(const std::string& values, const PalsOptions& options = {}) {
  CAPTURE(values);
  const PalsLine line = parse(file_of(values), options);
  REQUIRE(line.line.size() == 2);
  const E* const found = line.line[1].kind.template as<E>();
  REQUIRE(found);
  return *found;
}

std::vector<std::string> names_of(const PalsLine& line) {
  std::vector<std::string> names;
  for (const Element& element : line.line) names.push_back(element.name);
  return names;
}
/// Names of the elements after the beginning, with spaces.
std::string order_of(const std::string& text, const PalsOptions& options = {}) {
  std::string order;
  for (const std::string& name : names_of(parse(text, options)))
    if (name != "start") order += (order.empty() ? "" : " ") + name;
  return order;
}

void check_refused(const std::string& text, const std::string& part_of_message) {
  CAPTURE(text);
  test::check_refused([&] { return parse(text); }, part_of_message);
}
void check_element_refused(const std::string& values, const std::string& part_of_message) {
  check_refused(file_of(values), part_of_message);
}

/// A folder of files that is removed again.
struct Folder {
  std::filesystem::path path;
  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("trackplex_pals_" + name)) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path / "parts");
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const std::string& name, const std::string& text) const {
    write_file(path / name, text);
  }
};

/// A value of the length, or of the named strength, of the first element of a name.
double value_of(const PalsLine& line, const std::string& name, const std::string& path) {
  for (const Element& one : line.line) {
    if (one.name != name) continue;
    if (path == "length") return one.kind.length();
    const bool is_integrated = path.back() == 'L';
    if (const auto* const quadrupole = one.kind.as<ChromaticQuadrupole>())
      return quadrupole->k1 * (is_integrated ? quadrupole->length : 1.);
    const auto* const magnet = one.kind.as<CanonicalMultipole>();
    return magnet ? Multipoles::of(magnet->field.normal, 1) / (is_integrated ? 1. : magnet->length)
                  : 0.;
  }
  FAIL("there is no element " + name);
  return 0.;
}

}  // namespace

TEST_CASE("Lattices of the PALS corpus have their values", "[io]") {
  const auto folder = test::data_or_skip(std::filesystem::path("formats") / "pals");
  const auto expected = nlohmann::json::parse(read_file(folder / "expected.json"));
  const PalsParticle proton{"proton", 938272088.16, 1., 1e9};
  for (const auto& [file, values] : expected.items()) {
    CAPTURE(file);
    const PalsLine line = read_pals(folder / "examples" / file, {.particle = proton});
    if (values.contains("length_m"))
      CHECK(length_of(line.line) == Approx(double(values["length_m"])).epsilon(1e-10));
    if (values.contains("elements") && values["elements"].is_array())
      CHECK(names_of(line) == values["elements"].get<std::vector<std::string>>());
    if (values.contains("elements") && values["elements"].is_number())
      CHECK(line.line.size() == values["elements"]);
    for (const auto& [key, value] : values.items()) {
      const auto dot = key.find('.');
      if (dot == key.npos || !value.is_number() || key == "low.cur") continue;
      CAPTURE(key);
      CHECK(value_of(line, key.substr(0, dot), key.substr(dot + 1)) ==
            Approx(double(value)).epsilon(1e-9));
    }
  }
}

TEST_CASE("All lattices of the PALS corpus are read", "[io]") {
  const auto folder = test::data_or_skip(std::filesystem::path("formats") / "pals" / "examples");
  const PalsParticle proton{"proton", 938272088.16, 1., 1e9};
  int read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".pals.yaml") || path.find("loading") != path.npos) continue;
    CAPTURE(path);
    const bool has_branches = path.find("fork_existing_branch") != path.npos;
    CHECK(
        !read_pals(path, {.branch = has_branches ? "ring" : "", .particle = proton}).line.empty());
    ++read;
  }
  CHECK(read >= 20);
}

TEST_CASE("IOTA of the PALS corpus has its tunes", "[io]") {
  const auto folder = test::data_or_skip(std::filesystem::path("formats") / "pals");
  const auto values = nlohmann::json::parse(read_file(folder / "expected.json"))["iota.pals.yaml"];
  const PalsLine ring = read_pals(folder / "examples" / "iota.pals.yaml");
  CHECK(ring.is_periodic);
  CHECK(ring.line.size() == values["elements_without_begin"]);  // 101 and the beginning
  CHECK(length_of(ring.line) == Approx(double(values["length_m"])).epsilon(1e-11));
  double angle = 0.;
  for (const Element& one : ring.line) angle += one.kind.axis_bend().angle;
  CHECK(angle == Approx(double(values["sum_of_bend_angles"])).epsilon(1e-10));
  REQUIRE(ring.particle);
  CHECK(std::hypot(ring.particle->p0c, ring.particle->mass) ==
        Approx(940.77208816e6).epsilon(1e-14));
  OrbitTracker<HostExecutor> tracker(HostExecutor(), ring.line, ring.particle->p0());
  const PeriodicOptics at = periodic_twiss(tracker.turn_about(tracker.closed_orbit(0.)));
  CHECK(at.tune_x == Approx(double(values["qx"]) - 5.).margin(1e-7));
  CHECK(at.tune_y == Approx(double(values["qy"]) - 5.).margin(1e-7));
  CHECK(at.start.x.beta == Approx(double(values["betx_begin"])).epsilon(1e-6));
  CHECK(at.start.y.beta == Approx(double(values["bety_begin"])).epsilon(1e-6));
  CHECK(at.start.dispersion[0] == Approx(double(values["dx_begin"])).margin(1e-6));
}

TEST_CASE("Elements of the PALS corpus have their parameters", "[io]") {
  const auto folder = test::data_or_skip(std::filesystem::path("formats") / "pals") / "examples" /
                      "unit_tests" / "elements";
  const PalsLine line = read_pals(folder / "drift_quad_bend.pals.yaml");
  REQUIRE(line.particle);
  CHECK(line.particle->p0c == Approx(999999869.4400281).epsilon(1e-14));
  CHECK(line.particle->charge == -1.);
  CHECK(line.line[2].kind.as<ChromaticQuadrupole>()->k1 ==
        Approx(-0.35975099656908).epsilon(1e-12));
  CHECK(line.line[3].kind.axis_bend().angle == Approx(0.15).epsilon(1e-14));
  const auto places = floor_plan(line.line);
  CHECK(places[4].position[0] == Approx(-0.11228922063957758).epsilon(1e-12));
  CHECK(places.back().position[2] == Approx(4.983152402672034).epsilon(1e-12));

  const PalsLine bend = read_pals(folder / "bend_angle_radius.pals.yaml");
  CHECK(bend.line[1].kind.length() == Approx(1.).epsilon(1e-14));
  const PalsLine voltage = read_pals(folder / "rf_gradient.pals.yaml");
  REQUIRE(voltage.line[1].kind.as<RfCavity>());
  CHECK(voltage.line[1].kind.as<RfCavity>()->voltage == Approx(4e7));
}

TEST_CASE("Lines of PALS", "[io]") {
  const std::string parts =
      "    - a: {kind: Marker}\n    - b: {kind: Drift, length: 1}\n    - c: {kind: Marker}\n"
      "    - abc: {kind: BeamLine, line: [a, b, c]}\n    - inner: {kind: BeamLine, line: [abc, "
      "a]}\n";
  CHECK(order_of(file_of(parts, "abc, b")) == "a b c b");
  CHECK(order_of(file_of(parts, "abc: {repeat: 2}")) == "a b c a b c");
  CHECK(order_of(file_of(parts, "abc: {repeat: -2}")) == "c b a c b a");
  CHECK(order_of(file_of(parts, "abc: {direction: -1}")) == "c b a");
  CHECK(order_of(file_of(parts, "inner: {repeat: -1}")) == "a c b a");
  CHECK(order_of(file_of(parts, "inner: {direction: -1, repeat: -1}")) == "a b c a");
  CHECK(order_of(file_of(parts, "b: {repeat: 1 + 2}")) == "b b b");
  CHECK(order_of(file_of(parts, "x: {kind: BeamLine, line: [c, b]}, p: {kind: Placeholder}")) ==
        "c b");
  CHECK(order_of(file_of(parts, "later") + "    - later: {kind: BeamLine, line: [c]}\n") == "c");
  CHECK(order_of(file_of(parts, "a"), {.branch = "inner"}) == "a b c a");
  CHECK(parse(file_of(parts, "start, a")).line.size() == 2);
  CHECK(order_of(file_of(parts + "    - m: {kind: BeamLine, multipass: true, line: [a, b]}\n",
                         "m, c, m")) == "a b c a b");

  check_refused(file_of(parts, "d"), "no element or line \"d\"");
  check_refused(file_of(parts, "abd"), "did you mean abc?");
  check_refused(file_of(parts, "b: {repeat: 1.5}"), "whole number");
  check_refused(file_of(parts, "b: {repeat: 0}"), "repeat is 0");
  check_refused(file_of(parts, "b: {direction: 2}"), "1 nor -1");
  check_refused(file_of(parts, "b: {placement: {offset: -1}}"), "placement");
  check_refused(file_of(parts, "b: {placement: {base_item: a}}"), "\"base_item\"");
  check_refused(file_of(parts, "b: {placement: {to_point: CENTER}}"), "\"to_point\"");
  check_refused(file_of(parts, "abc: {length: 1}"), "a line in a line");
  check_refused(file_of(parts, "ring"), "contains itself");
  check_refused(
      file_of(
          parts + "    - x: {kind: BeamLine, line: [y]}\n    - y: {kind: BeamLine, line: [x]}\n",
          "x"),
      "contains itself");
  check_refused(file_of(parts + parts, "a"), "defined twice");
  test::check_refused<CapacityError>([&] { return parse(file_of(parts, "abc: {repeat: 1e9}")); },
                                     "elements");
}

TEST_CASE("Items of PALS at an offset have a drift before them", "[io]") {
  const std::string parts =
      "    - a: {kind: Marker}\n    - b: {kind: Drift, length: 1}\n"
      "    - l: {kind: BeamLine, line: [a, b: {placement: {offset: 1/4, from_point: EXIT_END}}, "
      "a]}\n";
  CHECK(order_of(file_of(parts, "l")) == "a before_b b a");
  CHECK(order_of(file_of(parts, "l: {repeat: -1}")) == "a b before_b a");
  CHECK(order_of(file_of(parts, "l: {direction: -1}")) == "a b before_b a");
  CHECK(order_of(file_of(parts,
                         "l: {placement: {offset: 2}, repeat: 2}, b: {placement: {offset: 0, "
                         "base_item: null}}")) == "before_l a before_b b a a before_b b a b");
  const PalsLine line = parse(file_of(parts, "l: {placement: {offset: 2}, repeat: 2}"));
  CHECK(length_of(line.line) == 2. + 2. * 1.25);
  CHECK(line.line[1].kind.as<ExpandedDrift>()->length == 2.);
}

TEST_CASE("Lines of PALS that grow or are empty are bounded", "[io]") {
  for (const char* const last : {"[d]", "[]"}) {
    std::string lines =
        "    - d: {kind: Drift, length: 1}\n    - l0: {kind: BeamLine, line: " + std::string(last) +
        "}\n";
    for (int i = 1; i < 100; ++i)
      lines += "    - l" + std::to_string(i) + ": {kind: BeamLine, line: [l" +
               std::to_string(i - 1) + ": {repeat: 1000}, l" + std::to_string(i - 1) + "]}\n";
    const std::string text = file_of(lines, "l99");
    if (std::string(last) == "[]")
      CHECK(parse(text).line.size() == 1);
    else
      test::check_refused<CapacityError>([&] { return parse(text); }, "elements");
  }
}

TEST_CASE("Turned elements of PALS exchange their ends", "[io]") {
  const std::string bend =
      "    - b: {kind: Bend, length: 1, BendP: {angle_ref: 0.1, e1: 0.01, e2: 0.02, edge1_int: "
      "0.03}}\n"
      "    - l: {kind: BeamLine, line: [b]}\n    - t: {kind: BeamLine, line: [l: {direction: "
      "-1}]}\n";
  const auto bend_of = [&](const std::string& item) {
    const PalsLine line = parse(file_of(bend, item));
    const CanonicalBend* const found = line.line.at(1).kind.as<CanonicalBend>();
    REQUIRE(found);
    return *found;
  };
  CHECK(bend_of("b").entrance == 0.01);
  CHECK(bend_of("b").fringe * bend_of("b").half_gap == 0.03);
  CHECK(bend_of("b").exit_fringe.value() == 0.);
  CHECK(bend_of("l: {repeat: -1}").entrance == 0.01);
  CHECK(bend_of("b: {direction: -1}").entrance == 0.02);
  CHECK(bend_of("l: {direction: -1}").entrance == 0.02);
  CHECK(bend_of("l: {direction: -1}").fringe == 0.);
  CHECK(bend_of("l: {direction: -1}").exit_fringe.value() == 0.03);
  CHECK(bend_of("t: {direction: -1}").entrance == 0.01);
  CHECK(bend_of("t").angle == 0.1);
}

TEST_CASE("Inheritance in PALS", "[io]") {
  const std::string parts =
      "    - q: {kind: Quadrupole, length: 0.5, MagneticMultipoleP: {Kn1: 2, tilt1: 0.1}}\n"
      "    - r: {inherit: q, MagneticMultipoleP: {Kn1: -2}}\n"
      "    - s: {inherit: r, length: 0.25}\n";
  const PalsLine line = parse(
      file_of(parts, "q, r, s, q: {length: 1}, t: {inherit: s, MagneticMultipoleP: {Kn1: 3}}"));
  const auto quadrupole = [&](std::size_t i) {
    return *line.line.at(i).kind.as<ChromaticQuadrupole>();
  };
  CHECK(quadrupole(1).k1 == 2.);
  CHECK(quadrupole(2).k1 == -2.);
  CHECK(quadrupole(2).misalignment.tilt == 0.1);
  CHECK(quadrupole(3).length == 0.25);
  CHECK(quadrupole(3).k1 == -2.);
  CHECK(line.line[4].name == "q");
  CHECK(quadrupole(4).length == 1.);
  CHECK(quadrupole(4).k1 == 2.);
  CHECK(quadrupole(5).k1 == 3.);
  CHECK(quadrupole(5).length == 0.25);

  const std::string groups =
      "    - small: {kind: ApertureP, x_min: -0.01, x_max: 0.01, shape: RECTANGULAR}\n"
      "    - flat: {kind: ApertureP, inherit: small, y_min: -0.002, y_max: 0.004}\n"
      "    - m: {kind: Marker, ApertureP: {inherit: flat}}\n"
      "    - n: {kind: Marker, ApertureP: {inherit: m.ApertureP, x_max: 0.03}}\n";
  const PalsLine apertures = parse(file_of(groups, "m, n"));
  CHECK(apertures.line.at(1).kind.as<Collimator>()->aperture.x_max == 0.01);
  CHECK(apertures.line.at(1).kind.as<Collimator>()->aperture.dy == Approx(0.001));
  CHECK(apertures.line.at(2).kind.as<Collimator>()->aperture.dx == Approx(0.01));

  check_refused(file_of(parts, "x: {inherit: y}"), "there is no element \"y\"");
  check_refused(file_of("    - x: {inherit: y}\n    - y: {inherit: x}\n", "x"),
                "inherits from itself");
  check_refused(file_of("    - x: {kind: Marker, ApertureP: {inherit: y.ApertureP}}\n"
                        "    - y: {kind: Marker, ApertureP: {inherit: x.ApertureP}}\n",
                        "x"),
                "inherits from itself");
  check_refused(file_of("    - x: {length: 1}\n", "x"), "has no kind");
  check_refused(file_of("", "x: {length: 1}"), "there is no element \"x\"");
}

TEST_CASE("Expressions in PALS", "[io]") {
  const auto value = [](const std::string& expression, const std::string& facility = {}) {
    CAPTURE(expression);
    return parse(
               file_of(facility + "    - e: {kind: Drift, length: \"" + expression + "\"}\n", "e"))
        .line.at(1)
        .kind.length();
  };
  CHECK(value("1e3") == 1000.);
  CHECK(value(".5e3") == 500.);
  CHECK(value("1.0e9") == 1e9);
  CHECK(value("010") == 10.);
  CHECK(value("2 + 3*4 - 6/3/2") == 13.);
  CHECK(value("-2^2 + 10") == 6.);
  CHECK(value("2^-1") == 0.5);
  CHECK(value("(1 + 2)^2 * expr(2)") == 18.);
  CHECK(value("sqrt(2)*sin(pi/4)") == Approx(1.));
  CHECK(value("atan2(1, 1) + modulo(-1, 3) + nint(2.5) + int(-2.7) + sign(-3) + factorial(4)") ==
        Approx(std::numbers::pi / 4. + 2. + 3. - 2. - 1. + 24.));
  CHECK(value("cot(1)*tan(1) + coth(2)*tanh(2) + acoth(2) - atanh(0.5) + sinc(0)") == Approx(3.));
  CHECK(value("c_light") == 299792458.);
  CHECK(value("1e9*mu_0*epsilon_0*c_light^2") == Approx(1e9));
  CHECK(value("1e15*r_electron") == Approx(2.8179403205).epsilon(1e-8));
  CHECK(value("mass_of('proton')/1e9") == Approx(0.93827208816));
  CHECK(value("charge_of('anti-proton') + 3") == 2.);
  CHECK(value("1000*anomalous_moment_of('electron')") == Approx(1.15965218));
  const std::string names =
      "    - constants: {a: 2, b: a^2}\n    - variables: [{v: b + 1}, {p: electron}]\n"
      "    - m: {kind: constant, value: mass_of(p)}\n"
      "    - q: {kind: Quadrupole, length: 2, MagneticMultipoleP: {Kn1L: 3}, BendP_: 0}\n";
  const std::string element =
      "    - q: {kind: Quadrupole, length: 2, MagneticMultipoleP: {Kn1L: 3, Kn2: SELF.length}}\n";
  const std::string known = names.substr(0, names.find("    - q"));
  CHECK(value("v*a", known) == 10.);
  CHECK(value("m/1e6", known) == Approx(0.51099895));
  CHECK(value("q>length + q>MagneticMultipoleP.Kn1 + q>MagneticMultipoleP.Kn2", element) == 5.5);
  CHECK(value("q>MagneticMultipoleP.Kn5 + 1", element) == 1.);
  CHECK(value("1 + 0*random() + 0*ran_gauss(2)") == 1.);
  CHECK(value("random()") > 0.);
  CHECK(value("random()") == value("random()"));

  const auto refused = [](const std::string& expression, const std::string& message) {
    check_element_refused("kind: Drift, length: \"" + expression + "\"", message);
  };
  refused("1_000", "leave out the _");
  refused("0x10", "write it in decimal");
  refused("1d3", "exponents begin with e");
  refused("1:30", "not expected");
  refused("no", "word for a choice");
  refused("1 +", "missing at the end");
  refused("(1", "')' is missing");
  refused("2^3^2", "needs parentheses");
  refused("1/0", "divides by 0");
  refused("sqrt(-1)", "not defined");
  refused("sinn(1)", "did you mean");
  refused("foo", "no variable \"foo\"");
  refused("x>length", "no element \"x\"");
  refused("e>lenth", "no parameter \"lenth\"");
  refused("e>length", "depends on itself");
  refused("mass_of('unicorn')", "unicorn");
  refused("Inf", "infinite");
  refused(std::string(3000, '('), "nested too deeply");
  refused(std::string(3000, '-') + "1", "nested too deeply");
  check_refused(file_of("    - variables: {a: b, b: a}\n    - d: {kind: Drift, length: a}\n", "d"),
                "depends on itself");
  check_refused(file_of("    - constants: {a: 1}\n    - constants: {a: 2}\n", "start"),
                "another value");
}

TEST_CASE("Commands of PALS", "[io]") {
  const std::string before =
      "    - q1: {kind: Quadrupole, length: 0.5, MagneticMultipoleP: {Kn1: 1}}\n"
      "    - d1: {kind: Drift, length: 1}\n";
  const auto k1 = [](const PalsLine& line, std::size_t i) {
    const auto* const quadrupole = line.line.at(i).kind.as<ChromaticQuadrupole>();
    REQUIRE(quadrupole);
    return quadrupole->k1;
  };
  const auto with = [&](const std::string& commands) {
    return parse(file_of(before + commands, "q1, d1, q1"));
  };
  CHECK(k1(with("    - set: {parameter: q1>MagneticMultipoleP.Kn1, value: PARAMETER*3}\n"), 3) ==
        3.);
  CHECK(k1(with("    - sets: [\"Quadrupole::q.*>MagneticMultipoleP.Kn1\": SELF.length]\n"), 1) ==
        0.5);
  CHECK(with("    - set: {parameter: \"d1, x>length\", value: 2}\n").line.at(2).kind.length() ==
        2.);
  CHECK(with("    - set: {parameter: \"[a-e]1>length\", value: 3}\n").line.at(2).kind.length() ==
        3.);
  CHECK(
      with("    - set: {parameter: q1>is_on, value: false}\n").line.at(1).kind.as<ExpandedDrift>());
  CHECK(with("    - set: {parameter: later>length, value: 2}\n    - later: {kind: Drift}\n")
            .remarks.size() == 1);

  std::string after = file_of(before, "q1, d1, q1");
  after +=
      "    - expand_lattice\n    - set: {parameter: \"ring>>q1#2>MagneticMultipoleP.Kn1\", value: "
      "PARAMETER + 1}\n"
      "    - set: {parameter: q1>length, value: PARAMETER*(1 + 1e-3*random())}\n";
  const PalsLine expanded = parse(after);
  CHECK(k1(expanded, 1) == 1.);
  CHECK(k1(expanded, 3) == 2.);
  CHECK(expanded.line[1].kind.length() != expanded.line[3].kind.length());

  check_refused(file_of(before + "    - set: {parameter: q1>length}\n", "q1"), "no value");
  check_refused(file_of(before + "    - set: {parameter: q1>lentgh, value: 1}\n", "q1"),
                "no parameter");
  check_refused(file_of(before + "    - set: {parameter: \"(q1)>length\", value: 1}\n", "q1"),
                "pattern");
  check_refused(file_of(before + "    - set: {parameter: \"q1:d1>length\", value: 1}\n", "q1"),
                "ranges");
  check_refused(file_of(before + "    - superimpose: {place: q1}\n", "q1"), "superimpose");
  check_refused(file_of(before, "q1") + "    - use: other\n", "no lattice \"other\"");
  check_refused(file_of(before + "    - q2: {kind: Quadrupole}\n      length: 1\n", "q1"),
                "indent");
}

TEST_CASE("Controllers of PALS", "[io]") {
  const std::string quadrupole =
      "    - q: {kind: Quadrupole, length: 2, MagneticMultipoleP: {Kn1: 9}}\n";
  const auto k1 = [&](const std::string& controllers) {
    return parse(file_of(quadrupole + controllers, "q"))
        .line.at(1)
        .kind.as<ChromaticQuadrupole>()
        ->k1;
  };
  const std::string low =
      "    - low: {kind: Controller, variables: {i: 0.5}, controls: [{parameter: "
      "q>MagneticMultipoleP.Kn1, expression: 4*i}]}\n";
  CHECK(k1(low) == 2.);
  CHECK(k1(low + "    - high: {kind: Controller, variables: [{k: 3}], controls: [{parameter: "
                 "low>i, expression: k^2}]}\n") == 36.);
  CHECK(k1("    - r: {kind: Controller, control_type: RELATIVE, variables: {i: 1}, controls: "
           "[{parameter: q>MagneticMultipoleP.Kn1, expression: i}]}\n") == 9.);
  check_refused(
      file_of(quadrupole + "    - a: {kind: Controller, variables: {i: 1}, controls: [{parameter: "
                           "b>j, expression: i}, {parameter: q>length, expression: i}]}\n"
                           "    - b: {kind: Controller, variables: {j: 1}, controls: [{parameter: "
                           "a>i, expression: j}]}\n",
              "q"),
      "depends on itself");
}

TEST_CASE("Magnets of PALS", "[io]") {
  const double per_tesla = 299792458. / 1e9;
  CHECK(element<ChromaticQuadrupole>("kind: Quadrupole, length: 2, MagneticMultipoleP: {Bn1: 3}")
            .k1 == Approx(3. * per_tesla).epsilon(1e-14));
  CHECK(element<ChromaticQuadrupole>("kind: Quadrupole, length: 2, MagneticMultipoleP: {Kn1L: 3}")
            .k1 == 1.5);
  CHECK(element<CanonicalQuadrupole>("kind: Quadrupole, length: 2, MagneticMultipoleP: {Kn1: 3}",
                                     {.exact = true})
            .k1 == 3.);
  const auto skew = element<CanonicalMultipole>(
      "kind: Quadrupole, length: 2, MagneticMultipoleP: {Kn1: 3, Ks1: 1, Kn2L: 5}");
  CHECK(skew.field.normal == std::vector{0., 6., 5.});
  CHECK(skew.field.skew == std::vector{0., -2., 0.});
  const auto turned =
      element<CanonicalMultipole>("kind: Multipole, MagneticMultipoleP: {Kn1L: 1, tilt1: " +
                                  std::to_string(std::numbers::pi / 4.) + ", Ks0L: 2}");
  CHECK(turned.length == 0.);
  CHECK(turned.field.normal[1] == Approx(0.).margin(1e-6));
  CHECK(turned.field.skew[1] == Approx(1.));
  CHECK(turned.field.skew[0] == -2.);
  const auto kicker =
      element<CanonicalMultipole>("kind: Kicker, MagneticMultipoleP: {Kn0L: 1e-3, Ks0L: 2e-3}");
  CHECK(kicker.map_to(1).C(2) == Approx(-1e-3));
  CHECK(kicker.map_to(1).C(4) == Approx(2e-3));
  const auto sextupole =
      element<CanonicalMultipole>("kind: Sextupole, length: 0.5, MagneticMultipoleP: {Kn2: 4}");
  CHECK(sextupole.field.normal == std::vector{0., 0., 2.});
  CHECK(sextupole.expanded);
  const auto solenoid = element<ExactSolenoid>(
      "kind: Solenoid, length: 2, SolenoidP: {Bsol: 1}, BodyShiftP: {x_offset: 1e-3}");
  CHECK(solenoid.ks == Approx(per_tesla).epsilon(1e-14));
  CHECK(solenoid.misalignment.dx == 1e-3);
  CHECK(element<ExpandedDrift>("kind: Drift, length: -1").length == -1.);
  CHECK(element<ExpandedDrift>(
            "kind: Quadrupole, length: 1, is_on: false, MagneticMultipoleP: {Kn1: 1}")
            .length == 1.);
  element<Marker>("kind: Quadrupole");
  CHECK(parse(file_of("kind: Quadrupole, MagneticMultipoleP: {Kn1: 1}")).remarks.size() == 1);
  const PalsLine negative =
      parse(file_of("kind: Solenoid, length: -1, MagneticMultipoleP: {Kn1: 1}"));
  CHECK(negative.line.at(1).kind.length() == -1.);
  CHECK(negative.remarks.size() == 1);

  check_element_refused("kind: Quadrupole, length: 1, MagneticMultipoleP: {Kn1: 1, Kn1L: 1}",
                        "Kn1, too");
  check_element_refused("kind: Quadrupole, length: 1, MagneticMultipoleP: {Kn1: 1, Bs1: 1}",
                        "Kn1, too");
  check_element_refused("kind: Quadrupole, length: 1, MagneticMultipoleP: {K1: 1}", "no \"K1\"");
  check_element_refused("kind: Quadrupole, length: 1, ElectricMultipoleP: {En1: 1}",
                        "ElectricMultipoleP.En1");
  check_element_refused("kind: Quadrupole, length: 1, BendP: {e1: 1}", "does not belong");
  check_element_refused(
      "kind: Quadrupole, length: 1, BodyShiftP: {x_rot: 1e-3}, MagneticMultipoleP: {Kn1: 1}",
      "x_rot");
  check_element_refused("kind: Quadrupole, lenght: 1", "did you mean length?");
  check_element_refused("kind: Quadrupole, Kn1: 1", "belongs into MagneticMultipoleP");
  check_element_refused("kind: Quadrupol, length: 1", "did you mean Quadrupole?");
  check_element_refused("kind: Quadrupole, length: true", "no number");
  check_element_refused("kind: Solenoid, SolenoidP: {Ksol: 1}", "has a length");
  check_element_refused("kind: Wiggler, length: 1", "(Wiggler) cannot be tracked");
  const PalsLine skipped = parse(file_of("kind: Wiggler, length: 1"), {.skip_unknown = true});
  CHECK(skipped.line.at(1).kind.length() == 1.);
  CHECK(skipped.drifts == "Wiggler (1)");
}

TEST_CASE("Bends of PALS", "[io]") {
  const auto bend = [](const std::string& values) {
    return element<CanonicalBend>("kind: Bend, " + values);
  };
  const auto arc =
      bend("length: 2, BendP: {g_ref: 0.1, e1: 0.01, edge1_int: 0.02, edge2_int: 0.02}");
  CHECK(arc.angle == Approx(0.2).epsilon(1e-15));
  CHECK(!arc.k0);
  CHECK(arc.entrance == 0.01);
  CHECK(arc.exit == 0.);
  CHECK(arc.half_gap * arc.fringe == 0.02);
  CHECK(!arc.exit_fringe);
  CHECK(arc.entrance_effects == EdgeEffects::linear);
  CHECK(bend("BendP: {angle_ref: 0.2, radius_ref: 5}").length == Approx(1.).epsilon(1e-15));
  CHECK(bend("length: 2, BendP: {Bn0_ref: 1}").angle == Approx(2. * 0.299792458).epsilon(1e-14));
  CHECK(bend("BendP: {L_chord: 2, angle_ref: 0.4}").length ==
        Approx(0.4 / std::sin(0.2)).epsilon(1e-14));
  CHECK(bend("BendP: {L_chord: 2, g_ref: 0.1}").angle ==
        Approx(2. * std::asin(0.1)).epsilon(1e-14));
  CHECK(bend("BendP: {L_rectangle: 2, g_ref: 0.1}").length ==
        Approx(10. * std::asin(0.2)).epsilon(1e-14));
  CHECK(bend("length: 2, BendP: {g_ref: 0.1, angle_ref: 0.2, radius_ref: 10}").angle == 0.2);
  const auto chord =
      bend("length: 2, BendP: {angle_ref: -0.2, e1_rect: 0.01, ref_geometry: CHORD}");
  CHECK(chord.entrance == Approx(-0.09));
  CHECK(chord.exit == Approx(-0.1));
  const auto parallel = bend("length: 2, BendP: {angle_ref: 0.2, ref_geometry: EXIT_COORDS}");
  CHECK(parallel.entrance == Approx(0.2));
  CHECK(parallel.exit == 0.);
  const auto other = bend(
      "length: 2, BendP: {angle_ref: 0.2}, MagneticMultipoleP: {Kn0: 0.11, Kn1: 0.5, Kn2L: 2}");
  CHECK(other.k0.value() == 0.11);
  CHECK(other.crossing == Approx(0.01));
  CHECK(other.strengths == std::vector{0.5, 1., 0.});
  CHECK(bend("length: 2, BendP: {angle_ref: 0.2, Kn0_from_g_ref: false}").k0.value() == 0.);
  CHECK(bend("length: 2, BendP: {angle_ref: 0.2, tilt_ref: 1.5}").misalignment.tilt == 1.5);
  const auto shifted = bend("length: 2, BendP: {angle_ref: 0.2}, BodyShiftP: {x_offset: 1e-3}");
  CHECK(shifted.misalignment.dx == Approx(1e-3 * std::cos(0.1)));
  CHECK(shifted.misalignment.dz == Approx(1e-3 * std::sin(0.1)));
  CHECK(element<CanonicalBend>("kind: RBend, length: 2, BendP: {angle_ref: 0.2}").entrance ==
        Approx(0.1));
  CHECK(
      element<ExpandedDrift>("kind: Bend, length: 2, BendP: {e1: 0.01, radius_ref: Inf}").length ==
      2.);

  check_element_refused("kind: Bend, length: 2, BendP: {g_ref: 0.1, angle_ref: 0.3}",
                        "length * g_ref");
  check_element_refused("kind: Bend, length: 2, BendP: {g_ref: 0.1, radius_ref: 11}",
                        "another curvature");
  check_element_refused("kind: Bend, length: 2, BendP: {radius_ref: 0}", "not 0");
  check_element_refused("kind: Bend, BendP: {angle_ref: 0.1}", "has a length");
  check_element_refused("kind: Bend, BendP: {L_chord: 30, g_ref: 0.1}", "circle");
  check_element_refused("kind: Bend, length: 2, BendP: {angle_ref: 0.1, e1: 0.1, e1_rect: 0.1}",
                        "agree");
  check_element_refused(
      "kind: Bend, length: 2, BendP: {angle_ref: 0.1}, MagneticMultipoleP: {Ks1: 1}", "skew");
  check_element_refused("kind: Bend, length: 2, BendP: {angle_ref: 0.1}, BodyShiftP: {z_rot: 1}",
                        "z_rot");
  check_element_refused("kind: Bend, length: 2, BendP: {ref_geometry: ARCH}", "did you mean ARC?");
}

TEST_CASE("Cavities of PALS", "[io]") {
  const std::string frequency = "RFP: {voltage: 2e6, frequency: 1e8, phase: 0.1";
  const auto crest = element<RfCavity>("kind: RFCavity, length: 1, " + frequency + "}");
  CHECK(crest.voltage == 2e6);
  CHECK(crest.phase == Approx(2. * std::numbers::pi * 0.1 + 0.5 * std::numbers::pi));
  CHECK(crest.rest_energy == Approx(938272088.16));
  CHECK(
      element<RfCavity>("kind: RFCavity, " + frequency + ", zero_phase: BELOW_TRANSITION}").phase ==
      Approx(0.2 * std::numbers::pi));
  CHECK(
      element<RfCavity>("kind: RFCavity, " + frequency + ", zero_phase: ABOVE_TRANSITION}").phase ==
      Approx(1.2 * std::numbers::pi));
  const PalsLine ring =
      parse(file_of("    - d: {kind: Drift, length: 10}\n    - c: {kind: RFCavity, RFP: {voltage: "
                    "1, harmon: 5}}\n",
                    "d, c, d"));
  const double beta_c = ring.particle->beta() * 299792458.;
  const auto* const cavity = ring.line.at(2).kind.as<RfCavity>();
  REQUIRE(cavity);
  CHECK(cavity->frequency == Approx(5. * beta_c / 20.).epsilon(1e-13));
  CHECK(cavity->reference_time.value() == Approx(10. / beta_c).epsilon(1e-13));
  const PalsLine linac =
      parse(file_of("    - c: {kind: RFCavity, RFP: {voltage: 1e8, frequency: 1e9, dE_ref: 1e8}}\n"
                    "    - q: {kind: Quadrupole, length: 1, MagneticMultipoleP: {Bn1: 1}}\n",
                    "q, c, q"));
  REQUIRE(linac.line.size() == 5);
  const double energy = std::hypot(1e9, 938272088.16) + 1e8,
               momentum = std::sqrt(energy * energy - 938272088.16 * 938272088.16);
  CHECK(linac.line[3].kind.as<SetMomentum>()->momentum ==
        Approx(momentum / 938272088.16).epsilon(1e-13));
  CHECK(linac.line[1].kind.as<ChromaticQuadrupole>()->k1 == Approx(0.299792458).epsilon(1e-14));
  CHECK(linac.line[4].kind.as<ChromaticQuadrupole>()->k1 ==
        Approx(299792458. / momentum).epsilon(1e-13));
  CHECK(element<SetMomentum>("kind: ReferenceChange, ReferenceChangeP: {pc_ref: 2e9}").momentum ==
        Approx(2e9 / 938272088.16));
  const auto crab = element<RfDeflector>("kind: CrabCavity, RFP: {voltage: 1e6, frequency: 4e8}");
  CHECK(crab.map_at(1e9 / 938272088.16).C(2) == Approx(1e-3).epsilon(1e-6));

  check_element_refused("kind: RFCavity, " + frequency + ", harmon: 3}", "frequency, too");
  check_element_refused("kind: RFCavity, length: 1, RFP: {voltage: 1, gradient: 2}",
                        "gradient * L_active");
  check_element_refused("kind: CrabCavity, length: 1, " + frequency + "}", "has none");
  check_element_refused("kind: ReferenceChange, ReferenceChangeP: {pc_ref: 2e9, dE_ref: 1}",
                        "another change");
  check_element_refused("kind: ReferenceChange, ReferenceChangeP: {dE_ref: -2e9}", "stops");
}

TEST_CASE("Apertures and patches of PALS", "[io]") {
  const auto aperture = [](const std::string& values) {
    return element<Collimator>("kind: Marker, ApertureP: {" + values + "}").aperture;
  };
  const auto ellipse = aperture("x_min: -0.01, x_max: 0.03, y_center: 0, y_width: 0.02");
  CHECK(ellipse.shape == Aperture::Shape::ellipse);
  CHECK(ellipse.x_max == Approx(0.02));
  CHECK(ellipse.dx == Approx(0.01));
  CHECK(ellipse.y_max == 0.01);
  const auto half = aperture("shape: RECTANGULAR, x_max: 0.01, y_min: -Inf");
  CHECK(half.open == Aperture::Open::minus_x);
  CHECK(half.dx + half.x_max == Approx(0.01));
  const std::string limits = "x_min: -0.01, x_max: 0.01, y_min: -0.01, y_max: 0.01";
  const auto size = [&](const std::string& location) {
    return parse(file_of("kind: Drift, length: 1, ApertureP: {" + limits +
                         ", location: " + location + "}"))
        .line.size();
  };
  CHECK(size("ENTRANCE_END") == 3);
  CHECK(size("BOTH_ENDS") == 4);
  CHECK(size("CENTER") == 4);
  CHECK(size("NOWHERE") == 2);
  CHECK(parse(file_of("kind: Drift, length: 1, ApertureP: {" + limits + "}"), {.apertures = false})
            .line.size() == 2);
  CHECK(parse(file_of("kind: Drift, length: 1, ApertureP: {x_min: -1}")).remarks.size() == 1);
  check_element_refused("kind: Marker, ApertureP: {shape: VERTICES}", "VERTICES");
  check_element_refused("kind: Marker, ApertureP: {shape: RECTANGULAR, x_min: 1, x_max: 0}",
                        "not above");
  check_element_refused("kind: Marker, ApertureP: {x_min: 1, x_width: 0}", "limits, too");

  const PalsLine patch =
      parse(file_of("kind: Patch, PatchP: {x_offset: 0.1, z_offset: 2, z_rot: 0.3}"));
  REQUIRE(patch.line.size() == 4);
  CHECK(patch.line[1].kind.length() == 2.);
  CHECK(patch.line[2].kind.as<Displacement>()->dx == -0.1);
  CHECK(patch.line[3].kind.as<Rotator>()->tilt == 0.3);
  check_element_refused("kind: Patch, PatchP: {y_rot: 0.1}", "y_rot");
  check_element_refused("kind: Patch, PatchP: {flexible: true}", "flexible");
}

TEST_CASE("Taylor maps of PALS", "[io]") {
  const auto map_of = [](const std::string& terms, const std::string& document = "",
                         const std::string& more = "") {
    std::string text =
        file_of("    - e:\n        kind: Taylor\n        TaylorP:\n" + terms + more, "e");
    if (!document.empty()) text.replace(0, 5, "PALS:\n  phase_space_coordinates: " + document);
    const PalsLine line = parse(text);
    const auto* const element = line.line.at(1).kind.as<MapElement>();
    REQUIRE(element);
    CHECK(element->length == 0.);
    return element->map();
  };
  // a thin quadrupole and sextupole
  const std::string rest =
      "          x_out: term 1 1 0 0 0 0 0\n          y_out: [term 1 0 0 1 0 0 0]\n"
      "          z_out: term 1 0 0 0 0 1 0\n          pz_out: term 1 0 0 0 0 0 1\n";
  const std::string kicks =
      "          px_out:\n            term 1 0 1 0 0 0 0\n            term -0.3 1 0 0 0 0 0\n"
      "            term -2/4 2 0 0 0 0 0\n            term 0.5 0 0 2 0 0 0\n"
      "          py_out: [term 1 0 0 0 1 0 0, term 0.3 0 0 1 0 0 0, term 1 1 0 1 0 0 0]\n";
  TransferMap slopes = map_of(rest + kicks, "ANGLE_AND_MOMENTUM");
  CHECK(slopes.order == 2);
  CHECK(slopes.R(2, 1) == -0.3);
  CHECK(slopes.R(4, 3) == 0.3);
  CHECK(slopes.T(2, 1, 1) == -0.5);
  CHECK(slopes.T(2, 3, 3) == 0.5);
  CHECK(slopes.T(4, 1, 3) == 1.);
  CHECK(slopes.T(2, 1, 6) == 0.);

  // the kick of the momentum is that of a thin multipole, to third order
  const TransferMap kinetic = map_of(rest + kicks);
  CHECK(kinetic.order == 3);
  OrbitTracker<HostExecutor> tracker(
      HostExecutor(),
      {{"m",
        CanonicalMultipole{.field = {{0., 0.3, 1.}, {}}, .slices = 1, .integration_order = 2}}},
      1e3);
  const TransferMap::Vector in = {1e-4, 2e-4, -3e-4, 1e-4, 1e-3, 2e-4};
  const TransferMap expected = tracker.turn_about(in);
  const auto out = kinetic(in);
  for (int c = 0; c < n_coordinates; ++c) CHECK(std::abs(out[c] - expected.component[c].c) < 1e-14);

  // about a reference; z is ahead
  TransferMap shifted = map_of(
      "          x_out: term 1 1 0 0 0 0 0\n          px_out: term 1 0 1 0 0 0 0\n"
      "          y_out: term 1 0 0 1 0 0 0\n          py_out: term 1 0 0 0 1 0 0\n"
      "          z_out: [term 1 0 0 0 0 1 0, term 0.25 2 0 0 0 0 0]\n"
      "          pz_out: term 1 0 0 0 0 0 1\n          ref_in: {x: 2}\n",
      "ANGLE_AND_MOMENTUM");
  CHECK(shifted.C(1) == -2.);
  CHECK(shifted.R(5, 5) == 1.);
  CHECK(shifted.T(5, 1, 1) == -0.25);
  CHECK(shifted.R(5, 1) == 1.);
  CHECK(shifted.C(5) == -1.);
  TransferMap moved =
      map_of(rest + kicks, "ANGLE_AND_MOMENTUM", "        BodyShiftP: {x_offset: 0.5}\n");
  CHECK(moved.C(2) == 0.3 * 0.5 - 0.5 * 0.25);

  const auto refused = [&](const std::string& terms, const std::string& why,
                           const std::string& document = "") {
    CAPTURE(terms);
    test::check_refused([&] { return map_of(terms, document); }, why);
  };
  refused(rest, "TaylorP.px_out: cannot be left out (all six coordinates");
  refused(rest + kicks, "ANGLE_AND_ENERGY are not implemented", "ANGLE_AND_ENERGY");
  refused(rest + kicks, "phase_space_coordinates are not known", "SLOPES");
  const auto with_x = [&](const std::string& series) {
    return "          x_out: " + series + "\n" + rest.substr(rest.find("          y_out")) + kicks;
  };
  refused(with_x("term 1 1 0 0 0 0"), "term coefficient and six exponents");
  refused(with_x("terms 1 1 0 0 0 0 0"), "term coefficient and six exponents");
  refused(with_x("term 1 1 0 0 0 0 x"), "exponents are whole numbers");
  refused(with_x("term 1 1 0 0 0 0 -1"), "exponents are whole numbers");
  refused(with_x("term 1 2 1 0 0 0 1"), "third order");
  refused(with_x("term 1 0 0 0 0 1 0"), "depend on z");
  refused(rest + kicks + "          ref_in: {s: 1}\n", "its coordinates are x, px");
  refused(rest + kicks + "          out_x: term\n", "TaylorP has no");
  refused(rest + kicks + "        length: 1\n", "has none");
}

TEST_CASE("Documents of PALS", "[io]") {
  const std::string extended =
      "PALS:\n  version: 1\n  authors: [{name: A}]\n  reminders: [look]\n  "
      "phase_space_coordinates: standard\n"
      "  extension_labels: {names: {Bmad: b}, prefixes: {My_: m}, suffixes: {_x: s}}\n  My_key: 1\n"
      "  facility:\n    - setup: {Bmad: {a: 1}}\n    - other: {extension: e, k: 1}\n"
      "    - m: {kind: Marker, My_data: {x: 1}, data_x: 2, Bmad: 3, MetaP: {alias: z}}\n"
      "    - l: {kind: BeamLine, periodic: true, line: [m]}\n    - a: {kind: Lattice, branches: "
      "[l]}\nelse: 1\n";
  const PalsLine line = parse(extended);
  CHECK(line.line.size() == 1);
  CHECK(line.is_periodic);
  CHECK(!line.particle);
  CHECK(line.remarks == std::vector<std::string>{"reminder: look"});

  const std::string two =
      "PALS:\n  facility:\n    - m: {kind: Marker}\n    - f: {kind: Fork, ForkP: {to_line: b}}\n   "
      " - a: {kind: BeamLine, line: [m]}\n"
      "    - b: {kind: BeamLine, line: [m, f]}\n    - l1: {kind: Lattice, branches: [a, x: "
      "{inherit: b, periodic: true}]}\n"
      "    - l2: {kind: Lattice, branches: [a]}\n";
  CHECK(parse(two).line.size() == 1);
  test::check_refused<UsageError>([&] { return parse(two + "    - use: l1\n"); }, "they are a, x");
  CHECK(parse(two + "    - use: l1\n", {.branch = "x"}).line.size() == 2);
  CHECK(parse(two + "    - use: l1\n", {.branch = "x"}).is_periodic);
  CHECK(parse(two, {.branch = "b"}).line.size() == 2);
  test::check_refused<UsageError>([&] { return parse(two, {.branch = "c"}); }, "\"c\"");

  check_refused("a: 1", "no mapping PALS");
  check_refused("PALS:\n  facilty: []\n", "did you mean facility?");
  check_refused("PALS:\n  facility: {a: 1}\n", "no list");
  check_refused("PALS:\n  facility:\n    - a: {kind: Marker}\n", "has no lattice");
  check_refused("PALS:\n  facility:\n    - text\n", "no name");
  check_refused("PALS:\n  facility:\n    - a: {kind: Lattice, branches: [b]}\n", "no line \"b\"");
  check_refused("PALS:\n  authors: [{orcid: 1}]\n", "author");
  const std::string without =
      "PALS:\n  facility:\n    - q: {kind: Quadrupole, length: 1, MagneticMultipoleP: {Bn1: 1}}\n"
      "    - l: {kind: BeamLine, line: [q]}\n    - a: {kind: Lattice, branches: [l]}\n";
  check_refused(without, "BeginningEle");
  CHECK(parse(without, {.particle = PalsParticle{"electron", 510998.95, -1., 299792458.}})
            .line[0]
            .kind.as<ChromaticQuadrupole>()
            ->k1 == -1.);
  check_refused(
      file_of("    - s: {kind: BeginningEle, ReferenceP: {species_ref: quark, pc_ref: 1}}\n    - "
              "z: {kind: BeamLine, line: [s]}\n    - y: {kind: Lattice, branches: [z]}\n",
              "s") +
          "    - use: y\n",
      "quark");
}

TEST_CASE("Files of PALS load and include others", "[io]") {
  const Folder folder("includes");
  folder.write("main.pals.yaml",
               "PALS:\n  version: 2\n  notes: [main]\n  load: [parts/layout.pals.yaml, SELF, "
               "extra.pals.yaml]\n"
               "  facility:\n    - include: parts/items.subpals.yaml\n    - set: {parameter: "
               "d>length, value: 2*PARAMETER}\n"
               "    - use: a\n");
  folder.write("extra.pals.yaml", "PALS:\n  load: [parts/layout.pals.yaml]\n");
  folder.write(
      "parts/layout.pals.yaml",
      "PALS:\n  version: 2\n  facility:\n    - d: {kind: Drift, include: length.subpals.yaml}\n"
      "    - l: {kind: BeamLine, line: [d, m]}\n    - a: {kind: Lattice, branches: [l]}\n");
  folder.write("parts/length.subpals.yaml", "kind: Quadrupole\nlength: 1.5\n");
  folder.write("parts/items.subpals.yaml", "- m: {kind: Marker}\n- n: {kind: Marker}\n");
  const PalsLine line = read_pals(folder.path / "main.pals.yaml");
  CHECK(line.line.size() == 2);
  CHECK(line.line[0].kind.length() == 3.);
  CHECK(line.line[0].kind.as<ExpandedDrift>());

  const auto refused = [&](const std::string& text, const std::string& message) {
    folder.write("bad.pals.yaml", text);
    test::check_refused([&] { return read_pals(folder.path / "bad.pals.yaml"); }, message);
  };
  refused("PALS:\n  load: [bad.pals.yaml]\n", "itself");
  refused("PALS:\n  load: [none.pals.yaml]\n", "no file");
  refused("PALS:\n  load: [main.h5]\n", "YAML");
  refused("PALS:\n  version: 1\n  load: [main.pals.yaml]\n", "version");
  folder.write("loop.subpals.yaml", "- include: loop.subpals.yaml\n");
  refused("PALS:\n  facility: [include: loop.subpals.yaml]\n", "itself");
  folder.write("a.pals.yaml", "PALS:\n  extension_labels: {names: {x: 1}}\n");
  refused("PALS:\n  extension_labels: {names: {x: 2}}\n  load: [a.pals.yaml]\n", "another value");
  std::string doubled;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "d" + std::to_string(i + 1) + ".subpals.yaml";
    folder.write("d" + std::to_string(i) + ".subpals.yaml",
                 "- include: " + next + "\n- include: " + next + "\n");
  }
  folder.write("d40.subpals.yaml", "[]\n");
  refused("PALS:\n  facility: [include: d0.subpals.yaml]\n", "too many files");
}

TEST_CASE("Changed bytes of PALS are read or refused", "[io]") {
  const std::string whole = file_of(
      "    - constants: {a: 0.5, b: 2*a}\n    - q: {kind: Quadrupole, length: a, "
      "MagneticMultipoleP: {Kn1: b^2, tilt1: 0.1}}\n"
      "    - b1: {kind: Bend, length: 1, BendP: {angle_ref: 0.1, e1: SELF.BendP.angle_ref/2}, "
      "ApertureP: {x_width: 0.1, y_width: 0.1}}\n"
      "    - r: {inherit: q, length: q>length*2}\n    - set: {parameter: "
      "Q.*|q>MagneticMultipoleP.Kn1, value: PARAMETER + 1}\n"
      "    - k: {kind: Controller, variables: {v: 1}, controls: [{parameter: r>length, expression: "
      "v + 1}]}\n"
      "    - cell: {kind: BeamLine, line: [q, b1: {direction: -1}, r: {repeat: 2}]}\n",
      "cell: {repeat: -2}, d: {kind: Drift, length: 1}");
  CHECK(parse(whole).line.size() == 12);
  const auto read = [](const std::string& text) {
    try {
      parse(text);
    } catch (const UsageError& error) {
      throw InputError({"line.pals.yaml"}, error.what());
    } catch (const CapacityError& error) {
      throw InputError({"line.pals.yaml"}, error.what());
    }
  };
  test::check_changed_anywhere(whole, read, 5000);
  test::check_cut_off_anywhere(
      whole.substr(0, whole.find("    - all:")) + "    - all: {kind: Lattice, branches: [ring]}",
      read);
}
