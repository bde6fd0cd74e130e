// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Aperture from one side, two, or none, at both ends of an exact drift (SCRAPER).
struct Scraper {
  /// Sides that it is inserted from.
  enum class From {
    none,     ///< None: a drift.
    plus_x,   ///< Positive x.
    minus_x,  ///< Negative x.
    plus_y,   ///< Positive y.
    minus_y,  ///< Negative y.
    both_x,   ///< Both sides in x.
    both_y    ///< Both sides in y.
  };
  double length = 0.;      ///< Length, m.
  From from = From::none;  ///< Side.
  double position = 0.;    ///< Position of the edge, m; for both sides, distance from the centre.
  double dx = 0.;          ///< Displacement in x, m.
  double dy = 0.;          ///< Displacement in y, m.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "collimator";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const;
  /// @}

 private:
  void insert(StepBuilder& to) const;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/scraper.impl.hpp>
#endif
