// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Algorithms that a chain runs several times.

#include <trackplex/chain/detail/algorithm_traits.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace trackplex::chain {

/// Algorithm that a chain runs once per pass, with the parameters of the pass. The chain runs it as
/// often as `Chain::select` names it, up to the number of passes.
template <class Algorithm>
struct InPasses {
  static constexpr const char* name = Algorithm::name;

  std::vector<Algorithm> passes;  ///< (pass); each with its parameters
};

/// Makes the algorithm of each pass: `make(pass)` returns it.
template <class Pass, class Make>
auto in_passes(const std::vector<Pass>& passes, const Make& make) {
  InPasses<std::decay_t<std::invoke_result_t<const Make&, const Pass&>>> algorithm;
  for (const auto& pass : passes) algorithm.passes.push_back(make(pass));
  return algorithm;
}

namespace detail {

template <class ExecutionSpace, class Algorithm>
struct AlgorithmTraits<ExecutionSpace, InPasses<Algorithm>>
    : AlgorithmTraits<ExecutionSpace, Algorithm> {};

/// Number of times that a chain may run an algorithm.
template <class Algorithm>
int passes_of(const Algorithm&) {
  return 1;
}
template <class Algorithm>
int passes_of(const InPasses<Algorithm>& algorithm) {
  return int(algorithm.passes.size());
}

/// The algorithm of a pass.
template <class Algorithm>
const Algorithm& of_pass(const Algorithm& algorithm, int) {
  return algorithm;
}
template <class Algorithm>
const Algorithm& of_pass(const InPasses<Algorithm>& algorithm, int pass) {
  return algorithm.passes[std::size_t(pass)];
}

}  // namespace detail

}  // namespace trackplex::chain
