// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Edges of a frequency filter, as fractions of the highest frequency of the spectrum. Between them
/// its weight is linear; see `frequency_weights`.
struct FrequencyCutoff {
  double begin = -1.;  ///< Begin of the slope; below 0: no filter.
  double end = -1.;    ///< End of the slope; below 0: a sharp cutoff at `begin`.
};

template <class T, class ExecutionSpace, int Width>
class LongitudinalSpaceCharge;

/// Drift with longitudinal space charge (LSCDRIFT).
struct SpaceChargeDrift {
  double length = 0.;            ///< Length, m; 0: a kick without a drift.
  double effective_length = 0.;  ///< Length that the field of a kick acts over, m.
  int bins = 0;                  ///< Number of bins of time: even, at least 4.
  bool smoothing = false;        ///< Whether the current is smoothed, by a Savitzky-Golay filter.
  int smoothing_half_width = 1;  ///< Bins on each side in the filter.
  int smoothing_order = 1;       ///< Order of the polynomial of the filter.
  bool interpolate = true;       ///< Whether the voltage is linear between centres of bins.
  FrequencyCutoff low_frequency{};   ///< Frequencies below are removed.
  FrequencyCutoff high_frequency{};  ///< Frequencies above are removed.
  double radius_factor = 1.7;        ///< Radius of the beam over the mean of the rms sizes.
  bool space_charge = true;          ///< Whether there is space charge; else an exact drift.
  int max_steps = 10000;             ///< Max number of steps; a bunch that needs more is refused.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "space charge";
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return drift_map(length, order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = LongitudinalSpaceCharge<T, ExecutionSpace, Width>;
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/space_charge_drift.impl.hpp>
#endif
