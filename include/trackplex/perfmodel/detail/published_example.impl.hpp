// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/device_library.hpp>
#include <trackplex/perfmodel/equations.hpp>
#include <trackplex/perfmodel/forecast.hpp>
#include <trackplex/perfmodel/published_example.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE Application published_application() {
  Application coulomb;
  coulomb.name = "Coulomb scattering as published";
  coulomb.source = "published forecast of 1e8 histories of 128 keV electrons in water";
  coulomb.items = 1e8;
  coulomb.branch_miss_rate = 45. / 13000.;
  coulomb.divergence = {.rule = Divergence::Rule::given, .efficiency = 0.0625};
  Loop steps;
  steps.name = "steps of a history";
  steps.trip_count = {.fixed = 1., .poisson = 33.5};
  steps.instructions = 5000. / 34.5;
  steps.branches = {{.name = "all branches", .count = 16, .depth = 4}};
  coulomb.loops = {steps};
  coulomb.streams = {{.name = "histograms",
                      .path = Path::link,
                      .direction = Direction::from_device,
                      .bytes = (201. + 101.) * 8.}};
  coulomb.fpga.dsp = 127.;
  coulomb.fpga.memory_bits = 10e6;
  coulomb.fpga.instances = 15.;
  coulomb.fpga.host_per_item = 198e-3 / 1e8;
  return coulomb;
}

TRACKPLEX_INLINE std::vector<PublishedMeasurement> published_measurements() {
  return {
      {"EPYC 7551 x2", 8.494, 1., 1.}, {"VU9P", 1.321, 6.42, 1.60}, {"V100", 0.853, 9.95, 3.52}};
}

TRACKPLEX_INLINE std::vector<Inconsistency> published_inconsistencies() {
  const auto text = [](double value, const char* format) {
    char number[64];
    std::snprintf(number, sizeof number, format, value);
    return std::string(number);
  };
  const auto app = published_application();
  const double n = totals_of(app).instructions, clock = 1.455e9, cores = 5120., eta = 0.0625;
  const double cpu = published_measurements()[0].time;
  const double share = 10e6 / 345e6, printed_share = 0.0335;
  const auto time = [&](double efficiency) {
    return text(1e3 * compute_time(app.items, n, efficiency, clock, cores), "%.0f ms");
  };
  return {{"equation (2.4), T = S eta N_ASM / (f N_cores)", "1,074 ms",
           text(1e3 * compute_time_as_printed(app.items, n, eta, clock, cores), "%.3f ms") +
               " as printed; " + time(eta) + " where eta divides"},
          {"efficiency of 16 diverging branches, \"halved each time\"", "0.0625",
           text(efficiency_of_nested_branches(16), "%.3g") + " for 16 inside each other (" +
               time(efficiency_of_nested_branches(16)) + "); 0.0625 is 4 of them, or 1/16"},
          {"efficiency from the distribution of the steps", "0.0625",
           text(lock_step_efficiency({.fixed = 1., .poisson = 33.5}, 32), "%.4f") +
               ": E[steps] / E[longest of 32]"},
          {"time of the V100", "873 ms in the text, 853 ms in the table",
           "speed-up " + text(cpu / 0.873, "%.2f") + " and " + text(cpu / 0.853, "%.2f")},
          {"share of the VU9P's memory, 10 of 345 Mb", "3.35 %",
           text(100. * share, "%.2f %%") + "; 3.35 % are " + text(printed_share * 345., "%.2f Mb")},
          {"instances in half of that memory", "15",
           text(std::floor(0.5 / share), "%.0f") + " from 10 Mb, " +
               text(std::floor(0.5 / printed_share), "%.0f") + " from 3.35 %"},
          {"memory of the V100", "GDDR5X", "HBM2"}};
}

}  // namespace trackplex::perfmodel
