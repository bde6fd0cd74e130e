// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace trackplex::benchmarks {

namespace {

void add_case_options(CLI::App& app, TrackingOptions& options) {
  const auto number = [&](const char* name, auto& value, const char* type, double low, double high,
                          const char* text, const char* group) {
    app.add_option(name, value, text)
        ->type_name(type)
        ->transform(program::number_of_type<std::decay_t<decltype(value)>>(low, high))
        ->capture_default_str()
        ->group(group);
  };
  auto& base = options.base;
  number("--tracks", base.tracks, "N", 1, 1e6, "Tracks of an event", "Events");
  number("--events", base.events, "N", 1, 1e5, "Events", "Events");
  number("--batch", base.batch, "N", 1, 1e5, "Events in flight", "Events");
  number("--azimuth-bins", base.azimuth_bins, "N", 8, 65536, "Bins of hits in azimuth", "Tracking");
  number("--bin-length", base.bin_length, "CM", 0.01, 100., "Length of these bins along z",
         "Tracking");
  number("--seeds-per-team", base.seeds_per_team, "N", 1, 1024,
         "Seeds whose candidates share lanes or threads", "Tracking");
  app.add_option_function<std::string>(
         "--order", [&base](const std::string& name) { base.order = seed_order(name); },
         "Seeds of an event by azimuth, particle, or bins (default: azimuth)")
      ->type_name("NAME")
      ->check(program::one_of(seed_order_names()))
      ->group("Tracking");
  number("--max-tracks", options.max_tracks, "N", 10, 1e6, "Largest events of the studies",
         "Studies");
}

}  // namespace

void add_options(CLI::App& app, TrackingOptions& options) {
  add_case_options(app, options);
  auto names = study_names();
  names.emplace_back("all");
  app.add_option("--study", options.studies,
                 fmt::format("What is varied, one or several of: {}", fmt::join(names, ", ")))
      ->type_name("NAME")
      ->check(program::one_of(names))
      ->delimiter(',')
      ->group("Studies");
  program::add_common_options(app, options.common);
  program::add_examples(
      app, {{"bench_tracking --backend serial --lanes all --repeat 20",
             "time of each step with each lane width on one core"},
            {"bench_tracking --backend openmp --threads 2", "the same with two threads"},
            {"bench_tracking --backend serial --study sharing,bins,order --json studies.json",
             "what the sharing out of work, the bins of hits and the order of seeds change"},
            {"bench_tracking --backend serial --study tracks,events --json events.json",
             "time against tracks per event and events in flight"}});
}

}  // namespace trackplex::benchmarks
