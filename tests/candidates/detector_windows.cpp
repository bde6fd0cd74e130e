// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows for hits on a module and on its neighbours, from the covariances of states.
#include <trackplex/candidates/detector_search.hpp>
#include <trackplex/core/host_executor.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "building_in_detector.hpp"

using namespace trackplex;

namespace {

using Space = HostExecutor;
using P = kalman::Parameter;
using Search =
    candidates::DetectorSearch<kalman::CentralTrack, double, MemoryOf<Space>, kalman::UniformField>;

const kalman::UniformField field_of_windows{test::building_tesla};
const candidates::DetectorSearchParams params_of_windows{.max_chi2 = 20., .window_sigmas = 4.5};
/// Hits around each state, at this number of standard deviations, and their variance, cm^2.
constexpr int sides = 24;
constexpr double distance = 4.25, variance = 1e-10;

/// A tilted plane with a module on either side, of pixels finer than what tracks move on the way
/// from one to the other; on planes, coordinates are linear.
geometry::DetectorDescription two_sheets() {
  geometry::DetectorDescription detector;
  geometry::Layer layer{"sheets", geometry::LayerKind::plane, 20.};
  layer.normal = {{0.48, 0.36, 0.8}};
  std::vector<geometry::Module> modules(2);
  for (const int side : {0, 1}) {
    auto& module = modules[std::size_t(side)];
    module.frame = {(side == 0 ? 19.4 : 20.6) * layer.normal,
                    {{0.6, -0.8, 0.}},
                    geometry::cross(layer.normal, geometry::Vector3<double>{0.6, -0.8, 0.})};
    module.bounds = geometry::Bounds::rectangle(10., 10.);
    module.pitch_u = module.pitch_v = 2e-4;
  }
  detector.add_layer(layer, modules);
  return detector;
}

/// State on a module, whose azimuth and polar angle are correlated.
struct OnModule {
  kalman::TrackState<double> state;
  int module;
  double sigma, correlation;

  OnModule(const geometry::DetectorDescription& detector, int number, RandomStream<double>& random)
      : module(number), sigma(0.003), correlation(random.uniform(-0.97, 0.97)) {
    const auto& of = detector.modules[std::size_t(number)];
    const auto at = geometry::to_global(
        of.frame, geometry::Vector3<double>{random.uniform(-4., 4.), random.uniform(-4., 4.), 0.});
    const auto n = of.frame.normal();
    const double azimuth = std::atan2(n(1), n(0)), polar = std::acos(n(2));
    state.parameters = {{at(0), at(1), at(2), 0.01, azimuth + random.uniform(-0.9, 0.9),
                         polar + random.uniform(-0.5, 0.5)}};
    for (auto& element : state.covariance.elements) element = 0.;
    for (const int i : {P::x, P::y, P::z}) state.covariance(i, i) = 1e-10;
    state.covariance(P::inverse_pt, P::inverse_pt) = 1e-6;
    state.covariance(P::phi, P::phi) = state.covariance(P::theta, P::theta) = sigma * sigma;
    state.covariance(P::theta, P::phi) = correlation * sigma * sigma;
    state.charge = random.uniform() < 0.5 ? -1. : 1.;
  }

  /// Parameters that are `distance` standard deviations away, towards a side.
  kalman::Parameters<double> at(double side) const {
    const double a = distance * std::cos(side), b = distance * std::sin(side);
    auto result = state.parameters;
    result(P::phi) += sigma * a;
    result(P::theta) += sigma * (correlation * a + std::sqrt(1. - correlation * correlation) * b);
    return result;
  }
};

}  // namespace

TEST_CASE("hits on neighbouring modules are found within the errors of directions",
          "[candidates]") {
  const auto detector = two_sheets();
  tracks::DetectorEvents events(detector);
  std::vector<OnModule> states;
  for (int n = 0; n < 600; ++n) {
    RandomStream<double> random(17, std::uint64_t(n));
    const int module = n % 2;
    states.emplace_back(detector, module, random);
    for (int side = 0; side < sides; ++side) {
      const auto parameters = states.back().at(2. * std::numbers::pi * side / sides);
      const kalman::OsculatingParabola<double> track{
          parameters, states.back().state.charge, {{0., 0., test::building_tesla}}};
      const int other = 1 - module;
      const auto crossing =
          track.measure(detector.modules[std::size_t(other)].frame, 0., 0., 1., 1.).residual;
      events.hits.add(other, -crossing(0), -crossing(1), variance, variance);
      events.particle_of_hit.push_back(-1);
    }
    events.hits.end_event();
    events.particle_offsets.push_back(0);
  }
  const test::DetectorBuildingInput<double, Space> input(detector, events, field_of_windows);
  const Search search{input.binned, input.navigation, input.field, params_of_windows, {}, 0};
  std::size_t wanted = 0, missing = 0;
  for (int n = 0; n < int(states.size()); ++n) {
    const auto& on = states[std::size_t(n)];
    // What is compatible, wherever it is
    std::vector<std::int32_t> expected, found;
    for (int place = input.hits.first(n, 0); place < input.hits.first(n, 1); ++place) {
      const auto measured = search.measure(search.parabola(on.state), place);
      if (kalman::KalmanGain(on.state.covariance, measured, true, 20.).result.updated)
        expected.push_back(place);
    }
    search.for_each_neighbouring_hit(IntegerOf<double>(0), IntegerOf<double>(n), on.state, true,
                                     [&](const auto& place, double, bool accepted) {
                                       if (accepted) found.push_back(std::int32_t(place));
                                     });
    std::ranges::sort(found);
    wanted += expected.size();
    missing += expected.size() - found.size();
  }
  CHECK(wanted > 5000);
  CHECK(missing == 0);
}

TEST_CASE("hits are found within the correlated errors of positions", "[candidates]") {
  const auto detector = two_sheets();
  tracks::DetectorEvents events(detector);
  std::vector<OnModule> states;
  constexpr double sigma = 0.05;
  for (int n = 0; n < 200; ++n) {
    RandomStream<double> random(18, std::uint64_t(n));
    auto& on = states.emplace_back(detector, n % 2, random);
    const auto& frame = detector.modules[std::size_t(on.module)].frame;
    const double turn = random.uniform(0., std::numbers::pi), narrow = random.uniform(0.02, 0.5);
    const auto along = std::cos(turn) * frame.u + std::sin(turn) * frame.v,
               across = std::cos(turn) * frame.v - std::sin(turn) * frame.u;
    for (auto& element : on.state.covariance.elements) element = 0.;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j)
        on.state.covariance(i, j) =
            sigma * sigma * (along(i) * along(j) + narrow * narrow * across(i) * across(j));
    const auto& at = on.state.parameters;
    const auto local = geometry::to_local(frame, geometry::Vector3<double>{at(0), at(1), at(2)});
    for (int side = 0; side < sides; ++side) {
      const double phase = 2. * std::numbers::pi * side / sides;
      const double a = distance * sigma * std::cos(phase),
                   b = distance * sigma * narrow * std::sin(phase);
      events.hits.add(on.module, local(0) + a * std::cos(turn) - b * std::sin(turn),
                      local(1) + a * std::sin(turn) + b * std::cos(turn), variance, variance);
      events.particle_of_hit.push_back(-1);
    }
    events.hits.end_event();
    events.particle_offsets.push_back(0);
  }
  const test::DetectorBuildingInput<double, Space> input(detector, events, field_of_windows);
  const Search search{input.binned, input.navigation, input.field, params_of_windows, {}, 0};
  for (int n = 0; n < int(states.size()); ++n) {
    int found = 0;
    search.for_each_compatible_hit(IntegerOf<double>(0), IntegerOf<double>(n),
                                   states[std::size_t(n)].state, true,
                                   [&](const auto&, double, bool accepted) { found += accepted; });
    CAPTURE(n);
    CHECK(found == sides);
  }
}
