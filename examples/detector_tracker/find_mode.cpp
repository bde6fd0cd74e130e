// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_runs.hpp"
#include "modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace detector_tracker {

using program::Json;
using tracks::DetectorEvents;

namespace {

Json find_description(const Settings& settings, const Setup& setup, const Events& events) {
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

/// The tracks of a batch.
std::vector<Tracks> find_in_batch(const FinderCalls& calls, const DetectorEvents& batch) {
  FinderCalls::Events events;
  for (int event = 0; event < batch.events(); ++event)
    events.push_back(EventOfBatch{&batch, event}.hits_of_event());
  std::vector<Tracks> tracks;
  const auto chain = calls.make();
  chain->stage(events);
  chain->run();
  chain->collect(tracks);
  return tracks;
}

/// Sets the length of the region of collisions by the tracks of high momentum of a batch.
template <class Run>
void measure_sigma_z(const Run& run, const Settings& settings, const DetectorEvents& batch,
                     Setup& setup) {
  auto finder = setup.finder;
  finder.passes.resize(1);
  const auto found = find_in_batch(finder_calls(run, setup, finder), batch);
  if (const auto sigma_z = sigma_z_of(setup, batch, found)) set_sigma_z(setup, settings, *sigma_z);
}

/// Finds the tracks of high momentum of a batch wherever they begin along the beam, and counts
/// those beyond the cut of the seeds.
template <class Run>
BeyondCut count_beyond_cut(const Run& run, const DetectorEvents& batch, const Setup& setup) {
  constexpr double anywhere = 100.;  // cm
  auto finder = setup.finder;
  finder.passes.resize(1);
  auto& seeds = finder.passes.front().seeds;
  seeds.max_z0 = std::max(seeds.max_z0, anywhere);
  seeds.sigma_z0 = std::max(seeds.sigma_z0, anywhere);
  return beyond_cut(setup, batch, find_in_batch(finder_calls(run, setup, finder), batch));
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
  if (settings.pipeline.list_algorithms)
    return program::list_algorithms<float, double>(
        p, [&](const auto& run) { return finder_calls(run, setup).listing; });
  const auto events = events_of(p, settings, setup);
  const auto& first_batch = events.batches.front();
  p.input = find_description(settings, setup, events);
  find_in_runs<Tracks>(
      p, settings, setup, events,
      [&](const auto& run) {
        if (!settings.sigma_z) measure_sigma_z(run, settings, first_batch, setup);
      },
      [&](const auto& run, const Events& found, const std::vector<Tracks>& tracks) {
        write_found(p, settings, setup, found, tracks);
        write(count_beyond_cut(run, first_batch, setup), setup, p);
      });
}

}  // namespace detector_tracker
