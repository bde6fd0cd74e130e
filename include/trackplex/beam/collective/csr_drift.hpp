// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/detail/csr_action.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/elements/line_state.hpp>
#include <trackplex/beam/maps/element_maps.hpp>
#include <trackplex/beam/steps/drift_straight.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class CsrDriftAction;

/// Drift with the coherent radiation of the last upstream `CsrBend` (CSRDRIFT).
struct CsrDrift {
  /// Field of the radiation after a bend.
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
  double step_length = 0.;         ///< Approximate length between kicks, m; 0: use `steps`.
  double attenuation_length = 0.;  ///< Length, m, of `Field::decaying`.
  double overtaking_factor = 1.;   ///< Factor of the overtaking length.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return drift_map(length, order); }
  CsrDrift part(int, int n) const;
  template <class T, class ExecutionSpace, int Width>
  using Action = CsrDriftAction<T, ExecutionSpace, Width>;
  /// @}

  /// Returns the number of kicks.
  int kicks() const;
};

/// Action of a `CsrDrift` on bunches. An object serves one execution-space instance at a time;
/// nothing is allocated while bunches of one size are tracked. Results do not depend on backend,
/// threads or lanes. The field is that of the last `CsrBend` of the bunch, including the
/// path in between.
/// @tparam T              precision of the particles, float or double; fields are in double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class CsrDriftAction {
  using Real = LanesOf<T, Width>;
  using Source = detail::CsrSource<T, ExecutionSpace, Width>;
  using Memory = MemoryOf<ExecutionSpace>;
  using Field = CsrDrift::Field;

 public:
  using BunchType = Bunch<T, Memory>;         ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;  ///< Temporary memory.

  /// Takes the drift.
  /// @throws UsageError if it has no steps, or a decaying field no attenuation length
  CsrDriftAction(const ExecutionSpace&, const CsrDrift& drift, LineState& state)
      : drift_(drift), handed_(state.shared<detail::CsrHandover<Source>>()) {
    if (drift.kicks() < 1)
      throw UsageError("coherent drift", "it needs steps", std::to_string(drift.steps));
    if (drift.field == Field::decaying && !(drift.attenuation_length > 0.))
      throw UsageError("coherent drift", "the attenuation length is not above 0",
                       shortest(drift.attenuation_length));
    if (drift.field == Field::overtaking && !(drift.overtaking_factor > 0.))
      throw UsageError("coherent drift", "the overtaking factor is not above 0",
                       shortest(drift.overtaking_factor));
  }

  /// Enqueues the drift; waits for the bunch if the field depends on its length. Adds the length
  /// to the path length of the reference particle. The bunch must not have lost particles among the
  /// others (`remove_lost`).
  /// @throws UsageError if it may have; or if all particles arrive at one time or at none that is
  /// finite, in the fields `overtaking` and `transient`
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    detail::require_whole_bunch("coherent drift", bunch);
    const ReferenceParticle before = bunch.reference;
    bunch.reference.path_length += drift_.length;
    // If the bunch is upstream of the bend, the field is of an earlier bunch
    const bool has_field =
        handed_->source && drift_.field != Field::none && before.path_length >= handed_->last;
    if (bunch.share().all == 0 || drift_.length == 0.) return;
    if (!has_field) {
      for_each_tile<Real>(exec, "Trackplex::Beam::drift", bunch.size(),
                          DriftStraight<Real>{bunch.columns(), T(drift_.length)});
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
    // c t of the field grows by the path, that of the reference particle by path/beta
    const double inverse_square = 1. / (before.p0 * before.p0);
    const double moves = -inverse_square / (1. + std::sqrt(1. + inverse_square));
    from.strength *= exp(-skipped * per_length);
    for_each_tile<Real>(
        exec, "Trackplex::Beam::csr_drift", bunch.size(),
        detail::CsrDriftSteps<Real>{
            .columns = bunch.columns(),
            .before = ArrivalTimes<T>(before),
            .behind = ArrivalTimes<T>(bunch.reference),
            .kick = from.source->kick(),
            .steps = steps,
            .length = T(step),
            .moved = T(moves * (exit + 0.5 * step)),
            .moves = T(moves * step),
            .scale = T(from.strength * exp(-0.5 * step * per_length) * step / from.slice),
            .decay = T(exp(-step * per_length))});
    from.strength *= exp(-drift_.length * per_length);
    from.last = bunch.reference.path_length;
  }

  /// Returns the attenuation length, m.
  double attenuation(const ExecutionSpace& exec, const BunchType& bunch, Scratch& workspace) const {
    if (drift_.field == Field::decaying) return drift_.attenuation_length;
    if (drift_.field == Field::constant) return std::numeric_limits<double>::infinity();
    const double sigma = 0.5 * handed_->source->width_of_most(exec, bunch, workspace);
    const double radius = handed_->radius;
    return drift_.overtaking_factor * cbrt(24. * sigma * radius * radius);
  }

  /// The transient field, computed from the bunch at each step.
  void pass_transient(const ExecutionSpace& exec, const ReferenceParticle& before,
                      const BunchType& bunch, Scratch& workspace) {
    auto& from = *handed_;
    const int n = bunch.size(), steps = drift_.kicks();
    const double step = drift_.length / steps, exit = before.path_length - from.exit;
    T* const delays = workspace.template get<T>(exec, "Trackplex::Beam::delays", n).data();
    detail::require_charge("coherent drift", bunch.particle_charge);
    using Pass = detail::CsrDriftPass<Real>;
    Pass kernel{.columns = bunch.columns(),
                .delays = delays,
                .before = ArrivalTimes<T>(before),
                .behind = ArrivalTimes<T>(bunch.reference),
                .kick = from.source->kick_behind(),
                .length = T(0.5 * step),
                .enters = true,
                .leaves = false};
    for (int i = 0; i < steps; ++i) {
      from.source->reduce_range(exec, bunch.share(), detail::WithRange<Pass, Real>{kernel},
                                workspace);
      const double x = (exit + (i + 0.5) * step) / from.radius;
      const detail::RadiationBehindBend radiation{
          .factor = -4. * detail::csr_unit(bunch) * step / from.radius,
          .radius = from.radius,
          .angle = from.angle,
          .x = x};
      from.source->find_field(exec, bunch.share(), delays, radiation, from.source->kicks_behind(),
                              from.source->grid_behind(), workspace);
      kernel.enters = false;
      kernel.length = T(step);
    }
    kernel.length = T(0.5 * step);
    kernel.leaves = true;
    for_each_tile<Real>(exec, "Trackplex::Beam::csr_drift", n, kernel);
    from.source->require_field(exec);
  }

  CsrDrift drift_;
  std::shared_ptr<detail::CsrHandover<Source>> handed_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/csr_drift.impl.hpp>
#endif
