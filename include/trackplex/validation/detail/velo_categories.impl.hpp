// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/validation/velo_categories.hpp>

namespace trackplex::validation {

TRACKPLEX_INLINE bool is_in(VeloCategory category, const lhcb::VeloParticle& particle) {
  if (is_electron(particle)) return false;
  const bool is_long = particle.is_long;
  const bool fast = particle.p > 5000.;  // MeV
  switch (category) {
    case VeloCategory::velo:
      return particle.has_velo;
    case VeloCategory::long_track:
      return is_long;
    case VeloCategory::long_above_5_gev:
      return is_long && fast;
    case VeloCategory::long_strange:
      return is_long && particle.from_strange;
    case VeloCategory::long_strange_above_5_gev:
      return is_long && particle.from_strange && fast;
    case VeloCategory::long_from_b:
      return is_long && particle.from_beauty;
    case VeloCategory::long_from_b_above_5_gev:
      return is_long && particle.from_beauty && fast;
  }
  return false;
}

}  // namespace trackplex::validation
