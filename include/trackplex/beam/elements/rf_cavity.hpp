// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Action of accelerating cavities on bunches; the cavities are described in rf_cavity_element.hpp.

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/elements/detail/rf_cavity_pass.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/steps/drift_straight.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::beam {

/// Fiducial time of cavities, at which the field has its phase.
struct PhaseReference {
  bool found = false;      ///< Whether particles have passed.
  double light_path = 0.;  ///< Time of a reference particle times the speed of light, m.
  double delay = 0.;       ///< Delay relative to this particle, m.
};

/// Action of a cavity on bunches. The first bunch that passes the cavity, or another cavity with
/// the same phase reference, sets the phase. The first pass waits for the instance, as does each
/// pass with a linear field, a locked phase or a change of the reference momentum.
///
/// Calling the action is `begin`, `track` for all slices, in one kernel, and `end`. Effects of the
/// bunch on itself, such as wakes, come in between: see `track_with`.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class RfCavityAction {
  using Real = LanesOf<T, Width>;
  using Body = detail::RfBody;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory.

  /// Takes the cavity, and its phase reference from the state of a line.
  /// @throws UsageError as `RfCavity::check`
  RfCavityAction(const ExecutionSpace&, const RfCavity& cavity, LineState& state)
      : RfCavityAction(cavity, cavity.phase_reference > 0
                                   ? state.shared<PhaseReference>(cavity.phase_reference)
                                   : std::make_shared<PhaseReference>()) {}
  /// Takes the cavity, with its own phase reference.
  /// @throws UsageError as `RfCavity::check`
  RfCavityAction(const ExecutionSpace&, const RfCavity& cavity)
      : RfCavityAction(cavity, std::make_shared<PhaseReference>()) {}

  /// Enqueues the pass of a bunch on the instance, and adds the length to the path length of the
  /// reference particle before its momentum changes.
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    if (cavity_.voltage == 0. || bunch.share().all == 0) return drift(exec, bunch);
    begin(exec, bunch, workspace);
    track(exec, bunch, 0, cavity_.slices());
    end(exec, bunch, workspace);
  }

  /// The same with an effect of the bunch on itself, `effect(exec, bunch, workspace)`, at the
  /// centre of each slice or, if slices are maps, after each slice.
  template <class Effect>
  void track_with(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace,
                  const Effect& effect) {
    begin(exec, bunch, workspace);
    for (int slice = 0; slice < cavity_.slices(); ++slice) {
      if (cavity_.by_maps()) {
        track(exec, bunch, slice, slice + 1);
        effect(exec, bunch, workspace);
        continue;
      }
      const auto exit_focus =
          workspace.template get<T>(exec, "Trackplex::Beam::exit_focus", std::size_t(bunch.size()));
      to_centre(exec, bunch, slice, exit_focus.data());
      effect(exec, bunch, workspace);
      from_centre(exec, bunch, slice, exit_focus.data());
    }
    end(exec, bunch, workspace);
  }

  /// Subtracts periods from times if the cavity does so, and computes the phase of a pass. A
  /// phase reference is unknown until there are particles.
  void begin(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    if (cavity_.change_time) subtract_periods(exec, bunch);
    const double half = 0.5 * slice_length();
    if (!phase_->found && bunch.share().all > 0) find_reference(exec, bunch, workspace);
    origin_ = phase_->delay;
    zero_ = phase_->light_path;
    linear_phase_ = 0.;
    if (!cavity_.linearize && !cavity_.lock_phase) return;
    const double mean = mean_delay<Width>(exec, bunch, workspace, half);
    const double now = light_path_at(bunch.reference, half);
    if (cavity_.lock_phase) zero_ = now;
    if (cavity_.linearize && !cavity_.lock_phase) linear_phase_ = wave_number() * (mean - origin_);
    origin_ = mean;
  }
  /// Enqueues slices with numbers from `begin` to below `end`.
  void track(const ExecutionSpace& exec, BunchType& bunch, int begin, int end) {
    for_slices(bunch.reference, begin, end, [&](auto body, const auto& coefficients) {
      for_each_tile<Real>(
          exec, "Trackplex::Beam::cavity", bunch.size(),
          detail::TrackCavity<Real, decltype(body)::value>{bunch.columns(), coefficients});
    });
    bunch.reference.path_length += (end - begin) * slice_length();
  }
  /// Enqueues the first half of a slice with its kick. For cavities that are not maps;
  /// `exit_focus` has one value for each particle, which `from_centre` needs.
  void to_centre(const ExecutionSpace& exec, BunchType& bunch, int slice, T* exit_focus) {
    for_each_tile<Real>(
        exec, "Trackplex::Beam::cavity_entrance", bunch.size(),
        detail::TrackToCentre<Real>{bunch.columns(),
                                    coefficients(bunch.reference, slice, slice + 1), exit_focus});
    bunch.reference.path_length += 0.5 * slice_length();
  }
  /// Enqueues the second half of a slice.
  void from_centre(const ExecutionSpace& exec, BunchType& bunch, int slice, const T* exit_focus) {
    for_each_tile<Real>(
        exec, "Trackplex::Beam::cavity_exit", bunch.size(),
        detail::TrackFromCentre<Real>{bunch.columns(),
                                      coefficients(bunch.reference, slice, slice + 1), exit_focus});
    bunch.reference.path_length += 0.5 * slice_length();
  }
  /// Changes the reference momentum if the cavity does so.
  void end(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    if (cavity_.change_momentum) set_reference_to_mean<Width>(exec, bunch, workspace);
  }

  /// Returns the cavity.
  const RfCavity& cavity() const { return cavity_; }
  /// Returns the phase reference, which another cavity may share.
  const PhaseReference& phase_reference() const { return *phase_; }

 private:
  RfCavityAction(const RfCavity& cavity, std::shared_ptr<PhaseReference> phase)
      : cavity_(cavity), phase_(std::move(phase)) {
    cavity.check(ElementCheck("cavity"));
  }

  double slice_length() const { return cavity_.length / cavity_.slices(); }
  double wave_number() const {
    return 2. * std::numbers::pi * cavity_.frequency / constants::speed_of_light;
  }
  /// Time of the reference particle at a distance after its place, times the speed of light.
  static double light_path_at(const ReferenceParticle& reference, double distance) {
    const double inverse = 1. / reference.p0;
    return (reference.path_length + distance) * std::sqrt(1. + inverse * inverse);
  }

  void drift(const ExecutionSpace& exec, BunchType& bunch) const {
    for_each_tile<Real>(exec, "Trackplex::Beam::drift", bunch.size(),
                        DriftStraight<Real>{bunch.columns(), T(cavity_.length)});
    bunch.reference.path_length += cavity_.length;
  }

  void subtract_periods(const ExecutionSpace& exec, BunchType& bunch) const {
    if (cavity_.frequency == 0.) return;
    const double period = constants::speed_of_light / cavity_.frequency;
    const double time = light_path_at(bunch.reference, 0.);
    if (time > 0.9 * period)
      shift_time<Width>(exec, bunch, std::floor(time / period + 0.5) * period);
  }

  void find_reference(const ExecutionSpace& exec, const BunchType& bunch, Scratch& workspace) {
    const double half = 0.5 * slice_length();
    PhaseReference& to = *phase_;
    to.light_path = light_path_at(bunch.reference, half);
    if (cavity_.reference_time) {
      to.light_path = *cavity_.reference_time * constants::speed_of_light;
      to.delay = 0.;
    } else if (cavity_.fiducial == RfCavity::Fiducial::light) {
      const double p0 = bunch.reference.p0;  // 1 - 1/beta = -p0^-2/(1 + gamma/p0)
      to.delay =
          -(bunch.reference.path_length + half) / (p0 * p0 * (1. + std::sqrt(1. + 1. / (p0 * p0))));
    } else if (cavity_.fiducial == RfCavity::Fiducial::max_momentum) {
      to.delay = delay_of_max_momentum(exec, bunch, half);
    } else {
      to.delay = mean_delay<Width>(exec, bunch, workspace, half);
    }
    to.found = true;
  }
  static double delay_of_max_momentum(const ExecutionSpace& exec, const BunchType& bunch,
                                      double distance) {
    struct Found {
      T delta, s;
    };
    const auto deltas = to_host(exec, bunch.values(delta));
    std::vector<Found> found;  // by each rank that has particles
    for (int i = 0, best = -1; i < bunch.size(); ++i) {
      if (best < 0 || deltas(i) > deltas(best)) best = i;
      if (i + 1 == bunch.size())
        found.push_back({deltas(best), element_on_host(exec, bunch.values(s), std::size_t(best))});
    }
    if (bunch.share().ranks)
      found = gather_all(*bunch.share().ranks, std::span<const Found>(found));
    Found best = found.front();
    for (const Found& other : found)
      if (other.delta > best.delta) best = other;
    ReferenceParticle reference = bunch.reference;
    reference.path_length += distance;
    return ArrivalTimes<double>(reference).delay(double(best.s), double(best.delta));
  }

  /// Calls f with the way through slices, as a constant, and their coefficients.
  template <class F>
  void for_slices(const ReferenceParticle& reference, int begin, int end, const F& f) const {
    const auto c = coefficients(reference, begin, end);
    if (!cavity_.by_maps()) {
      f(std::integral_constant<Body, Body::kick>{}, c);
    } else if (cavity_.body_focus == RfCavity::BodyFocus::standing_wave) {
      f(std::integral_constant<Body, Body::standing_wave>{}, c);
    } else {
      f(std::integral_constant<Body, Body::matrix>{}, c);
    }
  }

  detail::RfCavityCoefficients<T> coefficients(const ReferenceParticle& reference, int begin,
                                               int end) const {
    const double l = slice_length(), k = wave_number();
    const double p0_to_minus_2 = 1. / (reference.p0 * reference.p0);
    const double energy0 = std::sqrt(1. + p0_to_minus_2);
    const double volts = cavity_.voltage / cavity_.rest_energy / cavity_.slices() / reference.p0;
    const bool with_light = cavity_.by_maps() || !cavity_.standing_wave;
    const double lag = with_light ? p0_to_minus_2 / (energy0 + 1.) : energy0;  // of a slice, over l
    const double now = light_path_at(reference, 0.5 * l) - (with_light ? begin * l : 0.);
    const double phase = cavity_.phase + linear_phase_ + k * (now - zero_), step = k * l * lag;
    detail::RfCavityCoefficients<T> c(reference);
    c.length = T(l);
    c.half_length = T(0.5 * l);
    c.path_step = T(l * p0_to_minus_2);
    c.wave_number = T(k);
    c.origin = T(k * origin_);
    c.amplitude = T(volts);
    c.sine = T(volts * sin(phase));
    c.cosine = T(volts * cos(phase));
    c.sine_step = T(sin(step));
    c.cosine_step = T(cos(step));
    c.fill_rate = T(cavity_.quality > 0. && k > 0. ? 1. / cavity_.quality : 0.);
    const double filled = light_path_at(reference, 0.5 * l) - phase_->light_path - phase_->delay;
    c.fill_phase = T(k * (filled + origin_));
    c.fill_phase_step = T(k * l * energy0);
    const bool wave =
        cavity_.body_focus == RfCavity::BodyFocus::travelling_wave && !cavity_.standing_wave;
    c.wave_focus = T(wave ? 0.5 * k : 0.);
    c.dx = T(cavity_.dx);
    c.dy = T(cavity_.dy);
    c.slices = end - begin;
    c.linear = cavity_.linearize;
    c.begins = begin == 0;
    c.ends = end == cavity_.slices();
    c.entrance_focus = cavity_.entrance_focus && l != 0.;
    c.exit_focus = cavity_.exit_focus && l != 0.;
    return c;
  }

  RfCavity cavity_;
  std::shared_ptr<PhaseReference> phase_;
  double origin_ = 0.;        ///< delay of the phase `cavity_.phase`, m
  double zero_ = 0.;          ///< time of the reference particle then, times c, m
  double linear_phase_ = 0.;  ///< phase that a linear field has at its origin beyond that
};

}  // namespace trackplex::beam
