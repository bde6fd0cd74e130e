// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/enabled_spaces.hpp>

namespace trackplex::test {

/// The execution spaces of this build, for `TEMPLATE_LIST_TEST_CASE`: one source tests them all.
/// Tests on the emulated device (tests/device) leave out its host.
#if defined(TRACKPLEX_EMULATED_DEVICE)
using EnabledSpaces = std::tuple<Kokkos::Cuda>;
#else
using trackplex::EnabledSpaces;
#endif

/// What the host reads of a view; waits for all that runs.
template <class View>
auto host_copy(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

}  // namespace trackplex::test
