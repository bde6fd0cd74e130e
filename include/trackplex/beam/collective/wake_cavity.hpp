// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Accelerating cavities with wakes and longitudinal space charge, as in the element RFCW of
/// the accelerator code elegant (M. Borland): cavities of rf_cavity.hpp, with effects of wake.hpp
/// and longitudinal_space_charge.hpp in each slice. In a structure of length L with N slices, wakes
/// W of a cell are \f$\frac{L}{Nl_\mathrm{cell}}W\f$ in each slice.

#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/beam/collective/transverse_wake.hpp>
#include <trackplex/beam/collective/wake.hpp>
#include <trackplex/beam/elements/rf_cavity.hpp>
#include <trackplex/core/compiled.hpp>

#include <memory>
#include <optional>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class WakeCavityAction;

namespace detail {

/// Adds constants to x and y.
template <class Real>
struct MoveAxis {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  T dx, dy;  // m

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    tile.store(columns.v[x], tile.load(columns.v[x]) + Real(dx));
    tile.store(columns.v[y], tile.load(columns.v[y]) + Real(dy));
  }
};

}  // namespace detail

/// Accelerating cavity with wakes and longitudinal space charge (RFCW). Without these it is its
/// `cavity`. The bunch acts on itself at the centre of each slice, between the change of energy and
/// the second half, or after each slice if slices are maps. If the cavity changes the reference
/// momentum, the field of space charge is that of a bunch with the momentum before the cavity or,
/// with a longitudinal wake, with the mean momentum in the slice.
struct WakeCavity {
  RfCavity cavity{};        ///< Cavity; transverse wakes are about its displaced axis.
  double cell_length = 0.;  ///< Length of one cell of the wake tables, m.
  std::shared_ptr<const WakeTable> longitudinal{};  ///< Longitudinal wake; null: none.
  std::shared_ptr<const WakeTable> transverse{};    ///< Wake in x or y or both; null: none.
  int bins = 0;                  ///< Bins of time around the mean; 0: as many as the bunch needs.
  bool interpolate = false;      ///< Whether wakes are linear between centres of bins.
  bool smoothing = false;        ///< Whether sums in bins are smoothed, by a Savitzky-Golay filter.
  int smoothing_half_width = 4;  ///< Bins on each side in the filter.
  int smoothing_order = 1;       ///< Order of the polynomial of the filter.
  bool effects_at_end = false;   ///< Whether wakes and space charge act after each slice.
  bool space_charge = false;     ///< Whether longitudinal space charge acts.
  int space_charge_bins = 0;     ///< Bins of time for it: even, at least 4.
  bool space_charge_interpolate = true;  ///< Whether its voltage is linear between centres of bins.
  FrequencyCutoff low_frequency{};       ///< Frequencies below are removed from its field.
  FrequencyCutoff high_frequency{};      ///< Frequencies above are removed from its field.
  double radius_factor = 1.7;            ///< Radius of the beam over the mean of the rms sizes.

  /// Returns the length of a slice, m.
  double slice_length() const { return cavity.length / cavity.slices(); }
  /// Returns whether the bunch acts on itself.
  bool has_effects() const;
  /// Returns the longitudinal wake of a slice.
  Wake longitudinal_wake() const;
  /// Returns the transverse wake of a slice.
  TransverseWake transverse_wake() const { return wake_of_slice<TransverseWake>(transverse); }
  /// Returns the kick by the space charge of a slice.
  SpaceChargeDrift space_charge_kick() const;

  /// @{ @brief Element interface, see element.hpp; the map is that of the cavity.
  static constexpr const char* family = RfCavity::family;
  static constexpr bool is_whole = true;
  double length() const { return cavity.length; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order, double p0 = 0.) const { return cavity.map_to(order, p0); }
  double momentum_behind(double p0) const { return cavity.momentum_behind(p0); }
  template <class T, class ExecutionSpace, int Width>
  using Action = WakeCavityAction<T, ExecutionSpace, Width>;
  /// @}

 private:
  template <class Kind>
  Kind wake_of_slice(const std::shared_ptr<const WakeTable>& table) const {
    Kind wake{.table = table};
    wake.factor = slice_length() / cell_length;
    wake.bins = bins;
    wake.interpolate = interpolate;
    wake.smoothing = smoothing;
    wake.smoothing_half_width = smoothing_half_width;
    wake.smoothing_order = smoothing_order;
    return wake;
  }
};

/// Action of a `WakeCavity` on bunches; its phase reference is as for `RfCavityAction`. Each
/// slice waits for the instance: wakes for the range of the delays, space charge for its step. An
/// object serves one execution-space instance at a time; nothing is allocated while bunches of one
/// size are tracked.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class WakeCavityAction {
  using Real = LanesOf<T, Width>;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory.

  /// Takes the cavity, and its phase reference from the state of a line; copies the tables of the
  /// wakes to the device. Waits for the instance.
  /// @throws UsageError as `WakeCavity::check`, `LongitudinalWakeKick`, `TransverseWakeKick` and
  /// `LongitudinalSpaceCharge`
  WakeCavityAction(const ExecutionSpace& exec, const WakeCavity& element, LineState& state)
      : element_(checked(element)), cavity_(exec, on_axis(element), state) {
    make_effects(exec);
  }
  /// The same with its own phase reference.
  WakeCavityAction(const ExecutionSpace& exec, const WakeCavity& element)
      : element_(checked(element)), cavity_(exec, on_axis(element)) {
    make_effects(exec);
  }

  /// Enqueues the pass of a bunch on the instance, and adds the length to the path length of the
  /// reference particle before its momentum changes. The bunch must not have lost particles among
  /// the others (`remove_lost`).
  /// @throws UsageError as the actions of wakes, if the bunch has no field of space charge
  /// (`LongitudinalSpaceCharge::check`), or if a slice is longer than a tenth of the inverse wave
  /// number of its plasma oscillations
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    if (!element_.has_effects() || bunch.share().all == 0) return cavity_(exec, bunch, workspace);
    shift(exec, bunch, -1.);
    if (!element_.effects_at_end) {
      cavity_.track_with(exec, bunch, workspace, [&](const auto&, auto&, auto&) {  //
        act(exec, bunch, workspace);
      });
    } else {
      cavity_.begin(exec, bunch, workspace);
      for (int slice = 0; slice < element_.cavity.slices(); ++slice) {
        cavity_.track(exec, bunch, slice, slice + 1);
        act(exec, bunch, workspace);
      }
      cavity_.end(exec, bunch, workspace);
    }
    shift(exec, bunch, 1.);
  }

  /// Returns the element.
  const WakeCavity& element() const { return element_; }
  /// Returns the phase reference, which another cavity may share.
  const PhaseReference& phase_reference() const { return cavity_.phase_reference(); }
  /// Returns the longitudinal wake of the last slice; null without one.
  const auto* longitudinal_wake() const { return longitudinal_ ? &*longitudinal_ : nullptr; }
  /// Returns the transverse wake of the last slice; null without one.
  const auto* transverse_wake() const { return transverse_ ? &*transverse_ : nullptr; }
  /// Returns the space charge of the last slice; null without one.
  const auto* space_charge() const { return space_charge_ ? &*space_charge_ : nullptr; }

 private:
  static constexpr double largest_phase = 0.1;  ///< of plasma oscillations in a slice

  static const WakeCavity& checked(const WakeCavity& element) {
    element.check(ElementCheck("cavity"));
    return element;
  }
  /// The cavity; with effects, particles are first moved to its axis.
  static RfCavity on_axis(const WakeCavity& element) {
    RfCavity cavity = element.cavity;
    if (element.has_effects()) cavity.dx = cavity.dy = 0.;
    return cavity;
  }

  void make_effects(const ExecutionSpace& exec) {
    if (!element_.has_effects()) return;
    if (element_.longitudinal) longitudinal_.emplace(exec, element_.longitudinal_wake());
    if (element_.transverse) transverse_.emplace(exec, element_.transverse_wake());
    if (element_.space_charge) space_charge_.emplace(exec, element_.space_charge_kick());
  }

  void act(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    if (longitudinal_) (*longitudinal_)(exec, bunch, workspace);
    if (transverse_) (*transverse_)(exec, bunch, workspace);
    if (!space_charge_) return;
    (*space_charge_)(exec, bunch, workspace);
    space_charge_->check(exec);
    require_short(space_charge_->last_step(exec));
  }

  static void require_short(const SpaceChargeStep& step) {
    if (step.wave_number * step.length <= largest_phase) return;
    throw UsageError("longitudinal space charge", "a slice of the cavity is too long",
                     shortest(step.length) + " m, and plasma oscillations allow " +
                         shortest(largest_phase / step.wave_number) + " m",
                     "take more kicks");
  }

  void shift(const ExecutionSpace& exec, BunchType& bunch, double sign) const {
    const RfCavity& cavity = element_.cavity;
    if (cavity.dx == 0. && cavity.dy == 0.) return;
    for_each_tile<Real>(
        exec, "Trackplex::Beam::cavity_axis", bunch.size(),
        detail::MoveAxis<Real>{bunch.columns(), T(sign * cavity.dx), T(sign * cavity.dy)});
  }

  WakeCavity element_;
  RfCavityAction<T, ExecutionSpace, Width> cavity_;
  std::optional<LongitudinalWakeKick<T, ExecutionSpace, Width>> longitudinal_;
  std::optional<TransverseWakeKick<T, ExecutionSpace, Width>> transverse_;
  std::optional<LongitudinalSpaceCharge<T, ExecutionSpace, Width>> space_charge_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/wake_cavity.impl.hpp>
#endif
