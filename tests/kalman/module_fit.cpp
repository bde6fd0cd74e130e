// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits and smoothers of hits in the frames of modules: both forms, all dimensions, layers in any
// order.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <trackplex/core/host_executor.hpp>

#include "smoothed_modules.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using namespace trackplex::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("the square-root form gives what the other gives where both are precise", "[kalman]") {
  TelescopeParams params;
  ModuleTracks<double, ForwardTrack, 2> one(50, params), other(50, params);
  const auto gain = smooth<4, FitForm::gain>(one);
  const auto root = smooth<2, FitForm::square_root>(other);
  const auto a = states_on_host(one.exec, gain.states), b = states_on_host(one.exec, root.states);
  for (int layer = 0; layer < 12; ++layer)
    for (int track = 0; track < 50; ++track) {
      CAPTURE(layer, track);
      const auto item = std::size_t(layer * layer_stride(50) + track);
      for (int i = 0; i < 6; ++i) {
        const double sigma = std::sqrt(std::max(a[item].covariance(i, i), 1e-30));
        CHECK_THAT(b[item].parameters(i), WithinAbs(a[item].parameters(i), 1e-4 * sigma));
        CHECK_THAT(b[item].covariance(i, i), WithinRel(a[item].covariance(i, i), 1e-4));
      }
      for (int i = 0; i < 2; ++i)
        CHECK_THAT(root.residual_covariance.const_view()(int(item), i, i),
                   WithinRel(gain.residual_covariance.const_view()(int(item), i, i), 1e-4));
    }
  for (std::size_t track = 0; track < 50; ++track) {
    CHECK_THAT(other.results.chi2(track), WithinRel(one.results.chi2(track), 1e-6));
    CHECK(other.results.measurements(track) == one.results.measurements(track));
  }
}

namespace {

using Memory = MemoryOf<HostExecutor>;

/// Straight tracks through planes of constant z, with hits of 0 to 3 coordinates in any order:
/// each number is linear in x, y and the slopes at z = 0.
struct MixedHits {
  static constexpr int layers = 9;
  int n;
  ModuleMeasurements<double, Memory, 3> hits;
  TrackStates<double, Memory, ForwardTrack> states;
  static constexpr double sigma[6] = {1., 2., 0., 0.1, 0.2, 1.};  ///< of the starts

  static int dimension(int layer, int track) { return (track + 3 * layer + track * layer / 5) % 4; }
  static double place(int layer) { return 5. + 7. * layer; }

  /// Layer i in the order of the fit is layer `order[i]`.
  MixedHits(int tracks, const int (&order)[layers]) : n(tracks) {
    const HostExecutor exec;
    hits.allocate(exec, layers, n);
    states.allocate(exec, n);
    exec.fence();
    for (int track = 0; track < n; ++track) {
      for (int i = 0; i < 6; ++i) {
        states.view().parameters(track, i) = i == 5 ? 0.1 : 0.;
        for (int j = 0; j <= i; ++j)
          states.view().covariance(track, i, j) = i == j ? sigma[i] * sigma[i] : 0.;
      }
      states.charge(std::size_t(track)) = 1.;
      for (int i = 0; i < layers; ++i) set(i, order[i], track);
    }
  }
  void set(int i, int layer, int track) {
    if (dimension(layer, track) == 0 && track % 2 == 0) return;  // no layer; else no measurement
    RandomStream<double> random(11, std::uint64_t(track * layers + layer));
    const int item = i * hits.stride() + track;
    const double turn = 0.4 * layer + track;
    const double u[3] = {std::cos(turn), std::sin(turn), 0.}, v[3] = {-u[1], u[0], 0.};
    for (int p = 0; p < 3; ++p) {
      hits.point.view()(item, p) = p == 2 ? place(layer) : random.normal();
      hits.axes.view()(item, 0, p) = u[p];
      hits.axes.view()(item, 1, p) = v[p];
    }
    hits.count(std::size_t(item)) = std::int8_t(dimension(layer, track));
    const double covariance[6] = {0.01, 0.004, 0.04, 0.001, -0.002, 0.03};
    for (int e = 0; e < 6; ++e) hits.covariance.view().element(item, e) = covariance[e];
  }
};

/// Least squares in x, y and slopes at z = 0 of all hits of a track and its start, by the normal
/// equations: the solution, and the inverse of the matrix.
struct LeastSquares {
  double a[4][8] = {}, right[4] = {};

  LeastSquares(const MixedHits& given, int track) {
    const int start[4] = {0, 1, 3, 4};
    for (int i = 0; i < 4; ++i)
      a[i][i] = 1. / (MixedHits::sigma[start[i]] * MixedHits::sigma[start[i]]);
    for (int layer = 0; layer < MixedHits::layers; ++layer) add(given, layer, track);
    for (int i = 0; i < 4; ++i) a[i][4 + i] = 1.;
    for (int i = 0; i < 4; ++i) {
      const double pivot = a[i][i];
      for (double& element : a[i]) element /= pivot;
      right[i] /= pivot;
      for (int k = 0; k < 4; ++k) {
        const double factor = a[k][i];
        if (k == i) continue;
        for (int j = 0; j < 8; ++j) a[k][j] -= factor * a[i][j];
        right[k] -= factor * right[i];
      }
    }
  }
  /// The numbers along u, v and w of one hit, of which w depends on no parameter.
  void add(const MixedHits& given, int layer, int track) {
    const int item = layer * given.hits.stride() + track;  // in the order of the layers
    const int m = given.hits.count(std::size_t(item));
    if (m == 0) return;
    const auto axes = given.hits.axes.const_view();
    const auto point = given.hits.point.const_view();
    const auto v = given.hits.covariance.const_view();
    const double z = point(item, 2);
    double h[3][4] = {}, measured[3] = {}, weight[3][6] = {};
    for (int i = 0; i < m; ++i) {
      const double ux = i < 2 ? axes(item, i, 0) : 0., uy = i < 2 ? axes(item, i, 1) : 0.;
      const double row[4] = {ux, uy, ux * z, uy * z};
      for (int p = 0; p < 4; ++p) h[i][p] = row[p];
      measured[i] = ux * point(item, 0) + uy * point(item, 1);
      for (int j = 0; j < m; ++j) weight[i][j] = i >= j ? v(item, i, j) : v(item, j, i);
      weight[i][3 + i] = 1.;
    }
    for (int i = 0; i < m; ++i) {  // the inverse of V in columns 3 to 5
      const double pivot = weight[i][i];
      for (double& element : weight[i]) element /= pivot;
      for (int k = 0; k < m; ++k) {
        const double factor = weight[k][i];
        if (k == i) continue;
        for (int j = 0; j < 6; ++j) weight[k][j] -= factor * weight[i][j];
      }
    }
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        for (int p = 0; p < 4; ++p) {
          right[p] += h[i][p] * weight[i][3 + j] * measured[j];
          for (int q = 0; q < 4; ++q) a[p][q] += h[i][p] * weight[i][3 + j] * h[j][q];
        }
  }
};

constexpr int forth[MixedHits::layers] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

}  // namespace

TEST_CASE("hits of one, two and three coordinates in any order give the least-squares solution",
          "[kalman]") {
  constexpr int n = 53;
  const MixedHits in_order(n, forth);
  const auto check = [&]<FitForm Form>(const int(&order)[MixedHits::layers],
                                       std::integral_constant<FitForm, Form>) {
    MixedHits mixed(n, order);
    FitResults<double, Memory> results;
    const HostExecutor exec;
    if constexpr (Form == FitForm::gain)
      fit_tracks<4>(exec, mixed.states, FieldOfTelescope{0.}, mixed.hits.view(), {}, results);
    else
      square_root_fit_tracks<4>(exec, mixed.states, FieldOfTelescope{0.}, mixed.hits.view(), {},
                                results);
    const auto states = states_on_host(exec, mixed.states);
    for (int track = 0; track < n; ++track) {
      CAPTURE(track, order[0], int(Form));
      const auto& x = states[std::size_t(track)].parameters;
      const auto& c = states[std::size_t(track)].covariance;
      const LeastSquares expected(in_order, track);
      const double z = x(2);
      CHECK_THAT(x(0) - z * x(3), WithinAbs(expected.right[0], 1e-9));
      CHECK_THAT(x(1) - z * x(4), WithinAbs(expected.right[1], 1e-9));
      CHECK_THAT(x(3), WithinAbs(expected.right[2], 1e-10));
      CHECK_THAT(x(4), WithinAbs(expected.right[3], 1e-10));
      CHECK_THAT(c(3, 3), WithinRel(expected.a[2][6], 1e-7));
      CHECK_THAT(c(4, 3), WithinAbs(expected.a[3][6], 1e-7 * c(3, 3)));
      CHECK_THAT(c(0, 0) - 2. * z * c(3, 0) + z * z * c(3, 3), WithinRel(expected.a[0][4], 1e-6));
      int numbers = 0;
      for (int layer = 0; layer < MixedHits::layers; ++layer)
        numbers += MixedHits::dimension(layer, track);
      CHECK(results.measurements(std::size_t(track)) == numbers);
      CHECK(results.outliers(std::size_t(track)) == 0);
      CHECK(results.reached(std::size_t(track)) == 1);
    }
  };
  const int back[] = {8, 7, 6, 5, 4, 3, 2, 1, 0}, mixed[] = {4, 0, 8, 2, 6, 1, 7, 3, 5};
  const std::integral_constant<FitForm, FitForm::gain> gain;
  const std::integral_constant<FitForm, FitForm::square_root> root;
  check(forth, gain);
  check(back, gain);
  check(mixed, gain);
  check(forth, root);
  check(back, root);
  check(mixed, root);
}
