// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/io/detectors/acts_events.hpp>

#include <trackplex/io/detectors/acts_detector.hpp>
#include <trackplex/io/detectors/trackml_detector.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <string>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using Catch::Matchers::WithinAbs;

namespace {

geometry::DetectorDescription acts_like_detector() {
  geometry::Module module;
  module.frame = {{1., 2., 10.}, {0., 1., 0.}, {-1., 0., 0.}};
  module.bounds = geometry::Bounds::rectangle(5., 5.);
  module.pitch_u = 0.01;
  module.identifier = 77;
  geometry::DetectorDescription detector;
  detector.add_layer({.kind = geometry::LayerKind::disk, .position = 10.}, {module});
  return detector;
}

const std::string acts_hits = "particle_id,geometry_id,tx,ty,tz\n";
const std::string acts_particles = "particle_id,vx,vy,vz,px,py,pz,q\n5,0,0,0,1,0,1,-1\n";

tracks::DetectorEvents acts_event(const geometry::DetectorDescription& detector,
                                  const std::string& hits, std::uint64_t seed = 1) {
  tracks::DetectorEvents events(detector);
  io::parse_acts_event(detector, {acts_hits + hits, acts_particles, "hits.csv", "particles.csv"},
                       seed, events);
  return events;
}

}  // namespace

TEST_CASE("faults of events of ACTS are named with file, line and column", "[io]") {
  auto detector = acts_like_detector();
  const auto refuse = [&](const std::string& hits, const char* message) {
    test::check_refused([&] { acts_event(detector, hits); }, message);
  };
  refuse("5,78,10,20,100\n", "hits.csv: line 2, geometry_id: the detector has no such module");
  refuse("6,77,10,20,100\n", "hits.csv: line 2, particle_id: there is no such particle");
  refuse("5,77,10,20,101\n", "hits.csv: line 2, tx, ty and tz: the crossing is not on its module");
  geometry::DetectorDescription other;
  test::check_refused<UsageError>([&] { io::copy_pitches(other, detector); }, "identifier 77");
  detector.modules[0].pitch_u = 0.;
  test::check_refused<UsageError>([&] { acts_event(detector, "5,77,10,20,100\n"); },
                                  "see copy_pitches");
}

TEST_CASE("crossings of ACTS are smeared by numbers of their rows and the seed", "[io]") {
  const auto detector = acts_like_detector();
  const std::string row = "5,77,10,20,100\n";
  const auto two = acts_event(detector, row + row), one = acts_event(detector, row);
  CHECK(one.particle_of_hit == std::vector<std::int32_t>{0});
  CHECK(one.hits.u[0] == two.hits.u[0]);
  CHECK(two.hits.u[0] != two.hits.u[1]);
  CHECK(acts_event(detector, row, 2).hits.u[0] != one.hits.u[0]);
  CHECK(std::abs(one.hits.u[0]) < 0.02);
  CHECK(one.hits.v[0] == 0.);  // a strip
  CHECK(one.hits.variance_v[0] == 0.);
}

TEST_CASE("muons of ACTS have hits that are smeared as their pitches say", "[io][data]") {
  auto detector =
      io::read_acts_detector(test::data_or_skip("acts-trackml/trackml-detector.csv.gz"));
  io::copy_pitches(io::read_trackml_detector(test::data_or_skip("trackml/detectors.csv.gz")),
                   detector);
  const auto events = io::read_acts_event(detector, test::data_or_skip("acts-trackml/hits.csv.gz"),
                                          test::data_or_skip("acts-trackml/particles.csv.gz"), 7);
  CHECK(events.hits.u.size() == 12095);
  CHECK(events.particles.size() == 988);
  const auto no_smearing = [&] {
    auto sharp = detector;
    for (auto& module : sharp.modules) module.pitch_u = module.pitch_v = 1e-12;
    return io::read_acts_event(sharp, test::data_or_skip("acts-trackml/hits.csv.gz"),
                               test::data_or_skip("acts-trackml/particles.csv.gz"), 7);
  }();
  double mean[2] = {}, square[2] = {};
  int inside = 0;
  for (std::size_t i = 0; i < events.hits.u.size(); ++i) {
    const auto& module = detector.modules[std::size_t(events.hits.module[i])];
    inside += module.bounds.contains(no_smearing.hits.u[i], no_smearing.hits.v[i], 1e-4);
    const double pulls[] = {
        (events.hits.u[i] - no_smearing.hits.u[i]) / std::sqrt(events.hits.variance_u[i]),
        (events.hits.v[i] - no_smearing.hits.v[i]) / std::sqrt(events.hits.variance_v[i])};
    for (int k = 0; k < 2; ++k) {
      mean[k] += pulls[k] / 12095.;
      square[k] += pulls[k] * pulls[k] / 12095.;
    }
  }
  CHECK(inside == 12095);
  for (int k = 0; k < 2; ++k) {
    CHECK_THAT(mean[k], WithinAbs(0., 0.03));
    CHECK_THAT(square[k], WithinAbs(1., 0.04));
  }
}
