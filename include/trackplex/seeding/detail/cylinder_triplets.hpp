// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/seeding/detail/confirm_triplets.hpp>
#include <trackplex/seeding/detail/find_triplets.hpp>

#include <cstddef>

namespace trackplex::seeding::detail {

/// The middle hits of a batch of events, each with a slot: slot = event * per_event + number.
struct MiddleHitsOfEvents {
  int events, per_event;
  int per_team;  ///< consecutive ones that a team works on

  KOKKOS_FUNCTION int teams_per_event() const { return (per_event + per_team - 1) / per_team; }
  KOKKOS_FUNCTION int slots() const { return events * per_event; }
};

/// So many that starting a team costs little beside them.
inline constexpr int middle_hits_per_host_team = 16;

/// A middle hit, and the event it is in.
template <class T>
struct MiddleHitOnCylinder {
  int event;
  T x, y, z, phi, r;
};

/// Windows and cuts of hits on three cylinders, see `CylinderTripletCuts`.
template <class RealNumber, class Binned, class Hits>
struct CylinderTripletRules {
  using T = ScalarOf<RealNumber>;
  using Middle = MiddleHitOnCylinder<T>;

  Binned binned;
  Hits hits;
  MiddleHitsOfEvents middle_hits;
  CylinderTripletCuts<T> cuts;
  int inner_layer, middle_layer, outer_layer;
  ConfirmTriplets<RealNumber, Binned> confirmation;  ///< with a layer below 0 if there is none

  KOKKOS_FUNCTION int max_rows() const { return binned.azimuth.bins(); }

  KOKKOS_FUNCTION MiddleHits block(int team) const {
    const int teams = middle_hits.teams_per_event(), event = team / teams;
    const int first = team % teams * middle_hits.per_team;
    return {event, first, min(first + middle_hits.per_team, middle_hits.per_event),
            hits.first(event, middle_layer + 1) - hits.first(event, middle_layer), 1};
  }
  KOKKOS_FUNCTION int slot(const MiddleHits& block, int i, int /*m*/) const {
    return block.event * middle_hits.per_event + i;
  }
  KOKKOS_FUNCTION Middle middle(const MiddleHits& block, int i, int /*m*/) const {
    const int place = hits.first(block.event, middle_layer) + i;
    const Quad<T> hit = binned.records(std::size_t(place) * Binned::records_per_hit);
    return {block.event, hit.x, hit.y, hit.z, hit.w, sqrt(fma(hit.x, hit.x, hit.y * hit.y))};
  }

  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<T> inner_rows(const Middle& middle) const {
    using Integer = IntegerOf<T>;
    const auto& axis = binned.axes(inner_layer);
    const auto arc = binned.azimuth.around(middle.phi, cuts.phi_inner);
    const T z = middle.z * cuts.z_scale;
    return {binned.table(middle.event, inner_layer),
            Integer(0),
            Integer(binned.azimuth.bins()),
            Integer(axis.bins()),
            arc.first,
            arc.count,
            axis.bin(z - cuts.z_half),
            axis.bin(z + cuts.z_half)};
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> doublet(const Middle& middle,
                                                   const IntegerOf<Real>& place, Quad<Real>& inner,
                                                   Quad<Real>& window) const {
    const auto hit = record<Real>(place);
    const Real dz = hit.z - Real(middle.z);
    const Real r = sqrt(fma(hit.x, hit.x, hit.y * hit.y));
    const auto inside = r < Real(middle.r);
    const Real z0 =
        z0_of_doublet<Real>(select(inside, r, Real(0)), hit.z, Real(middle.r), Real(middle.z));
    const Real chi2 = cuts.chi2_of_z0(z0);
    const Real turn = binned.azimuth.difference(Real(middle.phi), hit.w);
    inner = {hit.x - Real(middle.x), hit.y - Real(middle.y), dz, chi2};
    window = outer_window(middle, turn, dz, Real(cuts.max_chi2) - chi2);
    return inside && abs(z0) <= Real(cuts.max_z0) && chi2 <= Real(cuts.max_chi2) &&
           abs(turn) <= Real(cuts.phi_inner);
  }

  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Number> outer_rows(
      const Middle& middle, const Quad<Number>& window) const {
    using Int = IntegerOf<Number>;
    using S = ScalarOf<Int>;
    const auto& axis = binned.axes(outer_layer);
    const auto arc = binned.azimuth.around(window.x, window.y);
    return {binned.table(middle.event, outer_layer),
            Int(S(0)),
            Int(S(binned.azimuth.bins())),
            Int(S(axis.bins())),
            arc.first,
            arc.count,
            axis.bin(window.z - window.w),
            axis.bin(window.z + window.w)};
  }

  template <class Real, class Window>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> triplet(const Middle& middle, const Quad<Real>& a,
                                                   const Window&, const IntegerOf<Real>& outer,
                                                   Real& chi2) const {
    const auto hit = record<Real>(outer);
    const auto shape =
        triplet_shape<Real>(Real(middle.x), Real(middle.y), {{a.x, a.y, a.z}}, seen(middle, hit));
    chi2 = cuts.chi2(a.w, shape);
    const Real turn = binned.azimuth.difference(hit.w, Real(middle.phi));
    return cuts.pass(chi2, shape) && abs(turn) <= Real(cuts.phi_outer);
  }

  KOKKOS_FUNCTION bool confirms() const { return confirmation.layer >= 0; }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> confirm(const Middle& middle, const Quad<Real>& a,
                                                   const IntegerOf<Real>& outer,
                                                   const MaskOf<Real>& mask, Real& chi2) const {
    const Real limit = Real(cuts.max_chi2) - chi2;
    const Real added =
        confirmation.added_chi2(middle.event, {{Real(middle.x), Real(middle.y), Real(middle.z)}},
                                {{a.x, a.y, a.z}}, seen(middle, record<Real>(outer)), limit, mask);
    chi2 += added;
    return added <= limit;
  }

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quad<Real> record(const IntegerOf<Real>& place) const {
    using Integer = IntegerOf<Real>;
    return gather_quads<Real>(binned.records.data(),
                              place * Integer(ScalarOf<Integer>(Binned::records_per_hit)));
  }
  /// A hit as seen from the middle one.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Vector<Real, 3> seen(const Middle& middle,
                                                          const Quad<Real>& hit) {
    return {{hit.x - Real(middle.x), hit.y - Real(middle.y), hit.z - Real(middle.z)}};
  }

  /// Azimuth and z of the outer hit, from how much the doublet turns and falls, and what is left of
  /// chi2.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Quad<Real> outer_window(const Middle& middle, const Real& turn,
                                                      const Real& dz, const Real& chi2_left) const {
    const Real left = max(chi2_left, Real(0));
    const Real d0 = min(sqrt(left / Real(cuts.per_d0_2)), Real(cuts.max_d0));
    const Real half_phi = fma(d0, Real(cuts.per_d0), Real(cuts.phi_error));
    const Real ahead = turn * Real(cuts.ratio);
    const Real low = max(ahead - half_phi, -Real(cuts.phi_outer)),
               high = min(ahead + half_phi, Real(cuts.phi_outer));
    const Real middle_of = Real(T(0.5)) * (low + high);
    const Real residual = sqrt(left / Real(cuts.per_residual_2)) * Real(cuts.per_residual);
    const Real half_z = fma(abs(dz), Real(cuts.ratio_error), residual + Real(cuts.z_margin));
    return {Real(middle.phi) + middle_of, max(high - middle_of, Real(0)),
            fma(-dz, Real(cuts.ratio), Real(middle.z)), half_z};
  }
};

}  // namespace trackplex::seeding::detail
