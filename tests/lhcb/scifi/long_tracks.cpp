// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "lhcb/scifi/forward_events.hpp"
#include "lhcb/scifi/forward_reference.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using lhcb::ForwardParams;

namespace {

/// Usual events, one without tracks, one without hits, and one with more tracks than are followed
/// at once.
const std::vector<test::ForwardEvent>& events() {
  static const auto made = [] {
    std::vector<test::ForwardEvent> all;
    for (const unsigned seed : {1u, 2u, 3u})
      all.push_back(test::forward_event(test::host_magnet(), 20, 60, seed));
    all.push_back(test::forward_event(test::host_magnet(), 0, 100, 4));
    all.push_back(test::forward_event(test::host_magnet(), 5, 0, 5));
    all.back().hits.clear();
    all.push_back(test::forward_event(test::host_magnet(), 75, 20, 6));
    all.push_back(test::forward_event(test::host_magnet(), 1, 300, 7));
    return all;
  }();
  return made;
}

/// Whether 70 % of the hits of a track are its particle's.
bool is_right(const test::ForwardEvent& event, const test::LongTrackOnHost& track) {
  const auto& truth = event.tracks[std::size_t(track.velo_track)];
  int right = 0;
  for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
    const int hit = track.hits[layer];
    right += hit >= 0 && truth.hits[layer] >= 0 &&
             event.hits[std::size_t(hit)].truth == truth.hits[layer];
  }
  return 10 * right >= 7 * track.length;
}

/// Number of tracks with the hits of their particles, and of all tracks.
struct Totals {
  int right = 0, tracks = 0, right_charge = 0, particles = 0, right_without_ut = 0;
};

Totals compare_with_truth(const test::LongTracksOnHost& found, double polarity) {
  Totals totals;
  for (std::size_t e = 0; e < found.size(); ++e) {
    const auto& event = events()[e];
    if (event.hits.empty()) continue;
    totals.particles += int(event.tracks.size());
    for (const auto& track : found[e]) {
      const auto& truth = event.tracks[std::size_t(track.velo_track)];
      ++totals.tracks;
      if (!is_right(event, track)) continue;
      ++totals.right;
      totals.right_without_ut += track.ut_track < 0;
      totals.right_charge += track.qop * truth.qop * -polarity > 0.;
      CHECK(std::abs(track.qop * -polarity / truth.qop - 1.) < 0.02);
      CHECK(std::abs(track.x - truth.x_end) < 0.5);
      CHECK(std::abs(track.tx - truth.tx_end) < 2e-3);
      CHECK(std::abs(track.ty - truth.ty) < 0.03);  // y is not straight
    }
  }
  return totals;
}

bool close(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * (1. + std::abs(b));
}

void compare_with_reference(const ForwardParams& params, double polarity = -1.) {
  const test::ForwardReference reference(params, polarity);
  const auto found =
      test::find_long_tracks_on<double, default_lane_width<HostExecutor, double>, HostExecutor>(
          events(), params, polarity);
  for (std::size_t e = 0; e < found.size(); ++e) {
    const auto expected = reference(events()[e]);
    CAPTURE(e);
    REQUIRE(found[e].size() == expected.size());
    for (std::size_t t = 0; t < expected.size(); ++t) {
      const auto &a = found[e][t], &b = expected[t];
      CAPTURE(t, a.quality, b.quality);
      REQUIRE(a.velo_track == b.velo_track);
      REQUIRE(a.ut_track == b.ut_track);
      REQUIRE(a.length == b.length);
      REQUIRE(a.hits == b.hits);
      CHECK(close(a.quality, b.quality, 1e-9));
      CHECK(std::abs(a.qop - b.qop) < 1e-9 * std::abs(b.qop));
      CHECK(close(a.x, b.x, 1e-9));
      CHECK(close(a.y, b.y, 1e-8));
      CHECK(close(a.tx, b.tx, 1e-9));
      CHECK(close(a.ty, b.ty, 1e-9));
    }
  }
}

}  // namespace

TEST_CASE("The polynomials of the magnet have the published values", "[lhcb]") {
  const double right[] = {1248.1749, 1291.4207, 1309.3626};
  for (int station = 0; station < 3; ++station)
    CHECK(std::abs(test::host_magnet().deflection(station, 0.1, 0.05) - right[station]) < 1e-4);
  // of a track at x 100, y 50, z 2642 with the slopes 0.05, 0.02, at x = 700 in layer 1
  const double z = lhcb::scifi_z[1] - 2642.;
  const double y =
      50. + 0.02 * z + test::host_magnet().y_shift(1, 0.05, 0.02, 700. - 100. - 0.05 * z);
  CHECK(std::abs(y - 155.98129) < 1e-5);
  // of a track in the ten events, whose chord has the slope of its curve, nearly
  CHECK(std::abs(test::host_magnet().qop(0.029508, -0.029334, 0.1033) / 6.0376e-5 - 1.) < 0.01);
  const float single = lhcb::forward_magnet<float>(HostExecutor(), lhcb::forward_tables())
                           .deflection(1, 0.1f, 0.05f);
  CHECK(std::abs(single - right[1]) < 1e-3);
}

TEST_CASE("Tables of the magnet of the wrong size are refused", "[lhcb]") {
  for (const auto table :
       {&lhcb::ForwardTables::deflection, &lhcb::ForwardTables::y, &lhcb::ForwardTables::kick}) {
    auto tables = lhcb::forward_tables();
    (tables.*table).pop_back();
    CHECK_THROWS_AS(lhcb::forward_magnet<float>(HostExecutor(), tables), UsageError);
  }
}

TEMPLATE_LIST_TEST_CASE("Long tracks are those of the truth", "[lhcb]", test::EnabledSpaces) {
  ForwardParams with_ut, all;
  all.without_ut = true;
  all.velo_min_p = 2500.;
  all.velo_min_pt = 0.;
  for (const double polarity : {-1., 1.}) {
    const auto check = [&](const test::LongTracksOnHost& found, int without_ut, int right) {
      const auto totals = compare_with_truth(found, polarity);
      CAPTURE(polarity, totals.right, totals.right_without_ut, totals.tracks);
      CHECK(totals.particles == 136);
      CHECK(totals.right >= right);
      CHECK(totals.right_without_ut >= without_ut);
      CHECK(totals.tracks <= totals.right + 8);
      CHECK(totals.right_charge == totals.right);
    };
    check(test::find_long_tracks_on<float, 1, TestType>(events(), with_ut, polarity), 0, 90);
    check(test::find_long_tracks_on<double, 1, TestType>(events(), with_ut, polarity), 0, 90);
    check(test::find_long_tracks_on<float, 1, TestType>(events(), all, polarity), 20, 115);
  }
}

TEST_CASE("Long tracks are those of the reference", "[lhcb]") {
  compare_with_reference({});
  compare_with_reference(lhcb::forward_params());
  compare_with_reference({}, 1.);
  ForwardParams other;  // every number another one
  other.end_of_velo_states = true;
  other.window = 100.;
  other.window_per_qop = 1e6;
  other.window_extension = 50.;
  other.max_window_hits = 11;
  other.magnet_tolerance = 5.;
  other.max_magnet_tolerance = 20.;
  other.max_tolerance_qop = 0.0003;
  other.same_side_qop = 1e-4;
  other.triplet_distance2 = 5.;
  other.candidates = 5;
  other.x_distance2 = 1.;
  other.stereo_distance2 = 2.;
  other.stereo_distance2_per_slope = 20.;
  other.min_hits = 10;
  other.max_ty_difference = 0.01;
  other.max_quality = 0.3;
  other.max_qop_difference = 0.002;
  other.qop_tolerance = 1e-7;
  other.max_shared = 0.2;
  compare_with_reference(other);
  other = {};
  other.without_ut = true;
  compare_with_reference(other);
  other.velo_max_abs_tx = 0.15;
  other.velo_max_abs_ty = 0.1;
  other.velo_min_p = 3000.;
  other.velo_min_pt = 200.;
  other.velo_window_hits = 40;
  other.velo_magnet_tolerance = 15.;
  other.velo_min_hits = 11;
  other.velo_max_quality = 0.4;
  compare_with_reference(other);
  other.with_ut = false;
  compare_with_reference(other);
  other.without_ut = false;
  CHECK(test::ForwardReference(other, 1.)(events()[0]).empty());
  compare_with_reference(other);
}

TEST_CASE("Triplets that cannot have q/p of the UT are no candidates", "[lhcb]") {
  const std::vector<test::ForwardEvent> dense{test::forward_event(test::host_magnet(), 40, 400, 9)};
  const auto number = [&](double max_difference) {
    ForwardParams params;
    params.candidates = 3;
    params.max_qop_difference = max_difference;
    const auto found =
        test::find_long_tracks_on<double, default_lane_width<HostExecutor, double>, HostExecutor>(
            dense, params);
    std::size_t n = 0;
    for (const auto& track : found[0]) n += is_right(dense[0], track);
    return n;
  };
  CHECK(number(0.1) > number(1e6));  // not a subset
}

TEST_CASE("Of two tracks with the same hits the better one is kept", "[lhcb]") {
  auto event = test::forward_event(test::host_magnet(), 4, 0, 8);
  for (auto& track : event.tracks) track.in_ut = true;
  auto twin = event.tracks[1];
  twin.x += 0.05;
  event.tracks.push_back(twin);
  event.tracks.push_back(event.tracks[2]);  // equal ones: the first is kept
  const auto tracks = [&](double max_shared) {
    ForwardParams params;
    params.max_shared = max_shared;
    const auto found = test::find_long_tracks_on<double, 4, HostExecutor>({event}, params);
    std::vector<int> numbers;
    for (const auto& track : found[0]) numbers.push_back(track.velo_track);
    return numbers;
  };
  CHECK(tracks(2.) == std::vector{0, 1, 2, 3, 4, 5});
  const auto kept = tracks(0.5);
  CHECK((kept == std::vector{0, 1, 2, 3} || kept == std::vector{0, 2, 3, 4}));
}

TEST_CASE("Parameters of the search for long tracks out of their range are refused", "[lhcb]") {
  const auto refuses = [](const char* name, const auto& change) {
    ForwardParams params;
    change(params);
    CHECK_THROWS_MATCHES(lhcb::check(params), UsageError, MessageMatches(ContainsSubstring(name)));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int hits : {0, 1, 1025})
    for (auto member : {&ForwardParams::max_window_hits, &ForwardParams::velo_window_hits})
      refuses("number of hits of a window", [&](auto& p) { p.*member = hits; });
  for (const int candidates : {0, 65})
    refuses("number of candidates", [&](auto& p) { p.candidates = candidates; });
  for (const int hits : {8, 13})
    for (auto member : {&ForwardParams::min_hits, &ForwardParams::velo_min_hits})
      refuses("least number of hits", [&](auto& p) { p.*member = hits; });
  refuses("largest tolerance in the magnet", [](auto& p) { p.max_magnet_tolerance = 7.; });
  for (const double bad : {0., -1., nan}) {
    refuses("q/p of the largest tolerance", [&](auto& p) { p.max_tolerance_qop = bad; });
    refuses("largest fraction of shared hits", [&](auto& p) { p.max_shared = bad; });
    refuses("least momentum without the UT", [&](auto& p) { p.velo_min_p = bad; });
  }
  for (const double bad : {-1., nan}) {
    refuses("half width of windows", [&](auto& p) { p.window = bad; });
    refuses("increase of windows with q/p", [&](auto& p) { p.window_per_qop = bad; });
    refuses("extension of windows", [&](auto& p) { p.window_extension = bad; });
    refuses("tolerance in the magnet",
            [&](auto& p) { p.magnet_tolerance = p.max_magnet_tolerance = bad; });
    refuses("bend to the same side", [&](auto& p) { p.same_side_qop = bad; });
    refuses("distance of the middle hit", [&](auto& p) { p.triplet_distance2 = bad; });
    refuses("distance of hits in x layers", [&](auto& p) { p.x_distance2 = bad; });
    refuses("distance of hits in stereo layers", [&](auto& p) { p.stereo_distance2 = bad; });
    refuses("increase of the distance", [&](auto& p) { p.stereo_distance2_per_slope = bad; });
    refuses("largest difference of slopes in y", [&](auto& p) { p.max_ty_difference = bad; });
    refuses("largest quality", [&](auto& p) { p.max_quality = bad; });
    refuses("largest difference of q/p", [&](auto& p) { p.max_qop_difference = bad; });
    refuses("tolerance of q/p", [&](auto& p) { p.qop_tolerance = bad; });
    refuses("largest slope in x", [&](auto& p) { p.velo_max_abs_tx = bad; });
    refuses("largest slope in y", [&](auto& p) { p.velo_max_abs_ty = bad; });
    refuses("least transverse momentum", [&](auto& p) { p.velo_min_pt = bad; });
    refuses("magnet without the UT", [&](auto& p) { p.velo_magnet_tolerance = bad; });
    refuses("quality without the UT", [&](auto& p) { p.velo_max_quality = bad; });
  }
  CHECK_NOTHROW(lhcb::check(ForwardParams()));
  CHECK_NOTHROW(lhcb::check(lhcb::forward_params()));
  CHECK_THROWS_AS(lhcb::forward_setup<float>(HostExecutor(), {}, 0.), UsageError);
}

TEST_CASE("Tracks and SciFi hits of different events are refused", "[lhcb]") {
  const auto two = test::forward_arrays<float>({events()[0], events()[1]});
  const auto one = test::forward_arrays<float>({events()[0]});
  const lhcb::FindLongTracks<float, HostExecutor> find{
      lhcb::forward_setup<float>(HostExecutor(), {}, -1.)};
  lhcb::ForwardTracks<float, Kokkos::HostSpace> found;
  CHECK_THROWS_MATCHES(run_algorithm(HostExecutor(), find, two.velo_hits, two.velo_tracks,
                                     two.at_beam, two.at_end, two.ut_tracks, one.scifi_hits, found),
                       UsageError, MessageMatches(ContainsSubstring("different events")));
}
