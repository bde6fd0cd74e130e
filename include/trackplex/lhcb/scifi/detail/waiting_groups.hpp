// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>

namespace trackplex::lhcb::detail {

/// Groups of N integers that wait until there are W groups, one for each lane.
template <class Real, int N>
class WaitingGroups {
 public:
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  static constexpr int width = width_of<Real>;

  /// Appends groups; calls `use(numbers, mask)` as soon as there are W.
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Integer (&numbers)[N], const MaskOf<Real>& mask,
                                       const Use& use) {
    for (int k = 0; k < N; ++k) compress_store(groups_[k] + size_, numbers[k], mask);
    size_ += count_of(mask);
    if (size_ < width) return;
    use_first(width, use);
    size_ -= width;
    for (int k = 0; k < N; ++k)
      for (int i = 0; i < size_; ++i) groups_[k][i] = groups_[k][width + i];
  }
  /// The rest.
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void flush(const Use& use) {
    if (size_ > 0) use_first(size_, use);
    size_ = 0;
  }

 private:
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void use_first(int n, const Use& use) const {
    Integer numbers[N];
    for (int k = 0; k < N; ++k) numbers[k] = load_first<Integer>(groups_[k], n);
    use(numbers, first_lanes<Real>(n));
  }

  I groups_[N][2 * width];
  int size_ = 0;
};

}  // namespace trackplex::lhcb::detail
