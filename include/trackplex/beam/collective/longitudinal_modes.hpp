// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Longitudinal modes of cavities that ring from turn to turn, as in the elements RFMODE and
/// FRFMODE of the accelerator code elegant (M. Borland). The voltage of a mode is the real part of
/// a phasor V, with
/// \f[ \dot V=\Bigl(i\omega_r-\frac1\tau\Bigr)V,\quad \tau=\frac{2Q_L}\omega,\quad
///     \omega_r=\omega\sqrt{1-\frac1{4Q_L^2}},\quad Q_L=\frac Q{1+\beta}. \f]
/// A charge q gains the voltage \f$\mathrm{Re}\,V-kq\f$ and adds to the phasor
/// \f[ \Delta V=-2kq\Bigl(1+\frac i{2\sqrt{Q_L^2-1/4}}\Bigr),\qquad
///     k=\frac{\omega R_s}{2Q}=\frac{\omega R_a}{4Q}: \f]
/// half of the voltage that it induces acts on itself, by the fundamental theorem of beam loading
/// (P. B. Wilson, AIP Conf. Proc. 87 (1982) 450), and what it leaves is the wake of a resonator
/// (B. W. Zotter and S. A. Kheifets, Impedances and Wakes in High-Energy Particle Accelerators,
/// World Scientific 1998, 3.2.4). Charges are those of particles in bins of the time around the
/// mean; particles of a bin have its voltage. \f$R_s\f$ is the shunt impedance of the circuit, half
/// of the accelerator's \f$R_a=V^2/P\f$.

#include <trackplex/beam/collective/detail/add_counts.hpp>
#include <trackplex/beam/collective/detail/mode_action.hpp>
#include <trackplex/beam/collective/resonator.hpp>
#include <trackplex/beam/collective/wake_profile.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/beam/steps/step_builder.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>

#include <algorithm>
#include <complex>
#include <memory>
#include <vector>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class LongitudinalModeKick;

/// Mode of a cavity with its voltage at the start.
struct LongitudinalMode {
  Resonator resonator{};  ///< Resonance.
  double voltage = 0.;    ///< Voltage at the start, V.
  double phase = 0.;      ///< Its phase, rad; 0: largest gain.
};

/// Longitudinal modes of a cavity (RFMODE, FRFMODE), without a length.
struct LongitudinalModes {
  std::vector<LongitudinalMode> modes{};  ///< Modes; required.
  double bin_size = 0.;                   ///< Length of a bin of time, s.
  int bins = 20;                          ///< Bins of time around the mean of the bunch.
  bool interpolate = false;    ///< Whether the voltage is linear between centres of bins.
  bool allow_outside = false;  ///< Whether particles may be outside the bins: they are not kicked.
  ModeTurns turns{};           ///< Turns on which they act.
  double cavities = 1.;        ///< Factor of the kicks: number of equal cavities.
  double initial_time = 0.;    ///< Time of the voltages at the start, s.
  double preload_charge = 0.;  ///< Charge of a bunch whose steady state is the start, C; 0: none.
  double preload_factor = 1.;  ///< Factor of this voltage.
  int preload_harmonic = 0;    ///< Harmonic of the turn that excites it; 0: the nearest one.
  double charge = 0.;          ///< Charge of the whole bunch if its particles have none, C.

  /// Returns the phasors at the start without the preload, V.
  std::vector<std::complex<double>> initial_phasors() const;
  /// Returns the phasors of the steady state in a ring,
  /// \f[ V=-\frac{q}{T_0}\frac{R_a}{1+\beta}\cos\psi\,e^{i\psi},\qquad
  ///     \tan\psi=2Q_L\frac{f-h/T_0}{h/T_0}, \f]
  /// with the time of a turn T_0, s, and the harmonic h.
  /// @throws UsageError if there is no such harmonic
  std::vector<std::complex<double>> preloaded_phasors(double turn_time) const;

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "wake";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = LongitudinalModeKick<T, ExecutionSpace, Width>;
  /// @}
};

/// Action of `LongitudinalModes` on bunches; it keeps the phasors for the next pass. A bunch that
/// comes before the last one begins with the voltages of the start. An object serves one
/// execution-space instance at a time; nothing is allocated while bunches are tracked. Results do
/// not depend on backend, threads or lanes.
/// @tparam T              precision of the particles, float or double; all else is in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class LongitudinalModeKick : detail::ModeAction<T, ExecutionSpace, Width> {
  using Base = detail::ModeAction<T, ExecutionSpace, Width>;
  using typename Base::FieldReal;
  using Real = LanesOf<T, Width>;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it kicks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory.

  /// Copies the modes to the device, and takes the length of a turn from the state of a line. Waits
  /// for the instance.
  /// @throws UsageError as `LongitudinalModes::check`, or if there is no mode, there are less than
  /// two bins or too many, or bins have no length
  LongitudinalModeKick(const ExecutionSpace& exec, const LongitudinalModes& modes, LineState& state)
      : LongitudinalModeKick(exec, modes) {
    length_ = state.shared<LineLength>();
  }
  /// The same for modes without a preload.
  LongitudinalModeKick(const ExecutionSpace& exec, const LongitudinalModes& modes)
      : Base(exec, "mode of a cavity", modes), modes_(modes), field_(field_of(exec, modes)) {
    this->allocate(counts_, "bin_counts", modes.bins);
    this->allocate(outside_, "outside_count", 1);
  }

  /// Enqueues the kick; waits for the range of the delays. The bunch must not have lost particles
  /// among the others (`remove_lost`).
  /// @throws UsageError if the bunch may have lost particles, its particles have no charge, times
  /// that are not finite or some outside the bins, its bins begin before those of the last turn
  /// end, or there is no harmonic of the turn for a preload
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace,
                  const Loss& here) {
    if (!modes_.turns.are_on(here.turn) || bunch.share().all == 0) return;
    const double charge_now = this->charge_now(bunch);
    T* const delays = this->delays_of(exec, bunch, workspace);
    const detail::DelaysAndRange<Real> terms{bunch.columns(), delays,
                                             ArrivalTimes<T>(bunch.reference)};
    this->require_inside(this->template reduce_range<detail::DelayOperations>(exec, bunch.share(),
                                                                              terms, workspace));
    const detail::GridPositions<Real> positions(this->grid(), delays);
    const histogram::Deposit<T, ExecutionSpace, Width> deposit{{.bins = modes_.bins}};
    deposit(exec, bunch.size(), positions, counts_, outside_, workspace);
    detail::add_counts(exec, bunch.share().ranks, counts_, modes_.bins, outside_);
    this->arrive(bunch.reference, here.turn,
                 [&](double light) { return begin(exec, bunch.reference, light); });
    field_.ring(exec, this->pass(counts_.data(), 1, this->kept_charge(bunch, charge_now)));
    const double per_volt = modes_.cavities / bunch.reference.momentum_volts();
    field_.template sum<FieldReal>(exec, modes_.bins, per_volt);
    if (here.turn < modes_.turns.first_kick) return;
    for_each_tile<Real>(exec, "Trackplex::Beam::mode_kick", bunch.size(),
                        detail::WakeKick<Real>{{positions, modes_.bins, modes_.interpolate},
                                               field_.kicks.data(),
                                               bunch.columns(),
                                               EnergyChange<T>(bunch.reference)});
  }

  /// Returns the voltage of one cavity along the last bunch, V: gain of energy, eV. Waits for the
  /// instance.
  WakeProfile profile(const ExecutionSpace& exec) const { return this->profile_of(exec, field_); }
  /// Returns the phasors of the modes at the centre of the last bin of the last bunch, after it, V.
  /// Waits for the instance.
  std::vector<std::complex<double>> phasors(const ExecutionSpace& exec) const {
    return field_.phasors(exec);
  }

 private:
  static typename Base::Field field_of(const ExecutionSpace& exec, const LongitudinalModes& modes) {
    std::vector<detail::ModeRates> rates;
    std::vector<std::complex<double>> losses;
    for (const LongitudinalMode& mode : modes.modes) {
      rates.emplace_back(mode.resonator);
      const double loss = rates.back().loss;
      losses.emplace_back(loss, loss / (2. * rates.back().ringing));
    }
    return typename Base::Field(exec, rates, losses, modes.bins, false);
  }

  /// Sets the phasors of the start; returns c times their time, m.
  double begin(const ExecutionSpace& exec, const ReferenceParticle& reference, double light) {
    if (modes_.preload_charge > 0.) {
      ReferenceParticle turn = reference;
      turn.path_length = length_ ? length_->value : 0.;
      field_.set(exec,
                 modes_.preloaded_phasors(this->light_path_of(turn) / constants::speed_of_light));
      return light;
    }
    field_.set(exec, modes_.initial_phasors());
    const auto is_loaded = [](const LongitudinalMode& mode) { return mode.voltage != 0.; };
    if (std::ranges::none_of(modes_.modes, is_loaded)) return light + this->grid().first;
    return constants::speed_of_light * modes_.initial_time;
  }

  LongitudinalModes modes_;
  typename Base::Field field_;
  std::shared_ptr<const LineLength> length_;
  typename Base::template Array<int> counts_;
  typename Base::template Array<histogram::OutsideCounts> outside_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/longitudinal_modes.impl.hpp>
#endif
