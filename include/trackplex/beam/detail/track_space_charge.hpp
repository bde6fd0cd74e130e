// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/longitudinal_space_charge.hpp>
#include <trackplex/core/on_device.hpp>

namespace trackplex::beam {

namespace detail {

template <class ExecutionSpace, class Array>
void allocate(const ExecutionSpace& exec, Array& array, const char* what, std::size_t n) {
  array = Array(Kokkos::view_alloc(exec, std::string("Trackplex::Beam::") + what), n);
}

}  // namespace detail

template <class T, class ExecutionSpace, int Width>
LongitudinalSpaceCharge<T, ExecutionSpace, Width>::LongitudinalSpaceCharge(
    const ExecutionSpace& exec, const SpaceChargeDrift& drift)
    : drift_(drift) {
  const char* const where = "LongitudinalSpaceCharge";
  if (!(drift.length >= 0.) || !(drift.effective_length >= 0.))
    throw UsageError(where, "a length is negative",
                     std::to_string(drift.length) + " m, effective " +
                         std::to_string(drift.effective_length) + " m");
  if (!drift.space_charge) return;
  if (drift.bins < 4 || drift.bins % 2 != 0)
    throw UsageError(where, "the number of bins is not an even number from 4 on",
                     std::to_string(drift.bins), "a few hundred serve most bunches");
  if (drift.bins > most_bins)
    throw CapacityError(where, "bins", std::size_t(drift.bins), std::size_t(most_bins));
  if (!(drift.radius_factor > 0.))
    throw UsageError(where, "the radius factor is not above 0",
                     std::to_string(drift.radius_factor));
  prepare(exec);
}

/// The tables of the field, and room for its results.
template <class T, class ExecutionSpace, int Width>
void LongitudinalSpaceCharge<T, ExecutionSpace, Width>::prepare(const ExecutionSpace& exec) {
  const std::size_t bins = drift_.bins;
  field_.fft = RealFft<MemoryOf<ExecutionSpace>>(exec, drift_.bins);
  field_.frequency_weights = on_device<double>(
      exec, "Trackplex::Beam::frequency_weights",
      frequency_weights(drift_.bins, drift_.low_frequency, drift_.high_frequency));
  if (drift_.smoothing)
    field_.smoothing =
        on_device<double>(exec, "Trackplex::Beam::smoothing",
                          smoothing_weights(drift_.smoothing_half_width, drift_.smoothing_order));
  detail::allocate(exec, field_.counts, "bin_counts", bins);
  detail::allocate(exec, field_.outside, "outside_count", 1);
  detail::allocate(exec, field_.spreads, "spreads", detail::n_spreads);
  detail::allocate(exec, field_.current, "current", bins);
  detail::allocate(exec, field_.voltage, "voltage", bins + 1);
  detail::allocate(exec, field_.kicks, "kicks", bins + 1);
  detail::allocate(exec, field_.step, "space_charge_step", 1);
  host_step_ = Kokkos::create_mirror_view(field_.step);
}

template <class T, class ExecutionSpace, int Width>
int LongitudinalSpaceCharge<T, ExecutionSpace, Width>::track(const ExecutionSpace& exec,
                                                             BunchType& bunch,
                                                             Workspace<ExecutionSpace>& workspace) {
  steps_.clear();
  const int n = bunch.size();
  double left = is_kick() ? drift_.effective_length : drift_.length;
  if (!drift_.space_charge || n == 0 || left == 0.) {
    for_each_tile<Real>(exec, "Trackplex::Beam::drift", n,
                        detail::DriftStraight<Real>{bunch.columns(), T(drift_.length)});
    bunch.reference.path_length += drift_.length;
    return 0;
  }
  require_bunch(bunch);
  T* const delays = workspace.template get<T>(exec, "Trackplex::Beam::delays", n).data();
  const detail::DelaysAndSpreads<Real> delays_and_spreads{bunch.columns(), delays,
                                                          ArrivalTimes<T>(bunch.reference)};
  reduce<detail::SpreadOperations, Double, detail::n_spreads>(exec, n, delays_and_spreads,
                                                              field_.spreads, workspace);
  if (is_kick()) {
    find_field(exec, bunch, delays, left, true, workspace);
    push(exec, bunch, delays, false, workspace);
    return 1;
  }
  while (left > 0.) {
    find_field(exec, bunch, delays, left, steps_.empty(), workspace);
    const SpaceChargeStep step = last_step(exec);
    require_field(step);
    left -= step.length;
    push(exec, bunch, delays, left > 0., workspace);
    bunch.reference.path_length += step.length;
    steps_.push_back(step);
  }
  return int(steps_.size());
}

template <class T, class ExecutionSpace, int Width>
void LongitudinalSpaceCharge<T, ExecutionSpace, Width>::require_bunch(
    const BunchType& bunch) const {
  const char* const where = "LongitudinalSpaceCharge";
  if (bunch.may_have_lost)
    throw UsageError(where, "lost particles may be among the others of the bunch", {},
                     "move them behind the others with remove_lost");
  if (!(bunch.particle_charge > 0.))
    throw UsageError(where, "the particles have no charge", std::to_string(bunch.particle_charge),
                     "put a CHARGE before the first drift with space charge");
}

template <class T, class ExecutionSpace, int Width>
void LongitudinalSpaceCharge<T, ExecutionSpace, Width>::require_field(const SpaceChargeStep& step) {
  const char* const where = "LongitudinalSpaceCharge";
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

/// From the delays and spreads to the step and its kicks.
template <class T, class ExecutionSpace, int Width>
void LongitudinalSpaceCharge<T, ExecutionSpace, Width>::find_field(
    const ExecutionSpace& exec, const BunchType& bunch, const T* delays, double length_left,
    bool first, Workspace<ExecutionSpace>& workspace) {
  const detail::PositionsOfDelays<Real> positions{delays, field_.spreads.data(), drift_.bins};
  histogram::deposit<Real>(exec, bunch.size(), positions, drift_.bins, field_.counts,
                           field_.outside, {}, workspace);
  Field field = field_;
  field.x = bunch.column(x);
  field.y = bunch.column(y);
  field.beam = {bunch.reference.p0,
                bunch.particle_charge,
                drift_.radius_factor,
                length_left,
                is_kick(),
                first,
                bunch.size()};
  for_each_team(exec, "Trackplex::Beam::space_charge_field", 1, field);
}

/// The kick and the drift behind it, and if there is another step, what that begins with.
template <class T, class ExecutionSpace, int Width>
void LongitudinalSpaceCharge<T, ExecutionSpace, Width>::push(const ExecutionSpace& exec,
                                                             const BunchType& bunch, T* delays,
                                                             bool more,
                                                             Workspace<ExecutionSpace>& workspace) {
  constexpr double lowest_energy = 1. + 1e-7;  // gamma
  const detail::KickAndDrift<Real> kick_and_drift{bunch.columns(),
                                                  delays,
                                                  field_.kicks.data(),
                                                  field_.step.data(),
                                                  ArrivalTimes<T>(bunch.reference),
                                                  T(lowest_energy / bunch.reference.p0),
                                                  drift_.bins,
                                                  drift_.interpolate,
                                                  !is_kick()};
  if (more) {
    reduce<detail::SpreadOperations, Double, detail::n_spreads>(
        exec, bunch.size(), detail::KickDriftAndSpreads<Real>{kick_and_drift}, field_.spreads,
        workspace);
  } else {
    for_each_tile<Real>(exec, "Trackplex::Beam::kick_and_drift", bunch.size(), kick_and_drift);
  }
}

template <class T, class ExecutionSpace, int Width>
SpaceChargeProfile LongitudinalSpaceCharge<T, ExecutionSpace, Width>::profile(
    const ExecutionSpace& exec) const {
  const auto step = last_step(exec);
  const auto copied = [&](const auto& view) {
    const auto host = on_host(exec, view, std::size_t(drift_.bins));
    return std::vector<double>(host.data(), host.data() + drift_.bins);
  };
  SpaceChargeProfile profile{{}, copied(field_.current), copied(field_.voltage)};
  for (int bin = 0; bin < drift_.bins; ++bin)
    profile.time.push_back((step.first_delay + bin * step.bin_width) / speed_of_light);
  return profile;
}

}  // namespace trackplex::beam
