// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lhcb/velo_vertices.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

namespace {

const lhcb::Detector& detector() {
  static const auto ideal = simulation::ideal_detector();
  return ideal;
}

const std::vector<simulation::GeneratedRawEvent>& generated_events() {
  static const auto generated = [] {
    const simulation::RawEventGenerator generate(detector(), {}, 29);
    std::vector<simulation::GeneratedRawEvent> events;
    for (std::uint64_t i = 0; i < 20; ++i) events.push_back(generate(i));
    return events;
  }();
  return generated;
}

std::vector<lhcb::RawEvent> raw_events() {
  std::vector<lhcb::RawEvent> events;
  for (const auto& event : generated_events()) events.push_back(event.raw);
  events[2].vp = {};
  return events;
}

/// One coordinate of a track filtered towards the beam: position, slope and their covariance at the
/// last hit.
struct Filtered {
  double x, slope, xx, xt, tt, z;
};

Filtered filtered(const std::vector<std::array<double, 2>>& hits, double slope, double noise) {
  const double variance = 1. / lhcb::velo_beam_filter.inverse_variance;
  Filtered f{hits[0][0], slope, variance, 0., 1., hits[0][1]};
  for (std::size_t h = 1; h < hits.size(); ++h) {
    const double dz = hits[h][1] - f.z, tt = f.tt + noise;
    const double pxx = f.xx + 2. * dz * f.xt + dz * dz * tt, pxt = f.xt + dz * tt;
    const double gain_x = pxx / (pxx + variance), gain_t = pxt / (pxx + variance);
    const double residual = hits[h][0] - (f.x + dz * f.slope);
    f = {f.x + dz * f.slope + gain_x * residual,
         f.slope + gain_t * residual,
         pxx - gain_x * pxx,
         pxt - gain_x * pxt,
         tt - gain_t * pxt,
         hits[h][1]};
  }
  f.tt += noise;
  return f;
}

/// Compares the states at the beam of all tracks with filters in double precision.
template <int Width, class T, class Space>
void check_states(double tolerance) {
  const auto events = raw_events();
  const auto made = test::velo_at_beam<T, Width>(Space(), detector(), events,
                                                 lhcb::velo_params(lhcb::VeloConstants::y2023));
  const auto hits = enqueue_copy<lhcb::VeloHits<T, Kokkos::HostSpace>>(Space(), made.hits);
  const auto tracks = enqueue_copy<lhcb::VeloTracks<Kokkos::HostSpace>>(Space(), made.tracks);
  const auto lines = enqueue_copy<lhcb::LineStates<T, Kokkos::HostSpace>>(Space(), made.lines);
  const auto found =
      enqueue_copy<vertexing::TracksAtBeam<T, Kokkos::HostSpace>>(Space(), made.at_beam);
  Space().fence();
  int usable = 0, backward = 0, all = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto slot = lhcb::first_slot(hits.event_offsets(e), int(e), tracks.hits_per_slot);
    REQUIRE(found.first(e) == slot);
    REQUIRE(found.count(e) == tracks.count(e));
    for (std::size_t t = slot; t < slot + tracks.count(e); ++t) {
      std::vector<std::array<double, 2>> x, y;
      for (int h = 0; h < int(tracks.length(t)); ++h) {
        const auto hit = hits.event_offsets(e) + tracks.hits(std::size_t(h) * tracks.slots + t);
        x.push_back({double(hits.x(hit)), double(hits.z(hit))});
        y.push_back({double(hits.y(hit)), double(hits.z(hit))});
      }
      if (lines.backward(t)) {
        std::reverse(x.begin(), x.end());
        std::reverse(y.begin(), y.end());
        ++backward;
      }
      const double tx = double(lines.tx(t)), ty = double(lines.ty(t));
      const double noise = 1e-8 + 2e-5 * (tx * tx + ty * ty);
      const auto fx = filtered(x, tx, noise), fy = filtered(y, ty, noise);
      const double d =
          -(fx.x * fx.slope + fy.x * fy.slope) / (fx.slope * fx.slope + fy.slope * fy.slope);
      CAPTURE(e, t, int(tracks.length(t)), int(lines.backward(t)), fx.z, d);
      ++all;
      CHECK(std::abs(double(found.z(t)) - (fx.z + d)) < 1e-3 + 3e4 * tolerance);
      if (d * fx.xt < 0. || d * fy.xt < 0.) {
        CHECK((found.wxx(t) == 0 || std::abs(d) < 0.1));
        continue;
      }
      ++usable;
      // the filter begins with a large variance, from which single precision recovers less
      const auto near = [&](T value, double right) {
        return std::abs(double(value) / right - 1.) < (sizeof(T) == 4 ? 0.05 : 1e-7);
      };
      CHECK(std::abs(double(found.tx(t)) - fx.slope) < tolerance);
      CHECK(std::abs(double(found.ty(t)) - fy.slope) < tolerance);
      CHECK(near(found.wxx(t), 1. / (fx.xx + 2. * d * fx.xt + d * d * fx.tt)));
      CHECK(near(found.wyy(t), 1. / (fy.xx + 2. * d * fy.xt + d * d * fy.tt)));
      CHECK(found.wxy(t) == 0);
    }
  }
  CHECK(all > 3000);
  CHECK(usable > 9 * all / 10);
  CHECK(backward > all / 10);
}

template <class T, int Width, class Space>
auto vertices(int team_size = 0) {
  return test::velo_vertices<T, Width, Space>(
      detector(), raw_events(), lhcb::velo_params(lhcb::VeloConstants::y2023), team_size);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("VELO tracks have the state of a filter at the beam", "[lhcb]",
                        test::EnabledSpaces) {
  check_states<default_lane_width<TestType, double>, double, TestType>(1e-9);
  check_states<default_lane_width<TestType, float>, float, TestType>(2e-3);
}

TEST_CASE("Vertices of generated events are found", "[lhcb]") {
  using Space = HostExecutor;
  const auto& events = generated_events();
  const auto found = vertices<float, default_lane_width<Space, float>, Space>();
  REQUIRE(found.size() == events.size());
  validation::VertexValidation sums;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (e == 2)
      CHECK(found[e].empty());
    else
      sums.add(found[e], test::true_vertices(events[e].truth));
  }
  using validation::half_width_68;
  const auto& counts = sums.sums();
  CAPTURE(counts.reconstructible, counts.found, counts.false_vertices, counts.duplicates);
  CHECK(counts.reconstructible > 70);
  CHECK(counts.found > counts.reconstructible * 9 / 10);
  CHECK(counts.false_vertices + counts.duplicates <= 2);
  CHECK(half_width_68(sums.residuals(0)) < 0.02);  // mm
  CHECK(half_width_68(sums.residuals(2)) < 0.15);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(half_width_68(sums.pulls(k)) > 0.6);
    CHECK(half_width_68(sums.pulls(k)) < 1.4);
  }
}

TEMPLATE_LIST_TEST_CASE("Vertices are the same in all spaces", "[lhcb]", test::EnabledSpaces) {
  using Space = HostExecutor;
  constexpr int width = default_lane_width<Space, float>;
  const auto expected = vertices<float, width, Space>();
  CHECK(vertices<float, default_lane_width<TestType, float>, TestType>() == expected);
  CHECK(vertices<float, default_lane_width<TestType, float>, TestType>(
            is_host_space<TestType> ? int(TestType().concurrency()) : 64) == expected);
}
