// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/team.hpp>
#include <trackplex/vertexing/detail/vertex_finding.hpp>
#include <vector>

#include "support/refusals.hpp"
#include "vertexing/one_thread.hpp"

using namespace trackplex;
using vertexing::TrackAtBeam;
using vertexing::VertexParams;
namespace finding = vertexing::detail;
using Catch::Approx;

namespace {

constexpr int unit = finding::histogram_unit;

VertexParams hundred_bins() {
  VertexParams params;
  params.z_min = 0.;
  params.z_max = 25.;
  return params;
}

TrackAtBeam<double> track_at(double z, double sigma_z) {
  const double slope = 0.1;
  return {0., 0., z, slope, 0., 1. / (sigma_z * sigma_z * slope * slope), 0., 1e4};
}

/// Peaks of a histogram with these contents, in tracks, from bin 10 on.
std::vector<double> peaks_of(const std::vector<double>& contents,
                             VertexParams params = hundred_bins()) {
  std::vector<int> histogram(101);
  for (std::size_t i = 0; i < contents.size(); ++i) histogram[10 + i] = int(contents[i] * unit);
  std::vector<double> peaks(std::size_t(params.max_vertices));
  const finding::VertexCuts<double> cuts(params);
  const int n = finding::PeakFinder<double>(cuts, histogram.data(), peaks.data())();
  peaks.resize(std::min(std::size_t(n), peaks.size()));
  return peaks;
}

}  // namespace

TEST_CASE("The bell of a track is close to a Gaussian of its width", "[vertexing]") {
  CHECK(finding::bell_integral(-1.) == 0.);
  CHECK(finding::bell_integral(0.) == 0.5);
  CHECK(finding::bell_integral(1.) == 1.);
  CHECK(finding::bell_integral(2.) == 1.);
  double last = 0., mean2 = 0.;
  const int steps = 2000;
  for (int i = 1; i <= steps; ++i) {
    const double v = -1. + 2. * i / steps, u = v * std::sqrt(7.);
    const double value = finding::bell_integral(v);
    CHECK(value >= last);
    CHECK(std::abs(value - 0.5 * std::erfc(-u / std::sqrt(2.))) < 0.03);
    mean2 += (value - last) * u * u;
    last = value;
  }
  CHECK(mean2 == Approx(1.).margin(0.01));  // variance
}

TEST_CASE("A track adds its area around its z", "[vertexing]") {
  const finding::VertexCuts<double> cuts(hundred_bins());
  const auto filled = [&](const TrackAtBeam<double>& track) {
    const test::OneThread thread;
    const TeamLanes<double, test::OneThread> team(thread);
    std::vector<int> contents(101), below(101);
    const finding::VertexHistogram histogram{contents.data(), below.data()};
    finding::add_to_histogram<double>(team, cuts, track, true, histogram);
    histogram.finish(team, cuts.bins);
    return contents;
  };
  const auto histogram = filled(track_at(12.6, 0.5));
  CHECK(std::accumulate(histogram.begin(), histogram.end(), 0) == unit);
  double mean = 0., mean2 = 0.;
  for (int b = 0; b < 101; ++b) {
    const double z = 0.25 * (b + 0.5), part = double(histogram[std::size_t(b)]) / unit;
    mean += part * z;
    mean2 += part * (z - 12.6) * (z - 12.6);
  }
  CHECK(mean == Approx(12.6).margin(0.01));
  CHECK(mean2 == Approx(0.25).margin(0.02));

  const auto is_empty = [](const std::vector<int>& h) {
    return std::accumulate(h.begin(), h.end(), 0) == 0;
  };
  CHECK(is_empty(filled(track_at(12., 1.6))));  // too uncertain
  CHECK(is_empty(filled(track_at(-0.1, 0.5))));
  CHECK(is_empty(filled(track_at(25.1, 0.5))));
  auto far = track_at(12., 0.5);
  far.x = 0.33;
  CHECK(is_empty(filled(far)));
  auto unusable = track_at(12., 0.5);
  unusable.wxx = unusable.wyy = 0.;
  CHECK(is_empty(filled(unusable)));
}

TEST_CASE("Peaks are maxima between dips", "[vertexing]") {
  CHECK(peaks_of({}).empty());
  CHECK(peaks_of({0.5, 1., 0.5}).empty());  // too few tracks
  const auto one = peaks_of({0.5, 2., 1.});
  REQUIRE(one.size() == 1);
  // the middle of bin 11, moved towards the higher neighbour
  CHECK(one[0] == Approx(0.25 * 11.5 + 0.25 * 0.5 * (1.5 - 1.) / (1.5 + 1.)));
  CHECK(peaks_of({0.5, 0.24, 0.1}).empty());
  CHECK(peaks_of({0.2, 0.24, 0.24, 0.24, 0.24, 0.24, 0.24, 0.24, 0.24, 0.24, 0.24, 0.24, 0.24})
            .empty());  // no bin is dense enough
  CHECK(peaks_of({1., 2., 1., 0.5, 1., 2., 1.}).size() == 2);
  CHECK(peaks_of({1., 2., 1.8, 2., 1.}).size() == 1);             // no dip
  CHECK(peaks_of({1., 2., 1., 0.5, 0.6, 0.4, 0.}).size() == 1);   // no second peak
  CHECK(peaks_of({1., 2., 1., 0., 0., 1., 2., 1.}).size() == 2);  // two groups
  const auto highest = peaks_of({1., 0.1, 1.2, 0.1, 1.1});  // too few tracks in each, enough in all
  REQUIRE(highest.size() == 1);
  CHECK(highest[0] == Approx(0.25 * 12.5).margin(0.01));
  auto params = hundred_bins();
  params.max_vertices = 1;
  CHECK(peaks_of({1., 2., 1., 0., 0., 1., 2., 1.}, params).size() == 1);
}

TEST_CASE("Symmetric matrices are inverted if they are positive definite", "[vertexing]") {
  const finding::Symmetric3<double> m{4., 1., 3., -0.5, 0.7, 2.};
  finding::Symmetric3<double> c{};
  REQUIRE(finding::invert(m, c));
  const double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  const double b[3][3] = {{c.xx, c.xy, c.xz}, {c.xy, c.yy, c.yz}, {c.xz, c.yz, c.zz}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0.;
      for (int k = 0; k < 3; ++k) sum += a[i][k] * b[k][j];
      CHECK(sum == Approx(i == j ? 1. : 0.).margin(1e-12));
    }
  CHECK_FALSE(finding::invert(finding::Symmetric3<double>{0., 0., 1., 0., 0., 1.}, c));
  CHECK_FALSE(finding::invert(finding::Symmetric3<double>{1., 2., 1., 0., 0., 1.}, c));
  CHECK_FALSE(finding::invert(finding::Symmetric3<double>{1., 0., 1., 1., 0., 1.}, c));
  CHECK_FALSE(finding::invert(finding::Symmetric3<double>{std::nan(""), 0., 1., 0., 0., 1.}, c));
}

TEST_CASE("Parameters of the vertex finding have ranges", "[vertexing]") {
  CHECK_NOTHROW(VertexParams().check());
  const auto refuses = [](const auto& change, const char* message) {
    VertexParams params;
    change(params);
    test::check_refused<UsageError>([&] { params.check(); }, message);
  };
  refuses([](auto& p) { p.beam_x = std::nan(""); }, "vertex finding: x of the beam is nan");
  refuses([](auto& p) { p.bin_width = 0.; }, "width of the bins is 0 (it must be positive)");
  refuses([](auto& p) { p.z_max = p.z_min; }, "number of bins is 0 (");
  refuses([](auto& p) { p.bin_width = 1e-6; }, "number of bins");
  refuses([](auto& p) { p.max_track_radius = -1.; }, "largest distance of a track");
  refuses([](auto& p) { p.max_sigma_z = 0.; }, "largest standard deviation of z");
  refuses([](auto& p) { p.min_density = 0.; }, "lowest density");
  refuses([](auto& p) { p.min_peak_density = 0.; }, "lowest density of a peak");
  refuses([](auto& p) { p.min_dip = 0.; }, "smallest dip");
  refuses([](auto& p) { p.min_peak_tracks = 0.; }, "smallest number of tracks");
  refuses([](auto& p) { p.max_track_z = 0.; }, "largest distance of a track along z");
  refuses([](auto& p) { p.chi2_cut = 0.; }, "cut on chi2");
  refuses([](auto& p) { p.max_iterations = 0; }, "number of iterations");
  refuses([](auto& p) { p.tolerance = 0.; }, "tolerance");
  refuses([](auto& p) { p.min_weight = 0.; }, "smallest weight");
  refuses([](auto& p) { p.max_radius = 0.; }, "largest distance of a vertex");
  refuses([](auto& p) { p.min_separation = 0.; }, "smallest separation");
  refuses([](auto& p) { p.max_vertices = 0; }, "number of vertices is 0");
  refuses([](auto& p) { p.max_vertices = 5000; }, "number of vertices is 5000");
}
