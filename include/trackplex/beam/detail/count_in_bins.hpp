// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/team_launch.hpp>

namespace trackplex::beam::detail {

/// Whole numbers 0 <= x < 2^22 as integers as wide as they are.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> as_index(const Real& x) {
  using Format = trackplex::detail::FloatFormat<ScalarOf<Real>>;
  using Index = ScalarOf<IntegerOf<Real>>;
  const Real shifted = x + Real(Format::rounder);
  return bit_cast<IntegerOf<Real>>(shifted) - IntegerOf<Real>(Index(Format::rounder_bits));
}

/// A team counts its block of particles in its own memory and adds that up to all.
template <class Real, class Positions>
struct CountInBins {
  static constexpr int items_per_team = 1 << 15;
  static constexpr int copies = 4;  ///< so that a lane does not wait for its neighbour's addition

  Positions positions;
  int* counts;
  int* outside;
  int n, bins;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<int>(copies * (bins + 1));
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    using Integer = IntegerOf<Real>;
    using Index = ScalarOf<Integer>;
    const TeamLanes<Real, Member> team(member);
    int* const own = carver.take<int>(copies * (bins + 1));
    team.template for_each<int>(copies * (bins + 1), [&](Tile<int> i) { own[i.first] = 0; });
    team.barrier();
    const int first = member.league_rank() * items_per_team;
    const int end = n - first < items_per_team ? n - first : items_per_team;
    team.for_each(end, [&](Tile<Real> tile) {
      const Real position = positions(Tile<Real>{first + tile.first, tile.count});
      const auto inside = position >= Real(0) && position < Real(ScalarOf<Real>(bins));
      const Integer bin = as_index(select(inside, floor(position), Real(ScalarOf<Real>(bins))));
      Index bins_of_lanes[width_of<Real>];
      store(bins_of_lanes, bin);
      for (int lane = 0; lane < tile.count; ++lane)
        team.increment(own + lane % copies * (bins + 1) + bins_of_lanes[lane]);
    });
    team.barrier();
    team.template for_each<int>(bins + 1, [&](Tile<int> i) {
      int sum = 0;
      for (int copy = 0; copy < copies; ++copy) sum += own[copy * (bins + 1) + i.first];
      if (sum > 0) Kokkos::atomic_add(i.first < bins ? counts + i.first : outside, sum);
    });
  }
};

/// counts(b) = number of particles whose position, in units of bins, is in [b, b + 1);
/// `positions(Tile<Real>)` gives the positions. outside(0) gets the number of the others, NaNs
/// among them. Enqueues on the instance.
template <class Real, class ExecutionSpace, class Positions, class Counts>
void count_in_bins(const ExecutionSpace& exec, int n, const Positions& positions, int bins,
                   const Counts& counts, const Counts& outside) {
  using Kernel = CountInBins<Real, Positions>;
  Kokkos::deep_copy(exec, counts, 0);
  Kokkos::deep_copy(exec, outside, 0);
  for_each_team(exec, "Trackplex::Beam::count_in_bins",
                (n + Kernel::items_per_team - 1) / Kernel::items_per_team,
                Kernel{positions, counts.data(), outside.data(), n, bins});
}

}  // namespace trackplex::beam::detail
