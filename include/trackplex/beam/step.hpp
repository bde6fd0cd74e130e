// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Steps of the kernels that track particles. A type of steps is a struct with
///
///     std::vector<double> coefficients() const
///         its numbers, which kernels get in the precision of the particles
///     template <class Real>
///     KOKKOS_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v)
///         its effect on a particle, or on one in each lane; it returns a MaskOf<Real> in the place
///         of nothing if particles can be lost there: those that pass
///
/// and, where the defaults do not suit,
///
///     changes    coordinates that it changes, bit i for coordinate i (default: all)
///     is_long    whether it is a function of its own in the kernel (default: false): long ones
///                take registers of the others
///
/// Numbers that depend on the turn or on the reference particle are those of
///
///     std::vector<double> coefficients(const ElementPass&) const

#include <trackplex/beam/reference_particle.hpp>

#include <concepts>
#include <type_traits>
#include <typeindex>
#include <vector>

namespace trackplex::beam {

/// A pass through an element, as the host knows it.
struct ElementPass {
  int turn = 0;                 ///< Turn, as `LineTracker::track` counts.
  ReferenceParticle reference;  ///< Reference particle at the entrance of the element.
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

}  // namespace detail

/// Struct that is a type of steps.
template <class Step>
concept IsStep = (detail::FixedStep<Step> ||
                  detail::PassStep<Step>)&&requires(const double* c, Particle<double>& v) {
  Step::pass(c, v);
};

namespace detail {

/// Whether particles can be lost in steps of a type.
template <class Step>
constexpr bool can_lose = !std::is_void_v<decltype(Step::pass(static_cast<const double*>(nullptr),
                                                              std::declval<Particle<double>&>()))>;

template <class Step>
constexpr bool is_long = [] {
  if constexpr (requires { Step::is_long; }) return bool(Step::is_long);
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
  bool is_long;        ///< Whether it is a function of its own in kernels.

  /// Returns that of a struct.
  template <IsStep Step>
  static StepType of() {
    return {typeid(Step), detail::changes_of<Step>, detail::can_lose<Step>, detail::is_long<Step>};
  }
};

}  // namespace trackplex::beam
