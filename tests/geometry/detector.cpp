// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/core/launch.hpp>
#include <trackplex/geometry/detector.hpp>
#include <type_traits>

#include "small_detector.hpp"
#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::geometry;

namespace {

using test::host_copy;

constexpr int outputs = 16;

/// Gathers the modules with the numbers `index`, converts a point to their frames and back.
template <class Real, class Space>
struct Convert {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  Detector<T, MemoryOf<Space>> detector;
  Kokkos::View<const std::int32_t*, MemoryOf<Space>> index;
  Kokkos::View<T* [outputs], Kokkos::LayoutLeft, MemoryOf<Space>> out;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const auto module = tile.template load<Integer>(index.data());
    const auto frame = detector.template frame<Real>(module);
    const Vector3<Real> point{Real(T(1.5)), Real(T(-2.25)), Real(T(11.))};
    const auto local = to_local(frame, point);
    const auto back = to_global(frame, local);
    const auto along = frame.direction_to_global(frame.direction_to_local(point));
    const auto bounds = detector.template bounds<Real>(module);
    const auto one_if = [](const MaskOf<Real>& mask) { return select(mask, Real(1), Real(0)); };
    const auto layer = detector.template layer<Real>(
        gather<Integer>(detector.layer_of_module.data(), module, tile.mask()));
    const Real numbers[outputs] = {
        local(0),
        local(1),
        local(2),
        back(0),
        back(1),
        back(2),
        along(0),
        along(2),
        one_if(bounds.contains(Real(T(0.1)), Real(T(1.2)), Real(0))),
        one_if(bounds.contains(Real(T(1.1)), Real(T(4.2)), Real(T(0.5)))),
        detector.template radiation_lengths<Real>(module),
        detector.template thickness<Real>(module),
        layer.surface.curvature,
        layer.surface.offset,
        layer.low,
        layer.high};
    for (int i = 0; i < outputs; ++i) tile.store(&out(0, i), numbers[i]);
  }
};

template <class T>
Vector3<T> rounded(const Vector3<double>& a) {
  return {T(a(0)), T(a(1)), T(a(2))};
}

template <class T>
void check_layer_numbers(const Layer& layer, T curvature, T offset, T low, T high) {
  const bool is_barrel = layer.kind == LayerKind::barrel;
  CHECK(curvature == T(is_barrel ? 1. / layer.position : 0.));
  CHECK(offset == T(is_barrel ? layer.position / 2. : layer.position));
  CHECK(low == T(layer.low));
  CHECK(high == T(layer.high));
}

template <int Width, class Space, class T>
void check_modules() {
  const Space exec;
  const auto description = test::small_detector();
  const int n = 200, modules = int(description.modules.size());
  const auto detector = geometry::to_device<T>(exec, description);
  REQUIRE(detector.n_modules == modules);
  REQUIRE(detector.n_layers == 5);
  std::vector<int> index;
  for (int i = 0; i < n; ++i) index.push_back(i * 37 % modules);
  const auto numbers = trackplex::to_device<std::int32_t>(exec, "index", index);
  using Real = LanesOf<T, Width>;
  const Kokkos::View<T* [outputs], Kokkos::LayoutLeft, MemoryOf<Space>> out("out", std::size_t(n));
  for_each_tile<Real>(exec, "Trackplex::Test::convert", n,
                      Convert<Real, Space>{detector, numbers, out});
  const auto found = host_copy(out);
  const double epsilon = 8. * 60. * double(std::numeric_limits<T>::epsilon());
  for (int i = 0; i < n; ++i) {
    CAPTURE(Width, i);
    const auto& module = description.modules[std::size_t(index[std::size_t(i)])];
    const auto at = [&](int k) { return found(std::size_t(i), std::size_t(k)); };
    const auto local = to_local(module.frame, {1.5, -2.25, 11.});
    const Frame<T> frame{rounded<T>(module.frame.centre), rounded<T>(module.frame.u),
                         rounded<T>(module.frame.v)};
    const auto same = to_local(frame, {T(1.5), T(-2.25), T(11.)});
    CHECK((at(0) == same(0) && at(1) == same(1) && at(2) == same(2)));  // the same bits
    CHECK(std::abs(double(at(0)) - local(0)) < epsilon);
    CHECK(std::abs(double(at(1)) - local(1)) < epsilon);
    CHECK(std::abs(double(at(2)) - local(2)) < epsilon);
    CHECK(std::abs(double(at(3)) - 1.5) < epsilon);
    CHECK(std::abs(double(at(4)) + 2.25) < epsilon);
    CHECK(std::abs(double(at(5)) - 11.) < epsilon);
    CHECK(std::abs(double(at(6)) - 1.5) < epsilon);
    CHECK(std::abs(double(at(7)) - 11.) < epsilon);
    CHECK(at(8) == T(module.bounds.contains(0.1, 1.2)));
    CHECK(at(9) == T(module.bounds.contains(1.1, 4.2, 0.5)));
    CHECK(at(10) == T(module.radiation_lengths));
    CHECK(at(11) == T(module.thickness));
    check_layer_numbers(description.layers[std::size_t(module.layer)], at(12), at(13), at(14),
                        at(15));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("kernels gather modules and layers by number", "[geometry]",
                        test::EnabledSpaces) {
  test::for_each_width<TestType>([]<int Width>() {
    check_modules<Width, TestType, float>();
    check_modules<Width, TestType, double>();
  });
}

TEMPLATE_LIST_TEST_CASE("detectors are copied whole", "[geometry]", test::EnabledSpaces) {
  const TestType exec;
  const auto description = test::small_detector();
  const auto detector = geometry::to_device<double>(exec, description);
  const auto host = enqueue_copy<HostOf<std::decay_t<decltype(detector)>>>(exec, detector);
  exec.fence();
  REQUIRE(host.n_layers == 5);
  CHECK(host.first_module(0) == 0);
  CHECK(host.first_module(2) == 70);
  CHECK(host.first_module(5) == 117);
  CHECK(host.layer_of_module(116) == 4);
  const auto& last = description.modules.back().frame;
  CHECK(host.modules(4 * 116).x == last.centre(0));
  CHECK(host.modules(4 * 116 + 2).z == last.v(2));
  CHECK(host.layers(3 * 4).x == description.layers[4].normal(0));
  CHECK(host.layers(3 * 2).z == 1.);
  CHECK(host.layers(1).w == 0.0023);
  CHECK(host.layers(2).w == double(int(LayerKind::barrel)));
  CHECK(host.layers(3 * 4 + 2).w == double(int(LayerKind::plane)));
  CHECK(geometry::to_device<float>(exec, DetectorDescription()).n_modules == 0);
  auto broken = description;
  broken.modules[3].layer = 99;
  test::check_refused<UsageError>([&] { geometry::to_device<float>(exec, broken); },
                                  "module 3: its layer has another number");
}
