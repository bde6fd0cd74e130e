// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_module_measurements.hpp>

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <utility>

#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::kalman;

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Hits = HostModuleMeasurements<float, MemoryOf<Space>>;

ModuleHit<double> hit(int dimension) {
  return {{{1., 2., 3.}}, {{0., 1., 0.}}, {{0., 0., 1.}}, {{4., 0.5, 9.}}, dimension};
}

}  // namespace

TEST_CASE("Hits of modules set on the host arrive on the device", "[kalman]") {
  Hits host(3, 2, true);
  host.set(0, 1, hit(2), 0.01, 2e-5);
  host.set(2, 1, hit(1));
  const Space exec;
  const auto hits = to_device(exec, host);
  CHECK((hits.layers == 3 && hits.tracks == 2));
  CHECK_NOTHROW(hits.view());
  const auto count = to_host(exec, hits.count);
  const int first = 1, last = 2 * hits.stride() + 1;
  CHECK((count(first) == 2 && count(last) == 1 && count(0) == 0));
  const auto axes = to_host(exec, hits.axes);
  const auto covariance = to_host(exec, hits.covariance);
  const auto material = to_host(exec, hits.material);
  CHECK(axes.const_view()(first, 0, 1) == 1.f);
  CHECK(axes.const_view()(0, 0, 1) == 0.f);  // not set: no layer of track 0
  CHECK(covariance.const_view()(first, 1, 1) == 9.f);
  CHECK(covariance.const_view()(last, 1, 1) == 1.f);  // not measured
  CHECK(material.const_view()(first, 1) == 2e-5f);
}

TEST_CASE("Hits of modules that cannot be", "[kalman]") {
  Hits hits(3, 2);
  const auto refuse = [&](int layer, int track, const ModuleHit<double>& h,
                          double radiation_lengths, const char* problem) {
    test::check_refused<UsageError>([&] { hits.set(layer, track, h, radiation_lengths); }, problem);
  };
  refuse(3, 0, hit(2), 0., "hit of track 0 on layer 3: there is no such layer or track");
  refuse(0, -1, hit(2), 0., "there is no such layer or track");
  refuse(0, 0, hit(3), 0., "it has more coordinates than these hits");
  refuse(0, 0, hit(2), 0.01, "these hits have no material");
  auto long_axis = hit(2), tilted = hit(2);
  long_axis.u = {{0., 1.1, 0.}};
  tilted.v = {{0., 0.6, 0.8}};
  refuse(0, 0, long_axis, 0., "its axes are no unit vectors at right angles");
  refuse(0, 0, tilted, 0., "its axes are no unit vectors at right angles");
  CHECK_NOTHROW(hits.set(2, 1, hit(0)));
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  for (const Symmetric<double, 2>& none : {Symmetric<double, 2>{{-1e-4, 0., 1.}},
                                           {{1., 0., -1.}},
                                           {{1., 1.001, 1.}},
                                           {{nan, 0., 1.}},
                                           {{1., nan, 1.}},
                                           {{1., 0., infinity}}}) {
    auto bad = hit(2);
    bad.covariance = none;
    refuse(0, 0, bad, 0., "its covariance is none");
  }
  for (const double none : {nan, infinity}) {
    auto nowhere = hit(0);
    nowhere.point(2) = none;
    refuse(0, 0, nowhere, 0., "its point is not finite");
  }
  Hits in_material(3, 2, true);
  for (const double none : {nan, infinity, -1e-3})
    for (auto* of : {&hits, &in_material}) {
      const char* problem = "the thickness of its module is below zero or not finite";
      test::check_refused<UsageError>([&] { of->set(0, 0, hit(2), none, 1e-5); }, problem);
      test::check_refused<UsageError>([&] { of->set(0, 0, hit(2), 0.01, none); }, problem);
    }
  auto strip = hit(1);
  strip.covariance(1, 1) = nan;  // not measured
  CHECK_NOTHROW(hits.set(0, 0, strip));
  auto of_a_line = hit(2);
  of_a_line.covariance = {{0.5, 0.5, 0.5}};
  CHECK_NOTHROW(hits.set(0, 0, of_a_line));
  HostModuleMeasurements<float, MemoryOf<Space>, 3> points(1, 1);
  ModuleHit<double, 3> point{{{1., 2., 3.}}, {{0., 1., 0.}}, {{0., 0., 1.}}, {}, 3};
  point.covariance = {{1., 0.9, 1., 0.9, -0.9, 1.}};  // each pair is possible
  test::check_refused<UsageError>([&] { points.set(0, 0, point); }, "its covariance is none");
  point.covariance(2, 1) = 0.9;
  CHECK_NOTHROW(points.set(0, 0, point));
}

TEST_CASE("More hits than can be numbered are refused before they are allocated", "[kalman]") {
  const Space exec;
  CylinderMeasurements<float, MemoryOf<Space>> cylinders;
  ModuleMeasurements<float, MemoryOf<Space>> modules;
  SmoothedTracks<float, MemoryOf<Space>> smoothed;
  // 2^32 + 2^20 items are 2^20 to an int
  for (const auto& shape : {std::pair(65536 + 16, 65536), {1, 2147483647}}) {
    const int layers = shape.first, tracks = shape.second;  // clang 14 captures no bindings
    const char* problem = "items, one for each layer of each track do not fit (capacity 2147483647";
    test::check_refused<CapacityError>([&] { Hits hits(layers, tracks); }, problem);
    test::check_refused<CapacityError>([&] { cylinders.allocate(exec, layers, tracks); }, problem);
    test::check_refused<CapacityError>([&] { modules.allocate(exec, layers, tracks); }, problem);
    test::check_refused<CapacityError>([&] { smoothed.allocate(exec, layers, tracks); }, problem);
  }
  for (const auto& shape : {std::pair(-1, -200), {3, -1}, {-1, 3}}) {
    const int layers = shape.first, tracks = shape.second;  // clang 14 captures no bindings
    const char* problem = "a number of layers or tracks is below zero";
    test::check_refused<UsageError>([&] { Hits hits(layers, tracks); }, problem);
    test::check_refused<UsageError>([&] { cylinders.allocate(exec, layers, tracks); }, problem);
    test::check_refused<UsageError>([&] { modules.allocate(exec, layers, tracks); }, problem);
    test::check_refused<UsageError>([&] { smoothed.allocate(exec, layers, tracks); }, problem);
  }
  CHECK((cylinders.layers == 0 && modules.tracks == 0));
}
