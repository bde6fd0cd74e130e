// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut_geometry.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace trackplex::lhcb {

/// VELO tracks with hits in the UT, of many events. Event e has the slots of its VELO tracks; its
/// first `count(e)` hold a track, in the order of the VELO tracks.
template <class Real, class MemorySpace>
struct UtTracks {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  static constexpr std::uint16_t no_hit = 0xFFFF;

  Array<std::uint32_t> count;
  Array<std::uint16_t> track;  ///< number of the VELO track in its event
  /// Index in the event of the hit in each layer, or no_hit: hits(layer * slots + slot).
  Array<std::uint16_t> hits;
  Array<Real> qop;    ///< charge over momentum, 1/MeV
  Array<Real> chi2;   ///< of the p-kick fit, per degree of freedom
  Array<Real> x;      ///< at the middle of the UT, mm
  Array<Real> slope;  ///< dx/dz there
  std::size_t slots = 0;
};

}  // namespace trackplex::lhcb
