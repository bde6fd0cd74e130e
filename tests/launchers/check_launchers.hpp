// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <trackplex/core/host_executor.hpp>
#include <type_traits>
#include <vector>

#include "recorded_events.hpp"

namespace trackplex::test {

/// Launchers by name, as calls that can be repeated, in the order of their names.
using Calls = std::map<std::string, std::function<void()>>;

/// An instance other than the default one, where this Kokkos can make one.
template <class Space>
Space separate_instance() {
#if KOKKOS_VERSION >= 40200
  if constexpr (std::is_same_v<Space, HostExecutor>)
    return Space().visit(
        []<class Instance>(const Instance&) { return Space(separate_instance<Instance>()); });
  else
    return Kokkos::Experimental::partition_space(Space(), 1)[0];
#else
  return Space();
#endif
}

/// Kokkos' number of an instance, which kernels are reported with.
template <class Space>
std::uint32_t number_of(const Space& exec) {
  if constexpr (std::is_same_v<Space, HostExecutor>)
    return exec.visit([](const auto& instance) { return number_of(instance); });
  else
    return Kokkos::Tools::Experimental::device_id(exec);
}

inline bool is_trackplex_label(const std::string& label) {
  static const std::regex pattern("Trackplex::[A-Z][A-Za-z]*::[a-z0-9_]+");
  return std::regex_match(label, pattern);
}

/// Memory that Kokkos itself keeps for its launches, grown by the first call. Older versions give
/// it no name, which a View always has.
inline bool is_kokkos_own(const std::string& label) {
  return label == "[unlabeled]" || label.find("Kokkos::") == 0;
}

/// Kernels and arrays have labels of the library, and kernels run on the instance.
template <class Space>
void check_labels(const Space& exec, const Calls& calls) {
  for (const auto& [name, call] : calls) {
    CAPTURE(name);
    const auto events = record([&, &call = call] {
      call();
      exec.fence();
    });
    CHECK(events.kernels.size() > 0);
    for (const auto& kernel : events.kernels) {
      CAPTURE(kernel.label);
      CHECK(is_trackplex_label(kernel.label));
      CHECK(kernel.device == number_of(exec));
    }
    for (const auto& label : events.allocations) {
      CAPTURE(label);
      CHECK((is_trackplex_label(label) || is_kokkos_own(label)));
    }
  }
}

/// All of them once, then again.
template <class Space>
void check_second_calls(const Space& exec, const Calls& calls) {
  for (const auto& [name, call] : calls) call();
  exec.fence();
  for (const auto& [name, call] : calls) {
    CAPTURE(name);
    const auto events = record(call);
    exec.fence();
    CHECK(events.kernels.size() > 0);
    CHECK(events.allocations == std::vector<std::string>{});
    CHECK(events.global_fences == std::vector<std::string>{});
  }
}

}  // namespace trackplex::test
