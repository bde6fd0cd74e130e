// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/io/velo_tracks.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Hits = std::vector<std::uint16_t>;

struct EventTracks {
  std::string event;
  lhcb::VeloTrackList tracks;
};

void write(const fs::path& path, const std::vector<EventTracks>& events) {
  io::VeloTrackFile file(path);
  for (const auto& [event, tracks] : events) file.add(event, tracks);
  file.finish();
}

/// Two events, the first with an odd name and two tracks, the second without tracks.
std::vector<EventTracks> example() {
  std::vector<EventTracks> events(2);
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

TEST_CASE("Tracks are written as JSON", "[io]") {
  const TemporaryFile file("tracks.json");
  auto events = example();
  events[0].tracks.states[1].chi2 = std::numeric_limits<double>::infinity();
  write(file.path, events);
  CHECK(text_of(file.path) ==
        R"({"events":[
{"event":"data/event \"1\", first.json","tracks":[)"
        R"({"hits":[3,17,65535],"x":0.125,"y":-0.5,"z":12.25,"tx":0.1,"ty":-0.2,"chi2":0.75,)"
        R"("ndf":2,"backward":false},)"
        R"({"hits":[1,2,4,0],"x":0.3333333333333333,"y":1e-20,"z":-250,"tx":0.01,"ty":2,)"
        R"("chi2":null,"ndf":4,"backward":true}]},
{"event":"event 2","tracks":[]}
]}
)");
  events[0].tracks.states.clear();
  write(file.path, events);
  CHECK_THAT(text_of(file.path),
             ContainsSubstring(R"([{"hits":[3,17,65535]},{"hits":[1,2,4,0]}])"));
  write(file.path, {});
  CHECK(text_of(file.path) == "{\"events\":[\n]}\n");
}

TEST_CASE("Tracks are written as CSV", "[io]") {
  const TemporaryFile file("tracks.csv");
  write(file.path, example());
  CHECK(text_of(file.path) ==
        "event,track,x,y,z,tx,ty,chi2,ndf,backward,hits\n"
        "\"data/event \"\"1\"\", first.json\",0,0.125,-0.5,12.25,0.1,-0.2,0.75,2,0,3 17 65535\n"
        "\"data/event \"\"1\"\", first.json\",1,0.3333333333333333,1e-20,-250,0.01,2,1.5,4,1,"
        "1 2 4 0\n");
  auto events = example();
  events[0].tracks.states.clear();
  events[0].event = "plain";
  write(file.path, events);
  CHECK_THAT(text_of(file.path), ContainsSubstring("\nplain,0,,,,,,,,,3 17 65535\n"));
}

TEST_CASE("Tracks cannot be written to any file", "[io]") {
  CHECK_THROWS_AS(write("tracks.root", example()), UsageError);
  CHECK_THROWS_WITH(write("no/such/folder/tracks.json", example()),
                    ContainsSubstring("cannot be written (No such file"));
  auto events = example();
  events[0].tracks.states.pop_back();
  const TemporaryFile file("tracks.json");
  CHECK_THROWS_WITH(write(file.path, events), ContainsSubstring("has 1 states for 2 tracks"));
}
