// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/algorithm_traits.hpp>
#include <trackplex/pipeline/slot_memory.hpp>

namespace trackplex::pipeline {

/// Where a step takes its memory from: what its make_room() is called with.
template <class ExecutionSpace, class Products>
struct StepMemory {
  static constexpr int scratch_group = 0;

  SlotMemory<ExecutionSpace>* memory;

  /// For the arrays of a product: until its last reader is enqueued.
  template <class Product>
  ArenaAllocator<ExecutionSpace> of(const Product&) const {
    static_assert(Products::template contains<Product>,
                  "memory.of() takes a product that the algorithm makes.");
    return {memory, 1 + Products::template index_of<Product>};
  }

  /// For what only this step needs: until it is enqueued.
  ArenaAllocator<ExecutionSpace> scratch() const { return {memory, scratch_group}; }
};

}  // namespace trackplex::pipeline
