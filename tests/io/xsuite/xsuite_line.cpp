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
#include <trackplex/beam/elements/dipole_edge.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/xsuite/xsuite_line.hpp>
#include <utility>
#include <vector>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;
using Catch::Approx;

namespace {

const std::string proton =
    R"("particle_ref": {"mass0": 938272088.16, "q0": 1.0, "p0c": [26e9], "x": [0.0]})";

/// A line of these elements, in JSON, in their order.
std::string line_of(const std::vector<std::pair<std::string, std::string>>& elements,
                    const std::string& more = proton) {
  std::string all, names;
  for (const auto& [name, element] : elements) {
    if (all.find("\"" + name + "\":") == all.npos)
      all += (all.empty() ? "" : ", ") + ("\"" + name + "\": " + element);
    names += (names.empty() ? "" : ", ") + ("\"" + name + "\"");
  }
  return R"({"__class__": "Line", "elements": {)" + all + R"(}, "element_names": [)" + names +
         (more.empty() ? "]}" : "], " + more + "}");
}

XsuiteLine parse(const std::string& text, const XsuiteOptions& options = {}) {
  return parse_xsuite(text, "line.json", options);
}

/// The element of a kind in a line of one.
template <class E>
E element(const std::string& values, const XsuiteOptions& options = {}) {
  const XsuiteLine line = parse(line_of({{"e", values}}), options);
  REQUIRE(line.line.size() == 1);
  const E* const found = line.line[0].kind.template as<E>();
  REQUIRE(found);
  return *found;
}

void check_refused(const std::string& text, const std::string& part_of_message) {
  CAPTURE(text);
  test::check_refused([&] { return parse(text); }, part_of_message);
}
/// An element that is refused.
void check_element_refused(const std::string& values, const std::string& part_of_message) {
  check_refused(line_of({{"e", values}}), part_of_message);
}

}  // namespace

TEST_CASE("Rings of Xsuite have their optics", "[io]") {
  const auto folder = test::data_or_skip(std::filesystem::path("formats") / "xsuite");
  const auto expected = nlohmann::json::parse(read_file(folder / "expected.json"));
  for (const auto& [file, values] : expected.items()) {
    CAPTURE(file);
    const XsuiteLine ring =
        read_xsuite(folder / file, {.skip_unknown = !values["left_out"].empty()});
    CHECK(ring.drifts.empty() == values["left_out"].empty());
    for (const std::string kind : values["left_out"])
      CHECK(ring.drifts.find(kind) != ring.drifts.npos);
    CHECK(ring.line.size() == values["elements"]);
    CHECK(length_of(ring.line) == Approx(double(values["length_m"])).epsilon(1e-9));
    REQUIRE(ring.particle);

    // The values are for particles that keep their momenta, and bends expanded in the momenta
    BeamLine line = ring.line;
    for (Element& element : line) {
      if (element.kind.as<RfCavity>()) element.kind = ExpandedDrift{element.kind.length()};
      if (const auto* const bend = element.kind.as<CanonicalBend>()) {
        CanonicalBend expanded = *bend;
        expanded.expanded = true;
        element.kind = expanded;
      }
    }
    OrbitTracker<HostExecutor> tracker(HostExecutor(), line, ring.particle->p0());
    const auto orbit = tracker.closed_orbit(0.);
    const PeriodicOptics at = periodic_twiss(tracker.turn_about(orbit));
    const auto fraction = [](double tune) { return tune - std::floor(tune); };
    CHECK(at.tune_x == Approx(fraction(values["qx"])).margin(1e-6));
    CHECK(at.tune_y == Approx(fraction(values["qy"])).margin(1e-6));
    CHECK(at.start.x.beta == Approx(double(values["betx0"])).epsilon(2e-5));
    CHECK(at.start.y.beta == Approx(double(values["bety0"])).epsilon(2e-5));
    CHECK(at.start.x.alpha == Approx(double(values["alfx0"])).margin(2e-4));
    CHECK(at.start.y.alpha == Approx(double(values["alfy0"])).margin(2e-4));
    CHECK(at.start.dispersion[0] == Approx(double(values["dx0_per_delta"])).margin(1e-4));
    const Chromaticity chromaticity = orbit_chromaticity(tracker);
    const bool is_thick = file.find("thick") != file.npos;
    const double error = is_thick ? 1e-2 : 2e-3;
    CHECK(chromaticity.x == Approx(double(values["dqx"])).epsilon(error).margin(1e-3));
    CHECK(chromaticity.y == Approx(double(values["dqy"])).epsilon(error).margin(1e-3));
  }
}

TEST_CASE("Parameters that a file of Xsuite leaves out", "[io]") {
  const auto bend = element<CanonicalBend>(R"({"__class__": "Bend", "length": 2, "angle": 0.1})");
  CHECK(bend.length == 2.);
  CHECK(bend.angle == 0.1);
  CHECK(!bend.k0);
  CHECK(bend.entrance_effects == EdgeEffects::linear);
  CHECK(bend.exit_effects == EdgeEffects::linear);
  CHECK(bend.entrance == 0.);

  const auto off = element<CanonicalBend>(
      R"({"__class__": "Bend", "length": 2, "angle": 0.1, "k0": 0.0, "edge_exit_active": 0})");
  REQUIRE(off.k0);
  CHECK(*off.k0 == 0.);
  CHECK(off.exit_effects == EdgeEffects::none);

  const auto old = element<CanonicalBend>(
      R"({"__class__": "Bend", "_length": 2, "_h": 0.05, "_k0": 0.05, "_k0_from_h": true,
          "_edge_entry_model": -1, "_model": 3, "k1": 0.01})");
  CHECK(old.angle == Approx(0.1));
  CHECK(!old.k0);
  CHECK(old.entrance_effects == EdgeEffects::none);
  CHECK(old.strengths[0] == Approx(0.01));

  const auto quadrupole =
      element<ChromaticQuadrupole>(R"({"__class__": "Quadrupole", "length": 0.5, "k1": 0.2})");
  CHECK(quadrupole.k1 == 0.2);
  const auto sextupole = element<CanonicalMultipole>(
      R"({"__class__": "Sextupole", "length": 0.5, "k2": 3, "k2s": 1, "ksl": [0.1]})");
  CHECK(sextupole.field.normal == std::vector{0., 0., 1.5});
  CHECK(sextupole.field.skew == std::vector{-0.1, 0., -0.5});
  CHECK(sextupole.expanded);
  CHECK(element<ExpandedDrift>(R"({"__class__": "Drift", "length": 1})").length == 1.);
  CHECK(element<ExactDrift>(R"({"__class__": "Drift", "length": 1, "model": "exact"})").length ==
        1.);
  CHECK(element<ExactDrift>(R"({"__class__": "DriftExact", "length": 1})").length == 1.);
  const auto exact = parse(line_of({{"d", R"({"__class__": "Drift", "length": 1})"}},
                                   R"("config": {"XTRACK_USE_EXACT_DRIFTS": true})"));
  CHECK(exact.line[0].kind.as<ExactDrift>());
  CHECK(!exact.particle);
}

TEST_CASE("Rectangular bends of Xsuite", "[io]") {
  const auto bend = element<CanonicalBend>(
      R"({"__class__": "RBend", "length_straight": 2, "length": 2.1, "angle": 0.4,
          "edge_entry_angle": 0.01, "edge_exit_fint": 0.5, "edge_exit_hgap": 0.02, "k1": 0.1})");
  const double arc = 0.4 / std::sin(0.2);
  CHECK(bend.length == Approx(arc).epsilon(1e-14));
  CHECK(bend.entrance == Approx(0.21));
  CHECK(bend.exit == Approx(0.2));
  CHECK(bend.fringe == 0.);
  CHECK(bend.half_gap == 0.02);
  REQUIRE(bend.exit_fringe);
  CHECK(*bend.exit_fringe == 0.5);
  CHECK(bend.strengths[0] == Approx(0.1).epsilon(1e-14));
  const auto straight =
      element<CanonicalBend>(R"({"__class__": "RBend", "length_straight": 2, "k1": 0.1})");
  CHECK(straight.length == 2.);
  check_element_refused(R"({"__class__": "RBend", "length": 2, "angle": 0.4})", "length_straight");
  check_element_refused(
      R"({"__class__": "RBend", "length_straight": 2, "rbend_model": "straight-body"})",
      "rbend_model");
  check_element_refused(R"({"__class__": "RBend", "length_straight": 2, "rbend_shift": 0.1})",
                        "rbend_shift");
}

TEST_CASE("Multipoles of Xsuite", "[io]") {
  const auto thin = element<CanonicalMultipole>(
      R"({"__class__": "Multipole", "knl": [0, 0.1], "ksl": [0.2], "length": 3, "knl_rel": [0.0],
          "_sin_rot_s": 1.0, "_cos_rot_s": 0.0, "shift_x": 1e-3})");
  CHECK(thin.length == 0.);
  CHECK(thin.field.normal == std::vector{0., 0.1});
  CHECK(thin.field.skew == std::vector{-0.2});
  CHECK(thin.misalignment.tilt == Approx(0.5 * std::numbers::pi));
  CHECK(thin.misalignment.dx == 1e-3);
  const auto bend =
      element<ThinBend>(R"({"__class__": "Multipole", "knl": [0.01], "hxl": 0.02, "length": 3})");
  CHECK(bend.angle == 0.02);
  CHECK(bend.field.normal == std::vector{0.01});
  CHECK(bend.field_length == 3.);
  CHECK(bend.has_curved_gradient);
  const auto thick = element<CanonicalMultipole>(
      R"({"__class__": "Multipole", "knl": [0.01], "length": 3, "isthick": true,
          "_sin_rot_s": -999.0, "_cos_rot_s": -999.0})");
  CHECK(thick.length == 3.);
  CHECK(thick.misalignment.tilt == 0.);
  const auto relative = element<CanonicalMultipole>(
      R"({"__class__": "Multipole", "knl": [0, 2], "knl_rel": [0.5, 0.1], "main_order": 1})");
  CHECK(relative.field.normal == std::vector{1., 2.2});
  check_element_refused(R"({"__class__": "Multipole", "hyl": 0.1})", "hyl");
  check_element_refused(R"({"__class__": "Quadrupole", "length": 1, "k1": true})", "finite number");
  check_element_refused(R"({"__class__": "Multipole", "hxl": 0.1, "isthick": true, "length": 1})",
                        "hxl");
}

TEST_CASE("Cavities of Xsuite", "[io]") {
  const std::string drift = R"({"__class__": "Drift", "length": 10})";
  const auto ring = parse(line_of({{"d", drift},
                                   {"c", R"({"__class__": "Cavity", "voltage": 1e6, "harmonic": 5,
                                             "phase": 1, "lag": 90})"},
                                   {"d", drift}}));
  REQUIRE(ring.line.size() == 3);
  const auto* const cavity = ring.line[1].kind.as<RfCavity>();
  REQUIRE(cavity);
  const double beta_c = ring.particle->beta() * constants::speed_of_light;
  CHECK(cavity->frequency == Approx(5. * beta_c / 20.).epsilon(1e-14));
  CHECK(cavity->phase == Approx(1. + 0.5 * std::numbers::pi));
  CHECK(cavity->rest_energy == Approx(938272088.16));
  REQUIRE(cavity->reference_time);
  CHECK(*cavity->reference_time == Approx(10. / beta_c).epsilon(1e-14));

  const std::string near = R"({"__class__": "Cavity", "voltage": 1, "frequency": )" +
                           std::to_string(5.0001 * beta_c / 20.) + "}";
  const auto rounded = parse(line_of({{"d", drift}, {"c", near}, {"d", drift}}));
  CHECK(rounded.line[1].kind.as<RfCavity>()->frequency == Approx(5. * beta_c / 20.).epsilon(1e-14));

  const std::string both =
      R"({"__class__": "Cavity", "voltage": 1, "frequency": 1, "harmonic": 1})";
  check_refused(line_of({{"c", both}}), "frequency or a harmonic");
  check_refused(line_of({{"c", R"({"__class__": "Cavity", "voltage": 1, "frequency": 1})"}}, ""),
                "particle_ref");
  const auto without = parse(line_of({{"c", R"({"__class__": "Cavity", "length": 1})"}}, ""));
  CHECK(without.line[0].kind.length() == 1.);
}

TEST_CASE("Crab cavities of Xsuite kick by the sine of their phase", "[io]") {
  const double phase = 0.3, voltage = 2e6;
  const auto crab = element<RfDeflector>(
      R"({"__class__": "CrabCavity", "crab_voltage": 2e6, "frequency": 4e8, "phase": 0.3})");
  const auto line = parse(line_of({{"e", R"({"__class__": "Marker"})"}}));
  const double kick = crab.map_at(line.particle->p0()).C(2);
  CHECK(kick == Approx(voltage / line.particle->p0c * std::sin(phase)).epsilon(1e-6));
}

TEST_CASE("Other elements of Xsuite", "[io]") {
  const auto edge = element<DipoleEdge>(
      R"({"__class__": "DipoleEdge", "k": 0.01, "e1": 0.02, "hgap": 0.03, "fint": 0.5, "r21": 1})");
  CHECK(edge.curvature == 0.01);
  CHECK(edge.angle == 0.02);
  CHECK(edge.half_gap == 0.03);
  CHECK(edge.fringe == 0.5);
  const auto solenoid = element<ExactSolenoid>(
      R"({"__class__": "UniformSolenoid", "length": 2, "ks": 0.1, "x0": 1e-3})");
  CHECK(solenoid.ks == 0.1);
  CHECK(solenoid.misalignment.dx == 1e-3);
  CHECK(element<Rotator>(R"({"__class__": "SRotation", "angle": 90})").tilt ==
        Approx(0.5 * std::numbers::pi));
  CHECK(element<SetMomentum>(R"({"__class__": "ReferenceEnergyIncrease", "Delta_p0c": 1e9})")
            .momentum == Approx(27e9 / 938272088.16));
  element<Marker>(R"({"__class__": "Rotation", "rot_s_rad": 0.0})");
  check_element_refused(R"({"__class__": "Rotation", "rot_s_rad": 0.1})", "rot_s_rad");
  element<Marker>(R"({"__class__": "RFMultipole", "voltage": 0, "knl": [0.0], "frequency": 4e8})");
  check_element_refused(R"({"__class__": "RFMultipole", "ksl": [1e-6]})", "ksl");
}

TEST_CASE("Apertures of Xsuite", "[io]") {
  const auto rectangle = element<Collimator>(
      R"({"__class__": "LimitRect", "min_x": -0.01, "max_x": 0.03, "min_y": -0.02, "max_y": 0.02,
          "shift_x": 0.1})");
  CHECK(rectangle.aperture.x_max == Approx(0.02));
  CHECK(rectangle.aperture.dx == Approx(0.11));
  CHECK(rectangle.aperture.y_max == 0.02);
  const auto high = element<Collimator>(R"({"__class__": "LimitRect", "min_x": -0.01})").aperture;
  CHECK(high.open == Aperture::Open::plus_x);
  CHECK(high.dx - high.x_max == Approx(-0.01));
  CHECK(high.y_max == 0.);
  const auto ellipse =
      element<Collimator>(R"({"__class__": "LimitEllipse", "a_squ": 0.04, "b_squ": 0.01})");
  CHECK(ellipse.aperture.shape == Aperture::Shape::ellipse);
  CHECK(ellipse.aperture.x_max == 0.2);
  CHECK(ellipse.aperture.y_max == 0.1);
  const std::string both =
      R"({"__class__": "LimitRectEllipse", "max_x": 1, "min_x": -1, "a": 2, "b": 3})";
  CHECK(parse(line_of({{"e", both}})).line.size() == 2);
  CHECK(parse(line_of({{"e", both}}), {.apertures = false}).line.size() == 1);
  check_element_refused(R"({"__class__": "LimitEllipse", "a_squ": -1, "b_squ": 1})", "a_squ");
  check_element_refused(R"({"__class__": "LimitRect", "min_x": 1, "max_x": 0})", "max_x");
  check_element_refused(R"({"__class__": "LimitPolygon"})", "LimitPolygon");
}

TEST_CASE("Slices and replicas of Xsuite make the whole", "[io]") {
  const std::string bend =
      R"({"__class__": "Bend", "length": 2, "angle": 0.1, "edge_entry_angle": 0.05,
          "edge_exit_angle": 0.05})";
  const auto slice = [](const std::string& kind, double weight) {
    return R"({"__class__": ")" + kind + R"(", "parent_name": "b", "weight": )" +
           std::to_string(weight) + "}";
  };
  const auto whole = parse(line_of({{"b", bend}}));
  auto text = line_of({{"in", slice("ThinSliceBendEntry", 1)},
                       {"s1", slice("ThickSliceBend", 0.25)},
                       {"r", R"({"__class__": "Replica", "parent_name": "s2"})"},
                       {"out", slice("ThinSliceBendExit", 1)}});
  const std::string hidden =
      R"("elements": {"b": )" + bend + R"(, "s2": )" + slice("ThickSliceBend", 0.75) + ", ";
  text.replace(text.find(R"("elements": {)"), 13, hidden);
  const auto cut = parse(text);
  REQUIRE(cut.line.size() == 4);
  CHECK(length_of(cut.line) == Approx(2.).epsilon(1e-14));
  const double p0 = whole.particle->p0();
  const auto map_of = [&](const BeamLine& line) {
    OrbitTracker<HostExecutor> tracker(HostExecutor(), line, p0);
    return tracker.turn_about({});
  };
  const TransferMap a = map_of(whole.line), b = map_of(cut.line);
  for (int i = 1; i <= 6; ++i)
    for (int j = 1; j <= 6; ++j) CHECK(a.R(i, j) == Approx(b.R(i, j)).margin(1e-9));

  text.replace(text.find(R"("parent_name": "s2")"), 19, R"("parent_name": "r")");
  check_refused(text, "itself");
  check_refused(line_of({{"s", R"({"__class__": "ThickSliceBend", "parent_name": "b"})"}}),
                "no \"b\"");
  check_refused(line_of({{"s", R"({"__class__": "ThickSliceBend"})"}}), "parent_name");
}

TEST_CASE("Files of Xsuite by layout", "[io]") {
  const std::string drift = R"("elements": {"d": {"__class__": "Drift", "length": 1}})";
  const std::string names = R"("element_names": ["d", "d"])";
  CHECK(parse("{" + drift + ", " + names + "}").line.size() == 2);
  const auto inside = parse(R"({"line": {)" + drift + ", " + names +
                            R"(}, "particle": {"mass0": 1, "q0": -1, "p0c": [3], "x": [1]}})");
  CHECK(inside.line.size() == 2);
  REQUIRE(inside.particle);
  CHECK(inside.particle->p0() == 3.);
  CHECK(inside.particle->charge == -1.);
  CHECK(!inside.particle->anomaly);
  const auto moment_of = [&](const std::string& moment) {
    return parse("{" + drift + ", " + names +
                 R"(, "particle_ref": {"mass0": 1, "q0": -1, "p0c": 3, )" +
                 R"("anomalous_magnetic_moment": )" + moment + "}}")
        .particle->anomaly;
  };
  CHECK(moment_of("[0.5]") == 0.5);
  CHECK(moment_of("-0.14") == -0.14);
  CHECK(!moment_of("[0.0]"));
  test::check_refused([&] { return moment_of("\"x\""); }, "particle_ref.anomalous_magnetic_moment");

  const std::string two = R"({"xsuite_data_type": "Environment", )" + drift +
                          R"(, "env_particles": {"p": {"mass0": 2, "q0": 1, "p0c": 3}}, "lines": {
                             "a": {"element_names": ["d"], "particle_ref": "p"},
                             "b": {"element_names": ["d", "d", "d"]}}})";
  const auto chosen = parse(two, {.line = "a"});
  CHECK(chosen.name == "a");
  CHECK(chosen.line.size() == 1);
  CHECK(chosen.particle->p0() == 1.5);
  CHECK(parse(two, {.line = "b"}).line.size() == 3);
  test::check_refused<UsageError>([&] { return parse(two); }, "a, b");
  test::check_refused<UsageError>([&] { return parse(two, {.line = "c"}); }, "a, b");
  test::check_refused<UsageError>(
      [&] { return parse("{" + drift + ", " + names + "}", {.line = "a"}); }, "one line");

  const auto ancient =
      parse(R"({"elements": [{"__class__": "Drift", "length": 1}, {"__class__": "Marker"}],
                                 "element_names": ["x", "y"]})");
  CHECK(ancient.line.size() == 2);
  CHECK(ancient.line[1].name == "y");
}

TEST_CASE("Files that are no lines of Xsuite", "[io]") {
  check_refused("{", "JSON");
  check_refused("[]", "object");
  check_refused("{}", "has no line");
  check_refused(R"({"__class__": "Particles", "element_names": []})", "Particles");
  check_refused(R"({"element_names": []})", "elements");
  check_refused(R"({"elements": {}, "element_names": ["a"]})", "no \"a\"");
  check_refused(R"({"elements": {}, "element_names": [1]})", "a text");
  check_refused(R"({"elements": {"a": {}, "a": {}}, "element_names": []})", "two fields \"a\"");
  check_refused(R"({"elements": {"a": {"length": 1}}, "element_names": ["a"]})", "__class__");
  check_refused(R"({"elements": {}, "element_names": [], "mode": "compose", "composer": {}})",
                "compose");
  check_element_refused(R"({"__class__": "Wire", "length": 1})", "Wire");
  check_element_refused(R"({"__class__": "Drift", "length": "long"})", "elements.e.length");
  check_element_refused(R"({"__class__": "Quadrupole", "length": 1, "k7": 0.1})", "k7");
  check_element_refused(R"({"__class__": "Quadrupole", "length": 1, "edge_exit_active": 1})",
                        "edge_exit_active");
  check_element_refused(R"({"__class__": "Bend", "length": 1, "model": "magic"})", "magic");
  const auto skipped = parse(line_of({{"w", R"({"__class__": "Wire"})"},
                                      {"e", R"({"__class__": "Elens", "length": 2})"},
                                      {"w", R"({"__class__": "Wire"})"}}),
                             {.skip_unknown = true});
  CHECK(skipped.line.size() == 3);
  CHECK(skipped.drifts == "Elens (1), Wire (1)");
  test::check_cut_off_anywhere(line_of({{"q", R"({"__class__": "Quadrupole", "k1": 1})"}}),
                               [](const std::string& text) { return parse(text); });
}
