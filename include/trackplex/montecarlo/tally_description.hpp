// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Bins of equal width from `low` to `high`.
struct AxisRange {
  double low = 0., high = 1.;
  int bins = 1;

  /// Edge i of the bins, 0 to `bins`.
  double edge(int i) const { return (low * (bins - i) + high * i) / bins; }
  friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

struct TallyAxis {
  std::string quantity;
  AxisRange range;
  friend bool operator==(const TallyAxis&, const TallyAxis&) = default;
};

/// Description of a tally. With axes of a, b, ... bins it has (a + 2) (b + 2) ... cells: on each
/// axis what is below, the bins, and what is beyond; those of the last axis are next to each other.
struct TallyDescription {
  std::string name;
  std::vector<TallyAxis> axes;  ///< none for a user's own
  int cells = 0;
  friend bool operator==(const TallyDescription&, const TallyDescription&) = default;
};

}  // namespace trackplex::montecarlo
