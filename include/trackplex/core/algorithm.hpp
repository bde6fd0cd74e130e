// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>

/// @file
/// The form of an algorithm, and its direct call. An algorithm is a struct whose members are its
/// parameters:
///
///     struct FindTracks {
///       static constexpr const char* name = "find_tracks";
///       template <class Memory>
///       void allocate(const Memory& memory, const Hits& hits, Tracks& tracks) const;
///       void operator()(const ExecutionSpace& exec, const Hits& hits, Tracks& tracks) const;
///     };
///
/// - `operator()` reads its inputs by const reference and writes its outputs (products) by
///   reference. It enqueues kernels on the instance; it neither allocates nor waits.
/// - `allocate()`, which is optional, sets the sizes of the products and allocates their arrays
///   from `memory.of(product)`. It has the parameters of `operator()`, with the memory instead of
///   the instance.
/// - An algorithm with a member type `Scratch` has a last parameter of this type: memory that no
///   other algorithm reads. Its arrays come from `memory.scratch()`.
/// - A host step has an `operator()` without an instance: it launches nothing.

namespace trackplex {

/// Memory for direct calls of algorithms: an array is reallocated if it is too small, else kept.
template <class ExecutionSpace>
struct GrowingMemory {
  using memory_space = typename ExecutionSpace::memory_space;  ///< Where device arrays are.
  using execution_space = ExecutionSpace;                      ///< Type of the instance.

  ExecutionSpace exec;  ///< Instance on which arrays are allocated.

  /// Returns the memory for the arrays of a product, as `allocate_array` takes it.
  template <class Product>
  const GrowingMemory& of(const Product&) const {
    return *this;
  }
  /// Returns the memory for an algorithm's scratch arrays.
  const GrowingMemory& scratch() const { return *this; }
};

/// Allocates `n` entries for `view` if it has fewer: `allocate_array` on the memory's instance.
template <class ExecutionSpace, class View>
void allocate_array(const GrowingMemory<ExecutionSpace>& memory, View& view, std::string_view label,
                    std::size_t n) {
  allocate_array(memory.exec, view, label, n);
}

/// Algorithm that can be called with these inputs and outputs, in this order: on an instance, or on
/// the host.
template <class Algorithm, class ExecutionSpace, class... Products>
concept AlgorithmOf = requires(const Algorithm& algorithm, const ExecutionSpace& exec,
                               Products&&... products) {
  algorithm(exec, products...);
}
|| requires(const Algorithm& algorithm, Products&&... products) { algorithm(products...); };

namespace detail {
struct AllocateName {
  int allocate;
};
template <class Algorithm>
struct AllocateProbe : Algorithm, AllocateName {};  // makes the name ambiguous if both have it

/// Algorithm with a member `allocate`, whatever its parameters.
template <class Algorithm>
concept HasAllocate = !requires {
  &AllocateProbe<Algorithm>::allocate;
};
}  // namespace detail

/// Calls an algorithm directly: `allocate()`, if the algorithm has one, then `operator()`.
/// Inputs, outputs and scratch memory are in the order of its parameters.
/// Kernels are enqueued on the instance.
template <class ExecutionSpace, class Algorithm, class... Products>
requires AlgorithmOf<Algorithm, ExecutionSpace, Products...>
void run_algorithm(const ExecutionSpace& exec, const Algorithm& algorithm, Products&&... products) {
  const GrowingMemory<ExecutionSpace> memory{exec};
  if constexpr (detail::HasAllocate<Algorithm>) algorithm.allocate(memory, products...);
  // (nvcc 13.0 finds a requires-expression with these arguments false.)
  if constexpr (std::invocable<const Algorithm&, Products&...>)
    algorithm(products...);
  else
    algorithm(exec, products...);
}

}  // namespace trackplex
