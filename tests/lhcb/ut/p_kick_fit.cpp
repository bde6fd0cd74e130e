// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <trackplex/core/lane_memory.hpp>
#include <type_traits>

#include "ut_fit_reference.hpp"

using namespace trackplex;
using lhcb::PKick;
using lhcb::PKickWithY;
using lhcb::SpaceLine;
using lhcb::UtTrackHits;

namespace {

constexpr double middle = lhcb::ut_z_middle, sigma = 1e-4;
constexpr double layer_z[lhcb::ut_layers] = {2327., 2372., 2597., 2642.};
constexpr double qop_per_kick = -lhcb::ut_qop_per_kick / 0.1;

/// A VELO track and UT hits behind a kick, and what they were made of.
struct Sample {
  SpaceLine<double> velo;
  UtTrackHits<double> on;
  int hits = lhcb::ut_layers;
  double x, slope, y, first_kick;
};

class Samples {
 public:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double gauss(double s) { return std::normal_distribution<double>(0., s)(random_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  SpaceLine<double> velo() {
    return {uniform(-40., 40.), uniform(-40., 40.), uniform(0., 770.), uniform(-0.3, 0.3),
            uniform(-0.25, 0.25)};
  }

  /// Behind a kick of up to 0.05 at z_kink, with an offset in y up to `max_y`. No hit is smeared.
  Sample straight(const SpaceLine<double>& velo, double z_kink, double max_y) {
    Sample s;
    s.velo = velo;
    s.slope = velo.tx + uniform(-0.05, 0.05);
    s.x = velo.x + velo.tx * (z_kink - velo.z) + s.slope * (middle - z_kink);
    s.y = uniform(-max_y, max_y);
    s.first_kick = uniform(-0.05, 0.05);
    for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
      s.on.z[layer] = layer_z[layer] + uniform(-7., 7.);
      s.on.x[layer] = s.x + s.slope * (s.on.z[layer] - middle) -
                      s.y * lhcb::ut_dxdy[layer] * double(test::ut_fit_cosine(layer));
      const double pitch = below(2) == 0 ? 0.19 : 0.095;
      s.on.weight[layer] = 12. / (pitch * pitch);
    }
    return s;
  }

  /// With hits anywhere close to the line, and one layer in two without.
  Sample any() {
    Sample s = straight(velo(), lhcb::ut_z_kink, 1.);
    for (double& x : s.on.x) x += uniform(-0.8, 0.8);
    if (below(2) == 0) drop(s, below(lhcb::ut_layers));
    return s;
  }

  static void drop(Sample& s, int layer) {
    s.on.x[layer] = s.on.weight[layer] = 0.;
    s.on.z[layer] = middle;
    --s.hits;
  }

 private:
  std::mt19937 random_{4711};
};

test::FitState state_of(const Sample& s) {
  return {s.velo.x, s.velo.y, s.velo.z, s.velo.tx, s.velo.ty};
}
std::vector<test::FitHit> hits_of(const Sample& s) {
  std::vector<test::FitHit> hits;
  for (int layer = 0; layer < lhcb::ut_layers; ++layer)
    if (s.on.weight[layer] > 0.)
      hits.push_back({layer, s.on.x[layer], s.on.z[layer], s.on.weight[layer]});
  return hits;
}

PKick<double> first_fit(const Sample& s) {
  return lhcb::p_kick_fit(s.velo, s.on, std::int64_t(s.hits), sigma);
}
PKickWithY<double> second_fit(const Sample& s) {
  return lhcb::p_kick_fit_with_y(s.velo, s.on, s.first_kick, qop_per_kick);
}

/// Weight of the VELO track's point in the second fit, and where it is.
std::pair<double, double> kink_of(const SpaceLine<double>& velo, double first_kick) {
  const auto [z, weight] =
      test::reference_kink({velo.x, velo.y, velo.z, velo.tx, velo.ty}, first_kick, qop_per_kick);
  return {double(z), double(weight)};
}

bool near(double found, test::Long expected, double tolerance) {
  return std::abs(found - double(expected)) <= tolerance;
}

/// W samples as lanes.
template <class T, int W>
struct LaneSamples {
  using Real = LanesOf<T, W>;
  SpaceLine<Real> velo;
  UtTrackHits<Real> on;
  IntegerOf<Real> hits;
  Real first_kick;

  explicit LaneSamples(const std::vector<Sample>& samples, int first = 0) {
    const auto set = [&](Real& to, const auto& of) {
      T values[W];
      for (int i = 0; i < W; ++i) values[i] = T(of(samples[first + i]));
      to = load<Real>(values);
    };
    set(velo.x, [](const Sample& s) { return s.velo.x; });
    set(velo.y, [](const Sample& s) { return s.velo.y; });
    set(velo.z, [](const Sample& s) { return s.velo.z; });
    set(velo.tx, [](const Sample& s) { return s.velo.tx; });
    set(velo.ty, [](const Sample& s) { return s.velo.ty; });
    set(first_kick, [](const Sample& s) { return s.first_kick; });
    for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
      set(on.x[layer], [=](const Sample& s) { return s.on.x[layer]; });
      set(on.z[layer], [=](const Sample& s) { return s.on.z[layer]; });
      set(on.weight[layer], [=](const Sample& s) { return s.on.weight[layer]; });
    }
    Real n;
    set(n, [](const Sample& s) { return s.hits; });
    hits = convert<IntegerOf<Real>>(n);
  }

  PKick<Real> first_fit() const { return lhcb::p_kick_fit(velo, on, hits, T(sigma)); }
  PKickWithY<Real> second_fit() const {
    return lhcb::p_kick_fit_with_y(velo, on, first_kick, Real(T(qop_per_kick)));
  }
};

template <class Real>
std::array<Real, 9> values(const PKick<Real>& a, const PKickWithY<Real>& b) {
  return {a.x, a.slope, a.kick, a.chi2, b.kick.x, b.kick.slope, b.kick.kick, b.kick.chi2, b.y};
}

template <class T, int W>
void check_lanes(const std::vector<Sample>& samples) {
  INFO("lanes: " << W << ", bytes: " << sizeof(T));
  int different = 0;
  for (std::size_t first = 0; first + W <= samples.size(); first += W) {
    const LaneSamples<T, W> lanes(samples, int(first));
    const auto second = lanes.second_fit();
    const auto found = values(lanes.first_fit(), second);
    for (int i = 0; i < W; ++i) {
      const LaneSamples<T, 1> one(samples, int(first) + i);
      const auto expected = values(one.first_fit(), one.second_fit());
      for (std::size_t v = 0; v < found.size(); ++v)
        different += std::bit_cast<IntegerOf<T>>(T(extract(found[v], i))) !=
                     std::bit_cast<IntegerOf<T>>(T(expected[v]));
      different += ((bits_of(second.good) >> i) & 1u) != unsigned(one.second_fit().good);
    }
  }
  CHECK(different == 0);
}

std::vector<Sample> many_samples(int n) {
  Samples make;
  std::vector<Sample> samples;
  for (int i = 0; i < n; ++i) samples.push_back(make.any());
  return samples;
}

}  // namespace

TEST_CASE("Fits of the kick are weighted least squares", "[lhcb]") {
  int three = 0;
  for (const Sample& s : many_samples(4000)) {
    three += s.hits == 3;
    const auto fit = first_fit(s);
    const auto expected = test::reference_p_kick(state_of(s), hits_of(s), sigma);
    REQUIRE(near(fit.x, expected.x, 1e-9));
    REQUIRE(near(fit.slope, expected.slope, 1e-12));
    REQUIRE(near(fit.kick, expected.kick, 1e-12));
    REQUIRE(near(fit.chi2, expected.chi2, 1e-8 * (1. + double(expected.chi2))));

    const auto second = second_fit(s);
    const auto with_y =
        test::reference_p_kick_with_y(state_of(s), hits_of(s), s.first_kick, qop_per_kick).value();
    REQUIRE(second.good);
    REQUIRE(near(second.kick.x, with_y.x, 1e-8));
    REQUIRE(near(second.kick.slope, with_y.slope, 1e-10));
    REQUIRE(near(second.kick.kick, with_y.kick, 1e-10));
    REQUIRE(near(second.kick.chi2, with_y.chi2, 1e-7 * (1. + double(with_y.chi2))));
    REQUIRE(near(second.y, with_y.y, 1e-8));
  }
  CHECK(three > 1000);
}

TEST_CASE("The first fit finds a kick without noise", "[lhcb]") {
  Samples make;
  for (int i = 0; i < 1000; ++i) {
    Sample s = make.straight(make.velo(), lhcb::ut_z_kink, 0.);
    const double a = s.velo.tx, b = s.slope;
    const double kick = a * std::sqrt(1. + a * a) - b * std::sqrt(1. + b * b);
    // The published equations pull stereo hits outwards, see test::reference_p_kick
    const double pull = (1. / double(test::ut_fit_cosine(1)) - 1.) * (std::abs(s.x) + 10.);
    const auto all = first_fit(s);
    REQUIRE(near(all.x, s.x, pull));
    REQUIRE(near(all.kick, kick, pull / 100.));
    // Those of the first and the last layer they do not
    Samples::drop(s, 1);
    Samples::drop(s, 2);
    const auto fit = first_fit(s);
    REQUIRE(near(fit.x, s.x, 1e-9));
    REQUIRE(near(fit.slope, s.slope, 1e-12));
    REQUIRE(near(fit.kick, kick, 1e-12));
    REQUIRE(near(fit.chi2, 0., 1e-9));
  }
}

TEST_CASE("The second fit finds a kick and an offset in y without noise", "[lhcb]") {
  Samples make;
  for (int i = 0; i < 1000; ++i) {
    const auto velo = make.velo();
    const double z_kink = kink_of(velo, 0.).first;
    Sample s = make.straight(velo, z_kink, 3.);
    if (i % 2 == 1) Samples::drop(s, i / 2 % lhcb::ut_layers);
    const auto fit = second_fit(s);
    const double ty2 = velo.ty * velo.ty, a = velo.tx, b = s.slope;
    REQUIRE(fit.good);
    REQUIRE(near(fit.kick.x, s.x, 1e-8));
    REQUIRE(near(fit.kick.slope, s.slope, 1e-10));
    REQUIRE(near(fit.kick.kick, a * std::sqrt(1. + a * a + ty2) - b * std::sqrt(1. + b * b + ty2),
                 1e-10));
    REQUIRE(near(fit.y, velo.y + velo.ty * (middle - velo.z) + s.y, 1e-8));
    const double weight = kink_of(velo, s.first_kick).second;
    REQUIRE(near(fit.kick.chi2, weight * s.y * s.y / (1. + ty2), 1e-6));
  }
}

TEST_CASE("The second fit of a track that the first one found straight", "[lhcb]") {
  Samples make;
  for (int i = 0; i < 100; ++i) {
    Sample s = make.any();
    s.first_kick = 0.;
    const auto fit = second_fit(s);
    const auto expected =
        test::reference_p_kick_with_y(state_of(s), hits_of(s), 0., qop_per_kick).value();
    REQUIRE(near(fit.kick.chi2, expected.chi2, 1e-7 * (1. + double(expected.chi2))));
    REQUIRE(near(fit.kick.x, expected.x, 1e-8));
  }
}

TEST_CASE("Hits that do not determine the second fit are told", "[lhcb]") {
  Samples make;
  Sample s = make.straight(make.velo(), lhcb::ut_z_kink, 0.);
  CHECK(second_fit(s).good);
  for (const int layer : {1, 2}) Samples::drop(s, layer);  // no y without a stereo layer
  CHECK_FALSE(second_fit(s).good);
}

TEST_CASE("chi2 of smeared hits is what statistics says", "[lhcb]") {
  Samples make;
  constexpr int n = 20000;
  double sum[5] = {}, second = 0.;
  int count[5] = {};
  for (int i = 0; i < n; ++i) {
    // At the beam, where the published weights pull by no more than 5 um
    const SpaceLine<double> velo{make.uniform(-1., 1.), 0., 700., 0., 0.};
    const double z_kink = kink_of(velo, 0.).first;
    Sample s = make.straight(velo, lhcb::ut_z_kink, 0.);
    const auto smear = [&](Sample& sample, double z, double weight, double slope) {
      sample.velo.tx += make.gauss(1. / std::sqrt(weight)) / (z - velo.z);
      sample.slope = slope;
      for (int layer = 0; layer < lhcb::ut_layers; ++layer)
        sample.on.x[layer] = velo.x + slope * (sample.on.z[layer] - z) +
                             make.gauss(1. / std::sqrt(sample.on.weight[layer]));
    };
    const double at_kink = sigma * (lhcb::ut_z_kink - velo.z);
    Sample first = s;
    smear(first, lhcb::ut_z_kink, 1. / (at_kink * at_kink), 0.001);
    if (i % 2 == 0) Samples::drop(first, i / 2 % lhcb::ut_layers);
    sum[first.hits] += first_fit(first).chi2;
    ++count[first.hits];

    const double weight = kink_of(velo, s.first_kick).second;
    smear(s, z_kink, weight, make.uniform(-0.05, 0.05));
    const auto fit = second_fit(s);
    second += fit.kick.chi2 * (1. + fit.kick.slope * fit.kick.slope) - weight * fit.y * fit.y;
  }
  CHECK(near(sum[3] / count[3], 1., 0.04));  // per degree of freedom: 4 measurements - 2, ...
  CHECK(near(sum[4] / count[4], 1., 0.04));
  CHECK(near(second / n, 2., 0.06));  // 5 measurements - 3
}

TEMPLATE_TEST_CASE("The fits of lanes are those of scalars", "[lhcb]", float, double) {
  const auto samples = many_samples(256);
  check_lanes<TestType, 2>(samples);
  check_lanes<TestType, 4>(samples);
  check_lanes<TestType, 8>(samples);
  check_lanes<TestType, 16>(samples);
}

TEST_CASE("The fits in single precision are close to double precision", "[lhcb]") {
  // x, slope, kick and chi2 (relative, from 10 on) of the first fit; the same and y of the second
  constexpr double tolerance[9] = {1e-3, 4e-6, 6e-6, 2e-3, 2e-3, 2e-5, 2e-5, 5e-3, 3e-2};
  double largest[9] = {};
  const auto samples = many_samples(4000);
  for (int i = 0; i < int(samples.size()); ++i) {
    const LaneSamples<float, 1> single(samples, i);
    const LaneSamples<double, 1> twice(samples, i);
    const auto a = values(single.first_fit(), single.second_fit());
    const auto b = values(twice.first_fit(), twice.second_fit());
    for (int v = 0; v < 9; ++v) {
      const double scale = v == 3 || v == 7 ? std::max(10., std::abs(b[v])) : 1.;
      largest[v] = std::max(largest[v], std::abs(double(a[v]) - b[v]) / scale);
    }
  }
  for (int v = 0; v < 9; ++v) {
    CAPTURE(v);
    CHECK(largest[v] <= tolerance[v]);
  }
}
