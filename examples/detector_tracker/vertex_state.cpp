// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vertex_state.hpp"

#include <trackplex/core/derived_math.hpp>
#include <trackplex/kalman/beam_spot.hpp>
#include <trackplex/kalman/material_effects.hpp>
#include <trackplex/kalman/propagation.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace detector_tracker {

using Surface = geometry::Surface<double>;

namespace {

/// Against the momentum; silicon counts for all material, as where tracks are found.
bool pass(State& state, const Surface& surface, double radiation_lengths, double mass) {
  if (!(radiation_lengths > 0.)) return true;
  const kalman::MaterialConstants<double> silicon(kalman::silicon);
  const kalman::LayerConstants<double> layer(
      radiation_lengths, radiation_lengths * silicon.bethe_factor / silicon.per_radiation_length,
      silicon);
  const auto passage =
      kalman::pass_layer(state.parameters, state.charge, layer, surface, mass, false);
  passage.apply(state);
  return passage.passed;
}

double radius_of(const State& state) {
  return trackplex::hypot(state.parameters(0), state.parameters(1));
}

/// The passive barrels between two distances from the z axis, the outermost first.
std::vector<const geometry::Layer*> barrels_between(const std::vector<geometry::Layer>& layers,
                                                    double low, double high) {
  std::vector<const geometry::Layer*> between;
  for (const auto& layer : layers)
    if (layer.kind == geometry::LayerKind::barrel && low < layer.position && layer.position < high)
      between.push_back(&layer);
  std::ranges::sort(between, [](auto* a, auto* b) { return a->position > b->position; });
  return between;
}

}  // namespace

State true_state(const tracks::TrueParticle& particle) {
  State state{particle.start, {}, double(particle.charge)};
  for (double& element : state.covariance.elements) element = 0.;
  return state;
}

/// Through the material of the module of the first hit, and of passive layers outside of a radius.
static bool go_inwards(const Setup& setup, int first_module, double to_radius, State& at) {
  const auto& module = setup.detector.modules[std::size_t(first_module)];
  const auto& layer = setup.detector.layers[std::size_t(module.layer)];
  const auto& frame = module.frame;
  const double radius = radius_of(at);
  if (!pass(at, Surface::plane(frame.centre, frame.normal()),
            module.radiation_lengths + layer.radiation_lengths, setup.mass))
    return false;
  for (const auto* barrel : barrels_between(setup.generator.passive_layers, to_radius, radius)) {
    const auto surface = Surface::cylinder(barrel->position);
    if (!kalman::propagate(at, setup.field.on_host(), surface) ||
        !pass(at, surface, barrel->radiation_lengths, setup.mass))
      return false;
  }
  return true;
}

std::optional<State> state_at_vertex(const Setup& setup, int first_module, const State& state,
                                     const State& truth) {
  State at = state;
  const auto& vertex = truth.parameters;
  if (!go_inwards(setup, first_module, radius_of(truth), at) ||
      !kalman::propagate(at, setup.field.on_host(),
                         Surface::plane({{vertex(0), vertex(1), vertex(2)}}, normal_of(truth))))
    return {};
  return at;
}

std::optional<State> state_at_beam(const Setup& setup, int first_module, const State& state) {
  constexpr double max_chi2 = 16.;
  State at = state;
  if (!go_inwards(setup, first_module, 0., at) ||
      !kalman::constrain_to_beam(at, setup.field.on_host(), setup.beam_spot, max_chi2))
    return {};
  return at;
}

}  // namespace detector_tracker
