// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/search/hit_windows.hpp>
#include <trackplex/seeding/extended_triplet.hpp>

namespace trackplex::seeding::detail {

/// Extrapolates triplets to one more cylinder, and finds the hit that fits best.
template <class Real, class Binned>
struct ConfirmTriplets {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;

  Binned binned;
  TripletConfirmation<T> cuts;
  int layer;

  /// Contribution of the best hit to chi2, up to `limit`; more than `limit` without a hit.
  /// The triplet is given by the inner and outer hit relative to the middle hit at (x, y, z).
  KOKKOS_FUNCTION Real added_chi2(int event, const Vector<Real, 3>& middle,
                                  const Vector<Real, 3>& inner, const Vector<Real, 3>& outer,
                                  const Real& limit, MaskOf<Real> mask) const {
    const ExtendedTriplet<Real> triplet(middle, inner, outer);
    const auto ahead = triplet.at_radius(Real(cuts.radius));
    const Real left = sqrt(max(limit, Real(0)));
    const Real half = fma(left, Real(cuts.sigma_r_phi * cuts.per_cosine), Real(cuts.margin));
    // A hit away from the prediction is at another path length.
    const Real aside = abs(triplet.cotangent()) * half * Real(cuts.tangent);
    const search::HitWindow<Real> window{atan2(ahead.y, ahead.x), half / Real(cuts.radius), ahead.z,
                                         fma(left, Real(cuts.sigma_z), aside + Real(cuts.margin))};
    Real best = limit + Real(1);
    search::for_each_hit_in(
        binned, layer, Integer(ScalarOf<Integer>(event)), window, mask && ahead.reached,
        [&](const Integer&, const Quartet<Real>& hit, const MaskOf<Real>& inside) {
          const Real chi2 = triplet.chi2(cuts, {{hit.x, hit.y, hit.z}});
          best = select(inside && chi2 < best, chi2, best);
        });
    return best;
  }
};

}  // namespace trackplex::seeding::detail
