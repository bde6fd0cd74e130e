// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of generated, fitted and smoothed tracks.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include "golden_hashes.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

/// Adds the matrices of the items that `wanted(item)` names.
template <class Space, class Matrices, class Wanted>
void add_matrices(Fingerprint& hash, const Space& exec, const Matrices& device,
                  const Wanted& wanted) {
  const auto host = to_host(exec, device);
  for (int i = 0; i < host.size(); ++i)
    for (int e = 0; e < Matrices::View::elements; ++e)
      if (wanted(i)) hash.add(host.const_view().element(i, e));
}

template <class As, class Space, class View>
void add_array(Fingerprint& hash, const Space& exec, const View& device) {
  const auto host = to_host(exec, device);
  for (std::size_t i = 0; i < host.extent(0); ++i) hash.add(As(host(i)));
}

template <class T, int Width, class Space>
std::string smoothed_tracks_hash() {
  constexpr int n = 301, layers = 10;
  const Space exec;
  simulation::CylinderTrackParams params;
  params.layers = layers;
  params.material = true;
  params.min_pt = 0.2;  // some turn back
  const kalman::UniformField field{3.8112};
  simulation::CylinderTracks<T, MemoryOf<Space>> tracks;
  simulation::generate_cylinder_tracks<Width>(exec, params, n, field, tracks);
  kalman::TrackStates<T, MemoryOf<Space>> states;
  simulation::start_near<Width>(exec, tracks.start, {0.1, 0.1, 1., 0.05, 0.02, 0.02}, 2, states);
  kalman::FitResults<T, MemoryOf<Space>> results;
  kalman::SmoothedTracks<T, MemoryOf<Space>> smoothed;
  const auto hits = tracks.hits.view();
  kalman::FitOptions options;
  options.max_chi2 = 10.;
  kalman::SmootherSteps<T, MemoryOf<Space>> steps{layers, {}};
  kalman::smooth_tracks<Width>(exec, states, field, kalman::HitsInMaterial{hits, params.layer},
                               layers, options, results, smoothed, steps);

  Fingerprint hash;
  const auto every = [](int) { return true; };
  add_matrices(hash, exec, states.parameters, every);
  add_matrices(hash, exec, states.covariance, every);
  add_array<T>(hash, exec, results.chi2);
  add_array<std::uint8_t>(hash, exec, results.measurements);
  add_array<std::uint8_t>(hash, exec, results.outliers);
  add_array<std::uint8_t>(hash, exec, results.reached);
  const auto reached = to_host(exec, results.reached);
  // Smoothed states of tracks that were lost on the way are of no meaning.
  const auto meant = [&](int item) {
    const int track = item % kalman::layer_stride(n);
    return track < n && reached(track);
  };
  add_matrices(hash, exec, smoothed.states.parameters, meant);
  add_matrices(hash, exec, smoothed.states.covariance, meant);
  add_matrices(hash, exec, smoothed.residual, meant);
  add_matrices(hash, exec, smoothed.residual_covariance, meant);
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Fitted and smoothed tracks are the same everywhere", "[reproducibility]",
                        EnabledSpaces) {
  const auto check = []<int Width>(std::integral_constant<int, Width>) {
    CAPTURE(Width);
    CHECK(smoothed_tracks_hash<float, Width, TestType>() ==
          smoothed_tracks_golden.single_precision);
    CHECK(smoothed_tracks_hash<double, Width, TestType>() ==
          smoothed_tracks_golden.double_precision);
  };
  check(std::integral_constant<int, default_lane_width<TestType, double>>());
  // The other widths on one space only: they take long to compile.
  if constexpr (std::is_same_v<TestType, HostExecutor>) {
    check(std::integral_constant<int, 1>());
    CHECK(smoothed_tracks_hash<float, 8, TestType>() == smoothed_tracks_golden.single_precision);
    CHECK(smoothed_tracks_hash<float, 16, TestType>() == smoothed_tracks_golden.single_precision);
  }
}

}  // namespace trackplex::test
