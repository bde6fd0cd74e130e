// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace trackplex {

/// Memory for an algorithm that is a part of another one: for its products and scratch arrays.
template <class ProductMemory, class ScratchMemory>
struct PartMemory {
  ProductMemory products;        ///< for the arrays of all its products
  ScratchMemory scratch_arrays;  ///< for its scratch arrays

  /// Returns the memory for the arrays of a product.
  template <class Product>
  const ProductMemory& of(const Product&) const {
    return products;
  }
  /// Returns the memory for scratch arrays.
  const ScratchMemory& scratch() const { return scratch_arrays; }
};
/// Deduces the types of the memories.
template <class ProductMemory, class ScratchMemory>
PartMemory(ProductMemory, ScratchMemory) -> PartMemory<ProductMemory, ScratchMemory>;

}  // namespace trackplex
