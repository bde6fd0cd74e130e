// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <trackplex/beam/line_maps.hpp>
#include <trackplex/io/elegant_lattice.hpp>
#include <trackplex/io/elegant_lattice_writer.hpp>

using namespace trackplex;
using namespace trackplex::beam;
using namespace trackplex::io;

namespace {

/// One element of each kind, with nothing at its default.
Lattice all_elements() {
  const Misalignment off{1e-3, -2e-3, 0.1};
  Lattice lattice;
  lattice.add("D", Drift{0.5, 1});
  lattice.add("ED", ExactDrift{0.25});
  lattice.add("QF", Quadrupole{0.2, 1. / 3., 3, off});
  lattice.add("kq", ThickQuadrupole{0.2, -1.5, 7, 6, off});
  lattice.add("S 1", Sextupole{0.1, 20., 1, off});
  lattice.add("KS", ThickSextupole{0.1, -20., 3, 2, off});
  const SectorBend magnet{.length = 0.5,
                          .angle = 0.2,
                          .k1 = 0.1,
                          .k2 = 0.2,
                          .entrance = 0.05,
                          .exit = 0.06,
                          .half_gap = 0.01,
                          .fringe = 0.4,
                          .entrance_edge = false,
                          .exit_edge = true};
  lattice.add("B", Bend{magnet, 1, off});
  lattice.add("K", Kicker{0.1, 1e-3, 2e-3, 0.3});
  lattice.add("M", Marker{});
  lattice.add("R", Collimator{Collimator::Shape::rectangle, 0.1, 1e-2, 2e-2, 1e-3, 2e-3});
  lattice.add("E", Collimator{Collimator::Shape::ellipse, 0.1, 1e-2, 2e-2, 1e-3, 2e-3});
  lattice.add("Q", Charge{1e-9});
  lattice.add("L",
              SpaceChargeDrift{1., 2., 64, true, 4, 2, false, {0.1, 0.2}, {0.3, 0.4}, 2., false});
  return lattice;
}

std::string names(const BeamLine& line) {
  std::string text;
  for (const Element& element : line) text += element.name + " ";
  return text;
}

}  // namespace

TEST_CASE("elements survive a lattice file", "[io]") {
  const Lattice lattice = all_elements();
  const std::string text = elegant_lattice_text(lattice);
  CAPTURE(text);
  const Lattice again = parse_elegant_lattice(text, "test.lte").lattice;
  REQUIRE(again.elements().size() == lattice.elements().size());
  for (std::size_t i = 0; i < again.elements().size(); ++i) {
    const Element &a = lattice.elements()[i], &b = again.elements()[i];
    CAPTURE(a.name);
    CHECK(b.name == a.name);
    REQUIRE(b.kind.index() == a.kind.index());
    CHECK(length_of(b) == length_of(a));
    CHECK(map_of(b) == map_of(a));
  }
  CHECK(elegant_lattice_text(again) == text);
  const auto thick = std::get<ThickQuadrupole>(again.element("KQ").kind);
  CHECK(thick.slices == 7);
  CHECK(thick.integration_order == 6);
  const auto collimator = std::get<Collimator>(again.element("E").kind);
  CHECK(collimator.shape == Collimator::Shape::ellipse);
  CHECK(collimator.x_max == 1e-2);
  CHECK(collimator.y_max == 2e-2);
  CHECK(collimator.dx == 1e-3);
  CHECK(collimator.dy == 2e-3);
  CHECK(std::get<Charge>(again.element("Q").kind).total == 1e-9);
  const auto lsc = std::get<SpaceChargeDrift>(again.element("L").kind);
  CHECK(lsc.effective_length == 2.);
  CHECK(lsc.bins == 64);
  CHECK(lsc.smoothing);
  CHECK(lsc.smoothing_half_width == 4);
  CHECK(lsc.smoothing_order == 2);
  CHECK(!lsc.interpolate);
  CHECK(lsc.low_frequency.end == 0.2);
  CHECK(lsc.high_frequency.begin == 0.3);
  CHECK(lsc.radius_factor == 2.);
  CHECK(!lsc.space_charge);
}

TEST_CASE("statements have what is not a default", "[io]") {
  Lattice lattice;
  lattice.add("M", Marker{});
  lattice.add("Q 1", ThickQuadrupole{.length = 0.2, .k1 = 1.5});
  lattice.add_line("ALL", {repeated(3, reversed("half")), "half", reversed({"M", "half", "Q 1"})});
  lattice.add_line("half", {"m", repeated(2, {"Q 1", "m"})});
  CHECK(elegant_lattice_text(lattice) ==
        "M: MARK\n\"Q 1\": KQUAD, L=0.2, K1=1.5\nhalf: LINE=(m, 2*(\"Q 1\", m))\n"
        "ALL: LINE=(-3*half, half, (-\"Q 1\", -half, -M))\n");
}

TEST_CASE("lines survive a lattice file", "[io]") {
  Lattice lattice = all_elements();
  lattice.add_line("whole", {repeated(2, {"half", reversed("half")}), "M",
                             reversed(repeated(2, {"D", reversed("B"), repeated(3, "B")}))});
  lattice.add_line("half",
                   {"QF", repeated(2, reversed(repeated(2, "S 1"))), repeated(0, "K"), "B"});
  std::vector<LineItem> many;
  for (int i = 0; i < 200; ++i) many.push_back(i % 3 ? "whole" : "ED");
  lattice.add_line("many", many);
  const auto path = std::filesystem::temp_directory_path() / "trackplex_lattice.lte";
  write_elegant_lattice(path, lattice);
  const Lattice again = read_elegant_lattice(path).lattice;
  std::filesystem::remove(path);
  for (const std::string line : {"half", "whole", "many"}) {
    const BeamLine a = lattice.expand(line), b = again.expand(line);
    CHECK(names(a) == names(b));
    CHECK(map_of(a, 1) == map_of(b, 1));  // bends backwards are, too
  }
}

TEST_CASE("what elegant does not have is not written", "[io]") {
  Lattice map;
  map.add("MAP", MapElement(0.2, quadrupole_map(0.2, 5., 2)));
  CHECK_THROWS_AS(elegant_lattice_text(map), UsageError);
  Lattice name;
  name.add("a\"b", Marker{});
  CHECK_THROWS_AS(elegant_lattice_text(name), UsageError);
  Lattice unknown;
  unknown.add_line("L", {"nothing"});
  CHECK_THROWS_AS(elegant_lattice_text(unknown), UsageError);
  Lattice endless;
  endless.add_line("A", {"B"});
  endless.add_line("B", {{"A"}});
  CHECK_THROWS_AS(elegant_lattice_text(endless), UsageError);
  Lattice empty;
  empty.add_line("L", {});
  CHECK_THROWS_AS(elegant_lattice_text(empty), UsageError);
}
