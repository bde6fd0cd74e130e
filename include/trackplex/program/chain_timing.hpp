// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/report.hpp>
#include <trackplex/program/timing.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::program {

/// Steps of a chain that are timed together.
struct StepGroup {
  std::string name;
  std::vector<std::string> steps;
};

/// Runs a chain on all events, in batches, once as a warm-up and then `repeat` times. Each time
/// `after_each(results)` takes the results. Returns the times of the groups, in microseconds per
/// event.
template <class Chain, class AfterEach>
std::map<std::string, Spread> time_chain(Chain& chain,
                                         std::span<const typename Chain::Event> events,
                                         std::size_t batch, int repeat,
                                         std::span<const StepGroup> groups,
                                         const AfterEach& after_each) {
  std::map<std::string, std::vector<double>> times;
  std::map<std::string, double> before;
  chain.time_each_step(true);
  for (int pass = 0; pass <= repeat; ++pass) {
    std::vector<typename Chain::Result> results;
    for (std::size_t first = 0; first < events.size(); first += batch) {
      auto some = chain(events.subspan(first, std::min(batch, events.size() - first)));
      std::move(some.begin(), some.end(), std::back_inserter(results));
    }
    std::map<std::string, double> now;
    for (const auto& step : chain.report().steps) now[step.name] = step.seconds;
    for (const auto& group : groups) {
      double seconds = 0.;
      for (const auto& step : group.steps) seconds += now[step] - before[step];
      if (pass > 0) times[group.name].push_back(1e6 * seconds / double(events.size()));
    }
    before = std::move(now);
    after_each(std::move(results));
  }
  std::map<std::string, Spread> spreads;
  for (auto& [name, values] : times) spreads[name] = spread_of(std::move(values));
  return spreads;
}

}  // namespace trackplex::program
