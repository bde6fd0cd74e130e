// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Deflecting modes of cavities that ring from turn to turn, as in the elements TRFMODE and
/// FTRFMODE of the accelerator code elegant (M. Borland). In each plane the phasor V of a mode
/// decays and turns as in longitudinal_modes.hpp. A charge q at x gains the voltages
/// \f[ V_x=\mathrm{Re}\,V,\qquad
///     V_z=\frac{\omega_r}cx\,(\mathrm{Im}\,V-kqx),\qquad \Delta V=-2ikqx,\qquad
///     k=\frac{\omega R_s}{2Q}\frac{Q_L}{\sqrt{Q_L^2-1/4}}, \f]
/// with \f$R_s\f$ in Ohm/m: what it leaves is the wake
/// \f$2kqx\,e^{-t/\tau}\sin\omega_rt\f$ of a resonator (B. W. Zotter and S. A. Kheifets, Impedances
/// and Wakes in High-Energy Particle Accelerators, World Scientific 1998, 3.3.2), and the
/// longitudinal voltage follows from it by the theorem of W. K. H. Panofsky and W. A. Wenzel, Rev.
/// Sci. Instrum. 27 (1956) 967. Particles of a bin have the voltage of their mean position.

#include <trackplex/beam/collective/detail/mode_action.hpp>
#include <trackplex/beam/collective/detail/mode_particles.hpp>
#include <trackplex/beam/collective/resonator.hpp>
#include <trackplex/beam/collective/wake_profile.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/steps/step_builder.hpp>
#include <trackplex/core/add_over_ranks.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class TransverseModeKick;

/// Deflecting mode of a cavity.
struct TransverseMode {
  Resonator resonator{};  ///< Resonance, with its shunt impedance in Ohm/m.
  bool in_x = true;       ///< Whether it acts in x.
  bool in_y = true;       ///< Whether it acts in y.
};

/// Deflecting modes of a cavity (TRFMODE, FTRFMODE), without a length.
struct TransverseModes {
  std::vector<TransverseMode> modes{};  ///< Modes; required.
  double bin_size = 0.;                 ///< Length of a bin of time, s.
  int bins = 20;                        ///< Bins of time around the mean of the bunch.
  bool interpolate = false;             ///< Whether voltages are linear between centres of bins.
  bool allow_outside = false;  ///< Whether particles may be outside the bins: they are not kicked.
  ModeTurns turns{};           ///< Turns on which they act.
  double cavities = 1.;        ///< Factor of the kicks: number of equal cavities.
  double x_factor = 1.;        ///< Factor of the shunt impedances in x.
  double y_factor = 1.;        ///< Factor of the shunt impedances in y.
  double dx = 0.;              ///< Centre in x, m.
  double dy = 0.;              ///< Centre in y, m.
  double charge = 0.;          ///< Charge of the whole bunch if its particles have none, C.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "wake";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = TransverseModeKick<T, ExecutionSpace, Width>;
  /// @}
};

/// Action of `TransverseModes` on bunches; it keeps the phasors for the next pass. A bunch that
/// comes before the last one begins without voltage. An object serves one execution-space instance
/// at a time; nothing is allocated while bunches are tracked. Results do not depend on backend,
/// threads or lanes: positions are added up as integers, see `TransverseWakeKick`.
/// @tparam T              precision of the particles, float or double; all else is in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class TransverseModeKick : detail::ModeAction<T, ExecutionSpace, Width> {
  using Base = detail::ModeAction<T, ExecutionSpace, Width>;
  using typename Base::FieldReal;
  using Real = LanesOf<T, Width>;
  static constexpr int components = detail::BinnedModes<Real>::components;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it kicks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory.

  /// Copies the modes to the device. Waits for the instance.
  /// @throws UsageError as `TransverseModes::check`, or if there is no mode, there are less than
  /// two bins or too many, or bins have no length
  TransverseModeKick(const ExecutionSpace& exec, const TransverseModes& modes)
      : Base(exec, "deflecting mode of a cavity", modes), modes_(modes) {
    std::vector<double> waves;
    for (const TransverseMode& mode : modes.modes)
      waves.push_back(2. * std::numbers::pi * detail::ModeRates(mode.resonator).cycles);
    waves_ = to_device<double>(exec, "Trackplex::Beam::modes", waves);
    x_field_ = field_of(exec, modes, &TransverseMode::in_x, modes.x_factor);
    y_field_ = field_of(exec, modes, &TransverseMode::in_y, modes.y_factor);
    this->allocate(sums_, "bin_sums", components * modes.bins);
    this->allocate(z_field_.voltage, "mode_voltage", modes.bins);
    this->allocate(z_field_.kicks, "mode_kicks", modes.bins + 1);
  }

  /// Enqueues the kick; waits for the range of the delays. The bunch must not have lost particles
  /// among the others (`remove_lost`).
  /// @throws UsageError if the bunch may have lost particles, its particles have no charge, times
  /// or positions that are not finite or some outside the bins, or its bins begin before those of
  /// the last turn end
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace,
                  const Loss& here) {
    if (!modes_.turns.are_on(here.turn) || bunch.share().all == 0) return;
    const double charge_now = this->charge_now(bunch);
    T* const delays = this->delays_of(exec, bunch, workspace);
    const detail::WakeFrame<T> frame{T(1), T(0), T(modes_.dx), T(modes_.dy)};
    const detail::DelaysAndOffsets<Real> terms{
        {bunch.columns(), delays, ArrivalTimes<T>(bunch.reference)}, frame};
    const auto range = this->template reduce_range<detail::OffsetOperations>(exec, bunch.share(),
                                                                             terms, workspace);
    if (!std::isfinite(range(3)) || !std::isfinite(range(4)))
      throw UsageError("deflecting mode of a cavity",
                       "the positions of the particles are not finite", {},
                       "remove lost particles");
    this->require_inside(range);
    const Units units{histogram::unit_of_sums(range(3), bunch.share().all),
                      histogram::unit_of_sums(range(4), bunch.share().all)};
    const detail::GridPositions<Real> positions(this->grid(), delays);
    const histogram::DepositValues<T, components, ExecutionSpace, Width> deposit{modes_.bins};
    deposit(exec, bunch.size(),
            detail::BinnedModes<Real>{
                {positions, bunch.columns(), frame, T(1. / units.x), T(1. / units.y)}},
            sums_);
    add_over_ranks(exec, bunch.share().ranks, sums_, components * std::size_t(modes_.bins));
    this->arrive(bunch.reference, here.turn, [&](double light) { return begin(exec, light); });
    ring(exec, bunch, this->kept_charge(bunch, charge_now), units);
    if (here.turn < modes_.turns.first_kick) return;
    for_each_tile<Real>(
        exec, "Trackplex::Beam::transverse_mode_kick", bunch.size(),
        detail::TransverseModeKicks<Real>{
            {positions, modes_.bins, modes_.interpolate},
            x_field_.kicks.data(),
            y_field_.kicks.data(),
            z_field_.kicks.data(),
            bunch.columns(),
            T(1. / (bunch.reference.p0 * bunch.reference.p0)),
            T(bunch.reference.path_length / (bunch.reference.p0 * bunch.reference.p0))});
  }

  /// Returns the horizontal voltage of one cavity along the last bunch, V. Waits for the instance.
  WakeProfile x_profile(const ExecutionSpace& exec) const {
    return this->profile_of(exec, x_field_);
  }
  /// Returns the vertical voltage of one cavity along the last bunch, V. Waits for the instance.
  WakeProfile y_profile(const ExecutionSpace& exec) const {
    return this->profile_of(exec, y_field_);
  }
  /// Returns the longitudinal voltage of one cavity along the last bunch, V: gain of energy, eV; 0
  /// in bins without particles. Waits for the instance.
  WakeProfile z_profile(const ExecutionSpace& exec) const {
    return this->profile_of(exec, z_field_);
  }

 private:
  struct Units {
    double x, y;  // m
  };
  struct Kicks {
    typename Base::template Array<double> voltage;
    typename Base::template Array<T> kicks;
  };

  static typename Base::Field field_of(const ExecutionSpace& exec, const TransverseModes& modes,
                                       bool TransverseMode::*acts, double factor) {
    std::vector<detail::ModeRates> rates;
    std::vector<std::complex<double>> losses;
    for (const TransverseMode& mode : modes.modes) {
      rates.emplace_back(mode.resonator);
      const double loaded = mode.resonator.loaded_quality();
      const double loss = rates.back().loss * (loaded / rates.back().ringing) * factor;
      losses.emplace_back(0., mode.*acts ? loss : 0.);
    }
    return typename Base::Field(exec, rates, losses, modes.bins, true);
  }

  /// Clears the phasors; returns c times the time of the first bin, m.
  double begin(const ExecutionSpace& exec, double light) {
    const std::vector<std::complex<double>> zeros(modes_.modes.size());
    x_field_.set(exec, zeros);
    y_field_.set(exec, zeros);
    return light + this->grid().first;
  }

  /// Enqueues the voltages of the bins.
  void ring(const ExecutionSpace& exec, const BunchType& bunch, double charge, const Units& units) {
    const double per_volt = modes_.cavities / bunch.reference.momentum_volts();
    x_field_.ring(exec, this->pass(sums_.data(), components, charge * units.x));
    y_field_.ring(exec, this->pass(sums_.data() + 1, components, charge * units.y));
    x_field_.template sum<FieldReal>(exec, modes_.bins, per_volt);
    y_field_.template sum<FieldReal>(exec, modes_.bins, per_volt);
    for_each_tile<FieldReal>(
        exec, "Trackplex::Beam::mode_energies", modes_.bins,
        detail::LongitudinalModeVoltage<FieldReal, T>{
            x_field_.template imaginary_sums<FieldReal>(waves_.data()),
            y_field_.template imaginary_sums<FieldReal>(waves_.data()), sums_.data(), units.x,
            units.y, per_volt, z_field_.voltage.data(), z_field_.kicks.data()});
  }

  TransverseModes modes_;
  typename Base::Field x_field_, y_field_;
  Kicks z_field_;
  typename Base::template Array<double> waves_;
  typename Base::template Array<std::int64_t> sums_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/transverse_modes.impl.hpp>
#endif
