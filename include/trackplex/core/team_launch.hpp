// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launching team kernels, one or several in a row. A team kernel tells its `scratch_bytes()` and
/// does the work of one team in `operator()(member, scratch)`, `scratch` being a ScratchCarver over
/// that many bytes.

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

/// What a team of a host is to a kernel, the same type for all host spaces. One team of Kokkos
/// works on some places of the league, one after the other.
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

  /// The same team at another place of the league.
  HostTeam at(int league_rank) const {
    HostTeam team = *this;
    team.league_rank_ = league_rank;
    return team;
  }

 private:
  /// What several threads need from the team of a space.
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

namespace detail {

/// What a device calls for its team.
template <class Kernel, class Member>
KOKKOS_FUNCTION void run_kernel(const Kernel& kernel, const Member& team,
                                const ScratchCarver& scratch) {
  kernel(team, scratch);
}
template <class First, class... Others, class Member>
KOKKOS_FUNCTION void run_kernel(const FusedTeamKernels<First, Others...>& kernels,
                                const Member& team, const ScratchCarver& scratch) {
  run_kernel(kernels.first, team, scratch);
  if constexpr (sizeof...(Others) > 0) {
    team.team_barrier();
    run_kernel(kernels.others, team, scratch);
  }
}

/// The places [begin, end) of the league for a team of a host; more than one where it is one
/// thread.
struct HostPlaces {
  HostTeam team;
  int begin, end;
};

/// A kernel at some places: the one instance of its body, which all host spaces share.
template <class Kernel>
TRACKPLEX_OWN_FUNCTION void run_places(const Kernel& kernel, const HostPlaces& places,
                                       const ScratchCarver& scratch) {
  for (int rank = places.begin; rank < places.end; ++rank) kernel(places.team.at(rank), scratch);
}

/// What a host calls for a team: one kernel after the other.
template <class Kernel>
void run_kernels(const Kernel& kernel, const HostPlaces& places, const ScratchCarver& scratch) {
  run_places(kernel, places, scratch);
}
template <class Kernel>
void run_kernels(const OptionalTeamKernel<Kernel>& optional, const HostPlaces& places,
                 const ScratchCarver& scratch) {
  if (optional.wanted) run_places(optional.kernel, places, scratch);
}
template <class First, class... Others>
void run_kernels(const FusedTeamKernels<First, Others...>& kernels, const HostPlaces& places,
                 const ScratchCarver& scratch) {
  run_kernels(kernels.first, places, scratch);
  if constexpr (sizeof...(Others) > 0) {
    places.team.team_barrier();
    run_kernels(kernels.others, places, scratch);
  }
}

/// Places that one team works on, kernel by kernel: enough to stay with a kernel's code and tables
/// for a while, few enough for their data to stay in the cache.
template <class Kernel>
inline constexpr int places_per_team = 1;
template <class... Kernels>
inline constexpr int places_per_team<FusedTeamKernels<Kernels...>> = 16;

template <class Kernel>
int places_of_team(int n, int threads) {
  constexpr int shares_per_thread = 8;  // so that threads end at about the same time
  const int share = n / (shares_per_thread * threads), max = places_per_team<Kernel>;
  return share < 1 ? 1 : share < max ? share : max;
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

/// What a device calls for each team.
template <class Kernel, int ScratchLevel>
struct TeamFunctor {
  Kernel kernel;
  std::size_t scratch_bytes;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    run_kernel(kernel, member, scratch_of(member, ScratchLevel, scratch_bytes));
  }
};

/// What a host space calls for each team, whatever the kernel.
struct HostTeams {
  void (*run)(const void* kernel, const HostPlaces& places, const ScratchCarver& scratch);
  const void* kernel;
  std::size_t scratch_bytes;
  int n;         ///< places
  int per_team;  ///< places

  template <class Member>
  void operator()(const Member& member) const {
    const int begin = int(member.league_rank()) * per_team;
    const int end = n - begin < per_team ? n : begin + per_team;
    run(kernel, {HostTeam(member), begin, end}, scratch_of(member, 1, scratch_bytes));
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
  const auto launch = [&](int teams, int scratch_level, const auto& functor) {
    Policy policy(exec, teams, threads);
    if (bytes > 0) policy.set_scratch_size(scratch_level, Kokkos::PerTeam(int(bytes)));
    Kokkos::parallel_for(label, policy, functor);
  };
  if constexpr (is_host_space<ExecutionSpace>) {
    const int places = threads == 1 ? detail::places_of_team<Kernel>(n, concurrency_of(exec)) : 1;
    const Kernel copy = untracked_copy(kernel);
    const auto run = [](const void* k, const detail::HostPlaces& at, const ScratchCarver& scratch) {
      detail::run_kernels(*static_cast<const Kernel*>(k), at, scratch);
    };
    launch((n + places - 1) / places, 1, detail::HostTeams{run, &copy, bytes, n, places});
  } else {
    constexpr int level = detail::scratch_level<Kernel>;
    launch(n, level, detail::TeamFunctor<Kernel, level>{kernel, bytes});
  }
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
