// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "filter.hpp"

#include <trackplex/matriplex/similarity.hpp>

namespace trackplex::benchmarks {

/// The published propagation of p2r to a cylinder, with the published derivatives: those of the
/// path length change only within 1 um of the cylinder, which is why this is not in the library
/// (that has an exact one).
///
/// The Jacobian is E = F + T dᵀ, F at constant turning angle alpha, T = dX'/d alpha and
/// d = d alpha / dX. Then E P Eᵀ = F P Fᵀ + T uᵀ + u Tᵀ with u = F P d + (dᵀ P d / 2) T, about a
/// third of the operations of the product with E.
struct P2rTransport {
  static constexpr Pattern<6, 6> fixed{"1 . . x x .", ". 1 . x x .", ". . 1 x . x",
                                       ". . . 1 . .", ". . . . 1 .", ". . . . . 1"};
  static constexpr Pattern<6, 1> tangent{"x", "x", "x", ".", "1", "."};
  static constexpr Pattern<6, 1> angle_derivatives{"x", "x", ".", "x", "x", "."};
  static constexpr int iterations = 5;

  /// Sine and 1 - cosine as published.
  template <class Real>
  struct Turn {
    Real sin, versine, cos;
    KOKKOS_FORCEINLINE_FUNCTION explicit Turn(const Real& angle) {
      using T = ScalarOf<Real>;
      const Real square = angle * angle;
      sin = fma(square * angle, Real(T(-0.16666667)), angle);
      versine = square * fma(square, Real(T(-0.04166667)), Real(T(0.5)));
      cos = Real(1) - versine;
    }
  };

  /// The total path length in the transverse plane, and its derivatives.
  template <class Real>
  struct Path {
    Real length, d_x, d_y, d_ipt, d_phi;
  };

  /// Five steps of length R - r each; `x` and `y` end on the cylinder.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Path<Real> iterate(Real& x, Real& y, Real px, Real py,
                                                        const Real& pt, const Real& ipt,
                                                        const Real& k, const Real& ipt_per_k,
                                                        const Real& radius) {
    using T = ScalarOf<Real>;
    Real r = sqrt(fma(x, x, y * y));
    const Real minus_per_r = Real(-1) / r;
    Path<Real> path{Real(0), x * minus_per_r, y * minus_per_r, Real(0), Real(0)};
    for (int i = 0; i < iterations; ++i) {
      if (i > 0) r = sqrt(fma(x, x, y * y));
      const Real step = radius - r;
      path.length = path.length + step;
      const Real angle = step * ipt_per_k;
      const Turn<Real> turn(angle);
      const Real qx = fma(px, turn.cos, -(py * turn.sin)), qy = fma(py, turn.cos, px * turn.sin);
      const auto near = abs(step) < Real(T(1e-4));
      if (i + 1 < iterations && any_of(near)) {
        const Real per_r = select(near, Real(1) / r, Real(0));
        const Real along = fma(x, qx, y * qy);
        const Real f = per_r * fma(-(ipt * per_r), along, Real(1));
        path.d_x = fma(-x, f, path.d_x);
        path.d_y = fma(-y, f, path.d_y);
        const Real k_per_r = k * per_r;
        const Real across = fma(angle, along, fma(x, py - qy, y * (qx - px)));
        path.d_ipt = fma(-(k_per_r * pt), across, path.d_ipt);
        const Real turned = fma(px, turn.cos, py * turn.sin) - px;
        path.d_phi = fma(k_per_r, fma(x, turned, -(y * (qy - py))), path.d_phi);
      }
      x = fma(k, fma(-py, turn.versine, px * turn.sin), x);
      y = fma(k, fma(px, turn.versine, py * turn.sin), y);
      px = qx;
      py = qy;
    }
    return path;
  }

  /// Moves parameters and covariance to the cylinder.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION void move(kalman::Parameters<Real>& state,
                                               kalman::Covariance<Real>& p, const Real& k,
                                               const Real& per_k, const Real& radius) {
    using T = ScalarOf<Real>;
    const Real ipt = state.template get<3>();
    const auto [sin_p, cos_p] = sincos(state.template get<4>());
    const auto [sin_t, cos_t] = sincos(state.template get<5>());
    const Real both = Real(1) / (ipt * sin_t);
    const Real pt = both * sin_t, per_sin = both * ipt;
    const Real px = cos_p * pt, py = sin_p * pt, ipt_per_k = ipt * per_k;
    Real x = state.template get<0>(), y = state.template get<1>();
    const auto path = iterate(x, y, px, py, pt, ipt, k, ipt_per_k, radius);

    const Real alpha = path.length * ipt_per_k;
    const Turn<Real> turn(alpha);
    const Real gz = k * (cos_t * pt) * per_sin;
    const Real chord_x = k * fma(-py, turn.versine, px * turn.sin),
               chord_y = k * fma(px, turn.versine, py * turn.sin);
    Matrix<Real, 6, 6, fixed> f;
    f.template set<0, 3>(-(pt * chord_x));
    f.template set<1, 3>(-(pt * chord_y));
    f.template set<2, 3>(-(alpha * gz * pt));
    f.template set<0, 4>(-chord_y);
    f.template set<1, 4>(chord_x);
    f.template set<2, 5>(-(k * alpha * pt * per_sin * per_sin));
    Matrix<Real, 6, 1, tangent> t;
    t.template set<0>(k * fma(px, turn.cos, -(py * turn.sin)));
    t.template set<1>(k * fma(py, turn.cos, px * turn.sin));
    t.template set<2>(gz);
    Matrix<Real, 6, 1, angle_derivatives> d;
    d.template set<0>(path.d_x * ipt_per_k);
    d.template set<1>(path.d_y * ipt_per_k);
    d.template set<3>(fma(ipt, path.d_ipt, path.length) * per_k);
    d.template set<4>(path.d_phi * ipt_per_k);

    const auto p_d = p * d;
    auto u = f * p_d;
    add_product(u, t, Real(T(0.5)) * (transposed(d) * p_d));
    p = similarity(f, p);
    add_product(p, t, transposed(u));
    add_product(p, u, transposed(t));

    state.template set<0>(x);
    state.template set<1>(y);
    state.template set<2>(fma(gz, alpha, state.template get<2>()));
    state.template set<4>(state.template get<4>() + alpha);
  }
};

/// p2r: from cylinder to cylinder, each time propagation and update with r phi and z of a hit.
struct P2rFilter {
  static constexpr const char* name = "p2r";

  bool published = false;  ///< each layer begins with the input track, not with the layer before

  /// As that of P2zFilter.
  template <class Tracks, class Hits, class After>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tracks& in, const Hits& hits, int layers,
                                              const Tracks& out, const After& after) const {
    using Real = decltype(in.load(0));
    auto track = load_track(in);
    const Real k = track.charge * Real(radius_per_pt<ScalarOf<Real>>);
    const Real per_k = Real(1) / k;
    for (int layer = 0; layer < layers; ++layer) {
      if (published && layer > 0) track = load_track(in);
      const auto hit = load_hit(hits.from(layer * hit_components));
      const Real x = hit.position.template get<0>(), y = hit.position.template get<1>();
      P2rTransport::move(track.parameters, track.covariance, k, per_k, sqrt(fma(x, x, y * y)));
      update(track.parameters, track.covariance,
             kalman::measure_on_cylinder(hit, track.parameters));
      after(layer, track.parameters, track.covariance);
    }
    store_track(out, track.parameters, track.covariance, track.charge);
  }
};

}  // namespace trackplex::benchmarks
