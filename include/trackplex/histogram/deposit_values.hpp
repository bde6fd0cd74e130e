// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Sums of values of the particles in each bin. The values are whole numbers and their sums
/// 64-bit integers, so they do not depend on the backend, the number of threads or the lane width.

#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/histogram/detail/fill_rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace trackplex::histogram {

/// Position and values of a particle, one per lane.
template <class Real, int Components>
struct BinnedValues {
  Real position;           ///< In units of bins: bin i is [i, i + 1).
  Real value[Components];  ///< Whole numbers.
};

/// Returns the unit, a power of two, by which values are to be divided before they are
/// rounded and `DepositValues` adds them: the smallest unit for which n values, none larger than
/// `largest`, add up to less than 2^62. It is at most `largest` n 2^-60.
inline double unit_of_sums(double largest, std::int64_t n) {
  int exponent = 0, digits = 0;
  std::frexp(largest, &exponent);
  while (digits < 62 && (std::int64_t(1) << digits) < n) ++digits;
  return std::ldexp(1., exponent + digits - 62);
}

namespace detail {

/// Each team adds up a block of particles in its own row, then adds this row to the total.
template <class Real, int Components, class Values>
struct AddValues {
  Values values;
  std::int64_t* sums;
  int n, bins, items_per_block;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<std::int64_t>(Components * bins);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<Real, Member> team(member);
    const int cells = Components * bins, begin = member.league_rank() * items_per_block;
    std::int64_t* const own = scratch.take<std::int64_t>(cells);
    team.template for_each<int>(cells, [&](Tile<int> i) { own[i.first] = 0; });
    team.barrier();
    team.for_each(min(items_per_block, n - begin), [&](const Tile<Real>& tile) {
      add(team, Tile<Real>{begin + tile.first, tile.count}, own);
    });
    team.barrier();
    team.template for_each<int>(cells, [&](Tile<int> i) {
      if (own[i.first] != 0) Kokkos::atomic_fetch_add(sums + i.first, own[i.first]);
    });
  }

 private:
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Team& team, const Tile<Real>& tile,
                                       std::int64_t* own) const {
    using T = ScalarOf<Real>;
    constexpr int width = width_of<Real>;
    const BinnedValues<Real, Components> v = values(tile);
    const auto is_inside = v.position >= Real(T(0)) && v.position < Real(T(bins));
    std::int32_t cells[width];
    T numbers[Components][width];
    const Real bin = select(is_inside, v.position, Real(T(-1)));
    store(cells, convert<Rebind<Real, std::int32_t>>(bin));
    for (int c = 0; c < Components; ++c) store(numbers[c], v.value[c]);
    for (int lane = 0; lane < tile.count; ++lane) {
      if (cells[lane] < 0) continue;
      for (int c = 0; c < Components; ++c)
        team.add(own + Components * cells[lane] + c, std::int64_t(numbers[c][lane]));
    }
  }
};

struct ClearSums {
  std::int64_t* sums;
  KOKKOS_FUNCTION void operator()(int i) const { sums[i] = 0; }
};

}  // namespace detail

/// Sums of values of n particles in each bin.
///
/// `values` is a functor, `BinnedValues<Real, Components> operator()(Tile<Real>) const`, that a
/// kernel calls once per particle; lanes past the end of a tile are ignored, and so are particles
/// outside the bins or with a position that is NaN. Sums that do not fit into 64 bits wrap around:
/// see `unit_of_sums`.
/// @tparam T precision of positions and values
/// @tparam Components number of values of a particle
/// @tparam ExecutionSpace where the kernels run
/// @tparam Width number of lanes on a host
template <class T, int Components, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T>>
struct DepositValues {
  static constexpr const char* name = "deposit_values";

  int bins = 1;  ///< Number of bins, 1 to 2^22 - 1.

  /// Enqueues the sums on the instance. `sums`, a View of at least `Components bins` integers of 64
  /// bits on the device, gets the sum of component c in bin i at `Components i + c`.
  /// @throws UsageError if n is negative, there is no bin or 2^22 and more, or the View is too
  /// small
  template <class Values, class Sums>
  void operator()(const ExecutionSpace& exec, int n, const Values& values, const Sums& sums) const {
    if (n < 0) throw UsageError(name, "a negative number of particles", std::to_string(n));
    if (bins < 1 || bins >= detail::too_many_bins ||
        sums.extent(0) < std::size_t(Components) * std::size_t(bins))
      throw UsageError(name, "no such number of bins, or too few sums",
                       std::to_string(bins) + " bins, " + std::to_string(sums.extent(0)) + " sums");
    for_each_item(exec, "Trackplex::Histogram::clear_sums", Components * bins,
                  detail::ClearSums{sums.data()});
    constexpr int team_size = detail::deposit_team_size<ExecutionSpace>;
    const int smallest = std::max(4 * Components * bins, 16 * team_size);
    const int most =
        is_host_space<ExecutionSpace> ? 4 * exec.concurrency() : exec.concurrency() / team_size;
    const int blocks = std::clamp(n / smallest, 1, std::max(most, 1));
    constexpr int whole_tiles = 1024;
    const int items = ((n - 1) / blocks / whole_tiles + 1) * whole_tiles;
    for_each_team(exec, "Trackplex::Histogram::add_values", n == 0 ? 0 : (n - 1) / items + 1,
                  detail::AddValues<LanesOf<T, Width>, Components, Values>{values, sums.data(), n,
                                                                           bins, items},
                  team_size);
  }
};

}  // namespace trackplex::histogram
