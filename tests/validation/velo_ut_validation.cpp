// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <trackplex/core/error.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <set>
#include <string>

namespace {

using namespace trackplex;
using namespace trackplex::validation;
using Ids = std::vector<std::uint32_t>;
using lhcb::McEvent;
using lhcb::McParticle;

/// A fast pion inside of the acceptance, with all flags but those of decays.
McParticle pion(Ids velo_ids, Ids ut_ids = {}) {
  McParticle q;
  q.pid = 211;
  q.p = 6000.f;
  q.pt = 600.f;
  q.eta = 3.f;
  q.charge = 0.999f;
  q.has_velo = q.has_ut = q.has_scifi = q.is_long = true;
  q.velo_ids = std::move(velo_ids);
  q.ut_ids = std::move(ut_ids);
  return q;
}

McEvent event_with(std::vector<McParticle> particles) {
  return {"event", std::move(particles), {}};
}

IdTrack track(Ids velo_ids, Ids ut_ids = {}, double eta = 3.) {
  return {std::move(velo_ids), std::move(ut_ids), eta, 5500., 1};
}

IdValidationResult velo_result(const McEvent& event, const std::vector<IdTrack>& tracks) {
  auto validation = velo_track_validation();
  validation.add(event, tracks);
  return validation.result();
}

IdValidationResult velo_ut_result(const McEvent& event, const std::vector<IdTrack>& tracks,
                                  bool keep_momenta = false) {
  auto validation = velo_ut_track_validation(keep_momenta);
  validation.add(event, tracks);
  return validation.result();
}

/// Ids first, first + 1, ... of n hits.
Ids ids(std::uint32_t first, std::size_t n) {
  Ids list(n);
  for (std::size_t i = 0; i < n; ++i) list[i] = first + std::uint32_t(i);
  return list;
}

Ids operator+(Ids a, const Ids& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

constexpr std::uint32_t other = 900;  ///< from here on, hits of nobody

template <std::size_t N>
std::set<std::string> names_of(const std::array<McCategory, N>& categories, const McParticle& q) {
  std::set<std::string> names;
  for (const auto& category : categories)
    if (category.contains(q)) names.emplace(category.name);
  return names;
}
using Names = std::set<std::string>;

}  // namespace

TEST_CASE("A VELO track belongs to a particle with 70 % of its hits or more", "[validation]") {
  const auto event = event_with({pion(ids(1, 20))});
  for (std::size_t n = 3; n <= 20; ++n)
    for (std::size_t right = 0; right <= n; ++right) {
      CAPTURE(n, right);
      const auto result = velo_result(event, {track(ids(1, right) + ids(other, n - right))});
      const bool belongs = right >= std::ceil(0.7 * double(n) - 1e-9);
      CHECK(result.tracks == 1);
      CHECK(result.ghosts == (belongs ? 0 : 1));
      CHECK(result["Velo"].found == (belongs ? 1 : 0));
      CHECK(result["Velo"].particles == 1);
      CHECK(result["Velo"].clones == 0);
    }
  CHECK(velo_result(event, {track(ids(1, 7) + ids(other, 3))}).ghosts == 0);  // 70 % exactly
}

TEST_CASE("With two VELO hits or fewer one of them is enough", "[validation]") {
  const auto event = event_with({pion({1, 2, 3}, {11, 12, 13, 14})});
  CHECK(velo_result(event, {track({1, other})}).ghosts == 0);
  CHECK(velo_result(event, {track({1, other, other + 1})}).ghosts == 1);
  CHECK(velo_result(event, {track({other, other + 1})}).ghosts == 1);  // hits of nobody
  CHECK(velo_result(event, {track({})}).ghosts == 1);
  // the particle may have left hits of the UT only
  CHECK(velo_ut_result(event, {track({other, other + 1}, {11, 12, 13})}).ghosts == 0);
  CHECK(velo_ut_result(event, {track({other, other + 1, other + 2}, {11, 12, 13})}).ghosts == 1);
}

TEST_CASE("At most one UT hit of a track may be wrong", "[validation]") {
  const auto event = event_with({pion({1, 2, 3}, {11, 12, 13, 14})});
  for (std::size_t n = 1; n <= 4; ++n)
    for (std::size_t right = 0; right <= n; ++right) {
      CAPTURE(n, right);
      const auto result =
          velo_ut_result(event, {track({1, 2, 3}, ids(11, right) + ids(other, n - right))});
      const bool belongs = n - right <= 1;
      CHECK(result.ghosts == (belongs ? 0 : 1));
      CHECK(result["Velo+UT"].found == (belongs ? 1 : 0));
    }
  // both parts must be right
  CHECK(velo_ut_result(event, {track({1, other, other + 1}, {11, 12, 13, 14})}).ghosts == 1);
}

namespace {

/// A particle with hits in all three detectors.
McParticle long_particle(std::uint32_t key, Ids velo_ids, Ids ut_ids, Ids scifi_ids) {
  auto q = pion(std::move(velo_ids), std::move(ut_ids));
  q.key = key;
  q.mother_key = 1000 + key;  // nobody
  q.scifi_ids = std::move(scifi_ids);
  return q;
}

IdTrack long_track(Ids velo_ids, Ids ut_ids, Ids scifi_ids) {
  auto result = track(std::move(velo_ids), std::move(ut_ids));
  result.scifi_ids = std::move(scifi_ids);
  return result;
}

IdValidationResult long_result(const McEvent& event, const std::vector<IdTrack>& tracks) {
  auto validation = long_track_validation(true);
  validation.add(event, tracks);
  return validation.result();
}

}  // namespace

TEST_CASE("A long track has 70 % of its hits in VELO and SciFi from a particle", "[validation]") {
  const Ids velo = {1, 2, 3}, ut = {11, 12, 13};
  const auto event = event_with({long_particle(1, velo, ut, ids(21, 12))});
  for (std::size_t n = 3; n <= 12; ++n)
    for (std::size_t right = 0; right <= n; ++right) {
      CAPTURE(n, right);
      const Ids scifi = ids(21, right) + ids(other, n - right);
      const bool belongs = right >= std::ceil(0.7 * double(n) - 1e-9);
      // whatever its UT hits are
      const auto result =
          long_result(event, {long_track(velo, {other + 50, other + 51, other + 52}, scifi),
                              long_track({other + 60, other + 61, other + 62}, ut, scifi)});
      CHECK(result.tracks == 2);
      CHECK(result.ghosts == (belongs ? 1 : 2));
      CHECK(result["Long"].found == (belongs ? 1 : 0));
      CHECK(result.momenta.size() == (belongs ? 1 : 0));
    }
  // with so few hits in the SciFi or in the VELO the UT counts
  const Ids wrong = {other, other + 1};
  CHECK(long_result(event, {long_track(velo, ut, wrong)}).ghosts == 0);
  CHECK(long_result(event, {long_track(velo, wrong, wrong)}).ghosts == 1);
  CHECK(long_result(event, {long_track({1, 2}, ut, ids(21, 9))}).ghosts == 0);
  CHECK(long_result(event, {long_track({1, 2}, wrong, ids(21, 9))}).ghosts == 1);
}

TEST_CASE("Mother and daughter on a long track count as one", "[validation]") {
  const Ids velo = {1, 2, 3}, ut = {11, 12, 13};
  auto mother = long_particle(1, velo, ut, ids(21, 4));
  auto daughter = long_particle(2, {}, {}, ids(25, 8));
  const auto ghosts = [&] {
    return long_result(event_with({mother, daughter}), {long_track(velo, ut, ids(21, 12))}).ghosts;
  };
  CHECK(ghosts() == 1);
  daughter.mother_key = 1;
  CHECK(ghosts() == 0);
  const auto result =
      long_result(event_with({mother, daughter}), {long_track(velo, ut, ids(21, 12))});
  CHECK(result["Long"].found == 2);
  CHECK(result["Long"].clones == 0);
  mother.velo_ids = {4, 5, 6};  // no hits of the track
  CHECK(ghosts() == 1);
  mother.velo_ids = velo;
  daughter.scifi_ids = ids(25, 4);  // 8 of 12 together
  CHECK(ghosts() == 1);
  daughter.scifi_ids = ids(25, 8);
  CHECK(ghosts() == 0);
  daughter.key = 1;  // its own mother
  CHECK(ghosts() == 1);
}

TEST_CASE("Every further track of a particle is a clone", "[validation]") {
  const auto event = event_with({pion(ids(1, 9)), pion({20, 21, 22}), pion({30, 31, 32})});
  const auto result = velo_result(event, {track({1, 2, 3}), track({4, 5, 6}), track({7, 8, 9}),
                                          track({20, 21, 22}), track({1, 4, other})});
  CHECK(result.all_tracks == 5);
  CHECK(result.ghosts == 1);
  CHECK(result["Velo"].particles == 3);
  CHECK(result["Velo"].found == 2);
  CHECK(result["Velo"].clones == 2);
  CHECK(result["Velo"].efficiency() == Efficiency{2, 3});
  CHECK(result["Velo"].clone_rate() == Efficiency{2, 4});
}

TEST_CASE("A track may belong to several particles", "[validation]") {
  auto electron = pion({1, 2, 3, 4});
  electron.pid = -11;
  const auto event = event_with({pion({1, 2, 3}), pion({2, 3, 4}), electron});
  const auto result = velo_result(event, {track({1, 2, 3, 4})});
  CHECK(result.ghosts == 0);
  CHECK(result["Velo"].found == 2);
  CHECK(result["Velo"].clones == 0);
  CHECK(result["Long electrons eta25"].found == 1);
}

TEST_CASE("A hit that a particle lists twice counts once", "[validation]") {
  const auto event = event_with({pion({1, 1, 1, 2})});
  CHECK(velo_result(event, {track({1, other, other + 1})}).ghosts == 1);
  CHECK(velo_result(event, {track({1, 2, other})}).ghosts == 1);
  CHECK(velo_result(event, {track({1, 2, other, 1})}).ghosts == 0);
}

TEST_CASE("Ghosts with UT hits are looked for at 2 < eta < 5", "[validation]") {
  const auto event = event_with({pion({1, 2, 3}, {11, 12, 13})});
  const Ids good = {1, 2, 3}, bad = {other, other + 1, other + 2}, ut = {11, 12, 13};
  const auto result = velo_ut_result(
      event, {track(bad, ut, 2.), track(bad, ut, 5.), track(bad, ut, -3.), track(bad, ut, 2.001),
              track(bad, ut, 4.999), track(good, ut, 4.), track(good, ut, 5.5)});
  CHECK(result.all_tracks == 7);
  CHECK(result.tracks == 3);
  CHECK(result.ghosts == 2);
  CHECK(result.ghost_rate() == Efficiency{2, 3});
  CHECK(result["Velo+UT"].found == 1);
  CHECK(result["Velo+UT"].clones == 1);  // wherever the track is
  CHECK(velo_result(event, {track(bad, {}, 7.), track(good, {}, -7.)}).tracks == 2);
}

TEST_CASE("Particles are in the categories of VELO tracks", "[validation]") {
  const auto names = [](const McParticle& q) { return names_of(velo_track_categories, q); };
  auto q = pion({});
  q.is_long = false;
  CHECK(names(q) == Names{"Velo", "Velo forward", "Velo eta25", "Velo eta25 p>5GeV"});
  q.p = 5000.f;
  CHECK(names(q) == Names{"Velo", "Velo forward", "Velo eta25"});
  for (const float eta : {2.f, 5.f, 1.f, 5.5f}) {
    q.eta = eta;
    CHECK(names(q) == Names{"Velo", "Velo forward"});
  }
  q.eta = -3.f;
  CHECK(names(q) == Names{"Velo", "Velo backward"});
  q.eta = 0.f;
  CHECK(names(q) == Names{"Velo"});
  q.has_velo = false;
  CHECK(names(q).empty());
  q.eta = 3.f;
  q.is_long = true;  // p is 5 GeV, pT 0.6 GeV
  CHECK(names(q) == Names{"Long eta25", "Long eta25 p>3GeV pT>0.4GeV"});
  q.pt = 400.f;
  CHECK(names(q) == Names{"Long eta25"});
  q.p = 4999.f;
  CHECK(names(q) == Names{"Long eta25", "Long eta25 p<5GeV"});
  q.from_beauty = q.from_charm = q.from_strange = true;
  q.p = 5001.f;
  q.pt = 401.f;
  CHECK(names(q) == Names{"Long eta25", "Long eta25 p>5GeV", "Long eta25 p>3GeV pT>0.4GeV",
                          "Long fromB eta25", "Long fromB eta25 p>5GeV",
                          "Long fromB eta25 p>3GeV pT>0.4GeV", "Long fromD eta25",
                          "Long strange eta25"});
  for (const int pid : {11, -11}) {
    q.pid = pid;
    q.has_velo = true;
    CHECK(names(q) == Names{"Velo electrons eta25", "Long electrons eta25"});
  }
}

TEST_CASE("Particles are in the categories of tracks through VELO and UT", "[validation]") {
  const auto names = [](const McParticle& q) { return names_of(velo_ut_track_categories, q); };
  auto q = pion({});
  q.is_long = false;
  CHECK(names(q) ==
        Names{"Velo", "Velo+UT", "Velo+UT p>5GeV", "Velo+UT not long", "Velo+UT not long p>5GeV"});
  q.p = 5000.f;
  CHECK(names(q) == Names{"Velo", "Velo+UT", "Velo+UT not long"});
  q.has_ut = false;
  CHECK(names(q) == Names{"Velo"});
  q.has_velo = false;
  q.has_ut = true;
  CHECK(names(q).empty());
  q.has_velo = q.is_long = true;
  CHECK(names(q) == Names{"Velo", "Velo+UT", "Long", "Long p>3GeV pT>0.5GeV"});
  q.pt = 500.f;
  CHECK(names(q) == Names{"Velo", "Velo+UT", "Long"});
  q.pt = 501.f;
  q.p = 3000.f;
  CHECK(names(q) == Names{"Velo", "Velo+UT", "Long"});
  q.p = 5001.f;
  q.from_beauty = true;
  CHECK(names(q) == Names{"Velo", "Velo+UT", "Velo+UT p>5GeV", "Long", "Long p>5GeV",
                          "Long p>3GeV pT>0.5GeV", "Long fromB", "Long fromB p>5GeV",
                          "Long fromB p>3GeV pT>0.5GeV"});
  q.pid = 11;
  CHECK(names(q) == Names{"Long electrons", "Long fromB electrons", "Long fromB electrons p>5GeV"});
  q.from_beauty = false;
  CHECK(names(q) == Names{"Long electrons"});
  for (const float eta : {2.f, 5.f, -3.f}) {
    q.eta = eta;
    CHECK(names(q).empty());
    q.pid = -q.pid + 200;
    CHECK(names(q).empty());
    q.pid = 11;
  }
}

TEST_CASE("Particles are in the categories of long tracks", "[validation]") {
  const auto names = [](const McParticle& q) { return names_of(long_track_categories, q); };
  auto q = pion({});
  q.has_ut = false;
  CHECK(names(q) == Names{"Long", "Long p>5GeV", "Long p>3GeV pT>0.5GeV"});
  q.from_beauty = q.from_charm = q.from_strange = true;
  q.p = 3000.f;
  CHECK(names(q) == Names{"Long", "Long fromB", "Long fromD", "Long strange"});
  q.p = 3001.f;
  CHECK(names(q) == Names{"Long", "Long p>3GeV pT>0.5GeV", "Long fromB", "Long fromD",
                          "Long strange", "Long fromB p>3GeV pT>0.5GeV",
                          "Long fromD p>3GeV pT>0.5GeV", "Long strange p>3GeV pT>0.5GeV"});
  q.pid = -11;
  CHECK(names(q) == Names{"Long electrons"});
  q.is_long = false;
  CHECK(names(q).empty());
}

TEST_CASE("Names of categories are unique", "[validation]") {
  const auto unique = [](const auto& categories) {
    std::set<std::string_view> names;
    for (const auto& category : categories) names.insert(category.name);
    return names.size() == categories.size() && names.count("") == 0;
  };
  CHECK(unique(velo_track_categories));
  CHECK(unique(velo_ut_track_categories));
  CHECK(unique(long_track_categories));
}

TEST_CASE("Momenta of particles in VELO and UT are kept if asked for", "[validation]") {
  auto negative = pion({1, 2, 3}, {11, 12, 13});
  negative.charge = -0.999f;
  negative.p = 7000.f;
  auto without_ut = pion({4, 5, 6}, {14, 15, 16});
  without_ut.has_ut = false;
  const auto event = event_with({pion({1, 2, 3}, {11, 12, 13}), negative, without_ut});
  const std::vector<IdTrack> tracks = {track({1, 2, 3}, {11, 12, 13}),
                                       track({4, 5, 6}, {14, 15, 16}), track({1, 4, 7}, {11, 12})};
  CHECK(velo_ut_result(event, tracks).momenta.empty());
  CHECK(velo_ut_result(event, tracks, true).momenta ==
        std::vector<MomentumPair>{{5500., 6000., true}, {5500., 7000., false}});
  negative.charge = 0.f;  // old files do not tell it
  CHECK(velo_ut_result(event_with({negative}), {{tracks[0]}}, true).momenta ==
        std::vector<MomentumPair>{{5500., 7000., false, false}});
}

TEST_CASE("Results of events add up, in any order", "[validation]") {
  const auto first = event_with({pion({1, 2, 3}, {11, 12, 13}), pion({5, 6, 7})});
  const auto second = event_with({pion({1, 2, 3}, {11, 12, 13})});
  const std::vector<IdTrack> first_tracks = {track({1, 2, 3}, {11, 12, 13}), track({1, 2, 3}),
                                             track({8, 9, 10})};
  const std::vector<IdTrack> second_tracks = {
      track({1, 2, 3}, {21, 22}), track({1, 2, 3}, {11, 12}), track({1, 2, 3}, {12, 13}, 6.),
      track({1, 2, 3}, {11, 13})};
  auto both = velo_ut_track_validation(true), turned = velo_ut_track_validation(true);
  both.add(first, first_tracks);
  both.add(second, second_tracks);
  turned.add(second, second_tracks);
  turned.add(first, first_tracks);
  auto sum = velo_ut_result(first, first_tracks, true);
  sum += velo_ut_result(second, second_tracks, true);
  CHECK(sum == both.result());
  CHECK(turned.result() == both.result());
  // Each number has a part of each event
  CHECK(sum.events == 2);
  CHECK(sum.all_tracks == 7);
  CHECK(sum.tracks == 6);
  CHECK(sum.ghosts == 2);
  CHECK(sum["Long"].particles == 3);
  CHECK(sum["Long"].found == 2);
  CHECK(sum["Long"].clones == 3);
  CHECK(sum.momenta.size() == 5);
  CHECK_THROWS_AS(sum += velo_result(first, first_tracks), UsageError);
  CHECK_THROWS_MATCHES(
      sum["Long p>7GeV"], UsageError,
      Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("Long p>7GeV")));
}

TEST_CASE("Of nothing the rates are zero", "[validation]") {
  const auto result = velo_result({}, {});
  CHECK(result.events == 1);
  CHECK(result.ghost_rate().value() == 0.);
  CHECK(result["Velo"].efficiency().value() == 0.);
  CHECK(result["Velo"].clone_rate().value() == 0.);
}
