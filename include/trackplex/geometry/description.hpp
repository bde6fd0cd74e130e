// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Description of a detector on the host: modules, grouped in layers. Lengths are in cm.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/geometry/bounds.hpp>
#include <trackplex/geometry/frame.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::geometry {

/// Returns the number by which a module is known outside the library, made of the numbers of its
/// volume (below 256), its layer (below 4096) and itself (below 2^28): volume << 56 | layer << 36 |
/// module, as ACTS packed its `geometry_id` before version 20, see
/// io/detectors/acts_geometry_id.hpp.
constexpr std::uint64_t module_identifier(std::uint64_t volume, std::uint64_t layer,
                                          std::uint64_t module) {
  return volume << 56 | layer << 36 | module;
}

/// Plane sensor with its material.
struct Module {
  Frame<double> frame{};          ///< centre (cm) and axes
  Bounds bounds{};                ///< shape in the frame
  double thickness = 0.;          ///< along the normal, cm
  double radiation_lengths = 0.;  ///< thickness in radiation lengths; 0: no material
  double pitch_u = 0.;            ///< width of pixels or strips along u, cm; 0: not measured
  double pitch_v = 0.;            ///< length of pixels or strips along v, cm; 0: not measured
  std::uint64_t identifier = 0;   ///< see `module_identifier`; unique, or 0
  int layer = 0;                  ///< number of its layer in the description
  double origin_u = 0.,           ///< of the coordinates on the module in files, in the frame, cm
      origin_v = 0.;              ///< cm
};

/// Kind of the surface near which the modules of a layer are.
enum class LayerKind {
  barrel,  ///< cylinder about the z axis
  disk,    ///< plane of constant z
  plane    ///< plane of any orientation
};

/// Layer: a surface, modules near it, and their material. A layer without modules is an ideal
/// cylinder or disk.
struct Layer {
  std::string name{};                  ///< for messages and plots
  LayerKind kind = LayerKind::barrel;  ///< kind of its surface
  double position = 0.;                ///< radius, z, or distance from the origin along `normal`
  double low = 0.,                     ///< smallest z of a barrel, else smallest distance from the
                                       ///< z axis
      high = 0.;                       ///< largest z of a barrel, else largest distance from the z
                                       ///< axis
  Vector3<double> normal{0., 0., 1.};  ///< of a plane: its unit normal
  double thickness = 0.;               ///< of material other than the modules, cm
  double radiation_lengths = 0.;       ///< the same in radiation lengths; 0: no material
  int first_module = 0,                ///< number of its first module
      n_modules = 0;                   ///< number of its modules

  /// Returns the signed distance of a point from the surface, cm.
  double distance(const Vector3<double>& point) const {
    switch (kind) {
      case LayerKind::barrel:
        return hypot(point(0), point(1)) - position;
      case LayerKind::disk:
        return point(2) - position;
      case LayerKind::plane:
        break;
    }
    return dot(normal, point) - position;
  }
};

/// Returns the corners of a module, see Bounds::outline(), as points in space.
std::vector<Vector3<double>> corners_of(const Module& module);

/// Range of a coordinate.
struct Extent {
  double low = std::numeric_limits<double>::infinity(),  ///< smallest value, cm
      high = -low;                                       ///< largest value, cm

  /// Widens the range so that it contains a value.
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Returns the range of z that modules cover.
Extent z_extent(const std::vector<Module>& modules);

/// Returns the range of distances from the z axis that modules cover.
Extent r_extent(const std::vector<Module>& modules);

/// Detector: its layers in the order in which they were added, and their modules, layer by layer.
struct DetectorDescription {
  std::vector<Module> modules;  ///< modules of layer 0, then those of layer 1, and so on
  std::vector<Layer> layers;    ///< layers

  /// Adds a layer with its modules and returns its number. `layer` has its kind and position; if
  /// `low` equals `high` and there are modules, both are set to the range of the modules. The
  /// function sets the layer's range of modules and the modules' layer.
  int add_layer(Layer layer, const std::vector<Module>& of_layer = {});
};

/// Returns the barrel or disk on which modules lie: a barrel if their range in z is larger than
/// their range in r. The radius or z is the mean of the largest and the smallest value of the
/// modules' centres.
Layer layer_of_modules(std::string name, const std::vector<Module>& modules);

/// Lookup of modules by identifier.
class ModuleNumbers {
 public:
  /// Takes the identifiers of the modules of a description; identifiers of 0 are skipped.
  explicit ModuleNumbers(const DetectorDescription& detector);

  /// Returns the number of the module with this identifier, -1 if there is none.
  int find(std::uint64_t identifier) const {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), std::pair(identifier, -1));
    return at != entries_.end() && at->first == identifier ? at->second : -1;
  }
  /// Returns the number of a module, given the numbers of its volume, its layer and itself as
  /// packed in the identifier; -1 if there is none.
  int find(std::uint64_t volume, std::uint64_t layer, std::uint64_t module) const {
    return find(module_identifier(volume, layer, module));
  }

 private:
  std::vector<std::pair<std::uint64_t, int>> entries_;
};

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/description.impl.hpp>
#endif
