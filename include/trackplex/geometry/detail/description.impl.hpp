// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/geometry/bounds.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/geometry/frame.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace trackplex::geometry {

TRACKPLEX_INLINE std::vector<Vector3<double>> corners_of(const Module& module) {
  std::vector<Vector3<double>> corners;
  for (const auto& [u, v] : module.bounds.outline())
    corners.push_back(to_global(module.frame, Vector3<double>{u, v, 0.}));
  return corners;
}

TRACKPLEX_INLINE Extent z_extent(const std::vector<Module>& modules) {
  Extent extent;
  for (const auto& module : modules)
    for (const auto& corner : corners_of(module)) extent.add(corner(2));
  return extent;
}

TRACKPLEX_INLINE Extent r_extent(const std::vector<Module>& modules) {
  Extent extent;
  for (const auto& module : modules) {
    const auto corners = corners_of(module);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto& from = corners[i];
      const auto along = corners[(i + 1) % corners.size()] - from;
      extent.add(hypot(from(0), from(1)));
      const double square = along(0) * along(0) + along(1) * along(1);
      const double part = square > 0. ? -(from(0) * along(0) + from(1) * along(1)) / square : 0.;
      if (part > 0. && part < 1.)
        extent.add(hypot(from(0) + part * along(0), from(1) + part * along(1)));
    }
    const auto w = module.frame.normal();
    if (std::abs(w(2)) < 1e-9) continue;
    const double z = dot(w, module.frame.centre) / w(2);  // where the z axis crosses the plane
    const auto local = to_local(module.frame, Vector3<double>{0., 0., z});
    if (module.bounds.contains(local(0), local(1))) extent.add(0.);
  }
  return extent;
}

TRACKPLEX_INLINE int DetectorDescription::add_layer(Layer layer,
                                                    const std::vector<Module>& of_layer) {
  if (layer.low == layer.high && !of_layer.empty()) {
    const auto extent = layer.kind == LayerKind::barrel ? z_extent(of_layer) : r_extent(of_layer);
    layer.low = extent.low;
    layer.high = extent.high;
  }
  const int number = int(layers.size());
  layer.first_module = int(modules.size());
  layer.n_modules = int(of_layer.size());
  modules.insert(modules.end(), of_layer.begin(), of_layer.end());
  for (std::size_t i = modules.size() - of_layer.size(); i < modules.size(); ++i)
    modules[i].layer = number;
  layers.push_back(std::move(layer));
  return number;
}

TRACKPLEX_INLINE Layer layer_of_modules(std::string name, const std::vector<Module>& modules) {
  const auto z = z_extent(modules), r = r_extent(modules);
  Layer layer{.name = std::move(name)};
  layer.kind = z.high - z.low > r.high - r.low ? LayerKind::barrel : LayerKind::disk;
  Extent centres;
  for (const auto& module : modules) centres.add(layer.distance(module.frame.centre));
  layer.position = 0.5 * (centres.low + centres.high);
  return layer;
}

TRACKPLEX_INLINE ModuleNumbers::ModuleNumbers(const DetectorDescription& detector) {
  for (std::size_t i = 0; i < detector.modules.size(); ++i)
    if (const auto identifier = detector.modules[i].identifier)
      entries_.emplace_back(identifier, int(i));
  std::sort(entries_.begin(), entries_.end());
}

}  // namespace trackplex::geometry
