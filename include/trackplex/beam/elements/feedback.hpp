// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Feedback from turn to turn, as the elements TFBPICKUP and TFBDRIVER of the accelerator code
/// elegant (M. Borland), for one bunch: a pickup measures the mean of a coordinate, and a driver
/// kicks all particles by its filtered signal. With the readings \f$u_n\f$ of the turns n,
/// \f[ p_n=\sum_{i<N}a_iu_{n-i},\qquad k_n=\sum_{i<M}b_i\,g\,p_{n-d-i}, \f]
/// with the coefficients a of the pickup and b of the driver, its strength g and delay d. Both
/// are 0 until they have enough values.

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class FeedbackPickupAction;
template <class T, class ExecutionSpace, int Width>
class FeedbackDriverAction;

/// Pickup of a feedback (TFBPICKUP).
struct FeedbackPickup {
  std::string id{};                ///< Name shared with its drivers.
  Coordinate plane = x;            ///< Measured coordinate: x, y or delta.
  std::vector<double> filter{1.};  ///< Coefficients a, beginning with the present turn.
  double offset = 0.;              ///< Reading that is 0, m or 1.
  double noise = 0.;               ///< Rms of normal noise of a reading, cut at two sigma, m or 1.
  int interval = 1;                ///< Turns from one reading to the next.
  int first_turn = 0;              ///< First turn on which it measures.
  int last_turn = -1;              ///< Last one; below 0: none.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "monitor";
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = FeedbackPickupAction<T, ExecutionSpace, Width>;
  /// @}
};

/// Driver of a feedback (TFBDRIVER): changes x', y' by k/(1 + delta), or delta by k.
struct FeedbackDriver {
  std::string id{};      ///< Name of the pickup; if it is downstream, the signal is of the last
                         ///< turn.
  double strength = 0.;  ///< Strength g, 1/m or 1.
  double limit = 0.;     ///< Largest |k|, rad or 1; 0: no limit.
  int delay = 0;         ///< Delay d, in its intervals.
  std::vector<double> filter{1.};  ///< Coefficients b.
  int interval = 1;                ///< Readings of the pickup from one kick to the next.
  bool is_longitudinal = false;    ///< Whether it changes delta; else the slope of the plane.
  int first_turn = 0;              ///< First turn on which it acts.
  int last_turn = -1;              ///< Last one; below 0: none.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "kicker";
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = FeedbackDriverAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// Values of the last turns, and their sum with the coefficients of a filter.
class FeedbackFilter {
 public:
  FeedbackFilter() = default;
  FeedbackFilter(std::vector<double> coefficients, int delay)
      : coefficients_(std::move(coefficients)),
        delay_(delay),
        values_(coefficients_.size() + std::size_t(delay)) {}

  /// Adds a value; returns the sum, 0 until there are enough values.
  double add(double value);

 private:
  std::vector<double> coefficients_;
  int delay_ = 0;
  std::vector<double> values_;
  std::size_t n_ = 0;
};

/// Signals of pickups for drivers, by name.
struct FeedbackSignal {
  Coordinate plane = x;
  int interval = 1;
  double output = 0.;
};
using FeedbackSignals = std::map<std::string, FeedbackSignal>;

/// Kick of all particles.
template <class Real>
struct ApplyFeedback {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  int coordinate;
  T kick;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Real change(kick);
    if (coordinate != delta) change = change / (Real(1) + tile.load(columns.v[delta]));
    tile.store(columns.v[coordinate], tile.load(columns.v[coordinate]) + change);
  }
};

/// Returns true for turns from the first to the last one; below 0 there is no last turn.
inline bool is_among(int turn, int first, int last) {
  return turn >= first && (last < 0 || turn <= last);
}

}  // namespace detail

/// Action of a `FeedbackPickup`. Waits for the instance.
template <class T, class ExecutionSpace, int Width>
class FeedbackPickupAction {
 public:
  /// Takes the pickup, and the slot of its signal from the state of a line.
  /// @throws UsageError as `FeedbackPickup::check`, or if it has no filter, does not measure x, y
  /// or delta, or another one has its name
  FeedbackPickupAction(const ExecutionSpace&, const FeedbackPickup& pickup, LineState& state)
      : pickup_(pickup),
        signals_(state.shared<detail::FeedbackSignals>()),
        filter_(pickup.filter, 0) {
    pickup.check(ElementCheck("pickup"));
    if (pickup.filter.empty()) throw UsageError("pickup", "its filter has no coefficients");
    if (pickup.plane != x && pickup.plane != y && pickup.plane != delta)
      throw UsageError("pickup", "it measures x, y or delta only", std::to_string(pickup.plane));
    if (!signals_->emplace(pickup.id, detail::FeedbackSignal{pickup.plane, pickup.interval, 0.})
             .second)
      throw UsageError("pickup", "another pickup has its name", pickup.id);
  }

  /// Measures a bunch.
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace, const Loss& here) {
    if (!detail::is_among(here.turn, pickup_.first_turn, pickup_.last_turn)) return;
    if (here.turn % pickup_.interval != 0 || bunch.share().all == 0) return;
    const double mean = moments_of(exec, bunch, workspace).mean[pickup_.plane];
    (*signals_)[pickup_.id].output = filter_.add(mean - pickup_.offset + noise(bunch.seed, here));
  }

 private:
  /// Number of each turn and element, in place of a particle id.
  double noise(std::uint64_t seed, const Loss& here) const {
    if (pickup_.noise == 0.) return 0.;
    auto random = particle_random<double>(seed, ParticleIds<double>(-1), here.turn, here.element);
    double number = random.normal();
    for (int trial = 0; std::abs(number) > 2. && trial < 1000; ++trial) number = random.normal();
    return pickup_.noise * number;
  }

  FeedbackPickup pickup_;
  std::shared_ptr<detail::FeedbackSignals> signals_;
  detail::FeedbackFilter filter_;
};

/// Action of a `FeedbackDriver`.
template <class T, class ExecutionSpace, int Width>
class FeedbackDriverAction {
 public:
  /// Takes the driver, and the signals of pickups from the state of a line.
  /// @throws UsageError as `FeedbackDriver::check`, or if it has no filter
  FeedbackDriverAction(const ExecutionSpace&, const FeedbackDriver& driver, LineState& state)
      : driver_(driver),
        signals_(state.shared<detail::FeedbackSignals>()),
        filter_(driver.filter, driver.delay) {
    driver.check(ElementCheck("driver"));
    if (driver.filter.empty()) throw UsageError("driver", "its filter has no coefficients");
  }

  /// Enqueues the kick of a bunch.
  /// @throws UsageError if no pickup of the line has its name, or a pickup of delta is used for
  /// slopes
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>&, const Loss& here) {
    using Real = LanesOf<T, Width>;
    if (!detail::is_among(here.turn, driver_.first_turn, driver_.last_turn)) return;
    const detail::FeedbackSignal& signal = signal_of_pickup();
    if (here.turn % (driver_.interval * signal.interval) != 0) return;
    double kick = filter_.add(driver_.strength * signal.output);
    if (driver_.limit > 0.) kick = std::clamp(kick, -driver_.limit, driver_.limit);
    if (kick == 0.) return;
    const int coordinate = driver_.is_longitudinal ? int(delta) : signal.plane + 1;
    for_each_tile<Real>(exec, "Trackplex::Beam::feedback", bunch.size(),
                        detail::ApplyFeedback<Real>{bunch.columns(), coordinate, T(kick)});
  }

 private:
  const detail::FeedbackSignal& signal_of_pickup() const {
    const auto found = signals_->find(driver_.id);
    if (found == signals_->end())
      throw UsageError("driver", "no pickup of the line has its name", driver_.id);
    if (found->second.plane == delta && !driver_.is_longitudinal)
      throw UsageError("driver", "its pickup measures delta, but it is not longitudinal",
                       driver_.id);
    return found->second;
  }

  FeedbackDriver driver_;
  std::shared_ptr<detail::FeedbackSignals> signals_;
  detail::FeedbackFilter filter_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/feedback.impl.hpp>
#endif
