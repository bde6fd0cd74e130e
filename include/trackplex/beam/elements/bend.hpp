// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Bending magnet by its Taylor map (SBEN; RBEN with edges of half the angle).
struct Bend {
  SectorBend magnet;            ///< Length, angle, strengths, edges and errors.
  int order = 2;                ///< Order of the map, 1 or 2.
  Misalignment misalignment{};  ///< Displacement as a rigid body, and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "bend";
  double length() const { return magnet.length; }
  double strength() const { return magnet.angle; }
  bool is_whole() const { return magnet.error_tilt != 0.; }
  AxisBend axis_bend() const;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const;
  void add_steps(StepBuilder& to) const;
  Bend part(int i, int n) const;
  Bend reversed() const { return {beam::reversed(magnet), order, misalignment}; }
  /// @}

 private:
  TransferMap magnet_map() const { return with_error_tilt(sector_bend_map(magnet, order), magnet); }
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/bend.impl.hpp>
#endif
