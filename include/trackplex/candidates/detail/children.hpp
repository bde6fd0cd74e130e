// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/best_of_lanes.hpp>

#include <limits>

namespace trackplex::candidates::detail {

/// A hit that a candidate could take: smaller chi2 is better, then the lower place.
template <class Number>
struct CompatibleHit {
  using Real = Number;
  using Integer = IntegerOf<Real>;
  Real chi2;
  Integer place;

  KOKKOS_FORCEINLINE_FUNCTION static CompatibleHit nothing() {
    return {Real(Kokkos::Experimental::infinity<ScalarOf<Real>>::value), Integer(0)};
  }
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> exists() const { return chi2 < nothing().chi2; }

  KOKKOS_FORCEINLINE_FUNCTION friend MaskOf<Real> goes_before(const CompatibleHit& a,
                                                              const CompatibleHit& b) {
    return a.chi2 < b.chi2 || (a.chi2 == b.chi2 && a.place < b.place);
  }
  KOKKOS_FORCEINLINE_FUNCTION friend CompatibleHit select(const MaskOf<Real>& mask,
                                                          const CompatibleHit& a,
                                                          const CompatibleHit& b) {
    return {select(mask, a.chi2, b.chi2), select(mask, a.place, b.place)};
  }
};

/// A candidate for the next layer: ranked by more hits first, then smaller chi2; with its origin.
template <class Number>
struct RankedChild {
  using Real = Number;
  using Integer = IntegerOf<Real>;
  Integer hits;    ///< found so far
  Real chi2;       ///< of these
  Integer parent;  ///< its parent candidate
  Integer hit;     ///< and its step on the layer; see candidate_store.hpp

  static constexpr int no_hits = -1000000;  ///< of an empty place
  static constexpr int last_rank = 1000;    ///< more than any hits

  /// After all that exist, among those of its kind in their order: hits are lowered by last_rank.
  KOKKOS_FORCEINLINE_FUNCTION RankedChild ranked_last() const {
    return {hits - Integer(last_rank), chi2, parent, hit};
  }
  /// The same with its hits, if it was ranked last.
  KOKKOS_FORCEINLINE_FUNCTION RankedChild restored() const {
    const auto was_last = hits < Integer(0) && hits > Integer(no_hits);
    return {select(was_last, hits + Integer(last_rank), hits), chi2, parent, hit};
  }

  KOKKOS_FORCEINLINE_FUNCTION static RankedChild nothing() {
    return {Integer(no_hits), Real(0), Integer(0), Integer(-1)};
  }
  KOKKOS_FORCEINLINE_FUNCTION friend MaskOf<Real> goes_before(const RankedChild& a,
                                                              const RankedChild& b) {
    return a.hits > b.hits || (a.hits == b.hits && a.chi2 < b.chi2);
  }
  KOKKOS_FORCEINLINE_FUNCTION friend RankedChild select(const MaskOf<Real>& mask,
                                                        const RankedChild& a,
                                                        const RankedChild& b) {
    return {select(mask, a.hits, b.hits), select(mask, a.chi2, b.chi2),
            select(mask, a.parent, b.parent), select(mask, a.hit, b.hit)};
  }
};

}  // namespace trackplex::candidates::detail
