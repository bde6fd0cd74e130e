// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lhcb/tracks_chain.hpp"

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <cmath>
#include <memory>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/bytes.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/scifi/find_long_tracks.hpp>
#include <trackplex/lhcb/scifi/find_scifi_tracks.hpp>
#include <trackplex/lhcb/scifi/match_tracks.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include "launchers/check_launchers.hpp"
#include "lhcb/decoded_scifi_events.hpp"
#include "lhcb/fit/field_events.hpp"
#include "lhcb/fit/fit_events.hpp"
#include "lhcb/velo_vertices.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

template <class Space>
constexpr int width = default_lane_width<Space, float>;

/// Default parameters with a fit of long tracks.
lhcb::TracksParams params_with_fit() {
  lhcb::TracksParams params;
  params.fit_tables = std::make_shared<const lhcb::KalmanTables>(test::kalman_tables());
  return params;
}

/// Default parameters with a map of the magnet.
lhcb::TracksParams params_with_map() {
  lhcb::TracksParams params;
  params.field_map = std::make_shared<const geometry::FieldGrid>(
      test::map_of_lhcb(test::detector_with_scifi().polarity));
  return params;
}

template <class Space>
auto tracks_in(std::size_t bytes, const lhcb::Detector& detector = test::detector_with_scifi(),
               int team_size = 0) {
  return lhcb::tracks_chain<float>(Space(), detector, params_with_fit(), {bytes, bytes}, team_size);
}

constexpr std::size_t enough = 80'000'000;

/// Compares the hits of an event with those of the decoding by itself.
void check_hits(const lhcb::ScifiHitList& list, const test::ScifiReferenceEvent<float>& expected) {
  REQUIRE(list.size() == expected.hits.size());
  CHECK(list.invalid == expected.invalid);
  CHECK(list.zone_offsets.back() == list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& hit = expected.hits[i];
    const auto zone = std::size_t(hit.zone);
    CHECK((list.zone_offsets[zone] <= i && i < list.zone_offsets[zone + 1]));
    CHECK((list.x[i] == hit.x && list.z[i] == hit.z));
    CHECK((list.y_begin[i] == hit.y_begin && list.y_end[i] == hit.y_end));
    CHECK((list.ids[i] == hit.id && list.cluster_size[i] == hit.size));
  }
}

/// Long tracks by the searches by themselves, after the chain of VELO and UT.
template <class Space>
test::LongTracksOnHost long_tracks(const std::vector<lhcb::RawEvent>& events,
                                   const lhcb::TracksParams& params) {
  using Memory = typename Space::memory_space;
  const Space exec;
  const auto& detector = test::detector_with_scifi();
  auto chain = lhcb::velo_ut_chain<float>(exec, detector, params.velo_ut);
  chain(events);
  const auto banks = test::loaded_scifi_banks(exec, events);
  lhcb::ScifiHits<float, Memory> hits;
  run_algorithm(
      exec,
      lhcb::DecodeScifi<float, Space>{lhcb::scifi_decoding_table<float>(exec, *detector.scifi)},
      banks, hits);
  const auto& velo_hits = chain.template product<lhcb::VeloHits<float, Memory>>();
  const auto& velo_tracks = chain.template product<lhcb::VeloTracks<Memory>>();
  const auto& at_end = chain.template product<lhcb::VeloStatesAtEnd<float, Memory>>();
  const auto& ut_tracks = chain.template product<lhcb::UtTracks<float, Memory>>();
  lhcb::ForwardTracks<float, Memory> before;
  run_algorithm(exec,
                lhcb::FindLongTracks<float, Space>{
                    lhcb::forward_setup<float>(exec, params.long_tracks, detector.polarity)},
                velo_hits, velo_tracks, chain.template product<lhcb::LineStates<float, Memory>>(),
                at_end, ut_tracks, hits, before);
  lhcb::ScifiTracks<float, Memory> scifi_tracks;
  run_algorithm(exec,
                lhcb::FindScifiTracks<float, Space>{lhcb::seeding_cuts<float>(params.scifi_tracks)},
                velo_hits, velo_tracks, hits, before, scifi_tracks);
  lhcb::LongTracks<float, Memory> found;
  run_algorithm(
      exec,
      lhcb::MatchTracks<float, Space>{lhcb::match_setup<float>(params.matching, detector.polarity)},
      velo_hits, velo_tracks, at_end, ut_tracks, hits, scifi_tracks, before, found);
  const auto on_host = enqueue_copy<lhcb::VeloHits<float, Kokkos::HostSpace>>(exec, velo_hits);
  return test::long_tracks_to_host(exec, on_host, velo_tracks.hits_per_slot, found);
}

void check_tracks(std::span<const lhcb::LongTrack> list,
                  const std::vector<test::LongTrackOnHost>& expected) {
  REQUIRE(list.size() == expected.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& a = list[i];
    const auto& b = expected[i];
    CHECK((int(a.velo_track) == b.velo_track && a.ut_track == b.ut_track));
    CHECK((a.hits == b.hits && a.n_scifi_hits() == b.length));
    CHECK((a.qop == b.qop && a.quality == b.quality));
    CHECK((a.x == b.x && a.y == b.y && a.tx == b.tx && a.ty == b.ty));
  }
}

/// Compares the fits of an event with those of the chain in the memory of the kernels, from `slot`
/// on.
void check_fits(const lhcb::TracksResult& found,
                const lhcb::LongFits<float, Kokkos::HostSpace>& fits, std::size_t slot) {
  REQUIRE(found.long_fits.size() == found.long_tracks.size());
  for (std::size_t i = 0; i < found.long_fits.size(); ++i) {
    const auto& fit = found.long_fits[i];
    const auto s = slot + i;
    CHECK((fit.x == fits.x(s) && fit.y == fits.y(s) && fit.z == fits.z(s)));
    CHECK((fit.tx == fits.tx(s) && fit.ty == fits.ty(s) && fit.qop == fits.qop(s)));
    CHECK((fit.chi2 == fits.chi2(s) && fit.ndf == fits.ndf(s)));
    for (std::size_t k = 0; k < fit.covariance.size(); ++k)
      CHECK(fit.covariance[k] == fits.covariance(k * fits.slots + s));
    CHECK((fit.sigma(4) > 0. && fit.sigma(4) < std::abs(fit.qop)));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("The tracks chain finds what its algorithms find one by one", "[lhcb]",
                        test::EnabledSpaces) {
  const auto events = test::events_with_scifi(8);
  const auto& detector = test::detector_with_scifi();
  auto params = params_with_fit();
  params.velo_ut.velo = lhcb::velo_params(lhcb::VeloConstants::y2020);
  params.long_tracks.without_ut = true;
  params.long_tracks.min_hits = 12;  // leaves some for the other searches
  auto chain = lhcb::tracks_chain<float>(TestType(), detector, params);
  const auto found = chain(events);
  using Memory = typename TestType::memory_space;
  const auto fits = enqueue_copy<lhcb::LongFits<float, Kokkos::HostSpace>>(
      TestType(), chain.template product<lhcb::LongFits<float, Memory>>());
  const auto velo_hits = enqueue_copy<lhcb::VeloHits<float, Kokkos::HostSpace>>(
      TestType(), chain.template product<lhcb::VeloHits<float, Memory>>());
  TestType().fence();
  const int hits_per_slot = chain.template product<lhcb::VeloTracks<Memory>>().hits_per_slot;
  const auto velo_ut = lhcb::velo_ut_chain<float>(TestType(), detector, params.velo_ut)(events);
  const auto vertices =
      test::velo_vertices<float, width<TestType>, TestType>(detector, events, params.velo_ut.velo);
  const auto hits =
      test::decode_scifi_on<width<TestType>, float, TestType>(*detector.scifi, events);
  const auto tracks = long_tracks<TestType>(events, params);
  REQUIRE(found.size() == events.size());
  std::size_t n_vertices = 0, n_hits = 0, n_tracks = 0, n_without_ut = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    CAPTURE(e);
    CHECK(static_cast<const lhcb::VeloUtResult&>(found[e]) == velo_ut[e]);
    CHECK(std::ranges::equal(found[e].vertices, vertices[e]));
    check_hits(found[e].scifi_hits, hits.event(e));
    check_tracks(found[e].long_tracks, tracks[e]);
    check_fits(found[e], fits, lhcb::first_slot(velo_hits.event_offsets(e), int(e), hits_per_slot));
    n_tracks += found[e].long_tracks.size();
    for (const auto& track : found[e].long_tracks) n_without_ut += track.ut_track < 0;
    n_vertices += found[e].vertices.size();
    n_hits += found[e].scifi_hits.size();
  }
  CHECK(n_vertices > 2 * events.size());
  CHECK(n_hits > 100 * events.size());
  CHECK(n_tracks > 10 * events.size());
  CHECK(n_without_ut > 0);
}

TEMPLATE_LIST_TEST_CASE("With a map of the magnet the tracks chain fits long tracks in it",
                        "[lhcb]", test::EnabledSpaces) {
  const auto events = test::events_with_scifi(8);
  const auto& detector = test::detector_with_scifi();
  auto params = params_with_map();
  params.velo_ut.velo = lhcb::velo_params(lhcb::VeloConstants::y2020);
  params.long_tracks.without_ut = true;
  auto chain = lhcb::tracks_chain<float>(TestType(), detector, params);
  const auto steps = chain.selected();
  CHECK(std::ranges::count(steps, "fit_long_tracks_in_field") == 1);
  CHECK(std::ranges::count(steps, "fit_long_tracks") == 0);
  const auto found = chain(events);
  using Memory = typename TestType::memory_space;
  const auto fits = enqueue_copy<lhcb::LongFits<float, Kokkos::HostSpace>>(
      TestType(), chain.template product<lhcb::LongFits<float, Memory>>());
  const auto velo_hits = enqueue_copy<lhcb::VeloHits<float, Kokkos::HostSpace>>(
      TestType(), chain.template product<lhcb::VeloHits<float, Memory>>());
  TestType().fence();
  const int hits_per_slot = chain.template product<lhcb::VeloTracks<Memory>>().hits_per_slot;
  auto no_map = params;
  no_map.field_map = nullptr;
  const auto without = lhcb::tracks_chain<float>(TestType(), detector, no_map)(events);
  std::size_t n_tracks = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    CAPTURE(e);
    CHECK(std::ranges::equal(found[e].long_tracks, without[e].long_tracks));
    check_fits(found[e], fits, lhcb::first_slot(velo_hits.event_offsets(e), int(e), hits_per_slot));
    n_tracks += found[e].long_tracks.size();
  }
  CHECK(n_tracks > 10 * events.size());
  auto in_arena = lhcb::tracks_chain<float>(TestType(), detector, params, {enough, enough});
  CHECK(test::bits_of(test::in_batches(in_arena, test::shared(events), 4)) == test::bits_of(found));
  chain.select(lhcb::velo_ut_steps);
  CHECK(chain(events)[1].long_fits.empty());
}

TEMPLATE_LIST_TEST_CASE("The tracks chain finds the same in an arena, in batches of any size",
                        "[lhcb]", test::EnabledSpaces) {
  const auto events = test::events_with_scifi(7);
  const auto pointers = test::shared(events);
  auto chain = tracks_in<TestType>(enough);
  const auto expected = test::bits_of(test::in_batches(chain, pointers, events.size()));
  for (const std::size_t batch : {std::size_t(1), std::size_t(3)}) {
    CAPTURE(batch);
    CHECK(test::bits_of(test::in_batches(chain, pointers, batch)) == expected);
  }
  auto direct =
      lhcb::tracks_chain<float>(TestType(), test::detector_with_scifi(), params_with_fit());
  CHECK(test::bits_of(direct(events)) == expected);
  // another order, SciFi first
  auto steps = chain.default_steps();
  const auto decode = std::find(steps.begin(), steps.end(), "decode_scifi");
  std::rotate(std::find(steps.begin(), steps.end(), "cluster_vp"), decode, decode + 1);
  chain.select(steps);
  CHECK(test::bits_of(test::in_batches(chain, pointers, 3)) == expected);
}

TEMPLATE_LIST_TEST_CASE("Steps of VELO and UT are a selection of the tracks chain", "[lhcb]",
                        test::EnabledSpaces) {
  const auto events = test::events_with_scifi(6);
  const auto& detector = test::detector_with_scifi();
  auto chain = lhcb::tracks_chain<float>(TestType(), detector, {});
  chain.select(lhcb::velo_ut_steps);
  CHECK(lhcb::velo_ut_steps == lhcb::VeloUtChain<float, TestType>::default_steps());
  const auto found = chain(events);
  CHECK(test::bits_of(found) ==
        test::bits_of(lhcb::velo_ut_chain<float>(TestType(), detector, {})(events)));
  for (const auto& result : found) {
    CHECK(result.vertices.empty());
    CHECK(result.scifi_hits.size() == 0);
    CHECK(result.long_tracks.empty());
  }
}

TEMPLATE_LIST_TEST_CASE("Long tracks with a large chi2 of their fit are dropped", "[lhcb]",
                        test::EnabledSpaces) {
  const auto events = test::events_with_scifi(8);
  auto params = params_with_fit();
  const auto found_with = [&](double limit) {
    params.fit.max_chi2_per_ndf = limit;
    return lhcb::tracks_chain<float>(TestType(), test::detector_with_scifi(), params)(events);
  };
  const auto all = found_with(0.);
  std::vector<double> chi2;
  for (const auto& result : all)
    for (const auto& fit : result.long_fits) chi2.push_back(fit.chi2 / fit.ndf);
  REQUIRE(chi2.size() > 20);
  std::ranges::sort(chi2);
  const double limit = 0.5 * (chi2[chi2.size() / 2] + chi2[chi2.size() / 2 + 1]);
  const auto good = found_with(limit);
  std::size_t n = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    std::vector<lhcb::LongTrack> tracks;
    std::vector<lhcb::LongTrackFit> fits;
    for (std::size_t t = 0; t < all[e].long_fits.size(); ++t)
      if (all[e].long_fits[t].chi2 < limit * all[e].long_fits[t].ndf) {
        tracks.push_back(all[e].long_tracks[t]);
        fits.push_back(all[e].long_fits[t]);
      }
    CHECK(std::ranges::equal(good[e].long_tracks, tracks));
    CHECK(std::ranges::equal(good[e].long_fits, fits));
    CHECK(std::ranges::equal(good[e].vertices, all[e].vertices));
    n += tracks.size();
  }
  CHECK(n == chi2.size() / 2 + 1);
}

TEST_CASE("Long tracks are found where the parameters ask for them", "[lhcb]") {
  auto events = test::raw_events(4);
  const auto& detector = test::detector_with_scifi();
  const auto expected = test::add_long_tracks(events, detector);
  const auto found_with = [&](const lhcb::TracksParams& params) {
    return lhcb::tracks_chain<float>(HostExecutor(), detector, params)(events);
  };
  lhcb::TracksParams params;
  auto with = found_with(params);
  params.find_long_tracks = false;
  const auto without = found_with(params);
  std::size_t n_tracks = 0;
  for (auto& result : with) {
    n_tracks += result.long_tracks.size();
    result.long_tracks = {};
  }
  CAPTURE(n_tracks, expected);
  CHECK(10 * n_tracks > 8 * expected);
  CHECK(n_tracks < expected);  // duplicates of the VELO tracks
  CHECK(with == without);
  CHECK(with[1].long_fits.empty());
  // the fit changes nothing else
  auto fitted = found_with(params_with_fit());
  for (std::size_t e = 0; e < fitted.size(); ++e) {
    CHECK(fitted[e].long_fits.size() == fitted[e].long_tracks.size());
    fitted[e].long_tracks = {};
    fitted[e].long_fits = {};
  }
  CHECK(fitted == without);
  // from the end of the VELO, whose states the cuts of 2020 do not use
  params.find_long_tracks = true;
  params.velo_ut.ut = lhcb::compass_params(lhcb::CompassConstants::y2020);
  const auto at_beam = found_with(params);
  params.long_tracks.end_of_velo_states = true;
  const auto at_end = found_with(params);
  for (std::size_t e = 0; e < events.size(); ++e) {
    CHECK(static_cast<const lhcb::VeloUtResult&>(at_beam[e]) ==
          static_cast<const lhcb::VeloUtResult&>(at_end[e]));
    CHECK((at_end[e].long_tracks.empty() ||
           !std::ranges::equal(at_beam[e].long_tracks, at_end[e].long_tracks)));
  }
}

TEST_CASE("The parameters select the search for long tracks", "[lhcb]") {
  auto events = test::raw_events(4);
  test::add_long_tracks(events, test::detector_with_scifi());
  using enum lhcb::LongTrackMethod;
  const auto found = [&](lhcb::LongTrackMethod method) {
    lhcb::TracksParams params;
    params.method = method;
    params.long_tracks.min_hits = 12;  // leaves some for the matching
    return lhcb::tracks_chain<float>(HostExecutor(), test::detector_with_scifi(), params)(events);
  };
  const auto first = found(forward), second = found(matching), all = found(both);
  std::size_t n_first = 0, n_second = 0, n_all = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto &a = first[e].long_tracks, &b = all[e].long_tracks;
    REQUIRE(a.size() <= b.size());
    CHECK(std::equal(a.begin(), a.end(), b.begin()));
    n_first += a.size();
    n_second += second[e].long_tracks.size();
    n_all += b.size();
  }
  CAPTURE(n_first, n_second, n_all);
  CHECK(n_first > 10);
  CHECK(n_second > 10);
  CHECK(n_all > n_first);
}

TEMPLATE_LIST_TEST_CASE("The tracks chain allocates nothing after its construction", "[lhcb]",
                        test::EnabledSpaces) {
  const TestType exec;
  const auto events = test::events_with_scifi(6);
  const auto pointers = test::shared(events);
  auto chain = tracks_in<TestType>(enough);
  const auto recorded = test::record([&] { test::in_batches(chain, pointers, 3); });
  for (const auto& label : recorded.allocations) {
    CAPTURE(label);
    // Scratch of teams, which grows at first, and blocks of results
    CHECK((test::is_kokkos_own(label) || label == "Trackplex::Chain::block"));
  }
  CHECK(recorded.global_fences.empty());
  for (const auto& kernel : recorded.kernels) {
    CAPTURE(kernel.label);
    CHECK(test::is_trackplex_label(kernel.label));
    CHECK(kernel.device == test::number_of(exec));
  }
  const std::size_t steps_besides = 5;  // two to stage, two to copy, one to collect
  const std::size_t scans = 2;          // of count_velo_ut and count_tracks
  CHECK(recorded.kernels.size() == 2 * (chain.selected().size() - steps_besides + scans));
}

TEST_CASE("SciFi banks are ignored where the detector has no SciFi", "[lhcb]") {
  auto events = test::events_with_scifi(4);
  events[1].scifi.bytes[0] = 1;  // damaged
  auto chain = tracks_in<HostExecutor>(enough, test::ideal_detector());
  const auto found = chain(events);
  for (auto& event : events) event.scifi = {};
  const auto expected = tracks_in<HostExecutor>(enough)(events);
  CHECK(test::bits_of(found) == test::bits_of(expected));
  std::size_t vertices = 0;
  for (const auto& result : found) {
    CHECK(result.scifi_hits.size() == 0);
    CHECK(result.long_tracks.empty());
    CHECK(result.long_fits.empty());
    vertices += result.vertices.size();
  }
  CHECK(vertices > 0);
}

TEST_CASE("A damaged SciFi bank is named, and the tracks chain goes on", "[lhcb]") {
  const auto events = test::events_with_scifi(4);
  auto chain = tracks_in<HostExecutor>(enough);
  const auto expected = test::bits_of(test::in_batches(chain, test::shared(events), 4));
  auto damaged = events;
  damaged[3].name = "bad event";
  damaged[3].scifi.bytes[7] -= 1;
  CHECK_THROWS_MATCHES(
      chain.stage(test::shared(damaged)), InputError,
      MessageMatches(ContainsSubstring("bad event") && ContainsSubstring("SciFi bank")));
  CHECK(test::bits_of(test::in_batches(chain, test::shared(events), 3)) == expected);
  chain.stage({});
  chain.run();
  std::vector<lhcb::TracksResult> none;
  chain.collect(none);
  CHECK(none.empty());
}

TEST_CASE("Results of the tracks chain outlive it, and come back from their bytes", "[lhcb]") {
  const auto events = test::events_with_scifi(4);
  auto chain =
      std::make_unique<lhcb::TracksChain<float, HostExecutor>>(tracks_in<HostExecutor>(enough));
  const auto expected = test::in_batches(*chain, test::shared(events), 3);
  const auto kept = test::in_batches(*chain, test::shared(events), 1);
  const auto bytes = ByteWriter().add(expected).take();
  test::in_batches(*chain, test::shared(events), events.size());
  chain.reset();
  CHECK(kept == expected);
  CHECK(test::bits_of(kept) == test::bits_of(expected));
  const auto read = ByteReader(bytes).read<std::vector<lhcb::TracksResult>>();
  CHECK(read == expected);
  CHECK(test::bits_of(read) == test::bits_of(expected));
}

TEST_CASE("Parameters of vertices and long tracks are checked when the tracks chain is made",
          "[lhcb]") {
  lhcb::TracksParams params;
  params.vertices.bin_width = 0.;
  CHECK_THROWS_AS(lhcb::tracks_chain<float>(HostExecutor(), test::ideal_detector(), params),
                  UsageError);
  params = {};
  params.long_tracks.min_hits = 8;
  CHECK_THROWS_AS(lhcb::tracks_chain<float>(HostExecutor(), test::ideal_detector(), params),
                  UsageError);
  params = {};
  params.scifi_tracks.min_hits = 8;
  CHECK_THROWS_AS(lhcb::tracks_chain<float>(HostExecutor(), test::ideal_detector(), params),
                  UsageError);
  params = {};
  params.matching.max_chi2 = -1.;
  CHECK_THROWS_AS(lhcb::tracks_chain<float>(HostExecutor(), test::ideal_detector(), params),
                  UsageError);
  params = params_with_map();
  params.fit_tables = params_with_fit().fit_tables;
  CHECK_THROWS_MATCHES(
      lhcb::tracks_chain<float>(HostExecutor(), test::detector_with_scifi(), params), UsageError,
      MessageMatches(ContainsSubstring("leave one out")));
  params.fit_tables = nullptr;
  params.material.velo = -1.;
  CHECK_THROWS_AS(lhcb::tracks_chain<float>(HostExecutor(), test::detector_with_scifi(), params),
                  UsageError);
  auto other_polarity = test::detector_with_scifi();
  other_polarity.polarity = -other_polarity.polarity;
  CHECK_THROWS_MATCHES(lhcb::tracks_chain<float>(HostExecutor(), other_polarity, params_with_map()),
                       InputError, MessageMatches(ContainsSubstring("other polarity")));
  params = params_with_fit();
  params.fit.velo_sigma = 0.;
  CHECK_THROWS_AS(lhcb::tracks_chain<float>(HostExecutor(), test::detector_with_scifi(), params),
                  UsageError);
}

TEST_CASE("Vertices are searched for around the beam of the detector", "[lhcb]") {
  const auto events = test::events_with_scifi(4);
  auto detector = test::ideal_detector();
  const auto count = [&] {
    std::size_t vertices = 0;
    for (const auto& result : tracks_in<HostExecutor>(enough, detector)(events))
      vertices += result.vertices.size();
    return vertices;
  };
  CHECK(count() > 0);
  detector.beam_x = 3.f;
  CHECK(count() == 0);
}
