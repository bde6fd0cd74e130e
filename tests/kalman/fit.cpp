// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>
#include <trackplex/validation/chi2.hpp>

#include "fitted_tracks.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using trackplex::test::check_pulls;
using trackplex::test::FittedTracks;

namespace {

/// The pulls of the state at the last layer, in the coordinates of the cylinder there, and whether
/// the probabilities of chi2 are flat.
template <class T, class Space, int Width>
void check_fit(bool material) {
  const int tracks = 100000;
  CAPTURE(material, Width, sizeof(T));
  FittedTracks<T, Space> fitted(tracks, material);
  fitted.template fit<Width>();
  validation::Pulls pulls[5];
  int tenths[10] = {}, good = 0;
  for (int track = 0; track < tracks; ++track) {
    if (!fitted.good(track)) continue;
    ++good;
    fitted.add_pulls(fitted.state(track), fitted.truth(9, track), pulls);
    const double p = validation::chi2_p_value(double(fitted.results.chi2(track)),
                                              double(fitted.results.measurements(track)));
    ++tenths[std::min(int(10. * p), 9)];
    REQUIRE(fitted.results.measurements(track) == 20);
    REQUIRE(fitted.results.outliers(track) == 0);
  }
  CHECK(good > 0.995 * tracks);
  check_pulls(pulls, 0.02, 0.03);
  // Kolmogorov and Smirnov against a flat distribution, at the edges of tenths
  double distance = 0., below = 0.;
  for (int i = 0; i < 10; ++i) {
    below += double(tenths[i]) / good;
    distance = std::max(distance, std::fabs(below - 0.1 * (i + 1)));
  }
  CHECK(distance < 0.008);
}

}  // namespace

TEST_CASE("fits have pulls of mean 0 and width 1, and a flat probability of chi2", "[kalman]") {
  using Host = Kokkos::DefaultHostExecutionSpace;
  check_fit<double, Host, 4>(false);
  check_fit<double, Host, 4>(true);
  check_fit<float, Host, 8>(false);
}

TEST_CASE("outliers are left out and counted", "[kalman]") {
  using Space = Kokkos::DefaultHostExecutionSpace;
  FittedTracks<double, Space> fitted(1000, false);
  const auto position = fitted.tracks.hits.position.view();
  for (int track = 0; track < 1000; track += 2)
    position(6 * fitted.tracks.hits.stride() + track, 2) += 5.;  // 50 sigma
  FitOptions options;
  options.max_chi2 = 30.;
  fitted.fit<4>(options);
  validation::Pulls pulls[5];
  for (int track = 0; track < 1000; ++track) {
    if (track % 2 == 0) REQUIRE(fitted.results.outliers(track) == 1);
    REQUIRE(fitted.results.measurements(track) == (track % 2 == 0 ? 18 : 20));
    fitted.add_pulls(fitted.state(track), fitted.truth(9, track), pulls);
  }
  check_pulls(pulls, 0.12, 0.1);
}

TEST_CASE("a track that does not reach a layer stays at the one before", "[kalman]") {
  using Space = Kokkos::DefaultHostExecutionSpace;
  FittedTracks<double, Space> fitted(64, false);
  auto start = fitted.states.view();
  start.parameters(5, Parameter::inverse_pt) = 8.;  // turns back at about 22 cm
  for (int e = 0; e < 21; ++e) start.covariance.element(5, e) *= 1e-8;
  fitted.fit<4>();
  for (int track = 0; track < 64; ++track) {
    CAPTURE(track);
    CHECK(bool(fitted.results.reached(track)) == (track != 5));
  }
  const auto lost = fitted.state(5);
  const double r = std::hypot(lost.parameters(0), lost.parameters(1));
  CHECK(r < 23.);
  CHECK(fitted.results.measurements(5) < 20);
  CHECK(fitted.results.measurements(5) > 2);
}

TEMPLATE_LIST_TEST_CASE("fits are the same on every space and with any lanes", "[kalman]",
                        trackplex::test::EnabledSpaces) {
  FittedTracks<float, Kokkos::DefaultHostExecutionSpace> expected(77, true);
  expected.fit<1>();
  const auto check = [&]<int Width>(std::integral_constant<int, Width>) {
    FittedTracks<float, TestType> fitted(77, true);
    fitted.template fit<Width>();
    CHECK(fitted.hash() == expected.hash());
  };
  check(std::integral_constant<int, 1>());
  if constexpr (is_host_space<TestType>) {
    check(std::integral_constant<int, default_lane_width<TestType, float>>());
  }
}
