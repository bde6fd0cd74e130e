// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/spin.hpp>
#include <trackplex/beam/steps/track_segment.hpp>
#include <trackplex/core/unroll.hpp>

#include <tuple>

namespace trackplex::beam {

/// A step with spins as a separate function, in whose registers nothing else is.
template <class Step, class Real>
TRACKPLEX_OWN_FUNCTION auto pass_with_spin(const ScalarOf<Real>* coefficients, Particle<Real>& v,
                                           Spin<Real>& spin) {
  return Step::pass(coefficients, v, spin);
}

/// Steps of a segment for a tile of particles with spins; all steps know their effect on spins.
/// @tparam Steps std::tuple of all types of steps
template <class Real, class Steps>
struct TrackSpins : TrackSegment<Real, Steps, KernelVariant::general> {
  using Base = TrackSegment<Real, Steps, KernelVariant::general>;  ///< What it shares.
  using typename Base::Mask;
  using typename Base::T;

  SpinColumns<T> spins;  ///< Spins of the bunch.
  T p0;                  ///< Reference momentum, beta gamma.
  T anomaly;             ///< Anomalous magnetic moment.

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = this->columns.load(tile);
    this->resume_cosines(tile, v);
    Spin<Real> spin;
    spins.load(tile, spin);
    spin.anomaly = Real(anomaly);
    set_energy(v, spin);
    Mask alive = this->some_are_lost ? this->not_lost_before(tile) : tile.mask();
    for (int turn = 0; turn < this->n_turns; ++turn) {
      if (!any_of(alive)) return;  // all are lost and stored
      for (int i = this->begin; i < this->end; ++i)
        pass(tile, this->steps[i], turn, v, spin, alive);
    }
    this->keep_cosines(tile, v);
    if (!all_of(alive)) {
      store_spins(tile, alive, spin);
      return this->store(tile, alive, v);
    }
    spins.store(tile, spin);
    this->columns.store(tile, v, this->changes);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void set_energy(const Particle<Real>& v, Spin<Real>& spin) const {
    const Real momentum = Real(p0) * (Real(1) + v[delta]);
    spin.gamma = sqrt(fma(momentum, momentum, Real(1)));
  }

  KOKKOS_FORCEINLINE_FUNCTION void pass(const Tile<Real>& tile, const KernelStep step, int turn,
                                        Particle<Real>& v, Spin<Real>& spin, Mask& alive) const {
    trackplex::detail::any_index<Base::n_types>([&]<int Type>() TRACKPLEX_INLINE_LAMBDA {
      using Step = std::tuple_element_t<Type, Steps>;
      if constexpr (detail::SpinStep<Step> || detail::keeps_spin<Step>) {
        if (step.type == Type) {
          pass_step<Step>(tile, step, turn, v, spin, alive);
          return true;
        }
      }
      return false;
    });
  }

  template <class Step>
  KOKKOS_FORCEINLINE_FUNCTION void pass_step(const Tile<Real>& tile, const KernelStep& step,
                                             int turn, Particle<Real>& v, Spin<Real>& spin,
                                             Mask& alive) const {
    const T* const c = detail::PassStep<Step>
                           ? this->pass_coefficients + turn * this->n_pass_coefficients + step.first
                           : this->coefficients + step.first;
    if constexpr (!detail::can_lose<Step>) {
      pass_one<Step>(c, v, spin);
    } else {
      const Particle<Real> before = v;
      const Spin<Real> spin_before = spin;
      const Mask lost = !pass_one<Step>(c, v, spin);
      if (any_of(alive && lost)) {
        store_spins(tile, alive && lost, spin_before);
        this->template lose<Step>(tile, alive && lost, this->first_turn + turn, step.element,
                                  before);
        alive &= !lost;
      }
    }
    constexpr bool changes_energy = (detail::changes_of<Step> & (1u << delta)) != 0;
    if constexpr (changes_energy) set_energy(v, spin);
  }

  template <class Step>
  KOKKOS_FORCEINLINE_FUNCTION static auto pass_one(const T* c, Particle<Real>& v,
                                                   Spin<Real>& spin) {
    if constexpr (!detail::SpinStep<Step>) {
      return Step::pass(c, v);
    } else if constexpr (!detail::is_long<Step>) {
      return Step::pass(c, v, spin);
    } else {
      Particle<Real> moved = v;  // in memory, for the function of its own
      Spin<Real> turned = spin;
      if constexpr (detail::can_lose<Step>) {
        const auto passes = pass_with_spin<Step>(c, moved, turned);
        v = moved;
        spin = turned;
        return passes;
      } else {
        pass_with_spin<Step>(c, moved, turned);
        v = moved;
        spin = turned;
      }
    }
  }

  KOKKOS_FUNCTION void store_spins(const Tile<Real>& tile, Mask which,
                                   const Spin<Real>& spin) const {
    for_each_lane(which, [&](int lane) {
      spins.v[0][tile.first + lane] = extract(spin.x, lane);
      spins.v[1][tile.first + lane] = extract(spin.y, lane);
      spins.v[2][tile.first + lane] = extract(spin.z, lane);
    });
  }
};

}  // namespace trackplex::beam
