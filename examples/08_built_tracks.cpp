// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/trackplex.hpp>
#include <trackplex/validation/tracking_quality.hpp>

using namespace trackplex;

int main() {
  const KokkosScope kokkos;
  const Kokkos::DefaultExecutionSpace exec;

  // Two events in ten cylinders, with losses and noise.
  simulation::CylinderEventParams simulated;
  simulated.tracks = 2000;
  simulated.inefficiency = 0.02;
  simulated.noise_per_layer = 100.;
  const auto events = simulation::generate_cylinder_events(exec, simulated, 0, 2);

  // The chain: bins in azimuth and z, seeds from the true hits on the first three layers, tracks.
  cylinder::TrackingParams params;
  params.bins = {512, 50};
  params.building.max_holes = 2;
  for (auto& n = params.detector.size; n < simulated.particles.layers; ++n) {
    const double radius = simulated.particles.radius(n);
    params.detector.radius[n] = radius;
    params.half_length.push_back(1.2 * radius + 5.);  // cm
  }
  auto find_tracks = cylinder::tracking_chain<float>(exec, params);
  const auto results = find_tracks(std::vector{events.part(0, 1), events.part(1, 1)});

  validation::TrackingQuality quality(events, params.seed_layers);
  for (int event = 0; event < 2; ++event) {
    const auto& tracks = results[event].tracks;
    for (std::size_t track = 0; track < tracks.size(); ++track)
      quality.add({event, tracks.hits_of(track), tracks.particle[track]});
  }
  const auto n = results[0].tracks.size() + results[1].tracks.size();
  const auto result = quality.result(validation::TrackDefinition::d2);
  std::printf("%zu seeds, %.2f %% of the tracks good, %.2f %% fakes\n", n, 100. * result.good / n,
              100. * result.fake_rate().value());
}
