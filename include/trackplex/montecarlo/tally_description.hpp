// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Range of an axis: bins of equal width from `low` to `high`, in the unit of its quantity.
struct AxisRange {
  double low = 0.,  ///< Lower edge of the first bin.
      high = 1.;    ///< Upper edge of the last bin.
  int bins = 1;     ///< Number of bins, without those below and beyond.

  /// Returns edge i of the bins, 0 to `bins`.
  double edge(int i) const { return (low * (bins - i) + high * i) / bins; }
  /// Memberwise equality.
  friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// Axis of a tally: a quantity and its bins.
struct TallyAxis {
  std::string quantity;  ///< Name of the quantity, for example "longitudinal".
  AxisRange range;       ///< Bins, in the unit of the quantity.
  /// Memberwise equality.
  friend bool operator==(const TallyAxis&, const TallyAxis&) = default;
};

/// Description of a tally. With axes of a, b, ... bins it has (a + 2) (b + 2) ... cells: on each
/// axis one below, the bins, and one beyond; cells of the last axis are contiguous.
struct TallyDescription {
  std::string name;             ///< Name, for example for files.
  std::vector<TallyAxis> axes;  ///< Axes; none for a custom tally.
  int cells = 0;                ///< Number of cells.
  /// Memberwise equality.
  friend bool operator==(const TallyDescription&, const TallyDescription&) = default;
};

}  // namespace trackplex::montecarlo
