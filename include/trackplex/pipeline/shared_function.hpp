// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Functions that threads share: the reader, the writer and the handler of failures of a pipeline.

#include <trackplex/pipeline/detail/stop_token.hpp>
#include <trackplex/pipeline/statistics.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace trackplex::pipeline {

template <class Signature>
class SharedFunction;

/// Copyable function object around any function, which may be movable only; copies share one
/// object.
template <class Value, class... Arguments>
class SharedFunction<Value(Arguments...)> {
 public:
  /// Copies or moves a function, a lambda for example.
  template <class Function>
  requires(!std::derived_from<std::remove_cvref_t<Function>, SharedFunction> &&
           std::is_invocable_r_v<Value, std::decay_t<Function>&, Arguments...>)
      SharedFunction(Function&& function)
      : function_([shared = std::make_shared<std::decay_t<Function>>(
                       std::forward<Function>(function))](auto&&... arguments) -> decltype(auto) {
          return (*shared)(std::forward<decltype(arguments)>(arguments)...);
        }) {}

  /// Calls the function.
  Value operator()(Arguments... arguments) const {
    return function_(std::forward<Arguments>(arguments)...);
  }

 private:
  std::function<Value(Arguments...)> function_;
};

/// Reader of events: `(std::stop_token) -> std::optional<Event>`, nothing at the end.
template <class Event>
using Reader = SharedFunction<std::optional<Event>(const std::stop_token&)>;

/// Handler of failures: `(const Failure&)`.
using FailureHandler = SharedFunction<void(const Failure&)>;

/// Writer of results: `(std::size_t event, Result&&)`, or with a std::stop_token as third argument.
template <class Result>
class Writer : public SharedFunction<void(std::size_t, Result&&, const std::stop_token&)> {
  using Base = SharedFunction<void(std::size_t, Result&&, const std::stop_token&)>;

 public:
  /// Copies or moves a function of three arguments.
  template <class Function>
  requires(!std::same_as<std::remove_cvref_t<Function>, Writer> &&
           std::is_constructible_v<Base, Function>) Writer(Function&& function)
      : Base(std::forward<Function>(function)) {}
  /// Copies or moves a function of two arguments.
  template <class Function>
  requires(!std::is_constructible_v<Base, Function> &&
           std::invocable<std::decay_t<Function>&, std::size_t, Result&&>)
      Writer(Function&& function)
      : Base([write = std::decay_t<Function>(std::forward<Function>(function))](
                 std::size_t event, Result&& result, const std::stop_token&) mutable {
          write(event, std::move(result));
        }) {}
};

}  // namespace trackplex::pipeline
