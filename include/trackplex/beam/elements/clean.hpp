// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/bunch/energy_change.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/elements/detail/lose_outside.hpp>
#include <trackplex/beam/elements/element.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class CleanAction;

/// Removes particles far from the mean, or from the axis (CLEAN).
struct Clean {
  /// Quantity that is compared with the limits.
  enum class Mode {
    standard_deviation,  ///< The distance from the mean in units of the rms.
    absolute_deviation,  ///< The distance from the mean.
    absolute_value       ///< The absolute value.
  };
  Mode mode = Mode::standard_deviation;  ///< Mode.
  /// Limits of x, x', y, y', the time (s), delta, in the order of `Coordinate`; 0: none.
  std::array<double, n_coordinates> limit{};

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "collimator";
  void check(const ElementCheck& check) const {
    for (const double value : limit) check.not_negative("limit", value);
  }
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = CleanAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// Squares of delays about a value.
template <class Real>
struct SquaredDelays {
  using Double = Rebind<Real, double>;
  DelayTerms<Real> delays;
  double about;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 1> operator()(const Tile<Double>& place) const {
    const Double d = delays(place)[0] - Double(about);
    return {{d * d}};
  }
};

}  // namespace detail

/// Action of `Clean`. Waits for the instance if limits are distances from the mean.
template <class T, class ExecutionSpace, int Width>
class CleanAction {
 public:
  /// Takes the limits of an element.
  CleanAction(const ExecutionSpace&, const Clean& element) : element_(element) {}

  /// Loses the particles outside.
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace, const Loss& here) const {
    if (bunch.share().all == 0) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    auto low = detail::all_of_value(-infinity), high = detail::all_of_value(infinity);
    const bool is_value = element_.mode == Clean::Mode::absolute_value;
    const bool is_relative = element_.mode == Clean::Mode::standard_deviation;
    Moments moments;
    if (!is_value) moments = moments_of(exec, bunch, workspace);
    for (int c = 0; c < n_coordinates; ++c) {
      if (!(element_.limit[c] > 0.)) continue;
      double middle = moments.mean[c], rms = moments.sigma(c);
      if (c == s) std::tie(middle, rms) = delays(exec, bunch, workspace);
      const double unit = is_relative ? rms : c == s ? constants::speed_of_light : 1.;
      low[c] = middle - element_.limit[c] * unit;
      high[c] = middle + element_.limit[c] * unit;
    }
    detail::lose_outside<Width>(exec, bunch, here, low, high, false);
  }

 private:
  /// Mean delay and rms of delays, m; of values: the delay at time 0.
  std::pair<double, double> delays(const ExecutionSpace& exec,
                                   const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                                   Workspace<ExecutionSpace>& workspace) const {
    using Real = LanesOf<T, Width>;
    if (element_.mode == Clean::Mode::absolute_value)
      return {-detail::light_path_of(bunch.reference), 0.};
    const double mean = mean_delay<Width>(exec, bunch, workspace);
    const detail::DelayTerms<Real> terms{bunch.columns(), ArrivalTimes<T>(bunch.reference)};
    const double square = detail::mean_on_host<Real>(
        exec, bunch.share(), detail::SquaredDelays<Real>{terms, mean}, workspace);
    return {mean, std::sqrt(square)};
  }

  Clean element_;
};

}  // namespace trackplex::beam
