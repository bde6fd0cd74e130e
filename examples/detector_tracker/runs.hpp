// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "repetitions.hpp"

#include <common/program.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace detector_tracker {

/// A rate of a report, and the step whose time it is of.
struct Rate {
  std::string name, step;
};

/// Calls `work(run, repetitions)` on all backends that the options ask for, and `first(run, found)`
/// with what the first of these runs found.
template <class Work, class First>
void for_each_run(program::Program& p, const std::vector<Rate>& rates, const Work& work,
                  const First& first) {
  p.for_each_run<float, double>([&](const auto& run, program::RunReport& report) {
    auto progress = p.progress(report.name(), std::size_t(p.options.repeat) + 1);
    auto found = work(run, Repetitions{p.options.repeat, [&] { progress.advance(); }});
    report.hash = found.hash;
    report.time_us = found.time_us;
    for (const auto& rate : rates) report.rate[rate.name] = 1e6 / report.time(rate.step)->median;
    if (p.is_first_run()) first(run, found);
  });
}

/// Refuses an empty range of transverse momenta, GeV.
/// @throws UsageError
void check_pt(double min, double max);

}  // namespace detector_tracker
