// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/detectors/acts_detector.hpp>
#include <trackplex/io/detectors/acts_events.hpp>
#include <trackplex/io/detectors/trackml_detector.hpp>
#include <trackplex/io/detectors/trackml_events.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/trackml.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::simulation;
using Catch::Matchers::WithinRel;

TEST_CASE("published weights are those of the truth of TrackML", "[simulation][data]") {
  const auto path = test::data_or_skip("trackml/event000000001-truth.csv.gz").parent_path();
  const auto detector = io::read_trackml_detector(path / "detectors.csv.gz");
  const auto events = io::read_trackml_event(detector, path / "event000000001");
  std::vector<double> z;
  for (std::size_t i = 0; i < events.hits.u.size(); ++i) {
    const auto& frame = detector.modules[std::size_t(events.hits.module[i])].frame;
    z.push_back(geometry::to_global(
        frame, geometry::Vector3<double>{events.hits.u[i], events.hits.v[i], 0.})(2));
  }
  const auto weights = trackml_weights(events.particles, events.particle_of_hit, z);
  double theirs = 0., same = 0., both = 0.;
  for (std::size_t i = 0; i < z.size(); ++i)
    if (weights[i] > 0. && events.weight[i] > 0.) {
      theirs += events.weight[i];
      both += weights[i];
    }
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double ours = weights[i] * theirs / both;
    if (std::abs(ours - events.weight[i]) < 1e-3 * ours) same += events.weight[i];
  }
  UNSCOPED_INFO("weight that is the same: " << same / theirs << ", in both " << theirs / 0.0512628);
  CHECK(same > 0.93 * theirs);       // z is measured here, and in their order true
  CHECK(theirs > 0.92 * 0.0512628);  // the others are of decays
}

TEST_CASE("muons of ACTS have generated hits in the same modules", "[simulation][data]") {
  auto detector =
      io::read_acts_detector(test::data_or_skip("acts-trackml/trackml-detector.csv.gz"));
  io::copy_pitches(io::read_trackml_detector(test::data_or_skip("trackml/detectors.csv.gz")),
                   detector);
  set_trackml_material(detector);
  const auto real = io::read_acts_event(detector, test::data_or_skip("acts-trackml/hits.csv.gz"),
                                        test::data_or_skip("acts-trackml/particles.csv.gz"));
  DetectorGeneratorParams params{.particle_mass = constants::muon_mass};
  params.passive_layers = trackml_passive_layers();
  const DetectorGenerator generator(detector, geometry::UniformVectorField{0., 0., 2.}, params);
  const auto events = generator(real.particles);
  const auto modules_of = [](const tracks::DetectorEvents& of) {
    std::vector<std::pair<int, int>> list;
    for (std::size_t i = 0; i < of.hits.u.size(); ++i)
      list.emplace_back(of.particle_of_hit[i], of.hits.module[i]);
    std::sort(list.begin(), list.end());
    return list;
  };
  const auto a = modules_of(real), b = modules_of(events);
  std::vector<std::pair<int, int>> same;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(same));
  CHECK_THAT(double(b.size()), WithinRel(12095., 0.005));
  CHECK(double(same.size()) > 0.99 * 12095.);
}

TEST_CASE("particles of TrackML have as many generated hits as in their event",
          "[simulation][data]") {
  const auto path = test::data_or_skip("trackml/event000001001-hits.csv.gz").parent_path();
  auto detector = io::read_trackml_detector(path / "detectors.csv.gz");
  set_trackml_material(detector);
  const auto real = io::read_trackml_event(detector, path / "event000001001");
  const DetectorGenerator generator(detector, trackml_field<double>(HostExecutor()),
                                    trackml_generator_params());
  const auto events = generator(real.particles);
  double generated[3] = {}, found[3] = {};
  for (std::size_t p = 0; p < real.particles.size(); ++p) {
    const auto& start = real.particles[p].start;
    const double eta = -std::log(std::tan(0.5 * start(5)));
    if (std::hypot(start(0), start(1)) > 0.5 || start(3) > 1. / 0.3 || std::abs(eta) >= 3. ||
        events.n_hits[p] < 5 || real.n_hits[p] < 5)
      continue;
    generated[int(std::abs(eta))] += events.n_hits[p];
    found[int(std::abs(eta))] += real.n_hits[p];
  }
  for (int i = 0; i < 3; ++i) CHECK_THAT(generated[i], WithinRel(found[i], 0.03));
  CHECK_THAT(double(events.hits.u.size()), WithinRel(93680., 0.08));
}
