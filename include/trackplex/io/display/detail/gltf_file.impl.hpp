// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/display/gltf_file.hpp>
#include <trackplex/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace trackplex::io {

namespace detail {

/// Bytes as text of base 64.
TRACKPLEX_INLINE std::string base64(const std::string& bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < n ? std::uint8_t(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? digits[bits >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

/// Data of a glTF file: little-endian, as all hosts of Trackplex are.
class GltfBuffer {
 public:
  /// Adds numbers as an accessor, and returns its index.
  template <class Number>
  int add(const std::vector<Number>& numbers, int target, nlohmann::ordered_json accessor) {
    const std::size_t bytes = numbers.size() * sizeof(Number);
    views_.push_back(
        {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", bytes}, {"target", target}});
    accessor["bufferView"] = views_.size() - 1;
    accessors_.push_back(std::move(accessor));
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), bytes);
    return int(accessors_.size()) - 1;
  }
  void move_to(nlohmann::ordered_json& file) {
    file["accessors"] = std::move(accessors_);
    file["bufferViews"] = std::move(views_);
    file["buffers"] = nlohmann::ordered_json::array(
        {{{"byteLength", bytes_.size()},
          {"uri", "data:application/octet-stream;base64," + base64(bytes_)}}});
  }

 private:
  nlohmann::ordered_json accessors_ = nlohmann::ordered_json::array(),
                         views_ = nlohmann::ordered_json::array();
  std::string bytes_;
};

/// Adds a mesh to the buffer and returns its only primitive.
TRACKPLEX_INLINE nlohmann::ordered_json gltf_primitive(GltfBuffer& buffer, const GltfMesh& mesh,
                                                       std::size_t material) {
  // Constants of OpenGL, which glTF has.
  constexpr int of_float = 5126, of_uint32 = 5125, vertices = 34962, indices = 34963;
  std::vector<float> points;
  std::array<float, 3> low{}, high{};
  for (const auto& point : mesh.points)
    for (std::size_t k = 0; k < 3; ++k) {
      const float x = float(point[k]);
      if (!std::isfinite(x))
        throw UsageError("gltf_text", "a point of the mesh \"" + mesh.name + "\" is not finite");
      low[k] = points.size() < 3 ? x : std::min(low[k], x);
      high[k] = points.size() < 3 ? x : std::max(high[k], x);
      points.push_back(x);
    }
  std::vector<std::uint32_t> corners;
  for (const auto& triangle : mesh.triangles)
    for (const auto corner : triangle) {
      if (corner >= mesh.points.size())
        throw UsageError("gltf_text", "a triangle of the mesh \"" + mesh.name +
                                          "\" has a point that does not exist");
      corners.push_back(corner);
    }
  const int positions = buffer.add(points, vertices,
                                   {{"componentType", of_float},
                                    {"count", mesh.points.size()},
                                    {"type", "VEC3"},
                                    {"min", low},
                                    {"max", high}});
  const int elements =
      buffer.add(corners, indices,
                 {{"componentType", of_uint32}, {"count", corners.size()}, {"type", "SCALAR"}});
  return {{"attributes", {{"POSITION", positions}}}, {"indices", elements}, {"material", material}};
}

/// A channel of a colour as glTF has it: linear in the light, where 0xRRGGBB is that of screens.
TRACKPLEX_INLINE double gltf_channel(std::uint32_t rgb, int shift) {
  const double screen = double(rgb >> shift & 255u) / 255.;
  return screen <= 0.04045 ? screen / 12.92 : pow((screen + 0.055) / 1.055, 2.4);
}

}  // namespace detail

TRACKPLEX_INLINE void add_frame(GltfMesh& mesh, std::span<const DisplayPoint> corners,
                                double width) {
  const std::size_t n = corners.size();
  DisplayPoint middle{};
  for (const auto& corner : corners)
    for (std::size_t k = 0; k < 3; ++k) middle[k] += corner[k] / double(n);
  const auto first = std::uint32_t(mesh.points.size());
  mesh.points.insert(mesh.points.end(), corners.begin(), corners.end());
  for (const auto& corner : corners) {
    auto& inner = mesh.points.emplace_back(corner);
    for (std::size_t k = 0; k < 3; ++k) inner[k] += width * (middle[k] - corner[k]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto a = first + std::uint32_t(i), b = first + std::uint32_t((i + 1) % n);
    const auto inner_a = a + std::uint32_t(n), inner_b = b + std::uint32_t(n);
    mesh.triangles.push_back({a, b, inner_b});
    mesh.triangles.push_back({a, inner_b, inner_a});
  }
}

namespace detail {

/// Frames of panels between two circles around the z axis, each of a radius and a z.
TRACKPLEX_INLINE void add_panels(GltfMesh& mesh, const std::array<double, 2>& one,
                                 const std::array<double, 2>& other) {
  constexpr int panels = 32;
  const auto at = [](const std::array<double, 2>& circle, int i) {
    const double phi = 2. * std::numbers::pi * i / panels;
    return DisplayPoint{circle[0] * cos(phi), circle[0] * sin(phi), circle[1]};
  };
  for (int i = 0; i < panels; ++i)
    add_frame(mesh, std::array{at(one, i), at(one, i + 1), at(other, i + 1), at(other, i)});
}

}  // namespace detail

TRACKPLEX_INLINE void add_cylinder(GltfMesh& mesh, double radius, double z_low, double z_high) {
  detail::add_panels(mesh, {radius, z_low}, {radius, z_high});
}

TRACKPLEX_INLINE void add_ring(GltfMesh& mesh, double z, double r_low, double r_high) {
  detail::add_panels(mesh, {r_low, z}, {r_high, z});
}

TRACKPLEX_INLINE std::string gltf_text(const std::string& name, std::span<const GltfMesh> meshes) {
  using Json = nlohmann::ordered_json;
  detail::GltfBuffer buffer;
  Json nodes = Json::array(), shapes = Json::array(), materials = Json::array(),
       numbers = Json::array();
  for (const auto& mesh : meshes) {
    if (mesh.triangles.empty()) continue;
    const std::size_t i = shapes.size();
    shapes.push_back({{"name", mesh.name},
                      {"primitives", Json::array({detail::gltf_primitive(buffer, mesh, i)})}});
    nodes.push_back({{"name", mesh.name}, {"mesh", i}});
    numbers.push_back(i);
    const auto channel = [&](int shift) { return detail::gltf_channel(mesh.color, shift); };
    materials.push_back({{"name", mesh.name},
                         {"doubleSided", true},
                         {"pbrMetallicRoughness",
                          {{"baseColorFactor", {channel(16), channel(8), channel(0), 1.}},
                           {"metallicFactor", 0.}}}});
  }
  Json file = {
      {"asset", {{"version", "2.0"}, {"generator", "Trackplex " TRACKPLEX_VERSION_STRING}}},
      {"scene", 0},
      {"scenes", Json::array({{{"name", name}, {"nodes", numbers}}})}};
  if (!shapes.empty()) {
    file["nodes"] = std::move(nodes);
    file["meshes"] = std::move(shapes);
    file["materials"] = std::move(materials);
    buffer.move_to(file);
  } else {
    file["scenes"][0].erase("nodes");  // glTF has no empty lists
  }
  return file.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

TRACKPLEX_INLINE void write_gltf(const std::filesystem::path& path, const std::string& name,
                                 std::span<const GltfMesh> meshes) {
  write_file(path, gltf_text(name, meshes));
}

}  // namespace trackplex::io
