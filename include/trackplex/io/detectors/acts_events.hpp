// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Events that ACTS simulated, as CSV or compressed by gzip:
///
///   hits          particle_id, geometry_id, true position tx, ty, tz (mm)
///   particles     particle_id, vertex vx, vy, vz (mm), momentum px, py, pz (GeV), q
///   measurements  geometry_id, local_key, local0, local1 (mm), var_local0, var_local1 (mm^2)
///   cells         geometry_id, measurement_id, channel0, channel1, value; also those of traccc
///
/// Further columns are skipped. A particle_id is one packed number, or five columns from
/// particle_id_pv to particle_id_subpart. A geometry_id may be in the other packing than those of
/// the detector, see io/detectors/acts_geometry_id.hpp. Hits are exact crossings of the modules,
/// which are smeared here. Lengths are in mm there and in cm in the library.

#include <trackplex/core/compiled.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Copies the pitches and thicknesses of the modules of one description to those of another with
/// the same identifiers.
///
/// The tables of TrackML and ACTS have the same modules, but differ in the numbers of those of a
/// disk, and 624 modules of the negative strip disks are 3 mm apart. Pitches are the same in a
/// whole volume, so identifiers serve for them; positions have to be those with which hits were
/// made.
/// @throws UsageError if a module of `to` is not in `from`
void copy_pitches(const geometry::DetectorDescription& from, geometry::DetectorDescription& to);

/// Texts of the files of an event of ACTS, with their names for messages.
struct ActsEventTexts {
  std::string_view hits,  ///< text of the hits
      particles;          ///< text of the particles
  std::string hits_name,  ///< file of the hits
      particles_name;     ///< file of the particles
};

/// Parses an event of ACTS and appends it to `events`: its crossings as hits that are smeared in
/// the plane of the module by normal distributions of the standard deviation pitch / sqrt(12), with
/// these variances. A pitch_v of 0 is a strip. The random numbers of a hit are those of the stream
/// of its row in the file, so that everybody has the same hits. `added` of a hit is that row.
/// Particles that cannot be tracks, such as those of the beam, are left out and counted, and their
/// hits are noise. Crossings without finite coordinates are left out and counted.
/// @param detector description of ACTS' modules, with pitches, see `copy_pitches`
/// @param texts texts of the files
/// @param seed seed of the smearing
/// @param events events of this detector, all of them with truth
/// @throws InputError with line and column if a row is damaged, a module or particle is not there,
/// or a crossing is more than 10 um off its module; then `events` is as before
/// @throws UsageError if a module that was hit has no pitch, or earlier events have no truth
void parse_acts_event(const geometry::DetectorDescription& detector, const ActsEventTexts& texts,
                      std::uint64_t seed, tracks::DetectorEvents& events);

/// Parses the measurements of an event and appends it to `events`, without truth: local0 and local1
/// are coordinates on the module; local_key has bit 1 set where local0 is measured, and bit 2 where
/// local1 is, else it is a strip. Measurements without finite coordinates and positive variances
/// are left out and counted.
/// @param detector description of ACTS' modules
/// @param text contents of the file
/// @param name of the file, for messages
/// @param events events of this detector, all of them without truth
/// @throws InputError with line and column if a row is damaged, a module is not there, or is a ring
/// or annulus, local0 is not measured, or the measurement is off its module; then `events` is as
/// before
/// @throws UsageError if earlier events have truth
void parse_acts_measurements(const geometry::DetectorDescription& detector, std::string_view text,
                             const std::string& name, tracks::DetectorEvents& events);

/// Parses the cells of an event and appends it to `events`, without truth: cells of the same
/// measurement_id on a module are one hit, at the mean of their channels weighted by `value`, with
/// the variances pitch^2 / 12. Channels count from the lower corner of a module, in pitches. Cells
/// without a positive value are left out and counted.
/// @param detector description of rectangular modules, with pitches, see `copy_pitches`
/// @param text contents of the file
/// @param name of the file, for messages
/// @param events events of this detector, all of them without truth
/// @throws InputError with line and column if a row is damaged, a module is not there or no
/// rectangle, or a cell is outside of it; then `events` is as before
/// @throws UsageError if a module that was hit has no pitch, or earlier events have truth
void parse_acts_cells(const geometry::DetectorDescription& detector, std::string_view text,
                      const std::string& name, tracks::DetectorEvents& events);

/// Reads an event of ACTS from files, see `parse_acts_event`.
/// @throws InputError if a file cannot be read or parsed
/// @throws UsageError if a module that was hit has no pitch
tracks::DetectorEvents read_acts_event(const geometry::DetectorDescription& detector,
                                       const std::filesystem::path& hits,
                                       const std::filesystem::path& particles,
                                       std::uint64_t seed = 1);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/acts_events.impl.hpp>
#endif
