// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_module_measurements.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <type_traits>
#include <vector>

#include "kalman/module_tracks.hpp"

/// Fits of tracks in whole detectors: along a track, surfaces of different kinds measure one or two
/// coordinates, in a field map; lanes have different ones.
namespace trackplex::test {

using namespace kalman;
using Space = HostExecutor;
using Memory = MemoryOf<Space>;
using geometry::Surface;
using Vector3 = geometry::Vector3<double>;

/// Hits of modules on surfaces of any kind: curvature, normal and offset of those of each item.
template <class T>
struct HitsOnSurfaces {
  using Surfaces = Matriplex<T, 5, 1, Memory>;
  typename ModuleMeasurements<T, Memory>::View hits;
  typename Surfaces::ConstView surfaces;

  template <class Real>
  struct Layers : TileOfModuleMeasurements<Real, typename ModuleMeasurements<T, Memory>::View> {
    typename Surfaces::ConstView surfaces;

    Surface<Real> surface(int layer) const {
      const auto s =
          surfaces.load(tile_of_layer(this->tile, layer, layer_stride(this->hits->tracks)));
      return {s(0), {{s(1), s(2), s(3)}}, s(4)};
    }
  };
  template <class Real>
  Layers<Real> of(const Tile<Real>& tile) const {
    return {{&hits, tile}, surfaces};
  }
};

/// Where a track is measured next: a surface, and the axes there.
struct Place {
  Surface<double> surface;
  Vector3 u, v;
  int dimension;
};

/// Generates 20,000 tracks with scattering and energy loss, fits and smooths them from starts
/// nearby, and checks the pulls: widths within 2 % of 1, means within 0.02.
template <class T, class Detector>
void check_pulls_of() {
  using Model = typename Detector::Model;
  constexpr int n = 20000, layers = Detector::layers;
  constexpr double sigma = 3e-3, radiation_lengths = 0.005, xi = 1e-5;
  const Space exec;
  const auto exact = Detector::template field<double>();
  const auto field = Detector::template field<T>();
  HostModuleMeasurements<T, Memory> host(layers, n, true);
  const int stride = layer_stride(n);
  typename HitsOnSurfaces<T>::Surfaces surfaces("Trackplex::Test::surfaces");
  surfaces.allocate(exec, layers * stride);
  exec.fence();
  std::vector<Parameters<double>> truth(std::size_t(layers * stride));
  std::vector<Place> places(truth.size());
  HostTrackStates<T, Memory, Model> start;
  start.allocate(exec, n);
  const LayerConstants<double> material(radiation_lengths, xi, silicon);
  for (int track = 0; track < n; ++track) {
    RandomStream<double> random(3, std::uint64_t(track));
    const auto begin = Detector::start(random);
    const double charge = std::is_same_v<Model, ForwardTrack> || track % 2 ? 1. : -1.;
    for (int i = 0; i < 6; ++i) {
      const double error = Detector::sigma_of_start[i];
      start.parameters.view()(track, i) = T(begin(i) + error * random.normal());
      for (int j = 0; j <= i; ++j)
        start.covariance.view()(track, i, j) = i == j ? T(error) * T(error) : T(0);
    }
    start.charge(std::size_t(track)) = T(charge);
    auto at = begin;
    for (int layer = 0; layer < layers; ++layer) {
      const auto item = std::size_t(layer * stride + track);
      auto place = Detector::place(layer, begin, at);
      const auto moved = kalman::transport<Model>(at, charge, exact, place.surface);
      CAPTURE(track, layer);
      REQUIRE(moved.reached);
      at = moved.parameters;
      const Vector3 here{{at(0), at(1), at(2)}};
      if (place.surface.curvature > 0.) {  // the tangent plane
        const auto up = place.surface.gradient(here);
        place.u = {{-up(1), up(0), 0.}};
        place.v = {{0., 0., 1.}};
      }
      auto point = geometry::add_scaled(here, sigma * random.normal(), place.u);
      point = geometry::add_scaled(point, sigma * random.normal(), place.v);
      host.set(layer, track,
               {point, place.u, place.v, {{sigma * sigma, 0., sigma * sigma}}, place.dimension},
               radiation_lengths, xi);
      const auto& s = place.surface;
      const double numbers[5] = {s.curvature, s.normal(0), s.normal(1), s.normal(2), s.offset};
      for (int i = 0; i < 5; ++i) surfaces.view()(int(item), i) = T(numbers[i]);
      truth[item] = at;
      places[item] = place;
      scatter<Model>(at, charge, material, place.surface, random);
    }
  }
  const auto hits = to_device(exec, host);
  TrackStates<T, Memory, Model> states;
  states.allocate(exec, n);
  copy_arrays(exec, states, start);
  FitResults<T, Memory> results;
  SmoothedTracks<T, Memory, 2, Model> smoothed;
  SmootherSteps<T, Memory, 2, FitForm::square_root> steps{layers, {}};
  smooth_tracks<4>(exec, states, field, HitsOnSurfaces<T>{hits.view(), surfaces.const_view()},
                   layers, {}, results, smoothed, steps);
  exec.fence();
  for (int track = 0; track < n; ++track) REQUIRE(results.reached(std::size_t(track)) == 1);

  const auto check = [&](const auto& found, int layer, bool fitted) {
    Pulled<Model> pulled;
    for (int track = 0; track < n; ++track) {
      const auto item = std::size_t(layer * stride + track);
      pulled.add(found[fitted ? std::size_t(track) : item], truth[item], places[item].u,
                 places[item].v);
    }
    CHECK(pulled.negative == 0);
    for (int i = 0; i < 5; ++i) {
      CAPTURE(layer, fitted, i, pulled.pulls[i].mean(), pulled.pulls[i].sigma());
      CHECK(std::fabs(pulled.pulls[i].mean()) < 0.02);
      CHECK(std::fabs(pulled.pulls[i].sigma() - 1.) < 0.02);
    }
  };
  check(states_on_host(exec, states), layers - 1, true);
  const auto states_on_layers = states_on_host(exec, smoothed.states);
  for (const int layer : {0, 3, 5, layers - 1}) check(states_on_layers, layer, false);
}

}  // namespace trackplex::test
