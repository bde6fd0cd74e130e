// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex {

namespace detail {
/// Index of a backend in HostBackends.
template <class Backend, class... Backends>
constexpr std::size_t number_of(const std::variant<Backends...>*) {
  std::size_t number = 0;
  static_cast<void>(((std::is_same_v<Backend, Backends> || (++number, false)) || ...));
  return number;
}

/// Index of the default backend in HostBackends.
TRACKPLEX_INLINE std::atomic<std::size_t>& default_host_backend() {
  static std::atomic<std::size_t> number =
      number_of<Kokkos::DefaultHostExecutionSpace>(static_cast<const HostBackends*>(nullptr));
  return number;
}

/// An instance of the backend with an index.
TRACKPLEX_INLINE HostExecutor host_backend(std::size_t number) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    HostBackends found;
    ((I == number ? void(found.template emplace<I>()) : void()), ...);
    return std::visit([](const auto& instance) { return HostExecutor(instance); }, found);
  }
  (std::make_index_sequence<std::variant_size_v<HostBackends>>{});
}
}  // namespace detail

TRACKPLEX_INLINE HostExecutor::HostExecutor()
    : HostExecutor(detail::host_backend(detail::default_host_backend())) {}

TRACKPLEX_INLINE std::vector<HostExecutor> HostExecutor::all() {
  std::vector<HostExecutor> all;
  for (std::size_t i = 0; i < std::variant_size_v<detail::HostBackends>; ++i)
    all.push_back(detail::host_backend(i));
  return all;
}

TRACKPLEX_INLINE std::vector<std::string> HostExecutor::names() {
  return []<class... Backends>(std::type_identity<std::variant<Backends...>>) {
    return std::vector<std::string>{Backends::name()...};
  }(std::type_identity<detail::HostBackends>{});
}

TRACKPLEX_INLINE std::string HostExecutor::default_name() {
  return names()[detail::default_host_backend()];
}

TRACKPLEX_INLINE void HostExecutor::set_default(std::string_view name) {
  const auto in_small_letters = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  const auto all = names();
  const auto found = std::find_if(all.begin(), all.end(), [&](const std::string& one) {
    return std::equal(one.begin(), one.end(), name.begin(), name.end(), in_small_letters);
  });
  if (found == all.end())
    throw UsageError("HostExecutor::set_default",
                     "this Kokkos has no host backend \"" + std::string(name) + "\"", {},
                     "HostExecutor::names() tells those that it has");
  detail::default_host_backend() = std::size_t(found - all.begin());
}

TRACKPLEX_INLINE std::string HostExecutor::name() const {
  return visit([](const auto& instance) { return std::string(instance.name()); });
}

TRACKPLEX_INLINE int HostExecutor::concurrency() const {
  return visit([](const auto& instance) { return concurrency_of(instance); });
}

TRACKPLEX_INLINE void HostExecutor::fence() const {
  visit([](const auto& instance) { instance.fence(); });
}

TRACKPLEX_INLINE void HostExecutor::fence([[maybe_unused]] const std::string& label) const {
  visit([&](const auto& instance) {
    if constexpr (requires { instance.fence(label); })
      instance.fence(label);
    else
      instance.fence();
  });
}

}  // namespace trackplex
