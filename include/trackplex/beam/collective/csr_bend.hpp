// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/detail/csr_action.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/derived_math.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class CsrBendAction;

/// Bending magnet with coherent synchrotron radiation (CSRCSBEND): a kick after each slice.
struct CsrBend {
  CanonicalBend magnet{};        ///< The magnet, with its slices.
  int bins = 0;                  ///< Number of bins of time, at least 2.
  double range_factor = 1.2;     ///< Range of the bins relative to the bunch, at least 1.1.
  int smoothing_half_width = 0;  ///< Bins on each side in the filter of the density; 0: none.
  int smoothing_order = 1;       ///< Order of the polynomial of that filter.
  /// Bins on each side in the filter of the derivative; 0: as for the density, at least 1.
  int derivative_half_width = 0;
  int derivative_order = 1;     ///< Order of the polynomial of that filter.
  bool radiation = true;        ///< Whether coherent radiation acts.
  bool steady_state = false;    ///< Whether to use the field of an infinitely long bend.
  bool radiates_behind = true;  ///< Whether radiation continues in a downstream `CsrDrift`.
  double angle_before = 0.;     ///< Angle of upstream parts of the same magnet, rad.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "bend";
  static constexpr bool is_whole = true;
  AxisBend axis_bend() const { return magnet.axis_bend(); }
  double length() const { return magnet.length; }
  double strength() const { return magnet.strength(); }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return magnet.map_to(order); }
  CsrBend reversed() const;
  template <class T, class ExecutionSpace, int Width>
  using Action = CsrBendAction<T, ExecutionSpace, Width>;
  /// @}
};

/// Changes of energy along a bunch, one value per bin.
struct CsrProfile {
  std::vector<double> time;  ///< Lower edges of bins, relative to the reference particle, s.
  std::vector<double> gain;  ///< Energy that a particle at this time gains in a kick, eV.
};

/// Action of a `CsrBend` on bunches. An object serves one execution-space instance at a time;
/// nothing is allocated while bunches of one size are tracked. Results do not depend on backend,
/// threads or lanes. Bends pass their last field to downstream drifts.
/// @tparam T              precision of the particles, float or double; fields are in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class CsrBendAction {
  using Real = LanesOf<T, Width>;
  using Source = detail::CsrSource<T, ExecutionSpace, Width>;
  using Memory = MemoryOf<ExecutionSpace>;

 public:
  using BunchType = Bunch<T, Memory>;         ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;  ///< Temporary memory.

  /// Computes the tables of the bend and allocates its arrays. Waits for the instance.
  /// @throws UsageError if the bend has no slices or, with radiation, less than 2 bins or 2^22 and
  /// more, a range factor below 1.1, or a filter does not exist
  CsrBendAction(const ExecutionSpace& exec, const CsrBend& bend, LineState& state)
      : bend_(bend),
        handed_(state.shared<detail::CsrHandover<Source>>()),
        source_(bend.radiation ? std::make_shared<Source>(exec, binning_of(bend)) : nullptr),
        enter_(exec,
               [&](StepBuilder& to) {
                 bend.magnet.enter(to);
                 if (bend.magnet.entrance_effects != EdgeEffects::none)
                   to.add(steps::Edge{bend.magnet.edge(false)});
               }),
        leave_(exec, [&](StepBuilder& to) {
          if (bend.magnet.exit_effects != EdgeEffects::none)
            to.add(steps::Edge{bend.magnet.edge(true)});
          bend.magnet.leave(to);
        }) {
    const int slices = bend.magnet.slices;
    if (slices < 1) throw UsageError("coherent bend", "it needs slices", std::to_string(slices));
    const BendBody body = bend.magnet.body(at_once());
    slice_ = to_device<T>(exec, "Trackplex::Beam::bend_slice", detail::bend_coefficients(body));
    lost_ = new_zeros<Kokkos::View<int*, Memory>>("Trackplex::Beam::lost_flag", 1);
  }

  /// Enqueues the passage through the bend; with radiation it waits for its end. Adds the length to
  /// the path length of the reference particle. Lost particles get the place `here` and stay among
  /// the others (`remove_lost`), which must not have lost particles before.
  /// @throws UsageError if there may be lost particles; with radiation, if particles have no
  /// charge, or all arrive at one time or at none that is finite
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace,
                  const Loss& here = {0, 0}) {
    here_ = here;
    const int n = bunch.size();
    const double length = bend_.magnet.length, start = bunch.reference.path_length;
    detail::require_whole_bunch("coherent bend", bunch);
    handed_->source = nullptr;
    if (bunch.share().all == 0) {
      bunch.reference.path_length = start + length;
      return;
    }
    delays_ = workspace.template get<T>(exec, "Trackplex::Beam::delays", n).data();
    entrance_ = workspace.template get<T>(exec, "Trackplex::Beam::entrance_delta", n).data();
    if (!bend_.radiation) {
      bunch.reference.path_length = start + length;
      pass(exec, bunch, {true, false, true, true}, 1, workspace, false);
      bunch.may_have_lost = true;
      return;
    }
    detail::require_charge("coherent bend", bunch.particle_charge);
    const int slices = bend_.magnet.slices;
    fill_with_zeros(exec, lost_);
    for (int i = 1; i <= slices; ++i) {
      bunch.reference.path_length = start + length * i / slices;
      pass(exec, bunch, {i == 1, i > 1, true, false}, i, workspace, true);
      source_->find_field(exec, bunch.share(), delays_, radiation_behind(bunch, i),
                          source_->kicks(), source_->grid(), workspace);
    }
    bunch.reference.path_length = start + length;
    pass(exec, bunch, {false, true, false, true}, slices, workspace, false);
    add_over_ranks(exec, bunch.share().ranks, lost_, 1);
    bunch.may_have_lost = element_on_host(exec, lost_, 0) != 0;
    source_->require_field(exec);
    if (bend_.radiates_behind)
      *handed_ = {.source = source_,
                  .slice = length / slices,
                  .radius = radius(),
                  .angle = bend_.angle_before + std::abs(bend_.magnet.angle),
                  .exit = bunch.reference.path_length,
                  .last = bunch.reference.path_length};
  }

  /// Returns the gain of energy along the bunch in the last kick. Waits for the instance.
  /// @throws UsageError if the bend has no radiation
  CsrProfile profile(const ExecutionSpace& exec, const BunchType& bunch) const {
    if (!source_) throw UsageError("coherent bend", "it has no radiation");
    return source_->template profile<CsrProfile>(exec, source_->kicks(), source_->grid(),
                                                 bunch.reference);
  }

 private:
  static detail::CsrBinning binning_of(const CsrBend& bend) {
    const int half_width = bend.derivative_half_width > 0 ? bend.derivative_half_width
                                                          : std::max(1, bend.smoothing_half_width);
    return {bend.bins,  bend.range_factor,    bend.smoothing_half_width, bend.smoothing_order,
            half_width, bend.derivative_order};
  }
  double radius() const { return bend_.magnet.length / std::abs(bend_.magnet.angle); }
  /// Angle of the magnet up to the end of slice i, counted from 1.
  double angle_up_to(int i) const {
    return bend_.angle_before + std::abs(bend_.magnet.angle) * i / bend_.magnet.slices;
  }

  /// Radiation after slice i, counted from 1.
  detail::RadiationInBend radiation_behind(const BunchType& bunch, int i) const {
    const double rho = radius(), slices = bend_.magnet.slices;
    const double angle = angle_up_to(i);
    const double slippage = rho * angle * angle * angle / 24.;
    const double unit = detail::csr_unit(bunch) * 2. / cbrt(3. * rho * rho);
    return {.inverse_cube_roots = source_->inverse_cube_roots(),
            .factor = unit * bend_.magnet.length / slices,
            .slippage = slippage,
            .per_slippage = 1. / cbrt(slippage),
            .is_steady = bend_.steady_state};
  }

  /// Slices of a pass: coherent radiation is computed after each slice.
  int at_once() const { return bend_.radiation ? 1 : bend_.magnet.slices; }
  bool radiates() const { return bend_.magnet.radiates || bend_.magnet.quantum; }

  /// Pass i, counted from 1.
  void pass(const ExecutionSpace& exec, const BunchType& bunch, const detail::BendParts& parts,
            int i, Scratch& workspace, bool finds_range) {
    if (radiates()) {
      fill_radiation(exec, bunch.reference);
      const std::size_t n = radiation_.extent(0) / (bend_.magnet.slices / at_once());
      return pass_as(exec, bunch, parts,
                     detail::RadiatingSlices<Real>{radiation_.data() + n * (i - 1),
                                                   bunch.ids.data(), bunch.seed, here_.turn,
                                                   int(here_.element + (unsigned(i - 1) << 20))},
                     workspace, finds_range);
    }
    if (bend_.magnet.expanded)
      return pass_as(exec, bunch, parts, detail::PlainSlices<Real, true>{slice_.data()}, workspace,
                     finds_range);
    pass_as(exec, bunch, parts, detail::PlainSlices<Real, false>{slice_.data()}, workspace,
            finds_range);
  }

  /// Coefficients of all passes with incoherent radiation, at a reference momentum.
  void fill_radiation(const ExecutionSpace& exec, const ReferenceParticle& reference) {
    if (reference.p0 == radiation_p0_) return;
    const auto& magnet = bend_.magnet;
    std::vector<double> all;
    for (int i = 0; i < magnet.slices; i += at_once()) {
      const bool is_last = i + at_once() == magnet.slices;
      auto values =
          steps::QuantumBend{magnet.radiating_body(at_once(), i == 0, is_last), magnet.radiates}
              .coefficients({here_.turn, reference});
      if (!magnet.quantum) values[QuantumRadiation<double>::n_coefficients - 1] = 0.;
      all.insert(all.end(), values.begin(), values.end());
    }
    radiation_ = to_device<T>(exec, "Trackplex::Beam::bend_radiation", all);
    radiation_p0_ = reference.p0;
  }

  template <class Slices>
  void pass_as(const ExecutionSpace& exec, const BunchType& bunch, const detail::BendParts& parts,
               const Slices& slices, Scratch& workspace, bool finds_range) const {
    using Pass = detail::CsrBendPass<Real, Slices>;
    const Pass kernel{.columns = bunch.columns(),
                      .delays = delays_,
                      .entrance = entrance_,
                      .losses = bunch.losses.data(),
                      .lost = lost_.data(),
                      .place = here_,
                      .parts = parts,
                      .keeps_time = bend_.radiation,
                      .times = ArrivalTimes<T>(bunch.reference),
                      .in = enter_.kernel(),
                      .out = leave_.kernel(),
                      .slices = slices,
                      .kick = source_ ? source_->kick() : detail::CsrKick<Real>{},
                      .curvature = T(1. / radius())};
    if (finds_range) {
      source_->reduce_range(exec, bunch.share(), detail::WithRange<Pass, Real>{kernel}, workspace);
    } else {
      for_each_tile<Real>(exec, "Trackplex::Beam::csr_bend", bunch.size(), kernel);
    }
  }

  CsrBend bend_;
  std::shared_ptr<detail::CsrHandover<Source>> handed_;
  std::shared_ptr<Source> source_;
  detail::BendEndArrays<T, Memory> enter_, leave_;
  Kokkos::View<T*, Memory> slice_, radiation_;
  double radiation_p0_ = 0.;  ///< of `radiation_`
  Kokkos::View<int*, Memory> lost_;
  Loss here_{};
  T* delays_ = nullptr;
  T* entrance_ = nullptr;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/csr_bend.impl.hpp>
#endif
