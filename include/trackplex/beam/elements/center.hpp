// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class CenterAction;

/// Subtracts the means of the particles from their coordinates (CENTER).
struct Center {
  bool x = true;       ///< Centre in x is set.
  bool xp = true;      ///< Centre in x' is set.
  bool y = true;       ///< Centre in y is set.
  bool yp = true;      ///< Centre in y' is set.
  bool s = false;      ///< Mean of the total path is set to 0.
  bool delta = false;  ///< Centre in delta is set.
  bool time = false;   ///< Mean time is set to 0.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = CenterAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// Constants subtracted from coordinates.
template <class Real>
struct SubtractConstants {
  BunchColumns<ScalarOf<Real>> columns;
  ScalarOf<Real> constant[n_coordinates];

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    for (int c = 0; c < n_coordinates; ++c)
      if (constant[c] != ScalarOf<Real>(0))
        tile.store(columns.v[c], tile.load(columns.v[c]) - Real(constant[c]));
  }
};

}  // namespace detail

/// Action of `Center`. Waits for the instance.
template <class T, class ExecutionSpace, int Width>
class CenterAction {
 public:
  /// Takes the coordinates of an element.
  CenterAction(const ExecutionSpace&, const Center& which) : which_(which) {}

  /// Subtracts the means of a bunch.
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace) const {
    using Real = LanesOf<T, Width>;
    if (bunch.share().all == 0) return;
    if (which_.time) {
      const double delay = mean_delay<Width>(exec, bunch, workspace);
      shift_time<Width>(exec, bunch, detail::light_path_of(bunch.reference) + delay);
    }
    const Moments moments = moments_of(exec, bunch, workspace);
    const bool chosen[] = {which_.x, which_.xp, which_.y, which_.yp, which_.s, which_.delta};
    detail::SubtractConstants<Real> kernel{bunch.columns(), {}};
    for (int c = 0; c < n_coordinates; ++c)
      kernel.constant[c] = chosen[c] ? T(moments.mean[c]) : T(0);
    for_each_tile<Real>(exec, "Trackplex::Beam::center", bunch.size(), kernel);
    if (which_.s) bunch.reference.path_length = 0.;
  }

 private:
  Center which_;
};

}  // namespace trackplex::beam
