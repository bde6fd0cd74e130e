// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <span>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include "compass_check.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using lhcb::CompassParams;
using Events = std::vector<lhcb::RawEvent>;

namespace {

using test::Found;
using test::reconstruct;

const lhcb::Detector& detector() {
  static const auto result = simulation::ideal_detector();
  return result;
}

Events generated(int n, double noise, std::uint64_t seed) {
  simulation::RawEventParams params;
  params.mean_ut_noise = noise;
  const simulation::RawEventGenerator generate(detector(), params, seed);
  Events events;
  for (int i = 0; i < n; ++i) events.push_back(generate(std::uint64_t(i)).raw);
  return events;
}

/// Usual events, and some with so many UT hits that windows hold several.
const Events& events() {
  static const auto result = [] {
    auto all = generated(10, 60., 31);
    for (auto& event : generated(4, 6000., 32)) all.push_back(event);
    return all;
  }();
  return result;
}

lhcb::RawBanks no_banks(int version) {
  lhcb::RawBanks banks;
  banks.version = version;
  return banks;
}

template <class Real>
Found reconstruct(const CompassParams& parameters, std::span<const lhcb::RawEvent> batch) {
  return test::reconstruct<Real>(detector(), parameters, batch);
}

test::CompassTotals compare(const CompassParams& parameters) {
  return test::compare_compass(detector(), parameters, events());
}

/// UT hits of each VELO track, both as LHCbIDs.
using TrackIds = std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

TrackIds ids_of(const Found& found, std::size_t e) {
  TrackIds ids;
  for (const auto& track : found[e].ut_tracks) {
    std::vector<std::uint32_t> velo, ut;
    for (const auto h : found[e].velo_tracks[track.velo_track])
      velo.push_back(found[e].velo_hits.ids[h]);
    for (const auto h : track.hits)
      if (h >= 0) ut.push_back(found[e].ut_hits.ids[std::size_t(h)]);
    ids[velo] = ut;
  }
  return ids;
}

}  // namespace

TEST_CASE("The published versions of Compass are those of the reference", "[lhcb]") {
  using enum lhcb::CompassConstants;
  for (const auto constants : {y2019, y2020, y2023, paper}) {
    CAPTURE(int(constants));
    const auto totals = compare(lhcb::compass_params(constants));
    CHECK(totals.windows > 1000);
    CHECK(totals.hits > 6000);
    CHECK(totals.tracks > 300);
    CHECK(totals.three_hits > 20);
  }
}

TEST_CASE("Compass is that of the reference in all variants", "[lhcb]") {
  for (const int groups : {1, 3, 5})
    for (const int candidates : {1, 4, 16})
      for (const auto order : {lhcb::PairOrder::index, lhcb::PairOrder::best_first}) {
        CompassParams parameters;
        parameters.sector_groups = groups;
        parameters.candidates = candidates;
        parameters.order = order;
        parameters.stop_at_candidates = candidates == 4 && groups == 3;
        parameters.stereo_shift = groups != 5;
        parameters.final_selection = candidates == 16;
        CAPTURE(groups, candidates, int(order));
        CHECK(compare(parameters).tracks > 300);
      }
}

TEST_CASE("Compass with its own constants is that of the reference", "[lhcb]") {
  CHECK(compare({}).tracks > 300);
  CompassParams other;  // every number another one
  other.hole_radius = 60.;
  other.max_abs_tx = 0.2;
  other.max_abs_ty = 0.15;
  other.end_of_velo_states = false;
  other.min_window_p = 2500.;
  other.min_window_pt = 100.;
  other.y_tolerance = 2.;
  other.y_tolerance_slope = 0.3;
  other.max_slope_difference = 0.01;
  other.hit_tolerance = 0.5;
  other.slope_sigma = 3e-4;
  other.max_chi2 = 100.;
  other.min_p = 4000.;
  other.min_pt = 500.;
  CHECK(compare(other).tracks > 100);
}

TEST_CASE("Each choice of Compass makes a difference", "[lhcb]") {
  const auto tracks = [](const auto& change) {
    CompassParams parameters;
    change(parameters);
    std::vector<std::vector<lhcb::UtTrack>> all;
    for (const auto& event : reconstruct<double>(parameters, events()))
      all.emplace_back(event.ut_tracks.begin(), event.ut_tracks.end());
    return all;
  };
  const auto as_it_is = tracks([](CompassParams&) {});
  CHECK(tracks([](auto& p) { p.stereo_shift = false; }) != as_it_is);
  CHECK(tracks([](auto& p) { p.outermost_groups = false; }) != as_it_is);
  CHECK(tracks([](auto& p) { p.order = lhcb::PairOrder::index; }) != as_it_is);
  CHECK(tracks([](auto& p) { p.candidates = 1; }) != as_it_is);
  CHECK(tracks([](auto& p) { p.end_of_velo_states = false; }) != as_it_is);
  CHECK(tracks([](auto& p) { p.final_selection = true; }) != as_it_is);
  const auto in_order = [&](bool stop) {
    return tracks([&](auto& p) {
      p.order = lhcb::PairOrder::index;
      p.candidates = 1;
      p.stop_at_candidates = stop;
    });
  };
  CHECK(in_order(true) != in_order(false));
}

TEST_CASE("Compass in single precision finds the tracks of double precision", "[lhcb]") {
  const auto batch = generated(40, 60., 33);
  for (const auto& parameters :
       {CompassParams(), lhcb::compass_params(lhcb::CompassConstants::y2020)}) {
    const Found single = reconstruct<float>(parameters, batch);
    const Found twice = reconstruct<double>(parameters, batch);
    std::size_t tracks = 0, others = 0;
    for (std::size_t e = 0; e < batch.size(); ++e) {
      CHECK(std::ranges::equal(single[e].ut_hits.ids, twice[e].ut_hits.ids));
      const auto a = ids_of(single, e), b = ids_of(twice, e);
      tracks += b.size();
      for (const auto& [velo, ut] : b) others += !a.contains(velo) || a.at(velo) != ut;
      for (const auto& [velo, ut] : a) others += !b.contains(velo);
    }
    CAPTURE(tracks, others);
    CHECK(tracks > 2000);
    CHECK(others <= tracks / 500);
  }
}

TEST_CASE("Events may lack banks of the VELO, of the UT, or all", "[lhcb]") {
  auto batch = generated(5, 60., 34);
  const auto full = reconstruct<float>(CompassParams(), batch);
  batch[1].ut = no_banks(3);
  batch[2].vp = no_banks(2);
  batch[3].vp = batch[3].ut = {};
  auto& empty_banks = batch[0];  // banks that are there, but hold nothing
  for (auto* banks : {&empty_banks.vp, &empty_banks.ut}) {
    const auto sources = banks->sources;
    *banks = no_banks(banks->version);
    for (const auto source : sources) banks->push_back(source, std::vector<std::uint32_t>{0});
  }
  const auto found = reconstruct<float>(CompassParams(), batch);
  CHECK(std::ranges::equal(found[4].ut_tracks, full[4].ut_tracks));
  CHECK(std::ranges::equal(found[4].windows, full[4].windows));
  CHECK(found[1].velo_tracks == full[1].velo_tracks);
  CHECK(found[2].ut_hits == full[2].ut_hits);
  for (const int e : {0, 1, 2, 3}) {
    CHECK(found[e].windows.empty());
    CHECK(found[e].ut_tracks.empty());
  }
  for (const int e : {0, 2, 3}) CHECK(found[e].velo_tracks.size() == 0);
  for (const int e : {0, 1, 3}) CHECK(found[e].ut_hits.size() == 0);
}

TEST_CASE("Batches do not depend on each other", "[lhcb]") {
  simulation::RawEventParams large;
  large.mean_primaries = 900.;
  const simulation::RawEventGenerator generate(detector(), large, 35);
  auto batch = generated(4, 60., 36);
  batch.insert(batch.begin() + 1, generate(0).raw);
  batch.insert(batch.begin() + 3, lhcb::RawEvent{});

  auto find_tracks = test::compass_chain<float>(detector(), {});
  const auto together = find_tracks(batch);
  CHECK(together[1].ut_tracks.size() > 4 * together[0].ut_tracks.size());
  CHECK(find_tracks({}).empty());
  for (std::size_t e = 0; e < batch.size(); ++e) {
    CAPTURE(e);
    CHECK(find_tracks(std::span(batch).subspan(e, 1)) == std::vector{together[e]});
  }
  CHECK(test::compass_chain<float>(detector(), {})({}).empty());
}

TEST_CASE("Parameters of Compass out of their range are refused", "[lhcb]") {
  const auto refuses = [](const char* name, const auto& change) {
    CompassParams parameters;
    change(parameters);
    CHECK_THROWS_MATCHES(lhcb::check(parameters), UsageError,
                         MessageMatches(ContainsSubstring(name)));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int groups : {-1, 0, 2, 4, 6})
    refuses("number of sector groups", [&](auto& p) { p.sector_groups = groups; });
  for (const int candidates : {-1, 0, 17})
    refuses("number of candidates", [&](auto& p) { p.candidates = candidates; });
  for (const double slope : {-0.1, 1.1, nan}) {
    refuses("largest slope in x", [&](auto& p) { p.max_abs_tx = slope; });
    refuses("largest slope in y", [&](auto& p) { p.max_abs_ty = slope; });
  }
  for (const double bad : {0., -1., nan}) {
    refuses("least momentum of windows", [&](auto& p) { p.min_window_p = bad; });
    refuses("error of slopes", [&](auto& p) { p.slope_sigma = bad; });
  }
  for (const double bad : {-1., nan}) {
    refuses("radius of the hole", [&](auto& p) { p.hole_radius = bad; });
    refuses("least transverse momentum of windows", [&](auto& p) { p.min_window_pt = bad; });
    refuses("tolerance in y", [&](auto& p) { p.y_tolerance = bad; });
    refuses("slope of the tolerance in y", [&](auto& p) { p.y_tolerance_slope = bad; });
    refuses("largest difference of slopes", [&](auto& p) { p.max_slope_difference = bad; });
    refuses("tolerance of hits", [&](auto& p) { p.hit_tolerance = bad; });
    refuses("largest chi2", [&](auto& p) { p.max_chi2 = bad; });
    refuses("least momentum", [&](auto& p) { p.min_p = bad; });
    refuses("least transverse momentum", [&](auto& p) { p.min_pt = bad; });
  }
  CHECK_NOTHROW(lhcb::check(CompassParams()));
  using enum lhcb::CompassConstants;
  for (const auto constants : {y2019, y2020, y2023, paper})
    CHECK_NOTHROW(lhcb::check(lhcb::compass_params(constants)));
  CompassParams bad;
  bad.candidates = 17;
  CHECK_THROWS_AS(test::compass_chain<float>(detector(), bad), UsageError);
}
