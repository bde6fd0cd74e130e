// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/host_executor.hpp>
#include <trackplex/detector/select_tracks.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <vector>

#include "support/spaces.hpp"

using namespace trackplex;

namespace {

using test::host_copy;

/// Track of as many hits, and the result of its fit.
struct Fitted {
  int hits;
  float chi2;
  int measurements;
  bool reached, accepted;
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("tracks of good fits are accepted, and take their hits", "[detector]",
                        test::EnabledSpaces) {
  const TestType exec;
  using Memory = MemoryOf<TestType>;
  using Select = detector::SelectTracks<float, TestType>;
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  const std::vector<Fitted> list = {
      {4, 9.f, 8, true, true},    // 3 degrees of freedom, of at most 3 each
      {4, 9.1f, 8, true, false},  // chi2
      {3, 1.f, 8, true, false},   // hits
      {5, 1.f, 8, false, false},  // not reached
      {5, 3.f, 5, true, true},    // no degree of freedom counts as one
      {5, 3.1f, 5, true, false}, {5, 0.f, 4, true, false}, {5, nan, 10, true, false},
      {5, inf, 10, true, false}, {6, 0.f, 12, true, true}, {0, 0.f, 0, true, false}};
  constexpr int layers = 7;
  const int n = int(list.size());
  tracks::TrackHits<Kokkos::HostSpace> hits;
  kalman::FitResults<float, Kokkos::HostSpace> fits;
  const HostExecutor host;
  hits.allocate(host, n, layers);
  fits.allocate(host, n);
  std::vector<std::uint8_t> expected(std::size_t(layers * n));
  expected.back() = 1;  // taken before
  for (int t = 0; t < n; ++t) {
    const auto& track = list[std::size_t(t)];
    for (int k = 0; k < layers; ++k) {
      // The first slot is empty, and hit 7 t + 1 of each track is in no slot
      const bool has_hit = k > 0 && k <= track.hits;
      hits(t, k) = has_hit ? layers * t + (k == 1 ? 0 : k) : -1;
      if (has_hit && track.accepted) expected[std::size_t(hits(t, k))] = 1;
    }
    fits.chi2(std::size_t(t)) = track.chi2;
    fits.measurements(std::size_t(t)) = std::uint16_t(track.measurements);
    fits.reached(std::size_t(t)) = track.reached;
  }
  const typename Select::Tracks on_space{enqueue_copy<tracks::TrackHits<Memory>>(exec, hits)};
  typename Select::Fits results;
  results.results.allocate(exec, n);
  deep_copy(exec, results.results.chi2, fits.chi2);
  deep_copy(exec, results.results.measurements, fits.measurements);
  deep_copy(exec, results.results.reached, fits.reached);
  auto before = std::vector<std::uint8_t>(std::size_t(layers * n));
  before.back() = 1;
  typename Select::Accepted accepted;
  const typename Select::Taken taken = to_device<std::uint8_t>(exec, "taken", before);
  run_algorithm(exec, Select{{.min_hits = 4, .max_chi2_per_ndf = 3.}}, on_space, results, taken,
                accepted);
  exec.fence();
  const auto flags = host_copy(accepted.flags), of_hits = host_copy(taken);
  for (int t = 0; t < n; ++t) {
    CAPTURE(t);
    CHECK(flags(std::size_t(t)) == list[std::size_t(t)].accepted);
  }
  for (std::size_t hit = 0; hit < expected.size(); ++hit) CHECK(of_hits(hit) == expected[hit]);
  // No tracks
  typename Select::Tracks none;
  none.hits.allocate(exec, 0, layers);
  CHECK_NOTHROW(run_algorithm(exec, Select{}, none, results, taken, accepted));
  exec.fence();
}
