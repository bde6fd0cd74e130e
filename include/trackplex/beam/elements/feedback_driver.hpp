// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/elements/detail/feedback_signal.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/workspace.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

/// @file
/// Driver of a feedback from turn to turn, see feedback_pickup.hpp.

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class FeedbackDriverAction;

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

}  // namespace detail

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
#include <trackplex/beam/elements/detail/feedback_driver.impl.hpp>
#endif
