// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/add_map.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Octupole by its Taylor map (OCTU); a drift to second order.
struct Octupole {
  double length = 0.;           ///< Length, m.
  double k3 = 0.;               ///< Strength, 1/m^4.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "octupole";
  double strength() const { return k3; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const { return misaligned(magnet_map(), misalignment); }
  void add_steps(StepBuilder& to) const {
    detail::add_misaligned(to, magnet_map(), misalignment, {.is_transverse = true});
  }
  /// @}

 private:
  TransferMap magnet_map() const { return octupole_map(length, k3, order); }
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/octupole.impl.hpp>
#endif
