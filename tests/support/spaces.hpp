// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/enabled_spaces.hpp>

#include <tuple>
#include <type_traits>

namespace trackplex::test {

/// The execution spaces of this build, for `TEMPLATE_LIST_TEST_CASE`: one source tests them all.
/// Which backend of the host an instance is, the environment says (support/main.cpp). Tests on the
/// emulated device (tests/device) leave out its host.
#if defined(TRACKPLEX_EMULATED_DEVICE)
using EnabledSpaces = std::tuple<Kokkos::Cuda>;
#else
using trackplex::EnabledSpaces;
#endif

/// Calls `f(std::type_identity<Space>{})` for each of them.
template <class F>
void for_each_space(F&& f) {
  [&]<class... Spaces>(std::type_identity<std::tuple<Spaces...>>) {
    (f(std::type_identity<Spaces>{}), ...);
  }(std::type_identity<EnabledSpaces>{});
}

/// What the host reads of a view; waits for all that runs.
template <class View>
auto host_copy(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

}  // namespace trackplex::test
