// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/random.hpp>
#include <trackplex/io/detectors/acts_events.hpp>
#include <trackplex/io/detectors/detail/gunzip.hpp>
#include <trackplex/io/detectors/detail/particle_table.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE void copy_pitches(const geometry::DetectorDescription& from,
                                   geometry::DetectorDescription& to) {
  const geometry::ModuleNumbers numbers(from);
  for (auto& module : to.modules) {
    const int number = numbers.find(module.identifier);
    if (number < 0)
      throw UsageError("copy_pitches", "a module is not in both detectors",
                       "identifier " + std::to_string(module.identifier));
    const auto& source = from.modules[std::size_t(number)];
    module.pitch_u = source.pitch_u;
    module.pitch_v = source.pitch_v;
    module.thickness = source.thickness;
  }
}

namespace detail {

/// Columns of true crossings.
inline std::vector<ColumnFormat> acts_hit_columns() {
  using enum ColumnType;
  std::vector<ColumnFormat> columns{{"particle_id", "", int64},
                                    {"geometry_id", "", int64},
                                    {"tx", "mm"},
                                    {"ty", "mm"},
                                    {"tz", "mm"},
                                    {"index", "", int64, false}};
  for (const char* const ignored :
       {"tt", "tpx", "tpy", "tpz", "te", "deltapx", "deltapy", "deltapz", "deltae"})
    columns.push_back({ignored, "", float64, false});
  return columns;
}

}  // namespace detail

TRACKPLEX_INLINE void parse_acts_event(const geometry::DetectorDescription& detector,
                                       const ActsEventTexts& texts, std::uint64_t seed,
                                       seeding::DetectorEvents& events) {
  using enum ColumnType;
  if (events.particle_of_hit.size() != events.hits.u.size() || !events.weight.empty())
    throw UsageError("parse_acts_event", "events of ACTS have truth, and no weights", {},
                     "keep them apart from others");
  const auto particle_table =
      parse_table_csv(texts.particles, texts.particles_name,
                      detail::particle_columns({{"process", "", int64, false},
                                                {"vt", "", float64, false},
                                                {"m", "GeV", float64, false}}));
  const auto particles = detail::particles_of(particle_table);
  const detail::RowNumbers rows(particle_table, "particle_id");
  const auto table = parse_table_csv(texts.hits, texts.hits_name, detail::acts_hit_columns());
  const auto& particle = table.values<std::int64_t>("particle_id");
  const auto& identifier = table.values<std::int64_t>("geometry_id");
  const auto &x = table.values<double>("tx"), &y = table.values<double>("ty"),
             &z = table.values<double>("tz");
  const geometry::ModuleNumbers numbers(detector);
  struct Hit {
    int module;
    std::int32_t particle;
    double u, v;
  };
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    Hit hit{numbers.find(std::uint64_t(identifier[i])), rows.find(particle[i]), 0., 0.};
    if (hit.module < 0) table.refuse(i, "geometry_id", "the detector has no such module");
    if (hit.particle < 0) table.refuse(i, "particle_id", "there is no such particle");
    const auto& module = detector.modules[std::size_t(hit.module)];
    if (!(module.pitch_u > 0.))
      throw UsageError("parse_acts_event", "a module that was hit has no pitch",
                       "module " + std::to_string(hit.module), "see copy_pitches");
    const auto local = geometry::to_local(
        module.frame, geometry::Vector3<double>{x[i] / 10., y[i] / 10., z[i] / 10.});
    if (std::abs(local(2)) > 1e-3)
      table.refuse(i, "tx, ty and tz", "the crossing is not on its module",
                   "it is " + std::to_string(local(2)) + " cm off");
    RandomStream<double> random(seed, i);
    const auto normal = random.normal_pair();
    const double per_pitch = 1. / std::sqrt(12.);
    hit.u = local(0) + normal.first * module.pitch_u * per_pitch;
    hit.v = local(1) + normal.second * module.pitch_v * per_pitch;
    hits.push_back(hit);
  }
  const auto first = events.hits.u.size();
  for (const auto& hit : hits) {
    const auto& module = detector.modules[std::size_t(hit.module)];
    events.hits.add(hit.module, hit.u, hit.v, module.pitch_u * module.pitch_u / 12.,
                    module.pitch_v * module.pitch_v / 12.);
  }
  events.hits.end_event();
  std::vector<std::int32_t> n_hits(particles.size(), 0);
  for (auto i = first; i < events.hits.u.size(); ++i) {
    const auto owner = hits[std::size_t(events.hits.added[i])].particle;
    events.particle_of_hit.push_back(owner);
    ++n_hits[std::size_t(owner)];
  }
  events.particles.insert(events.particles.end(), particles.begin(), particles.end());
  events.n_hits.insert(events.n_hits.end(), n_hits.begin(), n_hits.end());
  events.particle_offsets.push_back(std::int32_t(events.particles.size()));
}

TRACKPLEX_INLINE seeding::DetectorEvents read_acts_event(
    const geometry::DetectorDescription& detector, const std::filesystem::path& hits,
    const std::filesystem::path& particles, std::uint64_t seed) {
  seeding::DetectorEvents events(detector);
  const auto hits_text = detail::read_plain_or_gzip(hits);
  const auto particles_text = detail::read_plain_or_gzip(particles);
  parse_acts_event(detector, {hits_text, particles_text, hits.string(), particles.string()}, seed,
                   events);
  return events;
}

}  // namespace trackplex::io
