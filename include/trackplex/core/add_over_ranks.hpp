// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/pinned.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/core/spaces.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace trackplex {

/// Sums the first n integers of a View over the ranks, in place on all ranks; without ranks
/// they are unchanged. With ranks it waits for the instance. 64-bit integers in device memory are
/// summed there if the ranks support it, else through pinned host memory.
/// @throws CapacityError if a sum does not fit into the integers of the View
template <class ExecutionSpace, class View>
void add_over_ranks(const ExecutionSpace& exec, const Ranks* ranks, const View& numbers,
                    std::size_t n) {
  using Number = typename View::non_const_value_type;
  static_assert(std::signed_integral<Number>);
  if (!ranks) return;
  const auto values = Kokkos::subview(numbers, std::make_pair(std::size_t(0), n));
  exec.fence();
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    if (is_host_space<ExecutionSpace> || ranks->reads_device_memory())
      return ranks->add({values.data(), n});
  }
  const auto host = new_array<Kokkos::View<Number*, PinnedSpace<ExecutionSpace>>>(
      "Trackplex::Core::ranks_numbers", n);
  const auto sums =
      new_array<Kokkos::View<std::int64_t*, Kokkos::HostSpace>>("Trackplex::Core::ranks_sums", n);
  copy_array(exec, host, values);
  exec.fence();
  for (std::size_t i = 0; i < n; ++i) sums(i) = host(i);
  ranks->add({sums.data(), n});
  for (std::size_t i = 0; i < n; ++i) {
    if (sums(i) > std::int64_t(std::numeric_limits<Number>::max()) ||
        sums(i) < std::int64_t(std::numeric_limits<Number>::min()))
      throw CapacityError("add_over_ranks", "items of all ranks in one number",
                          std::size_t(sums(i)), std::size_t(std::numeric_limits<Number>::max()));
    host(i) = Number(sums(i));
  }
  copy_array(exec, values, host);
  exec.fence();
}

}  // namespace trackplex
