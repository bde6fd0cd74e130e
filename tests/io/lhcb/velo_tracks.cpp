// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <support/velo_track_arrays.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/velo_tracks.hpp>

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
  test::VeloTrackArrays tracks;
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

std::string text_of(const fs::path& path) { return trackplex::read_file(path); }

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
  const auto beside = [&](const std::string& table) {
    auto path = file.path;
    return path.replace_filename(file.path.stem().string() + "_" + table + ".csv");
  };
  auto events = example();
  events.push_back(events[0]);
  events[2].tracks.states.clear();
  write(file.path, events);
  CHECK(text_of(file.path) ==
        "event,track,x[mm],y[mm],z[mm],tx,ty,chi2,ndf,backward,n_hits\n"
        "0,0,0.125,-0.5,12.25,0.1,-0.2,0.75,2,0,3\n"
        "0,1,0.3333333333333333,1e-20,-250,0.01,2,1.5,4,1,4\n"
        "2,2,nan,nan,nan,nan,nan,nan,0,0,3\n"
        "2,3,nan,nan,nan,nan,nan,nan,0,0,4\n");
  CHECK(text_of(beside("hits")) ==
        "event,track,hit\n0,0,3\n0,0,17\n0,0,65535\n0,1,1\n0,1,2\n0,1,4\n0,1,0\n"
        "2,2,3\n2,2,17\n2,2,65535\n2,3,1\n2,3,2\n2,3,4\n2,3,0\n");
  CHECK(text_of(beside("events")) ==
        "event,name,n_tracks\n0,\"event \"\"1\"\", first.json\",2\n1,\"event 2\",0\n"
        "2,\"event \"\"1\"\", first.json\",2\n");
  for (const char* table : {"hits", "events"}) fs::remove(beside(table));
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
