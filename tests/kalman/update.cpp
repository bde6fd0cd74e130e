// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/kalman/update.hpp>

#include "differences.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using trackplex::test::Uniform;

namespace {

template <int N>
Symmetric<double, N> random_covariance(Uniform& uniform, double size) {
  Matrix<double, N, N> root;
  for (auto& element : root.elements) element = uniform(-size, size);
  return symmetric_product(root, transposed(root));
}

TrackState<double> random_state(Uniform& uniform) {
  TrackState<double> state;
  state.parameters = {{uniform(-30., 30.), uniform(-30., 30.), uniform(-20., 20.), uniform(0.1, 2.),
                       uniform(-3., 3.), uniform(0.3, 2.8)}};
  state.covariance = random_covariance<6>(uniform, 0.3);
  state.charge = 1.;
  return state;
}

SpacePoint<double> hit_near(const TrackState<double>& state, Uniform& uniform) {
  SpacePoint<double> hit;
  for (int i = 0; i < 3; ++i) hit.position(i) = state.parameters(i) + uniform(-0.2, 0.2);
  hit.covariance = random_covariance<3>(uniform, 0.1);
  return hit;
}

/// What least squares say: the weights of state and measurement add up.
template <int M, Pattern<M, 6> P>
TrackState<double> least_squares(const TrackState<double>& state,
                                 const Measurement<double, M, P>& m) {
  Symmetric<double, 6> weight{}, covariance{};
  REQUIRE(Cholesky<double, 6>(state.covariance).invert(weight));
  Symmetric<double, M> noise{};
  REQUIRE(Cholesky<double, M>(m.covariance).invert(noise));
  add_similarity(weight, transposed(as<Matrix<double, M, 6>>(m.projection)), noise);
  REQUIRE(Cholesky<double, 6>(weight).invert(covariance));
  TrackState<double> result = state;
  result.covariance = covariance;
  const auto pull =
      as<Vector<double, 6>>(covariance * (transposed(m.projection) * (noise * m.residual)));
  for (int i = 0; i < 6; ++i) result.parameters(i) += pull(i);
  return result;
}

void check_equal(const TrackState<double>& a, const TrackState<double>& b, double tolerance) {
  for (int i = 0; i < 6; ++i)
    REQUIRE(a.parameters(i) == Catch::Approx(b.parameters(i)).epsilon(tolerance).margin(tolerance));
  for (int e = 0; e < 21; ++e)
    REQUIRE(a.covariance.elements[e] ==
            Catch::Approx(b.covariance.elements[e]).epsilon(tolerance).margin(tolerance));
}

template <class Measure>
void check_measurement(unsigned seed, const Measure& measure) {
  Uniform uniform(seed);
  for (int n = 0; n < 100; ++n) {
    const auto state = random_state(uniform);
    const auto m = measure(hit_near(state, uniform), state.parameters);
    const auto expected = least_squares(state, m);
    auto gain = state, joseph = state;
    const auto result = update(gain, m);
    const auto also = update_joseph(joseph, m);
    REQUIRE(result.updated);
    check_equal(gain, expected, 1e-6);
    check_equal(joseph, expected, 1e-6);
    // chi2 is the sum of both pulls
    REQUIRE(result.chi2 == chi2(state, m));
    REQUIRE(result.chi2 == also.chi2);
    Symmetric<double, 6> weight{};
    REQUIRE(Cholesky<double, 6>(state.covariance).invert(weight));
    Symmetric<double, std::decay_t<decltype(m)>::dimension> noise{};
    REQUIRE(Cholesky<double, std::decay_t<decltype(m)>::dimension>(m.covariance).invert(noise));
    Vector<double, 6> moved;
    for (int i = 0; i < 6; ++i) moved(i) = gain.parameters(i) - state.parameters(i);
    auto left = m.residual;
    subtract_product(left, m.projection, moved);
    const double both = similarity(transposed(moved), weight).elements[0] +
                        similarity(transposed(left), noise).elements[0];
    REQUIRE(result.chi2 == Catch::Approx(both).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("updates with one, two and three dimensions are least squares", "[kalman]") {
  check_measurement(1, [](const auto& hit, const auto& at) { return measure_in_space(hit, at); });
  check_measurement(2, [](const auto& hit, const auto& at) { return measure_on_disk(hit, at); });
  check_measurement(3,
                    [](const auto& hit, const auto& at) { return measure_on_cylinder(hit, at); });
  check_measurement(4, [](const auto& hit, const auto& at) {
    return measure_along(0.6, 0.8, 0.6 * hit.position(0) + 0.8 * hit.position(1), 0.01, at);
  });
}

TEST_CASE("updates commute", "[kalman]") {
  Uniform uniform(5);
  auto state = random_state(uniform);
  const auto start = state.parameters;
  const auto first = hit_near(state, uniform), second = hit_near(state, uniform);
  const auto strip = [&](const Parameters<double>& at) {
    return measure_along(0.6, 0.8, 0.6 * first.position(0) + 0.8 * first.position(1), 0.01, at);
  };
  auto other = state;
  update(state, measure_in_space(second, state.parameters));
  update(state, strip(state.parameters));
  update(other, strip(other.parameters));
  update(other, measure_in_space(second, other.parameters));
  check_equal(state, other, 1e-8);
  CHECK(state.parameters(3) != start(3));
}

TEST_CASE("a measurement with the largest chi2 that is allowed is used", "[kalman]") {
  Uniform uniform(7);
  const auto start = random_state(uniform);
  const auto m = measure_on_disk(hit_near(start, uniform), start.parameters);
  const double limit = chi2(start, m);
  auto state = start;
  CHECK_FALSE(update(state, m, true, std::nextafter(limit, 0.)).updated);
  CHECK(update(state, m, true, limit).updated);
}

TEST_CASE("lanes are left alone that are masked, far away or singular", "[kalman]") {
  using Real = Lanes<double, 4>;
  Uniform uniform(6);
  const auto scalar = random_state(uniform);
  auto hit = hit_near(scalar, uniform);
  TrackState<Real> state;
  for (int i = 0; i < 6; ++i) state.parameters(i) = Real(scalar.parameters(i));
  for (int e = 0; e < 21; ++e) state.covariance.elements[e] = Real(scalar.covariance.elements[e]);
  state.charge = Real(1.);
  SpacePoint<Real> hits;
  for (int i = 0; i < 3; ++i) hits.position(i) = Real(hit.position(i));
  for (int e = 0; e < 6; ++e) hits.covariance.elements[e] = Real(hit.covariance.elements[e]);
  insert(hits.position(0), 1, hit.position(0) + 100.);                       // far away
  insert(hits.position(1), 2, std::numeric_limits<double>::quiet_NaN());     // masked
  for (int e = 0; e < 6; ++e) insert(hits.covariance.elements[e], 3, 0.);    // singular ...
  for (int e = 0; e < 21; ++e) insert(state.covariance.elements[e], 3, 0.);  // ... with the state
  const auto before = state;
  const auto lane_index_of = lane_index<IntegerOf<Real>>();
  const auto result = update(state, measure_on_disk(hits, state.parameters),
                             lane_index_of != IntegerOf<Real>(2), Real(100.));
  CHECK(bits_of(result.updated) == 1u);
  for (int lane = 1; lane < 4; ++lane) {
    CAPTURE(lane);
    for (int i = 0; i < 6; ++i)
      CHECK(extract(state.parameters(i), lane) == extract(before.parameters(i), lane));
    for (int e = 0; e < 21; ++e)
      CHECK(extract(state.covariance.elements[e], lane) ==
            extract(before.covariance.elements[e], lane));
  }
  // What a lane without a hit holds does not matter: a cylinder has no tangent at its axis.
  auto masked = scalar, also = scalar;
  const SpacePoint<double> nowhere{};
  update(masked, measure_on_cylinder(nowhere, scalar.parameters), false);
  update_joseph(also, measure_on_cylinder(nowhere, scalar.parameters), false);
  for (int i = 0; i < 6; ++i) CHECK(masked.parameters(i) == scalar.parameters(i));
  for (int e = 0; e < 21; ++e) {
    CHECK(masked.covariance.elements[e] == scalar.covariance.elements[e]);
    CHECK(also.covariance.elements[e] == scalar.covariance.elements[e]);
  }
  auto alone = scalar;
  update(alone, measure_on_disk(hit, alone.parameters));
  for (int i = 0; i < 6; ++i) CHECK(extract(state.parameters(i), 0) == alone.parameters(i));
}
