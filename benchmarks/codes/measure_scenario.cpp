// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "measure_scenario.hpp"

#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

namespace trackplex::benchmarks {

template <class Real, class ExecutionSpace>
ScenarioOutcome measure_scenario(const program::Run<Real, ExecutionSpace>& run,
                                 const Scenario& scenario, int repeat,
                                 const std::function<void()>& after_repetition) {
  ScenarioOutcome outcome;
  const ExecutionSpace& exec = run.exec;
  Workspace<ExecutionSpace> workspace;
  const auto start = simulation::generate_bunch<Real>(exec, scenario.bunch, workspace);
  run.with_lanes([&](auto lanes) {
    using Tracker = beam::LineTracker<Real, ExecutionSpace, beam::ElementTypes<>, lanes()>;
    Tracker tracker(exec, scenario.line, {0., 0.});
    auto bunch = start;
    const auto keep = [&] {
      const auto hash = beam::fingerprint_of(exec, bunch);
      if (!outcome.hash.empty() && outcome.hash != hash)
        throw Error(scenario.name, "two repetitions gave different particles");
      outcome.hash = hash;
      after_repetition();
    };
    const auto timer = program::measure(
        exec, repeat,
        [&](auto& steps) {
          copy_bunch(exec, start, bunch);
          steps.time("track", [&] { tracker.track(bunch); });
        },
        keep);
    outcome.time_us = timer.times().front().second;
    const auto table = download(exec, bunch);
    outcome.lost = table.n_lost();
    outcome.moments = beam::canonical_moments_of<Real>(exec, bunch, workspace);
    if (bunch.has_spins()) outcome.spins = beam::spin_moments_of(exec, bunch, workspace);
  });
  return outcome;
}

template ScenarioOutcome measure_scenario(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                          const Scenario&, int, const std::function<void()>&);

}  // namespace trackplex::benchmarks
