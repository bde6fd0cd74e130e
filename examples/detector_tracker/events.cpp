// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "events.hpp"

#include "runs.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/acts_events.hpp>
#include <trackplex/io/detectors/acts_geometry_id.hpp>
#include <trackplex/io/detectors/trackml_events.hpp>
#include <trackplex/io/detectors/trackml_particles.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace detector_tracker {

using program::Json;
using tracks::DetectorEvents;

namespace {

/// The event of a prefix, or of the name of its file of hits.
io::TrackmlEventFiles trackml_files(std::string name) {
  for (const std::string_view ending : {"-hits.csv", "-hits.csv.gz"})
    if (name.ends_with(ending)) name.erase(name.size() - ending.size());
  return io::TrackmlEventFiles::of_prefix(name);
}

/// The particles that belong to a file of hits: in the same folder, with "particles" for "hits".
std::string particles_next_to(const std::string& hits) {
  const std::filesystem::path path = hits;
  auto name = path.filename().string();
  const auto at = name.rfind("hits");
  if (at == std::string::npos)
    throw UsageError("--particles", "no particles found for " + hits, "", "name it");
  return path.parent_path() / name.replace(at, 4, "particles");
}

void read_acts(const Settings& settings, const Setup& setup, const std::string& hits,
               DetectorEvents& to) {
  using io::detail::read_plain_or_gzip;
  const auto name = std::filesystem::path(hits).filename().string();
  if (name.find("measurements") != name.npos)
    return io::parse_acts_measurements(setup.detector, read_plain_or_gzip(hits), hits, to);
  if (name.find("cells") != name.npos)
    return io::parse_acts_cells(setup.detector, read_plain_or_gzip(hits), hits, to);
  const auto particles = settings.particles.empty() ? particles_next_to(hits) : settings.particles;
  const auto text = read_plain_or_gzip(hits), particles_text = read_plain_or_gzip(particles);
  io::parse_acts_event(setup.detector, {text, particles_text, hits, particles}, settings.seed, to);
}

Events read(const program::Program& p, const Settings& settings, const Setup& setup) {
  Events events;
  events.description = {{"kind", "files"}, {"files", settings.input}};
  const bool is_acts = setup.name == "acts";
  const io::TrackmlEventReader reader(setup.detector);
  const auto n = settings.input.size();
  events.batches = batches_of(settings, setup.detector, n, p.progress("reading events", n),
                              [&](std::size_t i, DetectorEvents& to) {
                                if (is_acts)
                                  read_acts(settings, setup, settings.input[i], to);
                                else
                                  reader.read(trackml_files(settings.input[i]), to);
                              });
  std::size_t left_out = 0, hits_left_out = 0;
  for (const auto& batch : events.batches) {
    left_out += batch.particles_left_out;
    hits_left_out += batch.hits_left_out;
  }
  events.description["particles_left_out"] = left_out;
  events.description["hits_left_out"] = hits_left_out;
  if (left_out > 0)
    p.warn("{} particles without transverse momentum, or otherwise no tracks, are left out",
           left_out);
  if (hits_left_out > 0)
    p.warn("{} hits without finite coordinates or positive variances are left out", hits_left_out);
  if (is_acts) events.description["geometry_id"] = name_of(io::geometry_id_packing(setup.detector));
  return events;
}

simulation::DetectorGeneratorParams generator_of(const Settings& settings, const Setup& setup) {
  auto params = setup.generator;
  if (settings.inefficiency) params.efficiency = 1. - *settings.inefficiency;
  if (settings.noise) params.noise_fraction = *settings.noise;
  return params;
}

simulation::ParticleGunParams gun_of(const Settings& settings) {
  simulation::ParticleGunParams gun;
  gun.particles = settings.tracks.value_or(gun.particles);
  gun.vertex_x = settings.beam_x;
  gun.vertex_y = settings.beam_y;
  gun.vertex_z = settings.beam_z;
  gun.min_pt = settings.min_pt.value_or(gun.min_pt);
  gun.max_pt = settings.max_pt.value_or(gun.max_pt);
  check_pt(gun.min_pt, gun.max_pt);
  return gun;
}

Json description(const Settings& settings, const simulation::ParticleGunParams& gun,
                 const simulation::DetectorGeneratorParams& generator) {
  Json json = {{"kind", "generated"},
               {"seed", settings.seed},
               {"noise", generator.noise_fraction},
               {"inefficiency", 1. - generator.efficiency}};
  if (settings.particles.empty())
    json.update({{"particles_per_event", gun.particles},
                 {"min_pt_gev", gun.min_pt},
                 {"max_pt_gev", gun.max_pt},
                 {"max_abs_eta", gun.max_abs_eta}});
  else
    json["particles"] = settings.particles;
  return json;
}

Events generate(const program::Program& p, const Settings& settings, const Setup& setup) {
  const auto n = std::size_t(settings.generate.value_or(1));
  const auto params = generator_of(settings, setup);
  const auto gun = gun_of(settings);
  std::vector<tracks::TrueParticle> from_file;
  if (!settings.particles.empty()) from_file = io::read_trackml_particles(settings.particles);
  Events events;
  events.description = description(settings, gun, params);
  const simulation::DetectorGenerator generator(setup.detector, setup.field.on_host(), params,
                                                settings.seed);
  events.batches = batches_of(settings, setup.detector, n, p.progress("generating events", n),
                              [&](std::size_t i, DetectorEvents& to) {
                                const auto shot =
                                    settings.particles.empty()
                                        ? simulation::shoot_particles(gun, i, settings.seed)
                                        : from_file;
                                generator.add_event(i, shot, to);
                              });
  return events;
}

/// Whether all events have something, or none has it.
template <class Has>
bool all_or_none(const std::vector<DetectorEvents>& batches, const char* what, const Has& has) {
  std::size_t with = 0;
  for (const auto& batch : batches) with += has(batch) ? 1 : 0;
  if (with != 0 && with != batches.size())
    throw UsageError("--input", std::string("only some events have ") + what, "",
                     "give them for all events or for none");
  return with > 0;
}

}  // namespace

bool Events::has_particles() const {
  return all_or_none(batches, "particles",
                     [](const auto& batch) { return !batch.particles.empty(); });
}

bool Events::has_truth() const {
  return all_or_none(batches, "truth",
                     [](const auto& batch) { return !batch.particle_of_hit.empty(); });
}

std::vector<EventOfBatch> Events::list() const {
  std::vector<EventOfBatch> list;
  for (const auto& batch : batches)
    for (int event = 0; event < batch.events(); ++event) list.push_back({&batch, event});
  return list;
}

Events Events::some(const std::vector<std::size_t>& numbers) const {
  const auto all = list();
  Events some{{}, description};
  for (const auto number : numbers)
    some.batches.push_back(all[number].batch->part(all[number].event, 1));
  return some;
}

Events events_of(const program::Program& p, const Settings& settings, const Setup& setup) {
  return settings.input.empty() ? generate(p, settings, setup) : read(p, settings, setup);
}

}  // namespace detector_tracker
