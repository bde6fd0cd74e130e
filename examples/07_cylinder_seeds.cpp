// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/trackplex.hpp>

using namespace trackplex;

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;
  const kalman::UniformField field{3.8112};

  // 500 particles and their hits on ten cylinders
  simulation::CylinderEventParams params;
  params.tracks = 500;
  const auto events = simulation::generate_cylinder_events(exec, params, 0, 1);
  tracks::CylinderLayers detector;
  std::vector<histogram::RegularAxis<float>> z_axes;
  for (; detector.size < params.particles.layers; ++detector.size) {
    const double radius = params.particles.radius(detector.size), half = 5. + 1.2 * radius;
    detector.radius[detector.size] = radius;
    z_axes.emplace_back(-half, half, int(4. * half));
  }

  // Hits, and bins of 25 mrad and 5 mm for the search
  hits::LayerHits<float, MemoryOf<Space>> hits;
  hits::upload(exec, events.hits, hits);
  const search::BinHits<float, Space> bin_hits{{exec, 250, z_axes}};
  search::BinHits<float, Space>::Scratch bin_scratch;
  search::BinnedHits<float, MemoryOf<Space>> binned;
  run_algorithm(exec, bin_hits, hits, binned, bin_scratch);

  // Triplets; the host waits for the count
  const seeding::FindTriplets<float, Space> find_triplets{detector, field};
  seeding::FindTriplets<float, Space>::Scratch scratch;
  seeding::Triplets<MemoryOf<Space>> triplets;
  seeding::HostTripletCounts counts;
  run_algorithm(exec, find_triplets, hits, binned, triplets, scratch);
  run_algorithm(exec, seeding::CountTriplets<Space>(), triplets, counts);
  exec.fence();

  // Seeds, and the state of each at its third hit
  const seeding::FillSeeds<float, Space> fill_seeds{field};
  const seeding::FitSeeds<float, Space> fit_seeds{detector, field};
  seeding::StartSeeds<float, MemoryOf<Space>> start;
  seeding::SeedOrigins origins;
  seeding::Seeds<float, MemoryOf<Space>> seeds;
  run_algorithm(exec, fill_seeds, hits, binned, triplets, counts, start, origins);
  run_algorithm(exec, fit_seeds, hits, start, seeds);
  exec.fence();
  const auto total = counts.total();
  std::printf("%d seeds, %d dropped\n", seeds.size(), total.overflow + total.dropped);
}
