// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Builder of simple detectors: barrels, disks and planes of equal modules. Lengths are in cm.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/geometry/check.hpp>

#include <string>
#include <vector>

namespace trackplex::geometry {

/// Sensor of all modules of a layer.
struct SensorParams {
  double pitch_u = 0.;            ///< see Module::pitch_u, cm
  double pitch_v = 0.;            ///< see Module::pitch_v, cm
  double thickness = 0.;          ///< see Module::thickness, cm
  double radiation_lengths = 0.;  ///< see Module::radiation_lengths
};

/// Barrel of `n_phi` x `n_z` rectangular modules; u is along the azimuth, v along z, and the normal
/// points outwards. Without overlap, tilt and stagger the modules are the sides of a prism about
/// the z axis.
struct BarrelParams {
  std::string name{};       ///< name of the layer
  double radius = 0.;       ///< of the modules' centres, cm
  double half_length = 0.;  ///< along z, cm
  int n_phi = 0;            ///< modules along the azimuth; 0: an ideal cylinder
  int n_z = 1;              ///< modules along z
  double overlap = 0.;      ///< extra length of modules on each side, cm
  double tilt = 0.;         ///< rotation of each module about its v axis, rad
  /// Radial distance of neighbours in azimuth, if they are not tilted, and twice the
  /// distance of neighbours along z, cm. It needs an even n_phi.
  double stagger = 0.;
  SensorParams sensor{};  ///< of each module; for an ideal cylinder its material
};

/// Disk of rings of trapezoidal modules; v points outwards, and the normal along +z. Each ring lies
/// between two circles.
struct DiskParams {
  std::string name{};        ///< name of the layer
  double z = 0.;             ///< of the modules' centres, cm
  double inner = 0.,         ///< smallest distance from the z axis, cm
      outer = 0.;            ///< largest distance from the z axis, cm
  std::vector<int> n_phi{};  ///< modules of each ring, from the inside; empty: an ideal disk
  double overlap = 0.;       ///< extra length of modules on each side, cm
  /// Distance in z of neighbours in azimuth, and twice the distance of neighbouring rings, cm.
  /// It needs even numbers of modules.
  double stagger = 0.;
  SensorParams sensor{};  ///< of each module; for an ideal disk its material
};

/// Plane with one rectangular module. With the normal along +z and no angle, u is x and v is y.
struct PlaneParams {
  std::string name{};                  ///< name of the layer
  Vector3<double> centre{0., 0., 0.};  ///< of the module, cm
  Vector3<double> normal{0., 0., 1.};  ///< direction of the normal, of any length
  double half_u = 0.,                  ///< half length along u, cm
      half_v = 0.;                     ///< half length along v, cm
  double angle = 0.;                   ///< rotation of u and v about the normal, rad
  SensorParams sensor{};               ///< of the module
};

namespace detail {

Module module_of(const Frame<double>& frame, const Bounds& bounds, const SensorParams& sensor);

inline double sign_of(int i) { return i % 2 == 0 ? 1. : -1.; }

}  // namespace detail

/// Builder of a detector, layer by layer:
///
///     const auto detector = DetectorBuilder()
///                               .barrel({.radius = 3., .half_length = 25., .n_phi = 14, .n_z = 8})
///                               .disk({.z = 30., .inner = 3., .outer = 15., .n_phi = {16, 24}})
///                               .build();
class DetectorBuilder {
 public:
  /// Adds a barrel.
  /// @throws UsageError if a size or number is not possible
  DetectorBuilder& barrel(const BarrelParams& params);

  /// Adds a disk.
  /// @throws UsageError if a size or number is not possible
  DetectorBuilder& disk(const DiskParams& params);

  /// Adds a plane.
  /// @throws UsageError if its normal has length 0
  DetectorBuilder& plane(const PlaneParams& params);

  /// Adds a layer of any modules; see DetectorDescription::add_layer().
  DetectorBuilder& layer(const Layer& layer, const std::vector<Module>& modules = {});

  /// Returns the detector, after `check`.
  /// @throws UsageError as `check`
  DetectorDescription build(const CheckParams& params = {}) const;

 private:
  std::string place(const std::string& name) const;

  /// A layer with modules covers the ranges of these; a layer without modules has the material
  /// itself.
  DetectorBuilder& add(Layer layer, double low, double high, const std::vector<Module>& modules,
                       const SensorParams& sensor);

  DetectorDescription detector_;
};

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/builder.impl.hpp>
#endif
