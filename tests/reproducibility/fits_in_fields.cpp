// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of tracks that are fitted and smoothed on planes and on cylinders, in a uniform field and
// in a map, from numbers that other languages compute with the same bits.
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/kalman/cylinder_measurements.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_module_measurements.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/kalman/material_constants.hpp>

#include "golden_hashes.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

constexpr int tracks_in_fields = 77, layers = 9;

/// A hit of a track on a layer; they go along (0.6, 0.8, 0).
struct Hit {
  geometry::Vector3<double> point;
  int count;                 ///< of coordinates; -1: no plane
  double radiation_lengths;  ///< of the plane
};

double uniform(int track, int i) {
  return RandomStream<double>(2027, std::uint64_t(track), std::uint64_t(i)).uniform() - 0.5;
}

Hit hit_of(int layer, int track) {
  const double d = 4. * (layer + 1), a = uniform(track, 2 * layer),
               b = uniform(track, 2 * layer + 1);
  const double across = 0.01 * d + 0.02 * a, z = 0.125 * d + 0.02 * b;
  return {{{0.6 * d - 0.8 * across, 0.8 * d + 0.6 * across, z}},
          (track + 5 * layer) % 13 == 0   ? -1
          : (track + 2 * layer) % 11 == 0 ? 0
          : (track + layer) % 3 == 0      ? 1
                                          : 2,
          layer % 2 == 0 ? 0.01 : 0.};
}

template <class Space>
kalman::TrackStates<double, MemoryOf<Space>> starts(const Space& exec) {
  kalman::HostTrackStates<double, MemoryOf<Space>> host;
  host.allocate(HostExecutor(), tracks_in_fields);
  HostExecutor().fence();
  for (int track = 0; track < tracks_in_fields; ++track) {
    const double at[6] = {0., 0., 0., 0.25 + 0.125 * uniform(track, 100), 0.9375, 1.4375};
    const double sigma[6] = {0.5, 0.5, 0.5, 0.25, 0.0625, 0.0625};
    for (int p = 0; p < 6; ++p) {
      host.parameters.view()(track, p) = at[p];
      for (int q = 0; q <= p; ++q)
        host.covariance.view()(track, p, q) = p == q ? sigma[p] * sigma[p] : 0.;
    }
    host.charge(std::size_t(track)) = track % 2 == 0 ? 1. : -1.;
  }
  auto states = enqueue_copy<kalman::TrackStates<double, MemoryOf<Space>>>(exec, host);
  exec.fence();
  return states;
}

/// Adds fits and, of tracks that reach all layers, smoothed states.
template <class Space, class Field, class Hits>
void add_fits(Fingerprint& hash, const Space& exec, const Field& field, const Hits& hits) {
  constexpr int width = default_lane_width<Space, double, KernelKind::track_states>;
  using Memory = MemoryOf<Space>;
  auto states = starts(exec);
  kalman::FitResults<double, Memory> results;
  kalman::SmoothedTracks<double, Memory> smoothed;
  kalman::SmootherSteps<double, Memory> steps{layers, {}};
  kalman::smooth_tracks<width>(exec, states, field, hits, layers, {.max_chi2 = 2.}, results,
                               smoothed, steps);
  const auto add = [&](const auto& state) {
    for (const double parameter : state.parameters.elements) hash.add(parameter);
    for (const double element : state.covariance.elements) hash.add(element);
  };
  for (const auto& state : kalman::states_on_host(exec, states)) add(state);
  const auto chi2 = to_host(exec, results.chi2);
  const auto measurements = to_host(exec, results.measurements);
  const auto outliers = to_host(exec, results.outliers);
  const auto reached = to_host(exec, results.reached);
  int used = 0, skipped = 0;
  for (std::size_t t = 0; t < tracks_in_fields; ++t) {
    hash.add(chi2(t)).add(measurements(t)).add(outliers(t)).add(reached(t));
    used += measurements(t);
    skipped += outliers(t);
  }
  CHECK(used > 10 * tracks_in_fields);
  CHECK(skipped > 0);
  const auto on_layers = kalman::states_on_host(exec, smoothed.states);
  const auto residual = to_host(exec, smoothed.residual);
  const auto covariance = to_host(exec, smoothed.residual_covariance);
  for (int layer = 0; layer < layers; ++layer)
    for (int track = 0; track < tracks_in_fields; ++track) {
      if (!reached(std::size_t(track))) continue;
      const int item = layer * kalman::layer_stride(tracks_in_fields) + track;
      add(on_layers[std::size_t(item)]);
      for (int e = 0; e < 2; ++e) hash.add(residual.const_view().element(item, e));
      for (int e = 0; e < 3; ++e) hash.add(covariance.const_view().element(item, e));
    }
}

template <class Space>
std::string fits_in_fields_hash() {
  const Space exec;
  using Memory = MemoryOf<Space>;
  kalman::HostModuleMeasurements<double, Memory> on_planes(layers, tracks_in_fields, true);
  kalman::CylinderMeasurements<double, Memory> on_cylinders;
  on_cylinders.allocate(exec, layers, tracks_in_fields);
  auto position = host_mirror(on_cylinders.position);
  auto covariance = host_mirror(on_cylinders.covariance);
  const kalman::MaterialConstants<double> silicon(kalman::silicon);
  const double xi = silicon.bethe_factor / silicon.per_radiation_length;
  exec.fence();
  for (int layer = 0; layer < layers; ++layer)
    for (int track = 0; track < tracks_in_fields; ++track) {
      const auto [point, count, x0] = hit_of(layer, track);
      if (count >= 0)
        on_planes.set(layer, track,
                      {point, {{-0.8, 0.6, 0.}}, {{0., 0., 1.}}, {{1e-4, 2e-5, 1e-4}}, count}, x0,
                      xi * x0);
      const int item = layer * on_cylinders.stride() + track;
      const double c[6] = {1e-4, 0., 1e-4, 0., 2e-5, 1e-4};
      for (int e = 0; e < 3; ++e) position.view().element(item, e) = point(e);
      for (int e = 0; e < 6; ++e) covariance.view().element(item, e) = c[e];
    }
  deep_copy(exec, on_cylinders.position, position);
  deep_copy(exec, on_cylinders.covariance, covariance);
  const auto planes = kalman::to_device(exec, on_planes);
  const auto grid =
      geometry::sample_axisymmetric_field({0., 60., 4}, {-100., 100., 9}, [](double r, double z) {
        return std::array{1e-5 * r * z, 2. - 1e-5 * z * z};
      });
  using Map = geometry::AxisymmetricFieldMap<double, Memory>;
  const geometry::DisplacedField<Map, double> map{{exec, grid, geometry::OutsideOfMap::zero},
                                                  {{0.5, -0.25, 0.}}};
  Fingerprint hash;
  add_fits(hash, exec, kalman::UniformField{2.}, planes.view());
  add_fits(hash, exec, map, planes.view());
  const auto cylinders = on_cylinders.view();
  add_fits(hash, exec, map,
           kalman::HitsInMaterial{cylinders, kalman::ThinLayer{kalman::silicon, 0.0625}});
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Fits on planes and cylinders in fields are the same everywhere",
                        "[reproducibility]", EnabledSpaces) {
  CHECK(fits_in_fields_hash<TestType>() == fits_in_fields_golden);
}

}  // namespace trackplex::test
