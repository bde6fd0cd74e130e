// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/geometry/navigation.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <trackplex/core/launch.hpp>
#include <type_traits>
#include <vector>

#include "small_tracker.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::geometry;

namespace {

using test::host_copy;

constexpr int inputs = 9, numbers_out = 12;

/// Position, direction and bend of a track, drawn from the stream of its number.
template <class T>
std::vector<T> tracks(int n) {
  std::vector<T> columns(std::size_t(n) * inputs);
  for (int i = 0; i < n; ++i) {
    double u[inputs];
    for (int k = 0; k < inputs; ++k) u[k] = k < 7 ? test::even_number(i, k) : u[0] * u[1];
    const double norm = std::sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5]);
    const double row[] = {12. * u[0],  12. * u[1],  40. * u[2],  u[3] / norm, u[4] / norm,
                          u[5] / norm, 0.01 * u[6], 0.01 * u[7], 0.};
    for (int k = 0; k < inputs; ++k) columns[std::size_t(k * n + i)] = T(row[k]);
  }
  return columns;
}

/// Next layers, natural coordinates and gradients there.
template <class Real, class Space>
struct Navigate {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  Navigation<T, MemoryOf<Space>> navigation;
  Kokkos::View<const T*, MemoryOf<Space>> in;
  int n;
  Kokkos::View<T* [numbers_out], Kokkos::LayoutLeft, MemoryOf<Space>> out;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const auto vector = [&](int column) {
      const T* const p = in.data() + column * n;
      return Vector3<Real>{{tile.template load<Real>(p), tile.template load<Real>(p + n),
                            tile.template load<Real>(p + 2 * n)}};
    };
    const auto position = vector(0), direction = vector(3), bend = vector(6);
    const auto index = tile.index();
    const int layers = navigation.detector.n_layers;
    Integer layer = index;
    for (int i = 0; i < width_of<Real>; ++i) insert(layer, i, extract(index, i) % (layers + 1) - 1);
    const auto next = navigation.template next<Real>(layer, position, direction, bend, tile.mask());
    const auto at = navigation.detector.template layer<Real>(max(next.layer, Integer(0)));
    const auto place = at.coordinates(position);
    const auto gradient = at.gradients(position);
    const auto met = at.coordinates(add_scaled(position, next.path, direction));
    const auto is_hole = navigation.template is_hole<Real>(next.layer, met.first, met.second);
    const Real numbers[numbers_out] = {convert<Real>(next.layer),
                                       next.path,
                                       place.first,
                                       place.second,
                                       gradient.first(0),
                                       gradient.first(1),
                                       gradient.first(2),
                                       gradient.second(0),
                                       gradient.second(1),
                                       gradient.second(2),
                                       select(at.is_barrel, Real(1), Real(0)),
                                       select(is_hole, Real(1), Real(0))};
    for (int i = 0; i < numbers_out; ++i) tile.store(&out(0, i), numbers[i]);
  }
};

/// The first layer by trying all, with the code of scalars.
template <class T>
NextLayer<T> first_of_all(const DetectorDescription& detector, int layer, const T* in, int n,
                          T tolerance) {
  NextLayer<T> first{-1, T(0)};
  const auto vector = [&](int k) {
    return Vector3<T>{in[k * n], in[(k + 1) * n], in[(k + 2) * n]};
  };
  const auto position = vector(0), direction = vector(3), bend = vector(6);
  for (int l = 0; l < int(detector.layers.size()) && layer >= 0; ++l) {
    if (l == layer) continue;
    const auto exact = lane_layer(detector, l);
    const auto& s = exact.surface;
    const Surface<T> surface{
        T(s.curvature), {T(s.normal(0)), T(s.normal(1)), T(s.normal(2))}, T(s.offset)};
    const auto [path, reached] = surface.path(position, direction, bend);
    if (!reached || !(path > T(1e-4)) || (first.layer >= 0 && !(path < first.path))) continue;
    const auto point = add_scaled(position, path, add_scaled(direction, T(0.5) * path, bend));
    const T place =
        exact.is_barrel ? point(2) : std::sqrt(std::fma(point(0), point(0), point(1) * point(1)));
    if (place >= T(exact.low) - tolerance && place <= T(exact.high) + tolerance) first = {l, path};
  }
  return first;
}

/// Whether the place to which a straight line leads is a hole, with the code of scalars.
template <class T>
bool is_hole_at(const Navigation<T, Kokkos::HostSpace>& navigation, const NextLayer<T>& next,
                const T* in, int n) {
  const auto vector = [&](int k) {
    return Vector3<T>{in[k * n], in[(k + 1) * n], in[(k + 2) * n]};
  };
  const auto place = navigation.detector.template layer<T>(next.layer)
                         .coordinates(add_scaled(vector(0), next.path, vector(3)));
  return navigation.template is_hole<T>(next.layer, place.first, place.second);
}

template <class T>
void check_coordinates(const LaneLayer<double>& layer, const Vector3<double>& point, const T* out) {
  const auto exact = layer.coordinates(point);
  const double epsilon = 100. * double(std::numeric_limits<T>::epsilon());
  CHECK(std::abs(double(out[0]) - exact.first) < 60. * epsilon);
  CHECK(std::abs(double(out[1]) - exact.second) < 60. * epsilon);
  const double r = std::hypot(point(0), point(1));
  for (int k = 0; k < 3; ++k) {
    const double step = 1e-5 * r;
    auto up = point, down = point;
    up(k) += step;
    down(k) -= step;
    const auto above = layer.coordinates(up), below = layer.coordinates(down);
    double first = above.first - below.first;
    if (!layer.is_plane) first = std::remainder(first, 2. * std::numbers::pi);
    const double tolerance = epsilon * std::max(1., 1. / r) + 1e-6 * std::max(1., 1. / r);
    CHECK(std::abs(double(out[2 + k]) - first / (2. * step)) < tolerance);
    CHECK(std::abs(double(out[5 + k]) - (above.second - below.second) / (2. * step)) < tolerance);
  }
}

template <int Width, class Space, class T>
void check_next() {
  const Space exec;
  const auto description = test::small_tracker();
  const int layers = int(description.layers.size()), n = 2003;
  const auto navigation = geometry::to_device<T>(exec, description, test::complete_graph(layers));
  REQUIRE(navigation.max_successors == layers - 1);
  const auto host_in = tracks<T>(n);
  const auto in = trackplex::to_device<T>(exec, "in", host_in);
  using Real = LanesOf<T, Width>;
  const Kokkos::View<T* [numbers_out], Kokkos::LayoutLeft, MemoryOf<Space>> out("out",
                                                                                std::size_t(n));
  for_each_tile<Real>(exec, "Trackplex::Test::navigate", n,
                      Navigate<Real, Space>{navigation, in, n, out});
  const auto found = host_copy(out);
  const auto host = enqueue_copy<HostOf<std::decay_t<decltype(navigation)>>>(exec, navigation);
  exec.fence();
  int none = 0, wrong = 0, holes = 0;
  for (int i = 0; i < n; ++i) {
    CAPTURE(Width, i);
    const auto expected =
        first_of_all<T>(description, i % (layers + 1) - 1, &host_in[std::size_t(i)], n, T(0.5));
    T row[numbers_out];
    for (int k = 0; k < numbers_out; ++k) row[k] = found(std::size_t(i), std::size_t(k));
    wrong += row[0] != T(expected.layer) || row[1] != expected.path;  // the same bits
    none += expected.layer < 0;
    holes += row[11] == T(1);
    wrong += row[11] !=
             T(expected.layer >= 0 && is_hole_at(host, expected, &host_in[std::size_t(i)], n));
    if (i % 7 != 0) continue;
    const Vector3<double> point{double(host_in[std::size_t(i)]),
                                double(host_in[std::size_t(n + i)]),
                                double(host_in[std::size_t(2 * n + i)])};
    const auto layer = lane_layer(description, std::max(int(expected.layer), 0));
    CHECK((row[10] == T(1)) == layer.is_barrel);
    check_coordinates(layer, point, row + 2);
  }
  CHECK(wrong == 0);
  CHECK(none > n / (layers + 1));
  CHECK(none < n / 2);
  CHECK(holes > n / 10);
  CHECK(holes < n / 2);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("the next layer is the first of all that a track meets", "[geometry]",
                        test::EnabledSpaces) {
  test::for_each_width<TestType>([]<int Width>() {
    check_next<Width, TestType, float>();
    check_next<Width, TestType, double>();
  });
}

TEMPLATE_LIST_TEST_CASE("navigation is copied whole, and faults are named", "[geometry]",
                        test::EnabledSpaces) {
  const TestType exec;
  const auto description = test::small_tracker();
  LayerGraph graph{{{1}, {2, 0}, {}, {}, {3}, {6}, {}, {}, {}, {}, {}}, {}};
  const auto navigation = geometry::to_device<double>(exec, description, graph);
  const auto host = enqueue_copy<HostOf<std::decay_t<decltype(navigation)>>>(exec, navigation);
  exec.fence();
  CHECK(host.max_successors == 2);
  CHECK(host.tolerance == 0.5);
  CHECK(host.detector.n_layers == 11);
  CHECK(host.successors(0) == 1);
  CHECK(host.successors(1) == -1);
  CHECK(host.successors(2) == 0);
  CHECK(host.successors(3) == 2);
  const auto refuse = [&](const LayerGraph& wrong, const char* message) {
    test::check_refused<UsageError>([&] { geometry::to_device<float>(exec, description, wrong); },
                                    message);
  };
  refuse({}, "0 layers, the detector has 11");
  graph.successors[1] = {11};
  refuse(graph, "successors of layer 1: there is no such layer (11)");
  graph.successors[1] = {1};
  refuse(graph, "the layer is its own successor (1)");
  graph.successors[1] = {2, 0, 2};
  refuse(graph, "a layer is listed twice (2)");
  graph.successors[1] = {};
  test::check_refused<UsageError>(
      [&] { geometry::to_device<float>(exec, description, graph, {.tolerance = -1.}); },
      "the tolerance is no length");
}
