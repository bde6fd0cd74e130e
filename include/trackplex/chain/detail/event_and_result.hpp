// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/detail/algorithm_traits.hpp>
#include <trackplex/chain/products.hpp>

namespace trackplex::chain::detail {

/// The types of a chain's events and results; void where it is no function of events.
template <template <class> class Wanted, class... Products>
struct ValueOf {
  using type = void;
};
template <template <class> class Wanted, class T, class... Others>
struct ValueOf<Wanted, Wanted<T>, Others...> {
  using type = T;
};
template <template <class> class Wanted, class First, class... Others>
struct ValueOf<Wanted, First, Others...> : ValueOf<Wanted, Others...> {};

template <class Products>
struct ResultOf;
template <class... Products>
struct ResultOf<TypeList<Products...>> : ValueOf<Results, Products...> {};

}  // namespace trackplex::chain::detail
