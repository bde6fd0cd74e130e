// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "small_velo_event.hpp"

#include <support/data.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using namespace trackplex;
using Catch::Matchers::ContainsSubstring;

lhcb::VeloEvent parse(const nlohmann::json& event) {
  return io::parse_velo_event(event.dump(), "small");
}

lhcb::VeloEvent written_and_read(const lhcb::VeloEvent& event) {
  std::ostringstream text;
  io::write_velo_event(text, event);
  return io::parse_velo_event(text.str(), event.name);
}

/// A folder that is removed at the end.
struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() /
                  ("trackplex_io_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
  void add(const std::string& name, const std::string& text = "{}") const {
    std::ofstream(path / name) << text;
  }
};

}  // namespace

TEST_CASE("An event with kinematics is read", "[io]") {
  const auto event = parse(test::small_velo_event());
  CHECK(event.name == "small");
  REQUIRE(event.size() == 10);
  CHECK(event.module_offsets[20] == 0);
  CHECK(event.module_offsets[21] == 2);
  CHECK(event.module_offsets[52] == 10);
  CHECK(event.x[2] == 10.375);
  CHECK(event.y[3] == 10.125);
  CHECK(event.z[0] == 62.5 - 0.581);
  CHECK(event.t.empty());
  CHECK(event.has_truth);
  CHECK(event.has_kinematics);
  REQUIRE(event.particles.size() == 2);

  const auto& pion = event.particles[0];
  CHECK(pion.key == 291);
  CHECK(pion.pid == 211);
  CHECK(pion.p == 1389.796);
  CHECK(pion.pt == 220.269);
  CHECK(pion.eta == 2.528);
  CHECK(pion.phi == -2.56);
  CHECK(pion.charge == 1);
  CHECK(pion.is_long);
  CHECK_FALSE(pion.is_down);
  CHECK(pion.has_velo);
  CHECK(pion.has_ut);
  CHECK_FALSE(pion.has_scifi);
  CHECK_FALSE(pion.from_beauty);
  CHECK_FALSE(pion.from_charm);
  CHECK(pion.from_strange);
  CHECK(pion.hits == std::vector<std::uint32_t>{0, 2, 4, 6});

  const auto& proton = event.particles[1];
  CHECK(proton.pid == -2212);
  CHECK(proton.charge == -1);  // -0.999 in the file
  CHECK_FALSE(proton.is_long);
  CHECK(proton.is_down);
  CHECK(proton.has_scifi);
  CHECK(proton.from_beauty);
  CHECK(proton.from_charm);
}

TEST_CASE("The order of the particles' fields is free, unknown ones are ignored", "[io]") {
  auto json = test::small_velo_event();
  json["comment"] = {{"nested", {1, 2, 3}}};
  auto& truth = json["montecarlo"];
  std::reverse(truth["description"].begin(), truth["description"].end());
  truth["description"].push_back("colour");
  for (auto& row : truth["particles"]) {
    std::reverse(row.begin(), row.end());
    row.push_back("blue");
  }
  CHECK(parse(json) == parse(test::small_velo_event()));
}

TEST_CASE("Flags may be booleans", "[io]") {
  auto json = test::small_velo_event();
  json["montecarlo"]["particles"][0][6] = true;
  json["montecarlo"]["particles"][0][7] = false;
  CHECK(parse(json) == parse(test::small_velo_event()));
}

TEST_CASE("An Upgrade 2 event has times and no kinematics", "[io]") {
  const auto event = parse(test::small_upgrade2_event());
  CHECK(event.has_truth);
  CHECK_FALSE(event.has_kinematics);
  CHECK(event.t == std::vector<double>(10, 0.25));
  REQUIRE(event.particles.size() == 2);
  CHECK(event.particles[1].hits == std::vector<std::uint32_t>{1, 3, 4, 5, 7, 9});
  CHECK(event.particles[1].has_velo);
}

TEST_CASE("An event without truth is read", "[io]") {
  auto json = test::small_velo_event();
  json.erase("montecarlo");
  json.erase("description");
  const auto event = parse(json);
  CHECK(event.size() == 10);
  CHECK_FALSE(event.has_truth);
  CHECK(event.particles.empty());
}

TEST_CASE("An event without hits is read", "[io]") {
  auto json = test::small_velo_event();
  for (const char* field : {"x", "y", "z"}) json[field] = nlohmann::json::array();
  for (auto& sum : json["module_prefix_sum"]) sum = 0;
  json["montecarlo"]["particles"] = nlohmann::json::array();
  CHECK(parse(json).size() == 0);
  CHECK(written_and_read(parse(json)) == parse(json));
}

TEST_CASE("65535 hits fit, 65536 do not", "[io]") {
  nlohmann::json json;
  for (const std::size_t hits : {65535u, 65536u}) {
    for (const char* field : {"x", "y"}) json[field] = std::vector<int>(hits, 10);
    json["z"] = std::vector<double>(hits, lhcb::velo_module_z[51]);
    json["module_prefix_sum"] = std::vector<int>(53, 0);
    json["module_prefix_sum"][52] = hits;
    if (hits == 65535) {
      CHECK(parse(json).size() == hits);
    } else {
      CHECK_THROWS_AS(parse(json), CapacityError);
    }
  }
}

TEST_CASE("What is written reads back as an equal event", "[io]") {
  for (auto json : {test::small_velo_event(), test::small_upgrade2_event()}) {
    CHECK(written_and_read(parse(json)) == parse(json));
    json.erase("montecarlo");
    json["x"][3] = 0.1 + 0.2;  // needs all 17 digits
    json["y"][4] = -1e-300;
    json["z"][0] = std::nextafter(62.5, 63.);
    CHECK(written_and_read(parse(json)) == parse(json));
  }
}

TEST_CASE("Event files of a folder come in the order of their numbers", "[io]") {
  const TemporaryFolder folder;
  for (const char* name : {"event_10.json", "event_2.json", "event_1.json", "notes.txt"}) {
    folder.add(name);
  }
  fs::create_directory(folder.path / "subfolder.json");
  const auto files = io::velo_event_files(folder.path);
  REQUIRE(files.size() == 3);
  CHECK(files[0].filename() == "event_1.json");
  CHECK(files[1].filename() == "event_2.json");
  CHECK(files[2].filename() == "event_10.json");
  const auto listed = io::velo_event_files(std::vector<fs::path>{files[2], folder.path});
  REQUIRE(listed.size() == 4);
  CHECK(listed[0] == files[2]);
  CHECK(listed[1] == files[0]);
}

TEST_CASE("Files that are not there, empty or folders are errors", "[io]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(io::velo_event_files(folder.path),
                    ContainsSubstring("no event in this folder"));
  CHECK_THROWS_WITH(io::velo_event_files(folder.path / "none"),
                    ContainsSubstring("none: no such file or folder"));
  CHECK_THROWS_WITH(io::read_velo_event(folder.path / "none.json"),
                    ContainsSubstring("none.json: cannot be opened (No such file"));
  CHECK_THROWS_WITH(io::read_velo_event(folder.path), ContainsSubstring("is a folder"));
  folder.add("empty.json", "");
  CHECK_THROWS_WITH(io::read_velo_event(folder.path / "empty.json"),
                    ContainsSubstring("empty.json, byte 0: the JSON text ends too early"));
}

TEST_CASE("Real events are read, and survive being written", "[io]") {
  const auto folder = test::data_or_skip("lhcb-velo-json");
  for (const char* name : {"minibias", "bsphiphi", "upgrade2"}) {
    const auto files = io::velo_event_files(folder / name);
    for (std::size_t i = 0; i < std::min<std::size_t>(files.size(), 10); ++i) {
      INFO(files[i]);
      const auto event = io::read_velo_event(files[i]);
      CHECK(event.has_truth);
      CHECK(event.has_kinematics == (std::string(name) != "upgrade2"));
      CHECK(event.t.empty() == event.has_kinematics);
      CHECK(written_and_read(event) == event);
    }
  }
}

TEST_CASE("The ten events of minibias are complete", "[io]") {
  std::size_t hits = 0, particles = 0;
  const auto folder = test::data_or_skip("lhcb-velo-json/minibias");
  for (int i = 0; i < 10; ++i) {
    const auto event = io::read_velo_event(folder / ("velo_event_" + std::to_string(i) + ".json"));
    hits += event.size();
    particles += event.particles.size();
  }
  CHECK(particles == 2786);
  CHECK(hits > 15000);
}
