// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "settings.hpp"

#include <trackplex/core/host_executor.hpp>
#include <trackplex/detector/collider_finder.hpp>
#include <trackplex/kalman/beam_spot.hpp>
#include <trackplex/simulation/detector_generator_params.hpp>
#include <trackplex/simulation/trackml.hpp>

#include <array>
#include <string>

namespace detector_tracker {

using namespace trackplex;

/// The field of a solenoid: uniform, or that of TrackML, which falls off along z.
class MagneticField {
 public:
  /// In the memory of an execution space.
  template <class T, class ExecutionSpace>
  using Map = decltype(simulation::trackml_field<T>(ExecutionSpace()));

  explicit MagneticField(double tesla = 2., bool of_trackml = false)
      : tesla_(tesla), of_trackml_(of_trackml), on_host_(map<double>(HostExecutor())) {}

  double tesla() const { return tesla_; }  ///< at the origin
  /// The field in which particles move.
  const auto& on_host() const { return on_host_; }
  /// The same in numbers of T and the memory of `exec`.
  template <class T, class ExecutionSpace>
  Map<T, ExecutionSpace> map(const ExecutionSpace& exec) const {
    if (of_trackml_) return simulation::trackml_field<T>(exec);
    constexpr double far = 5000.;  // cm
    const auto grid =
        geometry::sample_axisymmetric_field({0., far, 2}, {-far, far, 2}, [&](double, double) {
          return std::array{0., tesla_};
        });
    return {{exec, grid, geometry::OutsideOfMap::zero}, {{T(0), T(0), T(0)}}};
  }

 private:
  double tesla_;
  bool of_trackml_;
  Map<double, HostExecutor> on_host_;
};

/// A detector and all that belongs to it.
struct Setup {
  std::string name;
  geometry::DetectorDescription detector{};
  simulation::DetectorGeneratorParams generator{};  ///< with its passive layers
  MagneticField field{};
  kalman::BeamSpot beam_spot{};
  double mass = kalman::pion_mass;  ///< of the particles, GeV
  geometry::LayerGraph graph{};
  detector::ColliderFinderParams collider{};  ///< from which the finder follows
  detector::TrackFinderParams<> finder{};
};

/// Reads or builds the detector that the settings ask for.
/// @throws UsageError, InputError if there is none
Setup setup_of(const Settings& settings);

/// Sets the standard deviation of collisions along the beam, cm, and the finder that follows.
void set_sigma_z(Setup& setup, const Settings& settings, double sigma_z);

/// A file of the detector in the folder that the variable TRACKPLEX_DATA names.
/// @throws UsageError if there is none
std::string data_file(const std::string& path, const std::string& option);

}  // namespace detector_tracker
