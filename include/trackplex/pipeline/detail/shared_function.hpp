// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/stop_token.hpp>

#include <cstddef>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace trackplex::pipeline::detail {

/// A copyable function object around any function; copies share one object.
template <class Function>
auto shared_function(Function&& function) {
  return [shared = std::make_shared<std::decay_t<Function>>(std::forward<Function>(function))](
             auto&&... arguments) -> decltype(auto) {
    return (*shared)(std::forward<decltype(arguments)>(arguments)...);
  };
}

/// The same of a writer, which may leave out the last argument.
template <class Result, class Writer>
auto shared_writer(Writer&& writer) {
  return [shared = std::make_shared<std::decay_t<Writer>>(std::forward<Writer>(writer))](
             std::size_t event, Result&& result, const std::stop_token& stop) {
    if constexpr (std::is_invocable_v<std::decay_t<Writer>&, std::size_t, Result&&,
                                      std::stop_token>) {
      (*shared)(event, std::move(result), stop);
    } else {
      (*shared)(event, std::move(result));
    }
  };
}

}  // namespace trackplex::pipeline::detail
