// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/detail/particle_table.hpp>
#include <trackplex/io/detectors/trackml_events.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace trackplex::io {

namespace detail {
/// A length in cm as a text in mm, to 1 um.
inline std::string millimetres(double cm) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, std::round(1e4 * cm) / 1e3).ptr;
  return {digits, end};
}
}  // namespace detail

struct TrackmlEventReader::Particles {
  detail::ParticlesOfTable table;
  std::vector<std::int32_t> n_hits;
  detail::RowNumbers rows;
};
/// Of each hit, in the order of the file.
struct TrackmlEventReader::Truth {
  std::vector<std::int32_t> particle;
  std::vector<double> weight;
};

TRACKPLEX_INLINE TrackmlEventFiles
TrackmlEventFiles::of_prefix(const std::filesystem::path& prefix) {
  const auto find = [&](const char* kind) -> std::filesystem::path {
    for (const char* const suffix : {".csv", ".csv.gz"}) {
      std::filesystem::path path = prefix;
      path += kind;
      path += suffix;
      if (std::filesystem::exists(path)) return path;
    }
    return {};
  };
  TrackmlEventFiles files{find("-hits"), find("-particles"), find("-truth")};
  if (files.hits.empty())
    throw InputError({prefix.string()}, "there are no hits",
                     "neither -hits.csv nor -hits.csv.gz exists",
                     "give the path up to the number of the event");
  return files;
}

TRACKPLEX_INLINE TrackmlEventReader::TrackmlEventReader(
    const geometry::DetectorDescription& detector)
    : detector_(&detector), numbers_(detector) {
  for (std::size_t i = 0; i < detector.modules.size(); ++i)
    if (!(detector.modules[i].pitch_u > 0.))
      throw UsageError("TrackmlEventReader", "a module has no pitch", "module " + std::to_string(i),
                       "variances of hits are pitch^2 / 12");
}

TRACKPLEX_INLINE void TrackmlEventReader::parse(const TrackmlEventTexts& texts,
                                                tracks::DetectorEvents& events) const {
  check_parts(texts, events);
  using enum ColumnType;
  const std::vector<ColumnFormat> format{{"hit_id", "", int64},
                                         {"x", "mm", float64, true, false},
                                         {"y", "mm", float64, true, false},
                                         {"z", "mm", float64, true, false},
                                         {"volume_id", "", int64},
                                         {"layer_id", "", int64},
                                         {"module_id", "", int64}};
  const auto hits = parse_table_csv(texts.hits.text, texts.hits.name, format, CsvDialect::foreign);
  const auto modules = modules_of(hits);
  const detail::RowNumbers rows(hits, "hit_id");
  Particles particles;
  if (!texts.particles.text.empty()) particles = parse_particles(texts.particles);
  Truth truth;
  if (!texts.truth.text.empty()) truth = parse_truth(texts.truth, hits, rows, particles);
  append(hits, modules, particles, truth, events);
}

TRACKPLEX_INLINE void TrackmlEventReader::read(const TrackmlEventFiles& files,
                                               tracks::DetectorEvents& events) const {
  const auto text = [](const std::filesystem::path& path) -> FileText {
    if (path.empty()) return {};
    return {path.string(), detail::read_plain_or_gzip(path)};
  };
  parse({text(files.hits), text(files.particles), text(files.truth)}, events);
}

TRACKPLEX_INLINE void TrackmlEventReader::check_parts(const TrackmlEventTexts& texts,
                                                      const tracks::DetectorEvents& events) {
  const auto refuse = [&](const char* problem) {
    throw UsageError("TrackmlEventReader", problem, texts.hits.name,
                     "give these files for all events or for none");
  };
  const bool has_truth = !texts.truth.text.empty();
  if (has_truth && texts.particles.text.empty()) refuse("there is truth without particles");
  if (events.particle_of_hit.size() != (has_truth ? events.hits.u.size() : 0))
    refuse("only some events have truth");
}

TRACKPLEX_INLINE std::vector<std::int32_t> TrackmlEventReader::modules_of(
    const TableOfFile& hits) const {
  const auto& volume = hits.values<std::int64_t>("volume_id");
  const auto& layer = hits.values<std::int64_t>("layer_id");
  const auto& module = hits.values<std::int64_t>("module_id");
  std::vector<std::int32_t> modules(hits.rows());
  for (std::size_t i = 0; i < hits.rows(); ++i) {
    const bool possible = 0 <= volume[i] && volume[i] < 1 << 8 && 0 <= layer[i] &&
                          layer[i] < 1 << 12 && 0 <= module[i] && module[i] < 1 << 28;
    modules[i] = possible ? numbers_.find(std::uint64_t(volume[i]), std::uint64_t(layer[i]),
                                          std::uint64_t(module[i]))
                          : -1;
    if (modules[i] < 0)
      hits.refuse(i, "module_id", "the detector has no such module",
                  "volume " + std::to_string(volume[i]) + ", layer " + std::to_string(layer[i]) +
                      ", module " + std::to_string(module[i]));
  }
  return modules;
}

TRACKPLEX_INLINE TrackmlEventReader::Particles TrackmlEventReader::parse_particles(
    const FileText& text) {
  using enum ColumnType;
  const auto table = parse_table_csv(
      text.text, text.name,
      detail::particle_columns({{"particle_id", "", int64}, {"nhits", "", float64, true, false}}),
      CsvDialect::foreign);
  const auto& n_hits = table.values<double>("nhits");
  Particles result{detail::particles_of(table,
                                        [&](std::size_t row) {
                                          return n_hits[row] >= 0. && n_hits[row] < 0x1p31 &&
                                                 n_hits[row] == std::trunc(n_hits[row]);
                                        }),
                   {},
                   {table, "particle_id"}};
  for (std::size_t i = 0; i < n_hits.size(); ++i)
    if (result.table.of_row[i] >= 0) result.n_hits.push_back(std::int32_t(n_hits[i]));
  return result;
}

TRACKPLEX_INLINE TrackmlEventReader::Truth TrackmlEventReader::parse_truth(
    const FileText& text, const TableOfFile& hits, const detail::RowNumbers& rows,
    const Particles& particles) {
  using enum ColumnType;
  const std::vector<ColumnFormat> format{
      {"hit_id", "", int64}, {"particle_id", "", int64}, {"weight", ""}};
  const auto table = parse_table_csv(text.text, text.name, format, CsvDialect::foreign);
  if (table.rows() != hits.rows())
    throw InputError({table.file}, "it has " + std::to_string(table.rows()) + " hits",
                     "there are " + std::to_string(hits.rows()) + " in " + hits.file,
                     "are they files of one event?");
  const auto& hit = table.values<std::int64_t>("hit_id");
  const auto& particle = table.values<std::int64_t>("particle_id");
  const auto& weight = table.values<double>("weight");
  Truth truth{std::vector<std::int32_t>(hits.rows(), -1), std::vector<double>(hits.rows())};
  std::vector<bool> seen(hits.rows(), false);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const auto row = rows.find(hit[i]);
    if (row < 0 || seen[std::size_t(row)])
      table.refuse(i, "hit_id",
                   "hit " + std::to_string(hit[i]) +
                       (row < 0 ? " is not in " + hits.file : " is there twice"));
    seen[std::size_t(row)] = true;
    if (weight[i] < 0.) table.refuse(i, "weight", "it is negative");
    truth.weight[std::size_t(row)] = weight[i];
    if (particle[i] == 0) continue;
    const auto row_of_particle = particles.rows.find(particle[i]);
    if (row_of_particle < 0)
      table.refuse(i, "particle_id",
                   "there is no particle " + std::to_string(particle[i]) + ", 0 stands for noise");
    truth.particle[std::size_t(row)] = particles.table(row_of_particle);
  }
  return truth;
}

TRACKPLEX_INLINE void TrackmlEventReader::check_on_module(const TableOfFile& hits, std::size_t row,
                                                          const geometry::Module& module,
                                                          const geometry::Vector3<double>& local) {
  const auto refuse = [&](const std::string& problem) {
    hits.refuse(row, "x, y and z", problem + ": are lengths in mm, and is it this detector?");
  };
  if (!(std::abs(local(2)) <= max_off_plane))
    refuse("the hit is " + detail::millimetres(local(2)) + " mm off the plane of its module");
  if (!module.bounds.contains(local(0), local(1), max_off_bounds))
    refuse("the hit is outside of its module, " + detail::millimetres(local(0)) + " and " +
           detail::millimetres(local(1)) + " mm from its centre");
}

TRACKPLEX_INLINE void TrackmlEventReader::append(const TableOfFile& hits,
                                                 const std::vector<std::int32_t>& modules,
                                                 const Particles& particles, const Truth& truth,
                                                 tracks::DetectorEvents& events) const {
  const auto &x = hits.values<double>("x"), &y = hits.values<double>("y"),
             &z = hits.values<double>("z");
  const auto first = events.hits.u.size();
  std::vector<geometry::Vector3<double>> points;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < hits.rows(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]) || !std::isfinite(z[i])) continue;
    const auto& module = detector_->modules[std::size_t(modules[i])];
    points.push_back(geometry::to_local(
        module.frame, geometry::Vector3<double>{x[i] / 10., y[i] / 10., z[i] / 10.}));
    rows.push_back(i);
    check_on_module(hits, i, module, points.back());
  }
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto number = modules[rows[n]];
    const auto& module = detector_->modules[std::size_t(number)];
    events.hits.add(number, points[n](0), points[n](1), module.pitch_u * module.pitch_u / 12.,
                    module.pitch_v * module.pitch_v / 12.);
  }
  events.hits.end_event();
  events.hits_left_out += hits.rows() - rows.size();
  for (auto hit = first; hit < events.hits.u.size(); ++hit) {
    auto& added = events.hits.added[hit];
    added = std::int32_t(rows[std::size_t(added)]);
  }
  if (!truth.particle.empty()) {
    for (auto hit = first; hit < events.hits.u.size(); ++hit) {
      const auto row = std::size_t(events.hits.added[hit]);
      events.particle_of_hit.push_back(truth.particle[row]);
      events.weight.push_back(truth.weight[row]);
    }
  }
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(events.particles, particles.table.particles);
  events.particles_left_out += particles.table.left_out;
  add(events.n_hits, particles.n_hits);
  events.particle_offsets.push_back(std::int32_t(events.particles.size()));
}

TRACKPLEX_INLINE tracks::DetectorEvents read_trackml_events(
    const geometry::DetectorDescription& detector, std::span<const TrackmlEventFiles> files) {
  const TrackmlEventReader reader(detector);
  tracks::DetectorEvents events(detector);
  for (const auto& of_event : files) reader.read(of_event, events);
  return events;
}

TRACKPLEX_INLINE tracks::DetectorEvents read_trackml_event(
    const geometry::DetectorDescription& detector, const std::filesystem::path& prefix) {
  return read_trackml_events(detector, std::array{TrackmlEventFiles::of_prefix(prefix)});
}

}  // namespace trackplex::io
