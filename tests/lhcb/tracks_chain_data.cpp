// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <set>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <trackplex/validation/vertex_validation.hpp>
#include <vector>

#include "lhcb/velo_vertices.hpp"
#include "support/data.hpp"

using namespace trackplex;

TEST_CASE("The tracks chain finds SciFi hits and vertices of the ten raw events", "[lhcb][data]") {
  const std::vector<std::filesystem::path> folders = {test::data_or_skip("lhcb-raw"),
                                                      test::data_or_skip("lhcb-scifi")};
  const std::vector<std::filesystem::path> geometry = {folders[0] / "geometry",
                                                       folders[1] / "geometry"};
  const auto detector = io::read_detector(geometry);
  REQUIRE(detector.scifi.has_value());
  const auto names = io::raw_event_names(folders);
  std::vector<lhcb::RawEvent> events;
  for (const auto& name : names) events.push_back(io::read_raw_event(folders, name));
  REQUIRE(events.size() == 10);
  lhcb::TracksParams params;
  params.velo_ut.velo = lhcb::velo_params(lhcb::VeloConstants::y2020);
  using Space = Kokkos::DefaultExecutionSpace;
  const auto found = lhcb::tracks_chain<float>(Space(), detector, params)(events);
  std::size_t hits = 0, ids_of_truth = 0, ids_found = 0;
  validation::VertexValidation vertices;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& list = found[e].scifi_hits;
    CHECK(list.invalid == 0);
    const auto truth = io::read_mc_event(folders[1], names[e]);
    const std::set<std::uint32_t> ids(list.ids.begin(), list.ids.end());
    std::set<std::uint32_t> of_truth;
    for (const auto& particle : truth.particles)
      of_truth.insert(particle.scifi_ids.begin(), particle.scifi_ids.end());
    hits += list.size();
    ids_of_truth += of_truth.size();
    for (const auto id : of_truth) ids_found += ids.count(id);
    vertices.add(found[e].vertices, test::true_vertices(truth));
  }
  CHECK(hits == 38599);
  CHECK(ids_of_truth == 34276);
  CHECK(ids_found == 34276);
  CHECK(vertices.sums().reconstructible == 59);
  CHECK(vertices.sums().found == 56);
  CHECK(vertices.sums().false_vertices == 0);
}
