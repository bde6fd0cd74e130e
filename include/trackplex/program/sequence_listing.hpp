// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/pipeline/sequence_plan.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// What a sequence of algorithms has, and which of them it runs. For source files of kernels, too:
/// it needs nothing but the library itself.

namespace trackplex::program {

/// What a sequence has: its steps, those of the default order first, and its products.
struct SequenceListing {
  std::vector<pipeline::StepDescription> steps;
  std::vector<pipeline::ProductDescription> products;
  std::vector<std::string> default_steps;
};

/// What the sequence of a Chain, an object that has a `sequence()`, has. Names of products are
/// those of their types, without namespaces that say nothing.
template <class Chain>
SequenceListing listing_of() {
  using Sequence = std::remove_reference_t<decltype(std::declval<Chain&>().sequence())>;
  SequenceListing listing{Sequence::descriptions(), Sequence::products(),
                          Sequence::default_steps()};
  for (auto& product : listing.products)
    for (const std::string space : {"trackplex::", "pipeline::", "Kokkos::"})
      for (auto at = product.name.find(space); at != std::string::npos;
           at = product.name.find(space, at))
        product.name.erase(at, space.size());
  return listing;
}

/// Calls select() of a sequence with the names that a file holds.
/// @throws InputError with the file's name where the steps do not make a sequence
template <class Sequence>
void select_steps(Sequence& sequence, const std::vector<std::string>& names,
                  const std::string& file) {
  try {
    sequence.select(names);
  } catch (const UsageError& error) {
    throw InputError({file}, error.what(), "",
                     "--list-algorithms shows the steps, what each reads and makes");
  }
}

}  // namespace trackplex::program
