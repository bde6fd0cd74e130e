// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Kicker (KICKER, HKICK, VKICK): a magnet that turns the reference particle by an angle.
struct Kicker {
  double length = 0.;      ///< Length, m; 0: a kick at one place.
  double horizontal = 0.;  ///< Horizontal angle, rad.
  double vertical = 0.;    ///< Vertical angle, rad.
  double tilt = 0.;        ///< Rotation around the axis, rad, from x towards y.
  int order = 2;           ///< Order of the map, 1 or 2.
  double b2 = 0.;          ///< Sextupole component relative to the dipole, 1/m^2.
  bool edges = false;      ///< Whether edges act.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "kicker";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const;
  void add_steps(StepBuilder& to) const;
  /// @}

 private:
  KickerMagnet magnet() const { return {length, horizontal, vertical, b2, edges}; }
  double whole_tilt() const { return tilt + magnet().direction(); }
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/kicker.impl.hpp>
#endif
