// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Short-range wakes of structures, as the elements WAKE and TRWAKE of the accelerator code elegant
/// (M. Borland): each particle acts on those behind it. With the wake functions W of a point charge
/// (A. W. Chao, Physics of Collective Beam Instabilities, Wiley 1993), the charge q of a particle
/// and N_i particles in bin i of the time,
/// \f[ V_i=q\sum_{j\le i}N_jW_{i-j},\qquad
///     V_{x,i}=q\sum_{j\le i}\Bigl(\sum_{k\in j}x_k\Bigr)W_{x,i-j}. \f]
/// Bins are as wide as the spacing of the table. A particle loses the energy eV, and its transverse
/// momentum changes by \f$eV_x/c\f$; its time and position stay.

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/collective/detail/add_counts.hpp>
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
class LongitudinalWakeKick;

/// Longitudinal wake (WAKE), without a length.
struct Wake {
  std::shared_ptr<const WakeTable> table{};  ///< Wake functions; must have the longitudinal one.
  double factor = 1.;                        ///< Factor of the wake.
  int bins = 0;                  ///< Bins of time around the mean; 0: as many as the bunch needs.
  bool interpolate = false;      ///< Whether the voltage is linear between centres of bins.
  bool smoothing = false;        ///< Whether the current is smoothed, by a Savitzky-Golay filter.
  int smoothing_half_width = 4;  ///< Bins on each side in the filter.
  int smoothing_order = 1;       ///< Order of the polynomial of the filter.
  bool change_p0 = false;        ///< Whether p0 becomes the mean momentum after it.
  bool allow_long_beam = false;  ///< Whether a bunch may be longer than the table: W is 0 beyond.
  int max_bins = 1 << 16;        ///< Max number of bins where it follows from the bunch.
  double charge = 0.;            ///< Charge of the whole bunch, C; 0: that of its particles.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "wake";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = LongitudinalWakeKick<T, ExecutionSpace, Width>;
  /// @}
};

/// Action of a `Wake` on bunches. An object serves one execution-space instance at a time; nothing
/// is allocated while bunches of one size are tracked. Results do not depend on backend, threads or
/// lanes.
/// @tparam T              precision of the particles, float or double; all else is in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class LongitudinalWakeKick : detail::WakeAction<T, ExecutionSpace, Width> {
  using Base = detail::WakeAction<T, ExecutionSpace, Width>;
  using typename Base::Real;

 public:
  using typename Base::BunchType;
  using typename Base::Scratch;

  /// Copies the table to the device. Waits for the instance.
  /// @throws UsageError if there is no table or a wrong one, no such smoothing, or the number of
  /// bins is negative or 2^22 and more
  LongitudinalWakeKick(const ExecutionSpace& exec, const Wake& wake)
      : Base(exec, "wake", wake), wake_(wake), field_(this->field(exec, wake.table->longitudinal)) {
    if (wake.table->longitudinal.empty())
      throw UsageError("wake", "the table has no longitudinal wake");
    this->allocate(counts_, "bin_counts", this->capacity());
    this->allocate(outside_, "outside_count", 1);
  }

  /// Enqueues the kick; waits for the range of the delays. The bunch must not have lost particles
  /// among the others (`remove_lost`). Particles outside the bins are not kicked.
  /// @throws UsageError if the bunch may have lost particles, its particles have no charge or times
  /// that are not finite, or it is longer than the table
  /// @throws CapacityError if it needs more than `max_bins` bins
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    const int n = bunch.size();
    if (bunch.share().all == 0) return;
    const double charge = this->charge_of(bunch, wake_.charge);
    T* const delays = this->delays_of(exec, bunch, workspace);
    const detail::DelaysAndRange<Real> terms{bunch.columns(), delays,
                                             ArrivalTimes<T>(bunch.reference)};
    this->template reduce_range<detail::DelayOperations>(exec, bunch.share(), terms, workspace);
    const detail::GridPositions<Real> positions(this->grid(), delays);
    const int bins = this->grid().bins;
    const histogram::Deposit<T, ExecutionSpace, Width> deposit{{.bins = bins}};
    deposit(exec, n, positions, counts_, outside_, workspace);
    detail::add_counts(exec, bunch.share().ranks, counts_, bins, outside_);
    const double per_volt = -1. / bunch.reference.momentum_volts();
    field_.template find<typename Base::FieldReal>(exec, counts_.data(), 1, 1., bins,
                                                   charge * wake_.factor, per_volt);
    for_each_tile<Real>(exec, "Trackplex::Beam::wake_kick", n,
                        detail::WakeKick<Real>{{positions, bins, wake_.interpolate},
                                               field_.kicks.data(),
                                               bunch.columns(),
                                               EnergyChange<T>(bunch.reference)});
    if (wake_.change_p0) set_reference_to_mean<Width>(exec, bunch, workspace);
  }

  /// Returns the voltage along the last bunch, V: loss of energy, eV. Waits for the instance.
  WakeProfile profile(const ExecutionSpace& exec) const { return this->profile_of(exec, field_); }

 private:
  Wake wake_;
  typename Base::Field field_;
  typename Base::template Array<int> counts_;
  typename Base::template Array<histogram::OutsideCounts> outside_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/wake.impl.hpp>
#endif
