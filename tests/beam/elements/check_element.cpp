// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/lattice.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/tracking_steps.hpp>
#include <tuple>
#include <type_traits>

#include "every_element.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// An element, its numbers by their names, and whether they may be negative.
struct Numbers {
  using With = ElementKind (*)(const ElementKind&, double value);
  struct Number {
    const char* quantity;
    With with;
    bool may_be_negative;
  };
  ElementKind kind;
  std::vector<Number> list;
};

#define NUMBER(Kind, member)                                 \
  [](const ElementKind& kind, double value) -> ElementKind { \
    Kind changed = *kind.as<Kind>();                         \
    changed.member = value;                                  \
    return changed;                                          \
  }

Numbers::Number length(Numbers::With with) { return {"length", with, false}; }

template <class Magnet>
Numbers magnet(const char* quantity, Numbers::With strength) {
  return {Magnet{.length = 0.2},
          {length(NUMBER(Magnet, length)),
           {quantity, strength, true},
           {"displacement in x", NUMBER(Magnet, misalignment.dx), true},
           {"displacement in y", NUMBER(Magnet, misalignment.dy), true},
           {"tilt", NUMBER(Magnet, misalignment.tilt), true}}};
}

std::vector<Numbers> all_numbers() {
  const SectorBend sector{.length = 0.5, .angle = 0.2};
  return {{Drift{1.}, {{"length", NUMBER(Drift, length), true}}},
          {ExactDrift{1.}, {{"length", NUMBER(ExactDrift, length), true}}},
          magnet<Quadrupole>("strength k1", NUMBER(Quadrupole, k1)),
          magnet<CanonicalQuadrupole>("strength k1", NUMBER(CanonicalQuadrupole, k1)),
          magnet<Sextupole>("strength k2", NUMBER(Sextupole, k2)),
          magnet<CanonicalSextupole>("strength k2", NUMBER(CanonicalSextupole, k2)),
          {Bend{sector},
           {length(NUMBER(Bend, magnet.length)),
            {"angle", NUMBER(Bend, magnet.angle), true},
            {"strength k1", NUMBER(Bend, magnet.k1), true},
            {"strength k2", NUMBER(Bend, magnet.k2), true},
            {"angle of the entrance edge", NUMBER(Bend, magnet.entrance), true},
            {"angle of the exit edge", NUMBER(Bend, magnet.exit), true},
            {"half gap", NUMBER(Bend, magnet.half_gap), false},
            {"integral of the fringe field", NUMBER(Bend, magnet.fringe), true},
            {"displacement in x", NUMBER(Bend, misalignment.dx), true},
            {"curvature of the entrance", NUMBER(Bend, magnet.entrance_curvature), true},
            {"curvature of the exit", NUMBER(Bend, magnet.exit_curvature), true},
            {"error of the field", NUMBER(Bend, magnet.dipole_error), true},
            {"error tilt", NUMBER(Bend, magnet.error_tilt), true},
            {"displacement in y", NUMBER(Bend, misalignment.dy), true},
            {"displacement in z", NUMBER(Bend, misalignment.dz), true},
            {"tilt", NUMBER(Bend, misalignment.tilt), true}}},
          {Kicker{0.1, 1e-3, 1e-3, 0.1},
           {length(NUMBER(Kicker, length)),
            {"horizontal kick", NUMBER(Kicker, horizontal), true},
            {"vertical kick", NUMBER(Kicker, vertical), true},
            {"tilt", NUMBER(Kicker, tilt), true},
            {"sextupole component b2", NUMBER(Kicker, b2), true}}},
          {Quadrupole{.length = 0.2},
           {{"length of the fringe field", NUMBER(Quadrupole, fringe.length), false},
            {"horizontal kick", NUMBER(Quadrupole, horizontal), true},
            {"vertical kick", NUMBER(Quadrupole, vertical), true}}},
          {Sextupole{.length = 0.2},
           {{"strength k1", NUMBER(Sextupole, k1), true},
            {"strength j1", NUMBER(Sextupole, j1), true}}},
          magnet<Octupole>("strength k3", NUMBER(Octupole, k3)),
          magnet<Solenoid>("strength ks", NUMBER(Solenoid, ks)),
          magnet<SolenoidField>("field", NUMBER(SolenoidField, field)),
          {Monitor{1.}, {{"length", NUMBER(Monitor, length), true}}},
          {Collimator{.length = 0.1, .aperture = {.x_max = 1e-2, .y_max = 1e-2}},
           {length(NUMBER(Collimator, length)),
            {"half width in x", NUMBER(Collimator, aperture.x_max), false},
            {"half width in y", NUMBER(Collimator, aperture.y_max), false},
            {"displacement in x", NUMBER(Collimator, aperture.dx), true},
            {"displacement in y", NUMBER(Collimator, aperture.dy), true}}},
          {Charge{1e-9}, {{"charge", NUMBER(Charge, total), true}}},
          {SpaceChargeDrift{.length = 0.5, .bins = 64},
           {length(NUMBER(SpaceChargeDrift, length)),
            {"effective length", NUMBER(SpaceChargeDrift, effective_length), false},
            {"radius factor", NUMBER(SpaceChargeDrift, radius_factor), true},
            {"low frequency cutoff", NUMBER(SpaceChargeDrift, low_frequency.begin), true},
            {"low frequency cutoff", NUMBER(SpaceChargeDrift, low_frequency.end), true},
            {"high frequency cutoff", NUMBER(SpaceChargeDrift, high_frequency.begin), true},
            {"high frequency cutoff", NUMBER(SpaceChargeDrift, high_frequency.end), true}}},
          {MapElement(0.5, drift_map(0.5, 2)), {{"length", NUMBER(MapElement, length), true}}}};
}

#undef NUMBER

TrackingSteps steps_of(const BeamLine& line) {
  return tracking_steps(line, {}, [](int) { return false; });
}

/// Wherever it enters.
void check_refused_everywhere(const ElementKind& kind, const std::string& message) {
  CAPTURE(message);
  const Element element{"bad", kind};
  test::check_refused<UsageError>([&] { Lattice().add(element); }, message);
  test::check_refused<UsageError>([&] { steps_of({{"m", Marker{}}, element}); }, message);
  test::check_refused<UsageError>([&] { map_of(element); }, message);
  test::check_refused<UsageError>([&] { map_of(BeamLine{element}, 1); }, message);
}

}  // namespace

TEST_CASE("elements of all kinds are checked number by number", "[beam]") {
  const auto all = all_numbers();
  for (const Numbers& numbers : all) {
    CHECK_NOTHROW(check_element({"good", numbers.kind}));
    for (const auto& number : numbers.list) {
      CAPTURE(numbers.kind.family(), number.quantity);
      const auto with = [&](double value) { return number.with(numbers.kind, value); };
      const std::string begin = std::string("element 'bad': its ") + number.quantity;
      check_refused_everywhere(with(not_a_number), begin + " cannot be nan (it must be finite)");
      check_refused_everywhere(with(infinity), begin + " cannot be inf (it must be finite)");
      check_refused_everywhere(with(-infinity), begin + " cannot be -inf (it must be finite)");
      if (number.may_be_negative) {
        CHECK_NOTHROW(check_element({"good", with(-1e-9)}));
      } else {
        check_refused_everywhere(with(-1e-9),
                                 begin + " cannot be -1e-09 (it must not be negative)");
      }
    }
  }
}

TEST_CASE("bends without a field are refused", "[beam]") {
  const Bend bend{.magnet = {.length = 0.5, .angle = 0.2, .dipole_error = -1.}};
  check_refused_everywhere(bend, "error of the field cannot be -1");
}

TEST_CASE("maps of elements are checked coefficient by coefficient", "[beam]") {
  for (const auto& spoil : {+[](TransferMap& map) { map.C(1) = not_a_number; },
                            +[](TransferMap& map) { map.R(6, 6) = infinity; },
                            +[](TransferMap& map) { map.T(2, 2, 1) = not_a_number; },
                            +[](TransferMap& map) { map.component[4].q[7] = not_a_number; }}) {
    TransferMap map = quadrupole_map(0.2, 5., 3);
    CHECK_NOTHROW(check_element({"good", MapElement(0.2, map)}));
    spoil(map);
    check_refused_everywhere(MapElement(0.2, map), "element 'bad': its map cannot be");
  }
}

TEST_CASE("good elements pass the check, and drifts may go back", "[beam]") {
  for (const Element& element : test::every_element()) CHECK_NOTHROW(check_element(element));
  for (const Element& element : test::every_madx_element()) CHECK_NOTHROW(check_element(element));
  for (const Element& element : test::every_trajectory()) CHECK_NOTHROW(check_element(element));
  for (const Element& element : test::every_collective_element())
    CHECK_NOTHROW(check_element(element));
  for (const Element& element : test::every_space_charge_kick())
    CHECK_NOTHROW(check_element(element));
  const BeamLine there_and_back{{"d", Drift{0.5}}, {"back", Drift{-0.5}}};
  CHECK(map_of(there_and_back, 1) == TransferMap::identity(1));
}

TEST_CASE("the line of collective elements has every type of the library", "[beam]") {
  BeamLine line = test::every_collective_element();
  const BeamLine kicks = test::every_space_charge_kick();
  line.insert(line.end(), kicks.begin(), kicks.end());
  const auto check = [&]<class... Types>(std::type_identity<std::tuple<Types...>>) {
    int type = 0;
    for (const auto is_of_type :
         {+[](const Element& element) { return element.kind.as<Types>() != nullptr; }...}) {
      INFO("type " << type++ << " of detail::CollectiveElements");
      CHECK(std::ranges::any_of(line, is_of_type));
    }
  };
  check(std::type_identity<beam::detail::CollectiveElements>{});
}
