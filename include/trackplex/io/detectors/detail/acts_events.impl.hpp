// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/random.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/acts_events.hpp>
#include <trackplex/io/detectors/detail/acts_tables.hpp>
#include <trackplex/io/detectors/detail/particle_table.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE void copy_pitches(const geometry::DetectorDescription& from,
                                   geometry::DetectorDescription& to) {
  std::vector<std::uint64_t> identifiers;
  for (const auto& module : to.modules) identifiers.push_back(module.identifier);
  const auto numbers = detail::find_modules(from, identifiers);
  auto number = numbers.begin();
  for (auto& module : to.modules) {
    if (*number < 0)
      throw UsageError("copy_pitches", "a module is not in both detectors",
                       "identifier " + std::to_string(module.identifier));
    const auto& source = from.modules[std::size_t(*number++)];
    module.pitch_u = source.pitch_u;
    module.pitch_v = source.pitch_v;
    module.thickness = source.thickness;
  }
}

namespace detail {

/// Columns of true crossings.
inline std::vector<ColumnFormat> acts_hit_columns() {
  std::vector<ColumnFormat> columns{{"geometry_id", "", ColumnType::int64}};
  for (const char* const name : {"tx", "ty", "tz"})
    columns.push_back({name, "mm", ColumnType::float64, true, false});
  add_barcode_columns(columns);
  return columns;
}

inline std::vector<ColumnFormat> acts_particle_columns() {
  std::vector<ColumnFormat> columns;
  add_barcode_columns(columns);
  return particle_columns(columns);
}

}  // namespace detail

TRACKPLEX_INLINE void parse_acts_event(const geometry::DetectorDescription& detector,
                                       const ActsEventTexts& texts, std::uint64_t seed,
                                       tracks::DetectorEvents& events) {
  if (events.particle_of_hit.size() != events.hits.u.size() || !events.weight.empty())
    throw UsageError("parse_acts_event", "events of ACTS have truth, and no weights", {},
                     "keep them apart from others");
  const auto particle_table = parse_table_csv(texts.particles, texts.particles_name,
                                              detail::acts_particle_columns(), CsvDialect::foreign);
  const auto particles = detail::particles_of(particle_table);
  const detail::BarcodeRows rows(particle_table);
  const auto table =
      parse_table_csv(texts.hits, texts.hits_name, detail::acts_hit_columns(), CsvDialect::foreign);
  const auto barcodes = detail::barcodes_of(table);
  const auto modules = detail::modules_of(table, detector);
  const auto &x = table.values<double>("tx"), &y = table.values<double>("ty"),
             &z = table.values<double>("tz");
  struct Hit {
    std::size_t row;
    int module;
    std::int32_t particle;
    double u, v;
  };
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]) || !std::isfinite(z[i])) continue;
    Hit hit{i, modules[i], rows.find(barcodes[i]), 0., 0.};
    if (hit.particle < 0) table.refuse(i, "particle_id", "there is no such particle");
    hit.particle = particles(hit.particle);
    const auto& module = detector.modules[std::size_t(hit.module)];
    if (!(module.pitch_u > 0.))
      throw UsageError("parse_acts_event", "a module that was hit has no pitch",
                       "module " + std::to_string(hit.module), "see copy_pitches");
    const auto local = geometry::to_local(
        module.frame, geometry::Vector3<double>{x[i] / 10., y[i] / 10., z[i] / 10.});
    if (std::abs(local(2)) > 1e-3)
      table.refuse(i, "tx, ty and tz", "the crossing is not on its module",
                   "it is " + shortest(local(2)) + " cm off");
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
  std::vector<std::int32_t> n_hits(particles.particles.size(), 0);
  for (auto i = first; i < events.hits.u.size(); ++i) {
    const auto& hit = hits[std::size_t(events.hits.added[i])];
    events.hits.added[i] = std::int32_t(hit.row);
    const auto owner = hit.particle;
    events.particle_of_hit.push_back(owner);
    if (owner >= 0) ++n_hits[std::size_t(owner)];
  }
  events.particles.insert(events.particles.end(), particles.particles.begin(),
                          particles.particles.end());
  events.particles_left_out += particles.left_out;
  events.hits_left_out += table.rows() - hits.size();
  events.n_hits.insert(events.n_hits.end(), n_hits.begin(), n_hits.end());
  events.particle_offsets.push_back(std::int32_t(events.particles.size()));
}

namespace detail {

/// Refuses events with truth beside those without.
inline void check_no_truth(const char* where, const tracks::DetectorEvents& events) {
  if (!events.particle_of_hit.empty() || !events.weight.empty())
    throw UsageError(where, "earlier events have truth, these have none", {}, "keep them apart");
}

/// Ends an event without particles.
inline void end_event_of_hits(tracks::DetectorEvents& events) {
  events.hits.end_event();
  events.particle_offsets.push_back(std::int32_t(events.particles.size()));
}

/// Hit on a module.
struct PlaneHit {
  int module;
  double u, v, variance_u, variance_v;
};

/// The pixels of a measurement in a table of cells.
struct CellSums {
  double weight = 0., channel0 = 0., channel1 = 0.;
};

}  // namespace detail

TRACKPLEX_INLINE void parse_acts_measurements(const geometry::DetectorDescription& detector,
                                              std::string_view text, const std::string& name,
                                              tracks::DetectorEvents& events) {
  using enum ColumnType;
  detail::check_no_truth("parse_acts_measurements", events);
  std::vector<ColumnFormat> format{{"geometry_id", "", int64}, {"local_key", "", int64}};
  for (const char* const column : {"local0", "local1"})
    format.push_back({column, "mm", float64, true, false});
  for (const char* const column : {"var_local0", "var_local1"})
    format.push_back({column, "mm^2", float64, true, false});
  const auto table = parse_table_csv(text, name, format, CsvDialect::foreign);
  const auto modules = detail::modules_of(table, detector);
  const auto& keys = table.values<std::int64_t>("local_key");
  const auto column = [&](const char* of) { return table.values<double>(of).data(); };
  const double *local0 = column("local0"), *local1 = column("local1"),
               *variance0 = column("var_local0"), *variance1 = column("var_local1");
  std::vector<detail::PlaneHit> hits;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto& module = detector.modules[std::size_t(modules[row])];
    if (module.bounds.kind == geometry::BoundsKind::annulus)
      table.refuse(row, "local0", "measurements on rings and annuli are not supported",
                   "they are radii and azimuths");
    if ((keys[row] & 2) == 0)
      table.refuse(row, "local_key", "the first coordinate is not measured",
                   "strips measure local0");
    const bool is_pixel = (keys[row] & 4) != 0;
    const auto is_measured = [](double local, double variance) {
      return std::isfinite(local) && std::isfinite(variance) && variance > 0.;
    };
    if (!is_measured(local0[row], variance0[row]) ||
        (is_pixel && !is_measured(local1[row], variance1[row])))
      continue;
    hits.push_back({modules[row], module.origin_u + local0[row] / 10.,
                    is_pixel ? module.origin_v + local1[row] / 10. : 0., variance0[row] / 100.,
                    is_pixel ? variance1[row] / 100. : 0.});
    if (!module.bounds.contains(hits.back().u, hits.back().v, 0.1))
      table.refuse(row, "local0 and local1", "the measurement is more than 1 mm off its module");
  }
  for (const auto& hit : hits)
    events.hits.add(hit.module, hit.u, hit.v, hit.variance_u, hit.variance_v);
  events.hits_left_out += table.rows() - hits.size();
  detail::end_event_of_hits(events);
}

TRACKPLEX_INLINE void parse_acts_cells(const geometry::DetectorDescription& detector,
                                       std::string_view text, const std::string& name,
                                       tracks::DetectorEvents& events) {
  using enum ColumnType;
  detail::check_no_truth("parse_acts_cells", events);
  const std::vector<ColumnFormat> format{{"geometry_id", "", int64},
                                         {"measurement_id", "", int64},
                                         {"channel0", "", int64},
                                         {"channel1", "", int64},
                                         {"value", "", float64, true, false}};
  const auto table = parse_table_csv(text, name, format, CsvDialect::foreign);
  const auto modules = detail::modules_of(table, detector);
  const auto& measurement = table.values<std::int64_t>("measurement_id");
  const auto &channel0 = table.values<std::int64_t>("channel0"),
             &channel1 = table.values<std::int64_t>("channel1");
  const auto& value = table.values<double>("value");
  std::map<std::pair<std::int64_t, std::int32_t>, detail::CellSums> clusters;
  std::size_t left_out = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto& module = detector.modules[std::size_t(modules[row])];
    if (module.bounds.kind != geometry::BoundsKind::rectangle)
      table.refuse(row, "geometry_id", "cells are counted on rectangles only");
    if (!(module.pitch_u > 0.))
      throw UsageError("parse_acts_cells", "a module that was hit has no pitch",
                       "module " + std::to_string(modules[row]), "see copy_pitches");
    const auto [half_u, same, half_v] = module.bounds.size;
    const auto inside = [](std::int64_t channel, double half, double pitch) {
      return channel >= 0 && (!(pitch > 0.) || double(channel) * pitch < 2. * half + 1e-6);
    };
    if (!inside(channel0[row], half_u, module.pitch_u) ||
        !inside(channel1[row], half_v, module.pitch_v))
      table.refuse(row, "channel0 and channel1", "the cell is outside of its module");
    if (!(value[row] > 0. && std::isfinite(value[row]))) {
      ++left_out;
      continue;
    }
    auto& sums = clusters[{measurement[row], modules[row]}];
    sums.weight += value[row];
    sums.channel0 += value[row] * (double(channel0[row]) + 0.5);
    sums.channel1 += value[row] * (double(channel1[row]) + 0.5);
  }
  for (const auto& [key, sums] : clusters) {
    const auto& module = detector.modules[std::size_t(key.second)];
    const auto [half_u, same, half_v] = module.bounds.size;
    const double u = sums.channel0 / sums.weight * module.pitch_u - half_u,
                 v = sums.channel1 / sums.weight * module.pitch_v - half_v;
    events.hits.add(key.second, u, module.pitch_v > 0. ? v : 0.,
                    module.pitch_u * module.pitch_u / 12., module.pitch_v * module.pitch_v / 12.);
  }
  events.hits_left_out += left_out;
  detail::end_event_of_hits(events);
}

TRACKPLEX_INLINE tracks::DetectorEvents read_acts_event(
    const geometry::DetectorDescription& detector, const std::filesystem::path& hits,
    const std::filesystem::path& particles, std::uint64_t seed) {
  tracks::DetectorEvents events(detector);
  const auto hits_text = detail::read_plain_or_gzip(hits);
  const auto particles_text = detail::read_plain_or_gzip(particles);
  parse_acts_event(detector, {hits_text, particles_text, hits.string(), particles.string()}, seed,
                   events);
  return events;
}

}  // namespace trackplex::io
