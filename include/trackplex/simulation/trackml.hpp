// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Field and material of the detector of the TrackML challenge, which its tables do not contain.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/geometry/field_grid.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/simulation/detector_generator_params.hpp>

#include <vector>

namespace trackplex::simulation {

/// Sets the radiation lengths of modules and layers of the detector, as read by
/// `io::read_trackml_detector` or `io::read_acts_detector`; volumes are those of the modules'
/// identifiers.
///
/// Calibrated with the muons of ACTS: mean squares of their kinks in theta, compared with
/// Highland's formula in units of (13.6 MeV / beta p)^2, and losses of momentum. In modules the
/// kinks have 0.00096, 0.00154 and 0.00222 (pixels, short and long strips; statistical errors of 3
/// to 5 %), which is silicon of the thickness `module_t` of TrackML's table, 0.15, 0.25 and 0.35
/// mm; from layer to layer of barrels 0.0107, 0.0157 and 0.0178, silicon of 1.5, 2 and 2.5 mm. The
/// medians of the losses are 1.11 times Bethe's mean for these, their means 1.45 times, with a long
/// tail. Disks of strips have 2.5 and twice 3.5 mm by the medians of their losses; disks of pixels
/// are assumed to be like their barrels.
/// @param detector its layers and modules get radiation lengths
/// @throws UsageError if a module is in none of the volumes of TrackML
void set_trackml_material(geometry::DetectorDescription& detector);

/// Returns the beam pipe and the support tube of the pixels, layers of material without modules:
/// 0.8 mm and 1.8 mm of beryllium, as in ACTS' generic detector. The kinks and losses of its muons
/// before the first layer, and between pixels and strips, agree with them.
std::vector<geometry::Layer> trackml_passive_layers();

/// Field of TrackML about its centre, 1.99 T there.
///
/// Fitted to the truth of event 1, together with the centre: the changes of the direction of
/// momenta between neighbouring hits. Their widths are 0.54 to 1.2 times those of multiple
/// scattering in 2 % of a radiation length, largest at the last disks.
inline constexpr geometry::SolenoidSeries<7> trackml_solenoid{
    420., {1.3294, 0.81703, -0.12524, -0.054369, 0.037878, -0.011096, 0.0011244}};
/// Centre of the solenoid of TrackML, cm: it is displaced by 15 cm in each direction (fitted
/// -14.6, -15.2, -15.3 with errors of some mm), so that the transverse field at the last disks is
/// 0.1 T.
inline constexpr geometry::Vector3<double> trackml_solenoid_centre{{-15., -15., -15.}};

/// Returns the field of TrackML about its centre on a grid that extends beyond all modules. Cells
/// of 12 cm reproduce the field to 1.1 mT at their centres.
geometry::AxisymmetricFieldGrid trackml_field_grid();

/// Returns the field of TrackML as a map of `trackml_field_grid`; it is 0 outside.
/// @tparam T scalar of the map
template <class T, class ExecutionSpace>
auto trackml_field(const ExecutionSpace& exec) {
  using Map = geometry::AxisymmetricFieldMap<T, typename ExecutionSpace::memory_space>;
  const auto& c = trackml_solenoid_centre;
  return geometry::DisplacedField<Map, T>{
      Map(exec, trackml_field_grid(), geometry::OutsideOfMap::zero), {{T(c(0)), T(c(1)), T(c(2))}}};
}

/// Returns parameters of a generator whose events resemble those of TrackML, with 15 % of noise
/// hits.
///
/// Tuned by hand so that particles of event 1001 have as many hits as in the data: those with at
/// least five hits in both have, for pT > 0.3 GeV, the same number within 3 % in each unit of |eta|
/// up to 3, and 4 to 7 % more above. Slower particles have up to 27 % more at 1 < |eta| < 2, and
/// there are fewer tracks of one to eight hits. Particles end after half a turn, and those below
/// 0.15 GeV have no hits. Noise hits have the shares of pixels, short and long strips, barrels and
/// disks of event 1.
DetectorGeneratorParams trackml_generator_params();

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/trackml.impl.hpp>
#endif
