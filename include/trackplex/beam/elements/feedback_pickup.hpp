// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/elements/detail/feedback_signal.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/random.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
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

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/feedback_pickup.impl.hpp>
#endif
