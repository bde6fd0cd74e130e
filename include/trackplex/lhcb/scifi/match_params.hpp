// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

namespace trackplex::lhcb {

/// Cuts of the matching of tracks in the SciFi with those of the VELO. Lengths in mm, slopes are
/// dx/dz and dy/dz.
struct MatchParams {
  double max_abs_tx = 0.35;         ///< upper limit of |dx/dz| of VELO tracks
  double max_abs_ty = 0.30;         ///< upper limit of |dy/dz| of VELO tracks
  double max_tx_difference = 1.5;   ///< upper limit of the change of dx/dz
  double max_ty_difference = 0.02;  ///< upper limit of the change of dy/dz
  double max_x_difference = 30.;    ///< of both tracks in the magnet, mm
  double max_y_difference = 150.;   ///< of both tracks downstream of the SciFi, mm
  double max_chi2 = 7.;             ///< upper limit of the sum of all differences
  /// Max difference of q/p from that of the UT track, over |q/p|, with which the long track has
  /// this UT track; `qop_tolerance` more is allowed.
  double max_qop_difference = 0.6;
  double qop_tolerance = 5e-6;  ///< see max_qop_difference, 1/MeV
};

/// Cuts of the matching in kernels: `MatchParams`, rounded once to the scalar T of the kernel.
template <class T>
struct MatchCuts {
  T max_abs_tx,            ///< see MatchParams
      max_abs_ty,          ///< see MatchParams
      max_tx_difference,   ///< see MatchParams
      max_ty_difference,   ///< see MatchParams
      max_x_difference,    ///< see MatchParams, mm
      max_y_difference,    ///< see MatchParams, mm
      max_chi2,            ///< see MatchParams
      max_qop_difference,  ///< see MatchParams
      qop_tolerance;       ///< see MatchParams, 1/MeV

  /// Rounds the cuts.
  MatchCuts(const MatchParams& p)
      : max_abs_tx(T(p.max_abs_tx)),
        max_abs_ty(T(p.max_abs_ty)),
        max_tx_difference(T(p.max_tx_difference)),
        max_ty_difference(T(p.max_ty_difference)),
        max_x_difference(T(p.max_x_difference)),
        max_y_difference(T(p.max_y_difference)),
        max_chi2(T(p.max_chi2)),
        max_qop_difference(T(p.max_qop_difference)),
        qop_tolerance(T(p.qop_tolerance)) {}
};

/// Checks the ranges of all cuts.
/// @throws UsageError that names the first parameter out of range
void check(const MatchParams& p);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/scifi/detail/match_params.impl.hpp>
#endif
