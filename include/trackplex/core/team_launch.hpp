// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launching team kernels, one or several in a row. A team kernel tells its `scratch_bytes()` and
/// does the work of one team in `operator()(member, scratch)`, `scratch` being a ScratchCarver over
/// that many bytes.

#include <trackplex/core/compatibility.hpp>
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

/// The place of a team in the league as a kernel sees it: some of the places are worked on one
/// after the other by one team of Kokkos.
template <class Member>
class TeamPlace {
 public:
  KOKKOS_FORCEINLINE_FUNCTION TeamPlace(const Member& member, int rank)
      : member_(member), rank_(rank) {}

  KOKKOS_FORCEINLINE_FUNCTION int league_rank() const { return rank_; }
  KOKKOS_FORCEINLINE_FUNCTION int team_size() const { return member_.team_size(); }
  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const { return member_.team_rank(); }
  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const { member_.team_barrier(); }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T team_scan(const T& value) const {
    return member_.team_scan(value);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void team_broadcast(T& value, int rank) const {
    member_.team_broadcast(value, rank);
  }

 private:
  const Member& member_;
  int rank_;
};

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

/// Team kernels one after the other as one kernel; see `fused`.
template <class... Kernels>
struct FusedTeamKernels;

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TRACKPLEX_OWN_FUNCTION KOKKOS_FUNCTION
#else
#define TRACKPLEX_OWN_FUNCTION __attribute__((noinline))
#endif

namespace detail {

/// The places [begin, end) of the league, for one team of Kokkos.
template <class Member>
struct TeamPlaces {
  const Member& member;
  int begin, end;

  KOKKOS_FORCEINLINE_FUNCTION void barrier() const {
    if (member.team_size() > 1) member.team_barrier();
  }
};

/// Runs a kernel at all places. On hosts it stays a function of its own: a compiler that inlines
/// several kernels into one stops inlining what they call, at several times the cost.
template <class Kernel, class Member>
TRACKPLEX_OWN_FUNCTION void run_kernel(const Kernel& kernel, const TeamPlaces<Member>& places,
                                       const ScratchCarver& scratch) {
  for (int rank = places.begin; rank < places.end; ++rank) {
    if (rank > places.begin) places.barrier();
    kernel(TeamPlace<Member>(places.member, rank), scratch);
  }
}

template <class First, class... Others, class Member>
KOKKOS_FUNCTION void run_kernel(const FusedTeamKernels<First, Others...>& kernels,
                                const TeamPlaces<Member>& places, const ScratchCarver& scratch) {
  run_kernel(kernels.first, places, scratch);
  if constexpr (sizeof...(Others) > 0) {
    places.barrier();
    run_kernel(kernels.others, places, scratch);
  }
}

/// Places that one team works on, kernel by kernel: enough to stay with a kernel's code and tables
/// for a while, few enough for their data to stay in the cache.
template <class Kernel>
inline constexpr int places_per_team = 1;
template <class... Kernels>
inline constexpr int places_per_team<FusedTeamKernels<Kernels...>> = 16;

/// Where a team kernel's scratch memory is. On devices a kernel with `static constexpr int
/// scratch_level = 0` has it in the shared memory of its team, of which there are
/// `SpaceTraits::shared_bytes`; else it is at level 1, in the main memory, as on hosts.
template <class Kernel, bool IsHost>
inline constexpr int scratch_level = 1;
template <class Kernel>
requires(Kernel::scratch_level == 0) inline constexpr int scratch_level<Kernel, false> = 0;

/// What Kokkos calls: hands the team's scratch memory, aligned for lanes, to the kernel.
template <class Kernel, int ScratchLevel>
struct TeamFunctor {
  Kernel kernel;
  std::size_t scratch_bytes;
  int n;       ///< places
  int places;  ///< per team

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    constexpr std::size_t alignment = ScratchCarver::alignment;
    std::uintptr_t block = 0;
    if (scratch_bytes > 0)
      block = reinterpret_cast<std::uintptr_t>(
          member.team_scratch(ScratchLevel).get_shmem(int(scratch_bytes)));
    block = (block + alignment - 1) / alignment * alignment;
    const int begin = int(member.league_rank()) * places;
    const int end = n - begin < places ? n : begin + places;
    run_kernel(kernel, TeamPlaces<Member>{member, begin, end},
               ScratchCarver(reinterpret_cast<void*>(block)));
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
  const int threads = team_size > 0 ? team_size : SpaceTraits<ExecutionSpace>::team_size;
  int places = 1;
  if constexpr (is_host_space<ExecutionSpace>) {
    constexpr int shares_per_thread = 8;  // so that threads end at about the same time
    const int share = n / (shares_per_thread * concurrency_of(exec));
    const int most = detail::places_per_team<Kernel>;
    if (threads == 1) places = share < 1 ? 1 : share < most ? share : most;
  }
  Policy policy(exec, (n + places - 1) / places, threads);
  constexpr int level = detail::scratch_level<Kernel, is_host_space<ExecutionSpace>>;
  if (bytes > 0) policy.set_scratch_size(level, Kokkos::PerTeam(int(bytes)));
  Kokkos::parallel_for(label, policy, detail::TeamFunctor<Kernel, level>{kernel, bytes, n, places});
}

/// What a team writes is still in its cache when the next kernel reads it. On hosts a team takes
/// several places of the league at a time, one kernel after the other.
template <class First, class... Others>
struct FusedTeamKernels<First, Others...> {
  First first;
  FusedTeamKernels<Others...> others;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    const std::size_t a = first.scratch_bytes(), b = others.scratch_bytes();
    return a < b ? b : a;
  }
};

template <class Last>
struct FusedTeamKernels<Last> {
  Last first;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return first.scratch_bytes(); }
};

/// Team kernels one after the other as one kernel.
template <class Kernel>
FusedTeamKernels<Kernel> fused(const Kernel& kernel) {
  return {kernel};
}
template <class Kernel, class... Others>
FusedTeamKernels<Kernel, Others...> fused(const Kernel& kernel, const Others&... others) {
  return {kernel, fused(others...)};
}

}  // namespace trackplex
