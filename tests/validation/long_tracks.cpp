// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/velo_track_arrays.hpp>
#include <trackplex/validation/long_fit_validation.hpp>
#include <trackplex/validation/long_id_tracks.hpp>
#include <trackplex/validation/momentum_resolution.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace trackplex;
using namespace trackplex::validation;
using Ids = std::vector<std::uint32_t>;

/// Arrays of an event: three VELO tracks of three hits each, the second with hits in the UT.
struct LongEvent {
  Ids velo_ids{101, 102, 103, 104, 105, 106, 107, 108, 109}, ut_ids{201, 202, 203}, scifi_ids;
  test::VeloTrackArrays velo_tracks;
  std::vector<lhcb::UtTrack> ut_tracks;
  std::vector<lhcb::LongTrack> long_tracks;

  LongEvent() {
    for (std::uint32_t i = 0; i < 24; ++i) scifi_ids.push_back(301 + i);
    for (std::uint16_t t = 0; t < 3; ++t) {
      lhcb::VeloTrackState state;
      state.tx = 0.03 * (t + 1);
      state.ty = 0.04 * (t + 1);
      const auto first = std::uint16_t(3 * t);
      velo_tracks.push_back(
          std::vector<std::uint16_t>{first, std::uint16_t(first + 1), std::uint16_t(first + 2)},
          state);
    }
    lhcb::UtTrack ut;
    ut.velo_track = 1;
    ut.hits = {2, -1, 0, 1};
    ut_tracks.push_back(ut);
    lhcb::LongTrack track;
    track.velo_track = 1;
    track.ut_track = 0;
    for (int layer = 0; layer < lhcb::scifi_layers; ++layer)
      track.hits[std::size_t(layer)] = layer == 4 ? -1 : 2 * layer;
    track.qop = -1. / 8000.;
    long_tracks.push_back(track);
    track.velo_track = 2;
    track.ut_track = -1;
    for (auto& hit : track.hits) hit = hit < 0 ? 9 : hit + 1;
    track.qop = 1. / 2500.;
    long_tracks.push_back(track);
  }

  lhcb::TracksResult result() const {
    lhcb::TracksResult event;
    event.velo_hits.ids = velo_ids;
    event.ut_hits.ids = ut_ids;
    event.scifi_hits.ids = scifi_ids;
    event.velo_tracks = velo_tracks;
    event.ut_tracks = ut_tracks;
    event.long_tracks = long_tracks;
    return event;
  }
};

/// A particle in all detectors.
lhcb::McParticle mc_particle(std::uint32_t key, std::uint32_t mother, Ids velo, Ids scifi) {
  lhcb::McParticle q;
  q.key = key;
  q.mother_key = mother;
  q.pid = 211;
  q.p = 8200.f;
  q.pt = 600.f;
  q.eta = 3.f;
  q.charge = -1.f;
  q.has_velo = q.has_ut = q.has_scifi = q.is_long = true;
  q.velo_ids = std::move(velo);
  q.scifi_ids = std::move(scifi);
  return q;
}

/// What the two tracks match: the first one a mother and her daughter, who share its SciFi hits,
/// the second one nothing.
lhcb::McEvent mother_and_daughter() {
  return {"event",
          {mc_particle(1, 1000, {104, 105, 106}, {301, 303, 305, 307}),
           mc_particle(2, 1, {}, {311, 313, 315, 317, 319, 321, 323}),
           mc_particle(3, 1000, {107, 108}, {302})},
          {}};
}

std::vector<MomentumPair> pairs(std::vector<double> errors, double truth, bool right) {
  std::vector<MomentumPair> list;
  for (const double error : errors) list.push_back({truth * (1. + error), truth, right, true});
  return list;
}

}  // namespace

TEST_CASE("Long tracks are lists of the ids of their hits", "[validation]") {
  const LongEvent event;
  const auto result = event.result();
  const auto tracks = long_id_tracks(result, velo_id_tracks(result));
  REQUIRE(tracks.size() == 2);
  CHECK(tracks[0].velo_ids == Ids{104, 105, 106});
  CHECK(tracks[0].ut_ids == Ids{203, 201, 202});
  CHECK(tracks[0].scifi_ids == Ids{301, 303, 305, 307, 311, 313, 315, 317, 319, 321, 323});
  CHECK(tracks[0].charge == -1);
  CHECK(tracks[0].p == Catch::Approx(8000.));
  CHECK(tracks[0].eta == Catch::Approx(std::asinh(1. / 0.1)));
  CHECK(tracks[1].velo_ids == Ids{107, 108, 109});
  CHECK(tracks[1].ut_ids.empty());
  CHECK(tracks[1].scifi_ids == Ids{302, 304, 306, 308, 310, 312, 314, 316, 318, 320, 322, 324});
  CHECK(tracks[1].charge == 1);
}

TEST_CASE("Long tracks are compared with mothers and daughters, and events add up",
          "[validation]") {
  const LongEvent event;
  const auto result = event.result();
  const auto tracks = long_id_tracks(result, velo_id_tracks(result));
  auto first = long_track_validation(true);
  first.add(mother_and_daughter(), tracks);
  const auto& one = first.result();
  CHECK(one["Long"].particles == 3);
  CHECK(one["Long"].found == 2);
  CHECK(one.tracks == 2);
  CHECK(one.ghosts == 1);
  CHECK(one.fast_tracks == 1);  // the ghost has 2.5 GeV
  CHECK(one.fast_ghosts == 0);
  CHECK(one.momenta.size() == 2);
  auto second = long_track_validation(true);
  second.add(mother_and_daughter(), {});
  auto sum = one;
  sum += second.result();
  sum += one;
  CHECK(sum.events == 3);
  CHECK(sum["Long p>3GeV pT>0.5GeV"].particles == 9);
  CHECK(sum["Long p>3GeV pT>0.5GeV"].found == 4);
  CHECK(sum.ghost_rate() == Efficiency{2, 4});
  CHECK(sum.fast_ghost_rate() == Efficiency{0, 2});
  CHECK(sum.momenta.size() == 4);
  // all at once, in another order
  auto together = long_track_validation(true);
  together.add(mother_and_daughter(), {});
  together.add(mother_and_daughter(), tracks);
  together.add(mother_and_daughter(), tracks);
  CHECK(together.result() == sum);
}

TEST_CASE("Fast tracks are those with p and pT above the limits", "[validation]") {
  const auto fast = [](double p, double eta) {
    IdTrack track{{1, 2, 3}, {}, eta, p, 1, {}};
    auto validation = long_track_validation();
    validation.add({"event", {}, {}}, std::vector{track});
    CHECK(validation.result().fast_ghosts == validation.result().fast_tracks);
    return validation.result().fast_tracks;
  };
  const double eta = std::acosh(10.);  // pT is p/10
  CHECK(fast(5001., eta) == 1);
  CHECK(fast(4999., eta) == 0);
  CHECK(fast(3001., 2.1) == 1);
  CHECK(fast(2999., 2.1) == 0);
  CHECK(fast(1e6, 1.9) == 0);  // not in the range of eta
}

TEST_CASE("Momentum resolution is the half width of 68 % around the median", "[validation]") {
  std::vector<double> errors;
  for (int i = -50; i <= 50; ++i) errors.push_back(0.01 + 0.001 * i);
  auto list = pairs(errors, 15000., true);
  const auto all = momentum_resolution(list);
  CHECK(all.pairs == 101);
  CHECK(all.bias == Catch::Approx(0.01));
  CHECK(all.resolution == Catch::Approx(0.034));
  CHECK((all.charges == 101 && all.right_charges == 101));
  CHECK(momentum_resolution({}) ==
        MomentumBin{0., std::numeric_limits<double>::infinity(), 0, 0., 0., 0, 0});

  const auto slow = pairs({0.1, 0.2, 0.3}, 2000., false), more = pairs({-0.5}, 90000., true);
  list.insert(list.end(), slow.begin(), slow.end());
  list.insert(list.end(), more.begin(), more.end());
  list.push_back({1., 1., false, false});  // of no charge, below the first edge
  const auto bins = momentum_bins(list, std::vector{1000., 10000., 20000.});
  REQUIRE(bins.size() == 3);
  CHECK((bins[0].pairs == 3 && bins[1].pairs == 101 && bins[2].pairs == 1));
  CHECK(bins[0].bias == Catch::Approx(0.2));
  CHECK((bins[0].charges == 3 && bins[0].right_charges == 0));
  CHECK((bins[1].min_p == 10000. && bins[1].max_p == 20000.));
  CHECK(bins[1].resolution == all.resolution);
  CHECK(bins[2].max_p == std::numeric_limits<double>::infinity());
  CHECK(momentum_resolution(list).charges == 105);
}

TEST_CASE("Matches of long tracks are those of the last event", "[validation]") {
  const LongEvent event;
  const auto result = event.result();
  const auto tracks = long_id_tracks(result, velo_id_tracks(result));
  auto all = long_track_validation();
  all.add(mother_and_daughter(), tracks);
  REQUIRE(all.matches().size() == 2);
  CHECK(all.matches()[0].track == 0);
  CHECK(all.matches()[0].particle == 0);
  CHECK(all.matches()[1].particle == 1);
  all.add(mother_and_daughter(), {});
  CHECK(all.matches().empty());
}

TEST_CASE("Fits of long tracks are compared with momentum, origin and direction", "[validation]") {
  const LongEvent event;
  auto result = event.result();
  // 0.1 mm and -0.2 mm off an origin 10 mm upstream, 1e-3 off in dx/dz
  const double tx = std::cos(0.5) / std::sinh(3.), ty = std::sin(0.5) / std::sinh(3.);
  lhcb::LongTrackFit fit{1. + 0.1 + 10. * (tx + 1e-3),
                         2. - 0.2 + 10. * ty,
                         30.,
                         tx + 1e-3,
                         ty,
                         -1.01 / 8200.,
                         {},
                         16.,
                         20};
  for (const int i : {0, 2, 5, 9}) fit.covariance[std::size_t(i)] = i < 5 ? 0.01 : 1e-6;
  fit.covariance[14] = 1e-12;
  const std::vector<lhcb::LongTrackFit> fits = {fit, fit};
  result.long_fits = fits;
  auto truth = mother_and_daughter();
  for (auto& q : truth.particles) {
    q.origin_x = 1.f;
    q.origin_y = 2.f;
    q.origin_z = 20.f;
    q.phi = 0.5f;
  }
  truth.vertices = {{5, 1., 2., 20.}};
  using Matches = std::vector<IdValidation::Match>;
  LongFitValidation all;
  all.add(truth, result, Matches{{0, 0}, {5, 1}});  // the second track has no fit
  REQUIRE(all.tracks().size() == 1);
  const auto& track = all.tracks()[0];
  CHECK(track.p == Catch::Approx(8200.));
  CHECK(track.search_error == Catch::Approx(8000. / 8200. - 1.));
  CHECK(track.error == Catch::Approx(1. / 1.01 - 1.));
  CHECK(track.qop_pull == Catch::Approx(-0.01 / 8200. / 1e-6));
  CHECK(track.chi2_per_ndf == Catch::Approx(0.8));
  REQUIRE(all.impacts().size() == 1);
  const auto& impact = all.impacts()[0];
  CHECK(impact.x == Catch::Approx(0.1));
  CHECK(impact.y == Catch::Approx(-0.2));
  const double error = std::sqrt(0.01 + 100. * 1e-6);
  CHECK(impact.x_pull == Catch::Approx(0.1 / error));
  CHECK(impact.y_pull == Catch::Approx(-0.2 / error));
  CHECK(impact.tx_pull == Catch::Approx(1.).margin(1e-4));
  CHECK(impact.ty_pull == Catch::Approx(0.).margin(1e-4));
  CHECK(all.vertex_impacts().empty());

  // with vertices, one of which is near; a particle from elsewhere, an electron, a neutral one
  const std::vector<vertexing::Vertex> vertices = {
      {{0., 0., 50.}, {1., 0., 1., 0., 0., 1.}, 5., 5},
      {{1.1, 2., 20.}, {0.01, 0., 0.01, 0., 0., 0.01}, 5., 5}};
  result.vertices = vertices;
  truth.particles[0].origin_z = 25.f;
  truth.particles[1].pid = -11;
  truth.particles[2].charge = 0.f;
  all.add(truth, result, Matches{{0, 0}, {0, 1}, {0, 2}});
  CHECK(all.tracks().size() == 2);
  CHECK(all.impacts().size() == 1);
  truth.particles[0].origin_z = 20.f;
  all.add(truth, result, Matches{{1, 0}});
  CHECK(all.impacts().size() == 2);
  REQUIRE(all.vertex_impacts().size() == 1);
  CHECK(all.vertex_impacts()[0].x == Catch::Approx(0.).margin(1e-6));
  CHECK(all.vertex_impacts()[0].y == Catch::Approx(-0.2));
  CHECK(all.vertex_impacts()[0].y_pull == Catch::Approx(-0.2 / std::sqrt(0.0201 + ty * ty * 0.01)));
}
