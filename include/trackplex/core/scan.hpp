// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/launch.hpp>
#include <trackplex/core/spaces.hpp>

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
}  // namespace detail

/// Sums counts to offsets, offsets(i) = counts(0) + ... + counts(i - 1) for i = 0 to n, so that
/// offsets(n) is the total. Integers only: their sum does not depend on the order. `counts` has n
/// elements and `offsets` n + 1; both may be the same memory. Enqueues on the instance.
template <class ExecutionSpace, class Counts, class Offsets>
void exclusive_scan(const ExecutionSpace& exec, const Counts& counts, const Offsets& offsets,
                    int n) {
  static_assert(std::is_integral_v<typename Offsets::non_const_value_type>,
                "exclusive_scan adds integers: floating-point sums would depend on the order.");
  const std::string label = "Trackplex::Core::exclusive_scan";
  const auto lock = detail::lock_scratch<ExecutionSpace>(label);
  const Kokkos::RangePolicy<ExecutionSpace> policy(exec, 0, n + 1);
  detail::first_launch_alone<ExecutionSpace>([&] {
    Kokkos::parallel_scan(label, detail::by_argument(policy),
                          detail::ExclusiveScan<Counts, Offsets>{counts, offsets, n});
  });
}

}  // namespace trackplex
