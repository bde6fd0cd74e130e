// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain for cylinders against its algorithms, called one by one.
#include "checks.hpp"
#include "support/lane_widths.hpp"

using namespace trackplex;

namespace {

using Space = test::FirstSpace;
using Memory = MemoryOf<Space>;

/// None of them is a default.
cylinder::TrackingParams uncommon_params() {
  auto params = test::tracking_params();
  params.field = 3.75;
  params.solenoid.c1 = 3.7;
  params.seed_layers = 4;
  params.building.max_holes = 3;
  params.building.material.thickness = 0.05;
  params.shared_hits = {.min_hits = 10, .min_own_hits = 0.5};
  return params;
}

/// The tracks of an event from seeds of the truth.
struct OneByOne {
  Space exec;
  std::vector<std::int32_t> particles;
  seeding::Seeds<float, Memory> seeds;
  tracks::KeptTracks<float, Memory> tracks;
  cylinder::FittedTracks<float, Memory> fitted, smoothed;

  OneByOne(const tracks::TrackingEvents& event, const cylinder::TrackingParams& params) {
    const auto& building = params.building;
    const kalman::UniformField field{params.field};
    hits::LayerHits<float, Memory> hits;
    hits::upload(exec, event.hits, hits);

    std::vector<histogram::RegularAxis<float>> z;
    for (const double half : params.half_length) z.emplace_back(-half, half, params.bins.second);
    search::BinnedHits<float, Memory> binned;
    search::BinHits<float, Space>::Scratch of_bins;
    run_algorithm(exec, search::BinHits<float, Space>{{exec, params.bins.azimuth, z}}, hits, binned,
                  of_bins);

    seeding::StartSeeds<float, Memory> start;
    particles = seeding::truth_seeds(exec, event, params.seed_layers, start);
    run_algorithm(exec, seeding::FitSeeds<float, Space>{params.detector, field, building.material},
                  hits, start, seeds);
    tracks::FoundTracks<float, Memory> found;
    using Build = candidates::BuildTracks<candidates::CloneEngine<>, float, Space>;
    run_algorithm(exec, Build{params.detector, field, building}, seeds, binned, found);
    candidates::ResolveAmbiguities<float, Space>::Scratch of_removal;
    run_algorithm(exec, candidates::ResolveAmbiguities<float, Space>{params.shared_hits}, hits,
                  found, tracks, of_removal);

    constexpr int width = test::state_lanes<Space, float>;
    const auto& of_tracks = tracks.tracks.hits;
    const kalman::HitsInMaterial layers{
        tracks::TrackLayers<float, Memory>{hits, of_tracks, params.detector}, building.material};
    for (auto* const fit : {&fitted, &smoothed}) {
      fit->states.allocate(exec, tracks.tracks.size());
      seeding::start_states<width>(exec, hits, of_tracks, field, {}, fit->states);
    }
    kalman::fit_tracks<width>(exec, fitted.states, params.solenoid, layers, {}, fitted.results);
    kalman::SmootherSteps<float, Memory> steps{10, {}};
    kalman::smooth_tracks<width>(exec, smoothed.states, params.solenoid, layers, 1, {},
                                 smoothed.results, smoothed.smoothed, steps);
    exec.fence();
  }
};

}  // namespace

TEST_CASE("The chain for cylinders does what its algorithms do one by one", "[cylinder]") {
  const auto params = uncommon_params();
  const auto event = test::cylinder_events()[3];
  const OneByOne expected(*event, params);
  auto tracking = cylinder::tracking_chain<float>(Space(), params);
  for (const bool smooth : {false, true}) {
    CAPTURE(smooth);
    tracking.select(cylinder::CylinderSteps{.resolve_ambiguities = true, .smooth = smooth}.names());
    const auto results = test::run_batches(tracking, {event}, 1);
    const auto& [seeds, tracks, fits, lost] = results.at(0);

    REQUIRE(seeds.layers == 4);
    CHECK(seeds.particle == expected.particles);
    const auto seed_chi2 = test::host_copy(expected.seeds.fit.chi2);
    for (std::size_t i = 0; i < seeds.size(); ++i) CHECK(seeds.chi2[i] == double(seed_chi2(i)));

    const auto& kept = expected.tracks.tracks;
    REQUIRE(tracks.size() > 100);
    REQUIRE(tracks.size() < seeds.size());
    REQUIRE(tracks.size() == std::size_t(kept.size()));
    const auto index = test::host_copy(kept.hits.index);
    const auto origin = test::host_copy(expected.tracks.origin);
    const auto chi2 = test::host_copy(kept.chi2);
    const auto& of_fit = smooth ? expected.smoothed : expected.fitted;
    const auto fit_chi2 = test::host_copy(of_fit.results.chi2);
    const auto states =
        kalman::states_on_host(expected.exec, smooth ? of_fit.smoothed.states : of_fit.states);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      CAPTURE(i);
      const auto hits = tracks.hits_of(i);
      for (std::size_t layer = 0; layer < hits.size(); ++layer)
        CHECK(hits[layer] == index(layer * std::size_t(kept.hits.stride()) + i));
      CHECK(tracks.particle[i] == expected.particles[std::size_t(origin(i))]);
      CHECK(tracks.chi2[i] == double(chi2(i)));
      CHECK(fits[i].chi2 == double(fit_chi2(i)));
      CHECK(fits[i].state.parameters.elements[3] == states[i].parameters.elements[3]);
      CHECK(fits[i].state.covariance.elements[20] == states[i].covariance.elements[20]);
    }
  }
}
