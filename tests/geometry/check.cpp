// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/check.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cmath>
#include <limits>

#include "small_detector.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::geometry;

namespace {

/// The small detector is refused after a change.
template <class Change>
void check_changed(const Change& change, const char* message) {
  auto detector = test::small_detector();
  change(detector);
  test::check_refused<UsageError>([&] { check(detector); }, message);
}

/// Two modules on a disk.
DetectorDescription two_modules(const Module& a, const Module& b) {
  DetectorDescription detector;
  detector.add_layer({.name = "pair", .kind = LayerKind::disk, .low = 0., .high = 100.}, {a, b});
  return detector;
}

bool overlap(const Module& a, const Module& b) {
  try {
    check(two_modules(a, b), {.max_distance = 100.});
  } catch (const UsageError& error) {
    CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring(
                                 "module 0 of layer 0 'pair': it overlaps module 1"));
    return true;
  }
  return false;
}

Module square_at(const Vector3<double>& centre) {
  return {{centre, {1., 0., 0.}, {0., 1., 0.}}, Bounds::rectangle(1., 1.)};
}

/// A square whose normal is tilted from z towards x.
Module tilted_at(const Vector3<double>& centre, double angle) {
  auto square = square_at(centre);
  square.frame.u = {std::cos(angle), 0., -std::sin(angle)};
  return square;
}

}  // namespace

TEST_CASE("the small detector has no fault", "[geometry]") {
  CHECK_NOTHROW(check(test::small_detector()));
  CHECK_NOTHROW(check(DetectorDescription()));
}

TEST_CASE("faults of modules are named with the module and its layer", "[geometry]") {
  check_changed([](auto& d) { d.modules[3].frame.u = d.modules[3].frame.v; },
                "module 3 of layer 1 'barrel': the axes u and v are not orthogonal");
  check_changed([](auto& d) { d.modules[3].frame.v(2) = 1.1; }, "the axis v has the length 1.1");
  check_changed([](auto& d) { d.modules[70].frame.centre(0) = NAN; },
                "module 70 of layer 2 'disk': its frame is not finite");
  check_changed([](auto& d) { d.modules[3].bounds.size[2] = 0.; }, "its bounds enclose no area");
  check_changed([](auto& d) { d.modules[3].bounds.size[1] = INFINITY; }, "bounds enclose no area");
  check_changed([](auto& d) { d.modules[3].thickness = -1.; }, "its thickness is no length");
  check_changed([](auto& d) { d.modules[3].radiation_lengths = NAN; }, "0 stands for no material");
  check_changed([](auto& d) { d.modules[3].pitch_v = -1.; }, "a pitch is negative");
  check_changed([](auto& d) { d.modules[75].frame.centre(2) += 1.5; },
                "module 75 of layer 2 'disk': it is off its layer (by 1.5");
  check_changed([](auto& d) { d.modules[0].frame.centre(1) += 5.; },
                "module 0 of layer 1 'barrel': it is off its layer");
  check_changed([](auto& d) { d.modules.back().frame.centre(2) += 5.; },
                "layer 4 'plane': it is off its layer");
  check_changed([](auto& d) { d.modules[111].identifier = d.modules[112].identifier; },
                "module 112 of layer 3 'petals': module 111 has the same identifier");
}

TEST_CASE("faults of layers and numbers are named", "[geometry]") {
  check_changed([](auto& d) { d.layers[0].position = -2.; },
                "layer 0 'beam pipe': a radius is not positive");
  check_changed([](auto& d) { d.layers[2].low = -1.; }, "a radius is not positive");
  check_changed([](auto& d) { d.layers[1].high = -30.; },
                "layer 1 'barrel': its position or extent");
  check_changed([](auto& d) { d.layers[0].thickness = NAN; }, "its thickness is no length");
  check_changed([](auto& d) { d.layers[4].normal(0) = 1.; }, "its normal is no unit vector");
  check_changed([](auto& d) { d.modules[3].layer = 17; },
                "module 3: its layer has another number (17");
  check_changed([](auto& d) { d.layers[2].first_module = 0; },
                "layer 2 'disk': its modules do not follow");
  check_changed([](auto& d) { d.layers[4].n_modules = 2; }, "layer 4 'plane': its modules do not");
  check_changed([](auto& d) { d.layers.pop_back(); }, "module 116: it is on no layer");
  check_changed([](auto& d) { d.modules.pop_back(); }, "its modules do not follow");
}

TEST_CASE("modules overlap where they occupy the same space", "[geometry]") {
  const auto a = square_at({3., 3., 0.});
  CHECK(overlap(a, a));
  CHECK(overlap(a, square_at({4.9, 4.9, 0.})));          // corners
  CHECK_FALSE(overlap(a, square_at({5., 3., 0.})));      // edges touch
  CHECK_FALSE(overlap(a, square_at({4.9995, 3., 0.})));  // within the tolerance
  CHECK(overlap(a, square_at({4.99, 3., 0.})));
  CHECK_FALSE(overlap(a, square_at({4., 3., 0.01})));  // staggered
  auto thick = square_at({4., 3., 0.05});
  thick.thickness = 0.04;
  CHECK_FALSE(overlap(a, thick));
  thick.thickness = 0.2;
  CHECK(overlap(a, thick));
  // one plane through the other
  CHECK(overlap(a, tilted_at({3.5, 3.5, 0.}, 1.)));
  CHECK_FALSE(overlap(a, tilted_at({3.5, 3.5, 1.2}, -1.)));
  CHECK(overlap(a, tilted_at({3.5, 3.5, 0.8}, -1.)));
  // edges cross like those of a roof: only a product of edges separates them
  auto roof = tilted_at({3., 3., 0.}, 1.5);
  auto other = square_at({3., 3., 2.2});
  other.frame.u = {1., 0., 0.};
  other.frame.v = {0., std::cos(1.5), std::sin(1.5)};
  CHECK_FALSE(overlap(roof, other));
  other.frame.centre(2) = 1.9;
  CHECK(overlap(roof, other));
  CHECK_NOTHROW(check(two_modules(a, a), {.overlaps = false}));
}

TEST_CASE("annuli overlap only where they are", "[geometry]") {
  const auto ring = [](double inner, double outer, double half_angle, double phi = 0.) {
    const double x = std::cos(phi), y = std::sin(phi);
    return Module{{{0., 0., 0.}, {y, -x, 0.}, {x, y, 0.}},
                  Bounds::annulus(inner, outer, half_angle)};
  };
  const double all = std::numbers::pi;
  CHECK_FALSE(overlap(ring(2., 3., all), ring(3., 4., all)));
  CHECK(overlap(ring(2., 3.1, all), ring(3., 4., all)));
  CHECK_FALSE(overlap(ring(2., 3., 0.5), ring(2., 3., 0.5, 1.)));
  CHECK(overlap(ring(2., 3., 0.5), ring(2., 3., 0.55, 1.)));
  CHECK_FALSE(overlap(ring(2.5, 4., all), square_at({0., 0., 0.})));  // in the hole
  CHECK(overlap(ring(1.2, 4., all), square_at({0., 0., 0.})));
}

TEST_CASE("overlaps are found in any order of the modules", "[geometry]") {
  DetectorDescription detector;
  std::vector<Module> modules;
  for (int i = 0; i < 200; ++i) modules.push_back(square_at({3. * ((i * 37) % 200), 0., 0.}));
  modules.push_back(square_at({3. * 120 + 1., 0.5, 0.}));
  detector.add_layer({.kind = LayerKind::disk}, modules);
  test::check_refused<UsageError>([&] { check(detector); }, "overlaps module 200");
}
