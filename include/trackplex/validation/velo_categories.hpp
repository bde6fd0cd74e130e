// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace trackplex::validation {

/// Category of particles for which the efficiency of VELO tracking is quoted, without
/// electrons. "Long" particles can be reconstructed in the VELO and downstream of the magnet.
enum class VeloCategory {
  velo,                      ///< reconstructible in the VELO (`has_velo`)
  long_track,                ///< long (`is_long`)
  long_above_5_gev,          ///< long, p > 5 GeV
  long_strange,              ///< long, from the decay of a strange hadron
  long_strange_above_5_gev,  ///< long, from the decay of a strange hadron, p > 5 GeV
  long_from_b,               ///< long, from the decay of a beauty hadron
  long_from_b_above_5_gev,   ///< long, from the decay of a beauty hadron, p > 5 GeV
};

/// Number of categories.
inline constexpr std::size_t velo_categories = 7;

/// Names of the categories, as printed by velopix_tracking.
inline constexpr std::array<std::string_view, velo_categories> velo_category_names = {
    "velo",       "long",           "long>5GeV", "long_strange", "long_strange>5GeV",
    "long_fromb", "long_fromb>5GeV"};

/// Returns the name of a category.
inline constexpr std::string_view name(VeloCategory category) {
  return velo_category_names[static_cast<std::size_t>(category)];
}

/// Returns whether a particle is an electron or a positron.
inline bool is_electron(const lhcb::VeloParticle& particle) {
  return particle.pid == 11 || particle.pid == -11;
}

/// Returns whether a particle counts in a category. In events without kinematics, every particle
/// counts in `velo` only.
bool is_in(VeloCategory category, const lhcb::VeloParticle& particle);

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/velo_categories.impl.hpp>
#endif
