// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/simulation/detail/module_index.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace trackplex::simulation::detail {

TRACKPLEX_INLINE ModuleIndex::ModuleIndex(const geometry::DetectorDescription& detector,
                                          const geometry::Layer& layer, double margin)
    : kind_(layer.kind), normal_(layer.normal) {
  if (layer.n_modules == 0) return;
  if (kind_ == geometry::LayerKind::plane) set_axes();
  std::vector<Box> boxes;
  for (int i = 0; i < layer.n_modules; ++i) {
    const auto& module = detector.modules[std::size_t(layer.first_module + i)];
    boxes.push_back(box_of(layer, module, margin));
    const auto& box = boxes.back();
    for (const double d : {box.distance.low, box.distance.high}) distance_.add(d);
    for (const double d : {box.second.low, box.second.high}) second_.add(d);
    if (kind_ == geometry::LayerKind::plane)
      for (const double d : {box.first.low, box.first.high}) first_.add(d);
  }
  if (kind_ != geometry::LayerKind::plane) first_ = {-std::numbers::pi, std::numbers::pi};
  fill(boxes, layer.first_module);
}

TRACKPLEX_INLINE std::span<const std::int32_t> ModuleIndex::near(
    const geometry::Vector3<double>& point) const {
  if (modules_.empty()) return {};
  const double distance = kind_ == geometry::LayerKind::barrel
                              ? std::sqrt(point(0) * point(0) + point(1) * point(1))
                          : kind_ == geometry::LayerKind::disk ? point(2)
                                                               : geometry::dot(normal_, point);
  if (distance < distance_.low || distance > distance_.high) return {};
  const auto [a, b] = coordinates(point);
  if (b < second_.low || b > second_.high || a < first_.low || a > first_.high) return {};
  const auto bin = std::size_t(cell(a, first_, n_first_)) * std::size_t(n_second_) +
                   std::size_t(cell(b, second_, n_second_));
  return std::span(modules_).subspan(offsets_[bin], offsets_[bin + 1] - offsets_[bin]);
}

TRACKPLEX_INLINE void ModuleIndex::set_axes() {
  const int smallest = std::abs(normal_(0)) < 0.6 ? 0 : std::abs(normal_(1)) < 0.6 ? 1 : 2;
  geometry::Vector3<double> other{0., 0., 0.};
  other(smallest) = 1.;
  axes_[0] = geometry::cross(other, normal_);
  axes_[0] = 1. / std::sqrt(geometry::dot(axes_[0], axes_[0])) * axes_[0];
  axes_[1] = geometry::cross(normal_, axes_[0]);
}

TRACKPLEX_INLINE std::array<double, 2> ModuleIndex::coordinates(
    const geometry::Vector3<double>& point) const {
  if (kind_ == geometry::LayerKind::plane)
    return {geometry::dot(axes_[0], point), geometry::dot(axes_[1], point)};
  return {trackplex::atan2(point(1), point(0)),
          kind_ == geometry::LayerKind::barrel
              ? point(2)
              : std::sqrt(point(0) * point(0) + point(1) * point(1))};
}

TRACKPLEX_INLINE ModuleIndex::Box ModuleIndex::box_of(const geometry::Layer& layer,
                                                      const geometry::Module& module,
                                                      double margin) const {
  Box box;
  const auto corners = geometry::corners_of(module);
  const double phi = trackplex::atan2(module.frame.centre(1), module.frame.centre(0));
  double radius = 0.;
  const bool is_plane = kind_ == geometry::LayerKind::plane;
  for (const auto& corner : corners) {
    const auto [a, b] = coordinates(corner);
    box.first.add(is_plane ? a : std::remainder(a - phi, 2. * std::numbers::pi));
    box.second.add(b);
    box.distance.add(layer.distance(corner) + layer.position);
  }
  if (!is_plane) {
    const auto r = geometry::r_extent({module});
    (kind_ == geometry::LayerKind::barrel ? box.distance : box.second).add(r.low);
    radius = r.low;
  }
  const double angle = radius > margin ? asin(margin / radius) : std::numbers::pi;
  const double around = is_plane ? margin : angle;
  box.first = {box.first.low - around, box.first.high + around};
  if (!is_plane) {
    const bool all = radius <= margin || box.first.high - box.first.low > std::numbers::pi;
    box.first = all ? geometry::Extent{-std::numbers::pi, std::numbers::pi}
                    : geometry::Extent{box.first.low + phi, box.first.high + phi};
  }
  box.second = {box.second.low - margin, box.second.high + margin};
  box.distance = {box.distance.low - margin, box.distance.high + margin};
  return box;
}

TRACKPLEX_INLINE int ModuleIndex::cell(double value, const geometry::Extent& extent, int n) {
  const double part = (value - extent.low) / (extent.high - extent.low);
  return std::clamp(int(std::floor(part * n)), 0, n - 1);
}

TRACKPLEX_INLINE void ModuleIndex::fill(const std::vector<Box>& boxes, int first_module) {
  double mean_first = 0., mean_second = 0.;
  for (const auto& box : boxes) {
    mean_first += (box.first.high - box.first.low) / double(boxes.size());
    mean_second += (box.second.high - box.second.low) / double(boxes.size());
  }
  const auto bins = [](double range, double size) {
    return std::clamp(int(2. * range / size), 1, 512);
  };
  n_first_ = bins(first_.high - first_.low, mean_first);
  n_second_ = bins(second_.high - second_.low, mean_second);
  offsets_.assign(std::size_t(n_first_) * std::size_t(n_second_) + 1, 0);
  for (const auto& box : boxes) for_each_bin(box, [&](auto bin) { ++offsets_[bin + 1]; });
  for (std::size_t bin = 1; bin < offsets_.size(); ++bin) offsets_[bin] += offsets_[bin - 1];
  modules_.resize(offsets_.back());
  auto next = offsets_;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for_each_bin(boxes[i],
                 [&](auto bin) { modules_[next[bin]++] = std::int32_t(first_module + int(i)); });
}

}  // namespace trackplex::simulation::detail
