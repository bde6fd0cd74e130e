// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Steps of the kernels that track particles. A type of steps is a struct with
///
///     std::vector<double> coefficients() const
///         its coefficients, which kernels get in the precision of the particles
///     template <class Real>
///     KOKKOS_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v)
///         its effect on one particle per lane; if particles can be lost, it returns the
///         MaskOf<Real> of the survivors
///
/// and optionally
///
///     changes    coordinates that it changes, bit i for coordinate i (default: all)
///     is_long    true for a separate function in the kernel (default: false): a long step
///                would take registers of the others
///     in_cosines true if xp and yp of the particles are direction cosines (default: false, they
///                are slopes); see direction_cosines.hpp
///
/// Coefficients that depend on the turn or on the reference particle are returned by
///
///     std::vector<double> coefficients(const ElementPass&) const
///
/// which is also called once at the start, with momentum 1 and path 0, for their count
///
/// Steps with random numbers take a StepPlace as a third argument,
///
///     static void pass(const ScalarOf<Real>* c, Particle<Real>& v, const StepPlace<Real>& place)
///
/// Steps that particles with spins can pass have, for steps without a field,
///
///     keeps_spin    true
///
/// or, with the same result and coordinates as without a spin,
///
///     static void pass(const ScalarOf<Real>* c, Particle<Real>& v, Spin<Real>& spin)
///
/// and `bool knows_spin() const` where this depends on the step

#include <trackplex/beam/bunch/reference_particle.hpp>
#include <trackplex/beam/bunch/spin.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/core/tile.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <typeindex>
#include <vector>

namespace trackplex::beam {

/// A pass through an element, on the host.
struct ElementPass {
  int turn = 0;                 ///< Turn, as `LineTracker::track` counts.
  ReferenceParticle reference;  ///< Reference particle at the entrance of the element.
};

/// Particle ids, one per lane, in two words.
template <class Real>
struct ParticleIds {
  using Word = typename RandomStream<Real>::Word;  ///< 32 bits in each lane.
  Word low,                                        ///< Low words.
      high;                                        ///< High words.

  ParticleIds() = default;
  /// One particle in all lanes.
  KOKKOS_FORCEINLINE_FUNCTION ParticleIds(std::int64_t id)
      : low(std::uint32_t(id)), high(std::uint32_t(std::uint64_t(id) >> 32)) {}
  /// The particles of a tile.
  KOKKOS_FORCEINLINE_FUNCTION ParticleIds(const Tile<Real>& tile, const std::int64_t* ids) {
    if constexpr (width_of<Real> == 1) {
      *this = ParticleIds(ids[tile.first]);
    } else if constexpr (sizeof(ScalarOf<Word>) == sizeof(std::int64_t)) {
      const Word number = tile.template load<Word>(reinterpret_cast<const std::uint64_t*>(ids));
      low = number & Word(0xffffffffu);
      high = number >> 32;
    } else {
      using Integer = IntegerOf<Real>;
      const auto* words = reinterpret_cast<const std::uint32_t*>(ids + tile.first);
      const Integer lane = select(tile.mask(), lane_index<Integer>(), Integer(0));
      low = gather<Word>(words, lane + lane);
      high = gather<Word>(words, lane + lane + Integer(1));
    }
  }
};

/// Returns random numbers of particles in an element in a turn. They are functions of the seed of
/// the bunch, the particle id, the turn and the element only: not of the backend, the lanes or the
/// position of the particle in memory.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION RandomStream<Real> particle_random(std::uint64_t seed,
                                                               const ParticleIds<Real>& ids,
                                                               int turn, int element) {
  // Seeds are usually small: sums of seeds and turns must not collide.
  seed = (seed + 1) * 0x9E3779B97F4A7C15u;
  seed = (seed ^ (seed >> 32)) * 0xD6E8FEB86659FD93u;
  return {(seed ^ (seed >> 32)) + std::uint64_t(std::uint32_t(turn)), ids.low, ids.high,
          std::uint32_t(element)};
}

/// Particles, turn and element of a step, for steps with random numbers.
template <class Real>
struct StepPlace {
  ParticleIds<Real> ids;  ///< Numbers of the particles in the input.
  std::uint64_t seed;     ///< Seed of the bunch.
  int turn;               ///< Turn, as `LineTracker::track` counts.
  int element;            ///< Number of the element along the line.

  /// Returns the random numbers of the particles in this element and turn, from the first one.
  KOKKOS_FORCEINLINE_FUNCTION RandomStream<Real> random() const {
    return particle_random<Real>(seed, ids, turn, element);
  }
};

namespace detail {

template <class Step>
concept FixedStep = requires(const Step& step) {
  { step.coefficients() } -> std::convertible_to<std::vector<double>>;
};
template <class Step>
concept PassStep = requires(const Step& step, const ElementPass& pass) {
  { step.coefficients(pass) } -> std::convertible_to<std::vector<double>>;
};
/// Steps that take a `StepPlace`.
template <class Step>
concept PlacedStep = requires(const double* c, Particle<double>& v,
                              const StepPlace<double>& place) {
  Step::pass(c, v, place);
};
/// Steps that rotate spins.
template <class Step>
concept SpinStep = requires(const double* c, Particle<double>& v, Spin<double>& spin) {
  Step::pass(c, v, spin);
};
template <class Step>
concept PlainStep = requires(const double* c, Particle<double>& v) {
  Step::pass(c, v);
};

}  // namespace detail

/// Struct that is a type of steps.
template <class Step>
concept IsStep = (detail::FixedStep<Step> || detail::PassStep<Step>)&&(detail::PlainStep<Step> ||
                                                                       detail::PlacedStep<Step>);

namespace detail {

/// Whether particles can be lost in steps of a type.
template <class Step>
constexpr bool can_lose = [] {
  const auto is_void = []<class... Place>() {
    return std::is_void_v<decltype(Step::pass(static_cast<const double*>(nullptr),
                                              std::declval<Particle<double>&>(),
                                              std::declval<const Place&>()...))>;
  };
  if constexpr (PlacedStep<Step>)
    return !is_void.template operator()<StepPlace<double>>();
  else
    return !is_void.template operator()<>();
}();

template <class Step>
constexpr bool is_long = [] {
  if constexpr (requires { Step::is_long; }) return bool(Step::is_long);
  return false;
}();

template <class Step>
constexpr bool in_cosines = [] {
  if constexpr (requires { Step::in_cosines; }) return bool(Step::in_cosines);
  return false;
}();

template <class Step>
constexpr bool keeps_spin = [] {
  if constexpr (requires { Step::keeps_spin; }) return bool(Step::keeps_spin);
  return false;
}();

template <class Step>
constexpr unsigned changes_of = [] {
  if constexpr (requires { Step::changes; }) return unsigned(Step::changes);
  return (1u << n_coordinates) - 1;
}();

}  // namespace detail

/// Type of steps, on the host.
struct StepType {
  std::type_index id;  ///< The struct.
  unsigned changes;    ///< Bit i: coordinate i may change.
  bool can_lose;       ///< Whether particles can be lost.
  bool is_long;        ///< Whether it is a separate function in kernels.
  bool in_cosines;     ///< Whether it works in direction cosines.

  /// Returns that of a struct.
  template <IsStep Step>
  static StepType of() {
    return {typeid(Step), detail::changes_of<Step>, detail::can_lose<Step>, detail::is_long<Step>,
            detail::in_cosines<Step>};
  }
};

}  // namespace trackplex::beam
