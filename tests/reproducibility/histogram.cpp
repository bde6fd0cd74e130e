// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of histograms of generated values: the same for every strategy, space, number of threads
// and lane width.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/histogram/deposit.hpp>
#include <trackplex/histogram/extrema.hpp>
#include <type_traits>
#include <vector>

#include "golden_hashes.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

using histogram::Deposition;
using histogram::MaximumBin;
using histogram::OutsideCounts;
using histogram::Strategy;

template <class Real>
struct FillNormal {
  using Stream = typename RandomStream<Real>::StreamNumber;
  ScalarOf<Real>* values;
  KOKKOS_FUNCTION void operator()(Tile<Real> tile) const {
    // lanes past the end draw from streams of their own
    RandomStream<Real> random(20260101, lane_index<Stream>() + Stream(unsigned(tile.first)), 7);
    tile.store(values, random.normal());
  }
};

template <class T>
struct LoadValues {
  const T* values;
  template <class Real>
  KOKKOS_FUNCTION Real operator()(const Tile<Real>& tile) const {
    return tile.load(values);
  }
};

/// Counts, outside counts, fullest bins and ranges of normal numbers, for several sizes.
template <class T, int Width, class Space>
std::string histogram_hash(Strategy strategy) {
  using Real = LanesOf<T, Width>;
  using Memory = typename Space::memory_space;
  constexpr int max_values = 300007, max_bins = 5000;
  const Space exec;
  Workspace<Space> workspace;
  const Kokkos::View<T*, Memory> values("Trackplex::Test::values", max_values);
  const Kokkos::View<T*, Memory> range("Trackplex::Test::range", 2);
  const Kokkos::View<std::int64_t*, Memory> counts("Trackplex::Test::counts", max_bins);
  const Kokkos::View<OutsideCounts*, Memory> outside("Trackplex::Test::outside", 1);
  const Kokkos::View<MaximumBin<std::int64_t>*, Memory> maximum("Trackplex::Test::maximum", 1);
  for_each_tile<Real>(exec, "Trackplex::Test::values", max_values, FillNormal<Real>{values.data()});
  Fingerprint hash;
  for (const int n : {1, 1000, max_values}) {
    histogram::value_range<Real>(exec, n, LoadValues<T>{values.data()}, range, workspace);
    const auto range_on_host = to_host(exec, range);
    hash.add(range_on_host(0)).add(range_on_host(1));
    for (const int bins : {1, 256, max_bins}) {
      const histogram::RegularAxis<T> axis(-2.5, 3.5, bins);
      for (const auto deposition : {Deposition::nearest, Deposition::linear}) {
        const histogram::Deposit<T, Space, Width> deposit{{bins, strategy, deposition}};
        deposit(exec, n, histogram::positions_on(axis, values), counts, outside, workspace);
        histogram::maximum_bin(exec, counts, bins, maximum);
        const auto of_bins = to_host(exec, counts);
        for (int bin = 0; bin < bins; ++bin) hash.add(of_bins(bin));
        const auto places = to_host(exec, outside)(0);
        hash.add(places.below).add(places.above).add(places.not_a_number);
        hash.add(to_host(exec, maximum)(0).bin);
      }
    }
  }
  return hash.hex();
}

template <int Width, class Space>
void check_histograms() {
  for (const Strategy strategy :
       {Strategy::global_atomics, Strategy::replicated, Strategy::sorted}) {
    CAPTURE(Width, int(strategy));
    CHECK(histogram_hash<float, Width, Space>(strategy) == histograms_golden.single_precision);
    CHECK(histogram_hash<double, Width, Space>(strategy) == histograms_golden.double_precision);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Histograms are the same everywhere", "[reproducibility]", EnabledSpaces) {
  for_each_width<TestType>([]<int Width>() { check_histograms<Width, TestType>(); });
}

}  // namespace trackplex::test
