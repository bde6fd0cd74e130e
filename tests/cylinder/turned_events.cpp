// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain for cylinders, from hits to tracks that are compared with the truth, of an event that
// is turned about the z axis.
#include "checks.hpp"
#include "support/turned.hpp"

#include <trackplex/validation/cylinder_tracking.hpp>

using namespace trackplex;
using Catch::Matchers::WithinAbs;

namespace {

/// Hits are rounded to single precision.
tracks::TrackingEvents turned(const tracks::TrackingEvents& events, double angle) {
  auto result = events;
  result.particles = test::turned(events.particles, angle);
  const double c = std::cos(angle), s = std::sin(angle);
  auto& hits = result.hits;
  for (std::size_t i = 0; i < hits.x.size(); ++i) {
    const auto at =
        test::turned(geometry::Vector3<double>{{hits.x[i], hits.y[i], hits.z[i]}}, angle);
    hits.x[i] = float(at(0));
    hits.y[i] = float(at(1));
    auto& v = hits.covariance[i];
    const double xx = v[0], yx = v[1], yy = v[2], zx = v[3], zy = v[4];
    v[0] = float(c * c * xx - 2. * c * s * yx + s * s * yy);
    v[1] = float(c * s * (xx - yy) + (c * c - s * s) * yx);
    v[2] = float(s * s * xx + 2. * c * s * yx + c * c * yy);
    v[3] = float(c * zx - s * zy);
    v[4] = float(s * zx + c * zy);
  }
  return result;
}

validation::TrackingQuality quality_of(const tracks::TrackingEvents& event,
                                       const cylinder::TrackList& tracks) {
  return validation::quality_of(
      event, tracks, 3, {.phi = validation::BinEdges::regular(9, 0., 2. * std::numbers::pi)});
}

std::uint64_t total_of(const std::vector<validation::Efficiency>& bins) {
  std::uint64_t n = 0;
  for (const auto& bin : bins) n += bin.total;
  return n;
}

/// @param with_states whether states of seeds and of building are compared, too: those from seeds
/// of the truth depend on the axes, since the variances of their starts are squares of coordinates,
/// see `seeding::TruthSeeds`
void check_turned(const cylinder::CylinderResult& found, const cylinder::CylinderResult& expected,
                  double angle, bool with_states) {
  for (const auto list : {&cylinder::CylinderResult::seeds, &cylinder::CylinderResult::tracks}) {
    const auto &of_found = found.*list, &of_expected = expected.*list;
    REQUIRE(of_found.size() == of_expected.size());
    const auto order = test::by_hits(of_found), expected_order = test::by_hits(of_expected);
    for (std::size_t n = 0; n < order.size(); ++n) {
      const auto t = order[n], e = expected_order[n];
      CAPTURE(t, e);
      REQUIRE(std::ranges::equal(of_found.hits_of(t), of_expected.hits_of(e)));
      if (with_states) {
        CHECK_THAT(of_found.chi2[t], WithinAbs(of_expected.chi2[e], 0.01));
        test::check_turned(of_found.states[t], of_expected.states[e], angle, 1e-4, 0.01);
      }
      if (list == &cylinder::CylinderResult::seeds) continue;
      CHECK(found.fits[t].status == expected.fits[e].status);
      CHECK(found.fits[t].measurements == expected.fits[e].measurements);
      CHECK_THAT(found.fits[t].chi2, WithinAbs(expected.fits[e].chi2, 0.01));
      test::check_turned(found.fits[t].state, expected.fits[e].state, angle, 1e-4, 0.01);
    }
  }
}

void check_turned(const validation::TrackingQualityResult& found,
                  const validation::TrackingQualityResult& expected) {
  CHECK(found.good == expected.good);
  CHECK(found.fake == expected.fake);
  CHECK(found.efficiency.passed == expected.efficiency.passed);
  CHECK(total_of(found.efficiency_phi) == found.efficiency.total);
  CHECK(total_of(found.fake_rate_phi) == found.good + found.fake);
}

}  // namespace

TEST_CASE("an event on cylinders and the same event turned have the same tracks", "[cylinder]") {
  auto params = test::tracking_params();
  params.triplets.max_per_event = 10000;
  const auto event = *test::cylinder_events()[3];
  auto chain = cylinder::tracking_chain<double>(test::FirstSpace(), params);
  for (const bool triplets : {false, true})
    for (const bool smooth : {false, true}) {
      CAPTURE(triplets, smooth);
      chain.select(cylinder::CylinderSteps{
          .triplets = triplets, .resolve_ambiguities = triplets, .smooth = smooth}
                       .names());
      const auto expected = chain(std::vector{event}).at(0);
      REQUIRE(expected.tracks.size() > 150);
      REQUIRE(expected.lost_seeds == 0);
      const auto quality = quality_of(event, expected.tracks);
      for (const double angle : test::turns) {
        CAPTURE(angle);
        const auto other = turned(event, angle);
        const auto found = chain(std::vector{other}).at(0);
        check_turned(found, expected, angle, triplets);
        const auto found_quality = quality_of(other, found.tracks);
        for (const auto definition :
             {validation::TrackDefinition::d1, validation::TrackDefinition::d2,
              validation::TrackDefinition::d3})
          check_turned(found_quality.result(definition), quality.result(definition));
      }
    }
}
