// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/enabled_spaces.hpp>
#include <trackplex/program/run.hpp>
#include <trackplex/version.hpp>
#if __has_include(<trackplex/program/git_hash.hpp>)
#include <trackplex/program/git_hash.hpp>  // written by CMake
#endif

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace trackplex::program {

/// The source revision that Trackplex was configured from, or "unknown".
inline std::string_view git_hash() {
#if defined(TRACKPLEX_GIT_HASH)
  return TRACKPLEX_GIT_HASH;
#else
  return "unknown";
#endif
}

/// The backends of this build, hosts first.
inline std::vector<std::string> built_backends() {
  std::vector<std::string> names;
  for_each_enabled_space([&]<class Space>(std::type_identity<Space>) {
    if constexpr (offers_space<Space>) names.push_back(backend_name<Space>());
  });
  return names;
}

/// The backend of Kokkos' default execution space where it is one of ours, else the last built one.
inline std::string default_backend() {
  const auto names = built_backends();
  const auto name = backend_name<Kokkos::DefaultExecutionSpace>();
  return std::find(names.begin(), names.end(), name) != names.end() ? name : names.back();
}

/// Text of `--version`.
inline std::string version_line(std::string_view program) {
  return fmt::format("{} (Trackplex {}, revision {}, Kokkos {}.{}.{}, backends {})", program,
                     TRACKPLEX_VERSION_STRING, git_hash(), KOKKOS_VERSION / 10000,
                     KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100,
                     fmt::join(built_backends(), " "));
}

}  // namespace trackplex::program
