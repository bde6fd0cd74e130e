// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/beam/collective/wake.hpp>
#include <trackplex/beam/collective/wake_cavity.hpp>
#include <trackplex/beam/elements/rf_cavity.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE bool WakeCavity::has_effects() const {
  return cavity.length > 0. && (longitudinal || transverse || space_charge);
}

TRACKPLEX_INLINE Wake WakeCavity::longitudinal_wake() const {
  Wake wake = wake_of_slice<Wake>(longitudinal);
  wake.change_p0 = cavity.change_momentum && space_charge;  // else it matters after the cavity
  return wake;
}

TRACKPLEX_INLINE SpaceChargeDrift WakeCavity::space_charge_kick() const {
  SpaceChargeDrift kick;
  kick.effective_length = slice_length();
  kick.bins = space_charge_bins;
  kick.interpolate = space_charge_interpolate;
  kick.low_frequency = low_frequency;
  kick.high_frequency = high_frequency;
  kick.radius_factor = radius_factor;
  return kick;
}

TRACKPLEX_INLINE void WakeCavity::check(const ElementCheck& check) const {
  cavity.check(check);
  check.not_negative("length of a cell", cell_length);
  if ((longitudinal || transverse) && cell_length == 0.)
    check.refuse("length of a cell", cell_length, "wakes need one above 0");
  check.not_negative("number of bins", bins);
  if (space_charge) space_charge_kick().check(check);
}

}  // namespace trackplex::beam
