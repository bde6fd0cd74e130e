// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/elements/pulsed_kicker.hpp>

#include <memory>

/// @file
/// Ramps of the reference momentum.

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class MomentumRampAction;

/// Ramp of the reference momentum, as the element RAMPP of the accelerator code elegant (M.
/// Borland): at the mean time of the particles, from time 0 of the reference particle on, it is a
/// factor, linear between the points of a curve and constant beyond them, times the momentum at the
/// first pass. Particles keep their momenta and times.
struct MomentumRamp {
  std::shared_ptr<const Waveform> factor{};  ///< Factors, above 0, over time; required.

  /// Returns the factor at a time, s.
  double at(double time) const;

  /// @{ @brief Element interface, see element.hpp; the map, and the momentum of optics, are those
  /// without the ramp.
  static constexpr const char* family = "other";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = MomentumRampAction<T, ExecutionSpace, Width>;
  /// @}
};

/// Action of a `MomentumRamp`. Waits for the instance, for the mean time of particles.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class MomentumRampAction {
 public:
  /// Takes the ramp.
  /// @throws UsageError as `MomentumRamp::check`, or without factors
  MomentumRampAction(const ExecutionSpace&, const MomentumRamp& ramp) : ramp_(ramp) {
    if (!ramp.factor) throw UsageError("momentum ramp", "there are no factors");
    ramp.check(ElementCheck("momentum ramp"));
  }

  /// Changes the reference momentum of a bunch; one without particles is unchanged.
  void operator()(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Workspace<ExecutionSpace>& workspace) {
    if (bunch.share().all == 0) return;
    if (first_momentum_ == 0.) first_momentum_ = bunch.reference.p0;
    const double delay = mean_delay<Width>(exec, bunch, workspace);
    const double time =
        (detail::light_path_of(bunch.reference) + delay) / constants::speed_of_light;
    change_reference_momentum<Width>(exec, bunch, first_momentum_ * ramp_.at(time));
  }

 private:
  MomentumRamp ramp_;
  double first_momentum_ = 0.;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/momentum_ramp.impl.hpp>
#endif
