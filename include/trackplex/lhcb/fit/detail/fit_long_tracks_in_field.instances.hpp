// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the fit of long tracks in a field map.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks_in_field.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FitLongTracksInField {
  using Real = LanesOf<T, Width>;
  using Fit =
      lhcb::detail::LongFieldFitter<Real,
                                    lhcb::LongFieldInput<T, Memory, geometry::FieldMap<T, Memory>>,
                                    lhcb::LongFits<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIT_LONG_TRACKS_IN_FIELD_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, FitLongTracksInField, T, W, Fit)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIT_LONG_TRACKS_IN_FIELD, general, float)
}  // namespace trackplex
