// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace trackplex::beam::detail {

inline constexpr int lost_block = 512;

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

/// places[i] = new place of particle i, from the block of the first lost one on.
struct FindPlaces : LossBlocks {
  const int* lost_before;  ///< before each block
  int* places;
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
      return [=, this](int i, int position) { places[begin + i] = place + position; };
    };
    team.compact(
        size(block), [&](int i) { return !lost(begin + i); }, to(kept_place));
    if (lost_before[block + 1] > lost_before[block])
      team.compact(
          size(block), [&](int i) { return lost(begin + i); }, to(lost_place));
  }
};

/// Memory for moving an array. It goes part by part, first to last: each part is copied to a
/// buffer, then kept values go to their places, in this or an earlier part, and lost values to a
/// separate array. Blocks before the first lost particle do not move.
template <class T>
struct ArrayToMove : LossBlocks {
  T* values;
  T* aside;
  T* lost_values;
  const int* places;
  const int* lost_before;
  int n_kept, first_block;

  KOKKOS_FUNCTION bool stays(int block) const { return lost_before[block + 1] == 0; }
};

/// to[i] = from[i], by lanes where T has them.
template <int Width, class Team, class T>
KOKKOS_FORCEINLINE_FUNCTION void copy_values(const Team& team, int n, const T* from, T* to) {
  if constexpr (Scalar<T>) {
    using Values = Tile<LanesOf<T, Width>>;
    team.template for_each<LanesOf<T, Width>>(n,
                                              [&](const Values& i) { i.store(to, i.load(from)); });
  } else {
    team.for_each(n, [&](Tile<int> i) { to[i.first] = from[i.first]; });
  }
}

template <class T, int Width>
struct SetAside : ArrayToMove<T> {
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<int, Member> team(member);
    const int block = this->first_block + member.league_rank();
    if (this->stays(block)) return;
    T* const to = this->aside + member.league_rank() * lost_block;
    copy_values<Width>(team, this->size(block), this->values + this->first(block), to);
  }
};

template <class T, int Width>
struct PlaceValues : ArrayToMove<T> {
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<int, Member> team(member);
    const int block = this->first_block + member.league_rank();
    if (this->stays(block)) return;
    const int count = this->size(block), lost_so_far = this->lost_before[block];
    const T* const from = this->aside + member.league_rank() * lost_block;
    if (this->lost_before[block + 1] == lost_so_far) {
      copy_values<Width>(team, count, from, this->values + (this->first(block) - lost_so_far));
      return;
    }
    const int* const to = this->places + this->first(block);
    T* const kept = this->values;
    T* const lost_ones = this->lost_values;
    const int end_of_kept = this->n_kept;
    team.for_each(count, [&](Tile<int> i) {
      const int place = to[i.first];
      (place < end_of_kept ? kept[place] : lost_ones[place - end_of_kept]) = from[i.first];
    });
  }
};

template <class T>
struct AppendLost {
  const T* lost;
  T* to;
  KOKKOS_FUNCTION void operator()(int i) const { to[i] = lost[i]; }
};

/// Finds the lost particles among n, and moves them after the others.
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
    return element_on_host(exec, lost_before_, std::size_t(n_blocks_));
  }

  /// Finds the new places of `n_lost` lost particles and of the others.
  void find_places(const ExecutionSpace& exec, int n_lost) {
    n_lost_ = n_lost;
    places_ = workspace_.template get<int>(exec, "Trackplex::Beam::particle_places", blocks_.n);
    aside_ = workspace_.template get<std::uint64_t>(exec, "Trackplex::Beam::particles_aside",
                                                    blocks_.n < part ? blocks_.n : part);
    lost_ = workspace_.template get<std::uint64_t>(exec, "Trackplex::Beam::lost_particles", n_lost);
    for_each_team(exec, "Trackplex::Beam::find_places", n_blocks_,
                  FindPlaces{blocks_, lost_before_.data(), places_.data(), blocks_.n - n_lost});
  }

  template <class T>
  void move(const ExecutionSpace& exec, T* values) const {
    static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
    constexpr int width = is_host_space<ExecutionSpace> ? 32 / int(sizeof(T)) : 1;
    const int n_kept = blocks_.n - n_lost_;
    T* const lost = reinterpret_cast<T*>(lost_.data());
    ArrayToMove<T> array{blocks_,
                         values,
                         reinterpret_cast<T*>(aside_.data()),
                         lost,
                         places_.data(),
                         lost_before_.data(),
                         n_kept,
                         0};
    for (; array.first_block < n_blocks_; array.first_block += part / lost_block) {
      const int left = n_blocks_ - array.first_block;
      const int n = left < part / lost_block ? left : part / lost_block;
      for_each_team(exec, "Trackplex::Beam::set_aside", n, SetAside<T, width>{array});
      for_each_team(exec, "Trackplex::Beam::place_particles", n, PlaceValues<T, width>{array});
    }
    for_each_item(exec, "Trackplex::Beam::append_lost", n_lost_,
                  AppendLost<T>{lost, values + n_kept});
  }

  /// Values that are buffered together: they stay in a cache.
  static constexpr int part = is_host_space<ExecutionSpace> ? 1 << 16 : 1 << 22;

 private:
  template <class T>
  using Buffer = typename Workspace<ExecutionSpace>::template Buffer<T>;

  LossBlocks blocks_;
  int n_blocks_;
  int n_lost_ = 0;
  Workspace<ExecutionSpace>& workspace_;
  Buffer<int> lost_before_, places_;
  Buffer<std::uint64_t> aside_, lost_;
};

}  // namespace trackplex::beam::detail
