// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdio>
#include <trackplex/detector/track_finder.hpp>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>
#include <trackplex/validation/detector_tracking.hpp>
#include <trackplex/validation/pulls.hpp>

using namespace trackplex;

using Space = Kokkos::DefaultExecutionSpace;
using Model = kalman::ForwardTrack;

// 1. The detector: planes of strips, tilted and at three angles, six on each side of a magnet.
geometry::DetectorDescription telescope() {
  geometry::DetectorBuilder builder;
  const double angles[] = {0., 0.1, -0.1};
  for (int i = 0; i < 12; ++i)
    builder.plane({.centre = {0., 0., i < 6 ? 8. * i : 60. + 8. * i},
                   .normal = {0.2, 0., 1.},
                   .half_u = 20.,
                   .half_v = 20.,
                   .angle = angles[i % 3],
                   .sensor = {.pitch_u = 0.01, .radiation_lengths = 0.5 / 12. / 9.37}});
  return builder.build();
}

// 2. The field: 1 T along y in a gap of 40 cm, with fringes.
const geometry::DipoleField magnet{1., 54., 94., 8.};

// The simulation: five particles of 2 to 10 GeV per event, 2 % inefficiency, noise.
tracks::DetectorEvents simulate(const geometry::DetectorDescription& detector, int n_events) {
  tracks::DetectorEvents events(detector);
  const simulation::DetectorGenerator generator(detector, magnet,
                                                {.efficiency = 0.98, .noise_fraction = 0.15});
  for (int event = 0; event < n_events; ++event)
    generator.add_event(std::uint64_t(event), simulation::shoot_beam({}, std::uint64_t(event)),
                        events);
  return events;
}

int main() {
  const KokkosScope kokkos;
  const auto detector = telescope();
  const auto events = simulate(detector, 200);

  // 3. Successors of each plane: the next two planes.
  geometry::LayerGraph graph;
  for (int i = 0; i < 12; ++i) {
    graph.successors.emplace_back();
    for (int next = i + 1; next < 12 && next <= i + 2; ++next)
      graph.successors.back().push_back(next);
  }

  // 4. Seeds: lines upstream of the magnet, without momentum. Downstream each seed has several
  // candidates, and later hits select one.
  detector::PassParams<Model> pass;
  pass.seeds = {.layers = {0, 1, 2, 3, 4, 5},
                .sigma_x = 1.5,
                .sigma_y = 1.5,
                .sigma_x_slope = 0.03,
                .sigma_y_slope = 0.02,
                .n_sigma = 3.5,
                .scattering = 4e-4,
                .min_momentum = 2.};
  pass.building = {.max_holes = 3, .max_half_width = 10.};
  pass.shared_hits = {8, 0.6};
  pass.selection = {8, 5.};
  const detector::TrackFinderParams<Model, candidates::CloneEngine<8>> params{
      .passes = {pass}, .fit = {.max_chi2 = 15.}};
  auto find_tracks = detector::track_finder<float>(Space(), detector, graph, magnet, params);
  const auto found = find_tracks(hits::split(events.hits));

  // 5. Tracks and particles.
  validation::TrackCandidates candidates;
  for (int event = 0; event < events.events(); ++event)
    for (std::size_t track = 0; track < found[event].size(); ++track) {
      std::vector<std::int32_t> hits;
      for (const auto hit : found[event].hits_of(track))
        hits.push_back(events.hits.first(event) + hit);
      candidates.add(hits);
    }
  const auto result = validation::compare_with_truth(events, candidates, {.min_particle_hits = 10});
  validation::Pulls pulls;
  double squares = 0.;
  std::size_t number = 0;
  for (int event = 0; event < events.events(); ++event)
    for (const auto& state : found[event].states) {
      const auto particle = result.particle_of_track[number++];
      if (particle < 0) continue;
      const auto& truth = events.particles[std::size_t(events.particle_offsets[event] + particle)];
      const double q_over_p = truth.charge * truth.start(3) * std::sin(truth.start(5));
      pulls.add(state.parameters(5), q_over_p, std::sqrt(state.covariance(5, 5)));
      squares += std::pow(state.parameters(5) / q_over_p - 1., 2.);
    }
  std::printf("%zu tracks: efficiency %.2f %%, fakes %.2f %%, momentum to %.2f %%, pulls %.2f\n",
              candidates.size(), 100. * result.efficiency.value(), 100. * result.fake_rate.value(),
              100. * std::sqrt(squares / double(pulls.count())), pulls.sigma());
}
