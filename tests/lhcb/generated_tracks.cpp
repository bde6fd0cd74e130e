// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <trackplex/validation/long_id_tracks.hpp>
#include <trackplex/validation/momentum_resolution.hpp>
#include <trackplex/validation/scifi_residuals.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>
#include <trackplex/validation/vertex_validation.hpp>

#include "lhcb/velo_vertices.hpp"

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

/// The tracks chain finds what the generator makes.

using namespace trackplex;

namespace {

struct GeneratedSample {
  lhcb::Detector detector = simulation::ideal_detector();
  std::vector<lhcb::RawEvent> events;
  std::vector<lhcb::McEvent> truth;

  explicit GeneratedSample(float polarity, int n = 60) {
    detector.scifi = simulation::ideal_scifi();
    detector.polarity = polarity;
    const simulation::RawEventGenerator generate(detector, {}, 8);
    for (int i = 0; i < n; ++i) {
      auto event = generate(std::uint64_t(i));
      events.push_back(std::move(event.raw));
      truth.push_back(std::move(event.truth));
    }
  }
  std::vector<lhcb::TracksResult> find(lhcb::LongTrackMethod method) const {
    lhcb::TracksParams params;
    params.method = method;
    params.long_tracks.without_ut = method == lhcb::LongTrackMethod::forward;
    return lhcb::tracks_chain<float>(HostExecutor(), detector, params)(events);
  }
  validation::IdValidationResult compare(const std::vector<lhcb::TracksResult>& found) const {
    auto comparison = validation::long_track_validation(true);
    for (std::size_t e = 0; e < found.size(); ++e)
      comparison.add(truth[e],
                     validation::long_id_tracks(found[e], validation::velo_id_tracks(found[e])));
    return comparison.result();
  }
};

}  // namespace

TEST_CASE("Long tracks of generated events are those of their truth", "[lhcb]") {
  using enum lhcb::LongTrackMethod;
  const auto check = [](const GeneratedSample& sample, lhcb::LongTrackMethod method,
                        double all_long, double fast_long) {
    const auto all = sample.compare(sample.find(method));
    const auto momenta = validation::momentum_resolution(all.momenta);
    const auto efficiency = [&](const char* name) {
      return double(all[name].found) / double(all[name].particles);
    };
    CAPTURE(int(method), sample.detector.polarity, efficiency("Long"),
            efficiency("Long p>3GeV pT>0.5GeV"), all.ghosts, all.tracks, all.fast_ghosts,
            all.fast_tracks, momenta.bias, momenta.resolution);
    CHECK(all["Long"].particles > 2500);
    CHECK(efficiency("Long") > all_long);
    CHECK(efficiency("Long p>3GeV pT>0.5GeV") > fast_long);
    CHECK(all["Long"].clones < 5);
    CHECK(all.ghost_rate().value() < 0.08);
    CHECK(all.fast_ghost_rate().value() < 0.06);
    CHECK(std::abs(momenta.bias) < 0.003);
    CHECK(momenta.resolution > 0.004);
    CHECK(momenta.resolution < 0.009);
    CHECK(momenta.right_charges == momenta.charges);
  };
  for (const float polarity : {-1.f, 1.f}) {
    const GeneratedSample sample(polarity);
    check(sample, both, 0.77, 0.94);
    check(sample, forward, 0.65, 0.94);
    check(sample, matching, 0.6, 0.72);
  }
}

TEST_CASE("Hits and vertices of generated events are those of their truth", "[lhcb]") {
  const GeneratedSample sample(-1.f);
  const auto found = sample.find(lhcb::LongTrackMethod::both);
  validation::VertexValidation vertices;
  validation::ScifiResiduals residuals;
  for (std::size_t e = 0; e < found.size(); ++e) {
    const auto& list = found[e].scifi_hits;
    CHECK(list.invalid == 0);
    const std::set<std::uint32_t> ids(list.ids.begin(), list.ids.end());
    CHECK(ids.size() == list.size());
    std::size_t lost = 0;
    for (const auto& particle : sample.truth[e].particles)
      for (const auto id : particle.scifi_ids) lost += ids.count(id) == 0;
    CHECK(lost == 0);
    vertices.add(found[e].vertices, test::true_vertices(sample.truth[e]));
    residuals.add(found[e]);
  }
  const auto& sums = vertices.sums();
  CAPTURE(sums.found, sums.reconstructible, sums.false_vertices, residuals.all().mean(),
          residuals.crossing().mean());
  CHECK(sums.reconstructible > 250);
  CHECK(double(sums.found) > 0.92 * double(sums.reconstructible));
  CHECK(double(sums.false_vertices) < 0.06 * double(sums.reconstructible));
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(validation::half_width_68(vertices.residuals(k)) < (k < 2 ? 0.015 : 0.08));
    CHECK(validation::half_width_68(vertices.pulls(k)) > 0.7);
    CHECK(validation::half_width_68(vertices.pulls(k)) < 1.2);
  }
  CHECK(residuals.crossing().tracks > 100);
  CHECK_FALSE(residuals.suspicious());
}
