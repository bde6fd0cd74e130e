// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kernels of coherent radiation over particles. Particles that are lost in a bend have the delay
/// NaN from then on.

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/collective/detail/csr_field.hpp>
#include <trackplex/beam/elements/plane_rotation.hpp>
#include <trackplex/beam/steps/bend_steps.hpp>
#include <trackplex/beam/steps/common_steps.hpp>
#include <trackplex/beam/steps/track_segment.hpp>
#include <trackplex/core/as_index.hpp>
#include <trackplex/core/reduce.hpp>
#include <trackplex/core/unroll.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace trackplex::beam::detail {

/// First and last delay of particles.
using RangeOperations = Each<Min, Max>;

/// Types of the steps at the ends of a bend.
using BendEndSteps = std::tuple<steps::ExactDrift, steps::Shift, steps::Rotation, steps::Lengthen,
                                PlaneRotation, steps::Edge>;

/// Steps at one end of a bend.
template <class T>
struct BendEnd {
  const KernelStep* steps = nullptr;  ///< types among `BendEndSteps`
  const T* coefficients = nullptr;
  int count = 0;

  /// Returns the particles that pass.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass(Particle<Real>& v) const {
    MaskOf<Real> passes = true;
    for (int i = 0; i < count; ++i)
      trackplex::detail::for_each_index<std::tuple_size_v<BendEndSteps>>(
          [&]<int Type>() TRACKPLEX_INLINE_LAMBDA {
            if (steps[i].type == Type)
              passes = pass_one<std::tuple_element_t<Type, BendEndSteps>>(steps[i], v) && passes;
          });
    return passes;
  }

 private:
  template <class Step, class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_one(const KernelStep& step,
                                                    Particle<Real>& v) const {
    const T* const c = coefficients + step.first;
    if constexpr (std::is_same_v<Step, steps::Edge>) {
      Particle<Real> moved = v;  // in memory, for the function of its own
      const auto passes = pass_long<Step>(c, moved);
      v = moved;
      return passes;
    } else if constexpr (beam::detail::can_lose<Step>) {
      return Step::pass(c, v);
    } else {
      Step::pass(c, v);
      return true;
    }
  }
};

/// Changes of gamma/p0, linear between the lower edges of bins; 0 outside, and where the delay is
/// NaN.
template <class Real>
struct CsrKick {
  using T = ScalarOf<Real>;
  const T* kicks;
  const CsrGrid* grid;
  int bins;

  KOKKOS_FORCEINLINE_FUNCTION Real at(const Real& d, const MaskOf<Real>& mask) const {
    const Real lower(T(grid->lower)), zero(0);
    const Real position = (d - lower) * Real(T(grid->per_width));
    return between(position, mask && position >= zero && position < Real(T(bins - 1)));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Real between(const Real& position,
                                           const MaskOf<Real>& is_inside) const {
    const Real place = select(is_inside, position, Real(0)), below = floor(place);
    const auto index = as_index(below), next = index + IntegerOf<Real>(1);
    const Real here = gather<Real>(kicks, index, is_inside);
    const Real step = gather<Real>(kicks, next, is_inside) - here;
    return select(is_inside, fma(step, place - below, here), Real(0));
  }
};

/// Slices of a bend without incoherent radiation.
template <class Real, bool expanded>
struct PlainSlices {
  const ScalarOf<Real>* coefficients;

  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass(const Tile<Real>&, Particle<Real>& v) const {
    return pass_long<steps::Bend<expanded>>(coefficients, v);
  }
};

/// Slices of a bend with incoherent radiation in quanta. The time of particles is kept apart.
template <class Real>
struct RadiatingSlices {
  using T = ScalarOf<Real>;
  const T* coefficients;
  const std::int64_t* ids;
  std::uint64_t seed;
  int turn, place;  ///< of random numbers

  struct Radiation : QuantumRadiation<Real> {
    using QuantumRadiation<Real>::QuantumRadiation;
    KOKKOS_FORCEINLINE_FUNCTION void keep_time(const Real&, Particle<Real>&) const {}
  };
  /// In a function of its own.
  struct Step {
    KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const T* c, Particle<Real>& v,
                                                         const StepPlace<Real>& place) {
      const T* const edges = c + Radiation::n_coefficients;
      return pass_bend<false>(edges + 2, Radiation(c, place.random()), v, Real(edges[0]),
                              Real(edges[1]));
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass(const Tile<Real>& tile, Particle<Real>& v) const {
    return pass_long<Step>(coefficients, v,
                           StepPlace<Real>{ParticleIds<Real>(tile, ids), seed, turn, place});
  }
};

/// Parts of one pass over the particles in a bend, in this order.
struct BendParts {
  bool enters, kicks, slices, leaves;
};

/// One pass in a bend: the entrance, the kick of the last slice, a slice (or all), the exit. The
/// time of a particle counts, from the entrance to the exit, with the velocity of the entrance.
/// @tparam Slices `PlainSlices` or `RadiatingSlices`
template <class Real, class Slices>
struct CsrBendPass {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;

  BunchColumns<T> columns;
  T* delays;
  T* entrance;  ///< delta at the entrance
  Loss* losses;
  int* lost;   ///< set where there is one
  Loss place;  ///< of losses
  BendParts parts;
  bool keeps_time;        ///< whether the velocity may have changed
  ArrivalTimes<T> times;  ///< after the slice
  BendEnd<T> in, out;
  Slices slices;
  CsrKick<Real> kick;
  T curvature;  ///< of the axis, 1/m

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const { pass(tile); }

  KOKKOS_FORCEINLINE_FUNCTION Real pass(const Tile<Real>& tile) const {
    const Particle<Real> before = columns.load(tile);
    Particle<Real> v = before;
    auto alive = tile.mask();
    MaskOf<Real> passes = true;
    Real d(0), d0 = before[delta];
    if (parts.enters) {
      tile.store(entrance, d0);
      passes = in.pass(v);
    } else {
      d = tile.load(delays);
      d0 = tile.load(entrance);
      alive = alive && d == d;
    }
    if (parts.kicks) {
      const Real stretched = fma(Real(curvature), v[x], Real(1));
      v[delta] = fma(kick.at(d, alive), stretched, v[delta]);
    }
    if (parts.slices) {
      Particle<Real> moved = v;  // in memory, for the function of its own
      passes = slices.pass(tile, moved) && passes;
      v = moved;
      d = times.delay(v[s], d0);
    }
    if (parts.leaves) {
      if (keeps_time) v[s] = times.s_of_delay(d, v[delta]);
      passes = out.pass(v) && passes;
    }
    const auto lost_here = alive && !passes;
    if (any_of(lost_here)) lose(tile, lost_here);
    const auto keep = alive && passes;
    for (int c = 0; c < n_coordinates; ++c) v[c] = select(keep, v[c], before[c]);
    d = trackplex::detail::nan_unless(keep, d);
    tile.store(delays, d);
    columns.store(tile, v);
    return d;
  }

 private:
  KOKKOS_FUNCTION void lose(const Tile<Real>& tile, const MaskOf<Real>& which) const {
    for_each_lane(which, [&](int lane) { losses[tile.first + lane] = place; });
    Kokkos::atomic_fetch_or(lost, 1);
  }
};

/// A pass, with the range of the delays after it.
template <class Pass, class Real>
struct WithRange {
  using Double = Rebind<Real, double>;
  Pass pass;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 2> operator()(const Tile<Double>& place) const {
    const Double d = convert<Double>(pass.pass(Tile<Real>{place.first, place.count}));
    return {{d, d}};
  }
};

/// Moves particles along straight lines of a length l, m, with their delays: s is unchanged.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void drift_with_delay(const ArrivalTimes<ScalarOf<Real>>& times,
                                                  const Real& l, Particle<Real>& v, Real& d) {
  const Real one(1), u = one + v[delta], g = times.energy(u), sum = times.sum_of_energies(u, g);
  const Real q = fma(v[xp], v[xp], v[yp] * v[yp]), longer = q / (one + sqrt(one + q));
  v[x] = fma(l, v[xp], v[x]);
  v[y] = fma(l, v[yp], v[y]);
  const Real slower = v[delta] * (Real(2) + v[delta]) * Real(times.p0_to_minus_2);
  d = fma(l, fma(longer, g * sum, -slower) / (u * sum), d);
}

/// Steps of a drift after a bend whose field only moves and decays.
template <class Real>
struct CsrDriftSteps {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  ArrivalTimes<T> before, behind;  ///< the drift
  CsrKick<Real> kick;
  int steps;
  T length;        ///< of a step, m
  T moved, moves;  ///< of the field relative to the reference particle: at the first kick, and from
                   ///< one to the next, m
  T scale, decay;  ///< of the kicks: at the first one, and from one to the next

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real half(T(0.5) * length), whole(length);
    Particle<Real> v = columns.load(tile);
    Real d = before.delay(v[s], v[delta]);
    T at = moved, now = scale;
    drift_with_delay(before, half, v, d);
    for (int i = 0; i < steps; ++i, at += moves, now *= decay) {
      v[delta] = fma(kick.at(d - Real(at), tile.mask()), Real(now), v[delta]);
      drift_with_delay(before, i + 1 < steps ? whole : half, v, d);
    }
    v[s] = behind.s_of_delay(d, v[delta]);
    columns.store(tile, v);
  }
};

/// One pass in a drift with the field of its own steps.
template <class Real>
struct CsrDriftPass {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;
  T* delays;
  ArrivalTimes<T> before, behind;  ///< the drift
  CsrKick<Real> kick;
  T length;  ///< m
  bool enters, leaves;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const { pass(tile); }

  KOKKOS_FORCEINLINE_FUNCTION Real pass(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    Real d = enters ? before.delay(v[s], v[delta]) : tile.load(delays);
    if (!enters) v[delta] += kick.at(d, tile.mask());
    drift_with_delay(before, Real(length), v, d);
    if (leaves) v[s] = behind.s_of_delay(d, v[delta]);
    tile.store(delays, d);
    columns.store(tile, v);
    return d;
  }
};

/// s of each particle, for their range.
template <class Real>
struct PathTerms {
  using Double = Rebind<Real, double>;
  const ScalarOf<Real>* values;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 2> operator()(const Tile<Double>& place) const {
    const Double a = convert<Double>(Tile<Real>{place.first, place.count}.load(values));
    return {{a, a}};
  }
};

}  // namespace trackplex::beam::detail
