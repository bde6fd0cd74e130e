// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/detail/host_scratch.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/scan.hpp>

#include <algorithm>
#include <string>

namespace trackplex::detail {

TRACKPLEX_INLINE void launch_host_scan(const HostExecutor& exec, const std::string& label,
                                       const HostScan& scan) {
  exec.visit([&]<class Space>(const Space& instance) {
    if constexpr (is_serial<Space>) {
      run_on_this_thread(instance, label, [&] {
        HostScan::T sum = 0;
        scan(0, sum, true);
      });
    } else {
      check_thread<Space>(label);
      auto chunked = scan;
      chunked.chunks = std::min(scan.items, concurrency_of(instance));
      Kokkos::parallel_scan(label, Kokkos::RangePolicy<Space>(instance, 0, chunked.chunks),
                            chunked);
    }
  });
}

}  // namespace trackplex::detail
