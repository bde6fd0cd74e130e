// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the emulated device only: memory that both host and device access.
#include <trackplex/chain/memory.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>

#include <catch2/catch_test_macros.hpp>
#include <vector>

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
struct Kokkos::is_execution_space<UnifiedDevice> : std::true_type {};
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

namespace {
struct Read {
  Kokkos::View<int*, UnifiedMemory> from, to;
  void operator()(int i) const { to(i) = from(i); }
};
}  // namespace

TEST_CASE("Copies to unified memory wait for the kernels that use it", "[chain]") {
  const UnifiedDevice exec;
  const auto values = to_device<int>(exec, "Trackplex::Test::values", std::vector<int>{1, 2});
  const auto seen = to_device<int>(exec, "Trackplex::Test::seen", std::vector<int>{0, 0});
  for_each_item(exec, "Trackplex::Test::read", 2, Read{values, seen});
  copy_to_device(exec, values, std::vector<int>{3, 4});
  CHECK(to_host(exec, seen)(0) == 1);
  CHECK(to_host(exec, seen)(1) == 2);
}
