// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/osculating_parabola.hpp>
#include <trackplex/search/binned_detector_hits.hpp>
#include <trackplex/seeding/detail/find_triplets.hpp>
#include <trackplex/seeding/detail/middle_hits.hpp>

#include <cstdint>
#include <numbers>

namespace trackplex::seeding::detail {

/// Windows and cuts of hits on the layers of a detector, see `DetectorTripletCuts`.
///
/// The windows follow from circles through the z axis, whose azimuth and path length at a radius r
/// are \f$ \varphi(r)=\varphi_0+\arcsin(\kappa r/2) \f$ and
/// \f$ s(r)=2\arcsin(\kappa r/2)/\kappa \f$. A doublet gives \f$ \kappa=2\sin(\varphi_b-\varphi_a)
/// /|b-a| \f$ and \f$ \cot\theta=(z_b-z_a)/(s_b-s_a) \f$. A distance d0 from the axis changes them
/// by \f[ \Delta\kappa=\frac{2d_0}{r_ar_b},\qquad
///   \Delta(\varphi_c-\varphi_b)=d_0\frac{(r_c-r_b)(r_c-r_a)}{r_ar_br_c}; \f]
/// so |d0| <= max_d0 and |kappa| <= max_curvature bound d0 from both sides.
template <class RealNumber, class Binned, class Hits, class Field>
struct DetectorTripletRules {
  using T = ScalarOf<RealNumber>;
  using Middle = MiddleHitOnModule<T>;
  template <class Element>
  using Array = typename Hits::template Array<Element>;

  Binned binned;
  Hits hits;
  Field field;
  DetectorTripletCuts<T> cuts;
  Array<LayersOfTriplet<T>> triples;
  Array<MiddleLayer> middle_layers;
  int n_middle_layers, slots_per_hit, per_team, blocks_per_layer;

  KOKKOS_FUNCTION int max_rows() const { return search::max_bins_of_axis; }

  KOKKOS_FUNCTION MiddleHits block(int team) const {
    const int event = team / (n_middle_layers * blocks_per_layer);
    const int in_event = team % (n_middle_layers * blocks_per_layer);
    const MiddleLayer& layer = middle_layers(in_event / blocks_per_layer);
    const int begin = hits.first(event, layer.number);
    const int first = begin + in_event % blocks_per_layer * per_team;
    const int end = min(first + per_team, int(hits.first(event, layer.number + 1)));
    // The table's last entry: hits that are left out have no place
    const int hits_end = binned.table(event, layer.number)[binned.bins_of(layer.number)];
    return {event, first, end, hits_end, layer.triples, layer.first};
  }
  KOKKOS_FUNCTION int slot(const MiddleHits& /*block*/, int place, int m) const {
    return place * slots_per_hit + m;
  }
  KOKKOS_FUNCTION Middle middle(const MiddleHits& block, int place, int m) const {
    const Quad<T>* const record = &binned.records(std::size_t(place) * Binned::records_per_hit);
    const Quad<T> point = record[2];
    Middle hit;
    hit.event = block.event;
    hit.layers = &triples(block.first_triple + m);
    hit.x = point.x;
    hit.y = point.y;
    hit.z = point.z;
    hit.phi = record[0].x;
    hit.r = sqrt(fma(hit.x, hit.x, hit.y * hit.y));
    const T tesla = kalman::turning_field(field, hit.x, hit.y, hit.z);
    hit.max_curvature = max(cuts.curvature_per_tesla * abs(tesla), T(1e-9));
    set_inner_window(hit);
    return hit;
  }

  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<T> inner_rows(const Middle& middle) const {
    auto rows =
        axes(middle.event, middle.layers->a.number)
            .rows(middle.phi, middle.half_phi, middle.second, max(middle.half_second, T(0)));
    if (middle.half_second < T(0)) rows.count = 0;
    return rows;
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> doublet(const Middle& middle,
                                                   const IntegerOf<Real>& place, Quad<Real>& inner,
                                                   Quad<Real>& window) const {
    const auto at = record<Real>(place, 0), hit = record<Real>(place, 2);
    const Real r = sqrt(fma(hit.x, hit.x, hit.y * hit.y));
    const auto inside = r < Real(middle.r) &&
                        abs(turn(at.x, Real(middle.phi))) <= Real(middle.half_phi) &&
                        abs(at.y - Real(middle.second)) <= Real(middle.half_second);
    const Real inner_r = select(inside, r, Real(T(0.5) * middle.r));
    const Real z0 = z0_of_doublet<Real>(inner_r, hit.z, Real(middle.r), Real(middle.z));
    inner = {hit.x - Real(middle.x), hit.y - Real(middle.y), hit.z - Real(middle.z),
             z0 * z0 * Real(middle.per_z0_2)};
    return outer_window(middle, inner_r, hit,
                        inside && abs(z0) <= Real(middle.max_z0) && inner.w <= Real(cuts.max_chi2),
                        window);
  }

  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Number> outer_rows(
      const Middle& middle, const Quad<Number>& window) const {
    return axes(middle.event, middle.layers->c.number).rows(window.x, window.y, window.z, window.w);
  }

  template <class Real, class Window>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> triplet(const Middle& middle, const Quad<Real>& a,
                                                   const Window& window_of,
                                                   const IntegerOf<Real>& outer, Real& chi2) const {
    const auto at = record<Real>(outer, 0), hit = record<Real>(outer, 2);
    const Quad<Real> window = window_of();
    const auto inside = abs(turn(at.x, window.x)) <= window.y && abs(at.y - window.z) <= window.w;
    const Real wx = hit.x - Real(middle.x), wy = hit.y - Real(middle.y),
               wz = hit.z - Real(middle.z);
    const CircleOfHits<Real> circle(a.x, a.y, wx, wy);
    const Real d0 = circle.axis(Real(middle.x), Real(middle.y)).distance;
    chi2 = a.w + chi2_of_triplet<Real>(middle, circle.curvature, d0,
                                       short_arc(circle.curvature, a.x, a.y),
                                       short_arc(circle.curvature, wx, wy), a.z, wz);
    return inside && circle.distinct && chi2 <= Real(cuts.max_chi2) &&
           abs(circle.curvature) <= Real(middle.max_curvature) && abs(d0) <= Real(cuts.max_d0);
  }

  KOKKOS_FUNCTION bool confirms() const { return false; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> confirm(const Middle&, const Quad<Real>&,
                                                   const IntegerOf<Real>&, const MaskOf<Real>& mask,
                                                   Real&) const {
    return mask;
  }

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quad<Real> record(const IntegerOf<Real>& place, int number) const {
    using Integer = IntegerOf<Real>;
    return gather_quads<Real>(binned.records.data() + number,
                              place * Integer(ScalarOf<Integer>(Binned::records_per_hit)));
  }
  KOKKOS_FORCEINLINE_FUNCTION AxesOfLayer<T> axes(int event, int layer) const {
    using Integer = IntegerOf<T>;
    return {binned.template first_axis<T>(Integer(layer)),
            binned.template second_axis<T>(Integer(layer)), binned.table(event, layer)};
  }
  /// a - b the short way around.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real turn(const Real& a, const Real& b) {
    constexpr T pi = T(std::numbers::pi), period = T(2. * std::numbers::pi);
    const Real d = a - b;
    return select(abs(d) > Real(pi), d - copysign(Real(period), d), d);
  }
  /// s(r) of a circle through the axis; `quarter` is a fourth of the square of its curvature.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real path(const Real& r, const Real& quarter) {
    return r * arcsine_ratio(min(quarter * r * r, Real(T(0.8))));
  }
  /// Error of the linear relation between azimuth and d0 at a radius: third-order terms.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real third_order(const Real& d0, const Real& r,
                                                      const Real& curvature) {
    const Real x = d0 / r, y = Real(T(0.5)) * curvature * r;
    return x * fma(x, x + Real(3) * y, Real(3) * y * y) * Real(T(1. / 6.));
  }

  KOKKOS_FUNCTION void set_inner_window(Middle& hit) const;

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> outer_window(const Middle& middle, const Real& r,
                                                        const Quad<Real>& hit,
                                                        const MaskOf<Real>& mask,
                                                        Quad<Real>& window) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real chi2_of_triplet(const Middle& middle, const Real& curvature,
                                                   const Real& d0, const Real& before,
                                                   const Real& after, const Real& inner_z,
                                                   const Real& outer_z) const;
};

/// Azimuth and second coordinate of the inner hit of a middle hit, from |z0| <= max_z0, |d0| <=
/// max_d0 and |kappa| <= max_curvature.
template <class RealNumber, class Binned, class Hits, class Field>
KOKKOS_FUNCTION void DetectorTripletRules<RealNumber, Binned, Hits, Field>::set_inner_window(
    Middle& hit) const {
  const auto &a = hit.layers->a, &b = hit.layers->b;
  const T straight = hit.z / hit.r;  // cot(theta) of the line from the origin
  const T nominal_r = a.is_barrel ? a.position : a.position / hit.z * hit.r;
  const T span = max(hit.r - nominal_r, T(0.1) * hit.r);
  const T of_a = hit.r / span, of_b = nominal_r / span;
  const T variance =
      of_a * of_a * cuts.variance_z(a, straight) + of_b * of_b * cuts.variance_z(b, straight);
  hit.max_z0 = cuts.max_z0 + cuts.n_sigma * sqrt(variance);
  hit.per_z0_2 = T(1) / (cuts.variance_z0 + variance);

  T low_r, high_r;
  if (a.is_barrel) {
    low_r = a.position - a.reach;
    high_r = a.position + a.reach;
    const T ratio = a.position / hit.r;
    hit.second = hit.z * ratio;
    hit.half_second =
        fma(hit.max_z0, abs(T(1) - ratio), a.reach / hit.r * (abs(hit.z) + hit.max_z0));
    if (hit.second - hit.half_second > a.high || hit.second + hit.half_second < a.low)
      hit.half_second = T(-1);
  } else {
    // r_a = r_b (z_a - z0) / (z_b - z0) at the ends of z0; monotonic if z_b - z0 keeps its sign
    const T side = a.position < T(0) ? T(-1) : T(1);
    const T za = side * a.position, zb = side * hit.z;
    const T near = zb - hit.max_z0, far = zb + hit.max_z0;
    low_r = near > T(0) ? hit.r * (za - a.reach - hit.max_z0) / near : T(0);
    high_r = far > T(0) ? hit.r * (za + a.reach + hit.max_z0) / far : T(0);
    if (!(near > T(0))) high_r = hit.r;
    low_r = max(low_r, a.low);
    high_r = min(high_r, a.high);
    hit.second = T(0.5) * (low_r + high_r);
    hit.half_second = zb > T(0) ? T(0.5) * (high_r - low_r) : T(-1);
    low_r = max(low_r, T(0.05) * hit.r);
  }
  low_r = min(low_r, hit.r);
  const T curvature = fma(cuts.max_d0, T(2) / (low_r * hit.r), hit.max_curvature);
  const T quarter = T(0.25) * curvature * curvature;
  hit.half_phi = T(0.5) * curvature * (path(hit.r, quarter) - path(low_r, quarter)) +
                 third_order(cuts.max_d0, low_r, hit.max_curvature);
  hit.half_phi = min(hit.half_phi, T(1.5));
}

/// Window of the outer hit of a doublet, from its curvature and cot(theta); lanes of the mask with
/// one.
template <class RealNumber, class Binned, class Hits, class Field>
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real>
DetectorTripletRules<RealNumber, Binned, Hits, Field>::outer_window(const Middle& middle,
                                                                    const Real& r,
                                                                    const Quad<Real>& hit,
                                                                    const MaskOf<Real>& mask,
                                                                    Quad<Real>& window) const {
  const auto &a = middle.layers->a, &b = middle.layers->b, &c = middle.layers->c;
  const Real half(T(0.5)), middle_r(middle.r), max_curvature(middle.max_curvature);
  const Real dx = hit.x - Real(middle.x), dy = hit.y - Real(middle.y);
  const Real cross = fma(hit.x, Real(middle.y), -(hit.y * Real(middle.x)));
  const Real g = half * r * middle_r;  // d0 = g (kappa - that of the doublet)
  const Real curvature = cross / (g * sqrt(fma(dx, dx, dy * dy)));
  const Real per_g = Real(1) / g;
  const Real low = max(-Real(cuts.max_d0), (-max_curvature - curvature) * g),
             high = min(Real(cuts.max_d0), (max_curvature - curvature) * g);
  MaskOf<Real> ahead = mask && low <= high;
  if (none_of(ahead)) return ahead;
  const Real most = max(abs(fma(low, per_g, curvature)), abs(fma(high, per_g, curvature)));

  const Real quarter = half * half * curvature * curvature;
  const Real before = path(r, quarter), here = path(middle_r, quarter);
  const Real first = max(here - before, Real(T(1e-3)) * middle_r);
  const Real cotangent = (Real(middle.z) - hit.z) / first;
  Real outer_r, there;
  if (c.is_barrel) {
    outer_r = Real(c.position);
    there = path(outer_r, quarter);
  } else {
    const Real dz = Real(c.position) - Real(middle.z);
    const auto leads = dz * cotangent > Real(T(1e-3)) * abs(dz);
    there = here + select(leads, dz / select(leads, cotangent, Real(1)), Real(0));
    const Real y2 = min(quarter * there * there, Real(T(2)));  // r = 2 sin(kappa s / 2) / kappa
    outer_r = there *
              fma(y2, fma(y2, fma(y2, Real(T(-1. / 5040.)), Real(T(1. / 120.))), Real(T(-1. / 6.))),
                  Real(1));
    ahead = ahead && leads;
  }
  ahead = ahead && outer_r > middle_r;
  outer_r = select(ahead, outer_r, middle_r + middle_r);
  const Real second = max(there - here, Real(0));
  // Errors are those at the edge of the layer where a track would go beyond
  const Real most_r = c.is_barrel ? outer_r : min(outer_r, Real(c.high));
  const Real until = min(second, max(path(most_r, quarter) - here, Real(0)));
  const Real ratio = until / first;

  const Real inverse_pt = most / (max_curvature * Real(cuts.min_pt));
  const auto deflection = cuts.deflection(b, inverse_pt, cotangent);
  const auto spread = [&](const Real& of_a, const Real& of_b, const Real& of_c, const Real& angle) {
    const Real both = Real(1) + ratio, sideways = angle * until;
    return Real(cuts.n_sigma) *
           sqrt(fma(both * both, of_b, fma(ratio * ratio, of_a, fma(sideways, sideways, of_c))));
  };
  // Along z, at a fixed path length; the last term is the change of path lengths with the curvature
  const Real cube = middle_r * middle_r * middle_r;
  const Real longer = (most_r * most_r * most_r - cube + ratio * (cube - r * r * r)) *
                      Real(T(1. / 24.)) * max(most * most, curvature * curvature);
  const Real slope = abs(cotangent);
  const Real half_z = spread(cuts.variance_z(a, cotangent), cuts.variance_z(b, cotangent),
                             cuts.variance_z(c, cotangent), deflection.cotangent) +
                      slope * longer;
  const Real reach(c.reach);
  if (c.is_barrel) {
    window.z = fma(cotangent, second, Real(middle.z));
    window.w = fma(slope, reach, half_z);
  } else {
    window.w = (half_z + reach) / select(ahead, slope, Real(1));
    const Real least = max(outer_r - window.w, Real(c.low)),
               farthest = min(outer_r + window.w, Real(c.high));
    ahead = ahead && least <= farthest;
    window.z = half * (least + farthest);
    window.w = half * (farthest - least);
  }
  const Real per_r = Real(1) / outer_r;
  const Real per_d0 = (outer_r - middle_r) * (outer_r - r) * half * per_g * per_r;
  const Real d0 = max(abs(low), abs(high));
  const Real nonlinear =
      fma(ratio, third_order(d0, r, most), (Real(1) + ratio) * third_order(d0, middle_r, most));
  const Real aside = c.is_barrel ? reach : window.w;
  window.x = fma(half * curvature, second, Real(middle.phi)) + per_d0 * half * (low + high);
  window.y =
      fma(per_d0 * half, high - low,
          fma(most, aside, nonlinear) + spread(Real(a.variance_first), Real(b.variance_first),
                                               Real(c.variance_first), deflection.azimuth) *
                                            per_r);
  window.y = min(window.y, Real(T(1.5)));
  return ahead && window.z + window.w >= Real(c.low) && window.z - window.w <= Real(c.high);
}

/// Terms of chi2 of a triplet that come from d0 and the residual along z.
/// @param before,after path lengths from hit to hit, cm
/// @param inner_z,outer_z relative to the middle hit, cm
template <class RealNumber, class Binned, class Hits, class Field>
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real
DetectorTripletRules<RealNumber, Binned, Hits, Field>::chi2_of_triplet(
    const Middle& middle, const Real& curvature, const Real& d0, const Real& before,
    const Real& after, const Real& inner_z, const Real& outer_z) const {
  const auto &a = middle.layers->a, &b = middle.layers->b, &c = middle.layers->c;
  const Real both = before + after;
  const Real per_both = Real(1) / select(both > Real(0), both, Real(1));
  const Real part = before * per_both, rest = Real(1) - part;
  const Real cotangent = (outer_z - inner_z) * per_both;
  const Real residual = -fma(part, outer_z - inner_z, inner_z);
  const Real inverse_pt = abs(curvature) / Real(middle.max_curvature * cuts.min_pt);
  const auto of_a = cuts.deflection(a, inverse_pt, cotangent),
             of_b = cuts.deflection(b, inverse_pt, cotangent);

  const Real kink = of_b.cotangent * rest * before;
  const Real variance_z = fma(rest * rest, cuts.variance_z(a, cotangent),
                              fma(part * part, cuts.variance_z(c, cotangent),
                                  fma(kink, kink, cuts.variance_z(b, cotangent))));

  const Real sb = path(Real(middle.r), Real(T(0.25)) * curvature * curvature);
  const Real sa = sb - before, sc = sb + after;
  const Real per_before = Real(1) / select(before > Real(0), before, Real(1)),
             per_after = Real(1) / select(after > Real(0), after, Real(1));
  const Real lever_a = sb * sc * per_before * per_both, lever_b = sa * sc * per_before * per_after,
             lever_c = sa * sb * per_after * per_both;
  const Real kink_a = of_a.azimuth * sa, kink_b = of_b.azimuth * sa * sb * per_both;
  const Real variance_d0 =
      fma(lever_a * lever_a, Real(a.variance_first),
          fma(lever_b * lever_b, Real(b.variance_first),
              fma(lever_c * lever_c, Real(c.variance_first),
                  fma(kink_a, kink_a, fma(kink_b, kink_b, Real(cuts.variance_d0))))));
  return fma(d0 * d0, Real(1) / variance_d0, residual * residual / variance_z);
}

}  // namespace trackplex::seeding::detail
