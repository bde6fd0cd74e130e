// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Events in a detector of concentric cylinders, with truth: mkFit's toy simulation, and optionally
/// material, lost hits and noise.

#include <trackplex/simulation/detail/cylinder_event.hpp>

#include <cstdint>
#include <string>

namespace trackplex::simulation {

/// Generates the events `first_event` to `first_event + n_events - 1` of the seed on the instance,
/// and waits for them. Event e has the same bits for any batch, `Width`, space and number of
/// threads. Its particle n does not change with the number of particles or with
/// noise, and a larger `inefficiency` only removes hits.
///
/// Each particle starts at a normally distributed vertex with uniform pT, eta and phi and a charge
/// of +1 or -1. It follows helices from layer to layer, each with the field at its start, and
/// leaves a hit with normal errors in r, r phi and z on each layer. A particle that turns back
/// before it reaches a layer, or has lost all its energy, leaves no further hits; hits of particles
/// that curl back are not simulated.
///
/// The hits of a layer are ordered by z, so that their order reveals nothing about their particles.
/// Everything is computed in `double`; hits are rounded to `float` at the end.
/// @tparam Width number of lanes of `double`
/// @throws UsageError if a parameter is out of range, or events are not numbered from 0 to 2^32 - 1
template <int Width, class Space>
tracks::TrackingEvents generate_cylinder_events(const Space& exec,
                                                const CylinderEventParams& params,
                                                std::uint64_t first_event, int n_events) {
  params.check();
  constexpr std::uint64_t numbers = std::uint64_t(1) << 32;
  if (n_events < 0 || first_event > numbers - std::uint64_t(n_events))
    throw UsageError("generate_cylinder_events", "there are no such events",
                     std::to_string(n_events) + " events from " + std::to_string(first_event),
                     "they are numbered from 0 to 2^32 - 1");
  tracks::TrackingEvents events(params.particles.layers);
  detail::CylinderEventMemory<Space> memory(exec, params);
  for (std::uint64_t event = first_event; event < first_event + std::uint64_t(n_events); ++event) {
    memory.template generate<Width>(event);
    for (int track = 0; track < params.tracks; ++track)
      events.particles.push_back(memory.particle(track));
    events.particle_offsets.push_back(std::int32_t(events.particles.size()));
    for (int layer = 0; layer < params.particles.layers; ++layer)
      detail::append_cylinder_layer(memory, params, event, layer, events);
  }
  return events;
}

/// Generates the same events with the default number of lanes of the space.
template <class Space>
tracks::TrackingEvents generate_cylinder_events(const Space& exec,
                                                const CylinderEventParams& params,
                                                std::uint64_t first_event, int n_events) {
  return generate_cylinder_events<default_lane_width<Space, double, KernelKind::track_states>>(
      exec, params, first_event, n_events);
}

}  // namespace trackplex::simulation
