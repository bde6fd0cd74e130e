// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Parameters of track building.

#include <trackplex/kalman/material_effects.hpp>

namespace trackplex::candidates {

/// Parameters of track building. The defaults are mkFit's (2017) except for the window, which
/// includes the error of the hits and extends as far as the limit of chi2: 3.9^2 > 15.
///
/// A hit is in the window on a layer if |phi - prediction| and |z - prediction| are within
/// `window_sigmas` standard deviations of prediction and hit together, and within the limits.
struct BuildTracksParams {
  double max_chi2 = 15.;  ///< upper limit of the chi2 of a hit, with two degrees of freedom
  int max_holes = 2;      ///< max number of layers without a hit of a candidate, which stops at the
                          ///< next one; no limit for `BestHit`

  double window_sigmas = 3.9;     ///< half width of the window in standard deviations
  double max_half_phi = 0.02;     ///< upper limit of the half width in azimuth, rad
  double max_half_z = 1.;         ///< upper limit of the half width in z, cm
  double hit_sigma_r_phi = 0.01;  ///< error of a typical hit in r phi, cm; 0: no part of the window
  double hit_sigma_z = 0.1;       ///< error of a typical hit in z, cm; 0: no part of the window

  /// Material of every layer, whose effects are part of the predictions; none if its thickness is
  /// 0.
  kalman::ThinLayer material{kalman::silicon, 0.};
  double mass = kalman::pion_mass;  ///< mass of the particle for the effects of material, GeV
};

/// Constants of track building in kernels: `BuildTracksParams`, which converts to them, computed in
/// double and rounded once to the scalar T of the kernel.
template <class T>
struct BuildTracksConstants {
  T max_chi2;                          ///< see `BuildTracksParams`
  int max_holes;                       ///< see `BuildTracksParams`
  T window_sigmas,                     ///< see `BuildTracksParams`
      max_half_phi,                    ///< see `BuildTracksParams`, rad
      max_half_z;                      ///< see `BuildTracksParams`, cm
  T hit_variance_r_phi,                ///< square of the error of a typical hit in r phi, cm^2
      hit_variance_z;                  ///< square of the error of a typical hit in z, cm^2
  kalman::LayerConstants<T> material;  ///< of every layer
  T mass;                              ///< of the particle, GeV

  /// Computes the constants.
  KOKKOS_FUNCTION constexpr BuildTracksConstants(const BuildTracksParams& params)
      : max_chi2(T(params.max_chi2)),
        max_holes(params.max_holes),
        window_sigmas(T(params.window_sigmas)),
        max_half_phi(T(params.max_half_phi)),
        max_half_z(T(params.max_half_z)),
        hit_variance_r_phi(T(params.hit_sigma_r_phi * params.hit_sigma_r_phi)),
        hit_variance_z(T(params.hit_sigma_z * params.hit_sigma_z)),
        material(params.material),
        mass(T(params.mass)) {}
};

}  // namespace trackplex::candidates
