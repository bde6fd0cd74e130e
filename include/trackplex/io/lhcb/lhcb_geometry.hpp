// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Description of LHCb's VELO, UT and SciFi for the reconstruction, in a folder of binary files.
/// Little endian, without padding; numbers have four bytes except those marked u64:
///
///   velo_geometry.bin  u64 52, module z; u64 768, column x; u64 768, column pitches; u64 208,
///                      u64 12, transforms of the sensors
///   ut_boards.bin      240; strips per hybrid; of 6 x 240 hybrids: stations, layers, regions,
///                      sectors, channels
///   ut_geometry.bin    1048; of the sectors: first strip, pitch, length, steps in x, y and z per
///                      strip, x, y, z, cosine
///   ut_tables.bin      2, bins 3 and 30, u64 124, deflections; 3, bins 30, 10 and 10, u64 3751,
///                      field integrals
///   scifi_geometry.bin 3, 4, 12, 4, 48; modules of 48 quarters; 4, number of mats, 240; first
///                      channels of the banks; 1536; of the mats: x, y, z, steps in x, y and z,
///                      u_begin, half pitch, die gap, SiPM pitch, dx/dy, dz/dy, length
///   beamline.bin       x, y
///   polarity.bin       -1 or +1
///
/// The values, with their units, are those of the members of lhcb::Detector and
/// lhcb::ScifiGeometry, in this order. Later files of the SciFi have a version after the number of
/// banks: 0, or 1 where 240 sources and 240 x 24 SiPMs follow instead of first channels.

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Parses the contents of velo_geometry.bin. `name` is for messages, here and below.
/// @throws InputError if the counts are others, bytes are missing or left, or
/// lhcb::check_velo_pixel_geometry finds a fault
lhcb::VeloPixelGeometry parse_velo_geometry(std::string_view bytes, const std::string& name);

/// Returns the contents of velo_geometry.bin.
std::string velo_geometry_bytes(const lhcb::VeloPixelGeometry& geometry);

/// Parses the contents of ut_boards.bin, in the format of 2019 and 2020.
/// @throws InputError if they are damaged or impossible, or in the format of 2023
lhcb::UtBoards parse_ut_boards(std::string_view bytes, const std::string& name);

/// Returns the contents of ut_boards.bin.
std::string ut_boards_bytes(const lhcb::UtBoards& boards);

/// Parses the contents of ut_geometry.bin.
/// @throws InputError if they are damaged or impossible
lhcb::UtGeometry parse_ut_geometry(std::string_view bytes, const std::string& name);

/// Returns the contents of ut_geometry.bin.
std::string ut_geometry_bytes(const lhcb::UtGeometry& geometry);

/// Parses the contents of ut_tables.bin.
/// @throws InputError if they are damaged or impossible
lhcb::UtMagnetTables parse_ut_tables(std::string_view bytes, const std::string& name);

/// Returns the contents of ut_tables.bin.
std::string ut_tables_bytes(const lhcb::UtMagnetTables& tables);

/// Parses the contents of scifi_geometry.bin, in any of its forms.
/// @throws InputError if they are damaged or impossible, or of another version
lhcb::ScifiGeometry parse_scifi_geometry(std::string_view bytes, const std::string& name);

/// Returns the contents of scifi_geometry.bin: without version, or of version 1 if links have
/// SiPMs of their own.
std::string scifi_geometry_bytes(const lhcb::ScifiGeometry& geometry);

/// Reads scifi_geometry.bin of a folder.
/// @throws InputError if the file is missing, damaged or impossible
lhcb::ScifiGeometry read_scifi_geometry(const std::filesystem::path& folder);

/// Parses the contents of beamline.bin: x and y of the beam, mm.
/// @throws InputError if they are damaged or impossible
std::array<float, 2> parse_beamline(std::string_view bytes, const std::string& name);

/// Parses the contents of polarity.bin: the polarity of the magnet, -1 (down) or +1 (up).
/// @throws InputError if they are damaged or impossible
float parse_polarity(std::string_view bytes, const std::string& name);

/// Reads the detector that the files of a folder describe: six, and scifi_geometry.bin if it
/// exists.
/// @throws InputError if a file is missing, damaged or impossible
lhcb::Detector read_detector(const std::filesystem::path& folder);

/// The same for folders that complete each other, of which there is at least one: each file is read
/// from the last folder that has it.
/// @throws InputError if a file is missing, damaged or impossible
lhcb::Detector read_detector(std::span<const std::filesystem::path> folders);

/// Writes the files of a detector, and creates the folder. They read back as an equal detector.
/// @throws InputError if lhcb::check_detector finds a fault, Error if writing fails
void write_detector(const std::filesystem::path& folder, const lhcb::Detector& detector);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/lhcb_geometry.impl.hpp>
#endif
