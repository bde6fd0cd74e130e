// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <support/velo_track_arrays.hpp>
#include <trackplex/validation/velo_validation.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using namespace trackplex;
using namespace trackplex::validation;
using Hits = std::vector<std::uint16_t>;
using lhcb::VeloEvent;
using lhcb::VeloParticle;
using lhcb::VeloTrackList;

VeloParticle particle(std::vector<std::uint32_t> hits, int pid = 211) {
  VeloParticle result;
  result.hits = std::move(hits);
  result.pid = pid;
  return result;
}

/// 104 hits, two in each module: hits 2m and 2m + 1 are in module m.
VeloEvent velo_event_with(std::vector<VeloParticle> particles) {
  VeloEvent event;
  event.name = "event";
  for (std::size_t m = 0; m <= lhcb::velo_modules; ++m) {
    event.module_offsets[m] = static_cast<std::uint32_t>(2 * m);
  }
  for (auto* coordinate : {&event.x, &event.y, &event.z}) coordinate->assign(104, 0.);
  event.particles = std::move(particles);
  event.has_truth = event.has_kinematics = true;
  return event;
}

test::VeloTrackArrays tracks(const std::vector<Hits>& list) {
  test::VeloTrackArrays result;
  for (const auto& hits : list) result.push_back(hits);
  return result;
}

VeloValidationResult validate(const VeloEvent& event, const VeloTrackList& list,
                              const VeloValidationParams& params = {}) {
  VeloValidation validation(params);
  validation.add(event, list);
  return validation.result();
}

constexpr auto velo = VeloCategory::velo;

}  // namespace

TEST_CASE("A track belongs to a particle with more than 70 % of its hits", "[validation]") {
  const auto event = velo_event_with({particle({0, 1, 2, 3, 4, 5, 6, 7})});
  const auto good = validate(event, tracks({{0, 1, 2, 100}}));  // 75 %
  CHECK(good.tracks == 1);
  CHECK(good.ghosts == 0);
  CHECK(good[velo].found == 1);
  CHECK(good[velo].tracks == 1);
  CHECK(good[velo].clones == 0);
  CHECK(good[velo].purity() == 0.75);
  CHECK(good[velo].hit_efficiency() == 3. / 8.);

  const auto limit = validate(event, tracks({{0, 1, 2, 3, 4, 5, 6, 100, 101, 102}}));  // 70 %
  CHECK(limit.ghosts == 1);
  CHECK(limit[velo].found == 0);
  CHECK(limit[velo].tracks == 0);
  CHECK(limit[velo].particles == 1);
  CHECK(limit.ghost_rate().value() == 1.);
}

TEST_CASE("A track of one hit is a ghost", "[validation]") {
  const auto event = velo_event_with({particle({0, 1, 2})});
  const auto result = validate(event, tracks({{0}, {}, {1, 2}}));
  CHECK(result.tracks == 3);
  CHECK(result.ghosts == 2);
  CHECK(result[velo].found == 1);
  CHECK(result[velo].clones == 0);
}

TEST_CASE("Further tracks of a particle are clones", "[validation]") {
  const auto event = velo_event_with({particle({0, 1, 2, 3, 4, 5, 6}), particle({10, 11, 12})});
  const auto result = validate(event, tracks({{0, 1, 2}, {3, 4}, {4, 5, 6}, {10, 11, 12}}));
  CHECK(result.ghosts == 0);
  CHECK(result[velo].particles == 2);
  CHECK(result[velo].found == 2);
  CHECK(result[velo].tracks == 4);
  CHECK(result[velo].clones == 2);
  CHECK(result[velo].clone_rate() == 1.);
  CHECK(result[velo].efficiency().value() == 1.);
}

TEST_CASE("A track that belongs to two particles finds both and is attributed to the better one",
          "[validation]") {
  // 5 hits: 4 of the first particle (80 %), all of the second
  const auto event = velo_event_with({particle({0, 1, 2, 3}), particle({0, 1, 2, 3, 4})});
  const auto result = validate(event, tracks({{0, 1, 2, 3, 4}}));
  CHECK(result[velo].found == 2);
  CHECK(result[velo].tracks == 1);
  CHECK(result[velo].purity() == 1.);
  CHECK(result[velo].hit_efficiency() == 1.);
}

TEST_CASE("Of equal weights the first particle is taken", "[validation]") {
  const auto event = velo_event_with({particle({0, 1, 2, 3, 4, 5}), particle({0, 1, 2})});
  const auto result = validate(event, tracks({{0, 1, 2}, {0, 1, 2}}));
  CHECK(result[velo].found == 2);
  CHECK(result[velo].tracks == 2);
  CHECK(result[velo].clones == 1);  // both tracks are the first particle's
  CHECK(result[velo].hit_efficiency() == 0.5);
}

TEST_CASE("A track of an electron is no ghost, but electrons are in no category", "[validation]") {
  for (const int pid : {11, -11}) {
    const auto event = velo_event_with({particle({0, 1, 2}, pid)});
    const auto result = validate(event, tracks({{0, 1, 2}}));
    CHECK(result.ghosts == 0);
    CHECK(result[velo].particles == 0);
    CHECK(result[velo].found == 0);
    CHECK(result[velo].tracks == 0);
  }
}

TEST_CASE("In a category only its own particles are looked at", "[validation]") {
  // the best particle of the track is not long; the long one has 75 %
  std::vector<VeloParticle> particles = {particle({0, 1, 2, 3}), particle({1, 2, 3})};
  particles[1].is_long = true;
  const auto result = validate(velo_event_with(particles), tracks({{0, 1, 2, 3}}));
  CHECK(result[velo].found == 2);
  CHECK(result[velo].purity() == 1.);
  CHECK(result[VeloCategory::long_track].particles == 1);
  CHECK(result[VeloCategory::long_track].found == 1);
  CHECK(result[VeloCategory::long_track].tracks == 1);
  CHECK(result[VeloCategory::long_track].purity() == 0.75);
  CHECK(result[VeloCategory::long_track].hit_efficiency() == 1.);
}

TEST_CASE("Particles count in the categories of their flags", "[validation]") {
  const auto in = [](VeloParticle q) {
    std::vector<int> bits;
    for (std::size_t c = 0; c < velo_categories; ++c) {
      bits.push_back(is_in(static_cast<VeloCategory>(c), q) ? 1 : 0);
    }
    return bits;
  };
  VeloParticle q;
  q.pid = 211;
  q.p = 6000.;
  CHECK(in(q) == std::vector<int>{1, 0, 0, 0, 0, 0, 0});
  q.from_strange = q.from_beauty = true;  // fast, but not long
  CHECK(in(q) == std::vector<int>{1, 0, 0, 0, 0, 0, 0});
  q.from_strange = q.from_beauty = false;
  q.is_long = true;
  CHECK(in(q) == std::vector<int>{1, 1, 1, 0, 0, 0, 0});
  q.p = 5000.;  // not above
  CHECK(in(q) == std::vector<int>{1, 1, 0, 0, 0, 0, 0});
  q.from_strange = true;
  CHECK(in(q) == std::vector<int>{1, 1, 0, 1, 0, 0, 0});
  q.p = 5000.001;
  q.from_beauty = true;
  CHECK(in(q) == std::vector<int>{1, 1, 1, 1, 1, 1, 1});
  q.has_velo = false;
  CHECK(in(q) == std::vector<int>{0, 1, 1, 1, 1, 1, 1});
  q.pid = -11;
  CHECK(in(q) == std::vector<int>(7, 0));
  CHECK(name(VeloCategory::long_from_b_above_5_gev) == "long_fromb>5GeV");
}

TEST_CASE("Without kinematics there is only the category velo", "[validation]") {
  VeloParticle unknown;
  unknown.hits = {0, 1, 2, 3};
  auto event = velo_event_with({unknown});
  event.has_kinematics = false;
  const auto result = validate(event, tracks({{0, 1, 2}}));
  CHECK(result[velo].particles == 1);
  CHECK(result[velo].found == 1);
  for (std::size_t c = 1; c < velo_categories; ++c) CHECK(result.categories[c].particles == 0);
}

TEST_CASE("Particles can be asked to have hits in several modules", "[validation]") {
  // two modules (0 and 1) against three
  const auto event = velo_event_with({particle({0, 1, 2, 3}), particle({4, 6, 8})});
  const auto list = tracks({{0, 1, 2, 3}, {4, 6, 8}});
  CHECK(validate(event, list)[velo].particles == 2);
  const auto strict = validate(event, list, {.min_modules = 3});
  CHECK(strict[velo].particles == 1);
  CHECK(strict[velo].found == 1);
  CHECK(strict[velo].tracks == 1);
  CHECK(strict.ghosts == 0);  // the other track's particle is real, though nobody asks for it
}

TEST_CASE("Events add up, and so do validations", "[validation]") {
  auto first = velo_event_with({particle({0, 1, 2}), particle({5, 6, 7})});
  auto second = velo_event_with({particle({20, 21, 22, 23}), particle({30, 31})});
  for (auto* event : {&first, &second})
    for (auto& q : event->particles) {
      q.is_long = q.from_strange = q.from_beauty = true;
      q.p = 6000.;
    }
  const auto first_tracks = tracks({{0, 1, 2}, {0, 1}, {50, 51, 52}});
  const auto second_tracks = tracks({{20, 21, 60, 61}, {20, 21, 22, 60}, {22, 23}});
  VeloValidation both, one, other;
  both.add(first, first_tracks);
  both.add(second, second_tracks);
  one.add(first, first_tracks);
  other.add(second, second_tracks);
  one.merge(other);
  for (const auto* validation : {&both, &one}) {
    const auto& result = validation->result();
    CHECK(result.events == 2);
    CHECK(result.tracks == 6);
    CHECK(result.ghosts == 2);
    for (const auto& category : result.categories) {
      CHECK(category.particles == 4);
      CHECK(category.found == 2);
      CHECK(category.tracks == 4);
      CHECK(category.clones == 2);
      CHECK(category.purity_sum == 3.75);
      CHECK(std::abs(category.hit_efficiency_sum - (1. + 2. / 3. + 3. / 4. + 2. / 4.)) < 1e-15);
    }
  }
}

TEST_CASE("Nothing at all has rates of zero", "[validation]") {
  const auto result = validate(velo_event_with({}), {});
  CHECK(result.events == 1);
  CHECK(result.ghost_rate().value() == 0.);
  CHECK(result[velo].efficiency().value() == 0.);
  CHECK(result[velo].clone_rate() == 0.);
  CHECK(result[velo].purity() == 0.);
}

TEST_CASE("Tracks that cannot be validated are errors", "[validation]") {
  auto event = velo_event_with({particle({0, 1, 2})});
  CHECK_THROWS_AS(validate(event, tracks({{1, 104}})), UsageError);
  event.has_truth = false;
  CHECK_THROWS_AS(validate(event, {}), UsageError);
}
