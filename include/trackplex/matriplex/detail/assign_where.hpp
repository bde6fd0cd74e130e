// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/matriplex/matrix.hpp>

namespace trackplex::detail {

/// to = from where the mask is set.
template <class Real, auto P>
KOKKOS_FORCEINLINE_FUNCTION void assign_where(const MaskOf<Real>& mask,
                                              const FreeElements<Real, P>& from,
                                              FreeElements<Real, P>& to) {
  for_each_index<P.free_elements()>([&]<int E>() TRACKPLEX_INLINE_LAMBDA {
    to.elements[E] = select(mask, from.elements[E], to.elements[E]);
  });
}

}  // namespace trackplex::detail
