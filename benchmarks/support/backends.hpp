// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Benchmarks of every backend in one run.

#include <benchmark/benchmark.h>
#include <trackplex/core/enabled_spaces.hpp>
#include <trackplex/core/host_executor.hpp>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace trackplex::bench {

/// The name of a space's backend: of the host, the default one.
template <class Space>
std::string backend_name() {
  if constexpr (std::is_same_v<Space, HostExecutor>)
    return HostExecutor::default_name();
  else
    return Space::name();
}

/// A benchmark that runs on the backend that is the host's default now.
template <class Benchmark>
auto on_backend(Benchmark run) {
  return [run = std::move(run), backend = HostExecutor::default_name()](benchmark::State& state) {
    HostExecutor::set_default(backend);
    run(state);
  };
}

/// Calls `f(std::type_identity<Space>{})`, which adds benchmarks, for each backend: for the host
/// once with each of its backends as the default.
template <class F>
void for_each_backend(const F& f) {
  [&]<class... Devices>(std::type_identity<std::tuple<HostExecutor, Devices...>>) {
    const auto before = HostExecutor::default_name();
    for (const auto& name : HostExecutor::names()) {
      HostExecutor::set_default(name);
      f(std::type_identity<HostExecutor>{});
    }
    HostExecutor::set_default(before);
    (f(std::type_identity<Devices>{}), ...);
  }(std::type_identity<EnabledSpaces>{});
}

}  // namespace trackplex::bench
