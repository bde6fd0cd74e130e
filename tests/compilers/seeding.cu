// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Triplets on cylinders and on modules, the starts and the fits of seeds, for TRACKPLEX_SPACE:
/// device code of scalars, or host code of lanes.

#include <trackplex/seeding/detector_triplets.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>

namespace trackplex {

template <class T, class Space>
void seeds_of(const Space& exec, const hits::LayerHits<T, MemoryOf<Space>>& hits,
              const search::BinHits<T, Space>& bin_hits, const tracks::CylinderLayers& detector) {
  const kalman::UniformField field{3.8};
  typename search::BinHits<T, Space>::Scratch scratch;
  search::BinnedHits<T, MemoryOf<Space>> binned;
  seeding::Triplets<MemoryOf<Space>> triplets;
  seeding::HostTripletCounts counts;
  seeding::StartSeeds<T, MemoryOf<Space>> start;
  seeding::SeedOrigins origins;
  seeding::Seeds<T, MemoryOf<Space>> seeds;
  run_algorithm(exec, bin_hits, hits, binned, scratch);
  typename seeding::FindTriplets<T, Space>::Scratch triplet_scratch;
  run_algorithm(exec, seeding::FindTriplets<T, Space>{detector, field}, hits, binned, triplets,
                triplet_scratch);
  run_algorithm(exec, seeding::CountTriplets<Space>{}, triplets, counts);
  run_algorithm(exec, seeding::FillSeeds<T, Space>{field}, hits, binned, triplets, counts, start,
                origins);
  constexpr int width = default_lane_width<Space, T>;
  seeding::start_states<width>(exec, hits, start.hits, {0, 1, 2}, field, {}, start.states);
  run_algorithm(exec, seeding::FitSeeds<T, Space>{detector, field}, hits, start, seeds);
}

template <class T, class Space>
void triplets_on_modules(const Space& exec, const hits::DetectorHits<T, MemoryOf<Space>>& hits,
                         const search::BinnedDetectorHits<T, MemoryOf<Space>>& binned,
                         const seeding::FindDetectorTriplets<T, Space>& find) {
  seeding::Triplets<MemoryOf<Space>> triplets;
  typename seeding::FindDetectorTriplets<T, Space>::Scratch scratch;
  run_algorithm(exec, find, hits, binned, triplets, scratch);
}

using Space = TRACKPLEX_SPACE;
template void seeds_of<float>(const Space&, const hits::LayerHits<float, MemoryOf<Space>>&,
                              const search::BinHits<float, Space>&, const tracks::CylinderLayers&);
template void triplets_on_modules<float>(const Space&,
                                         const hits::DetectorHits<float, MemoryOf<Space>>&,
                                         const search::BinnedDetectorHits<float, MemoryOf<Space>>&,
                                         const seeding::FindDetectorTriplets<float, Space>&);

}  // namespace trackplex
