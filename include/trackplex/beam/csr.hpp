// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Coherent synchrotron radiation in bends and behind them, by which the tail of a bunch acts on
/// its head, as in the elements CSRCSBEND and CSRDRIFT of the accelerator code elegant (M. Borland,
/// Phys. Rev. ST Accel. Beams 4 (2001) 070701): the one-dimensional theory of E. L. Saldin, E. A.
/// Schneidmiller and M. V. Yurkov, Nucl. Instrum. Methods A 398 (1997) 373. Behind a slice of a
/// bend, at the angle phi from its entrance, a particle at z in a bunch of the density
/// \f$\lambda\f$ gains
/// \f[ \frac{d\gamma}{d\ell}=\frac{2Q\,e}{4\pi\varepsilon_0mc^2\,(3\rho^2)^{1/3}}\Bigl(
///     \int_{z-s_L}^z\frac{\lambda'(z')\,dz'}{(z-z')^{1/3}}
///     +\frac{\lambda(z-s_L)-\lambda(z-4s_L)}{s_L^{1/3}}\Bigr),
///     \qquad s_L=\frac{\rho\phi^3}{24}. \f]

#include <trackplex/beam/canonical_bend.hpp>
#include <trackplex/beam/detail/coherent_action.hpp>
#include <trackplex/beam/element_check.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class CoherentBendAction;
template <class T, class ExecutionSpace, int Width>
class CoherentDriftAction;

/// Bending magnet with coherent synchrotron radiation (CSRCSBEND): a kick behind each slice.
struct CoherentBend {
  CanonicalBend magnet{};        ///< The magnet, with its slices.
  int bins = 0;                  ///< Number of bins of time, at least 2.
  double range_factor = 1.2;     ///< Range of the bins over that of the bunch, at least 1.1.
  int smoothing_half_width = 0;  ///< Bins on each side in the filter of the density; 0: none.
  int smoothing_order = 1;       ///< Order of the polynomial of that filter.
  /// Bins on each side in the filter of the derivative; 0: as of the density, at least 1.
  int derivative_half_width = 0;
  int derivative_order = 1;     ///< Order of the polynomial of that filter.
  bool radiation = true;        ///< Whether there is coherent radiation.
  bool steady_state = false;    ///< Whether it is that of an infinitely long bend.
  bool radiates_behind = true;  ///< Whether it goes on behind the bend, in a `CoherentDrift`.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "bend";
  static constexpr bool is_collective = true;
  static constexpr bool is_whole = true;
  double length() const { return magnet.length; }
  double strength() const { return magnet.strength(); }
  void check(const ElementCheck& check) const {
    magnet.check(check);
    check.finite("range factor", range_factor);
    if (magnet.radiates)
      check.refuse("radiation", 1., "incoherent radiation is not computed with coherent one");
    if (!(1e6 * std::abs(magnet.angle) >= magnet.length && magnet.length > 0.))
      check.refuse("angle", magnet.angle, "the axis must be curved");
  }
  TransferMap map_to(int order) const { return magnet.map_to(order); }
  void add_steps(StepBuilder&) const {}
  CoherentBend reversed() const {
    CoherentBend result = *this;
    result.magnet = magnet.reversed();
    return result;
  }
  template <class T, class ExecutionSpace, int Width>
  using Action = CoherentBendAction<T, ExecutionSpace, Width>;
  /// @}
};

/// Drift with the coherent radiation of the last `CoherentBend` before it (CSRDRIFT).
struct CoherentDrift {
  /// Field of the radiation behind a bend.
  enum class Field {
    none,        ///< None: an exact drift.
    constant,    ///< As at the exit of the bend.
    decaying,    ///< Decays with `attenuation_length`.
    overtaking,  ///< Decays with the overtaking length of the bunch, (24 sigma rho^2)^(1/3).
    transient    ///< That of G. Stupakov and P. Emma, Proc. EPAC 2002, 1479.
  };
  double length = 0.;              ///< Length, m.
  Field field = Field::constant;   ///< Field.
  int steps = 1;                   ///< Number of kicks; not used with a `step_length`.
  double step_length = 0.;         ///< About the length between kicks, m; 0: as of `steps`.
  double attenuation_length = 0.;  ///< Length, m, of `Field::decaying`.
  double overtaking_factor = 1.;   ///< Factor of the overtaking length.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "drift";
  static constexpr bool is_collective = true;
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.not_negative("length of a step", step_length);
    check.not_negative("attenuation length", attenuation_length);
    check.not_negative("overtaking factor", overtaking_factor);
  }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder&) const {}
  CoherentDrift part(int, int n) const {
    CoherentDrift result = *this;
    result.length /= n;
    result.steps = (steps + n - 1) / n;
    return result;
  }
  template <class T, class ExecutionSpace, int Width>
  using Action = CoherentDriftAction<T, ExecutionSpace, Width>;
  /// @}

  /// Returns the number of kicks.
  int kicks() const {
    if (!(step_length > 0.)) return steps;
    const double n = length / step_length;
    return std::max(1, int(std::min(1e9, field == Field::transient ? n + 0.5 : n)));
  }
};

/// Changes of energy along a bunch, one value per bin.
struct CoherentProfile {
  std::vector<double> time;  ///< Lower edges of bins, relative to the reference particle, s.
  std::vector<double> gain;  ///< Energy that a particle at this time gains in a kick, eV.
};

/// Action of a `CoherentBend` on bunches. An object serves one execution-space instance at a time;
/// nothing is allocated while bunches of one size are tracked. Results do not depend on backend,
/// threads or lanes. Bends hand their last field on to the drifts behind them.
/// @tparam T              precision of the particles, float or double; fields are in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class CoherentBendAction {
  using Real = LanesOf<T, Width>;
  using Source = detail::CoherentSource<T, ExecutionSpace, Width>;
  using Memory = MemoryOf<ExecutionSpace>;

 public:
  using BunchType = Bunch<T, Memory>;         ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;  ///< Temporary memory.

  /// Turn and element that are noted of particles that are lost here.
  Loss loss_place{0, 0};

  /// Computes the tables of the bend and allocates its arrays. Waits for the instance.
  /// @throws UsageError if the bend has no slices or, with radiation, less than 2 bins or 2^22 and
  /// more, a range factor below 1.1, or there are no such filters
  CoherentBendAction(const ExecutionSpace& exec, const CoherentBend& bend, LineState& state)
      : bend_(bend),
        handed_(state.shared<detail::CoherentHandover<Source>>()),
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
    const BendBody body = bend.magnet.body(bend.radiation ? 1 : slices);
    slice_ = to_device<T>(exec, "Trackplex::Beam::bend_slice", detail::bend_coefficients(body));
    lost_ = Kokkos::View<int*, Memory>("Trackplex::Beam::lost_flag", 1);
  }

  /// Enqueues the passage through the bend; with radiation it waits for its end. Adds the length to
  /// the path length of the reference particle. Lost particles stay among the others
  /// (`remove_lost`); before, there must be none.
  /// @throws UsageError if there may be lost particles; with radiation, if particles have no
  /// charge, or all arrive at one time or at none that is finite
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    const int n = bunch.size();
    const double length = bend_.magnet.length, start = bunch.reference.path_length;
    detail::require_whole_bunch("coherent bend", bunch);
    handed_->source = nullptr;
    if (n == 0) {
      bunch.reference.path_length = start + length;
      return;
    }
    delays_ = workspace.template get<T>(exec, "Trackplex::Beam::delays", n).data();
    entrance_ = workspace.template get<T>(exec, "Trackplex::Beam::entrance_delta", n).data();
    if (!bend_.radiation) {
      bunch.reference.path_length = start + length;
      pass(exec, bunch, {true, false, true, true}, workspace, false);
      bunch.may_have_lost = true;
      return;
    }
    detail::require_charge("coherent bend", bunch.particle_charge);
    const int slices = bend_.magnet.slices;
    Kokkos::deep_copy(exec, lost_, 0);
    for (int i = 1; i <= slices; ++i) {
      bunch.reference.path_length = start + length * i / slices;
      pass(exec, bunch, {i == 1, i > 1, true, false}, workspace, true);
      source_->find_field(exec, n, delays_, radiation_behind(bunch, i), source_->kicks(),
                          source_->grid(), workspace);
    }
    bunch.reference.path_length = start + length;
    pass(exec, bunch, {false, true, false, true}, workspace, false);
    bunch.may_have_lost = element_on_host(exec, lost_, 0) != 0;
    source_->require_field(exec);
    if (bend_.radiates_behind)
      *handed_ = {.source = source_,
                  .slice = length / slices,
                  .radius = radius(),
                  .angle = std::abs(bend_.magnet.angle),
                  .exit = bunch.reference.path_length,
                  .last = bunch.reference.path_length};
  }

  /// Returns the gain of energy along the bunch in the last kick. Waits for the instance.
  /// @throws UsageError if the bend has no radiation
  CoherentProfile profile(const ExecutionSpace& exec, const BunchType& bunch) const {
    if (!source_) throw UsageError("coherent bend", "it has no radiation");
    return source_->template profile<CoherentProfile>(exec, source_->kicks(), source_->grid(),
                                                      bunch.reference.p0);
  }

 private:
  static detail::CoherentBinning binning_of(const CoherentBend& bend) {
    const int half_width = bend.derivative_half_width > 0 ? bend.derivative_half_width
                                                          : std::max(1, bend.smoothing_half_width);
    return {bend.bins,  bend.range_factor,    bend.smoothing_half_width, bend.smoothing_order,
            half_width, bend.derivative_order};
  }
  double radius() const { return bend_.magnet.length / std::abs(bend_.magnet.angle); }

  /// Radiation behind slice i, counted from 1.
  detail::RadiationInBend radiation_behind(const BunchType& bunch, int i) const {
    const double rho = radius(), slices = bend_.magnet.slices;
    const double angle = std::abs(bend_.magnet.angle) * i / slices;
    const double slippage = rho * angle * angle * angle / 24.;
    const double unit = detail::coherent_unit(bunch) * 2. / std::cbrt(3. * rho * rho);
    return {.inverse_cube_roots = source_->inverse_cube_roots(),
            .factor = unit * bend_.magnet.length / slices,
            .slippage = slippage,
            .per_slippage = 1. / std::cbrt(slippage),
            .is_steady = bend_.steady_state};
  }

  void pass(const ExecutionSpace& exec, const BunchType& bunch, const detail::BendParts& parts,
            Scratch& workspace, bool finds_range) const {
    if (bend_.magnet.expanded) return pass_as<true>(exec, bunch, parts, workspace, finds_range);
    pass_as<false>(exec, bunch, parts, workspace, finds_range);
  }

  template <bool expanded>
  void pass_as(const ExecutionSpace& exec, const BunchType& bunch, const detail::BendParts& parts,
               Scratch& workspace, bool finds_range) const {
    using Pass = detail::CoherentBendPass<Real, expanded>;
    const Pass kernel{.columns = bunch.columns(),
                      .delays = delays_,
                      .entrance = entrance_,
                      .losses = bunch.losses.data(),
                      .lost = lost_.data(),
                      .place = loss_place,
                      .parts = parts,
                      .keeps_time = bend_.radiation,
                      .times = ArrivalTimes<T>(bunch.reference),
                      .in = enter_.kernel(),
                      .out = leave_.kernel(),
                      .slices = slice_.data(),
                      .kick = source_ ? source_->kick() : detail::CoherentKick<Real>{},
                      .curvature = T(1. / radius())};
    if (finds_range) {
      source_->reduce_range(exec, bunch.size(), detail::WithRange<Pass, Real>{kernel}, workspace);
    } else {
      for_each_tile<Real>(exec, "Trackplex::Beam::coherent_bend", bunch.size(), kernel);
    }
  }

  CoherentBend bend_;
  std::shared_ptr<detail::CoherentHandover<Source>> handed_;
  std::shared_ptr<Source> source_;
  detail::BendEndArrays<T, Memory> enter_, leave_;
  Kokkos::View<T*, Memory> slice_;
  Kokkos::View<int*, Memory> lost_;
  T* delays_ = nullptr;
  T* entrance_ = nullptr;
};

/// Action of a `CoherentDrift` on bunches. An object serves one execution-space instance at a time;
/// nothing is allocated while bunches of one size are tracked. Results do not depend on backend,
/// threads or lanes. The field is that of the last `CoherentBend` that the bunch has passed, with
/// the path in between.
/// @tparam T              precision of the particles, float or double; fields are in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class CoherentDriftAction {
  using Real = LanesOf<T, Width>;
  using Source = detail::CoherentSource<T, ExecutionSpace, Width>;
  using Memory = MemoryOf<ExecutionSpace>;
  using Field = CoherentDrift::Field;

 public:
  using BunchType = Bunch<T, Memory>;         ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;  ///< Temporary memory.

  /// Takes the drift.
  /// @throws UsageError if it has no steps, or a decaying field no attenuation length
  CoherentDriftAction(const ExecutionSpace&, const CoherentDrift& drift, LineState& state)
      : drift_(drift), handed_(state.shared<detail::CoherentHandover<Source>>()) {
    if (drift.kicks() < 1)
      throw UsageError("coherent drift", "it needs steps", std::to_string(drift.steps));
    if (drift.field == Field::decaying && !(drift.attenuation_length > 0.))
      throw UsageError("coherent drift", "the attenuation length is not above 0",
                       shortest(drift.attenuation_length));
    if (drift.field == Field::overtaking && !(drift.overtaking_factor > 0.))
      throw UsageError("coherent drift", "the overtaking factor is not above 0",
                       shortest(drift.overtaking_factor));
  }

  /// Enqueues the drift; waits for the bunch where the field depends on its length. Adds the length
  /// to the path length of the reference particle. The bunch must not have lost particles among the
  /// others (`remove_lost`).
  /// @throws UsageError if it may have; or if all particles arrive at one time or at none that is
  /// finite, in the fields `overtaking` and `transient`
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    detail::require_whole_bunch("coherent drift", bunch);
    const ReferenceParticle before = bunch.reference;
    bunch.reference.path_length += drift_.length;
    const bool has_field = handed_->source && drift_.field != Field::none;
    if (bunch.size() == 0 || drift_.length == 0.) return;
    if (!has_field) {
      for_each_tile<Real>(exec, "Trackplex::Beam::drift", bunch.size(),
                          detail::DriftStraight<Real>{bunch.columns(), T(drift_.length)});
    } else if (drift_.field == Field::transient) {
      pass_transient(exec, before, bunch, workspace);
    } else {
      pass_moving(exec, before, bunch, workspace);
    }
  }

 private:
  /// A field that moves at the speed of light, and decays.
  void pass_moving(const ExecutionSpace& exec, const ReferenceParticle& before,
                   const BunchType& bunch, Scratch& workspace) {
    auto& from = *handed_;
    const int steps = drift_.kicks();
    const double per_length = 1. / attenuation(exec, bunch, workspace);
    const double step = drift_.length / steps, skipped = before.path_length - from.last;
    const double exit = before.path_length - from.exit;
    // c t of the field grows by the way, that of the reference particle by way/beta
    const double inverse_square = 1. / (before.p0 * before.p0);
    const double moves = -inverse_square / (1. + std::sqrt(1. + inverse_square));
    from.strength *= std::exp(-skipped * per_length);
    for_each_tile<Real>(
        exec, "Trackplex::Beam::coherent_drift", bunch.size(),
        detail::CoherentDriftSteps<Real>{
            .columns = bunch.columns(),
            .before = ArrivalTimes<T>(before),
            .behind = ArrivalTimes<T>(bunch.reference),
            .kick = from.source->kick(),
            .steps = steps,
            .length = T(step),
            .moved = T(moves * (exit + 0.5 * step)),
            .moves = T(moves * step),
            .scale = T(from.strength * std::exp(-0.5 * step * per_length) * step / from.slice),
            .decay = T(std::exp(-step * per_length))});
    from.strength *= std::exp(-drift_.length * per_length);
    from.last = bunch.reference.path_length;
  }

  /// Returns the attenuation length, m.
  double attenuation(const ExecutionSpace& exec, const BunchType& bunch, Scratch& workspace) const {
    if (drift_.field == Field::decaying) return drift_.attenuation_length;
    if (drift_.field == Field::constant) return std::numeric_limits<double>::infinity();
    const double sigma = 0.5 * handed_->source->width_of_most(exec, bunch, workspace);
    const double radius = handed_->radius;
    return drift_.overtaking_factor * std::cbrt(24. * sigma * radius * radius);
  }

  /// The transient field, of the bunch at each step.
  void pass_transient(const ExecutionSpace& exec, const ReferenceParticle& before,
                      const BunchType& bunch, Scratch& workspace) {
    auto& from = *handed_;
    const int n = bunch.size(), steps = drift_.kicks();
    const double step = drift_.length / steps, exit = before.path_length - from.exit;
    T* const delays = workspace.template get<T>(exec, "Trackplex::Beam::delays", n).data();
    detail::require_charge("coherent drift", bunch.particle_charge);
    using Pass = detail::CoherentDriftPass<Real>;
    Pass kernel{.columns = bunch.columns(),
                .delays = delays,
                .before = ArrivalTimes<T>(before),
                .behind = ArrivalTimes<T>(bunch.reference),
                .kick = from.source->kick_behind(),
                .length = T(0.5 * step),
                .enters = true,
                .leaves = false};
    for (int i = 0; i < steps; ++i) {
      from.source->reduce_range(exec, n, detail::WithRange<Pass, Real>{kernel}, workspace);
      const double x = (exit + (i + 0.5) * step) / from.radius;
      const detail::RadiationBehindBend radiation{
          .factor = -4. * detail::coherent_unit(bunch) * step / from.radius,
          .radius = from.radius,
          .angle = from.angle,
          .x = x};
      from.source->find_field(exec, n, delays, radiation, from.source->kicks_behind(),
                              from.source->grid_behind(), workspace);
      kernel.enters = false;
      kernel.length = T(step);
    }
    kernel.length = T(0.5 * step);
    kernel.leaves = true;
    for_each_tile<Real>(exec, "Trackplex::Beam::coherent_drift", n, kernel);
    from.source->require_field(exec);
  }

  CoherentDrift drift_;
  std::shared_ptr<detail::CoherentHandover<Source>> handed_;
};

}  // namespace trackplex::beam
