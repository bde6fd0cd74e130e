// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/detail/algorithm_traits.hpp>
#include <trackplex/chain/plan.hpp>
#include <trackplex/core/error.hpp>

#include <string>
#include <tuple>
#include <vector>

/// @file
/// Compile-time checks of a chain.

namespace trackplex::chain::detail {

template <class List>
struct TupleOf;
template <class... T>
struct TupleOf<TypeList<T...>> {
  using type = std::tuple<T...>;
};

/// All products, inputs first.
template <class List, class... Lists>
struct UniqueOfAll {
  using type = List;
};
template <class... A, class... B, class... Rest>
struct UniqueOfAll<TypeList<A...>, TypeList<B...>, Rest...> {
  using type = typename UniqueOfAll<typename Unique<TypeList<A...>, B...>::type, Rest...>::type;
};
template <class ExecutionSpace, class InputList, class... Algorithms>
using ProductsOf =
    typename UniqueOfAll<InputList,
                         typename AlgorithmTraits<ExecutionSpace, Algorithms>::Products...>::type;

/// The compiler prints algorithm and product next to the sentence.
template <bool IsThere, class Algorithm, class Product>
struct IsMadeBefore {
  static_assert(IsThere,
                "A step reads a product that is neither an input nor made by a step before it: see "
                "Algorithm and Product of IsMadeBefore.");
};
template <bool IsThere, class Algorithm, class Product>
struct IsMadeOnce {
  static_assert(
      !IsThere,
      "A step makes a product that is an input or made by a step before it: see Algorithm "
      "and Product of IsMadeOnce.");
};

template <bool Explain, class Algorithm, class Known, class... Read, class... Made>
constexpr bool check_step(TypeList<Read...>, TypeList<Made...>) {
  if constexpr (Explain) {
    (void)std::tuple<IsMadeBefore<Known::template contains<Read>, Algorithm, Read>...>{};
    (void)std::tuple<IsMadeOnce<Known::template contains<Made>, Algorithm, Made>...>{};
  }
  return (Known::template contains<Read> && ...) && !(Known::template contains<Made> || ...);
}

template <bool Explain, class ExecutionSpace, class Known>
constexpr bool check_steps() {
  return true;
}
template <bool Explain, class ExecutionSpace, class Known, class First, class... Rest>
constexpr bool check_steps() {
  using Traits = AlgorithmTraits<ExecutionSpace, First>;
  return check_step<Explain, First, Known>(typename Traits::Reads{}, typename Traits::Makes{}) &&
         check_steps<Explain, ExecutionSpace,
                     typename Concatenate<Known, typename Traits::Makes>::type, Rest...>();
}

/// Fails to compile if a step reads a product that no earlier step makes, or makes one that exists.
template <class ExecutionSpace, class InputList, class... Algorithms>
constexpr bool check_chain() {
  return check_steps<true, ExecutionSpace, InputList, Algorithms...>();
}

/// Index of the step with this name.
template <class Step>
int step_named(const std::string& name, const std::vector<Step>& steps) {
  std::string names;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].name == name) return int(i);
    names += (i == 0 ? "" : ", ") + steps[i].name;
  }
  throw UsageError("chain", "there is no algorithm " + name, {},
                   "those that are compiled: " + names);
}

}  // namespace trackplex::chain::detail

namespace trackplex::chain {

/// Whether each algorithm reads only inputs and products of the algorithms before it, and makes no
/// product twice.
template <class ExecutionSpace, class InputProducts, class... Algorithms>
inline constexpr bool is_complete_chain = false;
/// The same for a list Inputs<...>.
template <class ExecutionSpace, template <class...> class Inputs, class... Product,
          class... Algorithms>
inline constexpr bool is_complete_chain<ExecutionSpace, Inputs<Product...>, Algorithms...> =
    detail::check_steps<false, ExecutionSpace, detail::TypeList<Product...>, Algorithms...>();

}  // namespace trackplex::chain
