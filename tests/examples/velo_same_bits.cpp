// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <examples/lhcb_velo/same_bits.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using lhcb_velo::same_bits;
using lhcb_velo::tracks_hash;
using trackplex::lhcb::VeloTrackList;
using trackplex::lhcb::VeloTrackState;

namespace {

std::vector<VeloTrackList> one_track() {
  VeloTrackList list;
  const std::vector<std::uint16_t> hits = {5, 3, 1};
  list.push_back(hits,
                 VeloTrackState{.x = 0.1, .y = 0., .z = 3., .tx = 0.01, .chi2 = 2., .ndf = 2});
  return {list, VeloTrackList()};
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
  CHECK(differs([](auto& events) { events[0].hits[2] = 2; }));
  CHECK(differs([](auto& events) { events[0].offsets[1] = 2; }));
  CHECK(differs([](auto& events) { events[0].states[0].y = -0.; }));
  CHECK(differs([](auto& events) {
    double& chi2 = events[0].states[0].chi2;
    chi2 = std::nextafter(chi2, 3.);
  }));
  CHECK(differs([](auto& events) { events[0].states[0].ndf = 4; }));
  CHECK(differs([](auto& events) { events[0].states[0].backward = true; }));
  CHECK(differs([](auto& events) { events[0].states.clear(); }));
  CHECK(differs([](auto& events) { events.pop_back(); }));
}

TEST_CASE("A NaN has the same bits as itself", "[lhcb_velo]") {
  auto events = one_track();
  events[0].states[0].x = std::numeric_limits<double>::quiet_NaN();
  CHECK(same_bits(events, events));
}
