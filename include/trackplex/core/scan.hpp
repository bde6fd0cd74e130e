// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/spaces.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace trackplex {

namespace detail {
template <class Counts, class Offsets>
struct ExclusiveScan {
  using T = typename Offsets::non_const_value_type;
  Counts counts;
  Offsets offsets;
  int n;

  KOKKOS_FUNCTION void operator()(int i, T& sum, bool final) const {
    const T count = i < n ? static_cast<T>(counts(i)) : T{0};
    if (final) offsets(i) = sum;
    sum += count;
  }
};

/// The items [begin, end) of a Scan on one thread of a host.
template <class Scan>
void scan_range(const void* scan, int begin, int end, std::int64_t& sum, bool final) {
  using T = typename Scan::T;
  const Scan copy = *static_cast<const Scan*>(scan);  // nothing that is stored can change it
  auto part = T(sum);
  if (final) {
    for (int i = begin; i < end; ++i) copy(i, part, true);
  } else {
    for (int i = begin; i < end; ++i) copy(i, part, false);
  }
  sum = std::int64_t(part);
}

/// Scans a chunk of items on a host, for any items.
struct HostScan {
  using T = std::int64_t;
  void (*run)(const void* scan, int begin, int end, std::int64_t& sum, bool final);
  const void* scan;
  int items;
  int chunks = 1;

  void operator()(int chunk, T& sum, bool final) const {
    run(scan, first_of(chunk), first_of(chunk + 1), sum, final);
  }
  int first_of(int chunk) const { return int(std::int64_t(items) * chunk / chunks); }
};

/// Launches the chunks.
void launch_host_scan(const HostExecutor& exec, const std::string& label, const HostScan& scan);
}  // namespace detail

/// Sums counts to offsets, offsets(i) = counts(0) + ... + counts(i - 1) for i = 0 to n, so that
/// offsets(n) is the total. Integers only: their sum does not depend on the order. `counts` has n
/// elements and `offsets` n + 1; both may be the same memory. Enqueues on the instance.
template <class ExecutionSpace, class Counts, class Offsets>
void exclusive_scan(const ExecutionSpace& exec, const Counts& counts, const Offsets& offsets,
                    int n) {
  static_assert(std::is_integral_v<typename Offsets::non_const_value_type>,
                "exclusive_scan adds integers: floating-point sums would depend on the order.");
  using Scan = detail::ExclusiveScan<Counts, Offsets>;
  const std::string label = "Trackplex::Core::exclusive_scan";
  detail::require_kokkos(label);
  if constexpr (is_host_space<ExecutionSpace>) {
    const Scan scan = untracked_copy(Scan{counts, offsets, n});
    detail::launch_host_scan(exec, label, {&detail::scan_range<Scan>, &scan, n + 1});
  } else {
    const Kokkos::RangePolicy<ExecutionSpace> policy(exec, 0, n + 1);
    detail::first_launch_alone<ExecutionSpace>([&] {
      Kokkos::parallel_scan(label, detail::by_argument(policy), Scan{counts, offsets, n});
    });
  }
}

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/scan.impl.hpp>
#endif
