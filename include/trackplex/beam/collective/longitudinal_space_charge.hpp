// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Longitudinal space charge, by which particles repel each other along the beam, as in the element
/// LSCDRIFT of the accelerator code elegant (M. Borland). The current of a bunch is a histogram of
/// its times of arrival; its spectrum times the impedance of a round beam in free space is the
/// spectrum of a voltage (Z. Huang et al., Phys. Rev. ST Accel. Beams 7 (2004) 074401; M.
/// Venturini, Phys. Rev. ST Accel. Beams 11 (2008) 034401): \f[ V_k=-iI_kZ_k,\qquad
/// Z_k=\frac{Z_0\,l}{\pi r_b^2k}\bigl(1-aK_1(a)\bigr),
///     \quad a=\frac{k\,r_b}{\beta\gamma}. \f]
/// A drift is divided into steps of a tenth of the inverse wave number of plasma oscillations,
/// \f$ k_p=\frac2{r_b}\sqrt{I_\mathrm{max}/((\beta\gamma)^3I_A)} \f$ with the Alfven current I_A =
/// 17045 A; each step is a kick with the voltage, then a drift.

#include <trackplex/beam/collective/detail/add_counts.hpp>
#include <trackplex/beam/collective/detail/space_charge_field.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/steps/drift_straight.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/histogram/deposit.hpp>

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace trackplex::beam {

/// Returns the weight, 0 to 1, of each of the bins/2 + 1 frequencies of a current. Frequency 0 and
/// the highest one have weight 0. Fractions of a cutoff are relative to the number of frequencies,
/// truncated to integers; between `begin` and `end` a cutoff is linear, and sharp at `begin`
/// without an `end`. The low cutoff acts if its begin is not below 0, the high cutoff if its begin
/// is above 0.
std::vector<double> frequency_weights(int bins, const FrequencyCutoff& low,
                                      const FrequencyCutoff& high);

/// Current and voltage along a bunch in one step, one value per bin.
struct SpaceChargeProfile {
  std::vector<double> time;     ///< Centres of the bins, relative to the reference particle, s.
  std::vector<double> current;  ///< Current, A, after smoothing.
  std::vector<double> voltage;  ///< Voltage, V: loss of energy, eV, of a particle at this time.
};

/// Algorithm of one drift with space charge: its tables, and the results of its last pass. An
/// object serves one execution-space instance at a time; nothing is allocated while bunches of one
/// size are tracked. Results do not depend on backend, threads or lanes.
/// @tparam T              precision of the particles, float or double; all else is in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::space_charge>>
class LongitudinalSpaceCharge {
  using Real = LanesOf<T, Width>;
  using Double = Rebind<Real, double>;
  using FieldReal = LanesOf<double, (Width < 4 ? Width : 4)>;
  using Field = detail::SpaceChargeField<T, FieldReal, MemoryOf<ExecutionSpace>>;
  using StepView = typename Field::template Array<SpaceChargeStep>;

 public:
  static constexpr const char* name = "longitudinal_space_charge";
  /// Max number of bins.
  static constexpr int max_bins = RealFft<MemoryOf<ExecutionSpace>>::capacity;
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory of the algorithm.

  /// Computes the tables of the drift and allocates its arrays. Waits for the instance.
  /// @throws UsageError if a length is negative or not finite; and with space charge, if the number
  /// of bins is odd, below 4 or has a slow transform (the message suggests a good one), the radius
  /// factor is not above 0, or the smoothing does not exist
  /// @throws CapacityError if there are more bins than `max_bins`
  LongitudinalSpaceCharge(const ExecutionSpace& exec, const SpaceChargeDrift& drift)
      : drift_(drift) {
    for (const double length : {drift.length, drift.effective_length})
      if (!(length >= 0.) || !std::isfinite(length))
        throw UsageError(
            where, "a length is negative or not finite",
            shortest(drift.length) + " m, effective " + shortest(drift.effective_length) + " m");
    if (!drift.space_charge) return;
    if (drift.bins < 4 || drift.bins % 2 != 0)
      throw UsageError(where, "the number of bins is not an even number from 4 on",
                       std::to_string(drift.bins), "a few hundred serve most bunches");
    if (drift.bins > max_bins)
      throw CapacityError(where, "bins", std::size_t(drift.bins), std::size_t(max_bins));
    if (const int fast = fast_transform_length(drift.bins); fast != drift.bins)
      throw UsageError(where,
                       "the transform of " + std::to_string(drift.bins) + " bins takes too long",
                       "half of their number has a large prime factor",
                       "take " + std::to_string(fast) + " bins");
    if (!(drift.radius_factor > 0.))
      throw UsageError(where, "the radius factor is not above 0", shortest(drift.radius_factor));
    allocate(exec);
  }

  /// Enqueues the drift on the instance and returns its number of steps; adds the length to the
  /// path length of the reference particle. A kick or a drift without space charge does not
  /// wait; others wait, in each step, for its length, which decides if another step follows.
  /// Remove lost particles before (`remove_lost`). A kick leaves a bunch without a field unchanged:
  /// see `check`.
  /// @throws UsageError if the bunch may have lost particles or its particles have no charge; in a
  /// drift, also as `check`, before the step, or if it needs more than `max_steps` steps
  int operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    steps_.clear();
    const int n = bunch.size();
    double left = is_kick() ? drift_.effective_length : drift_.length;
    if (!drift_.space_charge || bunch.share().all == 0 || left == 0.) {
      for_each_tile<Real>(exec, "Trackplex::Beam::drift", n,
                          DriftStraight<Real>{bunch.columns(), T(drift_.length)});
      bunch.reference.path_length += drift_.length;
      return 0;
    }
    require_bunch(bunch);
    T* const delays = workspace.template get<T>(exec, "Trackplex::Beam::delays", n).data();
    find_first_particle(exec, bunch);
    reduce_spreads(
        exec, bunch.share(),
        detail::DelaysAndSpreads<Real>{bunch.columns(), delays, ArrivalTimes<T>(bunch.reference),
                                       field_.x, field_.y},
        workspace);
    if (is_kick()) {
      find_field(exec, bunch, delays, left, true, workspace);
      push(exec, bunch, delays, false, workspace);
      return 1;
    }
    while (left > 0.) {
      find_field(exec, bunch, delays, left, steps_.empty(), workspace);
      const SpaceChargeStep step = last_step(exec);
      require_field(step);
      require_few_steps(step, left);
      left -= step.length;
      push(exec, bunch, delays, left > 0., workspace);
      bunch.reference.path_length += step.length;
      steps_.push_back(step);
    }
    return int(steps_.size());
  }

  /// Returns the steps of the last drift; empty after a kick.
  const std::vector<SpaceChargeStep>& steps() const { return steps_; }
  /// Returns the last step, including that of a kick. Waits for the instance.
  SpaceChargeStep last_step(const ExecutionSpace& exec) const {
    copy_array(exec, host_step_, field_.step);
    exec.fence();
    return host_step_(0);
  }
  /// Throws if the last step had no field. Waits for the instance.
  /// @throws UsageError if all particles had the same x and y or arrived at one time, or
  /// coordinates were infinite or NaN
  void check(const ExecutionSpace& exec) const { require_field(last_step(exec)); }

  /// Returns current and voltage along the bunch in the last step, for plots. Waits for the
  /// instance.
  SpaceChargeProfile profile(const ExecutionSpace& exec) const {
    const auto step = last_step(exec);
    const auto copied = [&](const auto& view) {
      const auto host = to_host(exec, view, std::size_t(drift_.bins));
      return std::vector<double>(host.data(), host.data() + drift_.bins);
    };
    SpaceChargeProfile profile{{}, copied(field_.current), copied(field_.voltage)};
    for (int bin = 0; bin < drift_.bins; ++bin)
      profile.time.push_back((step.first_delay + bin * step.bin_width) / constants::speed_of_light);
    return profile;
  }

 private:
  static constexpr const char* where = "longitudinal space charge";

  bool is_kick() const { return drift_.length == 0.; }

  /// Makes the tables of the field and the arrays of its results.
  void allocate(const ExecutionSpace& exec) {
    const std::size_t bins = drift_.bins;
    field_.fft = RealFft<MemoryOf<ExecutionSpace>>(exec, drift_.bins);
    field_.frequency_weights = to_device<double>(
        exec, "Trackplex::Beam::frequency_weights",
        frequency_weights(drift_.bins, drift_.low_frequency, drift_.high_frequency));
    if (drift_.smoothing)
      field_.smoothing =
          to_device<double>(exec, "Trackplex::Beam::smoothing",
                            smoothing_weights(drift_.smoothing_half_width, drift_.smoothing_order));
    const auto zeros = [&]<class Array>(Array& array, const std::string& what, std::size_t n) {
      array = new_zeros<Array>(exec, "Trackplex::Beam::" + what, n);
    };
    zeros(field_.counts, "bin_counts", bins);
    zeros(field_.outside, "outside_count", 1);
    zeros(field_.spreads, "spreads", detail::n_spreads);
    zeros(field_.current, "current", bins);
    zeros(field_.voltage, "voltage", bins + 1);
    zeros(field_.kicks, "kicks", bins + 1);
    zeros(field_.step, "space_charge_step", 1);
    host_step_ = Kokkos::create_mirror_view(field_.step);
  }

  static void require_bunch(const BunchType& bunch) {
    if (bunch.may_have_lost)
      throw UsageError(where, "lost particles may be among the others of the bunch", {},
                       "move them after the others with remove_lost");
    if (!(bunch.particle_charge > 0.))
      throw UsageError(where, "the particles have no charge", shortest(bunch.particle_charge),
                       "put a CHARGE before the first drift with space charge");
  }

  static void require_field(const SpaceChargeStep& step) {
    switch (step.status) {
      case SpaceChargeStatus::ok:
        return;
      case SpaceChargeStatus::no_radius:
        throw UsageError(where, "the bunch has no transverse size",
                         "all particles have the same x and y");
      case SpaceChargeStatus::no_duration:
        throw UsageError(where, "the bunch has no length", "all particles arrive at one time");
      case SpaceChargeStatus::not_finite:
        throw UsageError(where, "the bunch has no finite field",
                         "a coordinate or a sum of them is infinite or not a number",
                         "remove lost particles");
    }
  }

  /// Throws if the bunch needs too many steps, since plasma oscillations may be arbitrarily short.
  void require_few_steps(const SpaceChargeStep& step, double left) const {
    if (int(steps_.size()) < drift_.max_steps) return;
    throw UsageError(
        where, "the bunch needs more than " + std::to_string(drift_.max_steps) + " steps",
        "its plasma oscillations allow " + shortest(step.length) + " m per step with " +
            shortest(left) + " m to go, a radius of " + shortest(step.radius) +
            " m and a peak current of " + shortest(step.peak_current) + " A",
        "check emittances, length and charge of the bunch, or split the drift");
  }

  /// Location of x and y of the first particle, on all ranks.
  void find_first_particle(const ExecutionSpace& exec, const BunchType& bunch) {
    field_.x = bunch.column(x);
    field_.y = bunch.column(y);
    if (!bunch.share().ranks) return;
    std::vector<T> own;
    if (bunch.share().first == 0 && bunch.size() > 0)
      own = {element_on_host(exec, bunch.values(x), 0), element_on_host(exec, bunch.values(y), 0)};
    const auto first = gather_all(*bunch.share().ranks, std::span<const T>(own));
    first_particle_ = to_device<T>(exec, "Trackplex::Beam::first_particle", first);
    field_.x = first_particle_.data();
    field_.y = first_particle_.data() + 1;
  }

  template <class Terms>
  void reduce_spreads(const ExecutionSpace& exec, const Share& particles, const Terms& terms,
                      Scratch& workspace) {
    reduce<detail::SpreadOperations, Double>(exec, particles, terms, field_.spreads, workspace);
  }

  /// Computes the step and its kicks from the delays and their spread.
  void find_field(const ExecutionSpace& exec, const BunchType& bunch, const T* delays,
                  double length_left, bool first, Scratch& workspace) {
    const detail::PositionsOfDelays<Real> positions{delays, field_.spreads.data(), drift_.bins};
    const histogram::Deposit<T, ExecutionSpace, Width> deposit{{.bins = drift_.bins}};
    deposit(exec, bunch.size(), positions, field_.counts, field_.outside, workspace);
    detail::add_counts(exec, bunch.share().ranks, field_.counts, drift_.bins, field_.outside);
    Field field = field_;
    field.beam = {.p0 = bunch.reference.p0,
                  .mass_per_charge = bunch.reference.mass_per_charge(),
                  .particle_charge = bunch.particle_charge,
                  .radius_factor = drift_.radius_factor,
                  .length_left = length_left,
                  .whole_length = is_kick(),
                  .first = first,
                  .n = double(bunch.share().all)};
    for_each_team(exec, "Trackplex::Beam::space_charge_field", 1, field,
                  SpaceTraits<ExecutionSpace>::large_team_size);
  }

  /// Enqueues the kick and the drift, and the sums of the next step if there is one.
  void push(const ExecutionSpace& exec, const BunchType& bunch, T* delays, bool more,
            Scratch& workspace) {
    constexpr double lowest_energy = 1. + 1e-7;  // gamma
    const detail::KickAndDrift<Real> kick_and_drift{
        .columns = bunch.columns(),
        .delays = delays,
        .kicks = field_.kicks.data(),
        .step = field_.step.data(),
        .times = ArrivalTimes<T>(bunch.reference),
        .lowest_energy = T(lowest_energy / bunch.reference.p0),
        .bins = drift_.bins,
        .interpolate = drift_.interpolate,
        .drift = !is_kick()};
    if (more) {
      reduce_spreads(exec, bunch.share(), detail::KickDriftAndSpreads<Real>{kick_and_drift},
                     workspace);
    } else {
      for_each_tile<Real>(exec, "Trackplex::Beam::kick_and_drift", bunch.size(), kick_and_drift);
    }
  }

  SpaceChargeDrift drift_;
  Field field_{};
  typename Field::template Array<T> first_particle_;  ///< x and y, with ranks
  decltype(Kokkos::create_mirror_view(StepView())) host_step_;
  std::vector<SpaceChargeStep> steps_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/longitudinal_space_charge.impl.hpp>
#endif

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/beam/collective/detail/longitudinal_space_charge.instances.hpp>
#endif
