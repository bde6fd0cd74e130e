// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of triplets on cylinders and of the fitted states of these seeds.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>

#include "golden_hashes.hpp"
#include "seeding/cylinder_events.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

template <class T, int Width, class Space>
std::string seeds_of_triplets_hash(const CylinderEvents& generated, int team_size = 0) {
  const Space exec;
  search::LayerHits<T, MemoryOf<Space>> hits;
  search::upload(exec, generated.events.hits, hits);
  std::vector<histogram::RegularAxis<T>> axes;
  for (int layer = 0; layer < generated.params.layers; ++layer) {
    const double half = 4. + 1.2 * generated.params.radius(layer);
    axes.emplace_back(-half, half, int(4. * half));
  }
  search::BinnedHits<T, MemoryOf<Space>> binned(exec, 200, axes);
  Workspace<Space> workspace;
  search::bin_hits<Width>(exec, hits, binned, workspace, team_size);

  seeding::CylinderTripletParameters parameters;
  parameters.max_chi2 = 20.;
  parameters.max_per_middle_hit = 8;
  seeding::Triplets<MemoryOf<Space>> triplets;
  const auto detector = generated.detector();
  seeding::find_triplets<Width>(exec, hits, binned, detector, cylinder_field, parameters, triplets,
                                team_size);
  const auto counts = seeding::count_triplets(exec, triplets);
  seeding::Seeds<T, MemoryOf<Space>> seeds;
  kalman::FitResults<T, MemoryOf<Space>> results;
  seeding::fill_seeds(exec, hits, binned, triplets, counts.seeds, seeds);
  seeding::start_states<Width>(exec, hits, seeds.hits, parameters.layers, cylinder_field, {},
                               seeds.states);
  seeding::fit_seeds<Width>(exec, hits, detector, cylinder_field, {}, results, seeds);
  return seeds_hash(exec, seeds);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Triplets and their fitted states are the same everywhere",
                        "[reproducibility]", EnabledSpaces) {
  const CylinderEvents generated({1200, 0, 300});
  constexpr int width = default_lane_width<TestType, double>;
  CHECK(seeds_of_triplets_hash<float, width, TestType>(generated) ==
        seeds_of_triplets_golden.single_precision);
  CHECK(seeds_of_triplets_hash<double, width, TestType>(generated) ==
        seeds_of_triplets_golden.double_precision);
  // The other widths on one space only: they take long to compile.
  if constexpr (std::is_same_v<TestType, Kokkos::DefaultHostExecutionSpace>) {
    const int threads = TestType().concurrency();
    CHECK(seeds_of_triplets_hash<float, 1, TestType>(generated, threads) ==
          seeds_of_triplets_golden.single_precision);
    CHECK(seeds_of_triplets_hash<float, 16, TestType>(generated) ==
          seeds_of_triplets_golden.single_precision);
  }
}

}  // namespace trackplex::test
