// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/histogram/deposit.hpp>
#include <trackplex/histogram/extrema.hpp>

using namespace trackplex;

/// Normal numbers, one from each particle's own stream.
template <class Real>
struct DrawTimes {
  using Stream = typename RandomStream<Real>::StreamNumber;
  ScalarOf<Real>* times;
  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    RandomStream<Real> random(1, lane_index<Stream>() + Stream(unsigned(tile.first)));
    tile.store(times, random.normal());
  }
};

template <class T>
struct Times {
  const T* times;
  template <class Real>
  KOKKOS_FUNCTION Real operator()(const Tile<Real>& tile) const {
    return tile.load(times);
  }
};

/// Positions on a grid of `bins` points from the first time to the last one; a point is the centre
/// of its bin. Only the device knows the range.
template <class T>
struct PlacesOnGrid {
  const T *times, *range;
  int bins;
  template <class Real>
  KOKKOS_FUNCTION Real operator()(const Tile<Real>& tile) const {
    const T per_step = T(bins - 1) / (range[1] - range[0]);
    return (tile.load(times) - Real(range[0])) * Real(per_step) + Real(T(0.5));
  }
};

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  using Real = LanesOf<double, default_lane_width<Space, double>>;
  const Space exec;
  Workspace<Space> workspace;

  const int n = 1000000, bins = 256;
  const Kokkos::View<double*, Memory> times("Trackplex::Guide::times", n);
  const Kokkos::View<double*, Memory> range("Trackplex::Guide::range", 2);
  const Kokkos::View<std::int32_t*, Memory> counts("Trackplex::Guide::counts", bins);
  const Kokkos::View<histogram::OutsideCounts*, Memory> outside("Trackplex::Guide::outside", 1);
  const Kokkos::View<histogram::MaximumBin<std::int32_t>*, Memory> maximum("Trackplex::Guide::max",
                                                                           1);
  for_each_tile<Real>(exec, "Trackplex::Guide::times", n, DrawTimes<Real>{times.data()});

  // Nothing waits for the device until the results are read.
  histogram::value_range<Real>(exec, n, Times<double>{times.data()}, range, workspace);
  const PlacesOnGrid<double> places{times.data(), range.data(), bins};
  const histogram::Deposit<double, Space> deposit{{.bins = bins}};
  deposit(exec, n, places, counts, outside, workspace);
  histogram::maximum_bin(exec, counts, bins, maximum);

  const auto fullest = to_host(exec, maximum)(0);
  std::printf("fullest bin %d: %d of %d, %d outside\n", fullest.bin, fullest.count, n,
              int(to_host(exec, outside)(0).total()));
}
