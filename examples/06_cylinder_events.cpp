// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <cstdio>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/trackplex.hpp>
#include <trackplex/validation/tracking_quality.hpp>
#include <vector>

using namespace trackplex;

int main() {
  const KokkosScope kokkos;
  const Kokkos::DefaultExecutionSpace exec;

  simulation::CylinderEventParams params;
  params.tracks = 2000;
  params.inefficiency = 0.02;    // lost hits
  params.noise_per_layer = 100;  // hits from no particle
  params.particles.material = true;
  const auto events = simulation::generate_cylinder_events(exec, params, 0, 2);

  // Instead of found tracks: the hits of the particles, every tenth with wrong hits.
  validation::TrackingQualityParams wanted;
  wanted.min_layers = 7;
  wanted.pt.edges = {0.5, 1., 2., 5., 10.};
  validation::TrackingQuality quality(events, 3, wanted);
  for (int event = 0; event < events.events(); ++event) {
    std::vector<std::array<std::int32_t, 10>> tracks(std::size_t(params.tracks));
    for (auto& track : tracks) track.fill(-1);
    for (int layer = 0; layer < 10; ++layer) {
      const auto first = events.hits.offsets[std::size_t(event * 10 + layer)];
      for (int hit = 0; hit < events.hits.size(event, layer); ++hit) {
        const int particle = events.particle_of_hit[std::size_t(first + hit)];
        if (particle < 0) continue;
        const bool wrong = particle % 10 == 0 && layer > 2;
        tracks[std::size_t(particle)][std::size_t(layer)] = wrong ? 0 : hit;
      }
    }
    for (int i = 0; i < params.tracks; ++i) quality.add({event, tracks[std::size_t(i)], i});
  }

  const auto result = quality.result(validation::TrackDefinition::d1);
  std::printf("%zu hits, efficiency %.3f +- %.3f, fakes %.3f\n", events.hits.x.size(),
              result.efficiency.value(), result.efficiency.error(), result.fake_rate().value());
}
