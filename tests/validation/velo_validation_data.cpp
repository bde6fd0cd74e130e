// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <support/data.hpp>
#include <support/velo_track_arrays.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>
#include <trackplex/validation/velo_validation.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>

namespace {

using namespace trackplex;
using namespace trackplex::validation;

/// The particles' own hits as tracks, of those with at least `fewest` hits.
test::VeloTrackArrays perfect_tracks(const lhcb::VeloEvent& event, std::size_t fewest) {
  test::VeloTrackArrays tracks;
  for (const auto& particle : event.particles) {
    if (particle.hits.size() < fewest) continue;
    tracks.push_back(std::vector<std::uint16_t>(particle.hits.begin(), particle.hits.end()));
  }
  return tracks;
}

}  // namespace

TEST_CASE("Perfect tracks find every particle of real events", "[validation]") {
  const auto folder = test::data_or_skip("lhcb-velo-json");
  for (const char* name : {"minibias", "bsphiphi", "upgrade2"}) {
    VeloValidation validation;
    std::uint64_t particles = 0;
    auto files = io::velo_event_files(folder / name);
    files.resize(std::min<std::size_t>(files.size(), 10));
    for (const auto& file : files) {
      auto event = io::read_velo_event(file);
      std::erase_if(event.particles, [](const auto& q) { return q.hits.size() < 2; });
      particles += event.particles.size();
      validation.add(event, perfect_tracks(event, 2));
    }
    INFO(name);
    const auto& result = validation.result();
    CHECK(result.events == files.size());
    CHECK(result.tracks == particles);
    CHECK(result.ghosts == 0);
    for (const auto& category : result.categories) {
      CHECK(category.found == category.particles);
      // below 1 where the track of a particle outside of the category (an electron) is most of
      // one inside
      if (category.tracks > 0) CHECK(category.purity() > 0.99);
      CHECK(category.hit_efficiency() <= 1.);
    }
    const auto& velo = result[VeloCategory::velo];
    CHECK(velo.particles > 1000);
    CHECK(velo.clones < velo.particles / 50);  // particles with the hits of another one
    CHECK(velo.hit_efficiency() > 0.99);
    const bool has_kinematics = std::string(name) != "upgrade2";
    CHECK((result[VeloCategory::long_track].particles > 0) == has_kinematics);
  }
}

TEST_CASE("The ten events of minibias have the published numbers of particles", "[validation]") {
  const auto folder = test::data_or_skip("lhcb-velo-json/minibias");
  VeloValidation validation;
  for (int i = 0; i < 10; ++i) {
    const auto file = folder / ("velo_event_" + std::to_string(i) + ".json");
    validation.add(io::read_velo_event(file), {});
  }
  const auto& result = validation.result();
  CHECK(result[VeloCategory::velo].particles == 2377);
  CHECK(result[VeloCategory::long_track].particles == 654);
  CHECK(result[VeloCategory::long_above_5_gev].particles == 401);
  CHECK(result[VeloCategory::long_strange].particles == 26);
  CHECK(result[VeloCategory::long_strange_above_5_gev].particles == 11);
  CHECK(result[VeloCategory::long_from_b].particles == 9);
  CHECK(result[VeloCategory::long_from_b_above_5_gev].particles == 4);
}
