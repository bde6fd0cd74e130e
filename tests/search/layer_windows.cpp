// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/search/hit_windows.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <trackplex/core/launch.hpp>
#include <utility>
#include <vector>

#include "geometry/small_tracker.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::hits;
using namespace trackplex::search;

namespace {

using test::host_copy;

constexpr int n_layers = 11;
constexpr double pi = std::numbers::pi;

class Uniform {
 public:
  explicit Uniform(unsigned seed) : random_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * (double(random_() >> 11) * 0x1p-53);
  }
  int below(int n) { return int(random_() % unsigned(n)); }

 private:
  std::mt19937_64 random_;
};

/// Three events: all layers but one, no hits, and the last layer alone. Some hits are beyond the
/// edges of their modules, some far beyond, and some in one place.
HostDetectorHits hits_on_modules(const geometry::DetectorDescription& detector) {
  HostDetectorHits hits(detector);
  Uniform uniform(3);
  for (int event = 0; event < 3; ++event) {
    for (int layer = 0; layer < n_layers; ++layer) {
      if (event == 1 || (event == 0 && layer == 5) || (event == 2 && layer != 10)) continue;
      const auto& of_layer = detector.layers[std::size_t(layer)];
      for (int i = 0; i < 250; ++i) {
        const int module = of_layer.first_module + uniform.below(of_layer.n_modules);
        double half_u = 0., half_v = 0.;
        for (const auto& [u, v] : detector.modules[std::size_t(module)].bounds.outline()) {
          half_u = std::max(half_u, std::abs(u));
          half_v = std::max(half_v, std::abs(v));
        }
        const double more = i % 50 == 7 ? 20. : i % 10 == 7 ? 1.5 : 1.;
        const double u = more * half_u * uniform(-1., 1.), v = more * half_v * uniform(-1., 1.);
        for (int same = 0; same < (i % 60 == 11 ? 5 : 1); ++same) hits.add(module, u, v, 1., 1.);
      }
    }
    hits.end_event();
  }
  return hits;
}

/// Window on a layer of an event.
template <class T>
struct Asked {
  int event, layer;
  T numbers[6];  ///< of LayerWindow, without the period
};

/// Natural coordinates of a hit, and its distance from the layer as windows have it.
template <class T>
struct HitOnLayer {
  T first, second, distance;
};

template <class T>
std::vector<HitOnLayer<T>> hits_on_layers(const geometry::DetectorDescription& description,
                                          const HostDetectorHits& hits) {
  const auto detector = geometry::to_device<T>(HostExecutor(), description);
  std::vector<HitOnLayer<T>> found;
  for (std::size_t i = 0; i < hits.u.size(); ++i) {
    const geometry::Vector3<T> local{T(hits.u[i]), T(hits.v[i]), T(0)};
    const int number = hits.layer_of_module(hits.module[i]);
    const auto layer = detector.template layer<T>(number);
    const auto point = geometry::to_global(detector.template frame<T>(hits.module[i]), local);
    const auto at = layer.coordinates(point);
    const T reach = T(geometry::extents_of(description, number).reach);
    found.push_back(
        {at.first, at.second, std::clamp(layer.surface.distance(point), -reach, reach)});
  }
  return found;
}

/// Distances of a hit from the centre of a window that depends on the distance from the surface.
template <class T>
std::pair<T, T> distances(const Asked<T>& w, const HitOnLayer<T>& hit, bool is_azimuth) {
  T first = hit.first - std::fma(w.numbers[4], hit.distance, w.numbers[0]);
  const T period = T(2. * pi);
  if (is_azimuth && std::abs(first) > T(0.5) * period) first -= std::copysign(period, first);
  return {std::abs(first),
          std::abs(hit.second - std::fma(w.numbers[5], hit.distance, w.numbers[2]))};
}

/// Random windows, narrow and wide, at the seam, with and without slopes, and such that a hit is
/// right at an end.
template <class T>
std::vector<Asked<T>> random_windows(const geometry::DetectorDescription& detector,
                                     const HostDetectorHits& hits,
                                     const std::vector<HitOnLayer<T>>& on_layers, int n) {
  Uniform uniform(7);
  std::vector<Asked<T>> windows;
  for (int i = 0; i < n; ++i) {
    const int layer = uniform.below(n_layers), event = i % 5 == 0 ? uniform.below(3) : 0;
    const auto extents = geometry::extents_of(detector, layer);
    const double length = extents.second.high - extents.second.low;
    double first = uniform(extents.first.low, extents.first.high);
    double half_first = 0.1 * uniform(0., extents.first.high - extents.first.low);
    const double second =
        uniform(extents.second.low - 0.1 * length, extents.second.high + 0.1 * length);
    double half_second = uniform(0., i % 7 == 0 ? 1.5 : 0.2) * length;
    const double slope = i % 2 ? 0. : extents.is_azimuth ? 0.3 : 3.;
    if (i % 6 == 1) half_first = uniform(0., extents.is_azimuth ? 3.3 : 1e3);
    if (i % 6 == 2) first = uniform(0., 1.) < 0.5 ? uniform(3.1, 3.3) : uniform(-3.3, -3.1);
    if (i % 40 == 39) half_first = half_second = 0.;
    Asked<T> w{event,
               layer,
               {T(first), T(half_first), T(second), T(half_second), T(slope * uniform(-1., 1.)),
                T(slope * uniform(-1., 1.))}};
    const auto begin = hits.offsets[std::size_t(event * n_layers + layer)],
               end = hits.offsets[std::size_t(event * n_layers + layer + 1)];
    if (i % 3 == 2 && end > begin) {
      const auto& hit = on_layers[std::size_t(begin + uniform.below(end - begin))];
      const auto [off_first, off_second] = distances(w, hit, extents.is_azimuth);
      w.numbers[1] = off_first;
      w.numbers[3] = off_second;
    }
    windows.push_back(w);
  }
  return windows;
}

/// Writes down the places that each window's lane is shown.
template <class Real, class Space>
struct WriteDown {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  template <class Element>
  using Array = Kokkos::View<Element*, MemoryOf<Space>>;

  BinnedDetectorHits<T, MemoryOf<Space>> binned;
  Array<int> event, layer;
  Kokkos::View<T**, Kokkos::LayoutLeft, MemoryOf<Space>> numbers;
  Array<int> found;
  Kokkos::View<int**, Kokkos::LayoutRight, MemoryOf<Space>> places;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const auto number = [&](int i) { return tile.load(&numbers(0, std::size_t(i))); };
    const Integer layers = tile.template load<Integer>(layer.data());
    const LayerWindow<Real> window{number(0),
                                   number(1),
                                   number(2),
                                   number(3),
                                   number(4),
                                   number(5),
                                   binned.template first_axis<Real>(layers).period};
    const Integer events = tile.template load<Integer>(event.data());
    for_each_hit_in(binned, layers, events, window, tile.mask(),
                    [&](const Integer& place, const auto& /*hit*/, const MaskOf<Real>& inside) {
                      for (int lane = 0; lane < tile.count; ++lane) {
                        if (!extract(inside, lane)) continue;
                        const auto i = std::size_t(tile.first + lane);
                        places(i, std::size_t(found(i)++)) = int(extract(place, lane));
                      }
                    });
  }
};

/// Places that the windows are shown, one list for each.
template <int Width, class Space, class T>
std::vector<std::vector<int>> shown(const BinnedDetectorHits<T, MemoryOf<Space>>& binned,
                                    const std::vector<Asked<T>>& windows) {
  using Kernel = WriteDown<LanesOf<T, Width>, Space>;
  const Space exec;
  const std::size_t n = windows.size();
  const Kernel kernel{binned,
                      decltype(Kernel::event)("event", n),
                      decltype(Kernel::layer)("layer", n),
                      decltype(Kernel::numbers)("numbers", n, 6),
                      decltype(Kernel::found)("found", n),
                      decltype(Kernel::places)("places", n, 300)};
  const auto event = Kokkos::create_mirror_view(kernel.event),
             layer = Kokkos::create_mirror_view(kernel.layer);
  const auto numbers = Kokkos::create_mirror_view(kernel.numbers);
  for (std::size_t i = 0; i < n; ++i) {
    event(i) = windows[i].event;
    layer(i) = windows[i].layer;
    for (std::size_t k = 0; k < 6; ++k) numbers(i, k) = windows[i].numbers[k];
  }
  copy_array(exec, kernel.event, event);
  copy_array(exec, kernel.layer, layer);
  Kokkos::deep_copy(kernel.numbers, numbers);
  for_each_tile<LanesOf<T, Width>>(exec, "Trackplex::Test::layer_windows", int(n), kernel);
  exec.fence();
  const auto found = host_copy(kernel.found);
  const auto places = host_copy(kernel.places);
  std::vector<std::vector<int>> lists(n);
  for (std::size_t i = 0; i < n; ++i)
    for (int j = 0; j < found(i); ++j) lists[i].push_back(places(i, std::size_t(j)));
  return lists;
}

template <int Width, class T, class Space>
auto binned_hits(const Space& exec, const geometry::DetectorDescription& detector,
                 const HostDetectorHits& host, const std::vector<std::uint8_t>& taken,
                 const LayerAxesParams& params) {
  using Bin = BinFreeHits<T, Space, Width>;
  const auto hits = to_device<T>(exec, host);
  typename Bin::Taken flags;
  if (!taken.empty()) flags = trackplex::to_device<std::uint8_t>(exec, "taken", taken);
  typename Bin::Binned binned;
  typename Bin::Scratch scratch;
  run_algorithm(
      exec, Bin{{{geometry::to_device<T>(exec, detector), layer_axes<T>(exec, detector, params)}}},
      hits, flags, binned, scratch);
  exec.fence();
  return binned;
}

/// Each window is shown the hits that a scan finds, each of them once.
template <class T, class Binned>
void check_against_scan(const HostDetectorHits& hits, const std::vector<HitOnLayer<T>>& on_layers,
                        const Binned& binned, const std::vector<std::uint8_t>& taken,
                        const std::vector<Asked<T>>& windows,
                        const std::vector<std::vector<int>>& lists) {
  const auto index = host_copy(binned.index);
  std::size_t all = 0;
  int wrong = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto& w = windows[i];
    std::vector<int> expected, found;
    const auto at = std::size_t(w.event * n_layers + w.layer);
    for (int hit = hits.offsets[at]; hit < hits.offsets[at + 1]; ++hit) {
      const auto [first, second] = distances(w, on_layers[std::size_t(hit)], w.layer < 7);
      if (first <= w.numbers[1] && second <= w.numbers[3] &&
          (taken.empty() || taken[std::size_t(hit)] == 0))
        expected.push_back(hit);
    }
    for (const int place : lists[i]) found.push_back(index(std::size_t(place)));
    std::sort(found.begin(), found.end());
    wrong += found != expected;
    all += found.size();
  }
  CHECK(wrong == 0);
  CHECK(all > 5 * windows.size());
}

template <class Space, class T>
void check_windows() {
  const Space exec;
  const auto detector = test::small_tracker();
  const auto hits = hits_on_modules(detector);
  const auto on_layers = hits_on_layers<T>(detector, hits);
  const auto windows = random_windows<T>(detector, hits, on_layers, 1501);
  std::vector<std::uint8_t> taken(hits.u.size() + 3);
  for (std::size_t i = 0; i < taken.size(); i += 7) taken[i] = 1;
  // One bin, few rows, bins of about a hit, and bins of various numbers
  for (const auto& bins : {LayerAxesParams{{}, 1}, LayerAxesParams{{}, 12}, LayerAxesParams{},
                           LayerAxesParams{{300, 0, 20000}, 100}}) {
    const bool with_taken = bins.hits.empty();
    const auto flags = with_taken ? taken : std::vector<std::uint8_t>();
    std::vector<std::vector<int>> first;
    test::for_each_width<Space>([&]<int Width>() {
      CAPTURE(Width, bins.default_hits, bins.hits.size());
      const auto binned = binned_hits<Width, T>(exec, detector, hits, flags, bins);
      const auto lists = shown<Width, Space>(binned, windows);
      if (first.empty()) {
        check_against_scan(hits, on_layers, binned, flags, windows, lists);
        first = lists;
      }
      CHECK(lists == first);
    });
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("windows on layers hold the hits of a scan", "[search]",
                        test::EnabledSpaces) {
  check_windows<TestType, float>();
  check_windows<TestType, double>();
}

TEMPLATE_LIST_TEST_CASE("windows of no or all numbers", "[search]", test::EnabledSpaces) {
  constexpr int width = default_lane_width<TestType, float>;
  const TestType exec;
  const auto detector = test::small_tracker();
  const auto hits = hits_on_modules(detector);
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  std::vector<Asked<float>> windows;
  for (const int layer : {0, 4, 8}) {
    windows.push_back({0, layer, {0.f, inf, 0.f, inf, 0.f, 0.f}});
    windows.push_back({0, layer, {1.f, 1e30f, 1.f, 1e30f, 1.f, 1.f}});
    windows.push_back({1, layer, {0.f, inf, 0.f, inf, 0.f, 0.f}});
    for (std::size_t k = 0; k < 6; ++k) {
      windows.push_back({0, layer, {0.f, 1e4f, 0.f, 1e4f, 0.f, 0.f}});
      windows.back().numbers[k] = nan;
    }
  }
  const auto binned = binned_hits<width, float>(exec, detector, hits, {}, {});
  const auto lists = shown<width, TestType>(binned, windows);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    CAPTURE(i);
    const auto at = std::size_t(windows[i].layer);
    const auto all = std::size_t(hits.offsets[at + 1] - hits.offsets[at]);
    CHECK(lists[i].size() == (i % 9 < 2 ? all : 0));
  }
  // Without hits, and with none that is not taken
  const auto nothing =
      binned_hits<width, float>(exec, detector, HostDetectorHits(detector), {}, {});
  CHECK(nothing.events == 0);
  const std::vector<std::uint8_t> taken(hits.u.size(), 1);
  const auto none = binned_hits<width, float>(exec, detector, hits, taken, {});
  for (const auto& list : shown<width, TestType>(none, windows)) CHECK(list.empty());
}

TEST_CASE("an axis counts no bin twice, and misses none that the distance allows", "[search]") {
  Uniform uniform(11);
  const auto difference = [](float a, float b) {
    const float d = a - b, period = float(2. * pi);
    return std::abs(d) > 0.5f * period ? d - std::copysign(period, d) : d;
  };
  int missed = 0, twice = 0;
  for (int i = 0; i < 200000; ++i) {
    const int bins = 1 + uniform.below(i % 2 ? 5 : 2048);
    const LaneAxis<float> circle{float(-pi), float(bins / (2. * pi)), float(bins), float(2. * pi)};
    const float centre = float(uniform(-2. * pi, 2. * pi)), value = float(uniform(-pi, pi));
    if (std::abs(value - centre) > 3. * pi) continue;
    const float half = std::abs(difference(value, centre));
    int first = 0, count = 0;
    circle.around(centre, half, first, count);
    const int bin = circle.bin(value);
    missed += (bin - first + bins) % bins >= count;
    twice += count > bins || first < 0 || first >= bins;
    const LaneAxis<float> line{-3.f, float(bins / 6.), float(bins), 0.f};
    line.around(centre, std::abs(value - centre), first, count);
    missed += line.bin(value) < first || line.bin(value) >= first + count;
    twice += first < 0 || first + count > bins;
  }
  CHECK(missed == 0);
  CHECK(twice == 0);
  // Values far off, and what is no number
  const LaneAxis<float> circle{float(-pi), float(8. / (2. * pi)), 8.f, float(2. * pi)};
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  for (const float value : {nan, inf, -inf, 1e30f, -1e30f}) {
    CHECK(circle.bin(value) >= 0);
    CHECK(circle.bin(value) < 8);
  }
  CHECK(circle.bin(float(pi)) == circle.bin(float(-pi)));
  int first = 0, count = 0;
  circle.around(0.f, inf, first, count);
  CHECK(count == 8);
  circle.around(nan, 1.f, first, count);
  CHECK((first == 0 && count == 1));
}

TEST_CASE("axes of layers have square bins of about the area of a hit", "[search]") {
  const HostExecutor exec;
  const auto detector = test::small_tracker();
  const auto axes = layer_axes<double>(exec, detector, {{1000, 1}, 4000});
  REQUIRE(axes.layers == n_layers);
  CHECK(axes.bins_of(1) == 1);
  CHECK(axes.places_per_event == axes.tables(n_layers));
  for (const int layer : {0, 2, 5, 9}) {
    CAPTURE(layer);
    const double hits = layer == 0 ? 1000. : 4000.;
    const auto extents = geometry::extents_of(detector, layer);
    const auto first = axes.template first_axis<double>(layer),
               second = axes.template second_axis<double>(layer);
    CHECK(std::abs(axes.bins_of(layer) / hits - 1.) < 0.1);
    CHECK(first.bins * second.bins == axes.bins_of(layer));
    CHECK(first.period == (layer < 7 ? 2. * pi : 0.));
    const double across = extents.first_length / first.bins, along = 1. / second.per_width;
    CHECK(std::abs(across / along - 1.) < 0.1);
    CHECK(axes.template reach<double>(layer) == extents.reach);
  }
  // Layers without modules have bins, too.
  auto more = detector;
  geometry::Layer plane{"empty", geometry::LayerKind::plane, 90.};
  plane.normal = {0., 0., 1.};
  more.add_layer(plane);
  more.add_layer({"pipe", geometry::LayerKind::barrel, 2.});
  const auto with_empty = layer_axes<double>(exec, more);
  for (const int layer : {n_layers, n_layers + 1}) {
    CHECK(with_empty.bins_of(layer) >= 1);
    const auto first = with_empty.template first_axis<double>(layer);
    CHECK(std::isfinite(first.low + first.per_width + first.bins));
  }
}

TEST_CASE("no part of a module is further from its layer than the reach", "[search]") {
  for (const double tilt : {0., 0.1, 0.3, 0.6}) {
    geometry::DetectorBuilder builder;
    builder.barrel({.radius = 5.,
                    .half_length = 4.,
                    .n_phi = 8,
                    .tilt = tilt,
                    .stagger = tilt > 0. ? 0. : 0.4});
    auto detector = builder.build();
    detector.layers[0].position += 0.3;
    const double reach = geometry::extents_of(detector, 0).reach;
    const auto layer = geometry::lane_layer(detector, 0);
    double furthest = 0.;
    for (const auto& module : detector.modules) {
      const auto corner = module.bounds.outline().front();
      for (int i = -50; i <= 50; ++i)
        for (const double v : {-1., 0., 1.}) {
          const auto point = geometry::to_global(
              module.frame, geometry::Vector3<double>{0.02 * i * corner[0], v * corner[1], 0.});
          furthest = std::max({furthest, std::abs(layer.surface.distance(point)),
                               std::abs(detector.layers[0].distance(point))});
        }
    }
    CHECK(furthest <= reach + 1e-12);
    CHECK(furthest > 0.999 * reach);
  }
}

TEST_CASE("hits, bins and flags that do not belong together are refused", "[search]") {
  using Space = HostExecutor;
  using Bin = BinFreeHits<float, Space>;
  const Space exec;
  const auto detector = test::small_tracker();
  const auto hits = to_device<float>(exec, hits_on_modules(detector));
  Bin::Binned binned;
  Bin::Scratch scratch;
  const auto refuse = [&](const Bin& bin, const Bin::Hits& wrong, const Bin::Taken& taken,
                          const char* message) {
    test::check_refused<UsageError>(
        [&] { run_algorithm(exec, bin, wrong, taken, binned, scratch); }, message);
  };
  Bin bin{{{geometry::to_device<float>(exec, detector), layer_axes<float>(exec, detector)}}};
  auto wrong = hits;
  wrong.layers = 10;
  refuse(bin, wrong, {}, "hits, bins and detector have different layers (10, 11 and 11)");
  refuse(bin, hits, Bin::Taken("taken", 5), "there are flags of fewer hits (5 for");
  wrong = hits;
  wrong.events = std::numeric_limits<int>::max();
  refuse(bin, wrong, {}, "too many events for one batch");
  wrong = hits;
  wrong.hits = std::numeric_limits<int>::max();
  refuse(bin, wrong, {}, "too many events for one batch");
  test::check_refused<UsageError>([&] { layer_axes<float>(exec, {}); }, "has no layers");
  CHECK_NOTHROW(run_algorithm(exec, bin, hits, Bin::Taken("taken", 5000), binned, scratch));
  CHECK(binned.taken.extent(0) == 5000);
  CHECK_NOTHROW(run_algorithm(exec, static_cast<const Bin::Bin&>(bin), hits, binned, scratch));
  CHECK(binned.taken.extent(0) == 0);
}
