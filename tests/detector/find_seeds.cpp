// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeds of track finding in a field that changes along z.
#include <trackplex/core/host_executor.hpp>
#include <trackplex/detector/track_finder.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "seeding/barrel_events.hpp"

using namespace trackplex;
using Catch::Matchers::WithinAbs;

namespace {

using Space = HostExecutor;

/// Divergence-free field that grows along z.
struct GrowingField {
  double centre;  ///< z of the experiment, cm

  template <class Real>
  geometry::Vector3<Real> operator()(const Real& x, const Real& y, const Real& z) const {
    const Real per_cm(0.02), half(-0.01);
    return {{half * x, half * y, fma(per_cm, z - Real(centre), Real(2))}};
  }
};
using Field = kalman::HelicesInField<GrowingField>;

/// The fitted seeds of an experiment, by their hits.
using Seeds = std::map<std::array<int, 4>, kalman::TrackState<double>>;

Seeds seeds_of(test::EventsOfBarrels events, double z) {
  for (auto& module : events.detector.modules) module.frame.centre(2) += z;
  for (auto& layer : events.detector.layers)
    if (layer.kind == geometry::LayerKind::barrel)
      layer.low += z, layer.high += z;
    else
      layer.position += z;
  detector::PassParams<> pass;
  pass.seeds = test::cuts_of_barrels();
  pass.seeds.max_per_middle_hit = 64;
  pass.seeds.beam_z = z;
  const Space exec;
  auto finder = detector::track_finder<double, Space, test::state_lanes<Space, double>>(
      exec, events.detector, geometry::find_layer_graph(events.detector), Field{{z}},
      detector::TrackFinderParams<>{.passes = {pass}});
  finder.select({"stage_hits", "upload_hits", "free_all_hits", "bin_free_hits",
                 "find_detector_triplets", "count_triplets", "fill_seeds", "fit_seeds"});
  const auto list = hits::split(events.hits);
  std::vector<const hits::HostDetectorHits*> pointers;
  for (const auto& event : list) pointers.push_back(&event);
  finder.product<detector::Events>().pointers = pointers;
  finder.stage();
  finder.run();
  const auto& seeds = finder.product<seeding::Seeds<double, MemoryOf<Space>>>();
  const auto states = kalman::states_on_host(exec, seeds.states);
  Seeds result;
  for (int i = 0; i < seeds.size(); ++i) {
    const auto& hits = seeds.hits;
    result[{hits.event(std::size_t(i)), hits(i, 0), hits(i, 1), hits(i, 2)}] =
        states[std::size_t(i)];
  }
  return result;
}

}  // namespace

TEST_CASE("an experiment moved along z has the same seeds", "[detector]") {
  using P = kalman::Parameter;
  const test::EventsOfBarrels events({{150, 50}});
  const auto expected = seeds_of(events, 0.);
  REQUIRE(expected.size() > 200);
  for (const double z : {-64., 32.}) {
    CAPTURE(z);
    const auto found = seeds_of(events, z);
    REQUIRE(found.size() == expected.size());
    for (const auto& [hits, there] : expected) {
      CAPTURE(hits);
      REQUIRE(found.contains(hits));
      const auto& state = found.at(hits);
      CHECK(state.charge == there.charge);
      for (int i = 0; i < 6; ++i) {
        const double sigma = std::sqrt(there.covariance(i, i));
        CHECK_THAT(state.parameters(i) - (i == P::z ? z : 0.),
                   WithinAbs(there.parameters(i), 1e-6 * sigma + 1e-11));
        CHECK_THAT(std::sqrt(state.covariance(i, i)), WithinAbs(sigma, 1e-6 * sigma + 1e-11));
      }
    }
  }
}
