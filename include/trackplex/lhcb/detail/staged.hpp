// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/reserve.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <utility>

/// @file
/// Arrays that the host fills for a device: on a host the arrays themselves, elsewhere copies that
/// are kept to be filled again.

namespace trackplex::lhcb::detail {

template <class MemorySpace>
inline constexpr bool host_reaches =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;

/// Room for n elements on the device and on its host side.
template <class ExecutionSpace, class Device, class Host>
void reserve_staged(const ExecutionSpace& exec, Device& device, Host& host,
                    const std::string& label, std::size_t n) {
  reserve(exec, device, label, n);
  if constexpr (host_reaches<typename Device::memory_space>) {
    host = device;
  } else if (host.extent(0) < n) {
    host = Host(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
  }
}

/// The first n elements to the device, if they are not there already.
template <class ExecutionSpace, class Device, class Host>
void copy_staged(const ExecutionSpace& exec, const Device& device, const Host& host,
                 std::size_t n) {
  if constexpr (!host_reaches<typename Device::memory_space>) {
    const auto range = std::make_pair(std::size_t(0), n);
    Kokkos::deep_copy(exec, Kokkos::subview(device, range), Kokkos::subview(host, range));
  }
}

}  // namespace trackplex::lhcb::detail
