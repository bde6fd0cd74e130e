// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Common parts of the actions of longitudinal and transverse modes of cavities.

#include <trackplex/beam/collective/detail/mode_field.hpp>
#include <trackplex/beam/collective/detail/wake_action.hpp>
#include <trackplex/beam/collective/resonator.hpp>

#include <cmath>
#include <cstddef>
#include <string>

namespace trackplex::beam::detail {

template <class T, class ExecutionSpace, int Width>
class ModeAction : protected WakeAction<T, ExecutionSpace, Width> {
  using Base = WakeAction<T, ExecutionSpace, Width>;

 protected:
  using typename Base::BunchType;
  using typename Base::FieldReal;
  using Field = ModeField<T, MemoryOf<ExecutionSpace>>;

  template <class Modes>
  ModeAction(const ExecutionSpace& exec, const char* where, const Modes& modes)
      : Base(exec, binning_of(where, modes), modes),
        where_(where),
        turns_(modes.turns),
        allow_outside_(modes.allow_outside),
        width_(modes.bin_size * constants::speed_of_light),
        charge_(modes.charge) {}

  /// Returns the charge of a particle: that of the bunch or, without one, the element's over the
  /// particles of this pass.
  double charge_now(const BunchType& bunch) const {
    return this->charge_of(bunch, bunch.particle_charge > 0. ? 0. : charge_);
  }
  /// Returns the charge of a particle after `arrive`: the element's is that of the first pass.
  double kept_charge(const BunchType& bunch, double now) {
    if (bunch.particle_charge > 0.) return now;
    if (of_particle_ == 0.) of_particle_ = now;
    return of_particle_;
  }

  /// Requires that all particles are in the bins, if they must be.
  template <class Range>
  void require_inside(const Range& range) const {
    const DelayGrid& grid = this->grid();
    const double first = (range(0) - grid.first) * grid.bins_per_metre + 0.5;
    const double last = (range(1) - grid.first) * grid.bins_per_metre + 0.5;
    if (allow_outside_ || (first >= 0. && last < grid.bins)) return;
    throw UsageError(where_, "particles are outside the bins",
                     "bins of " + shortest(grid.bins * width_ / constants::speed_of_light) +
                         " s around the mean, the bunch has " +
                         shortest((range(1) - range(0)) / constants::speed_of_light) + " s",
                     "take more bins, or allow particles outside, which are not kicked");
  }

  /// Finds the path from the phasors to the first bin. A bunch that comes before the last one
  /// begins anew: `begin(light)` sets the phasors and returns their time, where `light` is that of
  /// the reference particle, both times the speed of light, m.
  template <class Begin>
  void arrive(const ReferenceParticle& reference, int turn, const Begin& begin) {
    const double light = light_path_of(reference), first = this->grid().first;
    if (has_passed_) gap_ = (light - light_) + (first - delay_);
    if (has_passed_ && gap_ <= 0. && turn > turn_ && !turns_.forget)
      throw UsageError(where_, "the bins begin before those of the last turn end",
                       shortest(-gap_ / constants::speed_of_light) + " s", "take fewer bins");
    if (!has_passed_ || gap_ <= 0.) {
      gap_ = (light - begin(light)) + first;
      of_particle_ = 0.;
    }
    has_passed_ = true;
    turn_ = turn;
    light_ = light;
    delay_ = first + (this->grid().bins - 1) * width_;
  }

  /// Returns the pass of the last bins, without what its field adds.
  template <class Integer>
  RingModes<FieldReal, Integer> pass(const Integer* numbers, int stride, double charge) const {
    RingModes<FieldReal, Integer> pass{};
    pass.numbers = numbers;
    pass.stride = stride;
    pass.charge = charge * turns_.strength_on(turn_);
    pass.gap = gap_;
    pass.width = width_;
    pass.bins = this->grid().bins;
    pass.forget = turns_.forget;
    pass.earlier_only = turns_.earlier_only;
    return pass;
  }

  static double light_path_of(const ReferenceParticle& reference) {
    const double inverse = 1. / reference.p0;
    return reference.path_length * std::sqrt(1. + inverse * inverse);
  }

 private:
  template <class Modes>
  static WakeBinning binning_of(const char* where, const Modes& modes) {
    modes.check(ElementCheck(where));
    constexpr std::size_t most = std::size_t(1) << 27;
    if (modes.modes.empty()) throw UsageError(where, "there is no mode");
    if (!(modes.bin_size > 0.))
      throw UsageError(where, "the bins have no length", shortest(modes.bin_size) + " s");
    if (modes.bins < 2 || modes.bins >= histogram::detail::too_many_bins ||
        std::size_t(modes.bins) * modes.modes.size() > most)
      throw UsageError(where, "no such number of bins", std::to_string(modes.bins),
                       "there are two at least, and together for all modes 2^27 at most");
    return {.where = where,
            .spacing = modes.bin_size,
            .points = modes.bins,
            .bins = modes.bins,
            .max_bins = modes.bins,
            .allow_long_beam = true,
            .shift = 0.5};
  }

  const char* where_;
  ModeTurns turns_;
  bool allow_outside_;
  double width_;   ///< of bins, m
  double charge_;  ///< of the whole bunch, C
  double of_particle_ = 0.;
  bool has_passed_ = false;
  int turn_ = 0;       ///< of the last pass
  double light_ = 0.;  ///< c times the time of its reference particle, m
  double delay_ = 0.;  ///< of its last bin, m
  double gap_ = 0.;    ///< from the phasors to the first bin, m
};

}  // namespace trackplex::beam::detail
