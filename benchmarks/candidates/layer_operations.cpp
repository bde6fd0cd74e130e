// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer_operations.hpp"

#include <trackplex/candidates/layer_search.hpp>

namespace trackplex::benchmarks {

std::vector<std::pair<std::string, OperationCounts>> layer_operations() {
  using Real = Counted<float>;
  // On the layer at 12 cm, flying outwards; the hit is on the next one.
  kalman::TrackState<Real> state{};
  const float start[6] = {12.f, 0.5f, 3.f, 0.5f, 0.05f, 1.3f};
  const float sigma[6] = {0.01f, 0.01f, 0.1f, 0.01f, 0.003f, 0.01f};
  for (int i = 0; i < 6; ++i) {
    state.parameters(i) = start[i];
    for (int j = 0; j <= i; ++j) state.covariance(i, j) = i == j ? sigma[i] * sigma[i] : 0.f;
  }
  state.charge = 1.f;
  bool reached = true;
  const kalman::UniformField field{3.8112};
  std::vector<std::pair<std::string, OperationCounts>> result;
  const auto add = [&](const char* name, const auto& work) {
    result.emplace_back(name, count_operations(work));
  };
  const candidates::BuildTracksParams params;
  const tracks::CylinderLayers detector{{16.}, 1};
  add("propagation",
      [&] { candidates::propagate_to_layer(state, reached, field, detector, 0, params); });
  add("window", [&] { (void)candidates::window_of(state, params); });
  search::BinnedHit<Real> hit{
      state.parameters(0), state.parameters(1), state.parameters(2), 0.f, {}};
  for (int e = 0; e < 6; ++e) hit.covariance[e] = e == 0 || e == 2 ? 1e-4f : e == 5 ? 1e-2f : 0.f;
  add("chi2 of a hit", [&] { (void)candidates::hit_chi2(state, hit, Real(15.f)); });
  add("update", [&] {
    kalman::update(
        state, kalman::measure_on_cylinder(candidates::space_point(hit), state.parameters), true);
  });
  return result;
}

}  // namespace trackplex::benchmarks
