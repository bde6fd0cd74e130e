// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/geometry/check.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::geometry {
namespace detail {

TRACKPLEX_INLINE Module module_of(const Frame<double>& frame, const Bounds& bounds,
                                  const SensorParams& sensor) {
  return {.frame = frame,
          .bounds = bounds,
          .thickness = sensor.thickness,
          .radiation_lengths = sensor.radiation_lengths,
          .pitch_u = sensor.pitch_u,
          .pitch_v = sensor.pitch_v};
}

TRACKPLEX_INLINE std::vector<Module> barrel_modules(const BarrelParams& p) {
  std::vector<Module> modules;
  const double half_v = p.half_length / p.n_z;
  // those of a finite thickness meet with their inner faces
  const double half_u =
      (p.radius - 0.5 * p.sensor.thickness) * tan(std::numbers::pi / std::max(p.n_phi, 3));
  const auto bounds = Bounds::rectangle(half_u + p.overlap, half_v + p.overlap);
  for (int i = 0; i < p.n_z; ++i)
    for (int k = 0; k < p.n_phi; ++k) {
      const double phi = 2. * std::numbers::pi * (k + 0.5) / p.n_phi;
      const double in_phi = p.tilt == 0. ? sign_of(k) : 0.;
      const double r = p.radius + 0.5 * p.stagger * (in_phi + 0.5 * sign_of(i));
      const double turned = phi + p.tilt;
      modules.push_back(
          module_of({{r * cos(phi), r * sin(phi), (2 * i + 1) * half_v - p.half_length},
                     {-sin(turned), cos(turned), 0.},
                     {0., 0., 1.}},
                    bounds, p.sensor));
    }
  return modules;
}

TRACKPLEX_INLINE std::vector<Module> disk_modules(const DiskParams& p) {
  std::vector<Module> modules;
  const double height = (p.outer - p.inner) / double(p.n_phi.size());
  for (int ring = 0; ring < int(p.n_phi.size()); ++ring) {
    const int n = p.n_phi[std::size_t(ring)];
    const double half_angle = std::numbers::pi / std::max(n, 3);
    const double low = p.inner + ring * height, high = (low + height) * cos(half_angle);
    const double r = 0.5 * (low + high), slope = tan(half_angle);
    const auto bounds =
        Bounds::trapezoid((low - p.overlap) * slope + p.overlap,
                          (high + p.overlap) * slope + p.overlap, 0.5 * (high - low) + p.overlap);
    for (int k = 0; k < n; ++k) {
      const double phi = 2. * std::numbers::pi * (k + 0.5) / n;
      const double x = cos(phi), y = sin(phi);
      const double z = p.z + 0.5 * p.stagger * (sign_of(k) + 0.5 * sign_of(ring));
      modules.push_back(module_of({{r * x, r * y, z}, {y, -x, 0.}, {x, y, 0.}}, bounds, p.sensor));
    }
  }
  return modules;
}

TRACKPLEX_INLINE Frame<double> plane_frame(const PlaneParams& p, const Vector3<double>& w) {
  const auto unit = [](const Vector3<double>& a) { return 1. / std::sqrt(dot(a, a)) * a; };
  const bool along_y = std::abs(w(1)) > 1. - 1e-9;
  const auto u = along_y ? Vector3<double>{1., 0., 0.} : unit(cross({0., 1., 0.}, w));
  const auto v = cross(w, u);
  const double c = cos(p.angle), s = sin(p.angle);
  return {p.centre, c * u + s * v, c * v - s * u};
}

}  // namespace detail

TRACKPLEX_INLINE DetectorBuilder& DetectorBuilder::barrel(const BarrelParams& params) {
  if (!(params.radius > 0.) || !(params.half_length > 0.) || params.n_z < 1 ||
      (params.n_phi != 0 && params.n_phi < 3))
    throw UsageError(place(params.name), "the sizes of the barrel are not possible", {},
                     "radius and half_length are above 0, n_phi is 0 or at least 3");
  return add(
      {params.name, LayerKind::barrel, params.radius}, -params.half_length, params.half_length,
      params.n_phi == 0 ? std::vector<Module>() : detail::barrel_modules(params), params.sensor);
}

TRACKPLEX_INLINE DetectorBuilder& DetectorBuilder::disk(const DiskParams& params) {
  bool possible = 0. <= params.inner && params.inner < params.outer;
  for (const int n : params.n_phi) possible = possible && n >= 3;
  if (!possible)
    throw UsageError(place(params.name), "the sizes of the disk are not possible", {},
                     "inner is below outer, each of n_phi at least 3");
  return add({params.name, LayerKind::disk, params.z}, params.inner, params.outer,
             params.n_phi.empty() ? std::vector<Module>() : detail::disk_modules(params),
             params.sensor);
}

TRACKPLEX_INLINE DetectorBuilder& DetectorBuilder::plane(const PlaneParams& params) {
  const double length = std::sqrt(dot(params.normal, params.normal));
  if (!(length > 0.) || !std::isfinite(length))
    throw UsageError(place(params.name), "its normal has no length", {}, "give a direction");
  const auto normal = 1. / length * params.normal;
  Layer layer{params.name, LayerKind::plane, dot(normal, params.centre)};
  layer.normal = normal;
  return add(layer, 0., 0.,
             {detail::module_of(detail::plane_frame(params, normal),
                                Bounds::rectangle(params.half_u, params.half_v), params.sensor)},
             params.sensor);
}

TRACKPLEX_INLINE DetectorBuilder& DetectorBuilder::layer(const Layer& layer,
                                                         const std::vector<Module>& modules) {
  detector_.add_layer(layer, modules);
  return *this;
}

TRACKPLEX_INLINE DetectorDescription DetectorBuilder::build(const CheckParams& params) const {
  check(detector_, params);
  return detector_;
}

TRACKPLEX_INLINE std::string DetectorBuilder::place(const std::string& name) const {
  return "layer " + std::to_string(detector_.layers.size()) +
         (name.empty() ? "" : " '" + name + "'");
}

TRACKPLEX_INLINE DetectorBuilder& DetectorBuilder::add(Layer layer, double low, double high,
                                                       const std::vector<Module>& modules,
                                                       const SensorParams& sensor) {
  if (modules.empty()) {
    layer.low = low;
    layer.high = high;
    layer.thickness = sensor.thickness;
    layer.radiation_lengths = sensor.radiation_lengths;
  }
  detector_.add_layer(std::move(layer), modules);
  return *this;
}

}  // namespace trackplex::geometry
