// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/trackplex.hpp>
#include <trackplex/validation/tracking_quality.hpp>

using namespace trackplex;

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  constexpr int width = default_lane_width<Space, float>;
  const Space exec;

  // Two events in ten cylinders, with losses and noise.
  simulation::CylinderEventParams simulated;
  simulated.tracks = 2000;
  simulated.inefficiency = 0.02;
  simulated.noise_per_layer = 100.;
  const auto events = simulation::generate_cylinder_events(exec, simulated, 0, 2);
  seeding::CylinderLayers detector;
  std::vector<histogram::RegularAxis<float>> z_axes;
  for (; detector.size < simulated.particles.layers; ++detector.size) {
    const double radius = simulated.particles.radius(detector.size);
    detector.radius[detector.size] = radius;
    z_axes.emplace_back(-1.2 * radius - 5., 1.2 * radius + 5., 50);  // low, high (cm), bins
  }

  // 1. Hits into bins of azimuth and z.
  search::LayerHits<float, MemoryOf<Space>> hits;
  search::upload(exec, events.hits, hits);
  search::BinnedHits<float, MemoryOf<Space>> binned(exec, 512, z_axes);
  Workspace<Space> workspace;
  search::bin_hits<width>(exec, hits, binned, workspace);

  // 2. Seeds: here the true hits on the first three layers, fitted.
  const kalman::UniformField field{3.8112};
  seeding::Seeds<float, MemoryOf<Space>> seeds;
  const auto particles = seeding::truth_seeds(exec, events, 3, seeds);
  kalman::FitResults<float, MemoryOf<Space>> fits;
  seeding::fit_seeds<width>(exec, hits, detector, field, {}, fits, seeds);

  // 3. Tracks.
  candidates::FoundTracks<float, MemoryOf<Space>> found;
  candidates::build_tracks<candidates::CloneEngine<>, width>(exec, seeds, binned, detector, field,
                                                             {.max_holes = 2}, found);

  const auto index = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found.hits.index);
  const auto event = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found.hits.event);
  validation::TrackingQuality quality(events, 3);
  for (int track = 0; track < found.size(); ++track) {
    std::vector<std::int32_t> on_layers;  // -1: none
    for (int layer = 0; layer < found.hits.layers; ++layer)
      on_layers.push_back(index(layer * found.hits.stride() + track));
    quality.add({event(track), on_layers, particles[track]});
  }
  const auto result = quality.result(validation::TrackDefinition::d2);
  std::printf("%d seeds, %.2f %% of the tracks good, %.2f %% fakes\n", found.size(),
              100. * result.good / found.size(), 100. * result.fake_rate().value());
}
