// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/geometry/description.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::simulation::detail {

/// Index of the modules of a layer by its natural coordinates: phi and z of a barrel, phi and r of
/// a disk, two orthogonal ones of a plane. A module is in every bin that it, or what is within a
/// margin of it, covers.
class ModuleIndex {
 public:
  /// Takes the modules of a layer. `margin` is the distance (cm) within which they are found.
  ModuleIndex(const geometry::DetectorDescription& detector, const geometry::Layer& layer,
              double margin);

  /// Returns the modules near a point, those that may be within the margin of it.
  std::span<const std::int32_t> near(const geometry::Vector3<double>& point) const;

 private:
  struct Box {
    geometry::Extent first, second, distance;
  };

  void set_axes();

  std::array<double, 2> coordinates(const geometry::Vector3<double>& point) const;

  Box box_of(const geometry::Layer& layer, const geometry::Module& module, double margin) const;

  static int cell(double value, const geometry::Extent& extent, int n);

  /// Calls a function with each bin of a box.
  template <class F>
  void for_each_bin(const Box& box, const F& f) const {
    const bool wraps = kind_ != geometry::LayerKind::plane;
    const double width = (first_.high - first_.low) / n_first_;
    const int begin = int(std::floor((box.first.low - first_.low) / width));
    const int end = std::min(int(std::floor((box.first.high - first_.low) / width)) + 1,
                             wraps ? begin + n_first_ : n_first_);
    for (int i = wraps ? begin : std::max(begin, 0); i < end; ++i) {
      const int a = (i % n_first_ + n_first_) % n_first_;
      for (int b = cell(box.second.low, second_, n_second_);
           b <= cell(box.second.high, second_, n_second_); ++b)
        f(std::size_t(a) * std::size_t(n_second_) + std::size_t(b));
    }
  }

  void fill(const std::vector<Box>& boxes, int first_module);

  geometry::LayerKind kind_;
  geometry::Vector3<double> normal_;
  std::array<geometry::Vector3<double>, 2> axes_{};  // of a plane
  geometry::Extent first_, second_, distance_;       // of all modules with the margin
  int n_first_ = 1, n_second_ = 1;
  std::vector<std::size_t> offsets_;
  std::vector<std::int32_t> modules_;
};

}  // namespace trackplex::simulation::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/module_index.impl.hpp>
#endif
