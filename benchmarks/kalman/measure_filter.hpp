// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measure_fit.hpp"
#include "track_fitter.hpp"

#include <trackplex/core/error.hpp>

namespace trackplex::benchmarks {

/// `measure_fit` with a filter.
template <class Filter, class Real, class ExecutionSpace>
FitOutcome measure_filter(Filter filter, const program::Run<Real, ExecutionSpace>& run,
                          const Population<Real>& population, const FitSettings& settings) {
  FitOutcome outcome;
  run.with_lanes([&](auto lanes) {
    TrackFitter<Filter, Real, ExecutionSpace, lanes()> fitter(run.exec, population, settings.layout,
                                                              filter);
    const auto hash_of_states = [&] {
      const auto per_track = std::size_t(population.layers) * hit_components;
      outcome.averages = averages_of(
          fitter.states(), population.hits.data() + per_track - hit_components, per_track);
      return outcome.averages.hash;
    };
    std::string first;
    const auto timer = program::measure(
        run.exec, settings.repeat,
        [&](auto& steps) {
          steps.time("total", [&] {
            for (int i = 0; i < settings.iterations; ++i) fitter.fit();
          });
        },
        [&] {
          if (first.empty()) first = hash_of_states();
          settings.after_repetition();
        });
    if (hash_of_states() != first)
      throw Error(run.description().backend, "two repetitions gave different states");
    outcome.time_us = timer.times(double(population.size()) * double(settings.iterations));
  });
  return outcome;
}

}  // namespace trackplex::benchmarks
