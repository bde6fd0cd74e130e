// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/montecarlo/detail/ended_walks.hpp>
#include <trackplex/montecarlo/history_moments.hpp>
#include <trackplex/montecarlo/source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace trackplex::montecarlo::detail {

/// Kernel of histories: each thread of a team has a share of consecutive histories and starts the
/// next one as soon as a lane is free.
template <class Real, class MemorySpace, class Tallies, class Source>
struct TransportKernel {
  using T = ScalarOf<Real>;
  using Mask = MaskOf<Real>;
  using Word = typename HistoryNumbers<Real>::Word;
  /// Max histories of a thread: enough to make the end, when lanes wait for the last one,
  /// negligible.
  static constexpr int max_share = is_host_space<MemorySpace> ? 8192 : 64;
  static constexpr int threads = SpaceTraits<MemorySpace>::team_size;
  static_assert(std::uint64_t(max_share) * threads <= 0xffffffffu,
                "A team counts in 32 bits: each of its histories once in a cell.");
  /// Places in `sums`. A moment has two, of the multiples of 2^32 and of the remainder, so that
  /// they do not overflow.
  static constexpr int high_sums = 0, low_sums = n_moments, skipped = 2 * n_moments,
                       lane_steps = skipped + 1, n_sums = lane_steps + 1;
  /// Max number of cells that a team counts in its scratch memory, next to its sums: more cells
  /// would take longer to add up than to count.
  static constexpr int max_own_cells =
      is_host_space<MemorySpace>
          ? 1 << 16
          : (SpaceTraits<MemorySpace>::shared_bytes(threads) - 8 * n_sums) / 4 - 64;

  Tallies tallies;
  Source source;
  PhiloxKey key;
  T screening, limit;
  Kokkos::View<std::uint64_t*, MemorySpace> counts{};
  Kokkos::View<std::int64_t*, MemorySpace> sums{};
  std::uint64_t first = 0;
  int histories = 0;
  int share = max_share;  ///< histories of a thread

  /// Launches the histories; on a device with few per thread rather than with idle threads.
  template <class ExecutionSpace>
  void launch(const ExecutionSpace& exec) {
    if constexpr (!is_host_space<ExecutionSpace>)
      share = std::clamp(histories / concurrency_of(exec), 1, max_share);
    const int of_team = share * threads;
    for_each_team(exec, "Trackplex::MonteCarlo::transport", (histories + of_team - 1) / of_team,
                  *this, threads);
  }

  /// Returns whether teams count in their scratch memory; else they count in global memory.
  KOKKOS_FUNCTION bool counts_in_scratch() const { return tallies.cells() <= max_own_cells; }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<std::int64_t>(n_sums);
    if (counts_in_scratch()) carver.take<std::uint32_t>(tallies.cells());
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<int, Member> team(member);
    const bool own = counts_in_scratch();
    std::int64_t* const team_sums = scratch.take<std::int64_t>(n_sums);
    std::uint32_t* const cells = own ? scratch.take<std::uint32_t>(tallies.cells()) : nullptr;
    team.for_each(n_sums, [&](Tile<int> i) { team_sums[i.first] = 0; });
    if (own) team.for_each(tallies.cells(), [&](Tile<int> i) { cells[i.first] = 0; });
    team.barrier();
    const auto count = [&](int cell) {
      if (own) {
        team.increment(cells + cell);
      } else {
        Kokkos::atomic_fetch_add(counts.data() + cell, std::uint64_t(1));
      }
    };
    const auto add = [&](int place, std::int64_t value) { team.add(team_sums + place, value); };
    const int thread = int(member.league_rank()) * threads + member.team_rank();
    const std::int64_t begin = std::int64_t(thread) * share;
    if (begin < histories)
      follow(int(begin), int(begin) + share < histories ? int(begin) + share : histories, count,
             add);
    team.barrier();
    team.for_each(n_sums, [&](Tile<int> i) {
      if (team_sums[i.first] != 0)
        Kokkos::atomic_fetch_add(sums.data() + i.first, team_sums[i.first]);
    });
    if (!own) return;
    team.for_each(tallies.cells(), [&](Tile<int> i) {
      if (cells[i.first] != 0)
        Kokkos::atomic_fetch_add(counts.data() + i.first, std::uint64_t(cells[i.first]));
    });
  }

 private:
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;

  /// Histories in flight of a thread, and its counts.
  struct Walks {
    Walk<Real> walk;
    Mask flying = false;
    Integer upcoming;  ///< next history of a lane, counted in the launch
    int next, end;     ///< histories not yet assigned to a lane, counted in the launch
    Rebind<Real, std::int64_t> sums[n_moments];
    int skipped = 0;
  };

  template <class Count, class Add>
  KOKKOS_FUNCTION void follow(int begin, int end, const Count& count, const Add& add) const {
    Walks walks;
    for (auto& sum : walks.sums) sum = 0;
    walks.upcoming = Integer(I(begin)) + lane_index<Integer>();
    walks.next = begin + width_of<Real>;
    walks.end = end;
    EndedWalks<Real> ended_walks;
    const auto finish = [&](const End<Real>& ends, int n) { count_ends(walks, ends, n, count); };
    std::int64_t blocks = 0;
    start(walks, Mask(true));
    while (any_of(walks.flying)) {
      walks.walk.step_block(key, Real(screening));
      ++blocks;
      const Mask ended = walks.flying && !(walks.walk.left > Real(0));
      if (!any_of(ended)) continue;
      ended_walks.add(walks.walk, ended, finish);
      start(walks, ended);
    }
    ended_walks.finish(finish);
    for (int i = 0; i < n_moments; ++i) {
      const std::int64_t sum = sum_of(walks.sums[i]);
      add(high_sums + i, sum >> 32);
      add(low_sums + i, sum & 0xffffffff);
    }
    add(skipped, walks.skipped);
    add(lane_steps, blocks * StepBlock<Real>::steps * width_of<Real>);
  }

  /// Counts the ends in the first n lanes; their positions are in mean free paths.
  template <class Count>
  KOKKOS_FUNCTION void count_ends(Walks& walks, const End<Real>& ended, int n,
                                  const Count& count) const {
    const Real per_limit(T(1) / limit);
    const End<Real> ends{ended.x * per_limit, ended.y * per_limit, ended.z * per_limit,
                         ended.direction, ended.scatterings};
    for (int i = 0; i < n; ++i) tallies.count(end_of(ends, i), 0, count);
    const auto in_moments = add_moments(
        ends, [&](Moment moment, const auto& value) { walks.sums[int(moment)] += value; },
        first_lanes<Rebind<Real, double>>(n));
    walks.skipped += n - count_of(in_moments);
  }

  /// Starts the next histories in the lanes of `free`, while there are any.
  KOKKOS_FORCEINLINE_FUNCTION void start(Walks& walks, const Mask& free) const {
    const Mask starts = free && walks.upcoming < Integer(I(walks.end));
    walks.flying = (walks.flying && !free) || starts;
    const auto set = [&](auto& to, const auto& value) { to = select(starts, value, to); };
    Walk<Real>& walk = walks.walk;
    const auto number = numbers_of(walks.upcoming);
    const Start<Real> from = source(key, number);
    set(walk.x, from.x);
    set(walk.y, from.y);
    set(walk.z, from.z);
    set(walk.direction.x, from.direction.x);
    set(walk.direction.y, from.direction.y);
    set(walk.direction.z, from.direction.z);
    set(walk.left, Real(limit));
    set(walk.scatterings, Integer(0));
    set(walk.number.low, number.low);
    set(walk.number.high, number.high);
    set(walk.block, Word(0u));
    // ahead of the next start, to hide the latency of the numbers
    set(walks.upcoming, Integer(I(walks.next)) + lanes_before<Real>(starts));
    walks.next += count_of(starts);
  }

  /// Returns first + index as two words.
  KOKKOS_FUNCTION HistoryNumbers<Real> numbers_of(const IntegerOf<Real>& index) const {
    const Word low_half(0xffffffffu);
    const Word offset = bit_cast_word(index);
    const Word base(static_cast<ScalarOf<Word>>(first & 0xffffffffu));
    const Word high(static_cast<ScalarOf<Word>>(first >> 32));
    const Word sum = base + offset;
    if constexpr (sizeof(ScalarOf<Word>) == 8) {
      return {sum & low_half, (high + (sum >> 32)) & low_half};
    } else {
      return {sum, select(sum < base, high + Word(1u), high)};
    }
  }
  KOKKOS_FUNCTION static Word bit_cast_word(const IntegerOf<Real>& index) {
    if constexpr (width_of<Real> == 1) {
      return static_cast<Word>(index);
    } else {
      return bit_cast<Word>(index);
    }
  }
};

}  // namespace trackplex::montecarlo::detail
