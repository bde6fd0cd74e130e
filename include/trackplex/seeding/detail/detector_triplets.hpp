// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/helices_in_field.hpp>
#include <trackplex/search/binned_detector_hits.hpp>
#include <trackplex/seeding/detail/circle_of_doublet.hpp>
#include <trackplex/seeding/detail/find_triplets.hpp>
#include <trackplex/seeding/detail/points_about_beam.hpp>
#include <trackplex/seeding/triplet_shape.hpp>

#include <cstdint>

namespace trackplex::seeding::detail {

/// Windows and cuts of hits on the layers of a detector, see `DetectorTripletCuts`.
///
/// All of it is as seen from the region of collisions, "the z axis" is the line along z through it.
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
  template <class Real>
  using Middle = MiddleHitOnModule<Real>;
  /// Layers of a triple, in an event.
  struct Search {
    int event;
    const LayersOfTriplet<T>* layers;
  };
  template <class Element>
  using Array = typename Hits::template Array<Element>;

  Binned binned;
  Hits hits;
  Field field;
  DetectorTripletCuts<T> cuts;
  Array<LayersOfTriplet<T>> triples;
  Array<MiddleLayer> middle_layers;
  PointsAboutBeam<T, typename decltype(Binned::index)::memory_space> points;
  int n_middle_layers, blocks_per_layer;

  KOKKOS_FUNCTION const MiddleLayer& layer_of_team(int team) const {
    return middle_layers(team % (n_middle_layers * blocks_per_layer) / blocks_per_layer);
  }
  KOKKOS_FUNCTION MiddleHits block(int team) const {
    const int event = team / (n_middle_layers * blocks_per_layer),
              layer = layer_of_team(team).number;
    const int first = hits.first(event, layer) + team % blocks_per_layer * max_middle_hits;
    // The table's last entry: skipped hits have no place
    const int end = binned.table(event, layer)[binned.bins_of(layer)];
    return {event, first, min(end - first, max_middle_hits)};
  }
  KOKKOS_FUNCTION int searches(int team) const { return layer_of_team(team).triples; }
  KOKKOS_FUNCTION Search search(int team, const MiddleHits& block, int m) const {
    return {block.event, &triples(layer_of_team(team).first + m)};
  }
  KOKKOS_FUNCTION int first_in_results(const MiddleHits& block) const { return block.first; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Middle<Real> middle(const Search& search,
                                                  const IntegerOf<Real>& place) const {
    const auto at = binned.template point<Real>(place);
    const auto point = cuts.about_beam(at);
    Middle<Real> hit;
    hit.x = point.x;
    hit.y = point.y;
    hit.z = point.z;
    hit.phi = point.w;
    hit.r = sqrt(fma(hit.x, hit.x, hit.y * hit.y));
    const Real tesla = kalman::turning_field<Real>(field, at.x, at.y, at.z, Real(cuts.beam_z));
    hit.max_curvature = max(Real(cuts.curvature_per_tesla) * abs(tesla), Real(T(1e-9)));
    set_inner_window(*search.layers, hit);
    return hit;
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> inner_rows(
      const Search& search, const Middle<Real>& middle) const {
    const auto &a = search.layers->a, &c = search.layers->c;
    Real low = middle.second - middle.half_second, high = middle.second + middle.half_second;
    if (a.is_barrel && !c.is_barrel) {  // a track towards the disk
      const auto forward = Real(c.position) > middle.z;
      low = select(forward, low, max(low, middle.z));
      high = select(forward, min(high, middle.z), high);
    }
    const Real half = Real(T(0.5)) * (high - low);
    auto rows = rows_of(search.event, a, middle.phi, middle.half_phi, Real(T(0.5)) * (low + high),
                        max(half, Real(0)));
    rows.count = select(half < Real(0), IntegerOf<Real>(0), rows.count);
    return rows;
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION HitsInside<Real> near(const Middle<Real>& middle) const {
    return inside<Real>({middle.phi, middle.half_phi, middle.second, middle.half_second});
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> doublet(const Search& search, const Middle<Real>& middle,
                                                   const IntegerOf<Real>& place,
                                                   Quartet<Real>& inner,
                                                   Quartet<Real>& window) const {
    const auto hit = gather_quartets<Real>(points.points.data(), place);
    const auto inside = hit.w < middle.r;
    const Real r = select(inside, hit.w, Real(T(0.5)) * middle.r);
    const Real z0 = z0_of_doublet<Real>(r, hit.z, middle.r, middle.z);
    const Real chi2 = z0 * z0 * middle.per_z0_2;
    auto mask = inside && abs(z0) <= middle.max_z0 && chi2 <= Real(cuts.max_chi2);
    if (!search.layers->c.is_barrel)  // whether it leads to the disk
      mask = mask && (Real(search.layers->c.position) - middle.z) * (middle.z - hit.z) > Real(0);
    inner = {hit.x - middle.x, hit.y - middle.y, hit.z - middle.z, chi2};
    return mask && outer_window(*search.layers, middle, r, hit, window);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> outer_rows(
      const Search& search, const Quartet<Real>& window) const {
    return rows_of(search.event, search.layers->c, window.x, window.y, window.z, window.w);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION HitsInside<Real> inside(const Quartet<Real>& window) const {
    return {points.first.data(), points.second.data(), window};
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pair(const Search&, const Middle<Real>& middle,
                                                const Quartet<Real>& a,
                                                const IntegerOf<Real>& outer) const {
    const auto hit = gather_quartets<Real>(points.points.data(), outer);
    const CircleOfHits<Real> circle(a.x, a.y, hit.x - middle.x, hit.y - middle.y);
    return circle.distinct && abs(circle.curvature) <= middle.max_curvature &&
           abs(circle.axis(middle.x, middle.y).distance) <= Real(cuts.max_d0);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> triplet(const Search& search, const Middle<Real>& middle,
                                                   const Quartet<Real>& a,
                                                   const IntegerOf<Real>& outer, Real& chi2) const {
    const auto hit = gather_quartets<Real>(points.points.data(), outer);
    const Real wx = hit.x - middle.x, wy = hit.y - middle.y, wz = hit.z - middle.z;
    const CircleOfHits<Real> circle(a.x, a.y, wx, wy);
    const Real d0 = circle.axis(middle.x, middle.y).distance;
    chi2 = a.w + chi2_of_triplet<Real>(*search.layers, middle, circle.curvature, d0,
                                       short_arc(circle.curvature, a.x, a.y),
                                       short_arc(circle.curvature, wx, wy), a.z, wz);
    return chi2 <= Real(cuts.max_chi2);
  }

  KOKKOS_FUNCTION bool confirms() const { return false; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> confirm(const Search&, const Middle<Real>&,
                                                   const Quartet<Real>&, const IntegerOf<Real>&,
                                                   const MaskOf<Real>& mask, Real&) const {
    return mask;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION AxesOfLayer<T> axes(int event, int layer) const {
    using Integer = IntegerOf<T>;
    return {binned.template first_axis<T>(Integer(layer)),
            binned.template second_axis<T>(Integer(layer)), binned.table(event, layer)};
  }
  /// Rows of bins, which are about the z axis, of a window as seen from the region of collisions.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> rows_of(
      int event, const LayerOfTriplet<T>& layer, const Real& phi, const Real& half_phi,
      const Real& second, const Real& half_second) const {
    const auto of_layer = axes(event, layer.number);
    if (!cuts.is_displaced) return of_layer.rows(phi, half_phi, second, half_second);
    // An azimuth differs by up to arcsin(beam_r / r); 1.1 times the ratio, up to 1/2, is above it
    const Real aside(cuts.beam_r);
    const Real least = layer.is_barrel ? Real(layer.position - layer.reach) : second - half_second;
    const Real turned =
        Real(T(1.1)) * aside / max(least - aside, max(aside + aside, Real(T(1e-3))));
    return layer.is_barrel
               ? of_layer.rows(phi, half_phi + turned, second + Real(cuts.beam_z), half_second)
               : of_layer.rows(phi, half_phi + turned, second, half_second + aside);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void set_inner_window(const LayersOfTriplet<T>& layers,
                                                    Middle<Real>& hit) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> outer_window(const LayersOfTriplet<T>& layers,
                                                        const Middle<Real>& middle, const Real& r,
                                                        const Quartet<Real>& hit,
                                                        Quartet<Real>& window) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real chi2_of_triplet(const LayersOfTriplet<T>& layers,
                                                   const Middle<Real>& middle,
                                                   const Real& curvature, const Real& d0,
                                                   const Real& before, const Real& after,
                                                   const Real& inner_z, const Real& outer_z) const;
};

/// Azimuth and second coordinate of the inner hit of a middle hit, from |z0| <= max_z0, |d0| <=
/// max_d0 and |kappa| <= max_curvature.
template <class RealNumber, class Binned, class Hits, class Field>
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void
DetectorTripletRules<RealNumber, Binned, Hits, Field>::set_inner_window(
    const LayersOfTriplet<T>& layers, Middle<Real>& hit) const {
  const auto &a = layers.a, &b = layers.b;
  const Real half(T(0.5)), position(a.position), reach(a.reach);
  const Real straight = hit.z / hit.r;  // cot(theta) of the line from the origin
  const Real nominal_r = a.is_barrel ? position : position / hit.z * hit.r;
  const Real span = max(hit.r - nominal_r, Real(T(0.1)) * hit.r);
  const Real of_a = hit.r / span, of_b = nominal_r / span;
  const Real variance =
      of_a * of_a * cuts.variance_z(a, straight) + of_b * of_b * cuts.variance_z(b, straight);
  hit.max_z0 = Real(cuts.max_z0) + Real(cuts.n_sigma) * sqrt(variance);
  hit.per_z0_2 = Real(1) / (Real(cuts.variance_z0) + variance);

  Real low_r;
  if (a.is_barrel) {
    low_r = position - reach;
    const Real ratio = position / hit.r;
    hit.second = hit.z * ratio;
    hit.half_second =
        fma(hit.max_z0, abs(Real(1) - ratio), reach / hit.r * (abs(hit.z) + hit.max_z0));
    const auto beside =
        hit.second - hit.half_second > Real(a.high) || hit.second + hit.half_second < Real(a.low);
    hit.half_second = select(beside, Real(-1), hit.half_second);
  } else {
    // r_a = r_b (z_a - z0) / (z_b - z0) at the ends of z0; monotonic if z_b - z0 keeps its sign
    const T side = a.position < T(0) ? T(-1) : T(1);
    const Real za = Real(side) * position, zb = Real(side) * hit.z;
    const Real near = zb - hit.max_z0, far = zb + hit.max_z0;
    const auto is_near = near > Real(0), is_far = far > Real(0);
    low_r = select(is_near, hit.r * (za - reach - hit.max_z0) / select(is_near, near, Real(1)),
                   Real(0));
    Real high_r =
        select(is_far, hit.r * (za + reach + hit.max_z0) / select(is_far, far, Real(1)), Real(0));
    high_r = select(is_near, high_r, hit.r);
    low_r = max(low_r, Real(a.low));
    high_r = min(high_r, Real(a.high));
    hit.second = half * (low_r + high_r);
    hit.half_second = select(zb > Real(0), half * (high_r - low_r), Real(-1));
    low_r = max(low_r, Real(T(0.05)) * hit.r);
  }
  low_r = min(low_r, hit.r);
  const Real curvature = fma(Real(cuts.max_d0), Real(2) / (low_r * hit.r), hit.max_curvature);
  const Real quarter = Real(T(0.25)) * curvature * curvature;
  hit.half_phi = half * curvature * (path(hit.r, quarter) - path(low_r, quarter)) +
                 third_order(Real(cuts.max_d0), low_r, hit.max_curvature);
  hit.half_phi = min(hit.half_phi, Real(T(1.5)));
}

/// Window of the outer hit of a doublet at a distance `r` from the z axis, from its curvature and
/// cot(theta); lanes of the mask with one.
template <class RealNumber, class Binned, class Hits, class Field>
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real>
DetectorTripletRules<RealNumber, Binned, Hits, Field>::outer_window(
    const LayersOfTriplet<T>& layers, const Middle<Real>& middle, const Real& r,
    const Quartet<Real>& hit, Quartet<Real>& window) const {
  const auto &a = layers.a, &b = layers.b, &c = layers.c;
  const Real half(T(0.5)), middle_r = middle.r, max_curvature = middle.max_curvature;
  const CircleOfDoublet<Real> circle(middle, r, hit, cuts.max_d0);
  const Real curvature = circle.curvature, per_g = circle.per_g, low = circle.low,
             high = circle.high;
  MaskOf<Real> ahead = circle.exists();
  const Real most = max(abs(fma(low, per_g, curvature)), abs(fma(high, per_g, curvature)));

  const Real quarter = half * half * curvature * curvature;
  const Real before = path(r, quarter), here = path(middle_r, quarter);
  const Real first = max(here - before, Real(T(1e-3)) * middle_r);
  const Real cotangent = (middle.z - hit.z) / first;
  Real outer_r, there;
  if (c.is_barrel) {
    outer_r = Real(c.position);
    there = path(outer_r, quarter);
  } else {
    const Real dz = Real(c.position) - middle.z;
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
    window.z = fma(cotangent, second, middle.z);
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
  window.x = fma(half * curvature, second, middle.phi) + per_d0 * half * (low + high);
  window.y =
      fma(per_d0 * half, high - low,
          fma(most, aside, nonlinear) + spread(Real(a.variance_first), Real(b.variance_first),
                                               Real(c.variance_first), deflection.azimuth) *
                                            per_r);
  window.y = min(window.y, Real(T(1.5)));
  return ahead && window.z + window.w >= Real(c.low) && window.z - window.w <= Real(c.high);
}

/// Terms of chi2 of a triplet from d0 and the residual along z.
/// @param before,after path lengths from hit to hit, cm
/// @param inner_z,outer_z relative to the middle hit, cm
template <class RealNumber, class Binned, class Hits, class Field>
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real
DetectorTripletRules<RealNumber, Binned, Hits, Field>::chi2_of_triplet(
    const LayersOfTriplet<T>& layers, const Middle<Real>& middle, const Real& curvature,
    const Real& d0, const Real& before, const Real& after, const Real& inner_z,
    const Real& outer_z) const {
  const auto &a = layers.a, &b = layers.b, &c = layers.c;
  const Real both = before + after;
  const Real per_both = Real(1) / select(both > Real(0), both, Real(1));
  const Real part = before * per_both, rest = Real(1) - part;
  const Real cotangent = (outer_z - inner_z) * per_both;
  const Real residual = -fma(part, outer_z - inner_z, inner_z);
  const Real inverse_pt = abs(curvature) / (middle.max_curvature * Real(cuts.min_pt));
  const auto of_a = cuts.deflection(a, inverse_pt, cotangent),
             of_b = cuts.deflection(b, inverse_pt, cotangent);

  const Real kink = of_b.cotangent * rest * before;
  const Real variance_z = fma(rest * rest, cuts.variance_z(a, cotangent),
                              fma(part * part, cuts.variance_z(c, cotangent),
                                  fma(kink, kink, cuts.variance_z(b, cotangent))));

  const Real sb = path(middle.r, Real(T(0.25)) * curvature * curvature);
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
