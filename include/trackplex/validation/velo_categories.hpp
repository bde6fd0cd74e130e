// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_event.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace trackplex::validation {

/// The kinds of particles for which the efficiency of a VELO tracking is given; electrons are in
/// none of them. "Long" particles can be reconstructed in the VELO and behind the magnet.
enum class VeloCategory {
  velo,
  long_track,
  long_above_5_gev,
  long_strange,
  long_strange_above_5_gev,
  long_from_b,
  long_from_b_above_5_gev,
};

inline constexpr std::size_t velo_categories = 7;

/// The names that velopix_tracking prints.
inline constexpr std::array<std::string_view, velo_categories> velo_category_names = {
    "velo",       "long",           "long>5GeV", "long_strange", "long_strange>5GeV",
    "long_fromb", "long_fromb>5GeV"};

inline constexpr std::string_view name(VeloCategory category) {
  return velo_category_names[static_cast<std::size_t>(category)];
}

inline bool is_electron(const lhcb::VeloParticle& particle) {
  return particle.pid == 11 || particle.pid == -11;
}

/// Whether a particle counts in a category. Without kinematics every particle counts in `velo` and
/// in nothing else.
inline bool is_in(VeloCategory category, const lhcb::VeloParticle& particle) {
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
