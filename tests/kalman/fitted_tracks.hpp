// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/kalman/two_filter.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>
#include <trackplex/validation/pulls.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {

/// Generated tracks with the states that a fit starts from: the truth, off by what their covariance
/// says.
template <class T, class Space>
struct FittedTracks {
  Space exec;
  simulation::CylinderTrackParams params;
  kalman::UniformField field{3.8112};
  simulation::CylinderTracks<T, MemoryOf<Space>> tracks;
  kalman::TrackStates<T, MemoryOf<Space>> states;
  kalman::FitResults<T, MemoryOf<Space>> results;
  int n;

  FittedTracks(int number, bool material, double spread = 1.) : n(number) {
    params.material = material;
    constexpr int lanes = state_lanes<Space, T>;
    simulation::generate_cylinder_tracks<lanes>(exec, params, n, field, tracks);
    simulation::start_near<lanes>(
        exec, tracks.start,
        {0.1 * spread, 0.1 * spread, spread, 0.05 * spread, 0.02 * spread, 0.02 * spread}, 2,
        states);
    exec.fence();
  }

  template <int Width = state_lanes<Space, T>>
  void fit(const kalman::FitOptions& options = {}) {
    const auto hits = tracks.hits.view();
    if (params.material)
      kalman::fit_tracks<Width>(exec, states, field, kalman::HitsInMaterial{hits, params.layer},
                                options, results);
    else
      kalman::fit_tracks<Width>(exec, states, field, hits, options, results);
    exec.fence();
  }

  bool good(int track) const { return results.reached(track) && tracks.complete(track); }

  kalman::TrackState<double> state(int track) const { return state(states, track); }
  static kalman::TrackState<double> state(const kalman::TrackStates<T, MemoryOf<Space>>& from,
                                          int item) {
    return enqueue_copy<kalman::HostTrackStates<T, MemoryOf<Space>>>(Space(), from).state(item);
  }
  kalman::Parameters<double> truth(int layer, int track) const {
    const auto view = tracks.on_layers.const_view();
    kalman::Parameters<double> parameters;
    for (int i = 0; i < 6; ++i)
      parameters(i) = double(view(layer * tracks.hits.stride() + track, i));
    return parameters;
  }

  /// The pulls of r phi, z, 1/pT, phi and theta.
  static void add_pulls(const kalman::TrackState<double>& state,
                        const kalman::Parameters<double>& truth, validation::Pulls (&pulls)[5]) {
    const auto projection =
        kalman::surface_projection(state.parameters, kalman::Cylinder<double>{0.});
    const auto difference =
        projection * kalman::difference<kalman::CentralTrack>(state.parameters, truth);
    const auto covariance = similarity(projection, state.covariance);
    for (int i = 0; i < 5; ++i)
      pulls[i].add(difference(i) / std::sqrt(as<Symmetric<double, 5>>(covariance)(i, i)));
  }

  std::string hash() const {
    Fingerprint hash;
    const auto parameters = to_host(exec, states.parameters);
    const auto covariance = to_host(exec, states.covariance);
    const auto chi2 = to_host(exec, results.chi2);
    for (int track = 0; track < n; ++track) {
      for (int i = 0; i < 6; ++i) hash.add(parameters.view()(track, i));
      for (int e = 0; e < 21; ++e) hash.add(covariance.view().element(track, e));
      hash.add(chi2(track));
    }
    return hash.hex();
  }
};

template <int N>
void check_pulls(const validation::Pulls (&pulls)[N], double mean, double width) {
  for (int i = 0; i < N; ++i) {
    CAPTURE(i, pulls[i].mean(), pulls[i].sigma());
    CHECK(std::fabs(pulls[i].mean()) < mean);
    CHECK(std::fabs(pulls[i].sigma() - 1.) < width);
  }
}

}  // namespace trackplex::test
