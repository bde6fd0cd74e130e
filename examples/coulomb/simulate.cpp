// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "simulate.hpp"

#include <chrono>
#include <type_traits>
#include <utility>

namespace coulomb {

template <class Real, class ExecutionSpace>
void simulate(const trackplex::program::Run<Real, ExecutionSpace>& run,
              const Simulation& simulation, const Customer& customer) {
  using Clock = std::chrono::steady_clock;
  const std::uint64_t warm_up = few_histories(simulation);
  const ExecutionSpace& exec = run.exec;
  const auto& scattering = simulation.scattering;
  const montecarlo::TransportParams params{scattering.screening, simulation.limit, simulation.seed};
  const Source source{simulation.source_radius / scattering.mean_free_path};
  const auto tallies = tallies_of<Real>(simulation.binning);
  run.with_lanes([&](auto lanes) {
    using Tallies = std::remove_const_t<decltype(tallies)>;
    montecarlo::Transport<Real, ExecutionSpace, Tallies, Source, lanes()> transport(
        exec, params, tallies, source);
    auto range = customer.next();
    if (!range) return;
    transport.run(exec, {0, warm_up});
    transport.take(exec);
    for (; range; range = customer.next()) {
      const auto start = Clock::now();
      transport.run(exec, *range);
      auto counts = transport.take(exec);
      const std::chrono::duration<double> elapsed = Clock::now() - start;
      customer.take({*range, std::move(counts), elapsed.count()});
    }
  });
}

template void simulate(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                       const Simulation&, const Customer&);

}  // namespace coulomb
