// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <tuple>
#include <typeindex>

namespace trackplex::beam::detail {

/// The place of a type in a std::tuple of types; -1 if it is not there.
template <class... Types>
int index_in_list(const std::type_index& id, const std::tuple<Types...>&) {
  int at = 0;
  const bool found = ((id == std::type_index(typeid(Types)) || (++at, false)) || ...);
  return found ? at : -1;
}

}  // namespace trackplex::beam::detail
