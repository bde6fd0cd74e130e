// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/truth_seeds.hpp>

#include <array>
#include <cmath>
#include <utility>

#include "cylinder_events.hpp"
#include "kalman/fitted_tracks.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::seeding;
using namespace trackplex::tracks;
using Catch::Matchers::WithinRel;
using P = kalman::Parameter;
using trackplex::test::cylinder_field;
using trackplex::test::CylinderEvents;

namespace {

double wrapped(double angle) { return std::remainder(angle, 2. * std::numbers::pi); }

/// Three exact points of a helix, on cylinders of these radii.
struct ExactPoints {
  kalman::SpacePoint<double> points[3];
  kalman::Parameters<double> truth[3];

  ExactPoints(const kalman::Parameters<double>& start, double charge, const double (&radii)[3]) {
    for (int i = 0; i < 3; ++i) {
      truth[i] =
          kalman::transport(start, charge, cylinder_field, kalman::Cylinder<double>{radii[i]}, 1)
              .parameters;
      points[i].position = {{truth[i](P::x), truth[i](P::y), truth[i](P::z)}};
      points[i].covariance = {{1e-4, 0., 1e-4, 0., 0., 1e-2}};
    }
  }
};

/// All events of a test on an execution space, with the tracks of all particles.
template <class T, class Space>
struct OnSpace {
  Space exec;
  hits::LayerHits<T, MemoryOf<Space>> hits;
  CylinderLayers detector;
  StartSeeds<T, MemoryOf<Space>> start;
  Seeds<T, MemoryOf<Space>> seeds;
  std::vector<std::int32_t> particles;  ///< of the seeds, counted through all events

  OnSpace(const CylinderEvents& generated, int layers) : detector(generated.detector()) {
    hits::upload(exec, generated.events.hits, hits);
    particles = truth_seeds(exec, generated.events, layers, start);
    const auto event = to_host(exec, start.hits.event);
    for (std::size_t seed = 0; seed < particles.size(); ++seed)
      particles[seed] += generated.events.particle_offsets[std::size_t(event(seed))];
  }

  /// Takes the hits of some layers from some tracks.
  template <class Wanted>
  void keep_hits(const Wanted& wanted) {
    const auto index = to_host(exec, start.hits.index);
    for (int track = 0; track < start.size(); ++track)
      for (int layer = 0; layer < start.hits.layers; ++layer)
        if (!wanted(track, layer)) index(layer * start.hits.stride() + track) = -1;
    if (index.data() == start.hits.index.data()) return;  // on a host
    deep_copy(exec, start.hits.index, index);
    exec.fence();  // the host's copy ends here
  }

  template <int Width = test::state_lanes<Space, T>>
  void fit() {
    run_algorithm(exec, FitSeeds<T, Space, kalman::UniformField, Width>{detector, cylinder_field},
                  hits, start, seeds);
  }
};

/// The pulls of fitted states on a layer, and the mean of chi2.
template <class T, class Space>
void check_fit(OnSpace<T, Space>& on, const CylinderEvents& generated, int layer, double ndf) {
  const auto states = kalman::states_on_host(on.exec, on.seeds.states);
  const auto chi2 = to_host(on.exec, on.seeds.fit.chi2);
  const auto reached = to_host(on.exec, on.seeds.fit.reached);
  validation::Pulls pulls[5];
  double sum = 0., lost = 0.;
  const int n = on.seeds.size();
  for (int track = 0; track < n; ++track) {
    if (!reached(track)) {
      ++lost;
      continue;
    }
    auto state = states[std::size_t(track)];
    const auto particle = std::size_t(on.particles[std::size_t(track)]);
    const auto& truth = generated.on_layers[particle][std::size_t(layer)];
    state.parameters(P::phi) = truth(P::phi) + wrapped(state.parameters(P::phi) - truth(P::phi));
    if (state.charge != generated.events.particles[particle].charge)
      state.parameters(P::inverse_pt) *= -1.;
    test::FittedTracks<T, Space>::add_pulls(state, truth, pulls);
    sum += double(chi2(track));
  }
  CHECK(lost == 0);
  test::check_pulls(pulls, 0.025, 0.025);
  CHECK_THAT(sum / n, WithinRel(double(ndf), 0.025));
}

}  // namespace

TEST_CASE("three points of a helix give its state", "[seeding]") {
  const double radii[3] = {4., 8., 12.}, far[3] = {8., 20., 40.};
  for (const auto& r : {radii, far})
    for (const double charge : {-1., 1.})
      for (const double inverse_pt : {0.01, 0.5, 2.})
        for (const double phi : {-3., -1.6, 0., 2.4})
          for (const double theta : {0.5, 1.57, 2.7}) {
            const double chosen[3] = {r[0], r[1], r[2]};
            const ExactPoints exact({{0.03, -0.1, 2., inverse_pt, phi, theta}}, charge, chosen);
            CAPTURE(r[0], charge, inverse_pt, phi, theta);
            for (int at = 0; at < 3; ++at) {
              StartStatesParams parameters;
              parameters.at = at;
              const auto state =
                  state_of_three_hits<double>(exact.points, cylinder_field, parameters);
              CHECK(state.charge == charge);
              for (int i = 0; i < 6; ++i) {
                const double off = state.parameters(i) - exact.truth[at](i);
                CHECK(std::fabs(i == P::phi ? wrapped(off) : off) < 2e-12);
              }
            }
          }
}

TEST_CASE("the covariance of a start is that of the hits, times the spread", "[seeding]") {
  // A straight line along x: 0.01 cm along r phi, 0.1 cm along z; the arms equal or not
  for (const auto& [l1, l2] : {std::pair(4., 4.), {2., 6.}, {6., 2.}}) {
    CAPTURE(l1, l2);
    kalman::SpacePoint<double> hits[3];
    for (int i = 0; i < 3; ++i) {
      hits[i].position = {{4. + (i > 0 ? l1 : 0.) + (i > 1 ? l2 : 0.), 0., 0.}};
      hits[i].covariance = {{1e-6, 0., 1e-4, 0., 0., 1e-2}};
    }
    const auto state =
        state_of_three_hits<double>(hits, cylinder_field, StartStatesParams{.spread = 10.});
    CHECK(state.parameters(P::inverse_pt) == 0.);
    CHECK(std::abs(state.parameters(P::phi)) < 1e-14);
    const double both = 1. / l1 + 1. / l2;
    const double curvature =
        2. * 0.01 / (l1 + l2) * std::sqrt(1. / (l1 * l1) + 1. / (l2 * l2) + both * both);
    const double per_curvature = 100. / (0.299792458 * 3.8112);
    const double mean = (l2 - l1) / 3.;
    const double sum2 = (l1 + mean) * (l1 + mean) + mean * mean + (l2 - mean) * (l2 - mean);
    const double sigma[6] = {0.01,
                             0.01,
                             0.1,
                             curvature * per_curvature,
                             std::sqrt(2.) * 0.01 / std::min(l1, l2) + std::max(l1, l2) * curvature,
                             0.1 / std::sqrt(sum2)};
    for (int i = 0; i < 6; ++i)
      CHECK_THAT(std::sqrt(state.covariance(i, i)), WithinRel(10. * sigma[i], 1e-14));
  }
}

TEST_CASE("the errors of a start are those to which errors of the hits propagate", "[seeding]") {
  constexpr double sigma = 0.002, sigma_z = 0.05, h = 1e-5;
  for (const double azimuth : {0.4, -2.1})
    for (const double cotangent : {-2., 0., 0.6})
      for (const auto& [l1, l2] : {std::pair(4., 4.), {2., 7.}}) {
        CAPTURE(azimuth, cotangent, l1, l2);
        // A straight line away from the z axis
        const double c = std::cos(azimuth), s = std::sin(azimuth);
        kalman::SpacePoint<double> hits[3];
        for (int i = 0; i < 3; ++i) {
          const double r = 4. + (i > 0 ? l1 : 0.) + (i > 1 ? l2 : 0.), v = sigma * sigma;
          hits[i].position = {{r * c, r * s, 3. + r * cotangent}};
          hits[i].covariance = {{v * s * s, -v * s * c, v * c * c, 0., 0., sigma_z * sigma_z}};
        }
        const auto signed_state = [&](int hit, double along_r_phi, double along_z) {
          kalman::SpacePoint<double> moved[3] = {hits[0], hits[1], hits[2]};
          moved[hit].position(0) -= along_r_phi * s;
          moved[hit].position(1) += along_r_phi * c;
          moved[hit].position(2) += along_z;
          auto state =
              state_of_three_hits<double>(moved, cylinder_field, StartStatesParams{.spread = 10.});
          state.parameters(P::inverse_pt) *= state.charge;
          return state;
        };
        // Of independent errors, by central differences
        const auto variance = [&](int parameter) {
          double sum = 0.;
          for (int hit = 0; hit < 3; ++hit)
            for (const auto& [across, z, of_hit] : {std::array{h, 0., sigma}, {0., h, sigma_z}}) {
              const double off = signed_state(hit, across, z).parameters(parameter) -
                                 signed_state(hit, -across, -z).parameters(parameter);
              sum += off * off * of_hit * of_hit / (4. * h * h);
            }
          return sum;
        };
        const auto covariance = signed_state(0, 0., 0.).covariance;
        for (const int exact : {P::inverse_pt, P::theta})
          CHECK_THAT(covariance(exact, exact), WithinRel(100. * variance(exact), 1e-5));
        for (const int larger : {P::x, P::y, P::z, P::phi})  // as correlations are left out
          CHECK(covariance(larger, larger) > 99.99 * variance(larger));
        CHECK(covariance(P::phi, P::phi) < 900. * variance(P::phi));
        CHECK_THAT(covariance(P::x, P::x), WithinRel(100. * sigma * sigma, 1e-9));
        CHECK_THAT(covariance(P::z, P::z), WithinRel(100. * sigma_z * sigma_z, 1e-9));
      }
}

TEST_CASE("the least precise of three hits gives the errors of a start", "[seeding]") {
  kalman::SpacePoint<double> hits[3];
  for (int worst = 0; worst < 3; ++worst) {
    CAPTURE(worst);
    for (int i = 0; i < 3; ++i) {
      const double factor = i == worst ? 9. : 1.;
      hits[i].position = {{4. + 4. * i, 0., 1.}};
      hits[i].covariance = {{1e-6, 0., 1e-4 * factor, 0., 0., 1e-2 * factor}};
    }
    const auto covariance =
        state_of_three_hits<double>(hits, cylinder_field, StartStatesParams{.spread = 10.})
            .covariance;
    CHECK_THAT(covariance(P::y, P::y), WithinRel(9e-2, 1e-12));
    CHECK_THAT(covariance(P::z, P::z), WithinRel(9., 1e-12));
  }
}

TEST_CASE("hits that coincide give no state, and no garbage", "[seeding]") {
  kalman::SpacePoint<float> hits[3];
  for (auto& hit : hits) {
    hit.position = {{4.f, 1.f, 2.f}};
    hit.covariance = {{1e-4f, 0.f, 1e-4f, 0.f, 0.f, 1e-2f}};
  }
  for (int same = 0; same < 3; ++same) {
    if (same > 0) hits[same].position(0) = 7.f + float(same);  // then a and c, then none
    const auto state = state_of_three_hits<float>(hits, cylinder_field);
    for (const float p : state.parameters.elements) CHECK(std::isfinite(p));
    for (const float c : state.covariance.elements) CHECK((same == 2 || c == 0.f));
  }
}

TEMPLATE_LIST_TEST_CASE("fits that start from three hits are not biased", "[seeding]",
                        test::EnabledSpaces) {
  constexpr int width = test::state_lanes<TestType, float>;
  const CylinderEvents generated({11000, 9000});
  SECTION("all hits") {
    OnSpace<float, TestType> on(generated, 10);
    start_states<width>(on.exec, on.hits, on.start.hits, cylinder_field, {}, on.start.states);
    on.template fit<width>();
    check_fit(on, generated, 9, 15.);
  }
  SECTION("seeds of three hits") {
    OnSpace<float, TestType> on(generated, 3);
    start_states<width>(on.exec, on.hits, on.start.hits, {0, 1, 2}, cylinder_field, {},
                        on.start.states);
    on.template fit<width>();
    check_fit(on, generated, 2, 1.);
  }
  SECTION("tracks that lack hits") {
    OnSpace<float, TestType> on(generated, 10);
    on.keep_hits([](int track, int layer) { return layer != track % 9 && layer != track % 7; });
    start_states<width>(on.exec, on.hits, on.start.hits, cylinder_field, {}, on.start.states);
    on.template fit<width>();
    check_fit(on, generated, 9, 11. + 2. / 9.);  // every ninth track lacks one layer only
  }
}

TEST_CASE("the first, the middle and the last hit are chosen", "[seeding]") {
  using Space = HostExecutor;
  const CylinderEvents generated({100});
  const auto states_with = [&](const auto& wanted, const auto&... layers) {
    OnSpace<double, Space> on(generated, 10);
    on.keep_hits(wanted);
    kalman::TrackStates<double, MemoryOf<Space>> states;
    start_states<4>(on.exec, on.hits, on.start.hits, layers..., cylinder_field, {}, states);
    return kalman::states_on_host(on.exec, states);
  };
  const auto same = [](const auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      REQUIRE(a[i].parameters.elements[3] == b[i].parameters.elements[3]);
      REQUIRE(a[i].covariance.elements[5] == b[i].covariance.elements[5]);
    }
  };
  using Layers = Kokkos::Array<int, 3>;
  const auto all = [](int, int) { return true; };
  same(states_with(all), states_with(all, Layers{0, 5, 9}));
  const auto some = [](int, int layer) { return layer == 2 || layer == 3 || layer == 8; };
  same(states_with(some), states_with(all, Layers{2, 3, 8}));
  const auto four = [](int, int layer) { return layer % 2 == 1 && layer < 9; };
  same(states_with(four), states_with(all, Layers{1, 5, 7}));
  // Too few hits
  const auto two = [](int, int layer) { return layer < 2; };
  for (const auto& states : {states_with(two), states_with(two, Layers{0, 1, 2})})
    for (const auto& state : states) {
      for (const double c : state.covariance.elements) REQUIRE(c == 0.);
      for (const double p : state.parameters.elements) REQUIRE(std::isfinite(p));
    }
}

TEMPLATE_LIST_TEST_CASE("starts and fitted seeds have the same bits with any lanes", "[seeding]",
                        test::EnabledSpaces) {
  const CylinderEvents generated({77, 0, 5});
  const auto hash = [&]<class Space, int Width>(Space, std::integral_constant<int, Width>) {
    OnSpace<float, Space> on(generated, 10);
    on.keep_hits([](int track, int layer) { return layer != track % 11; });
    start_states<Width>(on.exec, on.hits, on.start.hits, cylinder_field, {}, on.start.states);
    on.template fit<Width>();
    return test::seeds_hash(on.exec, on.seeds);
  };
  constexpr int one = test::reference_lanes<test::state_lanes<HostExecutor, float>>;
  constexpr int lanes = test::state_lanes<TestType, float>;
  CHECK(hash(TestType(), std::integral_constant<int, lanes>()) ==
        hash(HostExecutor(), std::integral_constant<int, one>()));
}
