// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/detail/host_scratch.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>

#include <algorithm>
#include <string>
#include <type_traits>

namespace trackplex::detail {

TRACKPLEX_INLINE void launch_host_tiles(const HostExecutor& exec, const std::string& label,
                                        const HostTiles& tiles) {
  exec.visit([&]<class Space>(const Space& instance) {
    auto chunked = tiles;
    chunked.chunks = std::min(tiles.tiles, concurrency_of(instance));
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(instance, 0, chunked.chunks), chunked);
  });
}

TRACKPLEX_INLINE int sum_host_counts(const HostExecutor& exec, const std::string& label,
                                     const HostCounts& counts) {
  int sum = 0;
  exec.visit([&]<class Space>(const Space& instance) {
    if constexpr (is_serial<Space>) {
      run_on_this_thread(instance, label, [&] { counts(0, sum); });
    } else {
      check_thread<Space>(label);
      auto chunked = counts;
      chunked.chunks = std::min(counts.n, concurrency_of(instance));
      Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(instance, 0, chunked.chunks),
                              chunked, sum);
    }
  });
  return sum;
}

}  // namespace trackplex::detail
