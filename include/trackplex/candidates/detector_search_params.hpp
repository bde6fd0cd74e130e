// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Parameters of track building in any detector.

#include <trackplex/kalman/material_effects.hpp>

namespace trackplex::candidates {

/// Parameters of track building in a detector of modules.
struct DetectorSearchParams {
  double max_chi2 = 20.;  ///< upper limit of the chi2 of a hit, with as many degrees of freedom as
                          ///< it has coordinates
  int max_holes = 2;      ///< max number of holes (layers without the expected hit) of a candidate;
                          ///< it stops at the next one. No limit for `BestHit`
  int max_layers = 20;    ///< max number of layers of a track, those of the seed included; up to 63

  double window_sigmas = 4.5;  ///< half width of windows in standard deviations
  double max_half_width = 2.;  ///< upper limit of the half width, cm, unless hits are longer
  double min_cosine = 0.15;    ///< of the angle between track and normal of a layer: a track that
                               ///< grazes a layer ends before it

  kalman::Material material = kalman::silicon;  ///< of all layers and modules, whose thickness the
                                                ///< detector has in radiation lengths
  double mass = kalman::pion_mass;  ///< of the particle for the effects of material, GeV
};

/// Constants of track building in kernels, computed from `DetectorSearchParams` in double and
/// rounded once to the scalar T of the kernel.
template <class T>
struct DetectorSearchConstants {
  T max_chi2;                             ///< see `DetectorSearchParams`
  int max_holes;                          ///< see `DetectorSearchParams`
  T window_sigmas,                        ///< see `DetectorSearchParams`
      max_half_width,                     ///< see `DetectorSearchParams`, cm
      min_cosine;                         ///< see `DetectorSearchParams`
  T xi_per_radiation_length;              ///< K/2 Z/A rho X0, GeV
  kalman::MaterialConstants<T> material;  ///< of all layers
  T mass;                                 ///< of the particle, GeV

  /// Computes the constants.
  KOKKOS_FUNCTION constexpr DetectorSearchConstants(const DetectorSearchParams& params)
      : max_chi2(T(params.max_chi2)),
        max_holes(params.max_holes),
        window_sigmas(T(params.window_sigmas)),
        max_half_width(T(params.max_half_width)),
        min_cosine(T(params.min_cosine)),
        xi_per_radiation_length(
            T(kalman::MaterialConstants<double>(params.material).bethe_factor /
              kalman::MaterialConstants<double>(params.material).per_radiation_length)),
        material(params.material),
        mass(T(params.mass)) {}
};

}  // namespace trackplex::candidates
