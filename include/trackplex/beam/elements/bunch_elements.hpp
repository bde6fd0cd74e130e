// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/bunch/energy_change.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

/// @file
/// Elements that act on the whole bunch, but not through its field: on its means, its reference
/// particle, and its particles.

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class CenterAction;
template <class T, class ExecutionSpace, int Width>
class SetMomentumAction;
template <class T, class ExecutionSpace, int Width>
class CleanAction;
template <class T, class ExecutionSpace, int Width>
class MomentumFilterAction;

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

/// Changes the reference momentum, or momenta of particles to match it (ENERGY).
struct SetMomentum {
  double momentum = 0.;          ///< Reference momentum beta gamma; 0: unchanged.
  bool match_line = false;       ///< Whether it is set to the mean of the particles.
  bool match_particles = false;  ///< Whether momenta change so that their mean is the
                                 ///< unchanged reference momentum; times are kept.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  void check(const ElementCheck& check) const { check.not_negative("momentum", momentum); }
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  double momentum_behind(double p0) const {
    return momentum > 0. && !match_line && !match_particles ? momentum : p0;
  }
  template <class T, class ExecutionSpace, int Width>
  using Action = SetMomentumAction<T, ExecutionSpace, Width>;
  /// @}
};

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

/// Adds a term to the momentum u = 1 + delta, with the time kept.
template <class Real>
struct ShiftMomentum {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  T shift, p0_to_minus_2, path;  ///< the last one times p0^-2

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real inverse(p0_to_minus_2), step(shift), s0 = tile.load(columns.v[s]);
    const Real u = Real(1) + tile.load(columns.v[delta]), u1 = u + step;
    const Real g = sqrt(fma(u, u, inverse)), g1 = sqrt(fma(u1, u1, inverse)), cross = u * g1;
    const Real way = fma(s0, inverse, Real(path));
    tile.store(columns.v[s],
               fma(way * (step * (u + u1)), Real(1) / (cross * fma(u1, g, cross)), s0));
    tile.store(columns.v[delta], tile.load(columns.v[delta]) + step);
  }
};

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

/// Action of `SetMomentum`. Waits for the instance if it needs the mean momentum.
template <class T, class ExecutionSpace, int Width>
class SetMomentumAction {
 public:
  /// Takes the settings of an element.
  SetMomentumAction(const ExecutionSpace&, const SetMomentum& element) : element_(element) {}

  /// Changes the reference momentum, or the momenta of particles.
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace) const {
    using Real = LanesOf<T, Width>;
    if (element_.match_line) return set_reference_to_mean<Width>(exec, bunch, workspace);
    if (element_.match_particles) {
      const double p0 = bunch.reference.p0, inverse_square = 1. / (p0 * p0);
      const double mean = mean_delta<Width>(exec, bunch, workspace);
      for_each_tile<Real>(
          exec, "Trackplex::Beam::match_particles", bunch.size(),
          detail::ShiftMomentum<Real>{bunch.columns(), T(-mean), T(inverse_square),
                                      T(bunch.reference.path_length * inverse_square)});
    } else if (element_.momentum > 0.) {
      change_reference_momentum<Width>(exec, bunch, element_.momentum);
    }
  }

 private:
  SetMomentum element_;
};

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
#include <trackplex/beam/elements/detail/bunch_elements.impl.hpp>
#endif
