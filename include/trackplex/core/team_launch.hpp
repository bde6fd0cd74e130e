// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launch of team kernels. A team kernel is a functor whose `scratch_bytes()` returns the size of
/// its scratch memory and whose `operator()(member, scratch)` does the work of one team, where
/// `scratch` is a ScratchCarver over that many bytes.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/core/team.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace trackplex {

/// Allocator of consecutive arrays in a block of memory. Without memory it only adds up their
/// sizes: the same calls give the number of bytes on the host and the arrays in the kernel.
class ScratchCarver {
 public:
  /// Starts at the beginning of a block, which is aligned to `alignment`; or without memory.
  KOKKOS_FUNCTION explicit ScratchCarver(void* memory = nullptr)
      : memory_(static_cast<char*>(memory)) {}

  /// Returns an array of n elements, not initialized; null without memory.
  template <class T>
  KOKKOS_FUNCTION T* take(int n) {
    const std::size_t begin = used_;
    used_ += (sizeof(T) * std::size_t(n) + alignment - 1) / alignment * alignment;
    return memory_ ? reinterpret_cast<T*>(memory_ + begin) : nullptr;
  }

  /// Returns an array of n elements with `margin` extra elements before the first and after the
  /// last one; null without memory.
  template <class T>
  KOKKOS_FUNCTION T* take_with_margin(int n, int margin) {
    T* const block = take<T>(n + 2 * margin);
    return block ? block + margin : nullptr;
  }

  /// Returns the number of bytes used so far, plus the bytes that may be needed to align the block.
  KOKKOS_FUNCTION std::size_t bytes() const { return used_ + alignment; }

  static constexpr std::size_t alignment = 64;  ///< Alignment of every array, bytes.

 private:
  char* memory_;
  std::size_t used_ = 0;
};

/// Handle of a team on a host: one type for all host spaces, so that they share compiled
/// kernels. It has the functions of Kokkos' handles that kernels use.
class HostTeam {
 public:
  /// Keeps a reference to the handle of Kokkos.
  template <class Member>
  explicit HostTeam(const Member& member)
      : league_rank_(int(member.league_rank())),
        size_(int(member.team_size())),
        rank_(int(member.team_rank())),
        member_(&member),
        calls_(&calls_to<Member>) {}

  KOKKOS_FUNCTION int league_rank() const { return league_rank_; }  ///< Number of the team.
  KOKKOS_FUNCTION int team_size() const { return size_; }           ///< Number of its threads.
  KOKKOS_FUNCTION int team_rank() const { return rank_; }           ///< Number of this thread.
  /// Waits for all threads of the team.
  KOKKOS_FUNCTION void team_barrier() const {
    if (size_ > 1) calls_->barrier(member_);
  }
  /// Returns the sum of the values of the previous threads.
  template <std::integral T>
  KOKKOS_FUNCTION T team_scan(T value) const {
    return T(calls_->scan(member_, std::int64_t(value)));
  }
  /// Replaces the value by that of thread `rank`.
  template <std::integral T>
  KOKKOS_FUNCTION void team_broadcast(T& value, int rank) const {
    value = T(calls_->broadcast(member_, std::int64_t(value), rank));
  }

 private:
  /// Calls of the space's own team, if it has several threads.
  struct Calls {
    void (*barrier)(const void* member);
    std::int64_t (*scan)(const void* member, std::int64_t value);
    std::int64_t (*broadcast)(const void* member, std::int64_t value, int rank);
  };
  template <class Member>
  static constexpr Calls calls_to = {
      [](const void* member) { static_cast<const Member*>(member)->team_barrier(); },
      [](const void* member, std::int64_t value) {
        return static_cast<const Member*>(member)->team_scan(value);
      },
      [](const void* member, std::int64_t value, int rank) {
        static_cast<const Member*>(member)->team_broadcast(value, rank);
        return value;
      }};

  int league_rank_, size_, rank_;
  const void* member_;
  const Calls* calls_;
};

namespace detail {

/// The only instance of a kernel's body, shared by all host spaces; see run_tiles.
template <class Kernel>
TRACKPLEX_OWN_FUNCTION void run_team(const Kernel& kernel, const HostTeam& team,
                                     const ScratchCarver& scratch) {
#if !defined(__CUDA_ARCH__)
  kernel(team, scratch);
#endif
}

/// Scratch memory of each team of a launch.
struct TeamScratch {
  int level;          ///< Kokkos' level: 0, shared memory of a device, or 1, main memory
  std::size_t bytes;  ///< size
};

/// The scratch memory of a team of this many threads: in shared memory if it fits.
template <class ExecutionSpace>
TeamScratch scratch_for(int threads, std::size_t bytes) {
  return {bytes <= std::size_t(SpaceTraits<ExecutionSpace>::shared_bytes(threads)) ? 0 : 1, bytes};
}

/// The size to request from Kokkos, on a device: scratch in main memory is reallocated, with a
/// wait, when a launch requests more than all earlier ones. Up to a fourth more makes that rare.
inline std::size_t reserved_bytes(const TeamScratch& scratch) {
  if (scratch.level == 0) return scratch.bytes;
  const std::size_t step = std::bit_ceil(scratch.bytes) / 8;
  return (scratch.bytes + step - 1) / step * step;
}

/// A team's scratch memory, aligned for lanes.
template <class Member>
KOKKOS_FUNCTION ScratchCarver scratch_of(const Member& member, const TeamScratch& scratch) {
  constexpr std::size_t alignment = ScratchCarver::alignment;
  const int bytes = int(scratch.bytes);
  const void* block = nullptr;
  if (bytes > 0)  // a constant level needs no stack on a device
    block = scratch.level == 0 ? member.team_scratch(0).get_shmem(bytes)
                               : member.team_scratch(1).get_shmem(bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  return ScratchCarver(reinterpret_cast<void*>((address + alignment - 1) / alignment * alignment));
}

/// Runs a kernel for each team of a device.
template <class Kernel>
struct TeamFunctor {
  Kernel kernel;
  TeamScratch scratch;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    kernel(member, scratch_of(member, scratch));
  }
};

/// Runs any kernel for each team of a host.
struct HostTeams {
  void (*run)(const void* kernel, const HostTeam& team, const ScratchCarver& scratch);
  const void* kernel;
  TeamScratch scratch;

  template <class Member>
  void operator()(const Member& member) const {
    run(kernel, HostTeam(member), scratch_of(member, scratch));
  }
};

/// Launches teams of this many threads, with the scratch memory of the functor.
void launch_host_teams(const HostExecutor& exec, const std::string& label, int n, int threads,
                       const HostTeams& teams);

/// The same on a device.
template <class ExecutionSpace, class Kernel>
void launch_device_teams(const ExecutionSpace& exec, const std::string& label, int n, int threads,
                         const TeamFunctor<Kernel>& functor) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  auto policy = by_argument(Policy(exec, n, threads));
  if (functor.scratch.bytes > 0)
    policy.set_scratch_size(functor.scratch.level,
                            Kokkos::PerTeam(int(reserved_bytes(functor.scratch))));
  first_launch_alone<ExecutionSpace>([&] { Kokkos::parallel_for(label, policy, functor); });
}

}  // namespace detail

/// Kernel that the threads of a team run together: `scratch_bytes()` returns the size of the
/// scratch memory of a team in bytes, `operator()(member, scratch)` does its work.
template <class Kernel>
concept TeamKernel = requires(const Kernel& kernel) {
  { kernel.scratch_bytes() } -> std::convertible_to<std::size_t>;
};

/// Enqueues a team kernel for the teams 0 to n - 1 on the instance, and returns. `team_size` is the
/// number of threads of a team; 0 is the default of the space, `SpaceTraits::team_size`. On a
/// device the scratch memory is shared memory if it fits, `SpaceTraits::shared_bytes`.
/// The kernel is copied; `label` is its name for tools, `Trackplex::Domain::name`.
/// @throws UsageError if Kokkos is not running, or this thread may not launch teams
template <class ExecutionSpace, TeamKernel Kernel>
void for_each_team(const ExecutionSpace& exec, const std::string& label, int n,
                   const Kernel& kernel, int team_size = 0) {
  if (n == 0) return;
  const int threads = team_size > 0 ? team_size : SpaceTraits<ExecutionSpace>::team_size;
  const auto scratch = detail::scratch_for<ExecutionSpace>(threads, kernel.scratch_bytes());
  if constexpr (is_host_space<ExecutionSpace>) {
    const Kernel copy = untracked_copy(kernel);
    const auto run = [](const void* k, const HostTeam& team, const ScratchCarver& carver) {
      detail::run_team(*static_cast<const Kernel*>(k), team, carver);
    };
    detail::launch_host_teams(exec, label, n, threads, {run, &copy, scratch});
  } else {
    detail::require_kokkos(label);
    detail::launch_device_teams(exec, label, n, threads,
                                detail::TeamFunctor<Kernel>{kernel, scratch});
  }
}

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/team_launch.impl.hpp>
#endif
