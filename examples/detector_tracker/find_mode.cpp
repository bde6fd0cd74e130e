// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "events.hpp"
#include "find.hpp"
#include "find_results.hpp"
#include "fingerprints.hpp"
#include "modes.hpp"
#include "setup.hpp"
#include "tracks_file.hpp"

#include <fmt/format.h>

#include <algorithm>
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
               {"beam_cm", {setup.collider.x, setup.collider.y, setup.collider.z}},
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

/// Finds the tracks of high momentum of a batch wherever they begin along the beam, and counts
/// those beyond the cut of the seeds.
template <class Run>
BeyondCut count_beyond_cut(const Run& run, const DetectorEvents& batch, const Setup& setup) {
  constexpr double anywhere = 100.;  // cm
  Setup wide = setup;
  wide.finder.passes.resize(1);
  auto& seeds = wide.finder.passes.front().seeds;
  seeds.max_z0 = std::max(seeds.max_z0, anywhere);
  seeds.sigma_z0 = std::max(seeds.sigma_z0, anywhere);
  const auto found = find_tracks(run, wide, {&batch.hits}, 1, [] {});
  return beyond_cut(setup, batch, found.events);
}

/// Adds what the cut takes to the results, and says it where that is more than a few.
void write(const BeyondCut& cut, const Setup& setup, program::Program& p) {
  p.results["seed_cut"] = {
      {"max_z0_cm", cut.max_z0}, {"tracks_of_first_batch", cut.tracks}, {"beyond", cut.beyond}};
  if (cut.tracks > 0 && double(cut.beyond) > 0.02 * double(cut.tracks))
    p.text += fmt::format(
        "\n{} of {} tracks of the first batch begin more than {:.3g} cm from z = {:g} cm, where "
        "seeds are not searched for: see --beam-z and --sigma-z\n",
        cut.beyond, cut.tracks, cut.max_z0, setup.collider.z);
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
    if (!settings.output.empty())
      write_tracks(settings.output, p, setup.detector, events, found.events);
    const ParticleCuts cuts{settings.above_pt.value_or(0.), settings.max_vertex_r.value_or(1e9)};
    auto results = find_results(setup, events, found.events, cuts);
    p.results = std::move(results.json);
    p.plots = std::move(results.plots);
    p.text = std::move(results.text);
    write(count_beyond_cut(r, events.batches.front(), setup), setup, p);
    if (const auto i = settings.display)
      p.plots.push_back(
          event_display(setup.detector, list[*i], *i, hits_of_tracks(found.events[*i])));
  });
  if (!settings.fingerprints.empty())
    fingerprints.write(settings.fingerprints, p.name(), p.input, settings.batch.value_or(1));
}

}  // namespace detector_tracker
