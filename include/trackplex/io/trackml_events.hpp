// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Events of the TrackML challenge (S. Amrouche et al., Comput. Softw. Big Sci. 7 (2023) 1). The
/// files of an event, as CSV or compressed by gzip:
///
///   -hits       hit_id, position x, y, z (mm), volume_id, layer_id, module_id
///   -truth      hit_id, particle_id (0: noise), weight, and what is not used here
///   -particles  particle_id, vertex vx, vy, vz (mm), momentum px, py, pz (GeV), q, nhits
///
/// Lengths are in mm there and in cm in the library.

#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detail/particle_table.hpp>
#include <trackplex/io/table_csv.hpp>
#include <trackplex/seeding/detector_events.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace trackplex::io {

/// Text of a file.
struct FileText {
  std::string name{},  ///< of the file
      text{};          ///< contents
};

/// Texts of the files of an event, with their names for messages. Truth and particles may be
/// missing: their texts are empty. Without particles there is no truth.
struct TrackmlEventTexts {
  FileText hits,    ///< of the hits
      particles{},  ///< of the particles, or none
      truth{};      ///< of the truth, or none
};

/// Files of an event. Truth and particles may be missing: their paths are empty.
struct TrackmlEventFiles {
  std::filesystem::path hits,  ///< of the hits
      particles{},             ///< of the particles, or none
      truth{};                 ///< of the truth, or none

  /// Returns the files of a prefix such as "train/event000001000", those that exist of `prefix`
  /// -hits.csv, -particles.csv and -truth.csv, or the same with .gz.
  /// @throws InputError if there are no hits
  static TrackmlEventFiles of_prefix(const std::filesystem::path& prefix) {
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
};

/// Reader of events of TrackML for a detector, see `read_trackml_detector`.
class TrackmlEventReader {
 public:
  /// Refers to the detector, which must outlive the reader.
  /// @throws UsageError if the pitch of a module is not known
  explicit TrackmlEventReader(const geometry::DetectorDescription& detector)
      : detector_(&detector), numbers_(detector) {
    for (std::size_t i = 0; i < detector.modules.size(); ++i)
      if (!(detector.modules[i].pitch_u > 0.))
        throw UsageError("TrackmlEventReader", "a module has no pitch",
                         "module " + std::to_string(i), "variances of hits are pitch^2 / 12");
  }

  /// Parses the texts of an event and appends it: hits with the variances pitch^2 / 12 of their
  /// modules, in the order of the file within each layer. `added` of a hit is its row in the file.
  /// Particles are in the order of their file.
  /// @throws InputError with line and column if a row is damaged, or a module, hit or particle is
  /// not there; then `events` is as before
  /// @throws UsageError if there is truth without particles, or only some events have them
  void parse(const TrackmlEventTexts& texts, seeding::DetectorEvents& events) const {
    check_parts(texts, events);
    using enum ColumnType;
    const std::vector<ColumnFormat> format{{"hit_id", "", int64},
                                           {"x", "mm"},
                                           {"y", "mm"},
                                           {"z", "mm"},
                                           {"volume_id", "", int64},
                                           {"layer_id", "", int64},
                                           {"module_id", "", int64}};
    const auto hits = parse_table_csv(texts.hits.text, texts.hits.name, format);
    const auto modules = modules_of(hits);
    Particles particles;
    if (!texts.particles.text.empty()) particles = parse_particles(texts.particles);
    Truth truth;
    if (!texts.truth.text.empty()) truth = parse_truth(texts.truth, hits, particles);
    append(hits, modules, particles, truth, events);
  }

  /// Reads the files of an event, see `parse`.
  /// @throws InputError if a file cannot be read
  void read(const TrackmlEventFiles& files, seeding::DetectorEvents& events) const {
    const auto text = [](const std::filesystem::path& path) -> FileText {
      if (path.empty()) return {};
      return {path.string(), detail::read_plain_or_gzip(path)};
    };
    parse({text(files.hits), text(files.particles), text(files.truth)}, events);
  }

 private:
  struct Particles {
    std::vector<seeding::TrueParticle> particles;
    std::vector<std::int32_t> n_hits;
    detail::RowNumbers rows;
  };
  /// Of each hit, in the order of the file.
  struct Truth {
    std::vector<std::int32_t> particle;
    std::vector<double> weight;
  };

  static void check_parts(const TrackmlEventTexts& texts, const seeding::DetectorEvents& events) {
    const auto refuse = [&](const char* problem) {
      throw UsageError("TrackmlEventReader", problem, texts.hits.name,
                       "give these files for all events or for none");
    };
    const bool has_truth = !texts.truth.text.empty();
    if (has_truth && texts.particles.text.empty()) refuse("there is truth without particles");
    if (events.particle_of_hit.size() != (has_truth ? events.hits.u.size() : 0))
      refuse("only some events have truth");
  }

  /// Module of each hit.
  std::vector<std::int32_t> modules_of(const TableOfFile& hits) const {
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

  static Particles parse_particles(const FileText& text) {
    const auto table = parse_table_csv(
        text.text, text.name, detail::particle_columns({{"nhits", "", ColumnType::int64}}));
    Particles result{detail::particles_of(table), {}, {table, "particle_id"}};
    const auto& n_hits = table.values<std::int64_t>("nhits");
    for (std::size_t i = 0; i < n_hits.size(); ++i) {
      if (n_hits[i] < 0 || n_hits[i] > std::numeric_limits<std::int32_t>::max())
        table.refuse(i, "nhits", std::to_string(n_hits[i]) + " is no number of hits");
      result.n_hits.push_back(std::int32_t(n_hits[i]));
    }
    return result;
  }

  static Truth parse_truth(const FileText& text, const TableOfFile& hits,
                           const Particles& particles) {
    using enum ColumnType;
    const std::vector<ColumnFormat> format{{"hit_id", "", int64},
                                           {"particle_id", "", int64},
                                           {"tx", "mm", float64, false},
                                           {"ty", "mm", float64, false},
                                           {"tz", "mm", float64, false},
                                           {"tpx", "GeV", float64, false},
                                           {"tpy", "GeV", float64, false},
                                           {"tpz", "GeV", float64, false},
                                           {"weight", ""}};
    const auto table = parse_table_csv(text.text, text.name, format);
    if (table.rows() != hits.rows())
      throw InputError({table.file}, "it has " + std::to_string(table.rows()) + " hits",
                       "there are " + std::to_string(hits.rows()) + " in " + hits.file,
                       "are they files of one event?");
    const detail::RowNumbers rows(hits, "hit_id");
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
      const auto number = truth.particle[std::size_t(row)] = particles.rows.find(particle[i]);
      if (number < 0)
        table.refuse(
            i, "particle_id",
            "there is no particle " + std::to_string(particle[i]) + ", 0 stands for noise");
    }
    return truth;
  }

  void append(const TableOfFile& hits, const std::vector<std::int32_t>& modules,
              const Particles& particles, const Truth& truth,
              seeding::DetectorEvents& events) const {
    const auto &x = hits.values<double>("x"), &y = hits.values<double>("y"),
               &z = hits.values<double>("z");
    const auto first = events.hits.u.size();
    for (std::size_t i = 0; i < hits.rows(); ++i) {
      const auto& module = detector_->modules[std::size_t(modules[i])];
      const auto local = geometry::to_local(
          module.frame, geometry::Vector3<double>{x[i] / 10., y[i] / 10., z[i] / 10.});
      events.hits.add(modules[i], local(0), local(1), module.pitch_u * module.pitch_u / 12.,
                      module.pitch_v * module.pitch_v / 12.);
    }
    events.hits.end_event();
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
    add(events.particles, particles.particles);
    add(events.n_hits, particles.n_hits);
    events.particle_offsets.push_back(std::int32_t(events.particles.size()));
  }

  const geometry::DetectorDescription* detector_;
  geometry::ModuleNumbers numbers_;
};

/// Reads events of TrackML for a detector, see `TrackmlEventReader`.
/// @throws InputError if a file cannot be read or parsed, or refers to modules, hits or particles
/// that are not there
/// @throws UsageError if modules have no pitches, or only some events have truth
inline seeding::DetectorEvents read_trackml_events(const geometry::DetectorDescription& detector,
                                                   std::span<const TrackmlEventFiles> files) {
  const TrackmlEventReader reader(detector);
  seeding::DetectorEvents events(detector);
  for (const auto& of_event : files) reader.read(of_event, events);
  return events;
}
/// Reads the event of a prefix such as "train/event000001000", see TrackmlEventFiles::of_prefix.
inline seeding::DetectorEvents read_trackml_event(const geometry::DetectorDescription& detector,
                                                  const std::filesystem::path& prefix) {
  return read_trackml_events(detector, std::array{TrackmlEventFiles::of_prefix(prefix)});
}

}  // namespace trackplex::io
