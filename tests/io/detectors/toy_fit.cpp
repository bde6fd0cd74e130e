// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fit of tracks that another code has simulated, with its field and with a constant one.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/detectors/toy_events.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/two_filter.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>
#include <trackplex/validation/pulls.hpp>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using Space = HostExecutor;

namespace {

/// The tracks of an event: their true states at the vertex, and their hits.
struct ToyTracks {
  TrackStates<double, MemoryOf<Space>> truth;
  CylinderMeasurements<double, MemoryOf<Space>> hits;

  ToyTracks(const Space& exec, const io::ToyEvent& event) {
    const int n = int(event.tracks.size());
    truth.allocate(exec, n);
    hits.allocate(exec, 10, n);
    exec.fence();
    const auto states = truth.view();
    const auto position = hits.position.view();
    const auto covariance = hits.covariance.view();
    for (int t = 0; t < n; ++t) {
      const auto& track = event.tracks[std::size_t(t)];
      for (int i = 0; i < 6; ++i) states.parameters(t, i) = track.parameters[i];
      for (int e = 0; e < 21; ++e) states.covariance.element(t, e) = 0.;
      states.charge(t) = track.charge;
      for (int layer = 0; layer < 10; ++layer) {
        const auto& hit = event.layers[std::size_t(layer)][std::size_t(track.hits[layer])];
        const int item = layer * hits.stride() + t;
        for (int i = 0; i < 3; ++i) position(item, i) = hit.position[i];
        for (int e = 0; e < 6; ++e) covariance.element(item, e) = hit.covariance[e];
      }
    }
  }
};

/// The true state at the radius of the last hit, in the steps of the simulation.
Parameters<double> truth_at_end(const ToyTracks& tracks, int track) {
  const auto states = tracks.truth.const_view();
  Parameters<double> p;
  for (int i = 0; i < 6; ++i) p(i) = states.parameters(track, i);
  const auto position = tracks.hits.position.const_view();
  for (int layer = 0; layer < 10; ++layer) {
    const int item = layer * tracks.hits.stride() + track;
    const double r =
        layer < 9 ? 4. * (layer + 1) : std::hypot(position(item, 0), position(item, 1));
    const auto moved = transport(p, states.charge(track), SolenoidField(), Cylinder<double>{r}, 1);
    REQUIRE(moved.reached);
    p = moved.parameters;
  }
  return p;
}

struct FitOfToys {
  validation::Pulls pulls[5];
  double pt_bias = 0.;  ///< mean of (pT - truth) / truth
};

template <class Field>
FitOfToys fit(const std::vector<io::ToyEvent>& events, const Field& field) {
  const Space exec;
  FitOfToys fit;
  int n = 0;
  for (const auto& event : events) {
    const ToyTracks tracks(exec, event);
    TrackStates<double, MemoryOf<Space>> states;
    simulation::start_near<4>(exec, tracks.truth, {0.1, 0.1, 1., 0.05, 0.02, 0.02}, 3, states);
    FitResults<double, MemoryOf<Space>> results;
    fit_tracks<4>(exec, states, field, tracks.hits.view(), {}, results);
    exec.fence();
    const auto view = states.const_view();
    for (int track = 0; track < states.size(); ++track) {
      REQUIRE(results.reached(track));
      const auto truth = truth_at_end(tracks, track);
      Vector<double, 6> off;
      Symmetric<double, 6> covariance;
      for (int i = 0; i < 6; ++i) off(i) = view.parameters(track, i) - truth(i);
      for (int e = 0; e < 21; ++e) covariance.elements[e] = view.covariance.element(track, e);
      const auto projection = surface_projection(truth, Cylinder<double>{0.});
      const auto difference = projection * off;
      const auto on_surface = similarity(projection, covariance);
      for (int i = 0; i < 5; ++i)
        fit.pulls[i].add(difference(i) / std::sqrt(as<Symmetric<double, 5>>(on_surface)(i, i)));
      fit.pt_bias += truth(3) / view.parameters(track, 3) - 1.;
      ++n;
    }
  }
  fit.pt_bias /= n;
  return fit;
}

}  // namespace

TEST_CASE("tracks of mkFit's toy simulation are fitted with the right pulls", "[io]") {
  const auto events = io::read_toy_events(test::data_or_skip("cylinder/toy_2x10k.bin"));
  const auto right = fit(events, SolenoidField());
  for (const auto& pulls : right.pulls) {
    CAPTURE(pulls.mean(), pulls.sigma());
    CHECK(std::fabs(pulls.mean()) < 0.03);
    CHECK(std::fabs(pulls.sigma() - 1.) < 0.03);
  }
  // A constant field is off by up to 0.2 per cent, and so is pT.
  const auto constant = fit(events, UniformField{3.8112});
  CAPTURE(right.pt_bias, constant.pt_bias);
  CHECK(std::fabs(constant.pt_bias - right.pt_bias) < 2e-3);
  CHECK(constant.pt_bias > right.pt_bias);
}
