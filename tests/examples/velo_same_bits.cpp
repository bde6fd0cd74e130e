// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <examples/lhcb_velo/same_bits.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using lhcb_velo::same_bits;
using lhcb_velo::tracks_hash;
using trackplex::lhcb::VeloResult;
using trackplex::lhcb::VeloTrackState;

namespace {

std::vector<VeloResult> one_track() {
  VeloResult event;
  const std::vector<std::uint16_t> hits = {5, 3, 1};
  event.tracks.push_back(
      hits, VeloTrackState{.x = 0.1, .y = 0., .z = 3., .tx = 0.01, .chi2 = 2., .ndf = 2});
  return {event, VeloResult()};
}

}  // namespace

TEST_CASE("Equal tracks have the same bits", "[lhcb_velo]") {
  CHECK(same_bits(one_track(), one_track()));
  CHECK(tracks_hash(one_track()) == tracks_hash(one_track()));
}

TEST_CASE("Every difference is seen", "[lhcb_velo]") {
  const auto original = one_track();
  const auto differs = [&](auto&& change) {
    auto changed = original;
    change(changed);
    return !same_bits(original, changed) && tracks_hash(original) != tracks_hash(changed);
  };
  CHECK(differs([](auto& events) { events[0].tracks.hits[2] = 2; }));
  CHECK(differs([](auto& events) { events[0].tracks.offsets[1] = 2; }));
  CHECK(differs([](auto& events) { events[0].tracks.states[0].y = -0.; }));
  CHECK(differs([](auto& events) {
    double& chi2 = events[0].tracks.states[0].chi2;
    chi2 = std::nextafter(chi2, 3.);
  }));
  CHECK(differs([](auto& events) { events[0].tracks.states[0].ndf = 4; }));
  CHECK(differs([](auto& events) { events[0].tracks.states[0].backward = true; }));
  CHECK(differs([](auto& events) { events[0].tracks.states.clear(); }));
  CHECK(differs([](auto& events) { events.pop_back(); }));
  auto lost = original;
  lost[1].overflow = 1;
  CHECK(!same_bits(original, lost));
}

TEST_CASE("A NaN has the same bits as itself", "[lhcb_velo]") {
  auto events = one_track();
  events[0].tracks.states[0].x = std::numeric_limits<double>::quiet_NaN();
  CHECK(same_bits(events, events));
}
