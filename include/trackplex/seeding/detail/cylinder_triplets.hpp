// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/seeding/detail/confirm_triplets.hpp>
#include <trackplex/seeding/detail/find_triplets.hpp>

#include <cstddef>

namespace trackplex::seeding::detail {

/// Middle hits on a cylinder.
template <class Real>
struct MiddleHitOnCylinder {
  Real x, y, z;  ///< cm
  Real phi;      ///< azimuth, rad
  Real r;        ///< distance from the z axis, cm

  static constexpr int quads = 1;
  KOKKOS_FORCEINLINE_FUNCTION void to(Quartet<Real> (&quad)[quads]) const {
    quad[0] = {x, y, z, phi};
  }
  KOKKOS_FORCEINLINE_FUNCTION static MiddleHitOnCylinder from(const Quartet<Real> (&quad)[quads]) {
    const auto& q = quad[0];
    return {q.x, q.y, q.z, q.w, sqrt(fma(q.x, q.x, q.y * q.y))};
  }
};

/// Windows and cuts of hits on three cylinders, see `CylinderTripletCuts`. They are constants of
/// the search: with `DetectorTripletRules`, which compute them for each doublet, a search in 10,000
/// particles takes 48 % longer (processor time of one core, Zen, g++ 12 -O3).
template <class RealNumber, class Binned, class Hits>
struct CylinderTripletRules {
  using T = ScalarOf<RealNumber>;
  template <class Real>
  using Middle = MiddleHitOnCylinder<Real>;
  struct Search {
    int event;
  };

  Binned binned;
  Hits hits;
  CylinderTripletCuts<T> cuts;
  int inner_layer, middle_layer, outer_layer;
  ConfirmTriplets<RealNumber, Binned> confirmation;  ///< with a layer below 0 if there is none

  KOKKOS_FUNCTION static int blocks_per_event(const Hits& hits) {
    return (hits.max_layer_hits + max_middle_hits - 1) / max_middle_hits;
  }
  KOKKOS_FUNCTION MiddleHits block(int team) const {
    const int blocks = blocks_per_event(hits), event = team / blocks;
    const int first = team % blocks * max_middle_hits;
    const int end = hits.first(event, middle_layer + 1) - hits.first(event, middle_layer);
    return {event, first, min(end - first, max_middle_hits)};
  }
  KOKKOS_FUNCTION int searches(int /*team*/) const { return 1; }
  KOKKOS_FUNCTION Search search(int /*team*/, const MiddleHits& block, int /*m*/) const {
    return {block.event};
  }
  KOKKOS_FUNCTION int first_in_results(const MiddleHits& block) const {
    return block.event * hits.max_layer_hits + block.first;
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Middle<Real> middle(const Search& search,
                                                  const IntegerOf<Real>& i) const {
    const auto first = ScalarOf<IntegerOf<Real>>(hits.first(search.event, middle_layer));
    return Middle<Real>::from({binned.template point<Real>(IntegerOf<Real>(first) + i)});
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> inner_rows(
      const Search& search, const Middle<Real>& middle) const {
    return rows<Real>(search.event, inner_layer, middle.phi, Real(cuts.phi_inner),
                      middle.z * Real(cuts.z_scale), Real(cuts.z_half));
  }

  /// All hits in the bins: the tests of doublets and pairs decide.
  template <class Real>
  struct AllHits {
    KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> operator()(int /*place*/) const { return true; }
  };
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION AllHits<Real> near(const Middle<Real>&) const {
    return {};
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> doublet(const Search&, const Middle<Real>& middle,
                                                   const IntegerOf<Real>& place,
                                                   Quartet<Real>& inner,
                                                   Quartet<Real>& window) const {
    const auto hit = binned.template point<Real>(place);
    const Real r = sqrt(fma(hit.x, hit.x, hit.y * hit.y));
    const auto inside = r < middle.r;
    const Real z0 = z0_of_doublet<Real>(select(inside, r, Real(0)), hit.z, middle.r, middle.z);
    const Real turn = binned.azimuth.difference(middle.phi, hit.w);
    const Real dz = hit.z - middle.z, chi2 = cuts.chi2_of_z0(z0);
    inner = {hit.x - middle.x, hit.y - middle.y, dz, chi2};
    window = outer_window(middle, turn, dz, Real(cuts.max_chi2) - chi2);
    return inside && abs(z0) <= Real(cuts.max_z0) && chi2 <= Real(cuts.max_chi2) &&
           abs(turn) <= Real(cuts.phi_inner);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> outer_rows(
      const Search& search, const Quartet<Real>& window) const {
    return rows<Real>(search.event, outer_layer, window.x, window.y, window.z, window.w);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION AllHits<Real> inside(const Quartet<Real>&) const {
    return {};
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pair(const Search&, const Middle<Real>& middle,
                                                const Quartet<Real>& a,
                                                const IntegerOf<Real>& outer) const {
    const auto hit = binned.template point<Real>(outer);
    const CircleOfHits<Real> circle(a.x, a.y, hit.x - middle.x, hit.y - middle.y);
    const Real turn = binned.azimuth.difference(hit.w, middle.phi);
    return abs(turn) <= Real(cuts.phi_outer) && abs(circle.curvature) <= Real(cuts.max_curvature) &&
           abs(circle.axis(middle.x, middle.y).distance) <= Real(cuts.max_d0);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> triplet(const Search&, const Middle<Real>& middle,
                                                   const Quartet<Real>& a,
                                                   const IntegerOf<Real>& outer, Real& chi2) const {
    const auto shape = triplet_shape<Real>(middle.x, middle.y, {{a.x, a.y, a.z}},
                                           seen(middle, binned.template point<Real>(outer)));
    chi2 = cuts.chi2(a.w, shape);
    return cuts.pass(chi2, shape);
  }

  KOKKOS_FUNCTION bool confirms() const { return confirmation.layer >= 0; }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> confirm(const Search& search, const Middle<Real>& middle,
                                                   const Quartet<Real>& a,
                                                   const IntegerOf<Real>& outer,
                                                   const MaskOf<Real>& mask, Real& chi2) const {
    const Real limit = Real(cuts.max_chi2) - chi2;
    const Real added =
        confirmation.added_chi2(search.event, {{middle.x, middle.y, middle.z}}, {{a.x, a.y, a.z}},
                                seen(middle, binned.template point<Real>(outer)), limit, mask);
    chi2 += added;
    return added <= limit;
  }

 private:
  /// Rows of bins of a window in azimuth and z.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> rows(int event, int layer, const Real& phi,
                                                            const Real& half_phi, const Real& z,
                                                            const Real& half_z) const {
    using Integer = IntegerOf<Real>;
    return search::rows_of_window(binned, layer, Integer(ScalarOf<Integer>(event)),
                                  search::HitWindow<Real>{phi, half_phi, z, half_z});
  }
  /// A hit relative to the middle one.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Vector<Real, 3> seen(const Middle<Real>& middle,
                                                          const Quartet<Real>& hit) {
    return {{hit.x - middle.x, hit.y - middle.y, hit.z - middle.z}};
  }

  /// Azimuth and z of the outer hit, from the change of azimuth and z in the doublet, and the
  /// remaining chi2.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quartet<Real> outer_window(const Middle<Real>& middle,
                                                         const Real& turn, const Real& dz,
                                                         const Real& chi2_left) const {
    const Real left = max(chi2_left, Real(0));
    const Real d0 = min(sqrt(left / Real(cuts.per_d0_2)), Real(cuts.max_d0));
    const Real half_phi = fma(d0, Real(cuts.per_d0), Real(cuts.phi_error));
    const Real ahead = turn * Real(cuts.ratio);
    const Real low = max(ahead - half_phi, -Real(cuts.phi_outer)),
               high = min(ahead + half_phi, Real(cuts.phi_outer));
    const Real middle_of = Real(T(0.5)) * (low + high);
    const Real residual = sqrt(left / Real(cuts.per_residual_2)) * Real(cuts.per_residual);
    const Real half_z = fma(abs(dz), Real(cuts.ratio_error), residual + Real(cuts.z_margin));
    return {middle.phi + middle_of, max(high - middle_of, Real(0)),
            fma(-dz, Real(cuts.ratio), middle.z), half_z};
  }
};

}  // namespace trackplex::seeding::detail
