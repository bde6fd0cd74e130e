// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "detector.hpp"
#include "lhcb/scifi_reference.hpp"

#include <trackplex/lhcb/ut/ut_sector_groups.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using test::detector;

/// The motion of a sensor, in double precision.
std::array<double, 12> transform_of(int module, int sensor) {
  const auto& t = detector().velo.transforms[4 * module + sensor];
  std::array<double, 12> copy{};
  std::copy(t.begin(), t.end(), copy.begin());
  return copy;
}

/// A UT sector in double precision.
struct Sector {
  explicit Sector(int s)
      : x(detector().ut.x[s]),
        y(detector().ut.y[s]),
        length(detector().ut.length[s]),
        pitch(detector().ut.pitch[s]),
        cosine(detector().ut.cosine[s]),
        x_per_strip(detector().ut.x_per_strip[s]),
        y_per_strip(detector().ut.y_per_strip[s]) {}

  double x, y, length, pitch, cosine, x_per_strip, y_per_strip;
};

/// Begin and end of the range of u and v that the corners of a sensor's pixels span.
std::array<double, 4> spans(int module, int sensor) {
  const auto& velo = detector().velo;
  const auto t = transform_of(module, sensor);
  std::array<double, 4> range = {1e9, -1e9, 1e9, -1e9};
  for (const double x :
       {double(velo.column_x.front()) - 0.0275, double(velo.column_x.back()) + 0.0275}) {
    for (const double y : {0., 256 * 0.055}) {
      const auto point =
          lhcb::to_velo_sensor(module, t[0] * x + t[1] * y + t[9], t[3] * x + t[4] * y + t[10]);
      range = {std::min(range[0], point.u), std::max(range[1], point.u),
               std::min(range[2], point.v), std::max(range[3], point.v)};
    }
  }
  return range;
}

}  // namespace

TEST_CASE("The ideal pixels lie side by side, wide ones where chips meet", "[simulation]") {
  const auto& velo = detector().velo;
  CHECK_THAT(velo.column_x[0], WithinAbs(0.0275, 1e-6));
  CHECK_THAT(velo.column_x[767], WithinAbs(42.5425, 1e-5));
  int wider = 0, widest = 0;
  for (int c = 0; c < 768; ++c) {
    if (c < 767) {
      CHECK_THAT(velo.column_x[c + 1] - velo.column_x[c], WithinAbs(velo.column_pitch[c], 1e-5));
    }
    wider += velo.column_pitch[c] == 0.09625f;
    widest += velo.column_pitch[c] == 0.1375f;
  }
  CHECK(wider == 4);
  CHECK(widest == 2);
  CHECK(velo.column_pitch[255] == 0.1375f);
  CHECK(velo.column_pitch[511] == 0.1375f);
}

TEST_CASE("The ideal VELO sensors stand where the flight meets them", "[simulation]") {
  for (int module = 0; module < 52; ++module) {
    CHECK(detector().velo.module_z[module] == float(lhcb::velo_module_z[module]));
    for (int sensor = 0; sensor < 4; ++sensor) {
      CAPTURE(module, sensor);
      const auto t = transform_of(module, sensor);
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          const double product =
              t[3 * a] * t[3 * b] + t[3 * a + 1] * t[3 * b + 1] + t[3 * a + 2] * t[3 * b + 2];
          CHECK_THAT(product, WithinAbs(a == b ? 1. : 0., 1e-6));
        }
      }
      CHECK_THAT((t[0] * t[4] - t[1] * t[3]) * t[8], WithinAbs(1., 1e-6));  // no mirror
      const auto& place = lhcb::velo_sensors[sensor];
      CHECK_THAT(t[11], WithinAbs(lhcb::velo_module_z[module] + place.z, 1e-4));
      const auto [u_min, u_max, v_min, v_max] = spans(module, sensor);
      CHECK_THAT(u_min, WithinAbs(place.u_min, 1e-4));
      CHECK_THAT(u_max, WithinAbs(place.u_max, 1e-4));
      CHECK_THAT(v_min, WithinAbs(place.v_min, 1e-4));
      CHECK_THAT(v_max, WithinAbs(place.v_max, 1e-4));
    }
  }
}

TEST_CASE("The ideal UT has the columns of sectors of LHCb", "[simulation]") {
  const auto& ut = detector().ut;
  REQUIRE(ut.size() == 1048);
  for (const auto* array : {&ut.pitch, &ut.length, &ut.x_per_strip, &ut.y_per_strip,
                            &ut.z_per_strip, &ut.x, &ut.y, &ut.z, &ut.cosine}) {
    CHECK(array->size() == 1048);
  }
  const auto groups = lhcb::ut_sector_groups(ut);
  CHECK(groups.size() == 84);
  CHECK(groups.layer_offsets == std::array<int, 5>{0, 20, 40, 62, 84});
  std::array<int, 84> sectors{};
  for (const auto g : groups.of_sector) ++sectors[g];
  CHECK(std::vector(sectors.begin(), sectors.begin() + 20) ==
        std::vector{14, 14, 14, 14, 14, 14, 14, 4, 16, 6, 16, 6, 14, 4, 14, 14, 14, 14, 14, 14});
  for (int g = 1; g < 84; ++g) {
    const bool begins_layer = g == 20 || g == 40 || g == 62;
    if (!begins_layer) CHECK(groups.left_edge[g] - groups.left_edge[g - 1] > 46.f);
  }
}

TEST_CASE("The ideal UT covers its layers without gaps", "[simulation]") {
  const auto& ut = detector().ut;
  for (int layer = 0; layer < 4; ++layer) {
    const int begin = lhcb::ut_region_offsets[3 * layer];
    const int end = lhcb::ut_region_offsets[3 * layer + 3];
    CHECK(std::set(&ut.z[begin], &ut.z[0] + end).size() == 4);
    const auto [low, high] = std::minmax_element(&ut.z[begin], &ut.z[0] + end);
    CHECK_THAT(*high - *low, WithinAbs(14.44, 0.01));
    const auto covers = [&](double x, double y) {
      int n = 0;
      for (int s = begin; s < end; ++s) {
        const Sector sector(s);
        const double strip = (x - sector.x - y * lhcb::ut_dxdy[layer]) / sector.x_per_strip;
        const double above = y - sector.y - strip * sector.y_per_strip;
        n += -0.5 <= strip && strip <= 511.5 && 0. <= above && above <= sector.length;
      }
      return n;
    };
    int single = 0, points = 0;
    for (double x = -690.; x <= 690.; x += 7.3) {
      for (double y = -600.; y <= 600.; y += 6.1) {
        const int n = covers(x, y);
        REQUIRE(n >= 1);
        REQUIRE(n <= 4);
        single += n == 1;
        ++points;
      }
    }
    CHECK(single > 0.94 * points);  // overlaps are small
    CHECK(single < 0.99 * points);
  }
}

TEST_CASE("Strips of the ideal UT keep their distance and direction", "[simulation]") {
  for (int s = 0; s < 1048; ++s) {
    const Sector sector(s);
    int layer = 0;
    while (s >= lhcb::ut_region_offsets[3 * layer + 3]) ++layer;
    const double tangent = lhcb::ut_dxdy[layer];
    // The step from strip to strip is across the strips, and as long as the pitch.
    CHECK_THAT(std::hypot(sector.x_per_strip + sector.y_per_strip * tangent, sector.y_per_strip),
               WithinRel(sector.pitch, 1e-5));
    CHECK_THAT(sector.x_per_strip * sector.cosine, WithinRel(sector.pitch, 1e-5));
    CHECK_THAT(sector.cosine, WithinRel(1. / std::hypot(1., tangent), 1e-6));
    CHECK_THAT(512. * sector.pitch, WithinAbs(48.64, 1e-3) || WithinAbs(97.28, 1e-3));
  }
}

TEST_CASE("Each sector of the ideal UT has one hybrid and its own channels", "[simulation]") {
  const auto& boards = detector().ut_boards;
  REQUIRE(boards.size() == 240);
  CHECK(std::count(boards.strips_per_hybrid.begin(), boards.strips_per_hybrid.end(), 512u) == 180);
  CHECK(std::count(boards.strips_per_hybrid.begin(), boards.strips_per_hybrid.end(), 0u) == 60);
  std::set<int> sectors;
  std::set<std::uint32_t> channels;
  for (std::size_t h = 0; h < 6 * boards.size(); ++h) {
    if (boards.sector[h] == 0) continue;
    CHECK(boards.strips_per_hybrid[h / 6] == 512);
    const int region =
        6 * (boards.station[h] - 1) + 3 * (boards.layer[h] - 1) + boards.region[h] - 1;
    const int s = lhcb::ut_region_offsets[region] + boards.sector[h] - 1;
    CHECK(s < lhcb::ut_region_offsets[region + 1]);
    sectors.insert(s);
    channels.insert(boards.channel[h]);
    const std::uint32_t id = boards.channel[h];
    CHECK((id & 0x3ff) == 0);
    CHECK((id >> 10 & 0x7f) == boards.sector[h]);
    CHECK((id >> 17 & 3) == boards.region[h]);
    CHECK((id >> 19 & 3) == boards.layer[h]);
    CHECK((id >> 21 & 3) == boards.station[h]);
    CHECK(id >> 23 == 2);
  }
  CHECK(sectors.size() == 1048);
  CHECK(channels.size() == 1048);
}

TEST_CASE("The ideal SciFi has mats side by side at the nominal z", "[simulation]") {
  const auto scifi = simulation::ideal_scifi();
  CHECK(std::count(scifi.modules.begin(), scifi.modules.end(), 5u) == 32);
  CHECK(std::count(scifi.modules.begin(), scifi.modules.end(), 6u) == 16);
  CHECK(std::is_sorted(scifi.first_channel.begin(), scifi.first_channel.end()));
  REQUIRE(scifi.first_channel.size() == 240);
  CHECK(scifi.first_channel[0] == 1u << 18);
  CHECK(scifi.first_channel[239] == (3u << 18 | 3u << 16 | 3u << 14 | 4u << 11 | 3u << 9));
  std::array<std::vector<std::array<double, 2>>, lhcb::scifi_zones> zones;  // ends of mats in x
  for (std::uint32_t mat = 0; mat < 1536; ++mat) {
    if (scifi.length[mat] == 0.f) continue;
    const auto first = test::scifi_hit(scifi, (mat + 512) << 9, 0, 4);
    const auto last = test::scifi_hit(scifi, (mat + 512) << 9 | 511, 0, 4);
    zones[std::size_t(first.zone)].push_back(
        {std::min(first.x, last.x), std::max(first.x, last.x)});
    const bool at_beam = std::abs(0.5 * (first.x + last.x)) < 100.;
    for (const auto& hit : {first, last}) {
      CHECK_THAT(hit.z, WithinAbs(lhcb::scifi_z[std::size_t(hit.zone / 2)], 1e-3));
      const bool upper = hit.zone % 2 == 1;
      const double near = upper ? hit.y_begin : -hit.y_end, far = upper ? hit.y_end : -hit.y_begin;
      CHECK_THAT(near, WithinAbs(at_beam ? 115. : 0., 6.5));
      CHECK_THAT(far, WithinAbs(2420., 11.));
    }
  }
  for (int zone = 0; zone < lhcb::scifi_zones; ++zone) {
    auto& ends = zones[std::size_t(zone)];
    std::sort(ends.begin(), ends.end());
    REQUIRE(ends.size() == (zone < 16 ? 40u : 48u));
    for (std::size_t i = 1; i < ends.size(); ++i) {
      const double gap = ends[i][0] - ends[i - 1][1];  // from channel to channel
      CHECK(gap > 0.25);
      CHECK(gap < 8.);
    }
    CHECK_THAT(ends.front()[0] + ends.back()[1], WithinAbs(0., 0.5));
  }
}

TEST_CASE("The ideal magnet is smooth and falls off", "[simulation]") {
  const auto& magnet = detector().magnet;
  REQUIRE(magnet.deflection.size() == 124);
  REQUIRE(magnet.bdl.size() == 3751);
  CHECK(magnet.deflection[0] == 1.2124f);
  CHECK(magnet.deflection[1] == 1.1443f);
  CHECK(magnet.deflection[2] == 0.8712f);
  CHECK(magnet.deflection[3] == 0.8209f);
  const auto bdl = [&](int i, int j, int k) { return magnet.bdl[(k * 11 + j) * 31 + i]; };
  CHECK(bdl(15, 5, 0) == 0.1087f);
  for (int k = 0; k < 11; ++k) {
    for (int j = 0; j < 11; ++j) {
      for (int i = 0; i < 31; ++i) {
        CHECK(bdl(i, j, k) <= 0.1087f);
        CHECK(bdl(i, j, k) > -0.01f);
        CHECK(bdl(i, j, k) == bdl(30 - i, j, k));
        if (i < 15) CHECK(bdl(i, j, k) < bdl(i + 1, j, k));
        if (k < 10) CHECK(bdl(i, j, k + 1) < bdl(i, j, k));
      }
    }
  }
}
