// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/compass_params.hpp>
#include <trackplex/lhcb/ut/detail/ut_tracklets.hpp>
#include <trackplex/lhcb/ut/ut_magnet.hpp>

namespace trackplex::lhcb::detail {

/// A track's properties from its best tracklet.
template <class Real>
struct UtMomentum {
  MaskOf<Real> accepted;
  Real qop;    ///< 1/MeV
  Real x;      ///< at the middle of the UT, mm
  Real slope;  ///< dx/dz there
};

/// Momentum and transverse momentum for the cuts, MeV: 1.3 times those of the kick.
template <class Real>
struct CutMomentum {
  Real p, pt;

  KOKKOS_FORCEINLINE_FUNCTION CutMomentum(const SpaceLine<Real>& velo, const Real& qop)
      : p(abs(ut_real<Real>(1.3) / qop)), pt(p * sqrt(fma(velo.tx, velo.tx, velo.ty * velo.ty))) {}
};

/// Whether a track stays away from the beam pipe, and a linear discriminant in the logarithms of
/// p, pt and chi2 classifies it as a particle rather than a ghost.
template <class Real>
KOKKOS_FUNCTION MaskOf<Real> passes_final_selection(const PKickWithY<Real>& fit, const Real& qop,
                                                    const CutMomentum<Real>& momentum,
                                                    const IntegerOf<Real>& hits,
                                                    ScalarOf<Real> polarity) {
  const auto real = [](double value) { return ut_real<Real>(value); };
  // Side to which the magnet bends the track: mirrored to positive x.
  const Real side = select(Real(polarity) * qop < Real(0), Real(1), Real(-1));
  const Real x = side * fit.kick.x, slope = side * fit.kick.slope;
  const auto in_pipe = real(-48.) < x && x < Real(0) && abs(fit.y) < real(33.);
  const auto too_steep = slope > fma(real(0.0003), momentum.pt, real(0.09));
  constexpr double of_three[4] = {0.162880166064, -0.107081172665, 0.134153123662, -0.137764853657};
  constexpr double of_four[4] = {0.235010729187, -0.0938323617311, 0.110823681145, -0.170467109599};
  const Real logarithm[3] = {log(momentum.p), log(momentum.pt), log(fit.kick.chi2)};
  const auto three = hits == IntegerOf<Real>(3);
  Real discriminant = select(three, real(of_three[0]), real(of_four[0]));
  for (int i = 0; i < 3; ++i)
    discriminant =
        fma(select(three, real(of_three[i + 1]), real(of_four[i + 1])), logarithm[i], discriminant);
  return !in_pipe && !too_steep && !(discriminant < real(-0.5));
}

/// Momentum of a tracklet, whose `UtTrackHits` are `hits()`.
template <class Real, class Hits, class Magnet>
KOKKOS_FUNCTION UtMomentum<Real> ut_momentum(const SpaceLine<Real>& velo,
                                             const BestTracklet<Real>& best, const Hits& hits,
                                             const Magnet& magnet, ScalarOf<Real> polarity,
                                             const CompassCuts<ScalarOf<Real>>& cuts) {
  const auto real = [](double value) { return ut_real<Real>(value); };
  const Real bdl = magnet.bdl(velo);
  const auto has_field = abs(bdl) > real(1e-8);
  const Real qop_per_kick = real(-ut_qop_per_kick) / select(has_field, bdl, Real(1));
  UtMomentum<Real> result{};
  if (!cuts.final_selection) {
    result.qop = best.kick.kick * qop_per_kick * sqrt(fma(velo.ty, velo.ty, Real(1)));
    result.x = best.kick.x;
    result.slope = best.kick.slope;
  }
  MaskOf<Real> accepted = has_field;
  PKickWithY<Real> fit{};
  if (cuts.final_selection) {
    fit = p_kick_fit_with_y(velo, hits(), best.kick.kick, qop_per_kick);
    result.qop = fit.kick.kick * qop_per_kick;
    result.x = fit.kick.x;
    result.slope = fit.kick.slope;
    accepted = accepted && fit.good;
  }
  accepted = accepted && !(result.qop == Real(0));
  const CutMomentum<Real> momentum(velo, select(accepted, result.qop, Real(1)));
  accepted = accepted && momentum.p >= Real(cuts.min_p) && momentum.pt >= Real(cuts.min_pt);
  if (cuts.final_selection)
    accepted = accepted && passes_final_selection(fit, result.qop, momentum, best.n_hits, polarity);
  result.accepted = accepted;
  return result;
}

}  // namespace trackplex::lhcb::detail
