// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/on_host.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/workspace.hpp>

namespace trackplex::beam::detail {

inline constexpr int lost_block = 1024;

/// Particles of one block for each team.
struct LossBlocks {
  const Loss* losses;
  int n;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }
  KOKKOS_FUNCTION int first(int block) const { return block * lost_block; }
  KOKKOS_FUNCTION int size(int block) const {
    return n - first(block) < lost_block ? n - first(block) : lost_block;
  }
  KOKKOS_FUNCTION bool lost(int i) const { return losses[i].element != Loss::none; }
};

struct CountLost : LossBlocks {
  int* counts;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<int, Member> team(member);
    const int block = member.league_rank();
    team.single([&] { counts[block] = 0; });
    team.barrier();
    int mine = 0;
    team.for_each(size(block), [&](Tile<int> i) { mine += lost(first(block) + i.first) ? 1 : 0; });
    if (mine > 0) team.add(counts + block, mine);
  }
};

/// sources[i] = which particle comes to place i, from the block of the first lost one on.
struct FindSources : LossBlocks {
  const int* lost_before;  ///< before each block
  int* sources;
  int n_kept;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<int, Member> team(member);
    const int block = member.league_rank();
    if (lost_before[block + 1] == 0) return;
    const int begin = first(block);
    const int kept_place = begin - lost_before[block];
    const int lost_place = n_kept + lost_before[block];
    const auto to = [&](int place) {
      return [=, this](int i, int position) { sources[place + position] = begin + i; };
    };
    team.compact(
        size(block), [&](int i) { return !lost(begin + i); }, to(kept_place));
    if (lost_before[block + 1] > lost_before[block])
      team.compact(
          size(block), [&](int i) { return lost(begin + i); }, to(lost_place));
  }
};

/// Copies an array aside, and back from the sources.
template <class T>
struct MoveToPlaces {
  struct Aside {};
  struct Back {};
  T* values;
  T* aside;
  const int* sources;
  const int* lost_before;

  KOKKOS_FUNCTION bool stays(int i) const { return lost_before[i / lost_block + 1] == 0; }
  KOKKOS_FUNCTION void operator()(Aside, int i) const {
    if (!stays(i)) aside[i] = values[i];
  }
  KOKKOS_FUNCTION void operator()(Back, int i) const {
    if (!stays(i)) values[i] = aside[sources[i]];
  }
};

/// The lost ones among n particles, and moving them behind the others.
template <class ExecutionSpace>
class LostParticles {
 public:
  LostParticles(const ExecutionSpace& exec, const Loss* losses, int n,
                Workspace<ExecutionSpace>& workspace)
      : blocks_{losses, n}, n_blocks_((n + lost_block - 1) / lost_block), workspace_(workspace) {
    lost_before_ = workspace.template get<int>(exec, "Trackplex::Beam::lost_before",
                                               std::size_t(n_blocks_) + 1);
  }

  /// Their number. Waits for the instance.
  int count(const ExecutionSpace& exec) {
    for_each_team(exec, "Trackplex::Beam::count_lost", n_blocks_,
                  CountLost{blocks_, lost_before_.data()});
    exclusive_scan(exec, lost_before_, lost_before_, n_blocks_);
    return on_host(exec,
                   Kokkos::subview(lost_before_, std::make_pair(n_blocks_, n_blocks_ + 1)))(0);
  }

  void find_places(const ExecutionSpace& exec, int n_kept) {
    const auto n = std::size_t(blocks_.n);
    sources_ = workspace_.template get<int>(exec, "Trackplex::Beam::particle_sources", n);
    aside_ = workspace_.template get<std::uint64_t>(exec, "Trackplex::Beam::particles_aside", n);
    for_each_team(exec, "Trackplex::Beam::find_lost", n_blocks_,
                  FindSources{blocks_, lost_before_.data(), sources_.data(), n_kept});
  }

  template <class T>
  void move(const ExecutionSpace& exec, T* values) const {
    static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
    using Move = MoveToPlaces<T>;
    const Move move{values, reinterpret_cast<T*>(aside_.data()), sources_.data(),
                    lost_before_.data()};
    using Aside = Kokkos::RangePolicy<ExecutionSpace, typename Move::Aside>;
    using Back = Kokkos::RangePolicy<ExecutionSpace, typename Move::Back>;
    Kokkos::parallel_for("Trackplex::Beam::set_particles_aside", Aside(exec, 0, blocks_.n), move);
    Kokkos::parallel_for("Trackplex::Beam::move_particles", Back(exec, 0, blocks_.n), move);
  }

 private:
  template <class T>
  using Buffer = typename Workspace<ExecutionSpace>::template Buffer<T>;

  LossBlocks blocks_;
  int n_blocks_;
  Workspace<ExecutionSpace>& workspace_;
  Buffer<int> lost_before_, sources_;
  Buffer<std::uint64_t> aside_;
};

}  // namespace trackplex::beam::detail
