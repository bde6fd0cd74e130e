// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"

#include <trackplex/io/toy_tracking.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/simulation/cylinder_events.hpp>

#include <cstddef>
#include <cstdint>

namespace cylinder_tracker {

namespace program = trackplex::program;
using trackplex::seeding::TrackingEvents;

namespace {

TrackingEvents read_events(const ProgramOptions& options) {
  auto events = trackplex::io::read_toy_events(options.input);
  if (events.empty()) throw trackplex::InputError({options.input}, "there are no events in it");
  if (options.events > 0 && std::size_t(options.events) < events.size())
    events.resize(std::size_t(options.events));
  return trackplex::io::tracking_events(events, options.input);
}

TrackingEvents generate_events(const ProgramOptions& options) {
  auto params = options.generator;
  params.particles.seed = options.common.seed;
  params.particles.material = options.material > 0.;
  params.particles.layer.thickness = options.material;
  if (!(params.particles.min_pt < params.particles.max_pt))
    throw trackplex::UsageError("--min-pt", "it is not below --max-pt");
  params.check();
  program::ProgressBar progress("generating events", std::size_t(options.generate), options.common);
  const Kokkos::DefaultHostExecutionSpace exec;
  TrackingEvents events(params.particles.layers);
  for (int event = 0; event < options.generate; ++event) {
    events.append(
        trackplex::simulation::generate_cylinder_events(exec, params, std::uint64_t(event), 1));
    progress.advance();
  }
  return events;
}

}  // namespace

TrackingEvents input_events(const ProgramOptions& options) {
  const bool read = !options.input.empty(), generate = options.generate > 0;
  if (read == generate)
    throw trackplex::UsageError("", "events come from either --input or --generate",
                                read ? "both were given" : "neither was given", "see --help");
  return read ? read_events(options) : generate_events(options);
}

}  // namespace cylinder_tracker
