// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Events in a detector of concentric cylinders, with truth: mkFit's toy simulation, and what a
/// real detector adds to it (material, lost hits, noise).

#include <trackplex/simulation/detail/cylinder_event.hpp>

#include <cstdint>
#include <string>

namespace trackplex::simulation {

/// Makes the events `first_event` to `first_event + n_events - 1` of the seed, on the instance, and
/// waits for them. Event e is always the same, to the last bit: whatever the batch, `Width` (lanes
/// of `double`), the space and the number of threads; its particle n is the same with fewer
/// particles and without noise, and loses hits only where `inefficiency` is larger.
///
/// Each particle starts at a normally distributed vertex, its pT, eta and phi are uniform, its
/// charge is +1 or -1. It goes from layer to layer on helices with the field where each begins. On
/// a layer it leaves a hit with normal errors in r, r phi and z. A particle that turns back before
/// it reaches a layer, or has lost all its energy, has no hits from there on; turns back into inner
/// layers are left out.
///
/// The hits of a layer stand in the order of z, and thus tell nothing of their particles. It
/// computes in `double`, so that the truth is exact and streams have 64-bit numbers; hits are
/// rounded to `float` in the end.
/// @throws UsageError if a parameter is out of range
template <int Width, class Space>
seeding::TrackingEvents generate_cylinder_events(const Space& exec,
                                                 const CylinderEventParams& params,
                                                 std::uint64_t first_event, int n_events) {
  params.check();
  constexpr std::uint64_t numbers = std::uint64_t(1) << 32;
  if (n_events < 0 || first_event > numbers - std::uint64_t(n_events))
    throw UsageError("generate_cylinder_events", "there are no such events",
                     std::to_string(n_events) + " events from " + std::to_string(first_event),
                     "they are numbered from 0 to 2^32 - 1");
  seeding::TrackingEvents events(params.particles.layers);
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

/// The same, with the lanes that suit the space.
template <class Space>
seeding::TrackingEvents generate_cylinder_events(const Space& exec,
                                                 const CylinderEventParams& params,
                                                 std::uint64_t first_event, int n_events) {
  return generate_cylinder_events<default_lane_width<Space, double>>(exec, params, first_event,
                                                                     n_events);
}

}  // namespace trackplex::simulation
