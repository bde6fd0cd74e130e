// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/add_map.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Sextupole by its Taylor map (SEXT).
struct Sextupole {
  double length = 0.;           ///< Length, m.
  double k2 = 0.;               ///< Strength, 1/m^3.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.
  double k1 = 0.;               ///< Strength of its quadrupole component, 1/m^2; to order 2.
  double j1 = 0.;               ///< Strength of its skew quadrupole component, 1/m^2; to order 2.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "sextupole";
  double strength() const { return k2; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const { return misaligned(magnet_map(), misalignment); }
  void add_steps(StepBuilder& to) const {
    detail::add_misaligned(to, magnet_map(), misalignment, {.is_transverse = true});
  }
  /// @}

 private:
  TransferMap magnet_map() const { return sextupole_map(length, k2, order, k1, j1); }
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/sextupole.impl.hpp>
#endif
