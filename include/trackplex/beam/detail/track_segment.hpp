// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch.hpp>
#include <trackplex/beam/tracking_steps.hpp>
#include <trackplex/core/team_launch.hpp>

namespace trackplex::beam::detail {

/// A map in a function of its own: long ones would take the registers of the others.
template <class Pattern, class Real>
TRACKPLEX_OWN_FUNCTION void apply_long_map(const ScalarOf<Real>* coefficients, Particle<Real>& v) {
  v = apply_map<Pattern>(coefficients, v);
}

template <class Field, class Real>
TRACKPLEX_OWN_FUNCTION MaskOf<Real> pass_magnet(const ScalarOf<Real>* coefficients,
                                                const TrackingStep& step, Particle<Real>& v) {
  return integrate_magnet<Field>(coefficients, step.kicks, step.slices, v);
}

/// Steps that the kernel of a segment handles: the short ones of `pass_short`; losses, too; or
/// steps of all kinds.
enum class KernelVariant { short_steps, losses, general };

/// Steps of a segment for the particles of a tile, which stay in registers.
template <class Real, KernelVariant variant>
struct TrackSegment {
  using T = ScalarOf<Real>;
  using Mask = MaskOf<Real>;
  static constexpr bool can_lose = variant != KernelVariant::short_steps;

  BunchColumns<T> columns;
  Loss* losses;
  const TrackingStep* steps;
  const T* coefficients;
  int begin, end;  ///< steps
  int first_turn, n_turns;
  unsigned changes;
  bool some_are_lost;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    [[maybe_unused]] Mask alive = tile.mask();
    if constexpr (can_lose)
      if (some_are_lost) alive = not_lost_before(tile);
    for (int turn = 0; turn < n_turns; ++turn)
      for (int i = begin; i < end; ++i) {
        const TrackingStep& step = steps[i];
        const T* const c = coefficients + step.first;
        if (pass_short(step.kind, c, v)) continue;
        if constexpr (can_lose) {
          const Particle<Real> before = v;
          const Mask lost = !pass_others(step, c, v);
          if (any_of(alive && lost)) {
            lose(tile, alive && lost, first_turn + turn, step.element, before);
            alive &= !lost;
          }
        }
      }
    if constexpr (can_lose) {
      if (!all_of(alive)) return store(tile, alive, v);
    }
    columns.store(tile, v, changes);
  }

 private:
  /// The steps that every line is made of; false for others.
  KOKKOS_FORCEINLINE_FUNCTION static bool pass_short(StepKind kind, const T* c, Particle<Real>& v) {
    switch (kind) {
      case StepKind::drift:
        v = apply_map<patterns::Drift>(c, v);
        return true;
      case StepKind::quadrupole:
        v = apply_map<patterns::Quadrupole>(c, v);
        return true;
      case StepKind::midplane:
        v = apply_map<patterns::Midplane>(c, v);
        return true;
      case StepKind::exact_drift:
        drift_exactly(v, Real(c[0]));
        return true;
      case StepKind::shift:
        v[x] += Real(c[0]);
        v[xp] += Real(c[1]);
        v[y] += Real(c[2]);
        v[yp] += Real(c[3]);
        return true;
      case StepKind::rotation:
        rotate(Real(c[0]), Real(c[1]), v[x], v[y]);
        rotate(Real(c[0]), Real(c[1]), v[xp], v[yp]);
        return true;
      default:
        return false;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void rotate(const Real& cosine, const Real& sine, Real& u,
                                                 Real& w) {
    const Real turned = fma(cosine, u, sine * w);
    w = fma(cosine, w, -(sine * u));
    u = turned;
  }

  /// The other steps; returns which particles pass.
  KOKKOS_FORCEINLINE_FUNCTION static Mask pass_others(const TrackingStep& step, const T* c,
                                                      Particle<Real>& v) {
    if (step.kind >= StepKind::rectangle) return is_inside(step.kind, c, v);
    Mask passes = true;
    if constexpr (variant == KernelVariant::general) {
      Particle<Real> moved = v;  // in memory, for functions of their own
      passes = pass_long(step, c, moved);
      v = moved;
    }
    return passes;
  }

  KOKKOS_FORCEINLINE_FUNCTION static Mask is_inside(StepKind kind, const T* c,
                                                    const Particle<Real>& v) {
    const auto within = [](const Real& value, T limit) {
      return limit > T(0) ? abs(value) <= Real(limit) : Mask(true);
    };
    if (kind == StepKind::limit)
      return within(v[x], c[0]) && within(v[y], c[0]) && within(v[xp], c[1]) && within(v[yp], c[1]);
    const Real dx = v[x] - Real(c[0]), dy = v[y] - Real(c[1]);
    if (kind == StepKind::rectangle || !(c[2] > T(0) && c[3] > T(0)))
      return within(dx, c[2]) && within(dy, c[3]);
    const Real u = dx / Real(c[2]), w = dy / Real(c[3]);
    return fma(u, u, w * w) <= Real(1);
  }

  KOKKOS_FORCEINLINE_FUNCTION static Mask pass_long(const TrackingStep& step, const T* c,
                                                    Particle<Real>& v) {
    switch (step.kind) {
      case StepKind::dense:
        apply_long_map<patterns::Dense>(c, v);
        return true;
      case StepKind::quadrupole3:
        apply_long_map<patterns::Quadrupole3>(c, v);
        return true;
      case StepKind::midplane3:
        apply_long_map<patterns::Midplane3>(c, v);
        return true;
      case StepKind::dense3:
        v = apply_cubic_map(c, v);
        return true;
      case StepKind::thick_quadrupole:
        return pass_magnet<QuadrupoleField>(c, step, v);
      case StepKind::thick_sextupole:
        return pass_magnet<SextupoleField>(c, step, v);
      default:
        return true;
    }
  }

  KOKKOS_FUNCTION Mask not_lost_before(const Tile<Real>& tile) const {
    Real lost(0);
    for (int lane = 0; lane < tile.count; ++lane)
      if (losses[tile.first + lane].element != Loss::none) insert(lost, lane, T(1));
    return tile.mask() && lost == Real(0);
  }

  /// Notes the place and writes the coordinates in front of it.
  KOKKOS_FUNCTION void lose(const Tile<Real>& tile, Mask lost, int turn, int element,
                            const Particle<Real>& v) const {
    for_each_lane(lost, [&](int lane) { losses[tile.first + lane] = Loss{turn, element}; });
    store(tile, lost, v);
  }

  KOKKOS_FUNCTION void store(const Tile<Real>& tile, Mask which, const Particle<Real>& v) const {
    for_each_lane(which, [&](int lane) {
      for (int c = 0; c < n_coordinates; ++c) columns.v[c][tile.first + lane] = extract(v[c], lane);
    });
  }
};

}  // namespace trackplex::beam::detail
