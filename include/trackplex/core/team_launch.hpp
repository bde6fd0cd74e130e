// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launching team kernels. A team kernel tells its `scratch_bytes()` and does the work of one team
/// in `operator()(member, scratch)`, `scratch` being a ScratchCarver over that many bytes.

#include <trackplex/core/launch.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/core/team.hpp>

#include <concepts>
#include <cstdint>
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

/// A team of a host as kernels see it, the same type for all host spaces.
class HostTeam {
 public:
  template <class Member>
  explicit HostTeam(const Member& member)
      : league_rank_(int(member.league_rank())),
        size_(int(member.team_size())),
        rank_(int(member.team_rank())),
        member_(&member),
        calls_(&calls_to<Member>) {}

  KOKKOS_FUNCTION int league_rank() const { return league_rank_; }
  KOKKOS_FUNCTION int team_size() const { return size_; }
  KOKKOS_FUNCTION int team_rank() const { return rank_; }
  KOKKOS_FUNCTION void team_barrier() const {
    if (size_ > 1) calls_->barrier(member_);
  }
  template <std::integral T>
  KOKKOS_FUNCTION T team_scan(T value) const {
    return T(calls_->scan(member_, std::int64_t(value)));
  }
  template <std::integral T>
  KOKKOS_FUNCTION void team_broadcast(T& value, int rank) const {
    value = T(calls_->broadcast(member_, std::int64_t(value), rank));
  }

 private:
  /// Calls of the space's own team, where it has several threads.
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

/// The one instance of a kernel's body, which all host spaces share.
template <class Kernel>
TRACKPLEX_OWN_FUNCTION void run_team(const Kernel& kernel, const HostTeam& team,
                                     const ScratchCarver& scratch) {
  kernel(team, scratch);
}

/// Where the scratch memory of a device's team is. A kernel with `static constexpr int
/// scratch_level = 0` has it in the memory that its threads share, of which there are
/// `SpaceTraits::shared_bytes`; else it is at level 1, in the main memory, as on hosts.
template <class Kernel>
inline constexpr int scratch_level = 1;
template <class Kernel>
requires(Kernel::scratch_level == 0) inline constexpr int scratch_level<Kernel> = 0;

/// A team's scratch memory, aligned for lanes.
template <class Member>
KOKKOS_FUNCTION ScratchCarver scratch_of(const Member& member, int level, std::size_t bytes) {
  constexpr std::size_t alignment = ScratchCarver::alignment;
  std::uintptr_t block = 0;
  if (bytes > 0)
    block = reinterpret_cast<std::uintptr_t>(member.team_scratch(level).get_shmem(int(bytes)));
  block = (block + alignment - 1) / alignment * alignment;
  return ScratchCarver(reinterpret_cast<void*>(block));
}

/// Runs a kernel for each team of a device.
template <class Kernel, int ScratchLevel>
struct TeamFunctor {
  Kernel kernel;
  std::size_t scratch_bytes;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    kernel(member, scratch_of(member, ScratchLevel, scratch_bytes));
  }
};

/// Runs a kernel for each team of a host, whatever the kernel.
struct HostTeams {
  void (*run)(const void* kernel, const HostTeam& team, const ScratchCarver& scratch);
  const void* kernel;
  std::size_t scratch_bytes;

  template <class Member>
  void operator()(const Member& member) const {
    run(kernel, HostTeam(member), scratch_of(member, 1, scratch_bytes));
  }
};

/// Launches teams of Kokkos, each with `scratch_bytes` at this level of scratch.
template <class ExecutionSpace, class Functor>
void launch_teams(const ExecutionSpace& exec, const std::string& label, int teams, int threads,
                  int scratch_level, std::size_t scratch_bytes, const Functor& functor) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  Policy policy(exec, teams, threads);
  const auto lock = lock_scratch<ExecutionSpace>();
  if (scratch_bytes > 0)
    policy.set_scratch_size(scratch_level, Kokkos::PerTeam(int(scratch_bytes)));
  Kokkos::parallel_for(label, policy, functor);
}

}  // namespace detail

/// A kernel that the threads of a team call together, with scratch memory of the size that it asks
/// for.
template <class Kernel>
concept TeamKernel = requires(const Kernel& kernel) {
  { kernel.scratch_bytes() } -> std::convertible_to<std::size_t>;
};

/// Enqueues a team kernel for teams 0 to n - 1 on the instance and returns. `team_size` 0 means the
/// space's own.
template <class ExecutionSpace, TeamKernel Kernel>
void for_each_team(const ExecutionSpace& exec, const std::string& label, int n,
                   const Kernel& kernel, int team_size = 0) {
  if (n == 0) return;
  const std::size_t bytes = kernel.scratch_bytes();
  const int threads = team_size > 0 ? team_size : SpaceTraits<ExecutionSpace>::team_size;
  if constexpr (is_host_space<ExecutionSpace>) {
    const Kernel copy = untracked_copy(kernel);
    const auto run = [](const void* k, const HostTeam& team, const ScratchCarver& scratch) {
      detail::run_team(*static_cast<const Kernel*>(k), team, scratch);
    };
    detail::launch_teams(exec, label, n, threads, 1, bytes, detail::HostTeams{run, &copy, bytes});
  } else {
    constexpr int level = detail::scratch_level<Kernel>;
    detail::launch_teams(exec, label, n, threads, level, bytes,
                         detail::TeamFunctor<Kernel, level>{kernel, bytes});
  }
}

}  // namespace trackplex
