// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/simulation/cylinder_tracks.hpp>
#include <trackplex/trackplex.hpp>

using namespace trackplex;

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  constexpr int width = default_lane_width<Space, float>;
  const Space exec;
  const kalman::UniformField field{3.8112};

  // 500 particles and their hits on ten cylinders
  const simulation::CylinderTrackParams params;
  search::HostLayerHits<float> generated(params.layers);
  seeding::CylinderLayers detector;
  detector.size = params.layers;
  std::vector<simulation::CylinderParticle<double>> particles;
  for (int i = 0; i < 500; ++i) particles.emplace_back(params, i);
  for (int layer = 0; layer < params.layers; ++layer) {
    detector.radius[layer] = params.radius(layer);
    for (auto& particle : particles) {
      if (!particle.advance(field)) continue;
      const auto hit = particle.measure();
      std::array<float, 6> covariance;
      for (int e = 0; e < 6; ++e) covariance[e] = float(hit.covariance.elements[e]);
      generated.add(float(hit.position(0)), float(hit.position(1)), float(hit.position(2)),
                    covariance);
    }
    generated.end_layer();
  }

  // The hits, and bins of 25 mrad and 5 mm in which triplets find them
  search::LayerHits<float, MemoryOf<Space>> hits;
  search::upload(exec, generated, hits);
  std::vector<histogram::RegularAxis<float>> z_axes;
  for (int layer = 0; layer < params.layers; ++layer) {
    const double half = 5. + 1.2 * params.radius(layer);
    z_axes.emplace_back(-half, half, int(4. * half));
  }
  search::BinnedHits<float, MemoryOf<Space>> binned(exec, 250, z_axes);
  Workspace<Space> workspace;
  search::bin_hits<width>(exec, hits, binned, workspace);

  // Triplets, and the state of each at its third hit
  seeding::Triplets<MemoryOf<Space>> triplets;
  seeding::find_triplets<width>(exec, hits, binned, detector, field, {}, triplets);
  const auto counts = seeding::count_triplets(exec, triplets);
  seeding::Seeds<float, MemoryOf<Space>> seeds;
  seeding::fill_seeds(exec, hits, binned, triplets, counts.seeds, seeds);
  kalman::FitResults<float, MemoryOf<Space>> results;
  seeding::start_states<width>(exec, hits, seeds.hits, {0, 1, 2}, field, {}, seeds.states);
  seeding::fit_seeds<width>(exec, hits, detector, field, {}, results, seeds);
  exec.fence();
  std::printf("%d seeds, %d left out\n", seeds.size(), counts.overflow + counts.dropped);
}
