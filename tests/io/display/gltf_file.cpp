// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/io/display/detector_frames.hpp>
#include <trackplex/io/display/gltf_file.hpp>
#include <trackplex/lhcb/velo/velo_sensors.hpp>
#include <trackplex/simulation/ideal_detector.hpp>

#include <nlohmann/json.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Json = nlohmann::ordered_json;

namespace {

double area(const io::GltfMesh& mesh) {
  double sum = 0.;
  for (const auto& t : mesh.triangles) {
    std::array<double, 3> a{}, b{};
    for (std::size_t k = 0; k < 3; ++k) {
      a[k] = mesh.points[t[1]][k] - mesh.points[t[0]][k];
      b[k] = mesh.points[t[2]][k] - mesh.points[t[0]][k];
    }
    sum += std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                      a[0] * b[1] - a[1] * b[0]) /
           2.;
  }
  return sum;
}

std::string bytes_of(const std::string& uri) {
  const std::string head = "data:application/octet-stream;base64,";
  REQUIRE(uri.starts_with(head));
  std::string bytes;
  std::uint32_t bits = 0;
  int n = 0;
  for (const char c : uri.substr(head.size())) {
    if (c == '=') break;
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bits = bits << 6 | std::uint32_t(digits.find(c));
    if ((n += 6) >= 8) bytes += char(bits >> (n -= 8) & 255u);
  }
  return bytes;
}

}  // namespace

TEST_CASE("A frame covers the border of a polygon", "[display]") {
  const std::vector<io::DisplayPoint> square = {
      {0., 0., 5.}, {2., 0., 5.}, {2., 2., 5.}, {0., 2., 5.}};
  io::GltfMesh mesh;
  io::add_frame(mesh, square, 0.25);
  CHECK(mesh.triangles.size() == 8);
  CHECK_THAT(area(mesh), WithinRel(4. * (1. - 0.75 * 0.75), 1e-14));
}

TEST_CASE("Cylinders and rings have their size", "[display]") {
  io::GltfMesh cylinder, ring;
  io::add_cylinder(cylinder, 30., -100., 200.);
  for (const auto& p : cylinder.points) {
    CHECK(std::hypot(p[0], p[1]) <= 30. + 1e-12);
    CHECK((p[2] >= -100. && p[2] <= 200.));
  }
  io::add_ring(ring, 7., 10., 20.);
  for (const auto& p : ring.points) {
    CHECK(p[2] == 7.);
    CHECK((std::hypot(p[0], p[1]) >= 10. * std::cos(0.1) && std::hypot(p[0], p[1]) <= 20. + 1e-12));
  }
}

TEST_CASE("A glTF file has all points and triangles", "[display]") {
  io::GltfMesh one{.name = "one", .color = 0xff8000}, other{.name = "\"other\""};
  io::add_ring(one, 7., 10., 20.);
  io::add_frame(other, std::vector<io::DisplayPoint>{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.25}});
  const auto json = Json::parse(io::gltf_text("scene", std::vector{one, io::GltfMesh{}, other}));
  CHECK(json["asset"]["version"] == "2.0");
  CHECK(json["scenes"] == Json::array({{{"name", "scene"}, {"nodes", {0, 1}}}}));
  REQUIRE(json["meshes"].size() == 2);
  CHECK(json["nodes"][1] == Json({{"name", "\"other\""}, {"mesh", 1}}));
  const auto color = json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
  CHECK(color[0] == 1.);
  CHECK_THAT(color[1].get<double>(), WithinAbs(0.2159, 1e-4));

  const auto bytes = bytes_of(json["buffers"][0]["uri"]);
  CHECK(bytes.size() == json["buffers"][0]["byteLength"]);
  const std::vector<const io::GltfMesh*> meshes = {&one, &other};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& primitive = json["meshes"][i]["primitives"][0];
    const auto& points = json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
    const auto& corners = json["accessors"][primitive["indices"].get<std::size_t>()];
    REQUIRE(points["count"] == meshes[i]->points.size());
    REQUIRE(corners["count"] == 3 * meshes[i]->triangles.size());
    const auto begin = [&](const Json& accessor) {
      return json["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteOffset"]
          .get<std::size_t>();
    };
    for (std::size_t p = 0; p < meshes[i]->points.size(); ++p)
      for (std::size_t k = 0; k < 3; ++k) {
        float x = 0.f;
        std::memcpy(&x, bytes.data() + begin(points) + 4 * (3 * p + k), 4);
        REQUIRE(x == float(meshes[i]->points[p][k]));
        CHECK((points["min"][k] <= x && points["max"][k] >= x));
      }
    std::uint32_t last = 0;
    std::memcpy(&last, bytes.data() + begin(corners) + 4 * (3 * meshes[i]->triangles.size() - 1),
                4);
    CHECK(last == meshes[i]->triangles.back()[2]);
  }
}

TEST_CASE("A scene without meshes is valid, bad meshes are refused", "[display]") {
  const auto json = Json::parse(io::gltf_text("empty", {}));
  CHECK_FALSE(json.contains("meshes"));
  CHECK(json["scenes"] == Json::array({{{"name", "empty"}}}));

  io::GltfMesh mesh{.name = "bad"};
  io::add_ring(mesh, 7., 10., 20.);
  mesh.triangles.push_back({0, 1, std::uint32_t(mesh.points.size())});
  test::check_refused<UsageError>([&] { io::gltf_text("", std::vector{mesh}); }, "does not exist");
  mesh.triangles.pop_back();
  mesh.points[3][1] = std::numeric_limits<double>::infinity();
  test::check_refused<UsageError>([&] { io::gltf_text("", std::vector{mesh}); }, "not finite");
}

TEST_CASE("Layers without modules are drawn as barrels and disks", "[display]") {
  geometry::DetectorDescription detector;
  detector.layers = {
      {.name = "b", .kind = geometry::LayerKind::barrel, .position = 3., .low = -10., .high = 20.},
      {.kind = geometry::LayerKind::disk, .position = 50., .low = 1., .high = 2.}};
  const auto meshes = io::detector_frames(detector);
  REQUIRE(meshes.size() == 2);
  CHECK(meshes[0].name == "b");
  CHECK(meshes[1].name == "layer 1");
  CHECK_THAT(std::hypot(meshes[0].points[0][0], meshes[0].points[0][1]), WithinAbs(30., 1e-12));
  CHECK(meshes[1].points[0][2] == 500.);
}

TEST_CASE("Frames of LHCb's detectors are where their hits are", "[display]") {
  const auto velo = io::velo_frames();
  CHECK(velo.triangles.size() == 8 * lhcb::velo_sensor_count);
  for (const auto& p : velo.points) CHECK(std::hypot(p[0], p[1]) < lhcb::velo_max_radius);

  const auto meshes = io::detector_frames(simulation::ideal_detector());
  REQUIRE(meshes.size() >= 2);
  REQUIRE(meshes[0].points.size() == velo.points.size());
  double low = 0., high = 0.;
  for (const auto& p : meshes[0].points) {
    CHECK(std::hypot(p[0], p[1]) < lhcb::velo_max_radius + 0.5);
    low = std::min(low, p[2]);
    high = std::max(high, p[2]);
  }
  CHECK_THAT(low, WithinAbs(-287.5 - 0.581, 1.));
  CHECK_THAT(high, WithinAbs(750.581, 1.));
  CHECK(meshes[1].triangles.size() == 8 * lhcb::ut_sectors);
  for (const auto& p : meshes[1].points) CHECK((p[2] > 2300. && p[2] < 2700.));
}
