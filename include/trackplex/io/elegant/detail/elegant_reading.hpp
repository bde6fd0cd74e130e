// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/elegant/detail/elegant_rules.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace trackplex::io::detail {

/// The definition of an element: its type, and its own parameters with commas before them, as they
/// are written.
struct ElementWords {
  LatticeToken type;
  std::shared_ptr<const ElementWords> like{};  ///< of which it is a copy; may be null
  int depth = 0;                               ///< of copies of copies
  std::vector<LatticeToken> parameters{};
};

/// An element while its parameters are read.
struct ElementReading {
  const ElementRule* rule;
  ElementValues values;
  bool keeps_type;                      ///< whether it has the type of the file
  double length = 0.;                   ///< of one that has a rule without L, too
  std::optional<InputError> refusal{};  ///< the first one
  std::vector<LatticeToken> words{};    ///< its own parameters, see `ElementWords`

  template <class Work>
  void attempt(const Work& work) {
    try {
      if (!refusal) work();
    } catch (const InputError& error) {
      refusal = error;
    }
  }
};

}  // namespace trackplex::io::detail
