// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/material_constants.hpp>
#include <trackplex/lhcb/fit/long_fit_input.hpp>
#include <trackplex/lhcb/fit/long_track_material.hpp>

#include <cstddef>

namespace trackplex::lhcb {

/// Errors and material of the fit of long tracks in a field, rounded once to the scalar T of the
/// kernel.
template <class T>
struct LongFieldSetup {
  static constexpr int planes = 4;  ///< without hits: two before the UT, two before the SciFi

  LongFitErrors<T> errors;                  ///< variances
  T velo = 0,                               ///< radiation lengths of each hit in the VELO
      to_beam = 0,                          ///< from the last hit to the beam
      ut = 0,                               ///< of each layer of the UT
      scifi = 0;                            ///< of each layer of the SciFi
  T plane_z[planes] = {},                   ///< z of the planes without hits, mm
      plane[planes] = {};                   ///< their radiation lengths
  T ut_z[ut_layers] = {};                   ///< nominal z of the layers of the UT, mm
  T scifi_z[scifi_layers] = {};             ///< nominal z of the layers of the SciFi, mm
  kalman::MaterialConstants<T> properties;  ///< of the material, for an energy loss of 0
};

/// Makes the setup of the fit of long tracks in a field. The factors of the noise in LongFitParams
/// are those of standard deviations: thicknesses are multiplied by their squares.
/// @throws UsageError if a parameter is out of range
template <class T>
LongFieldSetup<T> long_field_setup(const LongFitParams& params = {},
                                   const LongTrackMaterial& material = {}) {
  check(material);
  LongFieldSetup<T> setup;
  setup.errors = long_fit_errors<T>(params);
  const double in_velo = params.velo_noise * params.velo_noise, noise = params.noise * params.noise;
  setup.velo = T(in_velo * material.velo);
  setup.to_beam = T(params.beam_noise * params.beam_noise * material.velo);
  setup.ut = T(noise * material.ut);
  setup.scifi = T(noise * material.scifi);
  for (int i = 0; i < setup.planes; ++i) {
    const auto& plane =
        i < 2 ? material.before_ut[std::size_t(i)] : material.in_magnet[std::size_t(i - 2)];
    setup.plane_z[i] = T(plane.z);
    setup.plane[i] = T(noise * plane.radiation_lengths);
  }
  for (int i = 0; i < ut_layers; ++i) setup.ut_z[i] = T(material.ut_z[std::size_t(i)]);
  for (int i = 0; i < scifi_layers; ++i) setup.scifi_z[i] = T(lhcb::scifi_z[std::size_t(i)]);
  setup.properties = kalman::silicon;
  return setup;
}

/// Input of the fit of long tracks in a field.
template <class T, class MemorySpace, class Field>
struct LongFieldInput : LongFieldSetup<T>, LongFitTracks<T, MemorySpace> {
  Field field;  ///< vector field in cm and T, see geometry/field.hpp
};

}  // namespace trackplex::lhcb
