// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Transverse wakes of structures, see wake.hpp.

#include <trackplex/beam/collective/detail/wake_action.hpp>
#include <trackplex/beam/collective/wake_profile.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/steps/step_builder.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class TransverseWakeKick;

/// Transverse dipole wake (TRWAKE), without a length. The frame is rotated, and its centre is at
/// (dx, dy) in the rotated frame.
struct TransverseWake {
  std::shared_ptr<const WakeTable> table{};  ///< Wake functions; must have x or y or both.
  double factor = 1.;                        ///< Factor of the wakes.
  double x_factor = 1.;                      ///< Further factor of that in x.
  double y_factor = 1.;                      ///< Further factor of that in y.
  int bins = 0;                  ///< Bins of time around the mean; 0: as many as the bunch needs.
  bool interpolate = false;      ///< Whether the kick is linear between centres of bins.
  bool smoothing = false;        ///< Whether sums in bins are smoothed, by a Savitzky-Golay filter.
  int smoothing_half_width = 4;  ///< Bins on each side in the filter.
  int smoothing_order = 1;       ///< Order of the polynomial of the filter.
  bool allow_long_beam = false;  ///< Whether a bunch may be longer than the table: W is 0 beyond.
  int max_bins = 1 << 16;        ///< Max number of bins where it follows from the bunch.
  double dx = 0.;                ///< Centre in x of the rotated frame, m.
  double dy = 0.;                ///< Centre in y of the rotated frame, m.
  double tilt = 0.;              ///< Rotation around the axis, rad, from x towards y.
  double charge = 0.;            ///< Charge of the whole bunch, C; 0: that of its particles.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "wake";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = TransverseWakeKick<T, ExecutionSpace, Width>;
  /// @}
};

/// Action of a `TransverseWake` on bunches. An object serves one execution-space instance at a
/// time; nothing is allocated while bunches of one size are tracked. Results do not depend on
/// backend, threads or lanes: positions are added up as integers, in units of at most
/// 2^-60 n times the largest |x| or |y| of the n particles (in the precision of the particles).
/// @tparam T              precision of the particles, float or double; all else is in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class TransverseWakeKick : detail::WakeAction<T, ExecutionSpace, Width> {
  using Base = detail::WakeAction<T, ExecutionSpace, Width>;
  using typename Base::Real;

 public:
  using typename Base::BunchType;
  using typename Base::Scratch;

  /// Copies the tables to the device. Waits for the instance.
  /// @throws UsageError if there is no table or a wrong one, no such smoothing, or the number of
  /// bins is negative or 2^22 and more
  TransverseWakeKick(const ExecutionSpace& exec, const TransverseWake& wake)
      : Base(exec, "transverse wake", wake),
        wake_(wake),
        x_field_(this->field(exec, or_zero(wake.table->x))),
        y_field_(this->field(exec, or_zero(wake.table->y))) {
    if (wake.table->x.empty() && wake.table->y.empty())
      throw UsageError("transverse wake", "the table has no transverse wake");
    this->allocate(sums_, "bin_sums", 2 * this->capacity());
  }

  /// Enqueues the kick; waits for the range of the delays. The bunch must not have lost particles
  /// among the others (`remove_lost`). Particles outside the bins are not kicked.
  /// @throws UsageError if the bunch may have lost particles, its particles have no charge or
  /// times or positions that are not finite, or it is longer than the table
  /// @throws CapacityError if it needs more than `max_bins` bins
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    const int n = bunch.size();
    if (bunch.share().all == 0) return;
    const double charge = this->charge_of(bunch, wake_.charge);
    T* const delays = this->delays_of(exec, bunch, workspace);
    const detail::WakeFrame<T> frame{T(cos(wake_.tilt)), T(sin(wake_.tilt)), T(wake_.dx),
                                     T(wake_.dy)};
    const detail::DelaysAndOffsets<Real> terms{
        {bunch.columns(), delays, ArrivalTimes<T>(bunch.reference)}, frame};
    const auto range = this->template reduce_range<detail::OffsetOperations>(exec, bunch.share(),
                                                                             terms, workspace);
    if (!std::isfinite(range(3)) || !std::isfinite(range(4)))
      throw UsageError("transverse wake", "the positions of the particles are not finite", {},
                       "remove lost particles");
    const detail::GridPositions<Real> positions(this->grid(), delays);
    const int bins = this->grid().bins;
    const double x_unit = histogram::unit_of_sums(range(3), bunch.share().all);
    const double y_unit = histogram::unit_of_sums(range(4), bunch.share().all);
    const histogram::DepositValues<T, 2, ExecutionSpace, Width> deposit{bins};
    deposit(exec, n,
            detail::BinnedOffsets<Real>{positions, bunch.columns(), frame, T(1. / x_unit),
                                        T(1. / y_unit)},
            sums_);
    add_over_ranks(exec, bunch.share().ranks, sums_, 2 * std::size_t(bins));
    const double per_volt = 1. / bunch.reference.momentum_volts();
    const auto find = [&](const auto& field, int component, double unit, double factor) {
      field.template find<typename Base::FieldReal>(exec, sums_.data() + component, 2, unit, bins,
                                                    charge * wake_.factor * factor, per_volt);
    };
    find(x_field_, 0, x_unit, wake_.x_factor);
    find(y_field_, 1, y_unit, wake_.y_factor);
    for_each_tile<Real>(exec, "Trackplex::Beam::transverse_wake_kick", n,
                        detail::TransverseWakeKicks<Real>{{positions, bins, wake_.interpolate},
                                                          x_field_.kicks.data(),
                                                          y_field_.kicks.data(),
                                                          bunch.columns(),
                                                          frame});
  }

  /// Returns the horizontal voltage along the last bunch, V, in the rotated frame. Waits for the
  /// instance.
  WakeProfile x_profile(const ExecutionSpace& exec) const {
    return this->profile_of(exec, x_field_);
  }
  /// Returns the vertical voltage along the last bunch, V, in the rotated frame. Waits for the
  /// instance.
  WakeProfile y_profile(const ExecutionSpace& exec) const {
    return this->profile_of(exec, y_field_);
  }

 private:
  static std::vector<double> or_zero(const std::vector<double>& table) {
    return table.empty() ? std::vector<double>{0.} : table;
  }

  TransverseWake wake_;
  typename Base::Field x_field_, y_field_;
  typename Base::template Array<std::int64_t> sums_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/transverse_wake.impl.hpp>
#endif
