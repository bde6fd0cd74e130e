// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/beam/elements/rf_cavity.hpp>
#include <trackplex/core/as_index.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

/// @file
/// Kickers with a pulsed field.

namespace trackplex::beam {

/// Curve through points, linear between them; 0 before the first and after the last one.
struct Waveform {
  std::vector<double> time;   ///< Times, s, not descending; at least two.
  std::vector<double> value;  ///< Values at these times.

  /// Checks it.
  /// @throws UsageError if there are less than two points, numbers of values and times
  /// differ, times descend or are all equal, or a number is not finite
  void check(const std::string& name) const;
};

template <class T, class ExecutionSpace, int Width>
class PulsedKickerAction;

/// Kicker whose angle follows a waveform in time, as the element BUMPER of the accelerator code
/// elegant (M. Borland): particles move on circles in the plane of x, in which their angle changes
/// as \f$\sin\theta_1=\sin\theta+\sin(a\,w(t))/(1+\delta)\f$, with the angle a and the waveform w
/// at the time t of their arrival after the mean time of the first bunch (or its time in the
/// first kicker of the same `phase_reference`).
struct PulsedKicker {
  double length = 0.;  ///< Length, m; 0: a kick at one place.
  double angle = 0.;   ///< Angle of the reference particle, rad, towards positive x.
  std::shared_ptr<const Waveform> waveform{};  ///< Waveform; required.
  double time_offset = 0.;                     ///< Time of the waveform's 0, s.
  bool is_periodic = false;                    ///< Whether the waveform repeats.
  int phase_reference = 0;      ///< Number of kickers that share their time; 0: none.
  int first_turn = 0;           ///< First turn in which it acts; earlier it is a drift.
  int kicks = 0;                ///< Slices with the sextupole term; 0: one without it.
  double b2 = 0.;               ///< Sextupole term: a field of 1 + b2 (x^2 - y^2), 1/m^2.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp; the map is that of a drift.
  static constexpr const char* family = "kicker";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return drift_map(length, order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = PulsedKickerAction<T, ExecutionSpace, Width>;
  /// @}
};

namespace detail {

/// Waveform in kernels, at times in seconds.
template <class Real>
struct WaveformValues {
  using T = ScalarOf<Real>;
  const T* times;
  const T* values;
  int points;
  bool is_periodic;

  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Real t) const {
    const Real first(times[0]), last(times[points - 1]), end(T(points - 1));
    if (is_periodic)
      t = select(t > last, fma(first - last, floor((t - first) / (last - first)), t), t);
    const auto is_inside = t >= first && t <= last;
    // the last point before t, but not the final point
    Real at(0);
    int step = 1;
    while (2 * step < points) step *= 2;
    for (; step > 0; step /= 2) {
      const Real next = at + Real(T(step));
      const Real there = gather<Real>(times, as_index(min(next, end)));
      at = select(next < end && there < t, next, at);
    }
    const auto index = as_index(at), behind = index + IntegerOf<Real>(1);
    const Real t0 = gather<Real>(times, index), t1 = gather<Real>(times, behind);
    const Real v0 = gather<Real>(values, index), v1 = gather<Real>(values, behind);
    const Real width = t1 - t0, zero(0);
    const Real fraction = select(width > zero, (t - t0) / width, zero);
    return select(is_inside, fma(fraction, v1 - v0, v0), zero);
  }
};

/// The time of a pulse at each particle's arrival, and the values of its waveform.
template <class Real>
struct PulseTimes {
  using T = ScalarOf<Real>;
  ArrivalTimes<T> times;
  WaveformValues<Real> waveform;
  T start;  ///< time of the waveform where the reference particle arrives, s

  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Particle<Real>& v) const {
    const Real delay = times.delay(v[s], v[delta]);
    return waveform(fma(delay, Real(T(1. / constants::speed_of_light)), Real(start)));
  }
};

/// Displacement and tilt of an element in a kernel.
template <class T>
struct PlacedFrame {
  T sine, cosine;  ///< of the tilt
  T dx, dy, dz;    ///< m

  explicit PlacedFrame(const Misalignment& by)
      : sine(T(sin(by.tilt))), cosine(T(cos(by.tilt))), dx(T(by.dx)), dy(T(by.dy)), dz(T(by.dz)) {}

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void enter(Particle<Real>& v) const {
    if (dz != T(0)) drift_exactly(v, Real(dz));
    v[x] -= Real(dx);
    v[y] -= Real(dy);
    turn(Real(sine), v);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void leave(Particle<Real>& v) const {
    turn(Real(-sine), v);
    v[x] += Real(dx);
    v[y] += Real(dy);
    if (dz != T(0)) drift_exactly(v, Real(-dz));
  }

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void turn(const Real& by, Particle<Real>& v) const {
    if (sine == T(0) && cosine == T(1)) return;
    for (int i = x; i <= xp; ++i) {
      const Real u = fma(Real(cosine), v[i], by * v[i + 2]);
      v[i + 2] = fma(Real(cosine), v[i + 2], -(by * v[i]));
      v[i] = u;
    }
  }
};

/// Pass of particles through a pulsed kicker.
template <class Real>
struct TrackPulsedKicker {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  Loss* losses;
  Loss here;
  PulseTimes<Real> pulse;
  PlacedFrame<T> frame;
  T angle, length, b2;  ///< rad, m, 1/m^2
  int slices;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    frame.enter(v);
    const Real kick = Real(angle) * pulse(v);
    const auto acts = kick != Real(0);
    Particle<Real> straight = v;
    drift_exactly(straight, Real(length));
    auto lost = !(Real(1) + v[delta] > Real(0));
    if (length == T(0)) {
      v[xp] += kick / (Real(1) + v[delta]);
    } else {
      const Real sine_of_kick = sin(kick);
      for (int i = 0; i < slices; ++i) lost = !bend(sine_of_kick, v) || lost;
      for (int c = 0; c < n_coordinates; ++c) v[c] = select(acts, v[c], straight[c]);
    }
    frame.leave(v);
    columns.store(tile, v, (1u << delta) - 1);
    for_each_lane(lost && acts && tile.mask(), [&](int lane) { losses[tile.first + lane] = here; });
  }

 private:
  /// A slice; returns the lanes that reach its end.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> bend(const Real& sine_of_kick, Particle<Real>& v) const {
    const Real one(1), half(T(0.5)), way(length / T(slices));
    const Real cosine0 = one / sqrt(fma(v[xp], v[xp], one)), sine0 = v[xp] * cosine0;
    const Real per_momentum = one / (one + v[delta]), x0 = v[x];
    const Real stronger = fma(Real(b2), fma(v[x], v[x], -v[y] * v[y]), one);
    const Real bent = sine_of_kick * per_momentum * stronger / Real(T(slices));
    const Real sine1 = sine0 + bent, square1 = fma(-sine1, sine1, one), cosine1 = sqrt(square1);
    const Real theta =
        atan2(fma(sine1, cosine0, -cosine1 * sine0), fma(cosine1, cosine0, sine1 * sine0));
    const auto is_straight = abs(bent) < Real(T(1e-12));
    const Real arc = way * select(is_straight, one / cosine0, theta / bent);
    v[x] = fma(way, (sine0 + sine1) / (cosine0 + cosine1), v[x]);
    v[s] += arc - way;
    v[xp] = sine1 / cosine1;
    const Real middle_x = half * (x0 + v[x]), middle_y = fma(half * way, v[yp], v[y]);
    v[y] = fma(way, v[yp], v[y]);
    const Real skew = Real(T(-2) * b2 / length) * sine_of_kick * per_momentum;
    v[yp] = fma(skew * arc, middle_x * middle_y, v[yp]);
    return square1 > Real(0);
  }
};

/// Fiducial time of pulsed kickers with one phase reference.
struct PulseReference : PhaseReference {};

/// Waveform of a pulsed magnet on the device, and the time of its 0.
template <class T, class ExecutionSpace, int Width>
class Pulse {
  using Real = LanesOf<T, Width>;
  using Array = Kokkos::View<T*, MemoryOf<ExecutionSpace>>;

 public:
  /// Takes the time from the state of a line.
  template <class Magnet>
  Pulse(const ExecutionSpace& exec, const Magnet& magnet, const char* name, LineState& state)
      : time_offset_(magnet.time_offset),
        dz_(magnet.misalignment.dz),
        is_periodic_(magnet.is_periodic),
        reference_(magnet.phase_reference > 0 ? state.shared<PulseReference>(magnet.phase_reference)
                                              : std::make_shared<PulseReference>()) {
    magnet.check(ElementCheck(name));
    if (!magnet.waveform) throw UsageError(name, "there is no waveform");
    magnet.waveform->check(name);
    times_ = to_device<T>(exec, "Trackplex::Beam::waveform_times", magnet.waveform->time);
    values_ = to_device<T>(exec, "Trackplex::Beam::waveform_values", magnet.waveform->value);
  }

  /// Finds the fiducial time from the first bunch; waits for the instance then.
  void find_time(const ExecutionSpace& exec, const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                 Workspace<ExecutionSpace>& workspace) {
    if (reference_->found) return;
    reference_->light_path = light_path(bunch.reference);
    reference_->delay = mean_delay<Width>(exec, bunch, workspace);
    reference_->found = true;
  }

  /// Values at the arrival of particles at the magnet; the reference particle is at its nominal
  /// place.
  PulseTimes<Real> at(ReferenceParticle reference) const {
    reference.path_length += dz_;
    return {ArrivalTimes<T>(reference),
            {times_.data(), values_.data(), int(times_.extent(0)), is_periodic_},
            T((light_path(reference) - reference_->light_path - reference_->delay) /
                  constants::speed_of_light -
              time_offset_)};
  }

 private:
  static double light_path(const ReferenceParticle& reference) {
    const double inverse = 1. / reference.p0;
    return reference.path_length * std::sqrt(1. + inverse * inverse);
  }

  double time_offset_;
  double dz_;  ///< displacement of the magnet, m
  bool is_periodic_;
  std::shared_ptr<PulseReference> reference_;
  Array times_, values_;
};

}  // namespace detail

/// Action of a `PulsedKicker`. Waits for the instance on the first pass of particles, for their
/// mean time.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class PulsedKickerAction {
  using Real = LanesOf<T, Width>;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory.

  /// Takes the kicker, and its time from the state of a line.
  /// @throws UsageError as `PulsedKicker::check` and `Waveform::check`, or without a waveform
  PulsedKickerAction(const ExecutionSpace& exec, const PulsedKicker& kicker, LineState& state)
      : kicker_(kicker), pulse_(exec, kicker, "pulsed kicker", state) {}

  /// Enqueues the pass of a bunch on the instance, and adds the length to the path length of the
  /// reference particle. Particles that would turn back are lost.
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace,
                  const Loss& here) {
    const bool acts = here.turn >= kicker_.first_turn;
    if (bunch.share().all > 0 && acts) pulse_.find_time(exec, bunch, workspace);
    for_each_tile<Real>(
        exec, "Trackplex::Beam::pulsed_kicker", bunch.size(),
        detail::TrackPulsedKicker<Real>{
            bunch.columns(), bunch.losses.data(), here, pulse_.at(bunch.reference),
            detail::PlacedFrame<T>(kicker_.misalignment), T(acts ? kicker_.angle : 0.),
            T(kicker_.length), T(kicker_.kicks > 0 ? kicker_.b2 : 0.), std::max(1, kicker_.kicks)});
    if (acts) bunch.may_have_lost = true;
    bunch.reference.path_length += kicker_.length;
  }

 private:
  PulsedKicker kicker_;
  detail::Pulse<T, ExecutionSpace, Width> pulse_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/pulsed_kicker.impl.hpp>
#endif
