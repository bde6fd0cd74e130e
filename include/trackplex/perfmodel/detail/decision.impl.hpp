// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/decision.hpp>
#include <trackplex/perfmodel/forecast.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace trackplex::perfmodel {
namespace detail {

TRACKPLEX_INLINE std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

TRACKPLEX_INLINE double fastest(const std::vector<Forecast>& forecasts, DeviceKind kind) {
  double best = HUGE_VAL;
  for (const auto& f : forecasts)
    if (f.kind == kind) best = std::min(best, f.expected.total);
  return best;
}

TRACKPLEX_INLINE std::string high_or_low(const char* name, double rate, double limit) {
  return std::string(name) + " " + short_number(rate) +
         (rate > limit ? ": high (above " : ": low (up to ") + short_number(limit) + ")";
}

/// Decides by the forecasts, where exactly one miss rate is high, or where there is too little
/// parallelism for a GPU.
TRACKPLEX_INLINE void decide_by_times(Decision& decision, const std::vector<Forecast>& forecasts,
                                      bool gpu_allowed, const DecisionThresholds& thresholds) {
  const auto say = [&](std::string step) { decision.steps.push_back(std::move(step)); };
  const double cpu = fastest(forecasts, DeviceKind::cpu);
  const double fpga = fastest(forecasts, DeviceKind::fpga);
  const double gpu = gpu_allowed ? fastest(forecasts, DeviceKind::gpu) : HUGE_VAL;
  if (cpu == HUGE_VAL || std::min(gpu, fpga) == HUGE_VAL) {
    say("undecided: needs forecasts for a CPU and for an accelerator");
    return;
  }
  const double gain = cpu / fpga;
  const bool fpga_pays = gain >= thresholds.fpga_gain;
  if (fpga < HUGE_VAL)
    say("FPGA " + short_number(gain) +
        " times as fast as the CPU: " + (fpga_pays ? "worth the effort" : "not worth the effort") +
        " (from " + short_number(thresholds.fpga_gain) + " on)");
  if (fpga_pays && gpu <= thresholds.similar * fpga) {
    say("the GPU is faster or similar, and easier to program: GPU");
    decision.kind = DeviceKind::gpu;
  } else if (fpga_pays) {
    say("FPGA");
    decision.kind = DeviceKind::fpga;
  } else if (gpu < cpu) {
    say("GPU " + short_number(cpu / gpu) + " times as fast as the CPU: GPU");
    decision.kind = DeviceKind::gpu;
  } else {
    say("no accelerator pays: CPU");
    decision.kind = DeviceKind::cpu;
  }
}

/// Adds a warning where a forecast contradicts a recommendation that does not depend on forecasts.
TRACKPLEX_INLINE void compare_with_times(Decision& decision,
                                         const std::vector<Forecast>& forecasts) {
  const double chosen = fastest(forecasts, *decision.kind);
  if (chosen == HUGE_VAL) return;
  for (const auto& f : forecasts)
    if (f.expected.total < chosen) {
      decision.steps.push_back("warning: by its forecast, " + f.device + " takes " +
                               short_number(f.expected.total) + " s and the best " +
                               name_of(*decision.kind) + " " + short_number(chosen) + " s");
      return;
    }
}

}  // namespace detail

TRACKPLEX_INLINE Decision decide(const Application& application,
                                 const std::vector<Forecast>& forecasts,
                                 const DecisionThresholds& thresholds) {
  Decision decision;
  const auto say = [&](std::string step) { decision.steps.push_back(std::move(step)); };
  if (application.latency > 0. && application.latency <= thresholds.ultra_low_latency) {
    say("answers within " + detail::short_number(application.latency) + " s: FPGA");
    decision.kind = DeviceKind::fpga;
    return decision;
  }
  if (!application.jitter_allowed) {
    say("no jitter allowed: FPGA");
    decision.kind = DeviceKind::fpga;
    return decision;
  }
  say("no ultra-low latency, jitter allowed");
  if (!application.embarrassingly_parallel) {
    say("not embarrassingly parallel: a GPU is unlikely to pay");
    detail::decide_by_times(decision, forecasts, false, thresholds);
    return decision;
  }
  say("embarrassingly parallel");
  for (const auto& f : forecasts)
    if (f.kind == DeviceKind::gpu && application.items < thresholds.items_per_core * f.cores)
      say("warning: " + f.device + " wants at least " +
          detail::short_number(thresholds.items_per_core * f.cores) + " work items, there are " +
          detail::short_number(application.items));

  const bool branches = application.branch_miss_rate > thresholds.high_branch_misses;
  const bool caches = application.cache_miss_rate > thresholds.high_cache_misses;
  say(detail::high_or_low("branch misses", application.branch_miss_rate,
                          thresholds.high_branch_misses));
  say(detail::high_or_low("cache misses", application.cache_miss_rate,
                          thresholds.high_cache_misses));
  if (branches != caches) {
    say("exactly one is high: the forecasts decide");
    detail::decide_by_times(decision, forecasts, true, thresholds);
    return decision;
  }
  say(branches ? "both are high: FPGA" : "both are low: GPU");
  decision.kind = branches ? DeviceKind::fpga : DeviceKind::gpu;
  detail::compare_with_times(decision, forecasts);
  return decision;
}

}  // namespace trackplex::perfmodel
