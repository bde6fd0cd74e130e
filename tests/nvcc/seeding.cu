// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Triplets on cylinders, the starts and the fits of seeds, for TRACKPLEX_SPACE: device code of
/// scalars, or host code of lanes.

#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>

namespace trackplex {

template <int Width, class T, class Space>
void seeds_of(const Space& exec, const search::LayerHits<T, MemoryOf<Space>>& hits,
              search::BinnedHits<T, MemoryOf<Space>>& binned, const seeding::CylinderLayers& detector) {
  const kalman::UniformField field{3.8};
  Workspace<Space> workspace;
  seeding::Triplets<MemoryOf<Space>> triplets;
  seeding::Seeds<T, MemoryOf<Space>> seeds;
  kalman::FitResults<T, MemoryOf<Space>> results;
  search::bin_hits<Width>(exec, hits, binned, workspace);
  seeding::find_triplets<Width>(exec, hits, binned, detector, field, {}, triplets);
  seeding::fill_seeds(exec, hits, binned, triplets, seeding::count_triplets(exec, triplets).seeds,
                      seeds);
  seeding::start_states<Width>(exec, hits, seeds.hits, field, {}, seeds.states);
  seeding::start_states<Width>(exec, hits, seeds.hits, {0, 1, 2}, field, {}, seeds.states);
  seeding::fit_seeds<Width>(exec, hits, detector, field, {}, results, seeds);
}

using Space = TRACKPLEX_SPACE;
template void seeds_of<default_lane_width<Space, float>>(const Space&,
                                                         const search::LayerHits<float, MemoryOf<Space>>&,
                                                         search::BinnedHits<float, MemoryOf<Space>>&,
                                                         const seeding::CylinderLayers&);

}  // namespace trackplex
