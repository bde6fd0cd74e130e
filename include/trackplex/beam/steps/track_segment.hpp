// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/steps/direction_cosines.hpp>
#include <trackplex/beam/steps/step_type.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/unroll.hpp>

#include <cstdint>
#include <tuple>

namespace trackplex::beam {

/// A long step as a separate function, since it would take the registers of the others.
template <class Step, class Real, class... Place>
TRACKPLEX_OWN_FUNCTION auto pass_long(const ScalarOf<Real>* coefficients, Particle<Real>& v,
                                      const Place&... place) {
  return Step::pass(coefficients, v, place...);
}

/// Steps that the kernel of a segment handles: short ones in which no particle can be lost; all
/// short ones; or all.
enum class KernelVariant { short_steps, losses, general };

/// Step of a kernel: the number of its type in the list of the tracker, the element along the line,
/// and the first one of its coefficients.
struct KernelStep {
  std::int32_t type, element, first;
};

/// Direction cosines of all particles over a stop between two steps that work in them: a stop must
/// not change them by the way to slopes and back.
template <class T>
struct KeptCosines {
  T *x, *y;     ///< (particle)
  bool resume,  ///< at the start of the segment
      keep;     ///< at its end
};

/// Steps of a segment for a tile of particles, which stays in registers. Particles with spins need
/// `TrackSpins`.
/// @tparam Steps std::tuple of all types of steps
template <class Real, class Steps, KernelVariant variant>
struct TrackSegment {
  using T = ScalarOf<Real>;
  using Mask = MaskOf<Real>;
  static constexpr bool can_lose = variant != KernelVariant::short_steps;

  BunchColumns<T> columns;
  Loss* losses;
  const KernelStep* steps;
  const T* coefficients;
  const T* pass_coefficients;  ///< of each turn, one turn after another
  int n_pass_coefficients;     ///< in a turn
  int begin, end;              ///< steps
  int first_turn, n_turns;
  unsigned changes;
  bool some_are_lost;
  const std::int64_t* ids;
  std::uint64_t seed;
  KeptCosines<T> cosines;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    resume_cosines(tile, v);
    [[maybe_unused]] Mask alive = tile.mask();
    if constexpr (can_lose)
      if (some_are_lost) alive = not_lost_before(tile);
    for (int turn = 0; turn < n_turns; ++turn) {
      if constexpr (can_lose)
        if (!any_of(alive)) return;  // all are lost and stored
      for (int i = begin; i < end; ++i) pass(tile, steps[i], turn, v, alive);
    }
    keep_cosines(tile, v);
    if constexpr (can_lose) {
      if (!all_of(alive)) {
        Particle<Real> last;  // in memory, unlike v: see store_first
        copy(v, last);
        return store(tile, alive, last);
      }
    }
    columns.store(tile, v, changes);
  }

 protected:
  static constexpr int n_types = int(std::tuple_size_v<Steps>);

  /// Takes the cosines that were kept where the slopes are still theirs.
  KOKKOS_FORCEINLINE_FUNCTION void resume_cosines(const Tile<Real>& tile, Particle<Real>& v) const {
    if constexpr (variant == KernelVariant::general) {
      if (!cosines.resume) return;
      Particle<Real> kept = v;
      kept[xp] = tile.load(cosines.x);
      kept[yp] = tile.load(cosines.y);
      const Real x_cosine = kept[xp], y_cosine = kept[yp];
      steps::ToSlopes::pass<Real>(nullptr, kept);
      const Mask unchanged = kept[xp] == v[xp] && kept[yp] == v[yp];
      steps::ToCosines::pass<Real>(nullptr, v);
      v[xp] = select(unchanged, x_cosine, v[xp]);
      v[yp] = select(unchanged, y_cosine, v[yp]);
    }
  }
  /// Keeps them for the next segment, and gives the particles slopes.
  KOKKOS_FORCEINLINE_FUNCTION void keep_cosines(const Tile<Real>& tile, Particle<Real>& v) const {
    if constexpr (variant == KernelVariant::general) {
      if (!cosines.keep) return;
      tile.store(cosines.x, v[xp]);
      tile.store(cosines.y, v[yp]);
      steps::ToSlopes::pass<Real>(nullptr, v);
    }
  }

  /// Finds the type of a step among those of the kernel.
  KOKKOS_FORCEINLINE_FUNCTION void pass(const Tile<Real>& tile, const KernelStep step, int turn,
                                        Particle<Real>& v, Mask& alive) const {
    trackplex::detail::any_index<n_types>([&]<int Type>() TRACKPLEX_INLINE_LAMBDA {
      using Step = std::tuple_element_t<Type, Steps>;
      if constexpr (is_in_kernel<Step>) {
        if (step.type == Type) {
          pass_step<Step>(tile, step, turn, v, alive);
          return true;
        }
      }
      return false;
    });
  }

  template <class Step>
  static constexpr bool is_in_kernel = detail::is_long<Step> ? variant == KernelVariant::general
                                                             : can_lose || !detail::can_lose<Step>;

  template <class Step>
  KOKKOS_FORCEINLINE_FUNCTION void pass_step(const Tile<Real>& tile, const KernelStep& step,
                                             int turn, Particle<Real>& v, Mask& alive) const {
    const T* const c = detail::PassStep<Step>
                           ? pass_coefficients + turn * n_pass_coefficients + step.first
                           : coefficients + step.first;
    if constexpr (detail::PlacedStep<Step>) {
      pass_step_with<Step>(
          tile, step, turn, c, v, alive,
          StepPlace<Real>{ParticleIds<Real>(tile, ids), seed, first_turn + turn, step.element});
    } else {
      pass_step_with<Step>(tile, step, turn, c, v, alive);
    }
  }

  template <class Step, class... Place>
  KOKKOS_FORCEINLINE_FUNCTION void pass_step_with(const Tile<Real>& tile, const KernelStep& step,
                                                  int turn, const T* c, Particle<Real>& v,
                                                  Mask& alive, const Place&... place) const {
    if constexpr (detail::is_long<Step>) {
      Particle<Real> moved;  // in memory, for the function of its own
      copy(v, moved);
      if constexpr (detail::can_lose<Step>)
        end_step<Step>(tile, step, turn, pass_long<Step>(c, moved, place...), v, alive);
      else
        pass_long<Step>(c, moved, place...);
      copy(moved, v);
    } else if constexpr (detail::can_lose<Step>) {
      const Particle<Real> before = v;
      end_step<Step>(tile, step, turn, Step::pass(c, v, place...), before, alive);
    } else {
      Step::pass(c, v, place...);
    }
  }

  /// One coordinate after another: copying the whole calls memcpy, which takes longer.
  KOKKOS_FORCEINLINE_FUNCTION static void copy(const Particle<Real>& from, Particle<Real>& to) {
    trackplex::detail::for_each_index<n_coordinates>(
        [&]<int C>() TRACKPLEX_INLINE_LAMBDA { to[C] = from[C]; });
  }

  /// Takes out the particles that have not passed, with their coordinates before the step.
  template <class Step>
  KOKKOS_FORCEINLINE_FUNCTION void end_step(const Tile<Real>& tile, const KernelStep& step,
                                            int turn, const Mask& passes,
                                            const Particle<Real>& before, Mask& alive) const {
    const Mask lost = alive && !passes;
    if (!any_of(lost)) return;
    lose<Step>(tile, lost, first_turn + turn, step.element, before);
    alive &= !lost;
  }

  KOKKOS_FUNCTION Mask not_lost_before(const Tile<Real>& tile) const {
    Real lost(0);
    for (int lane = 0; lane < tile.count; ++lane)
      if (losses[tile.first + lane].element != Loss::none) insert(lost, lane, T(1));
    return tile.mask() && lost == Real(0);
  }

  /// Records the place of a loss and writes the coordinates before it.
  template <class Step>
  KOKKOS_FUNCTION void lose(const Tile<Real>& tile, Mask lost, int turn, int element,
                            Particle<Real> v) const {
    for_each_lane(lost, [&](int lane) { losses[tile.first + lane] = Loss{turn, element}; });
    if constexpr (detail::in_cosines<Step>) steps::ToSlopes::pass<Real>(nullptr, v);
    store(tile, lost, v);
  }

  KOKKOS_FUNCTION void store(const Tile<Real>& tile, Mask which, const Particle<Real>& v) const {
    for_each_lane(which, [&](int lane) {
      for (int c = 0; c < n_coordinates; ++c) columns.v[c][tile.first + lane] = extract(v[c], lane);
    });
  }
};

}  // namespace trackplex::beam
