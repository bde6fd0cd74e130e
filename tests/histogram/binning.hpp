// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <trackplex/core/copy.hpp>
#include <trackplex/histogram/deposit.hpp>
#include <vector>

namespace trackplex::test {

using histogram::Deposition;
using histogram::DepositParams;
using histogram::OutsideCounts;
using histogram::Strategy;

inline constexpr Strategy all_strategies[] = {Strategy::global_atomics, Strategy::replicated,
                                              Strategy::sorted};

struct BinnedCounts {
  std::vector<std::int64_t> counts;
  std::int64_t below = 0, above = 0, not_a_number = 0;

  bool operator==(const BinnedCounts&) const = default;
};

/// What the header says, one position after the other.
template <class T>
BinnedCounts plain_counts(const std::vector<T>& positions, int bins, Deposition deposition) {
  const std::int64_t unit = histogram::linear_unit;
  BinnedCounts result;
  result.counts.resize(std::size_t(bins));
  for (const T position : positions) {
    if (std::isnan(position)) {
      ++result.not_a_number;
    } else if (position < 0) {
      ++result.below;
    } else if (position >= T(bins)) {
      ++result.above;
    } else if (deposition == Deposition::nearest) {
      ++result.counts[std::size_t(std::floor(position))];
    } else {
      const double from_first_centre = double(position) - 0.5;
      if (from_first_centre <= 0.) {
        result.counts.front() += unit;
      } else if (from_first_centre >= bins - 1.) {
        result.counts.back() += unit;
      } else {
        const double left = std::floor(from_first_centre);
        const auto to_right =
            std::int64_t(std::nearbyint((from_first_centre - left) * double(unit)));
        result.counts[std::size_t(left)] += unit - to_right;
        result.counts[std::size_t(left) + 1] += to_right;
      }
    }
  }
  return result;
}

template <class T>
struct GivenPositions {
  const T* positions;
  template <class Real>
  KOKKOS_FUNCTION Real operator()(const Tile<Real>& tile) const {
    return tile.load(positions);
  }
};

/// The counts of `Deposit`, for memory with other contents before.
template <class Count, int Width, class Space, class T>
BinnedCounts deposited(const Space& exec, const std::vector<T>& positions,
                       const DepositParams& params, Workspace<Space>& workspace) {
  const int bins = params.bins;
  using Memory = typename Space::memory_space;
  Kokkos::View<T*, Memory> device("Trackplex::Test::positions", positions.size());
  const auto host = Kokkos::create_mirror_view(device);
  std::copy(positions.begin(), positions.end(), host.data());
  copy_array(exec, device, host);
  Kokkos::View<Count*, Memory> counts("Trackplex::Test::counts", std::size_t(bins) + 1);
  Kokkos::View<OutsideCounts*, Memory> outside("Trackplex::Test::outside", 1);
  deep_copy(exec, counts, Count(77));
  histogram::Deposit<T, Space, Width>{params}(
      exec, int(positions.size()), GivenPositions<T>{device.data()}, counts, outside, workspace);
  const auto all = to_host(exec, counts);
  const auto places = to_host(exec, outside)(0);
  BinnedCounts result{{}, places.below, places.above, places.not_a_number};
  for (int bin = 0; bin < bins; ++bin) result.counts.push_back(std::int64_t(all(bin)));
  // what lies behind the bins is left alone
  if (all(bins) != Count(77)) result.counts.push_back(std::int64_t(all(bins)));
  return result;
}

}  // namespace trackplex::test
