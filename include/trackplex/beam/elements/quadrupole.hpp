// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/add_map.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Quadrupole by its Taylor map (QUAD).
struct Quadrupole {
  double length = 0.;           ///< Length, m.
  double k1 = 0.;               ///< Strength, 1/m^2; positive: focuses in x.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.
  QuadrupoleFringe fringe{};    ///< Fringe fields, to second order.
  double horizontal = 0.;       ///< Angle of horizontal kicks, rad: half of it at each end.
  double vertical = 0.;         ///< Angle of vertical kicks, rad: half of it at each end.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "quadrupole";
  double strength() const { return k1; }
  bool is_whole() const { return has_kicks(); }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const { return misaligned(magnet_map(), misalignment); }
  void add_steps(StepBuilder& to) const {
    detail::add_misaligned(to, magnet_map(), misalignment, {.is_transverse = true});
  }
  Quadrupole part(int i, int n) const;
  /// @}

 private:
  bool has_kicks() const { return horizontal != 0. || vertical != 0.; }
  TransferMap magnet_map() const;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/quadrupole.impl.hpp>
#endif
