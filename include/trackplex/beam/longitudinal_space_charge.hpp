// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Longitudinal space charge: particles repel each other along the beam. The current of a bunch is
/// a histogram of its times of arrival; its spectrum times the impedance of a round beam is a
/// voltage. A drift is cut into steps so short that plasma oscillations are resolved, each of them
/// a kick with the voltage and a drift behind it, as in the element LSCDRIFT of the accelerator
/// code elegant (M. Borland).

#include <trackplex/beam/detail/space_charge_field.hpp>
#include <trackplex/beam/elements.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/on_host.hpp>
#include <trackplex/histogram/deposit.hpp>

#include <vector>

namespace trackplex::beam {

/// The weight of each of the bins/2 + 1 frequencies of a current, between 0 and 1. Frequency 0 and
/// the highest one have none. Fractions are those of the number of frequencies, cut to whole ones;
/// between `begin` and `end` a cutoff is linear, and sharp at `begin` without an `end`. The low one
/// removes frequencies if its begin is not below 0, the high one if its begin is above 0.
inline std::vector<double> frequency_weights(int bins, const FrequencyCutoff& low,
                                             const FrequencyCutoff& high) {
  const int n = bins / 2 + 1;
  std::vector<double> weights(n, 1.);
  const auto slope = [](int i, int begin, int end) {  // from 0 at begin to 1 at end
    return i < begin ? 0. : i >= end ? 1. : double(i - begin) / (end - begin);
  };
  if (high.begin > 0.) {
    const int begin = std::max(1, int(high.begin * n)), end = std::min(int(high.end * n), n - 1);
    for (int i = begin; i < n; ++i) weights[i] = 1. - slope(i, begin, end);
  }
  if (low.begin >= 0.) {
    const int begin = int(low.begin * n), end = std::min(int(low.end * n), n - 1);
    for (int i = 0; i < n; ++i) weights[i] *= slope(i, begin, end);
  }
  weights.front() = weights.back() = 0.;
  return weights;
}

/// Current and voltage along a bunch in one step.
struct SpaceChargeProfile {
  std::vector<double> time;     ///< of the centres of the bins, beside the reference particle's, s
  std::vector<double> current;  ///< A, after smoothing
  std::vector<double> voltage;  ///< V: by so many eV a particle of this time has less energy
};

/// One drift with space charge: its tables, and what its last pass through it left. It serves one
/// instance at a time; nothing is allocated while bunches of one size are tracked.
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::space_charge>>
class LongitudinalSpaceCharge {
  using Real = LanesOf<T, Width>;
  using Double = Rebind<Real, double>;
  using FieldReal = LanesOf<double, (Width < 4 ? Width : 4)>;
  using Field = detail::SpaceChargeField<T, FieldReal, MemoryOf<ExecutionSpace>>;
  using StepView = typename Field::template Array<SpaceChargeStep>;

 public:
  using BunchType = Bunch<T, ExecutionSpace>;
  static constexpr int most_bins = RealFft<MemoryOf<ExecutionSpace>>::capacity;

  /// Waits for the instance.
  /// @throws UsageError if a length is negative, or with space charge, the number of bins odd or
  ///         below 4, the radius factor not above 0, or the smoothing impossible; CapacityError for
  ///         more bins than `most_bins`
  LongitudinalSpaceCharge(const ExecutionSpace& exec, const SpaceChargeDrift& drift);

  /// Enqueues the drift on the instance and returns its number of steps. Where the length is given
  /// (a kick, or no space charge) it waits for nothing; else it waits, in each step, for the step's
  /// length, which decides whether another one follows.
  /// The bunch has no lost particles among the others. A kick of a bunch that has no field leaves
  /// it alone: see `check`.
  /// @throws UsageError if the bunch may have lost particles or its particles have no charge; and
  /// in
  ///         a drift as `check`, before the step that finds it
  int track(const ExecutionSpace& exec, BunchType& bunch, Workspace<ExecutionSpace>& workspace);

  /// The steps of the last drift; empty after a kick.
  const std::vector<SpaceChargeStep>& steps() const { return steps_; }
  /// The last step, of a kick, too. Waits for the instance.
  SpaceChargeStep last_step(const ExecutionSpace& exec) const {
    Kokkos::deep_copy(exec, host_step_, field_.step);
    exec.fence();
    return host_step_(0);
  }
  /// Waits for the instance.
  /// @throws UsageError if the last step had no field: all particles in one place of the transverse
  ///         plane or at one time, or coordinates that are no numbers
  void check(const ExecutionSpace& exec) const { require_field(last_step(exec)); }

  /// Current and voltage of the last step, on the device: of `bins` bins and, of the voltage, one
  /// more.
  const typename Field::template Array<double>& current() const { return field_.current; }
  const typename Field::template Array<double>& voltage() const { return field_.voltage; }
  /// The same for plots. Waits for the instance.
  SpaceChargeProfile profile(const ExecutionSpace& exec) const;

 private:
  bool is_kick() const { return drift_.length == 0.; }
  void prepare(const ExecutionSpace& exec);
  void require_bunch(const BunchType& bunch) const;
  static void require_field(const SpaceChargeStep& step);
  void find_field(const ExecutionSpace& exec, const BunchType& bunch, const T* delays,
                  double length_left, bool first, Workspace<ExecutionSpace>& workspace);
  void push(const ExecutionSpace& exec, const BunchType& bunch, T* delays, bool more,
            Workspace<ExecutionSpace>& workspace);

  SpaceChargeDrift drift_;
  Field field_{};
  decltype(Kokkos::create_mirror_view(StepView())) host_step_;
  std::vector<SpaceChargeStep> steps_;
};

}  // namespace trackplex::beam

#include <trackplex/beam/detail/track_space_charge.hpp>
