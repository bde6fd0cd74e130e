// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/elements/detail/lose_outside.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/ranks.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class MomentumFilterAction;

/// Removes particles of high or low momentum (PFILTER).
struct MomentumFilter {
  double limit = 0.;           ///< Particles with |delta| at or above it are lost; 0: no limit.
  bool is_centered = false;    ///< Whether the limit applies to the distance from the mean delta.
  double lower_fraction = 0.;  ///< Fraction of the particles that are lost at low momenta.
  double upper_fraction = 0.;  ///< Fraction of the particles that are lost at high momenta.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "collimator";
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = MomentumFilterAction<T, ExecutionSpace, Width>;
  /// @}
};

/// Action of `MomentumFilter`. Waits for the instance if it needs the mean or fractions, which
/// are computed on the host.
template <class T, class ExecutionSpace, int Width>
class MomentumFilterAction {
 public:
  /// Takes the limits of an element.
  MomentumFilterAction(const ExecutionSpace&, const MomentumFilter& element) : element_(element) {}

  /// Loses the particles outside.
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace, const Loss& here) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (bunch.share().all == 0) return;
    auto low = detail::all_of_value(-infinity), high = detail::all_of_value(infinity);
    if (element_.limit > 0.) {
      const double mean = element_.is_centered ? mean_delta<Width>(exec, bunch, workspace) : 0.;
      low[delta] = mean - element_.limit;
      high[delta] = mean + element_.limit;
      detail::lose_outside<Width>(exec, bunch, here, low, high, true);
    }
    if (!(element_.lower_fraction > 0. || element_.upper_fraction > 0.)) return;
    low[delta] = -infinity;
    high[delta] = infinity;
    const auto column = Kokkos::subview(bunch.values(delta), std::pair(0, bunch.size()));
    const auto host = to_host(exec, column);
    deltas_.assign(host.data(), host.data() + bunch.size());
    if (bunch.share().ranks)
      deltas_ = gather_all(*bunch.share().ranks, std::span<const T>(deltas_));
    if (element_.lower_fraction > 0.) low[delta] = at_fraction(element_.lower_fraction);
    if (element_.upper_fraction > 0.) high[delta] = at_fraction(1. - element_.upper_fraction);
    detail::lose_outside<Width>(exec, bunch, here, low, high, false);
  }

 private:
  /// Returns the quantile of delta for a fraction of the particles.
  double at_fraction(double fraction) {
    const auto at = deltas_.begin() + std::ptrdiff_t(double(deltas_.size() - 1) * fraction);
    std::nth_element(deltas_.begin(), at, deltas_.end());
    return *at;
  }

  MomentumFilter element_;
  std::vector<T> deltas_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/momentum_filter.impl.hpp>
#endif
