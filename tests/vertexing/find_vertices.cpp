// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "support/refusals.hpp"
#include "support/spaces.hpp"
#include "vertexing/toy_vertices.hpp"

using namespace trackplex;
using Catch::Approx;

namespace {

using Vertices = std::vector<std::vector<vertexing::Vertex>>;

/// Vertices without their weights, all lengths times a factor.
Vertices scaled(Vertices events, double factor) {
  for (auto& event : events)
    for (auto& vertex : event) {
      for (double& p : vertex.position) p *= factor;
      for (double& c : vertex.covariance) c *= factor * factor;
    }
  return events;
}

void check_close(const Vertices& a, const Vertices& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t e = 0; e < a.size(); ++e) {
    REQUIRE(a[e].size() == b[e].size());
    for (std::size_t v = 0; v < a[e].size(); ++v) {
      const auto &p = a[e][v], &q = b[e][v];
      const double scale = std::sqrt(q.covariance[5]);
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(std::abs(p.position[k] - q.position[k]) < 1e-5 * scale);
      for (std::size_t k = 0; k < 6; ++k)
        CHECK(std::abs(p.covariance[k] - q.covariance[k]) < 1e-5 * scale * scale);
      CHECK(p.weight == Approx(q.weight).epsilon(1e-5));
      CHECK(p.tracks == q.tracks);
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Vertices are found, the same in all spaces", "[vertexing]",
                        test::EnabledSpaces) {
  const auto events = test::toy_events();
  const auto found = test::found_vertices<double, 1, TestType>(events);
  std::uint64_t missed = 0, false_vertices = 0;
  double chi2 = 0.;
  int n = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto event = validation::match_vertices(found[e], events[e].truth, 10);
    missed += event.reconstructible - event.found;
    false_vertices += event.false_vertices + event.duplicates;
    for (const auto& match : event.matches) {
      ++n;
      for (const double pull : match.pulls) chi2 += pull * pull / 3.;
      const auto& vertex = found[e][match.found];
      const double tracks = events[e].truth[match.truth].tracks;
      CHECK(vertex.weight > 0.75 * tracks);
      CHECK(vertex.weight < 1.1 * tracks);
      CHECK(vertex.tracks > 0.75 * tracks);
    }
  }
  CHECK(n >= 40);
  CHECK(missed == 0);
  CHECK(false_vertices == 0);
  CHECK(chi2 / n == Approx(1.).margin(0.35));  // 3 sqrt(2/(3 n))
  if constexpr (is_host_space<TestType>) {
    CHECK(test::found_vertices<double, 4, TestType>(events) == found);
    CHECK(test::found_vertices<double, 1, TestType>(events, {}, int(TestType().concurrency())) ==
          found);
    CHECK(test::found_vertices<float, 8, TestType>(events) ==
          test::found_vertices<float, 1, TestType>(events));
  } else {
    CHECK(test::found_vertices<double, 1, TestType>(events, {}, 32) == found);
    CHECK(test::found_vertices<double, 1, HostExecutor>(events) == found);
    CHECK(test::found_vertices<float, 1, HostExecutor>(events) ==
          test::found_vertices<float, 1, TestType>(events));
  }
}

TEST_CASE("The fit of a single vertex is that of weighted least squares", "[vertexing]") {
  // without outliers and with a wide cut all weights are nearly 1
  const auto event = test::toy_event(1, 200, 0, 3);
  vertexing::VertexParams params;
  params.chi2_cut = 60.;
  params.tolerance = 1e-9;
  const auto found = test::found_vertices<double, 1, HostExecutor>({event}, params)[0];
  REQUIRE(found.size() == 1);
  CHECK(found[0].weight == Approx(200.));
  CHECK(found[0].tracks == 200);
  // the gradient of sum chi2 vanishes, and its second derivatives are twice the inverse covariance
  const auto chi2 = [&](const std::array<double, 3>& p) {
    double sum = 0.;
    for (const auto& t : event.tracks) {
      const double x = p[0] - t.x - t.tx * (p[2] - t.z), y = p[1] - t.y - t.ty * (p[2] - t.z);
      sum += t.wxx * x * x + 2. * t.wxy * x * y + t.wyy * y * y;
    }
    return sum;
  };
  const auto& p = found[0].position;
  const auto& c = found[0].covariance;
  const double covariance[3][3] = {{c[0], c[1], c[3]}, {c[1], c[2], c[4]}, {c[3], c[4], c[5]}};
  const auto moved = [&](std::size_t i, double a, std::size_t j, double b) {
    auto q = p;
    q[i] += a;
    q[j] += b;
    return chi2(q);
  };
  const double h[3] = {std::sqrt(c[0]), std::sqrt(c[2]), std::sqrt(c[5])};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::abs(moved(i, h[i], i, 0.) - moved(i, -h[i], i, 0.)) < 1e-3);
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 0.;  // of the inverse covariance and the covariance
      for (std::size_t k = 0; k < 3; ++k)
        product += 0.5 *
                   (moved(i, h[i], k, h[k]) - moved(i, h[i], k, -h[k]) - moved(i, -h[i], k, h[k]) +
                    moved(i, -h[i], k, -h[k])) /
                   (4. * h[i] * h[k]) * covariance[k][j];
      CHECK(product * h[i] / h[j] == Approx(i == j ? 1. : 0.).margin(1e-6));
    }
  }
}

TEST_CASE("A vertex far away changes no bit", "[vertexing]") {
  // the first one by z, whose tracks keep their places in sums
  auto event = test::toy_event(1, 30, 0, 6);
  const auto alone = test::found_vertices<double, 1, HostExecutor>({event})[0];
  REQUIRE(alone.size() == 1);
  for (unsigned seed = 7; seed < 17; ++seed) {
    auto both = event;
    for (auto track : test::toy_event(1, 40, 0, seed).tracks) {
      track.z += 1000. + alone[0].position[2];
      both.tracks.push_back(track);
    }
    vertexing::VertexParams params;
    params.z_max = 1500.;
    const auto found = test::found_vertices<double, 1, HostExecutor>({both}, params)[0];
    const auto expected = test::found_vertices<double, 1, HostExecutor>({event}, params)[0];
    REQUIRE(found.size() == 2);
    CHECK(found[0] == expected[0]);
  }
}

TEST_CASE("Outliers hardly move a vertex", "[vertexing]") {
  auto event = test::toy_event(1, 50, 0, 5);
  const auto alone = test::found_vertices<double, 1, HostExecutor>({event})[0];
  auto outlier = event.tracks[7];
  outlier.x += 6. / std::sqrt(outlier.wxx);
  event.tracks.push_back(outlier);
  const auto with = test::found_vertices<double, 1, HostExecutor>({event})[0];
  REQUIRE((alone.size() == 1 && with.size() == 1));
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(std::abs(alone[0].position[k] - with[0].position[k]) <
          0.01 * std::sqrt(alone[0].covariance[5]));
}

TEST_CASE("Vertices do not depend on the unit of length or the place of the beam", "[vertexing]") {
  const auto events = test::toy_events();
  const auto expected = test::found_vertices<double, 1, HostExecutor>(events);
  vertexing::VertexParams params;
  const double cm = 0.1;
  for (double* length :
       {&params.z_min, &params.z_max, &params.bin_width, &params.max_track_radius,
        &params.max_sigma_z, &params.max_track_z, &params.tolerance, &params.max_radius})
    *length *= cm;
  for (double* density : {&params.min_density, &params.min_peak_density, &params.min_dip})
    *density /= cm;
  auto in_cm = events;
  for (auto& event : in_cm)
    for (auto& t : event.tracks) {
      for (double* length : {&t.x, &t.y, &t.z}) *length *= cm;
      for (double* weight : {&t.wxx, &t.wxy, &t.wyy}) *weight /= cm * cm;
    }
  check_close(scaled(test::found_vertices<double, 1, HostExecutor>(in_cm, params), 1. / cm),
              expected);

  vertexing::VertexParams shifted;
  shifted.beam_x = 2.;
  shifted.beam_y = -1.;
  auto away = events;
  for (auto& event : away)
    for (auto& t : event.tracks) {
      t.x += 2.;
      t.y -= 1.;
    }
  auto found = test::found_vertices<double, 1, HostExecutor>(away, shifted);
  for (auto& event : found)
    for (auto& vertex : event) {
      vertex.position[0] -= 2.;
      vertex.position[1] += 1.;
    }
  check_close(found, expected);
}

TEST_CASE("Peaks without a slot are counted", "[vertexing]") {
  using Space = HostExecutor;
  const Space exec;
  const auto tracks = vertexing::tracks_to_device<double>(
      exec, {test::toy_event(8, 30, 0, 1).tracks, test::toy_event(2, 30, 0, 2).tracks});
  vertexing::VertexParams params;
  params.max_vertices = 5;
  vertexing::Vertices<double, Space::memory_space> vertices;
  run_algorithm(exec, vertexing::FindVertices<double, Space>{params}, tracks, vertices);
  exec.fence();
  CHECK(vertices.count(0) == 5);
  CHECK(vertices.overflow(0) >= 3);
  CHECK(vertices.count(1) == 2);
  CHECK(vertices.overflow(1) == 0);
}

TEST_CASE("Vertices are allocated for their own tracks", "[vertexing]") {
  using Space = HostExecutor;
  const Space exec;
  auto tracks = vertexing::tracks_to_device<float>(exec, {test::toy_event(1, 30, 0, 1).tracks});
  vertexing::Vertices<float, Space::memory_space> vertices;
  const vertexing::FindVertices<float, Space> find;
  test::check_refused<UsageError>([&] { find(exec, tracks, vertices); }, "not allocated");
  auto wrong = find;
  wrong.params.bin_width = -1.;
  test::check_refused<UsageError>(
      [&] { wrong.allocate(GrowingMemory<Space>{exec}, tracks, vertices); }, "width of the bins");
  tracks.max_event_tracks = 40000;
  find.allocate(GrowingMemory<Space>{exec}, tracks, vertices);
  test::check_refused<CapacityError>([&] { find(exec, tracks, vertices); }, "40000 tracks");
}
