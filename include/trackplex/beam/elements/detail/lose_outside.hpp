// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/energy_change.hpp>
#include <trackplex/core/launch.hpp>

#include <array>
#include <cmath>

namespace trackplex::beam::detail {

/// Loses particles outside limits; limits of the time are delays.
template <class Real>
struct LoseOutside {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  Loss* losses;
  Loss here;
  ArrivalTimes<T> times;
  T low[n_coordinates], high[n_coordinates];
  bool limits_time, is_open;  ///< whether values on limits are lost

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    MaskOf<Real> lost(false);
    for (int c = 0; c < n_coordinates; ++c) {
      if (c == s && !limits_time) continue;
      const Real value = c == s ? times.delay(tile.load(columns.v[s]), tile.load(columns.v[delta]))
                                : tile.load(columns.v[c]);
      const Real below(low[c]), above(high[c]);
      lost = lost || (is_open ? !(value > below) || !(value < above)
                              : !(value >= below) || !(value <= above));
    }
    for_each_lane(lost && tile.mask(), [&](int lane) { losses[tile.first + lane] = here; });
  }
};

/// Loses the particles outside limits; `low` and `high` are infinite where there are none.
template <int Width, class ExecutionSpace, class T>
void lose_outside(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  const Loss& here, const std::array<double, n_coordinates>& low,
                  const std::array<double, n_coordinates>& high, bool is_open) {
  using Real = LanesOf<T, Width>;
  LoseOutside<Real> kernel{bunch.columns(),
                           bunch.losses.data(),
                           here,
                           ArrivalTimes<T>(bunch.reference),
                           {},
                           {},
                           std::isfinite(low[s]) || std::isfinite(high[s]),
                           is_open};
  for (int c = 0; c < n_coordinates; ++c) {
    kernel.low[c] = T(low[c]);
    kernel.high[c] = T(high[c]);
  }
  for_each_tile<Real>(exec, "Trackplex::Beam::lose_outside", bunch.size(), kernel);
  bunch.may_have_lost = true;
}

inline std::array<double, n_coordinates> all_of_value(double value) {
  std::array<double, n_coordinates> values;
  values.fill(value);
  return values;
}

}  // namespace trackplex::beam::detail
