// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <tuple>
#include <type_traits>
#include <typeindex>

namespace trackplex {

/// Index of a type in a std::tuple of types; -1 if it is not there.
template <class List>
int index_in_list(const std::type_index& id) {
  return
      []<class... Types>(const std::type_index& wanted, std::type_identity<std::tuple<Types...>>) {
        int at = 0;
        const bool found = ((wanted == std::type_index(typeid(Types)) || (++at, false)) || ...);
        return found ? at : -1;
      }(id, std::type_identity<List>{});
}

}  // namespace trackplex
