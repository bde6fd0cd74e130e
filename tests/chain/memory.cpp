// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the emulated device only: memory that both host and device access.
#include <trackplex/chain/memory.hpp>

#include <catch2/catch_test_macros.hpp>

namespace {

struct UnifiedDevice;
struct UnifiedMemory {
  using memory_space = UnifiedMemory;
  using execution_space = UnifiedDevice;
  static constexpr emulation::Memory memory = emulation::Memory::pinned;
};
struct UnifiedDevice : Kokkos::Cuda {
  using memory_space = UnifiedMemory;
  using execution_space = UnifiedDevice;
};

}  // namespace

template <>
struct Kokkos::SpaceAccessibility<Kokkos::HostSpace, UnifiedMemory> {
  static constexpr bool accessible = true;
};
template <>
struct Kokkos::SpaceAccessibility<UnifiedDevice, Kokkos::HostSpace> {
  static constexpr bool accessible = true;
};

using namespace trackplex;

TEST_CASE("A device with unified memory is no host", "[chain]") {
  CHECK(!is_host_space<UnifiedDevice>);
  CHECK(SpaceTraits<UnifiedDevice>::lane_width<float> == 1);
}

TEST_CASE("Unified memory of kernels is not that of the host", "[chain]") {
  chain::ChainMemory<UnifiedDevice> memory({}, {.device = 1 << 16, .pinned = 1 << 16});
  const chain::GroupMemory<UnifiedDevice> group{&memory, 1};
  Kokkos::View<int*, UnifiedMemory> hits;
  allocate_array(group, hits, "Trackplex::Test::hits", 1000);
  CHECK(memory.device().used() >= 1000 * sizeof(int));
  CHECK(memory.pinned().used() == 0);
  Kokkos::View<int*, Kokkos::HostSpace> staged;
  Kokkos::View<int*, PinnedSpace<UnifiedDevice>> fetched;
  allocate_array(group, staged, "Trackplex::Test::staged", 1000);
  allocate_array(group, fetched, "Trackplex::Test::fetched", 1000);
  CHECK(memory.pinned().used() >= 2 * 1000 * sizeof(int));
  memory.release(group.group);
  CHECK(memory.device().used() == 0);
  CHECK(memory.pinned().used() > 0);
}
