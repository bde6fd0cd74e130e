// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/fit.hpp>
#include <trackplex/kalman/propagation.hpp>

#include <vector>

namespace trackplex::test {

/// Cylinders with measurements, in the order in which one track meets them: layers in the sense of
/// `kalman::fit`.
struct FewLayers {
  struct Layer {
    double radius;
    kalman::SpacePoint<double> hit{};
    bool present = false;
  };
  std::vector<Layer> layers;

  int size() const { return int(layers.size()); }
  kalman::Cylinder<double> surface(int i) const { return {layers[std::size_t(i)].radius}; }
  bool present(int i) const { return layers[std::size_t(i)].present; }
  auto measure(int i, const kalman::Parameters<double>& at) const {
    return kalman::measure_on_cylinder(layers[std::size_t(i)].hit, at);
  }
};

/// The same with material in each layer.
struct FewLayersInMaterial : FewLayers {
  kalman::ThinLayer layer{kalman::silicon, 0.1};

  kalman::ThinLayer material(int /*i*/) const { return layer; }
};

/// A state at the origin with small errors.
inline kalman::TrackState<double> state_at_origin(double inverse_pt, double theta = 1.2) {
  kalman::TrackState<double> state{{{0., 0., 0., inverse_pt, 0.3, theta}}, {}, 1.};
  const double sigma[6] = {0.1, 0.1, 0.1, 0.05 * inverse_pt, 0.02, 0.02};
  for (int i = 0; i < 6; ++i) state.covariance(i, i) = sigma[i] * sigma[i];
  return state;
}

/// Layers of these radii with hits where a track goes.
inline FewLayers layers_along(kalman::TrackState<double> track, const kalman::UniformField& field,
                              const std::vector<double>& radii) {
  FewLayers result;
  for (const double radius : radii) {
    FewLayers::Layer layer{radius};
    layer.present = kalman::propagate(track, field, kalman::Cylinder<double>{radius});
    for (int i = 0; i < 3; ++i) layer.hit.position(i) = track.parameters(i);
    layer.hit.covariance = {{1e-4, 0., 1e-4, 0., 0., 1e-2}};
    result.layers.push_back(layer);
  }
  return result;
}

}  // namespace trackplex::test
