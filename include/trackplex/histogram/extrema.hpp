// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Range of values before binning, and the fullest bin afterwards.

#include <trackplex/core/error.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/reduce.hpp>

#include <cstddef>
#include <string>

namespace trackplex::histogram {

/// The fullest bin; the first one if several have the largest count.
template <class Count>
struct MaximumBin {
  Count count;  ///< Its count.
  int bin;      ///< Its number.
};

namespace detail {

/// Kernel with one team: each thread compares every team_size-th bin, in order.
template <class Count>
struct FindMaximumBin {
  using Maximum = MaximumBin<Count>;
  const Count* counts;
  Maximum* result;
  int bins, threads;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<Maximum>(threads);
    return carver.bytes();
  }

  static KOKKOS_FORCEINLINE_FUNCTION Maximum larger(const Maximum& a, const Maximum& b) {
    const bool second = a.count < b.count || (a.count == b.count && b.bin < a.bin);
    return second ? b : a;
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<int, Member> team(member);
    Maximum* const found = scratch.take<Maximum>(threads);
    const int rank = member.team_rank();
    Maximum mine{counts[0], 0};
    team.for_each(bins, [&](const Tile<int>& bin) {
      mine = larger(mine, {counts[bin.first], bin.first});
    });
    found[rank] = mine;
    for (int half = threads / 2; half > 0; half /= 2) {
      team.barrier();
      if (rank < half) found[rank] = larger(found[rank], found[rank + half]);
    }
    team.single([&] { *result = found[0]; });
  }
};

/// Values and their negatives, so that both results are minima.
template <class Real, class Values>
struct RangeTerms {
  Values values;
  KOKKOS_FUNCTION Kokkos::Array<Real, 2> operator()(Tile<Real> tile) const {
    const Real value = values(tile);
    return {{value, -value}};
  }
};

template <class T>
struct NegateSecond {
  T* range;
  KOKKOS_FUNCTION void operator()(int) const { range[1] = -range[1]; }
};

}  // namespace detail

/// Finds the fullest of counts(0) ... counts(bins - 1): result(0), a `MaximumBin` on the device.
/// Enqueues on the instance.
/// @throws UsageError if there are no bins, or fewer counts than bins
template <class ExecutionSpace, class Counts, class Result>
void maximum_bin(const ExecutionSpace& exec, const Counts& counts, int bins, const Result& result) {
  using Count = typename Counts::non_const_value_type;
  if (bins < 1 || counts.extent(0) < std::size_t(bins))
    throw UsageError(
        "maximum_bin", "there are no such bins",
        std::to_string(bins) + " bins, " + std::to_string(counts.extent(0)) + " counts");
  constexpr int threads = SpaceTraits<ExecutionSpace>::large_team_size;
  for_each_team(exec, "Trackplex::Histogram::maximum_bin", 1,
                detail::FindMaximumBin<Count>{counts.data(), result.data(), bins, threads},
                threads);
}

/// Finds the smallest and the largest of n values, result(0) and result(1) on the device. Enqueues
/// on the instance.
///
/// `values` is a functor, `Real operator()(Tile<Real>) const`; NaNs are ignored. Without any value
/// the results are infinity and -infinity. Real is the number type of the kernel, `LanesOf<double,
/// 4>` for example.
template <class Real, class ExecutionSpace, class Values, class Result>
void value_range(const ExecutionSpace& exec, int n, const Values& values, const Result& result,
                 Workspace<ExecutionSpace>& workspace) {
  using T = ScalarOf<Real>;
  reduce<Min, Real>(exec, n, detail::RangeTerms<Real, Values>{values}, result, workspace);
  for_each_item(exec, "Trackplex::Histogram::value_range", 1,
                detail::NegateSecond<T>{result.data()});
}

}  // namespace trackplex::histogram
