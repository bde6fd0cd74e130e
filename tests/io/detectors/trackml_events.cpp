// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/io/detectors/trackml_events.hpp>

#include <trackplex/io/detectors/trackml_detector.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <numeric>
#include <string>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// Two pixel modules on two disks and one of strips.
geometry::DetectorDescription three_modules() {
  geometry::DetectorDescription detector;
  for (int i = 0; i < 3; ++i) {
    geometry::Module module;
    module.frame = {{1., 2., 10. * (i + 1)}, {0., 1., 0.}, {-1., 0., 0.}};
    module.bounds = geometry::Bounds::rectangle(5., 5.);
    module.pitch_u = 0.01 * (i + 1);
    module.pitch_v = i == 2 ? 0. : 0.05;
    module.identifier = geometry::module_identifier(7, 2 * std::uint64_t(i) + 2, 1);
    detector.add_layer({.kind = geometry::LayerKind::disk, .position = 10. * (i + 1)}, {module});
  }
  return detector;
}

const std::string hits_head = "hit_id,x,y,z,volume_id,layer_id,module_id\n";
const std::string two_hits = "3,10,20,200,7,4,1\n9,11,23,100,7,2,1\n";
const std::string particles_head = "particle_id,vx,vy,vz,px,py,pz,q,nhits\n";
const std::string two_particles = "900000000000001,1,2,3,0.6,0.8,2,-1,5\n42,0,0,0,1,0,0,1,0\n";
const std::string truth_head = "hit_id,particle_id,tx,ty,tz,tpx,tpy,tpz,weight\n";
const std::string two_truths = "9,0,0,0,0,0,0,0,0\n3,900000000000001,1,2,3,4,5,6,0.25\n";

io::TrackmlEventTexts all_texts() {
  return {{"hits.csv", hits_head + two_hits},
          {"particles.csv", particles_head + two_particles},
          {"truth.csv", truth_head + two_truths}};
}

tracks::DetectorEvents parsed(const io::TrackmlEventTexts& texts) {
  const auto detector = three_modules();
  tracks::DetectorEvents events(detector);
  io::TrackmlEventReader(detector).parse(texts, events);
  return events;
}

}  // namespace

TEST_CASE("an event of TrackML has its hits in the frames of modules, and its truth", "[io]") {
  const auto events = parsed(all_texts());
  REQUIRE(events.events() == 1);
  REQUIRE(events.hits.u.size() == 2);
  CHECK(events.hits.added == std::vector<std::int32_t>{1, 0});  // by layer
  CHECK(events.hits.module == std::vector<std::int32_t>{0, 1});
  CHECK_THAT(events.hits.u[0], WithinAbs(0.3, 1e-12));
  CHECK_THAT(events.hits.v[0], WithinAbs(-0.1, 1e-12));
  CHECK_THAT(events.hits.u[1], WithinAbs(0., 1e-12));
  CHECK_THAT(events.hits.variance_u[1], WithinRel(0.02 * 0.02 / 12., 1e-12));
  CHECK_THAT(events.hits.variance_v[1], WithinRel(0.05 * 0.05 / 12., 1e-12));
  CHECK(events.particle_of_hit == std::vector<std::int32_t>{-1, 0});
  CHECK(events.weight == std::vector<double>{0., 0.25});
  REQUIRE(events.particles.size() == 2);
  const auto& particle = events.particles[0];
  CHECK(particle.charge == -1);
  CHECK_THAT(particle.start(2), WithinRel(0.3, 1e-12));
  CHECK_THAT(particle.start(kalman::Parameter::inverse_pt), WithinRel(1., 1e-12));
  CHECK_THAT(particle.start(kalman::Parameter::theta), WithinRel(std::atan2(1., 2.), 1e-12));
  CHECK(events.n_hits == std::vector<std::int32_t>{5, 0});
}

TEST_CASE("truth and particles of an event of TrackML may be missing, but not of some", "[io]") {
  auto texts = all_texts();
  texts.truth = {};
  CHECK(parsed(texts).particle_of_hit.empty());
  CHECK(parsed(texts).particles.size() == 2);
  texts.particles = {};
  CHECK(parsed(texts).particle_offsets == std::vector<std::int32_t>{0, 0});

  const auto detector = three_modules();
  const io::TrackmlEventReader reader(detector);
  tracks::DetectorEvents events(detector);
  reader.parse(all_texts(), events);
  reader.parse(all_texts(), events);
  CHECK(events.events() == 2);
  CHECK(events.particle_of_hit == std::vector<std::int32_t>{-1, 0, -1, 0});
  test::check_refused<UsageError>([&] { reader.parse(texts, events); },
                                  "only some events have truth");
  texts.truth = all_texts().truth;
  test::check_refused<UsageError>([&] { reader.parse(texts, events); }, "truth without particles");
  auto strips = three_modules();
  strips.modules[1].pitch_u = 0.;
  test::check_refused<UsageError>([&] { io::TrackmlEventReader{strips}; }, "module 1");
}

TEST_CASE("faults of an event of TrackML are named with file, line and column", "[io]") {
  const auto refuse = [](auto change, const char* message) {
    auto texts = all_texts();
    change(texts);
    test::check_refused([&] { parsed(texts); }, message);
  };
  refuse([](auto& t) { t.hits.text = hits_head + "1,0,0,100,7,3,1\n"; },
         "hits.csv: line 2, module_id: the detector has no such module (volume 7, layer 3");
  refuse([](auto& t) { t.hits.text = hits_head + "1,0,0,100,-7,3,1\n"; }, "no such module");
  refuse([](auto& t) { t.hits.text += "5,10,20,200,7,4,1\n"; }, "truth.csv: it has 2 hits");
  refuse([](auto& t) { t.hits.text = hits_head + "3,1,2,200,7,4,1\n3,1,2,200,7,4,1\n"; },
         "hits.csv: line 3, hit_id: 3 is there twice");
  refuse([](auto& t) { t.truth.text = truth_head + "3,0,0,0,0,0,0,0,0\n3,0,0,0,0,0,0,0,0\n"; },
         "truth.csv: line 3, hit_id: hit 3 is there twice");
  refuse([](auto& t) { t.truth.text = truth_head + "3,0,0,0,0,0,0,0,0\n5,0,0,0,0,0,0,0,0\n"; },
         "hit 5 is not in hits.csv");
  refuse([](auto& t) { t.truth.text = truth_head + "3,7,0,0,0,0,0,0,0\n9,0,0,0,0,0,0,0,0\n"; },
         "truth.csv: line 2, particle_id: there is no particle 7");
  refuse([](auto& t) { t.particles.text += "42,0,0,0,1,0,1,1,0\n"; }, "42 is there twice");
  test::check_refused([] { io::TrackmlEventFiles::of_prefix("/none/event000000001"); },
                      "/none/event000000001: there are no hits");
  const auto hits = hits_head + two_hits;
  test::check_changed_anywhere(
      hits,
      [](const auto& text) {
        parsed({{"hits.csv", text}, {}, {}});
      },
      2000);
}

TEST_CASE("events of TrackML are read with all hits inside of their modules", "[io][data]") {
  const auto detector = io::read_trackml_detector(test::data_or_skip("trackml/detectors.csv.gz"));
  const auto hits = test::data_or_skip("trackml/event000000001-hits.csv.gz").string();
  const auto prefix = hits.substr(0, hits.size() - std::string("-hits.csv.gz").size());
  const auto events = io::read_trackml_event(detector, prefix);
  CHECK(events.hits.u.size() == 5527);
  CHECK(events.particles.size() == 548);
  CHECK_THAT(std::accumulate(events.weight.begin(), events.weight.end(), 0.),
             WithinAbs(0.0512628, 1e-7));
  std::vector<std::int32_t> counts(548, 0);
  int noise = 0, inside = 0;
  for (std::size_t i = 0; i < events.hits.u.size(); ++i) {
    const auto particle = events.particle_of_hit[i];
    ++(particle < 0 ? noise : counts[std::size_t(particle)]);
    inside += detector.modules[std::size_t(events.hits.module[i])].bounds.contains(
        events.hits.u[i], events.hits.v[i]);
  }
  CHECK(noise == 829);
  CHECK(inside == 5527);
  CHECK(counts == events.n_hits);

  const auto full = test::data_or_skip("trackml/event000001001-hits.csv.gz").parent_path();
  const auto events_1001 = io::read_trackml_event(detector, full / "event000001001");
  CHECK(events_1001.hits.u.size() == 93680);
  CHECK(events_1001.particles.size() == 8915);
  CHECK(events_1001.particle_of_hit.empty());
}
