// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

#include <utility>
#include <vector>

namespace trackplex::beam {

/// Linear map of a ring or a part of it, with individual tunes for each particle
/// (ILMATRIX). Tunes depend on momentum deviation and amplitudes, the optics on the momentum
/// deviation. With the distances x and x' from the dispersive orbit, amplitudes are
/// \f$A=(x^2+(\alpha x+\beta x')^2)/\beta\f$, plane by plane.
struct LineSegmentMap {
  /// Optics of one plane.
  struct Plane {
    double tune = 0.;                  ///< Tune: phase advance over 2 pi.
    double chromaticity = 0.;          ///< Derivative of the tune by delta,
    double chromaticity2 = 0.;         ///< second derivative,
    double chromaticity3 = 0.;         ///< and third derivative.
    double detuning_x = 0.;            ///< Derivative of the tune by the amplitude in x, 1/m,
    double detuning2_x = 0.;           ///< second derivative, 1/m^2;
    double detuning_y = 0.;            ///< derivative by the amplitude in y, 1/m,
    double detuning2_y = 0.;           ///< second derivative, 1/m^2;
    double detuning_xy = 0.;           ///< and by both, 1/m^2.
    double beta = 1.;                  ///< Beta function, m.
    double beta_derivative = 0.;       ///< Derivative of beta by delta, m.
    double alpha = 0.;                 ///< Alpha function.
    double alpha_derivative = 0.;      ///< Derivative of alpha by delta.
    double eta = 0.;                   ///< Dispersion, m,
    double eta_slope = 0.;             ///< its slope,
    double eta_derivative = 0.;        ///< and derivatives of both by delta, m
    double eta_slope_derivative = 0.;  ///< and 1.
  };
  double length = 0.;       ///< Path length of the reference particle, m.
  Plane x{};                ///< Optics in x.
  Plane y{};                ///< Optics in y.
  double compaction = 0.;   ///< Momentum compaction: relative path length by delta,
  double compaction2 = 0.;  ///< by its square,
  double compaction3 = 0.;  ///< and by its cube.
  double longer_x = 0.;     ///< Path length by the amplitude in x,
  double longer2_x = 0.;    ///< its second derivative, 1/m;
  double longer_y = 0.;     ///< by the amplitude in y,
  double longer2_y = 0.;    ///< its second derivative, 1/m;
  double longer_xy = 0.;    ///< and by both, 1/m.
  double tilt = 0.;         ///< Rotation of the planes, rad, from x towards y.
  bool may_cross = false;   ///< Whether tunes may cross half integers; else particles are lost.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "map";
  static constexpr bool is_whole = true;
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  void check(const ElementCheck& check) const;
  /// The linear part.
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  std::vector<double> coefficients() const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const ScalarOf<Real>* const cx = c;
    const ScalarOf<Real>* const cy = c + n_plane;
    const ScalarOf<Real>* const cs = cy + n_plane;
    const Real d = v[delta];
    Betatron<Real> in_x(cx, d, v[beam::x], v[xp]), in_y(cy, d, v[beam::y], v[yp]);
    const Real a = in_x.amplitude, b = in_y.amplitude;
    const bool may_cross = cs[8] != ScalarOf<Real>(0);
    const auto passes_x = in_x.turn(cx, d, a, b, may_cross);
    const auto passes_y = in_y.turn(cy, d, a, b, may_cross);
    v[beam::x] = in_x.u;
    v[xp] = in_x.w;
    v[beam::y] = in_y.u;
    v[yp] = in_y.w;
    const Real compaction = fma(d, fma(d, Real(cs[2]), Real(cs[1])), Real(cs[0]));
    const Real longer = fma(a, fma(a, Real(cs[4]), fma(b, Real(cs[7]), Real(cs[3]))),
                            b * fma(b, Real(cs[6]), Real(cs[5])));
    v[s] += fma(d, compaction, longer) + (in_x.longer + in_y.longer);
    return passes_x && passes_y;
  }
  /// @}

 private:
  static constexpr int n_plane = 18;

  static std::pair<double, double> path_terms(const Plane& p, double cosine, double sine);

  /// One plane of a particle.
  template <class Real>
  struct Betatron {
    Real u, w, amplitude, eta, slope, longer;

    KOKKOS_FORCEINLINE_FUNCTION Betatron(const ScalarOf<Real>* c, const Real& d, const Real& x,
                                         const Real& xp) {
      eta = fma(d, Real(c[15]), Real(c[13]));
      slope = fma(d, Real(c[16]), Real(c[14]));
      u = fma(-d, eta, x);
      w = fma(-d, slope, xp);
      const Real across = fma(Real(c[11]), u, Real(c[9]) * w);
      amplitude = fma(u, u, across * across) * Real(c[17]);
    }

    KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> turn(const ScalarOf<Real>* c, const Real& d,
                                                  const Real& ax, const Real& ay, bool any_tune) {
      const Real one(1), two(2), tune(c[0]);
      const Real chromatic = d * fma(d, fma(d, Real(c[3]), Real(c[2])), Real(c[1]));
      const Real detuning = fma(ax, fma(ax, Real(c[5]), fma(ay, Real(c[8]), Real(c[4]))),
                                ay * fma(ay, Real(c[7]), Real(c[6])));
      const Real nu = tune + (chromatic + detuning);
      const Real beta = fma(d, Real(c[10]), Real(c[9])), alpha = fma(d, Real(c[12]), Real(c[11]));
      const auto phase = sincospi(two * nu), half = sincospi(nu);
      const Real less = two * half.sin * half.sin, gamma = fma(alpha, alpha, one) / beta;
      const Real r1 = fma(fma(eta, gamma, alpha * slope), phase.sin, -slope * less);
      const Real r2 = fma(fma(alpha, eta, beta * slope), phase.sin, eta * less);
      longer = fma(r1, u, r2 * w);
      const Real turned = fma(fma(alpha, phase.sin, phase.cos), u, beta * phase.sin * w);
      w = fma(fma(-alpha, phase.sin, phase.cos), w, -(gamma * phase.sin) * u);
      u = fma(d, eta, turned);
      w = fma(d, slope, w);
      const auto stays = floor(two * nu) == floor(two * tune);
      return beta > Real(0) && (any_tune ? MaskOf<Real>(true) : stays);
    }
  };
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/line_segment_map.impl.hpp>
#endif
