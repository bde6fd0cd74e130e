// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// p2z and p2r against the published programs: residual and state after each layer of the track that
// is not smeared, and the covariance at the end.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lanes.hpp>
#include <vector>

#include "benchmarks/kalman/averages.hpp"
#include "benchmarks/kalman/p2r_filter.hpp"
#include "benchmarks/kalman/p2z_filter.hpp"
#include "benchmarks/kalman/records.hpp"
#include "benchmarks/kalman/sample.hpp"
#include "benchmarks/kalman/track_fitter.hpp"
#include "support/data.hpp"

namespace trackplex::test {
namespace {

using namespace trackplex::benchmarks;

constexpr int layers = 20;

struct Reference {
  std::vector<std::array<double, 6>> states;
  std::array<double, 21> covariance;
};

Reference read_reference(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE(file);
  Reference reference{};
  std::string line;
  while (std::getline(file, line)) {
    const auto numbers_after = [&](const std::string& word, auto& numbers) {
      std::istringstream text(line.substr(line.find(word) + word.size()));
      for (double& number : numbers) REQUIRE(text >> number);
    };
    if (line[0] == 'L') numbers_after("par ", reference.states.emplace_back());
    if (line[0] == 'f') numbers_after("cov: ", reference.covariance);
  }
  REQUIRE(reference.states.size() == std::size_t(layers));
  return reference;
}

/// The largest of |a - b| / |b|.
template <std::size_t N>
double largest_difference(const std::array<double, N>& a, const std::array<double, N>& b) {
  double largest = 0.;
  for (std::size_t i = 0; i < N; ++i) {
    if (a[i] == b[i]) continue;
    largest = std::max(largest, std::abs(a[i] - b[i]) / std::abs(b[i]));
  }
  return largest;
}

/// The largest of |a - b| in units of the standard deviations that an element belongs to.
double covariance_difference(const std::array<double, 21>& a, const std::array<double, 21>& b) {
  const auto at = [](std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; };
  double largest = 0.;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double size = std::sqrt(b[at(i, i)] * b[at(j, j)]);
      if (size == 0.)
        CHECK(a[at(i, j)] == 0.);
      else
        largest = std::max(largest, std::abs(a[at(i, j)] - b[at(i, j)]) / size);
    }
  return largest;
}

template <std::size_t N, class Elements>
std::array<double, N> first_lane(const Elements& elements) {
  std::array<double, N> values{};
  for (std::size_t i = 0; i < N; ++i) values[i] = double(extract(elements[i], 0));
  return values;
}

/// The references begin with numbers of single precision, also those of double precision.
SampleTrack rounded_sample(const std::string& program) {
  auto sample = read_sample(reference_or_skip("p2z/" + program + "_input.csv"));
  const auto round = [](auto& numbers) {
    for (double& number : numbers) number = double(float(number));
  };
  round(sample.track);
  for (auto& hit : sample.hits) round(hit);
  return sample;
}

/// Fits the sample in every lane; the states after each layer and the covariance at the end.
template <class Real, class Filter>
Reference fit(const SampleTrack& sample, Filter filter = {}) {
  using T = ScalarOf<Real>;
  constexpr int width = width_of<Real>;
  const auto all = smeared_copies<T>(sample, width, layers, 0.);
  const HostExecutor exec;
  using Store = RecordStore<T, HostExecutor>;
  Store in(exec, "Trackplex::Test::in", width, track_components, Layout::tiles, width);
  Store hits(exec, "Trackplex::Test::hits", width, layers * hit_components, Layout::tiles, width);
  Store out(exec, "Trackplex::Test::out", width, track_components, Layout::tiles, width);
  in.copy_in(exec, all.tracks);
  hits.copy_in(exec, all.hits);
  const Tile<Real> tile{0, width};
  Reference found{};
  filter(in.template view<Real, true>()(tile), hits.template view<Real, true>()(tile), layers,
         out.template view<Real, true>()(tile), [&](int, const auto& x, const auto&) {
           found.states.push_back(first_lane<6>(x.elements));
         });
  const auto last = out.copy_out(exec);
  for (std::size_t i = 0; i < 21; ++i) found.covariance[i] = double(last[i + covariance_begin]);
  for (std::size_t i = 0; i < 6; ++i) CHECK(double(last[i]) == found.states.back()[i]);
  return found;
}

/// The published program of each precision is the reference for that precision: in single
/// precision, the rounding of the input covariance alone moves 1/pT of p2z by 1e-4.
template <class Real>
struct Tolerance;
template <>
struct Tolerance<double> {
  static constexpr double state = 1e-7, covariance = 1e-6;  // 8 and 7 digits are printed
  static constexpr const char* suffix = "double.txt";
};
template <>
struct Tolerance<float> {
  static constexpr double state = 1e-4, covariance = 2e-2;
  static constexpr const char* suffix = "float.txt";
};

/// The reference of a program for this precision.
template <class Real>
Reference reference_for(const std::string& program) {
  return read_reference(
      reference_or_skip("p2z/" + program + "_reference_" + Tolerance<ScalarOf<Real>>::suffix));
}

template <class Real, class Filter>
void compare(const SampleTrack& sample, const Reference& expected) {
  using T = ScalarOf<Real>;
  const auto found = fit<Real, Filter>(sample);
  REQUIRE(found.states.size() == std::size_t(layers));
  double worst = 0.;
  for (std::size_t layer = 0; layer < std::size_t(layers); ++layer) {
    CAPTURE(layer);
    const double difference = largest_difference(found.states[layer], expected.states[layer]);
    CHECK(difference < Tolerance<T>::state);
    worst = std::max(worst, difference);
  }
  const double covariance = covariance_difference(found.covariance, expected.covariance);
  CHECK(covariance < Tolerance<T>::covariance);
  INFO("states " << worst << ", covariance " << covariance);
  SUCCEED();
}

TEMPLATE_TEST_CASE("p2z gives the published states on every layer", "[kalman][p2z]", double, float,
                   (Lanes<double, 4>), (Lanes<float, 8>)) {
  const auto sample = rounded_sample("p2z");
  compare<TestType, P2zFilter>(sample, reference_for<TestType>("p2z"));
}

TEMPLATE_TEST_CASE("p2r gives the published states on every layer", "[kalman][p2r]", double, float,
                   (Lanes<double, 4>), (Lanes<float, 8>)) {
  const auto sample = rounded_sample("p2r");
  compare<TestType, P2rFilter>(sample, reference_for<TestType>("p2r"));
}

TEST_CASE("p2r from the input track on every layer gives the published state", "[kalman][p2r]") {
  const auto sample = rounded_sample("p2r");
  const std::array<double, 6> expected = {-6.2329611, -3.137444,  6.5503581,
                                          0.21989267, -2.6785299, 1.2717973};
  const auto found = fit<double>(sample, P2rFilter{.published = true});
  CHECK(largest_difference(found.states.back(), expected) < Tolerance<double>::state);
  const auto in_float = fit<Lanes<float, 8>>(sample, P2rFilter{.published = true});
  CHECK(largest_difference(in_float.states.back(), expected) < Tolerance<float>::state);
}

template <class Real, class Filter>
Averages fit_population(const std::string& program, int copies) {
  constexpr int width = default_lane_width<HostExecutor, Real>;
  const auto sample = read_sample(reference_or_skip("p2z/" + program + "_input.csv"));
  const auto all = smeared_copies<Real>(sample, copies, layers, 1e-7);
  TrackFitter<Filter, Real, HostExecutor, width> fitter({}, all, Layout::tiles);
  fitter.fit();
  return averages_of(fitter.states(), all.hits.data() + (layers - 1) * hit_components,
                     layers * hit_components);
}

void check_mean(const MeanAndDeviation& found, double expected, double tolerance) {
  CHECK(std::abs(found.mean - expected) < tolerance * std::abs(expected));
}
void check_spread(const MeanAndDeviation& found, double expected, double tolerance) {
  const double relative = found.deviation / std::abs(found.mean);
  CHECK(std::abs(relative - expected) < tolerance * expected);
}

/// The published averages are those of about a hundred times as many tracks: those of a sample may
/// be off by five times their statistical errors.
constexpr int population = 9600;
void check_published_mean(const MeanAndDeviation& found, double mean) {
  check_mean(found, mean, 5. * found.deviation / std::abs(mean) / std::sqrt(population));
}
void check_published(const MeanAndDeviation& found, double mean, double relative_deviation) {
  check_mean(found, mean, 5. * relative_deviation / std::sqrt(population));
  check_spread(found, relative_deviation, 5. / std::sqrt(2. * population));
}

TEST_CASE("A population of p2z has the published averages", "[kalman][p2z]") {
  const auto a = fit_population<double, P2zFilter>("p2z", population);
  check_published(a.x, 6.44354451, 3.738e-5);
  check_published(a.y, 24.3946879, 3.706e-5);
  check_published_mean(a.z, -80.5239563);
  check_published_mean(a.residual_x, -0.136061734);
  check_published_mean(a.residual_y, -0.136420439);
  check_published_mean(a.pt, 12.3279179);
  check_published_mean(a.phi, 1.32556406);
  check_published_mean(a.theta, 2.82083904);
  CHECK(a.not_finite == 0);
  CHECK(a.failed == 0);
}

TEST_CASE("A population of p2r, chained, has the published averages", "[kalman][p2r]") {
  const auto a = fit_population<double, P2rFilter>("p2r", population);
  check_published(a.x, -6.23435192, 9.89026551e-08);
  check_published(a.y, -3.13466799, 1.86667672e-07);
  check_published(a.z, 6.5553732, 6.39026199e-07);
  check_published_mean(a.r, 6.97805756);
  check_published_mean(a.residual_x, 0.000225066547);
  check_published_mean(a.residual_y, -0.000883613155);
  check_published_mean(a.pt, 4.57690604);
  check_published_mean(a.phi, -2.67927724);
  check_published_mean(a.theta, 1.27205049);
  CHECK(a.not_finite == 0);
  CHECK(a.failed == 0);
}

/// The spec's tolerances for a code in single precision, on a part of the population that is fitted
/// in both precisions.
TEST_CASE("Single precision keeps the averages of p2z", "[kalman][p2z]") {
  const auto a = fit_population<float, P2zFilter>("p2z", 9600);
  const auto b = fit_population<double, P2zFilter>("p2z", 9600);
  check_mean(a.x, b.x.mean, 1e-5);
  check_mean(a.y, b.y.mean, 1e-5);
  check_mean(a.pt, b.pt.mean, 5e-5);
  check_mean(a.phi, b.phi.mean, 2e-6);
  check_mean(a.theta, b.theta.mean, 1e-6);
  CHECK(a.not_finite + a.failed == 0);
}

TEST_CASE("Single precision keeps the averages of p2r", "[kalman][p2r]") {
  const auto a = fit_population<float, P2rFilter>("p2r", 9600);
  const auto b = fit_population<double, P2rFilter>("p2r", 9600);
  check_mean(a.x, b.x.mean, 1e-5);
  check_mean(a.y, b.y.mean, 1e-5);
  check_mean(a.z, b.z.mean, 1e-5);
  check_mean(a.pt, b.pt.mean, 5e-5);
  check_mean(a.phi, b.phi.mean, 2e-6);
  check_mean(a.theta, b.theta.mean, 1e-6);
  CHECK(a.not_finite + a.failed == 0);
}

}  // namespace
}  // namespace trackplex::test
