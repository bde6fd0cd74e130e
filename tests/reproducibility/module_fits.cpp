// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of tracks that are fitted and smoothed with hits in the frames of modules: both track
// models, both forms, gaps, one and two coordinates, material of each lane.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>

#include "golden_hashes.hpp"
#include "kalman/module_tracks.hpp"

namespace trackplex::test {
namespace {

constexpr int n = 301, layers = 12;

template <class Matrices, class From, class Space>
void copy_matrices(const Space& exec, const From& from, Matrices& to) {
  auto host = host_mirror(to);
  for (int item = 0; item < from.size(); ++item)
    for (int e = 0; e < Matrices::View::elements; ++e)
      host.view().element(item, e) = from.const_view().element(item, e);
  deep_copy(exec, to, host);
  exec.fence();
}

template <class Space, class Matrices>
void add_matrices(Fingerprint& hash, const Space& exec, const Matrices& device) {
  const auto host = to_host(exec, device);
  for (int item = 0; item < host.size(); ++item)
    for (int e = 0; e < Matrices::View::elements; ++e)
      if (item % kalman::layer_stride(n) < n) hash.add(host.const_view().element(item, e));
}

/// Generated hits with gaps, short tracks, one coordinate here and two there.
template <class T, class Model>
ModuleTracks<T, Model, 2> generated() {
  TelescopeParams params;
  params.wide = 3.;
  ModuleTracks<T, Model, 2> tracks(n, params);
  for (int track = 0; track < n; ++track)
    for (int layer = 0; layer < layers; ++layer) {
      const int item = layer * tracks.hits.stride() + track;
      auto& count = tracks.hits.count(std::size_t(item));
      count = std::int8_t((track + layer) % 3 == 0 ? 1 : 2);
      if ((track + 2 * layer) % 11 == 0) count = 0;
      if ((track + 5 * layer) % 13 == 0 || (track % 4 == 0 && layer > 8))
        for (int e = 0; e < 6; ++e) tracks.hits.axes.view().element(item, e) = T(0);
      tracks.hits.material.view()(item, 0) *= T(track % 3);
      tracks.hits.material.view()(item, 1) *= T(track % 3);
    }
  return tracks;
}

template <class T, class Model, kalman::FitForm Form, int Width, class Space>
void add_fits(Fingerprint& hash, const ModuleTracks<T, Model, 2>& from) {
  using Memory = MemoryOf<Space>;
  const Space exec;
  kalman::ModuleMeasurements<T, Memory> hits;
  kalman::TrackStates<T, Memory, Model> states;
  hits.allocate(exec, layers, n, true);
  states.allocate(exec, n);
  copy_matrices(exec, from.hits.point, hits.point);
  copy_matrices(exec, from.hits.axes, hits.axes);
  copy_matrices(exec, from.hits.covariance, hits.covariance);
  copy_matrices(exec, from.hits.material, hits.material);
  copy_matrices(exec, from.states.parameters, states.parameters);
  copy_matrices(exec, from.states.covariance, states.covariance);
  deep_copy(exec, hits.count, from.hits.count);
  deep_copy(exec, states.charge, from.states.charge);
  kalman::FitResults<T, Memory> results;
  kalman::SmoothedTracks<T, Memory, 2, Model> smoothed;
  kalman::SmootherSteps<T, Memory, 2, Form> steps{layers, {}};
  kalman::smooth_tracks<Width>(exec, states, from.field, hits.view(), layers, {.max_chi2 = 20.},
                               results, smoothed, steps);
  add_matrices(hash, exec, states.parameters);
  add_matrices(hash, exec, states.covariance);
  const auto chi2 = to_host(exec, results.chi2);
  const auto measurements = to_host(exec, results.measurements);
  for (std::size_t track = 0; track < n; ++track) hash.add(chi2(track)).add(measurements(track));
  add_matrices(hash, exec, smoothed.states.parameters);
  add_matrices(hash, exec, smoothed.states.covariance);
  add_matrices(hash, exec, smoothed.residual);
  add_matrices(hash, exec, smoothed.residual_covariance);
}

template <class T, int Width, class Space>
std::string module_fits_hash() {
  const auto central = generated<T, kalman::CentralTrack>();
  const auto forward = generated<T, kalman::ForwardTrack>();
  Fingerprint hash;
  add_fits<T, kalman::CentralTrack, kalman::FitForm::gain, Width, Space>(hash, central);
  add_fits<T, kalman::CentralTrack, kalman::FitForm::square_root, Width, Space>(hash, central);
  add_fits<T, kalman::ForwardTrack, kalman::FitForm::gain, Width, Space>(hash, forward);
  add_fits<T, kalman::ForwardTrack, kalman::FitForm::square_root, Width, Space>(hash, forward);
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Fits of hits in the frames of modules are the same everywhere",
                        "[reproducibility]", EnabledSpaces) {
  constexpr int width = default_lane_width<TestType, double>;
  CHECK(module_fits_hash<float, width, TestType>() == module_fits_golden.single_precision);
  CHECK(module_fits_hash<double, width, TestType>() == module_fits_golden.double_precision);
  // Another width on one space only: it takes long to compile.
  if constexpr (std::is_same_v<TestType, HostExecutor>)
    CHECK(module_fits_hash<float, 1, TestType>() == module_fits_golden.single_precision);
}

}  // namespace trackplex::test
