// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of triplets on cylinders and of the fitted states of these seeds.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/fit_seeds.hpp>

#include "golden_hashes.hpp"
#include "seeding/cylinder_events.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"

namespace trackplex::test {
namespace {

template <class T, int Width, class Space>
std::string seeds_of_triplets_hash(const CylinderEvents& generated, int team_size = 0) {
  const Space exec;
  hits::LayerHits<T, MemoryOf<Space>> hits;
  hits::upload(exec, generated.events.hits, hits);
  std::vector<histogram::RegularAxis<T>> axes;
  for (int layer = 0; layer < generated.params.layers; ++layer) {
    const double half = 4. + 1.2 * generated.params.radius(layer);
    axes.emplace_back(-half, half, int(4. * half));
  }
  using Field = kalman::UniformField;
  using Binned = search::BinnedHits<T, MemoryOf<Space>>;
  using BinHits = search::BinHits<T, Space, Binned, Width>;
  Binned binned;
  typename BinHits::Scratch scratch;
  run_algorithm(exec, BinHits{{exec, 200, axes}, team_size}, hits, binned, scratch);

  seeding::FindTripletsParams params;
  params.max_chi2 = 20.;
  params.max_per_middle_hit = 8;
  const auto detector = generated.detector();
  seeding::Triplets<MemoryOf<Space>> triplets;
  seeding::HostTripletCounts counts;
  seeding::StartSeeds<T, MemoryOf<Space>> start;
  seeding::SeedOrigins origins;
  seeding::Seeds<T, MemoryOf<Space>> seeds;
  using Find = seeding::FindTriplets<T, Space, Field, Binned, Width>;
  typename Find::Scratch triplet_scratch;
  run_algorithm(exec, Find{detector, cylinder_field, params, team_size}, hits, binned, triplets,
                triplet_scratch);
  run_algorithm(exec, seeding::CountTriplets<Space>{}, triplets, counts);
  exec.fence();
  run_algorithm(exec, seeding::FillSeeds<T, Space, Field, Binned, Width>{cylinder_field}, hits,
                binned, triplets, counts, start, origins);
  run_algorithm(exec, seeding::FitSeeds<T, Space, Field, Width>{detector, cylinder_field}, hits,
                start, seeds);
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
  if constexpr (std::is_same_v<TestType, HostExecutor>) {
    CHECK(seeds_of_triplets_hash<float, 1, TestType>(generated) ==
          seeds_of_triplets_golden.single_precision);
    CHECK(seeds_of_triplets_hash<float, 16, TestType>(generated) ==
          seeds_of_triplets_golden.single_precision);
  }
}

TEMPLATE_LIST_TEST_CASE("Triplets are the same with teams of any size", "[reproducibility][teams]",
                        EnabledSpaces) {
  const CylinderEvents generated({16});  // barriers take long where threads share cores
  if constexpr (std::is_same_v<TestType, HostExecutor>) {
    const auto of_one_thread = seeds_of_triplets_hash<float, 1, TestType>(generated, 1);
    for (const int size : tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(seeds_of_triplets_hash<float, 1, TestType>(generated, size) == of_one_thread);
      CHECK(seeds_of_triplets_hash<float, 16, TestType>(generated, size) == of_one_thread);
    }
  }
}

}  // namespace trackplex::test
