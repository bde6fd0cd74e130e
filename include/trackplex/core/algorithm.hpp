// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>

#include <cstddef>
#include <string>

/// @file
/// Direct calls of algorithms. An algorithm is a struct that has its parameters as members:
///
///     struct FindTracks {
///       static constexpr const char* name = "find_tracks";
///       template <class Memory>
///       void allocate(const Memory& memory, const Hits& hits, Tracks& tracks) const;
///       void operator()(const ExecutionSpace& exec, const Hits& hits, Tracks& tracks) const;
///     };
///
/// operator() reads what it takes by const reference, and writes what it takes by reference: its
/// products. It enqueues kernels on the instance and allocates nothing. allocate(), which an
/// algorithm may leave out, gives the products their sizes and arrays: `memory.of(tracks)` is where
/// the arrays of a product come from. A last parameter of a type `Scratch` that the algorithm has
/// is what only this algorithm needs; its arrays come from `memory.scratch()`. A host step has an
/// operator() without an instance: it launches nothing.

namespace trackplex {

/// Memory for direct calls of algorithms: arrays grow, and stay as they are where they suffice.
template <class ExecutionSpace>
struct GrowingMemory {
  using memory_space = typename ExecutionSpace::memory_space;
  using execution_space = ExecutionSpace;

  ExecutionSpace exec;

  template <class Product>
  const GrowingMemory& of(const Product&) const {
    return *this;
  }
  const GrowingMemory& scratch() const { return *this; }
};

template <class ExecutionSpace, class View>
void allocate_array(const GrowingMemory<ExecutionSpace>& memory, View& view,
                    const std::string& label, std::size_t n) {
  allocate_array(memory.exec, view, label, n);
}

/// Whether an algorithm reads and makes these products, in this order: on an instance, or on the
/// host.
template <class Algorithm, class ExecutionSpace, class... Products>
concept AlgorithmOf = requires(const Algorithm& algorithm, const ExecutionSpace& exec,
                               Products&&... products) {
  algorithm(exec, products...);
}
|| requires(const Algorithm& algorithm, Products&&... products) { algorithm(products...); };

/// Allocates the products of an algorithm, and enqueues it.
template <class ExecutionSpace, class Algorithm, class... Products>
requires AlgorithmOf<Algorithm, ExecutionSpace, Products...>
void run_algorithm(const ExecutionSpace& exec, const Algorithm& algorithm, Products&&... products) {
  const GrowingMemory<ExecutionSpace> memory{exec};
  if constexpr (requires { algorithm.allocate(memory, products...); })
    algorithm.allocate(memory, products...);
  if constexpr (requires { algorithm(products...); })
    algorithm(products...);
  else
    algorithm(exec, products...);
}

}  // namespace trackplex
