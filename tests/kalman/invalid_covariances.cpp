// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/kalman/square_root_smoother.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "few_layers.hpp"
#include "fitted_tracks.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using namespace trackplex::test;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TrackState<double> good_state() {
  TrackState<double> state{{{0., 0., 10., 0.5, 0.2, 0.5}}, {}, 1.};
  const double sigma[6] = {0.003, 0.003, 0.1, 0.1, 0.1, 0.1};
  for (int i = 0; i < 6; ++i) state.covariance(i, i) = sigma[i] * sigma[i];
  return state;
}

/// Neither form of the update changes a state, and both say why.
template <int M, Pattern<M, 6> P>
void check_refused(const TrackState<double>& state, const Measurement<double, M, P>& measurement) {
  auto gain = state, joseph = state;
  const auto of_gain = update(gain, measurement), of_joseph = update_joseph(joseph, measurement);
  CHECK_FALSE(of_gain.updated);
  CHECK(of_gain.invalid);
  CHECK_FALSE(of_joseph.updated);
  CHECK(of_joseph.invalid);
  for (int i = 0; i < 6; ++i) {
    CHECK(gain.parameters(i) == state.parameters(i));
    CHECK(joseph.parameters(i) == state.parameters(i));
  }
  auto no_lane = state;
  CHECK_FALSE(update(no_lane, measurement, false).invalid);
}

/// Faults of a covariance, and their names.
struct Fault {
  const char* what;
  std::function<void(Covariance<double>&)> make;
};
const std::vector<Fault> faults{
    {"negative variance of x", [](auto& c) { c(0, 0) = -c(0, 0); }},
    {"negative variance of phi", [](auto& c) { c(4, 4) = -1e-9; }},
    {"NaN variance of theta", [](auto& c) { c(5, 5) = not_a_number; }},
    {"NaN covariance", [](auto& c) { c(4, 3) = not_a_number; }},
    {"correlation above 1", [](auto& c) { c(4, 0) = 1.02 * std::sqrt(c(4, 4) * c(0, 0)); }},
    {"correlation below -1", [](auto& c) { c(5, 3) = -1.5 * std::sqrt(c(5, 5) * c(3, 3)); }},
    {"covariance of no variance", [](auto& c) { c(2, 2) = 0., c(4, 2) = 1e-3; }}};

FewLayers few_layers(const TrackState<double>& start) {
  return layers_along(start, UniformField{3.8}, {3., 5., 7., 9.});
}

int number(FitStatus status) { return static_cast<int>(status); }

}  // namespace

TEST_CASE("a measurement whose covariance is none does not update", "[kalman]") {
  const auto state = good_state();
  for (const double v : {-1e-4, -1e-6, -1e-30, not_a_number}) {
    CAPTURE(v);
    check_refused(state, measure_along(1., 0., 0.01, v, state.parameters));
    check_refused(
        state, measure_on_disk(SpacePoint<double>{{{0.01, 0., 10.}}, {{1e-4, 0., v, 0., 0., 1.}}},
                               state.parameters));
    check_refused(state, measure_in_space(
                             SpacePoint<double>{{{0.01, 0., 10.}}, {{1e-4, 0., 1e-4, 0., 0., v}}},
                             state.parameters));
  }
  for (const double correlation : {1.02, -1.5, not_a_number}) {
    CAPTURE(correlation);
    check_refused(
        state, measure_on_disk(SpacePoint<double>{{{0.01, 0., 10.}},
                                                  {{1e-4, correlation * 1e-4, 1e-4, 0., 0., 1.}}},
                               state.parameters));
  }
  auto other = state;
  other.covariance(4, 4) = -other.covariance(4, 4);
  check_refused(state, measure_state(other, state.parameters, ZPlane<double>{10.}));
  // A line measures one coordinate, and exact numbers have no errors
  auto line = state, exact = state;
  CHECK(update(line, measure_on_disk(
                         SpacePoint<double>{{{0.01, 0., 10.}}, {{1e-4, 1e-4, 1e-4, 0., 0., 1.}}},
                         state.parameters))
            .updated);
  CHECK(update(exact, measure_along(1., 0., 0.01, 0., state.parameters)).updated);
}

TEST_CASE("a state whose covariance is none is not updated", "[kalman]") {
  for (const auto& fault : faults) {
    CAPTURE(fault.what);
    auto state = good_state();
    fault.make(state.covariance);
    check_refused(state, measure_along(1., 0., 0.01, 1e-4, state.parameters));
    check_refused(state, measure_along(1., 0., 0.01, 1., state.parameters));
    check_refused(state, measure_on_disk(
                             SpacePoint<double>{{{0.01, 0., 10.}}, {{1e-4, 0., 1e-4, 0., 0., 1.}}},
                             state.parameters));
  }
}

TEST_CASE("fits say what was wrong with their covariances", "[kalman]") {
  const auto start = state_at_origin(0.7);
  const auto layers = few_layers(start);
  const UniformField field{3.8};
  const auto both = [&](const auto& check, const TrackState<double>& from, const FewLayers& of) {
    auto gain = from, root = from;
    check(fit(gain, field, of), gain);
    check(square_root_fit(root, field, of), root);
  };
  both(
      [&](const auto& result, const auto&) {
        CHECK(result.reached);
        CHECK(result.status == number(FitStatus::fitted));
        CHECK(result.measurements == 8);
        CHECK(result.outliers == 0);
      },
      start, layers);
  // Layers without a hit may hold anything
  auto skipping = layers;
  skipping.layers[2].present = false;
  skipping.layers[2].hit.covariance(1, 1) = not_a_number;
  both(
      [&](const auto& result, const auto&) {
        CHECK(result.status == number(FitStatus::fitted));
        CHECK(result.measurements == 6);
        CHECK(result.outliers == 0);
      },
      start, skipping);
  for (const auto& fault : faults) {
    CAPTURE(fault.what);
    auto bad = start;
    fault.make(bad.covariance);
    both(
        [&](const auto& result, const auto&) {
          CHECK_FALSE(result.reached);
          CHECK(result.status == number(FitStatus::invalid_start));
          CHECK(result.measurements == 0);
          CHECK(result.outliers == 4);
        },
        bad, layers);
  }
  for (const double v : {-1e-2, -1e-8, not_a_number}) {
    CAPTURE(v);
    auto bad = layers;
    bad.layers[2].hit.covariance(2, 2) = v;
    auto without = layers;
    without.layers[2].present = false;
    auto expected = start;
    (void)fit(expected, field, without);
    both(
        [&](const auto& result, const auto& state) {
          CHECK(result.reached);
          CHECK(result.status == number(FitStatus::invalid_hit));
          CHECK(result.measurements == 6);
          CHECK(result.outliers == 1);
          for (int i = 0; i < 6; ++i)
            CHECK_THAT(state.parameters(i),
                       Catch::Matchers::WithinAbs(expected.parameters(i), 1e-9));
        },
        start, bad);
  }
  auto far = layers;
  far.layers.push_back({1e4});
  both([&](const auto& result,
           const auto&) { CHECK(result.status == number(FitStatus::not_reached)); },
       start, far);
  auto slow = start;
  slow.parameters(3) = 20.;
  auto state = slow;
  CHECK(fit(state, UniformField{0.},
            FewLayersInMaterial{layers_along(slow, UniformField{0.}, {3., 5., 7., 9.}),
                                {silicon, 3.}})
            .status == number(FitStatus::stopped));
}

TEST_CASE("variances that turn negative are marked, and counted", "[kalman]") {
  using Space = HostExecutor;
  constexpr int n = 200;
  // A start that knows next to nothing: more than the default form bears in single precision
  FittedTracks<float, Space> fitted(n, false);
  const auto states = fitted.states.view();
  const float wide[6] = {1e3f, 1e3f, 1e3f, 1e2f, 1e2f, 1e2f};
  for (int track = 0; track < n; ++track)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j)
        states.covariance(track, i, j) = i == j ? wide[i] * wide[i] : 0.f;
  fitted.fit<1>();
  const auto counts = count_statuses(fitted.exec, fitted.results, n);
  std::size_t negative = 0, reached = 0;
  for (int track = 0; track < n; ++track) {
    const auto covariance = fitted.state(track).covariance;
    const double largest = std::max({covariance(0, 0), covariance(1, 1), covariance(2, 2)});
    bool is_negative = false;
    for (int i = 0; i < 6; ++i)
      is_negative = is_negative || covariance(i, i) < (i < 3 ? -1e-5 * largest : 0.);
    const auto status = fitted.results.status(std::size_t(track));
    negative += is_negative;
    reached += fitted.results.reached(std::size_t(track)) != 0;
    CHECK((!is_negative || status >= number(FitStatus::invalid_covariance)));
  }
  const auto count = [&](FitStatus status) { return counts[std::size_t(number(status))]; };
  CHECK(negative > 10);
  CHECK(count(FitStatus::invalid_covariance) >= negative);
  CHECK(count(FitStatus::fitted) + count(FitStatus::invalid_covariance) == reached);
}
