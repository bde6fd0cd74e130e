// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "simulation.hpp"

#include <chrono>

namespace coulomb {

template <class Real, class ExecutionSpace>
void simulate(const program::Run<Real, ExecutionSpace>& run, const Simulation& simulation,
              const std::function<std::optional<montecarlo::HistoryRange>()>& next,
              const std::function<void(const montecarlo::TransportCounts&, double)>& take) {
  using Clock = std::chrono::steady_clock;
  const ExecutionSpace& exec = run.exec;
  const auto& scattering = simulation.scattering;
  const montecarlo::TransportParams params{scattering.screening, simulation.limit, simulation.seed};
  const Source source{simulation.source_radius / scattering.mean_free_path};
  const auto tallies = tallies_of<Real>(simulation.binning);
  run.with_lanes([&](auto lanes) {
    using Tallies = std::remove_const_t<decltype(tallies)>;
    montecarlo::Transport<Real, ExecutionSpace, Tallies, Source, lanes()> transport(
        exec, params, tallies, source);
    auto range = next();
    if (!range) return;
    transport.run(exec, {0, simulation.few_histories()});
    transport.take(exec);
    for (; range; range = next()) {
      const auto start = Clock::now();
      transport.run(exec, *range);
      const auto counts = transport.take(exec);
      const std::chrono::duration<double> elapsed = Clock::now() - start;
      take(counts, elapsed.count());
    }
  });
}

template void simulate(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&, const Simulation&,
                       const std::function<std::optional<montecarlo::HistoryRange>()>&,
                       const std::function<void(const montecarlo::TransportCounts&, double)>&);

}  // namespace coulomb
