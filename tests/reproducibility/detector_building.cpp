// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of hits in the bins of the layers of a detector, and of tracks that are built there.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "events_in_detector.hpp"

namespace trackplex::test {
namespace {

template <class Input>
std::string bins_hash(const Input& input) {
  const auto index = host_copy(input.binned.index), places = host_copy(input.binned.places);
  Fingerprint hash;
  hash.add(input.binned.places_per_event);
  for (int i = 0; i < input.hits.hits; ++i) hash.add(index(std::size_t(i)));
  for (int i = 0; i < input.binned.events * input.binned.places_per_event; ++i)
    hash.add(places(std::size_t(i)));
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Tracks of best hits on modules are the same everywhere",
                        "[reproducibility]", EnabledSpaces) {
  using candidates::BestHit;
  const EventsInDetector of;
  const kalman::UniformField field{building_tesla};
  {
    const DetectorBuildingInput<float, TestType> input(of.detector, of.events, field);
    CHECK(bins_hash(input) == detector_bins_golden);
    CHECK(tracks_hash(input.template build<BestHit>(wide_search)) ==
          best_hit_on_modules_golden.single_precision);
    // Another width on one space only: it takes long to compile.
    if constexpr (std::is_same_v<TestType, HostExecutor>)
      CHECK(tracks_hash(input.template build<BestHit, 16>(wide_search)) ==
            best_hit_on_modules_golden.single_precision);
  }
  const DetectorBuildingInput<double, TestType> input(of.detector, of.events, field);
  CHECK(bins_hash(input) == detector_bins_golden);
  CHECK(tracks_hash(input.template build<BestHit>(wide_search)) ==
        best_hit_on_modules_golden.double_precision);
}

}  // namespace trackplex::test
