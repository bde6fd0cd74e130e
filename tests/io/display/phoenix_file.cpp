// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/display/lhcb_display.hpp>
#include <trackplex/io/display/phoenix_file.hpp>

#include <nlohmann/json.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex;
using Catch::Matchers::WithinAbs;
using Json = nlohmann::ordered_json;

namespace {

const std::string file_name =
    (std::filesystem::temp_directory_path() / "trackplex_test_phoenix.json").string();

/// Two tracks, of two and four points, hits and a vertex.
io::DisplayEvent small_event() {
  io::DisplayEvent event{.name = "run \"7\""};
  event.tracks = {{"found",
                   0x0a0b0c,
                   0.5,
                   {{{{0., 0., 0.}, {1., 2., 4.}}, {{"phi", 0.25}, {"chi2", 3.}}},
                    {{{0., 0., 1.}, {1., 0., 2.}, {3., 0., 3.}, {6., 0., 4.}}, {}}}},
                  {"others", 0xff0000, 0.5, {}}};
  event.hits = {{"hits", 0x00ff00, 2., {{1., 2., 3.}, {4., 5., 6.}}}};
  event.vertices = {{"vertices", 0xffffff, 1.5, {{0.1, -0.2, 30.}}}};
  return event;
}

Json written(const std::vector<io::DisplayEvent>& events, std::size_t left_out = 0) {
  io::PhoenixFile file(file_name);
  for (const auto& event : events) file.add(event);
  file.finish();
  CHECK(file.left_out() == left_out);
  auto json = Json::parse(read_file(file_name));
  std::filesystem::remove(file_name);
  return json;
}

}  // namespace

TEST_CASE("Events are written as Phoenix reads them", "[display]") {
  const auto json = written({small_event(), small_event()});
  REQUIRE(json.size() == 2);
  const auto& event = json["run \"7\""];
  CHECK(json["run \"7\" (2)"]["event number"] == 2);
  CHECK(event["event number"] == 1);
  CHECK(event["run number"] == 1);
  auto of_run = small_event();
  of_run.run = 255623;
  of_run.number = 1234567890123;
  const auto numbered = written({small_event(), of_run})["run \"7\" (2)"];
  CHECK(numbered["run number"] == 255623);
  CHECK(numbered["event number"] == 1234567890123);

  // Lists without entries are left out; a track has at least three points.
  REQUIRE(event["Tracks"].size() == 1);
  const auto& tracks = event["Tracks"]["found"];
  REQUIRE(tracks.size() == 2);
  CHECK(tracks[0] == Json({{"color", "0x0a0b0c"},
                           {"linewidth", 0.25},
                           {"phi", 0.25},
                           {"chi2", 3},
                           {"pos", {{0, 0, 0}, {0.5, 1, 2}, {1, 2, 4}}}}));
  CHECK(tracks[1]["pos"].size() == 4);
  // Each kind of object has its form of colours.
  CHECK(event["Hits"]["hits"] ==
        Json({{{"type", "CircularPoint"}, {"color", "#00ff00"}, {"size", 2}, {"pos", {1, 2, 3}}},
              {{"type", "CircularPoint"}, {"color", "#00ff00"}, {"size", 2}, {"pos", {4, 5, 6}}}}));
  const auto& vertex = event["Vertices"]["vertices"][0];
  CHECK(vertex["color"] == "#ffffff");
  CHECK_THAT(vertex["y"].get<double>(), WithinAbs(-0.2, 1e-8));
}

TEST_CASE("A file without events is an empty object", "[display]") {
  CHECK(written({}) == Json::object());
}

TEST_CASE("Tracks of fewer than two points are left out and counted", "[display]") {
  auto event = small_event();
  event.tracks[0].tracks[1].points.resize(1);
  event.tracks[1].tracks.resize(1);
  const auto json = written({event}, 2);
  CHECK(json["run \"7\""]["Tracks"]["found"].size() == 1);
  CHECK(json["run \"7\""]["Tracks"]["others"].empty());
}

TEST_CASE("What Phoenix cannot read is refused", "[display]") {
  auto event = small_event();
  SECTION("a number that is not finite") {
    const double bad = GENERATE(std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity(), 1e300);
    SECTION("of a track") { event.tracks[0].tracks[1].points[2][1] = bad; }
    SECTION("of a value") { event.tracks[0].tracks[0].values[0].second = bad; }
    SECTION("of a hit") { event.hits[0].points[1][0] = bad; }
    SECTION("of a vertex") { event.vertices[0].points[0][2] = bad; }
    test::check_refused<UsageError>([&] { written({event}); }, "not finite");
  }
  SECTION("two lists of one name") {
    event.hits[0].name = "found";
    test::check_refused<UsageError>([&] { written({event}); },
                                    "has two lists of the name \"found\"");
  }
  std::filesystem::remove(file_name);
}

TEST_CASE("Tracks of the VELO lead through their hits", "[display]") {
  lhcb::VeloEvent event;
  event.x = {3., 1., 2., 9., -4., -3.};
  event.y = {0., 0., 0., 9., 1., 0.5};
  event.z = {30., 10., 20., 5., -40., -30.};
  const std::vector<std::uint32_t> offsets = {0, 3, 5};
  const std::vector<std::uint16_t> hits = {0, 1, 2, 4, 5};
  const std::vector<lhcb::VeloTrackState> states = {{0., 0., 0., 0.1, 0., 1., 2, false},
                                                    {0., 0., 0., 0.1, -0.02, 1., 2, true}};
  const lhcb::VeloResult found{{offsets, hits, states}};

  const auto shown = io::display_of("small", event, found);
  REQUIRE(shown.tracks.size() == 2);
  REQUIRE(shown.tracks[0].tracks.size() == 1);
  const auto& forward = shown.tracks[0].tracks[0];
  CHECK(forward.points ==
        std::vector<io::DisplayPoint>{{0., 0., 0.}, {1., 0., 10.}, {2., 0., 20.}, {3., 0., 30.}});
  CHECK(forward.values[0] == std::pair<std::string, double>("phi", 0.));
  CHECK_THAT(forward.values[1].second, WithinAbs(std::asinh(10.), 1e-12));
  const auto& backward = shown.tracks[1].tracks.at(0);
  CHECK(backward.points ==
        std::vector<io::DisplayPoint>{{0., 0., 0.}, {-3., 0.5, -30.}, {-4., 1., -40.}});
  CHECK_THAT(backward.values[0].second, WithinAbs(std::atan2(0.02, -0.1), 1e-12));
  CHECK(backward.values[1].second < -2.);
  REQUIRE(shown.hits.size() == 2);
  CHECK(shown.hits[0].points.size() == 5);
  CHECK(shown.hits[1].points == std::vector<io::DisplayPoint>{{9., 9., 5.}});
}

TEST_CASE("Tracks that are closest to the beam far from collisions begin at their hits",
          "[display]") {
  lhcb::VeloEvent event;
  event.x = {1., 2., 3.};
  event.y = {0., 0., 0.};
  event.z = {10., 20., 30.};
  const std::vector<std::uint32_t> offsets = {0, 3};
  const std::vector<std::uint16_t> hits = {0, 1, 2};
  const double z = GENERATE(-299., -301.);
  const std::vector<lhcb::VeloTrackState> states = {{0., 0., z, 0.01, 0., 1., 2, false}};
  const auto shown = io::display_of("far", event, lhcb::VeloResult{{offsets, hits, states}});
  CHECK(shown.tracks[0].tracks.at(0).points.size() == (z > -300. ? 4 : 3));
}
