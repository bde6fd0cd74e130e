// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "filter.hpp"

#include <trackplex/matriplex/similarity.hpp>

namespace trackplex::benchmarks {

/// The published propagation of p2z to a plane of constant z, with the published Jacobian: its S
/// and C are sine and cosine of cos(phi) sin(alpha), which is why this is not in the library (that
/// has an exact one). After it the covariance has no z.
struct P2zTransport {
  static constexpr Pattern<6, 6> jacobian{"1 . x x x x", ". 1 x x x x", ". . . . . .",
                                          ". . . 1 . .", ". . x x 1 x", ". . . . . 1"};
  static constexpr SymmetricPattern<6> covariance{"x",       "x x",       ". . .",
                                                  "x x . x", "x x . x x", "x x . x x x"};

  /// Moves the parameters and returns the Jacobian.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Matrix<Real, 6, 6, jacobian> move(kalman::Parameters<Real>& x,
                                                                       const Real& k,
                                                                       const Real& per_k,
                                                                       const Real& z) {
    const Real ipt = x.template get<3>();
    const auto [sin_p, cos_p] = sincos(x.template get<4>());
    const auto [sin_t, cos_t] = sincos(x.template get<5>());
    const Real dz = z - x.template get<2>();
    const Real both = Real(1) / (ipt * cos_t);
    const Real pt = both * cos_t, per_cos = both * ipt;
    const Real dz_cos = dz * per_cos;
    const Real per_ipt = sin_t * dz_cos * per_k;  // d alpha / d ipt
    const Real alpha = ipt * per_ipt;
    const auto [sin_a, cos_a] = sincos_mostly_small(alpha);
    const Real versine = Real(1) - cos_a;
    const Real g = cos_p * sin_a, h = sin_p * sin_a;
    const auto [s, c] = sincos_mostly_small(g);
    const Real c1 = Real(1) - c;
    const Real m = fma(-sin_p, s, Real(1)), n = fma(cos_p * cos_p, s, sin_p);
    const Real k_pt = k * pt, k_pt2 = k_pt * pt;
    const Real u = dz_cos * cos_a;
    const Real u_x = u * (cos_p * m), u_y = u * n;
    const Real pt_sin = pt * sin_t;
    const Real tan_t = sin_t * per_cos;

    Matrix<Real, 6, 6, jacobian> e;
    e.template set<0, 2>(cos_p * tan_t * fma(sin_p * cos_a, s, -cos_a));
    e.template set<1, 2>(cos_a * tan_t * fma(cos_p * cos_p, s, -sin_p));
    e.template set<4, 2>(-(ipt * tan_t) * per_k);
    e.template set<0, 3>(fma(u_x, pt_sin, -(k_pt2 * fma(-sin_p, c1, g))));
    e.template set<1, 3>(fma(u_y, pt_sin, -(k_pt2 * fma(cos_p, c1, h))));
    e.template set<4, 3>(per_ipt);
    e.template set<0, 4>(-(k_pt * fma(h, m, cos_p * c1)));
    e.template set<1, 4>(k_pt * fma(-sin_p, fma(g, s, c1), g));
    e.template set<0, 5>(u_x * per_cos);
    e.template set<1, 5>(u_y * per_cos);
    e.template set<4, 5>(ipt * dz_cos * per_cos * per_k);

    x.template set<0>(fma(k_pt, fma(-sin_p, versine, g), x.template get<0>()));
    x.template set<1>(fma(k_pt, fma(cos_p, versine, h), x.template get<1>()));
    x.template set<2>(z);
    x.template set<4>(x.template get<4>() + alpha);
    return e;
  }
};

/// p2z: from plane to plane, each time propagation and update with x and y of a hit.
struct P2zFilter {
  static constexpr const char* name = "p2z";

  /// Fits the hits of `layers` layers, given one after the other; calls `after(layer, parameters,
  /// covariance)` after each.
  template <class Tracks, class Hits, class After>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tracks& in, const Hits& hits, int layers,
                                              const Tracks& out, const After& after) const {
    using Real = decltype(in.load(0));
    const auto track = load_track(in);
    auto x = track.parameters;
    const Real k = track.charge * Real(radius_per_pt<ScalarOf<Real>>);
    const Real per_k = Real(1) / k;
    Symmetric<Real, 6, P2zTransport::covariance> p;
    const auto step = [&](int layer, const auto& before) TRACKPLEX_INLINE_LAMBDA {
      const auto hit = load_hit(hits.from(layer * hit_components));
      const auto e = P2zTransport::move(x, k, per_k, hit.position.template get<2>());
      p = similarity(e, before);
      update(x, p, kalman::measure_on_disk(hit, x));
      after(layer, x, p);
    };
    step(0, track.covariance);
    for (int layer = 1; layer < layers; ++layer) step(layer, p);
    store_track(out, x, p, track.charge);
  }
};

}  // namespace trackplex::benchmarks
