// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Events that ACTS simulated, as CSV or compressed by gzip:
///
///   hits       particle_id, geometry_id, true position tx, ty, tz (mm), and what is not used here
///   particles  particle_id, vertex vx, vy, vz (mm), momentum px, py, pz (GeV), q, ...
///
/// Their hits are exact crossings of the modules, which are smeared here. Lengths are in mm there
/// and in cm in the library.

#include <trackplex/core/compiled.hpp>
#include <trackplex/seeding/detector_events.hpp>

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
/// @param detector description of ACTS' modules, with pitches, see `copy_pitches`
/// @param texts texts of the files
/// @param seed seed of the smearing
/// @param events events of this detector, all of them with truth
/// @throws InputError with line and column if a row is damaged, a module or particle is not there,
/// or a crossing is more than 10 um off its module; then `events` is as before
/// @throws UsageError if a module that was hit has no pitch, or earlier events have no truth
void parse_acts_event(const geometry::DetectorDescription& detector, const ActsEventTexts& texts,
                      std::uint64_t seed, seeding::DetectorEvents& events);

/// Reads an event of ACTS from files, see `parse_acts_event`.
/// @throws InputError if a file cannot be read or parsed
/// @throws UsageError if a module that was hit has no pitch
seeding::DetectorEvents read_acts_event(const geometry::DetectorDescription& detector,
                                        const std::filesystem::path& hits,
                                        const std::filesystem::path& particles,
                                        std::uint64_t seed = 1);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/acts_events.impl.hpp>
#endif
