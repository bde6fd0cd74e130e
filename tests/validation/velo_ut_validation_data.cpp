// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/validation/velo_ut_validation.hpp>

#include "support/lhcb_files.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace trackplex;
using namespace trackplex::validation;

TEST_CASE("The ten raw events have the published numbers of particles, all in reach",
          "[validation][data]") {
  auto velo = velo_track_validation();
  auto velo_ut = velo_ut_track_validation(true);
  for (const auto& name : test::lhcb_event_names()) {
    const auto event = test::lhcb_mc_event(name);
    std::vector<IdTrack> velo_tracks, velo_ut_tracks;  // the particles' own hits
    for (const auto& q : event.particles) {
      const int charge = q.charge > 0.f ? 1 : -1;
      if (q.has_velo || q.is_long) velo_tracks.push_back({q.velo_ids, {}, q.eta, q.p, charge});
      if (q.has_velo || q.is_long)
        velo_ut_tracks.push_back({q.velo_ids, q.ut_ids, q.eta, q.p, charge});
    }
    velo.add(event, velo_tracks);
    velo_ut.add(event, velo_ut_tracks);
  }
  for (const auto* result : {&velo.result(), &velo_ut.result()}) {
    CHECK(result->events == 10);
    CHECK(result->ghosts == 0);
    for (const auto& category : result->categories) {
      INFO(category.name);
      CHECK(category.found == category.particles);
      // particles with the hits of another one, electrons more often
      const bool electrons = category.name.find("electrons") != category.name.npos;
      CHECK(category.clones <= category.particles / (electrons ? 5 : 20));
    }
  }
  CHECK(velo.result()["Velo"].particles == 2495);
  CHECK(velo.result()["Long eta25"].particles == 634);
  CHECK(velo_ut.result()["Velo+UT"].particles == 957);
  CHECK(velo_ut.result()["Velo+UT p>5GeV"].particles == 501);
  CHECK(velo_ut.result()["Long"].particles == 634);
  CHECK(velo_ut.result()["Long p>5GeV"].particles == 416);
  CHECK(velo_ut.result()["Long p>3GeV pT>0.5GeV"].particles == 234);
  CHECK(velo_ut.result().momenta.size() > 957);
  std::size_t own = 0;
  for (const auto& pair : velo_ut.result().momenta)
    own += pair.reconstructed == pair.truth && pair.right_charge ? 1 : 0;
  CHECK(own >= 957);
}
