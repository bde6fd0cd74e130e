// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/io/detectors/cmssw_tracks.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstddef>
#include <string>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using io::parse_cmssw_tracks;

namespace {

const std::string track = "simTrack 0.1 -0.2 3 4 -5 6 -1 pt=6.4 trkIdx=0 algo=4\n";
const std::string hit =
    "recHit 4 -5 9  1e-6 2e-6 8e-6 4e-5 1e-2 3e-5  6.4 1.1 -0.9 0.02 0.00004\r\n";

void refuse(const std::string& text, const std::string& message) {
  CAPTURE(text);
  test::check_refused([&] { return parse_cmssw_tracks(text, "muons.txt"); }, message);
}

}  // namespace

TEST_CASE("Tracks of CMS", "[io]") {
  const auto tracks = parse_cmssw_tracks(track + hit + "\n" + hit + track, "muons.txt");
  REQUIRE(tracks.size() == 2);
  CHECK(tracks[0].vertex == std::array{0.1, -0.2, 3.});
  CHECK(tracks[0].momentum == std::array{4., -5., 6.});
  CHECK(tracks[0].charge == -1);
  CHECK(tracks[1].hits.empty());
  REQUIRE(tracks[0].hits.size() == 2);
  const auto& first = tracks[0].hits[0];
  CHECK(first.position == std::array{4., -5., 9.});
  // xx, xy, yy, xz, yz, zz
  CHECK(first.covariance == std::array{1e-6, 2e-6, 8e-6, 3e-5, 4e-5, 1e-2});
  CHECK(first.radiation_lengths == 0.02);
  CHECK(first.xi == 0.00004);
  CHECK(parse_cmssw_tracks("", "muons.txt").empty());
}

TEST_CASE("Damaged tracks of CMS", "[io]") {
  refuse(hit, "muons.txt: line 1: a hit before the first simTrack");
  refuse(track + "simHit 1 2 3\n",
         "line 2: a line begins with 'simHit' (it is to be simTrack or recHit)");
  refuse(track + "recHit 1 2 x\n", "line 2: 'x' is no number (position)");
  refuse(track + "recHit 1 2 3 1 1 1 1 nan\n", "'nan' is no number (covariance)");
  refuse(track + "recHit 1 2 3 1 1 1 1 1 1 1 1 1 0.1\n", "line 2: '' is no number (xi)");
  refuse(track + "recHit 1 2 3 -1 1 1 1 1 1 1 1 1 0.1 0.1\n", "a variance is negative");
  refuse(track + "recHit 1 2 3 1 1 1 1 1 1 1 1 1 -0.1 0.1\n",
         "the thickness of the layer is negative");
  refuse("simTrack 0 0 0 1 1 1 2\n", "the charge is not 1 or -1");
  refuse("simTrack 0 0 0 0 0 1 1\n", "the transverse momentum is 0");
  test::check_changed_anywhere(
      track + hit, [](const auto& text) { return parse_cmssw_tracks(text, "muons.txt"); }, 500);
}

TEST_CASE("Impossible tracks and hits of CMS may be left out", "[io]") {
  const auto kept = [](const std::string& text) {
    io::CmsswLeftOut left_out{1, 2};
    const auto tracks = parse_cmssw_tracks(text, "muons.txt", &left_out);
    return std::array{tracks.size(), tracks.back().hits.size(), left_out.tracks - 1,
                      left_out.hits - 2};
  };
  for (const std::string odd : {"0 0 0 1 1 1 0", "0 0 0 1 1 1 2", "0 0 0 0 0 1 1",
                                "nan 0 0 1 1 1 1", "0 0 0 inf 1 1 1", "0 0 0 1 1 1 nan"}) {
    CAPTURE(odd);
    CHECK(kept(track + hit + "simTrack " + odd + "\n" + hit + hit) ==
          std::array{std::size_t(1), std::size_t(1), std::size_t(1), std::size_t(0)});
    CHECK(kept("simTrack " + odd + "\n" + hit + hit + track + hit) ==
          std::array{std::size_t(1), std::size_t(1), std::size_t(1), std::size_t(0)});
  }
  for (const std::string odd :
       {"1 2 3 1 1 -1 1 1 1 1 1 1 0.1 0.1", "1 2 nan 1 1 1 1 1 1 1 1 1 0.1 0.1",
        "1 2 3 1 1 1 1 1 1 1 1 1 -0.1 0.1"}) {
    CAPTURE(odd);
    CHECK(kept(track + hit + "recHit " + odd + "\n" + hit) ==
          std::array{std::size_t(1), std::size_t(2), std::size_t(0), std::size_t(1)});
  }
  io::CmsswLeftOut left_out;
  test::check_refused([&] { parse_cmssw_tracks(track + "recHit 1 2 x\n", "muons.txt", &left_out); },
                      "line 2: 'x' is no number (position)");
}

TEST_CASE("Covariances of CMS' hits are those of planes", "[io][data]") {
  const auto file = test::data_or_skip("cmssw-muons/cmssw.rectracks.SingleMu10GeV.10k.new.txt.gz");
  const auto tracks = io::read_cmssw_tracks(file);
  CHECK(tracks.size() == 1457);
  std::size_t hits = 0, negative = 0;
  for (const auto& one : tracks)
    for (const auto& h : one.hits) {
      const auto& c = h.covariance;
      ++hits;
      negative += c[0] * c[5] < c[3] * c[3] || c[2] * c[5] < c[4] * c[4];
    }
  CHECK(hits == 18941);
  CHECK(negative < hits / 100);  // by rounding; in another order of the elements it is a quarter
}
