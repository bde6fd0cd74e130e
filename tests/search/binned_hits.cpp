// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/search/binned_hits.hpp>

#include "layers_with_hits.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::hits;
using namespace trackplex::search;

namespace {

using test::host_copy;

/// The bin of a value on an axis by the definition in double precision, and one more bin where the
/// value is so close to an edge that single precision may decide otherwise.
struct BinRange {
  int low, high;
};
BinRange bins_of(double value, double low, double high, int bins) {
  const double position = (value - low) / (high - low) * bins;
  const auto bin = [&](double p) { return int(std::clamp(std::floor(p), 0., bins - 1.)); };
  return {bin(position - 1e-3), bin(position + 1e-3)};
}

template <int Width, class Space, class T, class Coordinate, class Axis>
void check_bins(const std::vector<Axis>& axes, const std::vector<Axis>& host_axes, int team_size) {
  const Space exec;
  const int azimuth_bins = 40;
  const auto host = test::layers_with_hits<T>();
  LayerHits<T, MemoryOf<Space>> hits;
  upload(exec, host, hits);
  REQUIRE(hits.events == 3);
  REQUIRE(hits.layers == 4);
  REQUIRE(hits.hits == int(host.x.size()));
  using Binned = BinnedHits<T, MemoryOf<Space>, Coordinate, Axis>;
  const BinHits<T, Space, Binned, Width> bin_hits{{exec, azimuth_bins, axes}, team_size};
  Binned binned;
  typename BinHits<T, Space, Binned, Width>::Scratch scratch;
  // The second time in memory that holds the first.
  for (int time = 0; time < 2; ++time) run_algorithm(exec, bin_hits, hits, binned, scratch);
  exec.fence();
  REQUIRE(binned.events == 3);

  const auto records = host_copy(binned.records);
  const auto index = host_copy(binned.index);
  const auto places = host_copy(binned.places);
  const auto tables = host_copy(binned.tables);
  int largest = 0;
  for (int event = 0; event < 3; ++event) {
    for (int layer = 0; layer < 4; ++layer) {
      CAPTURE(event, layer, Width, team_size);
      const int first = host.offsets[std::size_t(event * 4 + layer)];
      const int n = host.size(event, layer);
      largest = std::max(largest, n);
      const auto& axis = host_axes[std::size_t(layer)];
      const std::int32_t* const table =
          places.data() + event * binned.places_per_event + tables(layer);
      const int bins = azimuth_bins * axis.bins();
      // Hits by bin and then in their own order
      std::vector<int> keys, order(static_cast<std::size_t>(n));
      std::vector<T> phi;
      for (int i = 0; i < n; ++i) {
        const auto at = std::size_t(first + i);
        phi.push_back(trackplex::atan2(host.y[at], host.x[at]));
        keys.push_back(binned.azimuth.bin(phi.back()) * axis.bins() +
                       axis.bin(Coordinate::of(host.x[at], host.y[at], host.z[at])));
      }
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
      REQUIRE(table[0] == first);
      REQUIRE(table[bins] == first + n);
      for (int bin = 0; bin < bins; ++bin) {
        const auto in_bin = std::count(keys.begin(), keys.end(), bin);
        REQUIRE(table[bin + 1] - table[bin] == in_bin);
      }
      for (int i = 0; i < n; ++i) {
        const int hit = order[std::size_t(i)];
        const auto from = std::size_t(first + hit);
        const auto at = std::size_t(first + i);
        REQUIRE(index(at) == hit);
        const int key = keys[std::size_t(hit)];
        REQUIRE(table[key] <= first + i);
        REQUIRE(first + i < table[key + 1]);
        const auto& a = records(3 * at);
        const auto& b = records(3 * at + 1);
        const auto& c = records(3 * at + 2);
        REQUIRE(a.x == host.x[from]);
        REQUIRE(a.y == host.y[from]);
        REQUIRE(a.z == host.z[from]);
        REQUIRE(a.w == phi[std::size_t(hit)]);
        const auto& covariance = host.covariance[from];
        REQUIRE(b.x == covariance[0]);
        REQUIRE(b.y == covariance[1]);
        REQUIRE(b.z == covariance[2]);
        REQUIRE(b.w == covariance[3]);
        REQUIRE(c.x == covariance[4]);
        REQUIRE(c.y == covariance[5]);
        // By the definition
        const double exact = std::atan2(double(host.y[from]), double(host.x[from]));
        const auto row = bins_of(exact, -std::numbers::pi, std::numbers::pi, azimuth_bins);
        const int found_row = key / axis.bins();
        const bool at_seam = std::abs(exact) > 3.1415;
        REQUIRE((found_row == row.low || found_row == row.high ||
                 (at_seam && (found_row == 0 || found_row == azimuth_bins - 1))));
      }
    }
  }
  CHECK(hits.max_layer_hits == largest);
}

template <int Width, class Space, class T>
void check_regular_bins(int team_size = 0) {
  const auto axes = test::regular_axes<T>(12.);
  check_bins<Width, Space, T, AlongZ>(axes, axes, team_size);
}

template <int Width, class Space, class T>
void check_variable_bins(int team_size = 0) {
  std::vector<Kokkos::View<T*, typename Space::memory_space>> memory;
  std::vector<Kokkos::View<T*, Kokkos::HostSpace>> host_memory;
  check_bins<Width, Space, T, AlongEta>(test::variable_axes<T, Space>(1.5, memory),
                                        test::variable_axes<T, HostExecutor>(1.5, host_memory),
                                        team_size);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every hit is in its bin, in the order of the hits", "[search]",
                        test::EnabledSpaces) {
  check_regular_bins<1, TestType, double>();
  check_variable_bins<1, TestType, float>();
  if constexpr (is_host_space<TestType>) {
    check_regular_bins<8, TestType, float>();
    check_regular_bins<4, TestType, double>();
    check_variable_bins<8, TestType, float>();
    // A host team of several threads goes the way of a device.
    const int threads = int(TestType().concurrency());
    check_regular_bins<1, TestType, double>(threads);
    check_regular_bins<8, TestType, float>(threads);
  }
}

TEST_CASE("hits of two lists stand one after the other", "[search]") {
  using Space = HostExecutor;
  const auto first = test::layers_with_hits<double>(1), second = test::layers_with_hits<double>(2);
  const std::vector<const HostLayerHits<double>*> lists{&first, &second};
  LayerHits<float, MemoryOf<Space>> hits;
  allocate_hits(Space(), lists, 4, hits);
  Space().fence();
  stage_hits(lists, hits);
  REQUIRE(hits.events == 6);
  REQUIRE(hits.hits == int(first.x.size() + second.x.size()));
  int largest = 0, before = 0;
  for (int event = 0; event < 6; ++event) {
    const auto& list = *lists[std::size_t(event / 3)];
    for (int layer = 0; layer < 4; ++layer) {
      CAPTURE(event, layer);
      const int n = list.size(event % 3, layer);
      const int from = list.offsets[std::size_t(event % 3 * 4 + layer)];
      REQUIRE(hits.first(event, layer) == before);
      for (int i = 0; i < n; ++i) {
        REQUIRE(hits.x(before + i) == float(list.x[std::size_t(from + i)]));
        REQUIRE(hits.y(before + i) == float(list.y[std::size_t(from + i)]));
        REQUIRE(hits.z(before + i) == float(list.z[std::size_t(from + i)]));
        for (std::size_t e = 0; e < 6; ++e)
          REQUIRE(hits.covariance(before + i, e) ==
                  float(list.covariance[std::size_t(from + i)][e]));
      }
      before += n;
      largest = std::max(largest, n);
    }
  }
  CHECK(hits.offsets(24) == hits.hits);
  CHECK(hits.max_layer_hits == largest);
}

TEST_CASE("z and pseudorapidity of hits", "[search]") {
  const double x = 3., y = -4.;
  for (const double z : {-20., -5., -0.1, 0., 0.1, 5., 20., 1e4}) {
    CHECK(AlongZ::of(x, y, z) == z);
    CHECK(std::abs(AlongEta::of(x, y, z) - std::asinh(z / 5.)) < 1e-14 * (1. + std::abs(z)));
    CHECK(AlongEta::of(x, y, -z) == -AlongEta::of(x, y, z));
    const auto lanes =
        AlongEta::of(LanesOf<double, 4>(x), LanesOf<double, 4>(y), LanesOf<double, 4>(z));
    CHECK(extract(lanes, 3) == AlongEta::of(x, y, z));
  }
}

TEST_CASE("hits that are no numbers have bins, too", "[search]") {
  using Space = HostExecutor;
  const Space exec;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  HostLayerHits<float> host(1);
  for (const float x : {nan, infinite, -infinite, 0.f, 1.f})
    for (const float z : {nan, infinite, -infinite, 2.f}) host.add(x, 0.f, z, {});
  host.end_layer();
  LayerHits<float, MemoryOf<Space>> hits;
  upload(exec, host, hits);
  const auto check = [&]<class Binned>(Binned binned) {
    using Algorithm = BinHits<float, Space, Binned>;
    typename Algorithm::Scratch scratch;
    run_algorithm(exec, Algorithm{{exec, 5, {{-1., 1., 3}}}}, hits, binned, scratch);
    exec.fence();
    std::vector<int> found(binned.index.data(), binned.index.data() + hits.hits);
    std::sort(found.begin(), found.end());
    for (int i = 0; i < hits.hits; ++i) CHECK(found[std::size_t(i)] == i);
  };
  check(BinnedHits<float, MemoryOf<Space>>());
  check(BinnedHits<float, MemoryOf<Space>, AlongEta>());
}

TEST_CASE("there is about one bin for each hit", "[search]") {
  CHECK(bins_for_hits(0).azimuth == 64);
  CHECK(bins_for_hits(0).second == 16);
  int azimuth = 0, bins = 0;
  for (const int hits : {100, 1000, 3000, 10000, 50000, 200000, 1000000}) {
    CAPTURE(hits);
    const auto counts = bins_for_hits(hits);
    CHECK(counts.azimuth >= azimuth);
    CHECK(counts.azimuth * counts.second >= bins);
    azimuth = counts.azimuth;
    bins = counts.azimuth * counts.second;
    if (hits >= 1000) {
      CHECK(bins >= hits / 2);
      CHECK(bins <= 2 * hits);
    }
  }
  CHECK(azimuth == 1024);
}

TEST_CASE("impossible bins and hits are refused", "[search]") {
  using Space = HostExecutor;
  using Axis = histogram::RegularAxis<float>;
  using Bins = HitBins<float, MemoryOf<Space>>;
  const Space exec;
  CHECK_THROWS_AS(Bins(exec, 10, {}), UsageError);
  CHECK_THROWS_AS(Bins(exec, 0, {Axis(0., 1., 5)}), UsageError);
  CHECK_THROWS_AS(Bins(exec, 1000000, {Axis(0., 1., 5000)}), UsageError);
  CHECK_THROWS_AS(HostLayerHits<float>(0), UsageError);

  HostLayerHits<float> host(2);
  LayerHits<float, MemoryOf<Space>> hits;
  upload(exec, host, hits);
  CHECK(hits.events == 0);
  host.end_layer();
  CHECK_THROWS_AS(upload(exec, host, hits), UsageError);  // half an event
  host.end_layer();
  CHECK_NOTHROW(upload(exec, host, hits));
  host.add(1.f, 1.f, 1.f, {});
  CHECK_THROWS_AS(upload(exec, host, hits), UsageError);  // hits of no layer
  HostLayerHits<float> other(2);
  other.end_layer();
  other.end_layer();
  upload(exec, other, hits);
  CHECK(to_device<float>(exec, other).events == 1);
  CHECK(hits.events == 1);
  CHECK(hits.hits == 0);
  CHECK(hits.max_layer_hits == 0);

  BinnedHits<float, MemoryOf<Space>> binned;
  BinHits<float, Space>::Scratch scratch;
  const auto bin_hits = [&](const Bins& bins) {
    run_algorithm(exec, BinHits<float, Space>{bins}, hits, binned, scratch);
    exec.fence();
  };
  CHECK_THROWS_AS(bin_hits({exec, 10, {Axis(0., 1., 5), Axis(0., 1., 5), Axis(0., 1., 5)}}),
                  UsageError);
  CHECK_NOTHROW(bin_hits({exec, 10, {Axis(0., 1., 5), Axis(0., 1., 5)}}));

  // More bins than 32 bits count, in a batch of events that are empty
  const Bins fine(exec, 1 << 15, {Axis(0., 1., 1 << 14), Axis(0., 1., 1 << 14)});
  for (int layer = 0; layer < 2; ++layer) other.end_layer();
  upload(exec, other, hits);
  CHECK(hits.events == 2);
  CHECK_THROWS_AS(bin_hits(fine), UsageError);
}
