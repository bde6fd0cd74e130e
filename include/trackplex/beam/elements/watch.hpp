// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

#include <cstdint>
#include <string>

namespace trackplex::beam {

/// Position at which the bunch or its moments are written to a file (WATCH). Trackers treat it as
/// a marker; an observer writes the file, see `io::WatchFiles`.
struct Watch {
  /// Content of the file.
  enum class Of {
    particles,  ///< The particles, one table for each turn.
    moments     ///< The moments of the bunch, one row for each turn.
  };
  std::string file{};     ///< File name; %s is the name of the lattice file or program.
  Of of = Of::particles;  ///< Contents of the file.
  int first_turn = 0;     ///< First turn.
  int end_turn = -1;      ///< Turn after the last one; below 0: no end.
  int interval = 1;       ///< Interval in turns.
  int first_id = -1;      ///< Lowest particle id; below 0: no limit.
  int last_id = -1;       ///< Highest particle id; below 0: no limit.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "marker";
  void check(const ElementCheck& check) const {
    if (interval < 1) check.refuse("interval", interval, "it is the number of turns, from 1 on");
  }
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  void add_steps(StepBuilder&) const {}
  /// @}

  /// Returns true if it includes all particles.
  bool takes_all() const { return first_id < 0 && last_id < 0; }
  /// Returns true if it includes a particle.
  bool takes(std::int64_t id) const {
    return (first_id < 0 || id >= first_id) && (last_id < 0 || id <= last_id);
  }
  /// Returns true if it writes in a turn.
  bool writes_in(int turn) const;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/watch.impl.hpp>
#endif
