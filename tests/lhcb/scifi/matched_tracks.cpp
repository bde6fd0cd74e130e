// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lhcb/scifi/matched_tracks.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>
#include <set>
#include <vector>

#include "support/spaces.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

test::ForwardTrack track_of(double tx, double ty, double qop) {
  return {0.1, -0.2, tx, ty, qop, false, {}, 0., 0.};
}

/// An event of tracks that are straight in y, with exact hits in all layers but the missing ones.
test::ForwardEvent exact_event(std::vector<test::ForwardTrack> tracks,
                               const std::set<int>& missing = {}) {
  test::ForwardEvent event;
  int truth = 0;
  for (auto& track : tracks) {
    const auto curve = test::forward_truth(track, test::host_magnet());
    track.x_end = curve.at(lhcb::scifi_end_z);
    track.tx_end = curve.slope_at(lhcb::scifi_end_z);
    for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
      const auto l = std::size_t(layer);
      track.hits[l] = missing.count(layer) ? -1 : truth;
      if (missing.count(layer)) continue;
      const double z = lhcb::scifi_z[l], y = track.y + track.ty * z;
      event.hits.push_back(
          {curve.at(z) - y * lhcb::scifi_dxdy[l], z, 2 * layer + (y > 0. ? 1 : 0), truth++});
    }
  }
  event.tracks = tracks;
  std::stable_sort(event.hits.begin(), event.hits.end(), [](const auto& a, const auto& b) {
    return a.zone != b.zone ? a.zone < b.zone : a.x < b.x;
  });
  return event;
}

/// Number of the hits of a track, as found, that are those of a particle.
template <class Track>
int right_hits(const test::ForwardEvent& event, const Track& found,
               const test::ForwardTrack& particle) {
  int right = 0;
  for (std::size_t layer = 0; layer < lhcb::scifi_layers; ++layer) {
    const int hit = found.hits[layer];
    right += hit >= 0 && particle.hits[layer] >= 0 &&
             event.hits[std::size_t(hit)].truth == particle.hits[layer];
  }
  return right;
}

const std::vector<test::ForwardEvent>& matched_events() {
  static const auto made = [] {
    std::vector<test::ForwardEvent> all;
    for (const unsigned seed : {1u, 2u, 3u})
      all.push_back(test::forward_event(test::host_magnet(), 20, 60, seed));
    all.push_back(test::forward_event(test::host_magnet(), 0, 100, 4));
    all.push_back(test::forward_event(test::host_magnet(), 5, 0, 5));
    all.back().hits.clear();
    all.push_back(test::forward_event(test::host_magnet(), 75, 20, 6));
    return all;
  }();
  return made;
}

constexpr int lanes = default_lane_width<HostExecutor, double>;

test::MatchedOnHost match(const std::vector<test::ForwardEvent>& all,
                          const test::MatchingParams& params) {
  return test::match_on<double, lanes, HostExecutor>(all, params);
}

}  // namespace

TEST_CASE("A track in the SciFi has the hits and the state of its particle", "[lhcb]") {
  for (const double qop : {1e-5, -1e-4, 2e-4, -2e-4})
    for (const double tx : {-0.15, 0.01, 0.2})
      for (const double ty : {-0.1, -0.01, 0.05}) {
        CAPTURE(qop, tx, ty);
        const auto event = exact_event({track_of(tx, ty, qop)});
        const auto& particle = event.tracks[0];
        const auto found = match({event}, test::only_matching()).scifi[0];
        REQUIRE(found.size() == 1);
        CHECK(found[0].length == lhcb::scifi_layers);
        CHECK(right_hits(event, found[0], particle) == lhcb::scifi_layers);
        CHECK(found[0].quality < 0.01);
        CHECK(std::abs(found[0].x - particle.x_end) < 0.2);
        CHECK(std::abs(found[0].tx - particle.tx_end) < 1e-3);
        CHECK(std::abs(found[0].y - particle.y - particle.ty * lhcb::scifi_end_z) < 1.);
        CHECK(std::abs(found[0].ty - particle.ty) < 1e-3);
      }
}

TEST_CASE("A track in the SciFi may lack hits of some layers", "[lhcb]") {
  const auto found = [](const std::set<int>& missing, int min_hits = 10) {
    auto params = test::only_matching();
    params.seeding.min_hits = min_hits;
    const auto event = exact_event({track_of(0.05, 0.1, 2e-4)}, missing);
    const auto tracks = match({event}, params).scifi[0];
    for (const auto& track : tracks) {
      CHECK(track.length == int(lhcb::scifi_layers - missing.size()));
      CHECK(right_hits(event, track, event.tracks[0]) == track.length);
    }
    return tracks.size();
  };
  for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
    CAPTURE(layer);
    CHECK(found({layer}) == 1);
    CHECK(found({layer}, 11) == 1);
    CHECK(found({layer}, 12) == 0);
  }
  CHECK(found({5, 8}) == 1);
  CHECK(found({5, 9}) == 1);
  CHECK(found({0, 1, 2}) == 0);
  CHECK(found({0, 1, 2}, 9) == 1);
  CHECK(found({0, 4}) == 0);  // of both types of triplets a hit is missing
}

TEST_CASE("Tracks in the SciFi share few hits", "[lhcb]") {
  // apart by less than the tolerance of hits
  const auto event = exact_event({track_of(0.05, 0.1, 2e-4), track_of(0.05002, 0.1, 2e-4)});
  for (const double max_shared : {0.5, 2.}) {
    auto params = test::only_matching();
    params.seeding.max_shared = max_shared;
    const auto found = match({event}, params).scifi[0];
    std::size_t shared = 0;
    std::set<int> hits;
    for (const auto& track : found)
      for (const int hit : track.hits) shared += hit >= 0 && !hits.insert(hit).second;
    CAPTURE(found.size(), shared);
    CHECK((max_shared > 1. || 2 * shared < lhcb::scifi_layers));
    CHECK(!found.empty());
  }
}

TEMPLATE_LIST_TEST_CASE("Matched tracks are those of the truth", "[lhcb]", test::EnabledSpaces) {
  for (const double polarity : {-1., 1.}) {
    auto params = test::only_matching();
    params.seeding.min_p = 2000.;
    params.polarity = polarity;
    const auto check = [&](const test::MatchedOnHost& found) {
      int tracks = 0, right = 0, with_ut = 0, scifi = 0;
      for (std::size_t e = 0; e < matched_events().size(); ++e) {
        const auto& event = matched_events()[e];
        scifi += int(found.scifi[e].size());
        std::set<int> velo_tracks;
        for (const auto& track : found.long_tracks[e]) {
          const auto& particle = event.tracks[std::size_t(track.velo_track)];
          CHECK(velo_tracks.insert(track.velo_track).second);
          ++tracks;
          if (10 * right_hits(event, track, particle) < 7 * track.length) continue;
          ++right;
          with_ut += track.ut_track >= 0;
          CHECK((track.ut_track >= 0) == particle.in_ut);
          CHECK(std::abs(track.qop * -polarity / particle.qop - 1.) < 0.05);
          CHECK(std::abs(track.x - particle.x_end) < 1.);
        }
      }
      CAPTURE(polarity, tracks, right, with_ut, scifi);
      CHECK(right >= 95);  // of 135
      CHECK(tracks <= right + 8);
      CHECK(with_ut < right);
      CHECK(scifi < 160);
    };
    check(test::match_on<float, 1, TestType>(matched_events(), params));
    check(test::match_on<double, 1, TestType>(matched_events(), params));
  }
}

TEST_CASE("The matching takes the hits and tracks that the forward search leaves", "[lhcb]") {
  test::MatchingParams params;
  params.forward.max_quality = 0.01;  // leaves some
  params.seeding.min_p = 2000.;
  const auto before =
      test::find_long_tracks_on<double, lanes, HostExecutor>(matched_events(), params.forward);
  const auto found = match(matched_events(), params);
  std::size_t n_before = 0, n = 0;
  for (std::size_t e = 0; e < matched_events().size(); ++e) {
    const auto& tracks = found.long_tracks[e];
    REQUIRE(tracks.size() >= before[e].size());
    CHECK(std::equal(before[e].begin(), before[e].end(), tracks.begin()));
    std::set<int> hits, velo_tracks;
    for (const auto& track : before[e]) {
      hits.insert(track.hits.begin(), track.hits.end());
      velo_tracks.insert(track.velo_track);
    }
    hits.erase(-1);
    for (const auto& track : found.scifi[e])
      for (const int hit : track.hits) CHECK(hits.count(hit) == 0);
    for (auto t = before[e].size(); t < tracks.size(); ++t)
      CHECK(velo_tracks.insert(tracks[t].velo_track).second);
    n_before += before[e].size();
    n += tracks.size();
  }
  CAPTURE(n_before, n);
  CHECK(n_before > 20);
  CHECK(n > n_before + 20);
}

TEST_CASE("A VELO track gets the track in the SciFi that matches it best", "[lhcb]") {
  auto event = exact_event({track_of(0.05, 0.1, 2e-4), track_of(-0.1, -0.1, -1e-4)});
  auto near = event.tracks[0];  // which left no hits
  near.tx += 0.002;
  event.tracks.insert(event.tracks.begin(), near);
  auto params = test::only_matching();
  const auto numbers = [&] {
    const auto found = match({event}, params);
    std::vector<int> all;
    for (const auto& track : found.long_tracks[0]) all.push_back(track.velo_track);
    return all;
  };
  CHECK(numbers() == std::vector{1, 2});
  const auto none = [&](double lhcb::MatchParams::*member, double value) {
    params = test::only_matching();
    params.matching.*member = value;
    return numbers().empty();
  };
  CHECK(none(&lhcb::MatchParams::max_abs_tx, 0.04));
  CHECK(none(&lhcb::MatchParams::max_abs_ty, 0.09));
  CHECK(none(&lhcb::MatchParams::max_tx_difference, 0.05));
  CHECK(none(&lhcb::MatchParams::max_ty_difference, 0.));
  CHECK(none(&lhcb::MatchParams::max_x_difference, 0.));
  CHECK(none(&lhcb::MatchParams::max_y_difference, 0.));
  CHECK(none(&lhcb::MatchParams::max_chi2, 0.));
}

TEST_CASE("Parameters of seeding and matching out of their range are refused", "[lhcb]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refuses = [](const char* name, const auto& params) {
    CHECK_THROWS_MATCHES(lhcb::check(params), UsageError, MessageMatches(ContainsSubstring(name)));
  };
  using Seeding = lhcb::SeedingParams;
  using Match = lhcb::MatchParams;
  const auto with = [](auto params, auto member, auto value) {
    params.*member = value;
    return params;
  };
  for (const int hits : {8, 13})
    refuses("least number of hits", with(Seeding(), &Seeding::min_hits, hits));
  for (const int candidates : {0, 17})
    refuses("number of candidates", with(Seeding(), &Seeding::candidates, candidates));
  for (const double bad : {0., nan}) {
    refuses("least momentum", with(Seeding(), &Seeding::min_p, bad));
    refuses("shared hits", with(Seeding(), &Seeding::max_shared, bad));
  }
  for (const double bad : {-1., nan}) {
    refuses("curvature", with(Seeding(), &Seeding::curvature_tolerance, bad));
    refuses("hits in x layers", with(Seeding(), &Seeding::x_distance2, bad));
    refuses("hits in stereo layers", with(Seeding(), &Seeding::stereo_distance2, bad));
    refuses("largest y", with(Seeding(), &Seeding::max_y, bad));
    refuses("largest quality", with(Seeding(), &Seeding::max_quality, bad));
    refuses("largest slope in x", with(Match(), &Match::max_abs_tx, bad));
    refuses("largest slope in y", with(Match(), &Match::max_abs_ty, bad));
    refuses("change of the slope in x", with(Match(), &Match::max_tx_difference, bad));
    refuses("change of the slope in y", with(Match(), &Match::max_ty_difference, bad));
    refuses("distance in x", with(Match(), &Match::max_x_difference, bad));
    refuses("distance in y", with(Match(), &Match::max_y_difference, bad));
    refuses("largest chi2", with(Match(), &Match::max_chi2, bad));
    refuses("difference of q/p", with(Match(), &Match::max_qop_difference, bad));
    refuses("tolerance of q/p", with(Match(), &Match::qop_tolerance, bad));
  }
  CHECK_NOTHROW(lhcb::check(Seeding()));
  CHECK_NOTHROW(lhcb::check(Match()));
  CHECK_THROWS_AS(lhcb::match_setup<float>({}, 0.), UsageError);
}

TEST_CASE("Hits and tracks of different events are refused by seeding and matching", "[lhcb]") {
  const HostExecutor exec;
  const auto two = test::forward_arrays<float>({matched_events()[0], matched_events()[1]});
  const auto one = test::forward_arrays<float>({matched_events()[0]});
  lhcb::ForwardParams forward;
  lhcb::ForwardTracks<float, Kokkos::HostSpace> before;
  run_algorithm(
      exec,
      lhcb::FindLongTracks<float, HostExecutor>{lhcb::forward_setup<float>(exec, forward, -1.)},
      two.velo_hits, two.velo_tracks, two.at_beam, two.at_end, two.ut_tracks, two.scifi_hits,
      before);
  lhcb::ScifiTracks<float, Kokkos::HostSpace> scifi;
  const lhcb::FindScifiTracks<float, HostExecutor> find{lhcb::seeding_cuts<float>({})};
  CHECK_THROWS_MATCHES(
      run_algorithm(exec, find, two.velo_hits, two.velo_tracks, one.scifi_hits, before, scifi),
      UsageError, MessageMatches(ContainsSubstring("different events")));
  run_algorithm(exec, find, two.velo_hits, two.velo_tracks, two.scifi_hits, before, scifi);
  const lhcb::MatchTracks<float, HostExecutor> match_tracks{lhcb::match_setup<float>({}, -1.)};
  lhcb::LongTracks<float, Kokkos::HostSpace> found;
  const auto matched = [&](const auto& arrays, const auto& at_end) {
    run_algorithm(exec, match_tracks, arrays.velo_hits, arrays.velo_tracks, at_end,
                  arrays.ut_tracks, arrays.scifi_hits, scifi, before, found);
  };
  CHECK_THROWS_MATCHES(matched(one, one.at_end), UsageError,
                       MessageMatches(ContainsSubstring("different events")));
  CHECK_THROWS_MATCHES(matched(two, one.at_end), UsageError,
                       MessageMatches(ContainsSubstring("end of the VELO")));
}
