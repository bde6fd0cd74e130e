// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/files.hpp>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/io/detectors/detector_plot.hpp>

#include <nlohmann/json.hpp>

#include <catch2/catch_test_macros.hpp>

#include <filesystem>

using namespace trackplex;

TEST_CASE("a detector becomes a plot of two projections", "[io]") {
  const auto detector = geometry::DetectorBuilder()
                            .barrel({.name = "pipe", .radius = 2., .half_length = 5.})
                            .disk({.z = 7., .inner = 1., .outer = 4., .n_phi = {8}})
                            .build();
  const auto plot = io::detector_plot(detector, "small");
  CHECK(plot["name"] == "detector");
  CHECK(plot["title"] == "small");
  REQUIRE(plot["panels"].size() == 2);
  const auto& side = plot["panels"][0];
  CHECK(side["y"]["label"] == "r [cm]");
  REQUIRE(side["series"].size() == 2);
  CHECK(side["series"][0]["label"] == "pipe");
  CHECK(side["series"][0]["x"].dump() == "[[-5.0,5.0]]");
  CHECK(side["series"][1]["style"] == "segments");
  CHECK(plot["panels"][1]["series"].size() == 1);  // the barrel

  const auto telescope = geometry::DetectorBuilder().plane({.half_u = 1., .half_v = 2.}).build();
  CHECK(io::detector_plot(telescope)["panels"][0]["y"]["label"] == "x [cm]");
  const auto path = std::filesystem::temp_directory_path() / "trackplex_detector_plot.json";
  io::write_detector_plot(path, telescope);
  const auto report = nlohmann::json::parse(read_file(path));
  std::filesystem::remove(path);
  CHECK(report["program"] == "geometry");
  CHECK(report["plots"][0]["panels"].size() == 2);
}
