// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/mc_event.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::validation::detail {

/// Which particles of an event left the hit of an LHCbID in VELO, UT or, if asked for, SciFi; a hit
/// may have none, one or more. A hit that a particle lists twice counts once.
class IdOwners {
 public:
  explicit IdOwners(const lhcb::McEvent& event, bool with_scifi = false);

  /// The particles of a hit, ascending.
  std::span<const std::uint32_t> operator[](std::uint32_t id) const;

 private:
  std::vector<std::uint32_t> ids_;     ///< ascending
  std::vector<std::uint32_t> owners_;  ///< of each id
};

}  // namespace trackplex::validation::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/id_owners.impl.hpp>
#endif
