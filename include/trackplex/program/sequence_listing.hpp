// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/plan.hpp>
#include <trackplex/core/error.hpp>

#include <string>
#include <vector>

/// @file
/// The algorithms of a chain, and which of them it runs. For source files of kernels, too:
/// it needs nothing but the library itself.

namespace trackplex::program {

/// The steps of a chain, those of the default order first, and its products.
struct SequenceListing {
  std::vector<chain::StepDescription> steps;
  std::vector<chain::ProductDescription> products;
  std::vector<std::string> default_steps;
};

/// The listing of a chain. Names of products are those of their types, without namespaces that say
/// nothing.
template <class Chain>
SequenceListing listing_of() {
  SequenceListing listing{Chain::descriptions(), Chain::products(), Chain::default_steps()};
  for (auto& product : listing.products)
    for (const std::string space : {"trackplex::", "chain::", "Kokkos::"})
      for (auto at = product.name.find(space); at != std::string::npos;
           at = product.name.find(space, at))
        product.name.erase(at, space.size());
  return listing;
}

/// Calls select() of a chain with the names that a file holds.
/// @throws InputError with the file's name where the steps do not make a chain
template <class Chain>
void select_steps(Chain& chain, const std::vector<std::string>& names, const std::string& file) {
  try {
    chain.select(names);
  } catch (const UsageError& error) {
    throw InputError({file}, error.what(), "",
                     "--list-algorithms shows the steps, what each reads and makes");
  }
}

}  // namespace trackplex::program
