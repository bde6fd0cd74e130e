// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>

namespace trackplex::candidates {

/// What track candidates are ranked by: more hits first, then less chi2; and what they are made of.
template <class Number>
struct RankedChild {
  using Real = Number;
  using Integer = IntegerOf<Real>;
  Integer hits;    ///< found so far
  Real chi2;       ///< of these
  Integer parent;  ///< the candidate that it was made of
  Integer hit;     ///< and the hit that was added, or why there is none

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

/// The best N children of each lane's seed, in order, in registers. Equals stay in the order in
/// which they came.
template <class Number, int N>
class BestOfLanes {
 public:
  using Real = Number;
  using Child = RankedChild<Real>;
  using Integer = typename Child::Integer;
  static constexpr int nothing = -1000000;  ///< hits of an empty place

  KOKKOS_FORCEINLINE_FUNCTION BestOfLanes() {
    for (int i = 0; i < N; ++i) best_[i] = {Integer(nothing), Real(0), Integer(0), Integer(0)};
  }

  KOKKOS_FORCEINLINE_FUNCTION void insert(Child child, const MaskOf<Real>& mask) {
    child.hits = select(mask, child.hits, Integer(nothing));
    if (none_of(goes_before(child, best_[N - 1]))) return;
    for (int i = 0; i < N; ++i) {
      const auto before = goes_before(child, best_[i]);
      const Child after = select(before, best_[i], child);
      best_[i] = select(before, child, best_[i]);
      child = after;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION const Child& operator[](int i) const { return best_[i]; }

 private:
  Child best_[N];
};

}  // namespace trackplex::candidates
