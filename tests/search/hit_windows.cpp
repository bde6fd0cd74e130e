// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/search/hit_windows.hpp>

#include "layers_with_hits.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::hits;
using namespace trackplex::search;

namespace {

/// One window in one event.
struct Asked {
  int event;
  double phi, half_phi, along, half_along;
};

using test::host_copy;

/// Writes down the places that each window's lane is shown.
template <class Real, class Space, class Binned>
struct WriteDown {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  template <class Element>
  using Array = Kokkos::View<Element*, typename Space::memory_space>;

  Binned binned;
  int layer;
  Array<int> event, found, wrong_records;
  Array<T> phi, half_phi, along, half_along;
  Kokkos::View<int**, Kokkos::LayoutRight, typename Space::memory_space> places;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const HitWindow<Real> window{tile.load(phi.data()), tile.load(half_phi.data()),
                                 tile.load(along.data()), tile.load(half_along.data())};
    const Integer events = tile.template load<Integer>(event.data());
    for_each_hit_in(binned, layer, events, window, tile.mask(),
                    [&](const Integer& place, const auto& hit, const MaskOf<Real>& inside) {
                      for (int lane = 0; lane < tile.count; ++lane) {
                        if (!extract(inside, lane)) continue;
                        const int i = tile.first + lane, at = int(extract(place, lane));
                        places(i, found(i)++) = at;
                        const auto& record = binned.records(std::size_t(at) * 3);
                        if (record.x != extract(hit.x, lane) || record.y != extract(hit.y, lane) ||
                            record.z != extract(hit.z, lane) || record.w != extract(hit.w, lane))
                          ++wrong_records(0);
                      }
                    });
  }
};

/// The places that the windows are shown, one list for each.
template <int Width, class T, class Space, class Binned>
std::vector<std::vector<int>> shown(const Binned& binned, int layer,
                                    const std::vector<Asked>& windows) {
  const Space exec;
  using Kernel = WriteDown<LanesOf<T, Width>, Space, Binned>;
  const std::size_t n = windows.size();
  using Integers = Kokkos::View<int*, typename Space::memory_space>;
  using Reals = Kokkos::View<T*, typename Space::memory_space>;
  const Kernel kernel{binned,
                      layer,
                      Integers("event", n),
                      Integers("found", n),
                      Integers("wrong_records", 1),
                      Reals("phi", n),
                      Reals("half_phi", n),
                      Reals("along", n),
                      Reals("half_along", n),
                      decltype(Kernel::places)("places", n, 1000)};
  const auto fill = [&](const auto& view, const auto& value) {
    const auto mirror = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < windows.size(); ++i) mirror(i) = value(windows[i]);
    copy_array(exec, view, mirror);
    exec.fence();
  };
  fill(kernel.event, [](const Asked& w) { return w.event; });
  fill(kernel.phi, [](const Asked& w) { return T(w.phi); });
  fill(kernel.half_phi, [](const Asked& w) { return T(w.half_phi); });
  fill(kernel.along, [](const Asked& w) { return T(w.along); });
  fill(kernel.half_along, [](const Asked& w) { return T(w.half_along); });
  for_each_tile<LanesOf<T, Width>>(exec, "Trackplex::Test::windows", int(n), kernel);
  exec.fence();
  CHECK(host_copy(kernel.wrong_records)(0) == 0);
  const auto found = host_copy(kernel.found);
  const auto places = host_copy(kernel.places);
  std::vector<std::vector<int>> lists(windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (int j = 0; j < found(i); ++j) lists[i].push_back(places(i, std::size_t(j)));
  return lists;
}

/// Random windows, narrow and wide, at the seam, and such that a hit is right at an end.
template <class T, class Coordinate>
std::vector<Asked> random_windows(const HostLayerHits<T>& hits, int layer, double half_length,
                                  const histogram::WrappedAxis<T>& azimuth, int n) {
  std::mt19937_64 random(unsigned(layer) + 17);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (double(random() >> 11) * 0x1p-53);
  };
  const double pi = std::numbers::pi;
  std::vector<Asked> windows;
  for (int i = 0; i < n; ++i) {
    Asked w{int(random() % 3), uniform(-pi, pi), uniform(0., 0.1), uniform(-1., 1.) * half_length,
            uniform(0., 0.2) * half_length};
    if (i % 5 == 1) w.half_phi = uniform(0., 3.14);
    if (i % 5 == 2) w.phi = uniform(0., 1.) < 0.5 ? uniform(3.1, pi) : uniform(-pi, -3.1);
    if (i % 7 == 0) w.half_along = 3. * half_length;
    if (i % 50 == 0) w = {w.event, w.phi, 0., w.along, 0.};
    const int in_layer = hits.size(w.event, layer);
    if (i % 5 == 3 && in_layer > 0) {
      // Of the numbers that the kernel works with, not of their values in double precision
      const auto first = std::size_t(hits.offsets[std::size_t(w.event * 4 + layer)]);
      const int last_few = i % 2 ? in_layer : 11;  // these are at the edges of bins
      const auto hit = first + std::size_t(in_layer - 1 - int(random() % unsigned(last_few)));
      const T phi = trackplex::atan2(hits.y[hit], hits.x[hit]);
      const T along = Coordinate::of(hits.x[hit], hits.y[hit], hits.z[hit]);
      w.half_phi = double(std::abs(azimuth.difference(phi, T(w.phi))));
      w.half_along = double(std::abs(along - T(w.along)));
    }
    windows.push_back(w);
  }
  return windows;
}

template <class T, class Coordinate, class Binned>
void check_against_scan(const HostLayerHits<T>& hits, const Binned& binned, int layer,
                        const std::vector<Asked>& windows,
                        const std::vector<std::vector<int>>& lists) {
  const auto index = host_copy(binned.index);
  const int azimuths = binned.azimuth.bins();
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Asked& w = windows[i];
    CAPTURE(i, layer, w.event, w.phi, w.half_phi, w.along, w.half_along);
    const int first = hits.offsets[std::size_t(w.event * 4 + layer)];
    std::vector<int> expected, found;
    for (int hit = 0; hit < hits.size(w.event, layer); ++hit) {
      const auto at = std::size_t(first + hit);
      const T phi = trackplex::atan2(hits.y[at], hits.x[at]);
      const T along = Coordinate::of(hits.x[at], hits.y[at], hits.z[at]);
      T d = phi - T(w.phi);
      if (d > std::numbers::pi_v<T>) d -= T(2 * std::numbers::pi);
      if (d < -std::numbers::pi_v<T>) d += T(2 * std::numbers::pi);
      if (std::abs(d) <= T(w.half_phi) && std::abs(along - T(w.along)) <= T(w.half_along))
        expected.push_back(hit);
    }
    // Azimuth by azimuth, and in each in the order of places
    const int first_row = int(binned.azimuth.around(T(w.phi), T(w.half_phi)).first);
    std::pair<int, int> before{-1, -1};
    for (const int place : lists[i]) {
      REQUIRE((place >= first && place < first + hits.size(w.event, layer)));
      found.push_back(index(std::size_t(place)));
      const auto at = std::size_t(first + found.back());
      const int row = int(binned.azimuth.bin(trackplex::atan2(hits.y[at], hits.x[at])));
      const std::pair<int, int> now{(row - first_row + azimuths) % azimuths, place};
      REQUIRE(before < now);
      before = now;
    }
    std::sort(found.begin(), found.end());
    REQUIRE(found == expected);
  }
}

template <class Space, class T, class Coordinate, class Axis>
void check_windows(const std::vector<Axis>& axes, double half_length) {
  const Space exec;
  const auto host = test::layers_with_hits<T>();
  LayerHits<T, MemoryOf<Space>> hits;
  upload(exec, host, hits);
  for (const int azimuth_bins : {1, 3, 400}) {
    using Binned = BinnedHits<T, MemoryOf<Space>, Coordinate, Axis>;
    using Algorithm = BinHits<T, Space, Binned>;
    Binned binned;
    typename Algorithm::Scratch scratch;
    run_algorithm(exec, Algorithm{{exec, azimuth_bins, axes}}, hits, binned, scratch);
    exec.fence();
    for (int layer = 0; layer < 4; ++layer) {
      CAPTURE(azimuth_bins, layer);
      const auto windows =
          random_windows<T, Coordinate>(host, layer, half_length, binned.azimuth, 121);
      const auto lists = shown<1, T, Space>(binned, layer, windows);
      check_against_scan<T, Coordinate>(host, binned, layer, windows, lists);
      std::size_t all = 0;
      for (const auto& list : lists) all += list.size();
      CHECK(all > 200);
      if constexpr (is_host_space<Space>) {
        CHECK(shown<default_lane_width<Space, T>, T, Space>(binned, layer, windows) == lists);
      }
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("windows along z hold the hits of a scan", "[search]",
                        test::EnabledSpaces) {
  check_windows<TestType, float, AlongZ>(test::regular_axes<float>(12.), 12.);
  std::vector<Kokkos::View<double*, typename TestType::memory_space>> memory;
  check_windows<TestType, double, AlongZ>(test::variable_axes<double, TestType>(12., memory), 12.);
}

TEMPLATE_LIST_TEST_CASE("windows along the pseudorapidity hold the hits of a scan", "[search]",
                        test::EnabledSpaces) {
  std::vector<Kokkos::View<float*, typename TestType::memory_space>> memory;
  check_windows<TestType, float, AlongEta>(test::variable_axes<float, TestType>(1.5, memory), 1.5);
}

TEST_CASE("a hit on the edge of a bin is in the window that ends at it", "[search]") {
  using Space = HostExecutor;
  const Space exec;
  HostLayerHits<float> host(1);
  host.add(4.f, 0.f, 3.f, {});
  host.end_layer();
  LayerHits<float, MemoryOf<Space>> hits;
  upload(exec, host, hits);
  BinnedHits<float, MemoryOf<Space>> binned;
  using Algorithm = BinHits<float, Space, BinnedHits<float, MemoryOf<Space>>>;
  Algorithm::Scratch scratch;
  const histogram::RegularAxis<float> axis(0., 12., 12);
  run_algorithm(exec, Algorithm{{exec, 4, {axis}}}, hits, binned, scratch);
  exec.fence();
  // The sum of center and half width is rounded to below the hit, its distance to the half width
  const float center = -6.f - 0x1p-21f, half = 9.f;
  REQUIRE(3.f - center <= half);
  REQUIRE(axis.bin(center + half) < axis.bin(3.f));
  CHECK(shown<1, float, Space>(binned, 0, {{0, 0., 0.1, center, half}})[0].size() == 1);
}

TEST_CASE("lanes that are masked out see no hits", "[search]") {
  using Space = HostExecutor;
  using Real = LanesOf<float, 8>;
  using Integer = IntegerOf<Real>;
  const Space exec;
  const auto host = test::layers_with_hits<float>();
  LayerHits<float, MemoryOf<Space>> hits;
  upload(exec, host, hits);
  BinnedHits<float, MemoryOf<Space>> binned;
  BinHits<float, Space>::Scratch scratch;
  run_algorithm(exec, BinHits<float, Space>{{exec, 40, test::regular_axes<float>(12.)}}, hits,
                binned, scratch);
  exec.fence();
  const HitWindow<Real> window{Real(0.f), Real(3.1f), Real(0.f), Real(12.f)};
  int inside_set = 0, inside_other = 0, calls = 0;
  const auto odd = (lane_index<Integer>() & Integer(1)) == Integer(1);
  const auto visit = [&](const Integer&, const auto&, const MaskOf<Real>& inside) {
    ++calls;
    for (int lane = 0; lane < 8; ++lane)
      (lane % 2 ? inside_set : inside_other) += extract(inside, lane);
  };
  for_each_hit_in(binned, 0, Integer(0), window, MaskOf<Real>(odd), visit);
  CHECK(inside_set > 400);
  CHECK(inside_other == 0);
  calls = 0;
  for_each_hit_in(binned, 0, Integer(0), window, MaskOf<Real>(false), visit);
  for_each_hit_in(binned, 1, Integer(1), window, MaskOf<Real>(true), visit);  // an empty layer
  CHECK(calls == 0);
  // What is not a number is nowhere.
  const Real nan(std::numeric_limits<float>::quiet_NaN());
  inside_set = inside_other = 0;
  for (const auto& w : {HitWindow<Real>{nan, Real(1.f), Real(0.f), Real(12.f)},
                        HitWindow<Real>{Real(0.f), nan, Real(0.f), Real(12.f)},
                        HitWindow<Real>{Real(0.f), Real(1.f), nan, Real(12.f)},
                        HitWindow<Real>{Real(0.f), Real(1.f), Real(0.f), nan}})
    for_each_hit_in(binned, 0, Integer(0), w, MaskOf<Real>(true), visit);
  CHECK(inside_set + inside_other == 0);
}
