// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Common parts of the actions of longitudinal and transverse wakes.

#include <trackplex/beam/collective/detail/wake_field.hpp>
#include <trackplex/beam/collective/wake_profile.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/histogram/deposit.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace trackplex::beam::detail {

template <class T, class ExecutionSpace, int Width>
class WakeAction {
 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;
  using Scratch = Workspace<ExecutionSpace>;

 protected:
  using Real = LanesOf<T, Width>;
  using FieldReal = LanesOf<double, (Width < 4 ? Width : 4)>;
  using Field = WakeField<T, MemoryOf<ExecutionSpace>>;
  template <class U>
  using Array = Kokkos::View<U*, MemoryOf<ExecutionSpace>>;
  static constexpr int max_range = 5;

  template <class Wake>
  WakeAction(const ExecutionSpace& exec, const char* where, const Wake& wake)
      : WakeAction(exec, binning_of(where, wake), wake) {}
  /// With bins that are independent of a table of wakes.
  template <class Wake>
  WakeAction(const ExecutionSpace& exec, const WakeBinning& binning, const Wake& wake)
      : binning_(binning) {
    if constexpr (requires { wake.smoothing; })
      if (wake.smoothing)
        weights_ = smoothing_weights(wake.smoothing_half_width, wake.smoothing_order);
    range_ = new_zeros<Array<double>>(exec, "Trackplex::Beam::wake_range", max_range);
    host_range_ = Kokkos::create_mirror_view(range_);
  }

  int capacity() const { return binning_.capacity(); }
  /// Weights of the filter; empty without smoothing.
  const std::vector<double>& weights() const { return weights_; }
  const DelayGrid& grid() const { return grid_; }

  Field field(const ExecutionSpace& exec, const std::vector<double>& table) const {
    return Field(exec, table, capacity(), weights_);
  }

  template <class View>
  void allocate(View& view, const std::string& label, int n) const {
    view = new_zeros<View>("Trackplex::Beam::" + label, std::size_t(n));
  }

  double charge_of(const BunchType& bunch, double charge) const {
    if (bunch.may_have_lost)
      throw UsageError(binning_.where, "lost particles may be among the others of the bunch", {},
                       "move them after the others with remove_lost");
    const double of_each =
        charge > 0. ? charge / double(bunch.size_of_all()) : bunch.particle_charge;
    if (!(of_each > 0.))
      throw UsageError(binning_.where, "the particles have no charge", shortest(of_each),
                       "put a CHARGE before the first wake, or give the charge of the wake");
    return of_each;
  }

  T* delays_of(const ExecutionSpace& exec, const BunchType& bunch, Scratch& workspace) const {
    return workspace.template get<T>(exec, "Trackplex::Beam::delays", bunch.size()).data();
  }

  /// Reduces the range of the delays, and the other terms; sets the bins. Waits for the instance.
  template <class Operations, class Terms>
  auto reduce_range(const ExecutionSpace& exec, const Share& particles, const Terms& terms,
                    Scratch& workspace) {
    reduce<Operations, Rebind<Real, double>>(exec, particles, terms, range_, workspace);
    copy_array(exec, host_range_, range_);
    exec.fence();
    grid_ = wake_grid(binning_,
                      {host_range_(0), host_range_(1), host_range_(2) / double(particles.all)});
    return host_range_;
  }

  template <class AnyField>
  WakeProfile profile_of(const ExecutionSpace& exec, const AnyField& field) const {
    WakeProfile profile;
    const auto voltage = to_host(exec, field.voltage, std::size_t(grid_.bins));
    for (int bin = 0; bin < grid_.bins; ++bin) {
      const double delay = grid_.first + bin / grid_.bins_per_metre;
      profile.time.push_back(delay / constants::speed_of_light);
      profile.voltage.push_back(voltage(bin));
    }
    return profile;
  }

 private:
  template <class Wake>
  static WakeBinning binning_of(const char* where, const Wake& wake) {
    if (!wake.table) throw UsageError(where, "there is no table of wakes");
    check_wake_table(*wake.table, where);
    if (wake.bins < 0 || wake.bins >= histogram::detail::too_many_bins)
      throw UsageError(where, "no such number of bins", std::to_string(wake.bins));
    if (wake.bins == 0 && (wake.max_bins < 3 || wake.max_bins >= histogram::detail::too_many_bins))
      throw UsageError(where, "no such max number of bins", std::to_string(wake.max_bins));
    return {where,     wake.table->spacing(), wake.table->points(),
            wake.bins, wake.max_bins,         wake.allow_long_beam};
  }

  WakeBinning binning_;
  std::vector<double> weights_;
  Array<double> range_;
  decltype(Kokkos::create_mirror_view(Array<double>())) host_range_;
  DelayGrid grid_;
};

}  // namespace trackplex::beam::detail
