// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/lhcb/fingerprints.hpp>

#include <catch2/catch_test_macros.hpp>
#include <support/velo_track_arrays.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using trackplex::lhcb::VeloTrackList;
using trackplex::lhcb::VeloTrackState;
using trackplex::test::VeloTrackArrays;

namespace {

VeloTrackArrays one_track() {
  VeloTrackArrays list;
  const std::vector<std::uint16_t> hits = {5, 3, 1};
  list.push_back(hits,
                 VeloTrackState{.x = 0.1, .y = 0., .z = 3., .tx = 0.01, .chi2 = 2., .ndf = 2});
  return list;
}

std::string hash_of(const VeloTrackList& list) {
  trackplex::Fingerprint hash;
  trackplex::lhcb::add_tracks(hash, list);
  return hash.hex();
}

}  // namespace

TEST_CASE("Fingerprints of VELO tracks see every difference", "[lhcb]") {
  const auto original = one_track();
  CHECK(hash_of(original) == hash_of(one_track()));
  const auto differs = [&](auto&& change) {
    auto changed = original;
    change(changed);
    return hash_of(original) != hash_of(changed);
  };
  CHECK(differs([](auto& list) { list.hits[2] = 2; }));
  CHECK(differs([](auto& list) { list.offsets[1] = 2; }));
  CHECK(differs([](auto& list) { list.states[0].y = -0.; }));
  CHECK(differs([](auto& list) { list.states[0].chi2 = std::nextafter(2., 3.); }));
  CHECK(differs([](auto& list) { list.states[0].ndf = 4; }));
  CHECK(differs([](auto& list) { list.states[0].backward = true; }));
  CHECK(differs([](auto& list) { list.states.clear(); }));
}

TEST_CASE("A NaN has the fingerprint of itself", "[lhcb]") {
  auto list = one_track();
  list.states[0].x = std::numeric_limits<double>::quiet_NaN();
  CHECK(hash_of(list) == hash_of(list));
}
