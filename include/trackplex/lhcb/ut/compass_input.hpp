// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/compass_params.hpp>
#include <trackplex/lhcb/ut/ut_hits.hpp>
#include <trackplex/lhcb/ut/ut_magnet.hpp>
#include <trackplex/lhcb/ut/ut_search_tables.hpp>
#include <trackplex/lhcb/velo/velo_input.hpp>

namespace trackplex::lhcb {

/// Cuts of Compass, and tables of the detector. The arrays are handles: copies are cheap.
template <class T, class MemorySpace>
struct CompassSetup {
  UtSearchTables<T, MemorySpace> tables;  ///< positions of the sector groups
  UtMagnet<T, MemorySpace> magnet;        ///< deflections and field integrals
  T polarity;                             ///< of the magnet: -1 down, +1 up
  CompassCuts<T> cuts;                    ///< cuts, in mm and MeV

  using Lines = LineStates<T, MemorySpace>;  ///< States of VELO tracks.
  /// Selects the states according to CompassParams::end_of_velo_states.
  const Lines& states(const Lines& at_beam, const Lines& at_end) const {
    return cuts.end_of_velo_states ? at_end : at_beam;
  }
};

/// Input of the kernels of Compass.
template <class T, class MemorySpace>
struct CompassInput : CompassSetup<T, MemorySpace>, VeloInput<T, MemorySpace> {
  UtHits<T, MemorySpace> ut_hits;  ///< hits of the UT, sorted
};

}  // namespace trackplex::lhcb
