// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/io/velo_tracks.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Hits = std::vector<std::uint16_t>;

/// Two events, the first with an odd name and two tracks, the second without tracks.
std::vector<io::VeloEventTracks> example() {
  std::vector<io::VeloEventTracks> events(2);
  events[0].event = "data/event \"1\", first.json";
  events[0].tracks.push_back(Hits{3, 17, 65535}, {0.125, -0.5, 12.25, 0.1, -0.2, 0.75, 2, false});
  events[0].tracks.push_back(Hits{1, 2, 4, 0}, {1. / 3., 1e-20, -250., 0.01, 2., 1.5, 4, true});
  events[1].event = "event 2";
  return events;
}

std::string text_of(const fs::path& path) { return io::detail::read_text_file(path); }

/// A path that names no other test's file; removed at the end.
struct TemporaryFile {
  fs::path path;
  explicit TemporaryFile(const std::string& name)
      : path(fs::temp_directory_path() /
             ("trackplex_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + name)) {}
  ~TemporaryFile() { fs::remove(path); }
};

}  // namespace

TEST_CASE("Tracks are written as JSON and read back", "[io]") {
  const TemporaryFile file("tracks.json");
  io::write_velo_tracks(file.path, example());
  CHECK(io::read_velo_tracks(file.path) == example());
  CHECK_THAT(text_of(file.path),
             ContainsSubstring("{\"hits\":[3,17,65535],\"x\":0.125,\"y\":-0.5,\"z\":12.25,"
                               "\"tx\":0.1,\"ty\":-0.2,\"chi2\":0.75,\"ndf\":2,"
                               "\"backward\":false}"));
}

TEST_CASE("Tracks without states are written and read back", "[io]") {
  auto events = example();
  events[0].tracks.states.clear();
  const TemporaryFile file("tracks.json");
  io::write_velo_tracks(file.path, events);
  CHECK(io::read_velo_tracks(file.path) == events);
}

TEST_CASE("No event at all is written and read back", "[io]") {
  const TemporaryFile file("tracks.json");
  io::write_velo_tracks(file.path, {});
  CHECK(io::read_velo_tracks(file.path).empty());
}

TEST_CASE("A state that is not finite is null, and NaN when read", "[io]") {
  auto events = example();
  events[0].tracks.states[1].chi2 = std::numeric_limits<double>::infinity();
  const TemporaryFile file("tracks.json");
  io::write_velo_tracks(file.path, events);
  CHECK(std::isnan(io::read_velo_tracks(file.path)[0].tracks.states[1].chi2));
}

TEST_CASE("Tracks are written as CSV", "[io]") {
  const TemporaryFile file("tracks.csv");
  io::write_velo_tracks(file.path, example());
  CHECK(text_of(file.path) ==
        "event,track,x,y,z,tx,ty,chi2,ndf,backward,hits\n"
        "\"data/event \"\"1\"\", first.json\",0,0.125,-0.5,12.25,0.1,-0.2,0.75,2,0,3 17 65535\n"
        "\"data/event \"\"1\"\", first.json\",1,0.3333333333333333,1e-20,-250,0.01,2,1.5,4,1,"
        "1 2 4 0\n");
  auto events = example();
  events[0].tracks.states.clear();
  events[0].event = "plain";
  io::write_velo_tracks(file.path, events);
  CHECK_THAT(text_of(file.path), ContainsSubstring("\nplain,0,,,,,,,,,3 17 65535\n"));
}

TEST_CASE("Tracks cannot be written to any file", "[io]") {
  CHECK_THROWS_AS(io::write_velo_tracks("tracks.root", example()), UsageError);
  CHECK_THROWS_WITH(io::write_velo_tracks("no/such/folder/tracks.json", example()),
                    ContainsSubstring("cannot be opened for writing (No such file"));
  auto events = example();
  events[0].tracks.states.pop_back();
  CHECK_THROWS_WITH(io::write_velo_tracks("never.json", events),
                    ContainsSubstring("has 1 states for 2 tracks"));
  CHECK_FALSE(fs::exists("never.json"));
}

TEST_CASE("Damaged tracks give errors with their place", "[io]") {
  const auto check = [](const std::string& text, const std::string& message) {
    INFO(text);
    CHECK_THROWS_AS(io::parse_velo_tracks(text, "t.json"), InputError);
    CHECK_THROWS_WITH(io::parse_velo_tracks(text, "t.json"), ContainsSubstring(message));
  };
  check("[", "t.json, byte 1: the JSON text ends too early");
  check("[]", "t.json: is of type array");
  check("{}", "t.json: has no field \"events\"");
  check(R"({"events":{}})", "events: is of type object");
  check(R"({"events":[{"tracks":[]}]})", "events[0]: has no field \"event\"");
  check(R"({"events":[{"event":1,"tracks":[]}]})", "events[0].event: is of type number");
  check(R"({"events":[{"event":"a"}]})", "events[0]: has no field \"tracks\"");
  check(R"({"events":[{"event":"a","tracks":[[1,2]]}]})", "events[0].tracks[0]: is of type array");
  check(R"({"events":[{"event":"a","tracks":[{}]}]})",
        "events[0].tracks[0]: has no field \"hits\"");
  check(R"({"events":[{"event":"a","tracks":[{"hits":[1,65536]}]}]})",
        "events[0].tracks[0].hits[1]: 65536 is out of range");
  check(R"({"events":[{"event":"a","tracks":[{"hits":[1],"x":2}]}]})",
        "events[0].tracks[0]: has no field \"y\"");
  check(R"({"events":[{"event":"a","tracks":[{"hits":[]},{"hits":[1],"x":2,"y":2,"z":2,"tx":0,)"
        R"("ty":0,"chi2":0,"ndf":1,"backward":0}]}]})",
        "events[0].tracks[1]: has a state (unlike the tracks before it)");
}
