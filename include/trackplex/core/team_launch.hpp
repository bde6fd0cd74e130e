// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launching team kernels, one or several in a row. A team kernel tells its `scratch_bytes()` and
/// does the work of one team in `operator()(member, scratch)`, `scratch` being a ScratchCarver over
/// that many bytes.

#include <trackplex/core/spaces.hpp>
#include <trackplex/core/team.hpp>

#include <string>

namespace trackplex {

/// Hands out arrays from a block of memory, one after the other; from no memory, it only adds up
/// what they take.
class ScratchCarver {
 public:
  KOKKOS_FUNCTION explicit ScratchCarver(void* memory = nullptr)
      : memory_(static_cast<char*>(memory)) {}

  template <class T>
  KOKKOS_FUNCTION T* take(int n) {
    const std::size_t begin = used_;
    used_ += (sizeof(T) * std::size_t(n) + alignment - 1) / alignment * alignment;
    return memory_ ? reinterpret_cast<T*>(memory_ + begin) : nullptr;
  }

  /// As `take`, with room for `margin` more elements before and after those.
  template <class T>
  KOKKOS_FUNCTION T* take_with_margin(int n, int margin) {
    T* const block = take<T>(n + 2 * margin);
    return block ? block + margin : nullptr;
  }

  /// Bytes taken so far, and the padding that a Kokkos scratch space may need to align the block.
  KOKKOS_FUNCTION std::size_t bytes() const { return used_ + alignment; }

  static constexpr std::size_t alignment = 64;

 private:
  char* memory_;
  std::size_t used_ = 0;
};

namespace detail {

/// What Kokkos calls: hands the team's scratch memory, aligned for lanes, to the kernel.
template <class Kernel>
struct TeamFunctor {
  Kernel kernel;
  std::size_t scratch_bytes;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    constexpr std::size_t alignment = ScratchCarver::alignment;
    std::uintptr_t block = 0;
    if (scratch_bytes > 0)
      block =
          reinterpret_cast<std::uintptr_t>(member.team_scratch(1).get_shmem(int(scratch_bytes)));
    block = (block + alignment - 1) / alignment * alignment;
    kernel(member, ScratchCarver(reinterpret_cast<void*>(block)));
  }
};

}  // namespace detail

/// Enqueues a team kernel for teams 0 to n - 1 on the instance and returns. `team_size` 0 means the
/// space's own.
template <class ExecutionSpace, class Kernel>
void for_each_team(const ExecutionSpace& exec, const std::string& label, int n,
                   const Kernel& kernel, int team_size = 0) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  if (n == 0) return;
  const std::size_t bytes = kernel.scratch_bytes();
  Policy policy(exec, n, team_size > 0 ? team_size : SpaceTraits<ExecutionSpace>::team_size);
  if (bytes > 0) policy.set_scratch_size(1, Kokkos::PerTeam(int(bytes)));
  Kokkos::parallel_for(label, policy, detail::TeamFunctor<Kernel>{kernel, bytes});
}

/// A team kernel that does nothing unless it is wanted, for a place among others.
template <class Kernel>
struct OptionalTeamKernel {
  bool wanted;
  Kernel kernel;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return wanted ? kernel.scratch_bytes() : 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver& scratch) const {
    if (wanted) kernel(member, scratch);
  }
};

template <class Kernel>
OptionalTeamKernel<Kernel> only_if(bool wanted, const Kernel& kernel) {
  return {wanted, kernel};
}

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TRACKPLEX_OWN_FUNCTION KOKKOS_FUNCTION
#else
#define TRACKPLEX_OWN_FUNCTION __attribute__((noinline))
#endif

namespace detail {
/// Calls a kernel that stays a function of its own on hosts: a compiler that inlines several into
/// one stops inlining what they call, at several times the cost.
template <class Kernel, class Member>
TRACKPLEX_OWN_FUNCTION void run_kernel(const Kernel& kernel, const Member& member,
                                       const ScratchCarver& scratch) {
  kernel(member, scratch);
}
}  // namespace detail

/// Team kernels one after the other as one kernel: what a team writes is still in its cache when
/// the next one reads it.
template <class... Kernels>
struct FusedTeamKernels;

template <class Kernel>
struct FusedTeamKernels<Kernel> {
  Kernel first;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return first.scratch_bytes(); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver& scratch) const {
    detail::run_kernel(first, member, scratch);
  }
};

template <class Kernel, class... Others>
struct FusedTeamKernels<Kernel, Others...> {
  Kernel first;
  FusedTeamKernels<Others...> others;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    const std::size_t a = first.scratch_bytes(), b = others.scratch_bytes();
    return a < b ? b : a;
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver& scratch) const {
    detail::run_kernel(first, member, scratch);
    if (member.team_size() > 1) member.team_barrier();
    others(member, scratch);
  }
};

template <class Kernel>
FusedTeamKernels<Kernel> fused(const Kernel& kernel) {
  return {kernel};
}
template <class Kernel, class... Others>
FusedTeamKernels<Kernel, Others...> fused(const Kernel& kernel, const Others&... others) {
  return {kernel, fused(others...)};
}

}  // namespace trackplex
