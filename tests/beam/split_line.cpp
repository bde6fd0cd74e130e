// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/split_line.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace trackplex::beam;
using Catch::Matchers::WithinAbs;

TEST_CASE("a line in parts is as long and focuses as much", "[beam]") {
  const SectorBend bend{.length = 0.5, .angle = 0.2, .entrance = 0.1, .exit = 0.1};
  const BeamLine line{{"q", Quadrupole{0.2, 5., 2}},
                      {"d", Drift{0.7, 2}},
                      {"m", Marker{}},
                      {"b", Bend{bend, 2}},
                      {"k", Kicker{0.4, 1e-3, 0., 0.}},
                      {"s", SpaceChargeDrift{.length = 0.3}}};
  const auto parts = split(line, 4);
  CHECK(parts.size() == 4 * 4 + 2);
  CHECK_THAT(length_of(parts), WithinAbs(length_of(line), 1e-12));
  const auto whole = map_of(line, 1), joined = map_of(parts, 1);
  for (int i = 0; i < n_coordinates; ++i)
    for (std::size_t j = 0; j < std::size(whole.component[i].r); ++j)
      CHECK_THAT(joined.component[i].r[j], WithinAbs(whole.component[i].r[j], 1e-12));
}

TEST_CASE("edges of a bend stay at its ends", "[beam]") {
  const auto parts = split({{"b", Bend{{.length = 0.5, .angle = 0.2}, 2}}}, 3);
  REQUIRE(parts.size() == 3);
  const auto magnet = [&](int i) { return parts[std::size_t(i)].kind.as<Bend>()->magnet; };
  CHECK((magnet(0).entrance_edge && !magnet(0).exit_edge));
  CHECK((!magnet(1).entrance_edge && !magnet(1).exit_edge));
  CHECK((!magnet(2).entrance_edge && magnet(2).exit_edge));
  CHECK_THAT(magnet(1).angle, WithinAbs(0.2 / 3., 1e-15));
  CHECK(split({}, 3).empty());
}
