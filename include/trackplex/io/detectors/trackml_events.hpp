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

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace trackplex::io {

namespace detail {
class RowNumbers;
}

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
  static TrackmlEventFiles of_prefix(const std::filesystem::path& prefix);
};

/// Reader of events of TrackML for a detector, see `read_trackml_detector`.
class TrackmlEventReader {
 public:
  /// Refers to the detector, which must outlive the reader.
  /// @throws UsageError if the pitch of a module is not known
  explicit TrackmlEventReader(const geometry::DetectorDescription& detector);

  /// Parses the texts of an event and appends it: hits with the variances pitch^2 / 12 of their
  /// modules, in the order of the file within each layer. `added` of a hit is its row in the file.
  /// Particles are in the order of their file; those that cannot be tracks, such as beam particles
  /// without transverse momentum or a number of hits, are left out and counted, and their hits are
  /// noise; so are hits without finite coordinates. Columns that are not known are skipped.
  /// @throws InputError with line and column if a row is damaged, a module, hit or particle is not
  /// there, or a hit is there twice, more than 0.1 mm off the plane of its module or more than 1 mm
  /// outside of it; then `events` is as before
  /// @throws UsageError if there is truth without particles, or only some events have them
  void parse(const TrackmlEventTexts& texts, tracks::DetectorEvents& events) const;

  /// Reads the files of an event, see `parse`.
  /// @throws InputError if a file cannot be read
  void read(const TrackmlEventFiles& files, tracks::DetectorEvents& events) const;

 private:
  struct Particles;
  struct Truth;

  static void check_parts(const TrackmlEventTexts& texts, const tracks::DetectorEvents& events);

  /// Module of each hit.
  std::vector<std::int32_t> modules_of(const TableOfFile& hits) const;

  static Particles parse_particles(const FileText& text);

  static Truth parse_truth(const FileText& text, const TableOfFile& hits,
                           const detail::RowNumbers& rows, const Particles& particles);

  static constexpr double max_off_plane = 0.01,  // cm; those of TrackML are up to 0.0009 off
      max_off_bounds = 0.1;                      // cm; those of TrackML are up to 0.032 off
  /// Refuses the hit of a row that is not on its module.
  static void check_on_module(const TableOfFile& hits, std::size_t row,
                              const geometry::Module& module,
                              const geometry::Vector3<double>& local);

  void append(const TableOfFile& hits, const std::vector<std::int32_t>& modules,
              const Particles& particles, const Truth& truth, tracks::DetectorEvents& events) const;

  const geometry::DetectorDescription* detector_;
  geometry::ModuleNumbers numbers_;
};

/// Reads events of TrackML for a detector, see `TrackmlEventReader`.
/// @throws InputError if a file cannot be read or parsed, or refers to modules, hits or particles
/// that are not there
/// @throws UsageError if modules have no pitches, or only some events have truth
tracks::DetectorEvents read_trackml_events(const geometry::DetectorDescription& detector,
                                           std::span<const TrackmlEventFiles> files);
/// Reads the event of a prefix such as "train/event000001000", see TrackmlEventFiles::of_prefix.
tracks::DetectorEvents read_trackml_event(const geometry::DetectorDescription& detector,
                                          const std::filesystem::path& prefix);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/trackml_events.impl.hpp>
#endif
