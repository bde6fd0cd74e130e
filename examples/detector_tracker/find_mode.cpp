// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "events.hpp"
#include "find.hpp"
#include "find_results.hpp"
#include "fingerprints.hpp"
#include "modes.hpp"
#include "setup.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace detector_tracker {

namespace program = trackplex::program;
using program::Json;
using trackplex::seeding::DetectorEvents;

namespace {

Json description(const Settings& settings, const Setup& setup, const Events& events) {
  Json json = {{"detector", setup.name},
               {"modules", setup.detector.modules.size()},
               {"layers", setup.detector.layers.size()},
               {"field_tesla", setup.field.tesla()},
               {"events", events.list().size()}};
  json.update(events.description);
  json.update({{"max_chi2", setup.finder.passes.front().building.max_chi2},
               {"particles_above_gev", settings.above_pt.value_or(0.)}});
  return json;
}

/// Sets the length of the region of collisions by the tracks of high momentum of a batch.
template <class Run>
void measure_sigma_z(const Run& run, const Settings& settings, const DetectorEvents& batch,
                     Setup& setup) {
  Setup high = setup;
  high.finder.passes.resize(1);
  const auto found = find_tracks(run, high, {&batch.hits}, 1, [] {});
  if (const auto sigma_z = sigma_z_of(high, batch, found.events))
    set_sigma_z(setup, settings, *sigma_z);
}

}  // namespace

void run_finder(program::Program& p, const Settings& settings) {
  auto setup = setup_of(settings);
  const auto events = events_of(p, settings, setup);
  const auto list = events.list();
  check_display(settings, events);
  p.input = description(settings, setup, events);
  Batches batches;
  for (const auto& batch : events.batches) batches.push_back(&batch.hits);
  program::FingerprintFile fingerprints;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    if (p.is_first_run() && !settings.sigma_z)
      measure_sigma_z(r, settings, events.batches.front(), setup);
    auto progress = p.progress(report.name(), std::size_t(p.options.repeat) + 1);
    auto found = find_tracks(r, setup, batches, p.options.repeat, [&] { progress.advance(); });
    report.hash = found.hash;
    report.time_us = found.time_us;
    report.rate["events_per_s"] = 1e6 / report.time("total")->median;
    if (!settings.fingerprints.empty())
      add_fingerprints<typename std::decay_t<decltype(r)>::Real>(
          fingerprints, report.run, batches, found.events, setup.finder.passes.size());
    if (!p.is_first_run()) return;
    const ParticleCuts cuts{settings.above_pt.value_or(0.), settings.max_vertex_r.value_or(1e9)};
    auto results = find_results(setup, events, found.events, cuts);
    p.results = std::move(results.json);
    p.plots = std::move(results.plots);
    p.text = std::move(results.text);
    if (const auto i = settings.display)
      p.plots.push_back(
          event_display(setup.detector, list[*i], *i, hits_of_tracks(found.events[*i])));
  });
  if (!settings.fingerprints.empty())
    fingerprints.write(settings.fingerprints, p.name(), p.input, settings.batch.value_or(1));
}

}  // namespace detector_tracker
