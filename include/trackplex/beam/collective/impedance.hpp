// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Longitudinal impedances, as in the element ZLONGIT of the accelerator code elegant (M.
/// Borland). With the Fourier transform \f$I_k\f$ of the current of a bunch in n bins of time
/// around its mean (\f$e^{-i\omega t}\f$ forward) and the impedance at the frequencies
/// \f$k/(n\,\Delta t)\f$,
/// \f[ V_k=Z_kI_k, \f]
/// transformed back, is the voltage that a particle at this time loses. The transform is periodic,
/// so the bunch repeats after n bins and may be at most half as long. A resonator of shunt
/// impedance \f$R_s\f$, quality Q and frequency \f$f_r\f$ has the impedance
/// \f[ Z(f)=\frac{R_s}{1-iQ(f_r/f-f/f_r)}. \f]

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/collective/detail/add_counts.hpp>
#include <trackplex/beam/collective/detail/impedance_field.hpp>
#include <trackplex/beam/collective/detail/wake_action.hpp>
#include <trackplex/beam/collective/wake_profile.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/steps/step_builder.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>

#include <memory>
#include <string>
#include <vector>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class ImpedanceKick;

/// Impedance at equally spaced frequencies, from 0 on. Elements share a table.
struct ImpedanceTable {
  double bin_size = 0.;           ///< Length of a bin of time, s.
  std::vector<double> real;       ///< Real parts, Ohm: one more than half the number of bins.
  std::vector<double> imaginary;  ///< Imaginary parts, Ohm; the first and the last one are 0.

  /// Returns the number of bins of time.
  int bins() const { return 2 * (int(real.size()) - 1); }

  /// Checks the table; `name` is its file or element, for messages.
  /// @throws UsageError if bins have no length, there are less than three frequencies, numbers of
  /// real and imaginary parts differ, the first or the last one is complex, or a number is not
  /// finite
  void check(const std::string& name) const;
};

/// Returns the impedance of a resonator; 0 at the first and the last frequency.
/// @param shunt      shunt impedance R_s, Ohm
/// @param quality    quality factor Q
/// @param frequency  resonance frequency, Hz, above 0
/// @param bin_size   length of a bin of time, s
/// @param bins       number of bins, even
ImpedanceTable resonator_impedance(double shunt, double quality, double frequency, double bin_size,
                                   int bins);

/// Longitudinal impedance (ZLONGIT), without a length.
struct LongitudinalImpedance {
  std::shared_ptr<const ImpedanceTable> table{};  ///< Impedance; required.
  double factor = 1.;                             ///< Factor of the impedance.
  bool interpolate = false;      ///< Whether the voltage is linear between centres of bins.
  bool smoothing = false;        ///< Whether the current is smoothed, by a Savitzky-Golay filter.
  int smoothing_half_width = 4;  ///< Bins on each side in the filter.
  int smoothing_order = 1;       ///< Order of the polynomial of the filter.
  int first_turn = 0;            ///< First turn in which it acts.
  int ramp_turns = 0;            ///< Turns over which it ramps linearly to its full strength.
  bool allow_long_beam = false;  ///< Whether a bunch may be longer than half of the bins.
  double charge = 0.;            ///< Charge of the whole bunch, C; 0: that of its particles.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "wake";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = ImpedanceKick<T, ExecutionSpace, Width>;
  /// @}
};

/// Action of a `LongitudinalImpedance` on bunches. An object serves one execution-space instance at
/// a time; nothing is allocated while bunches of one size are tracked. Results do not depend on
/// backend, threads or lanes.
/// @tparam T              precision of the particles, float or double; all else is in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class ImpedanceKick : detail::WakeAction<T, ExecutionSpace, Width> {
  using Base = detail::WakeAction<T, ExecutionSpace, Width>;
  using typename Base::Real;
  using Field = detail::ImpedanceField<T, typename Base::FieldReal, MemoryOf<ExecutionSpace>>;

 public:
  using typename Base::BunchType;
  using typename Base::Scratch;

  /// Copies the table to the device. Waits for the instance.
  /// @throws UsageError if the table is missing or invalid, the smoothing does not exist, or the
  /// transform takes too long (`RealFft`)
  ImpedanceKick(const ExecutionSpace& exec, const LongitudinalImpedance& impedance)
      : Base(exec, binning_of(impedance), impedance), impedance_(impedance) {
    const ImpedanceTable& table = *impedance.table;
    field_.fft = RealFft<MemoryOf<ExecutionSpace>>(exec, table.bins());
    field_.real = to_device<double>(exec, "Trackplex::Beam::impedance", table.real);
    field_.imaginary = to_device<double>(exec, "Trackplex::Beam::impedance", table.imaginary);
    field_.smoothing = to_device<double>(exec, "Trackplex::Beam::smoothing", this->weights());
    this->allocate(field_.counts, "bin_counts", table.bins());
    this->allocate(field_.voltage, "impedance_voltage", table.bins());
    this->allocate(field_.kicks, "impedance_kicks", table.bins() + 1);
    this->allocate(outside_, "outside_count", 1);
  }

  /// Enqueues the kick; waits for the range of the delays. The bunch must not have lost particles
  /// among the others (`remove_lost`). Particles outside the bins are not kicked.
  /// @throws UsageError if the bunch may have lost particles, its particles have no charge or times
  /// that are not finite, or it is longer than half of the bins
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace,
                  const Loss& here) {
    const double strength = strength_on(here.turn);
    if (bunch.share().all == 0 || strength == 0.) return;
    const int n = bunch.size(), bins = impedance_.table->bins();
    const double charge = this->charge_of(bunch, impedance_.charge);
    T* const delays = this->delays_of(exec, bunch, workspace);
    const detail::DelaysAndRange<Real> terms{bunch.columns(), delays,
                                             ArrivalTimes<T>(bunch.reference)};
    this->template reduce_range<detail::DelayOperations>(exec, bunch.share(), terms, workspace);
    const detail::GridPositions<Real> positions(this->grid(), delays);
    const histogram::Deposit<T, ExecutionSpace, Width> deposit{{.bins = bins}};
    deposit(exec, n, positions, field_.counts, outside_, workspace);
    detail::add_counts(exec, bunch.share().ranks, field_.counts, bins, outside_);
    field_.current = strength * charge / (impedance_.table->bin_size * bins);
    field_.kicks_per_volt = -1. / bunch.reference.momentum_volts();
    for_each_team(exec, "Trackplex::Beam::impedance_field", 1, field_,
                  SpaceTraits<ExecutionSpace>::large_team_size);
    for_each_tile<Real>(exec, "Trackplex::Beam::impedance_kick", n,
                        detail::WakeKick<Real>{{positions, bins, impedance_.interpolate},
                                               field_.kicks.data(),
                                               bunch.columns(),
                                               EnergyChange<T>(bunch.reference)});
  }

  /// Returns the voltage along the last bunch, V: loss of energy, eV. Waits for the instance.
  WakeProfile profile(const ExecutionSpace& exec) const { return this->profile_of(exec, field_); }

 private:
  static detail::WakeBinning binning_of(const LongitudinalImpedance& impedance) {
    constexpr const char* where = "impedance";
    if (!impedance.table) throw UsageError(where, "there is no table of the impedance");
    const ImpedanceTable& table = *impedance.table;
    table.check(where);
    return {.where = where,
            .spacing = table.bin_size,
            .points = int(table.real.size()),
            .bins = table.bins(),
            .max_bins = table.bins(),
            .allow_long_beam = impedance.allow_long_beam,
            .shift = 0.5,
            .what = "half of the period of its impedance",
            .hint = "take more bins, or a finer spacing of frequencies"};
  }
  double strength_on(int turn) const {
    const int turns = turn - impedance_.first_turn + 1;
    if (turns < 1) return 0.;
    const bool grows = turns < impedance_.ramp_turns;
    return impedance_.factor * (grows ? double(turns) / impedance_.ramp_turns : 1.);
  }

  LongitudinalImpedance impedance_;
  Field field_{};
  typename Base::template Array<histogram::OutsideCounts> outside_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/impedance.impl.hpp>
#endif
