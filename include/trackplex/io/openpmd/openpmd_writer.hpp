// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Writer of bunches as openPMD files (HDF5) with the extension for beam physics, openPMD 2.0.0
/// (draft of 2024-02-27: https://github.com/openPMD/openPMD-standard, EXT_BeamPhysics.md).
///
/// The particle group /data/ITERATION/particles has columns position/x and y, m, momentum/x, y and
/// z, eV/c, time and totalMomentum, which are relative to timeOffset and totalMomentumOffset of the
/// reference particle, id, and spin/x, y, z of particles with spins; position/z, sPosition, weight
/// and particleStatus are constant. Texts have fixed lengths, and charges are absolute values, as
/// the reference reader of the format (openpmd-beamphysics) needs them. The record `trackplex` has
/// the coordinates xp, yp and delta, and trackplexPath s, m, from which `read_bunch` makes the same
/// bits, where momenta and times are rounded.

#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/io/table.hpp>

#include <filesystem>
#include <string>

namespace trackplex::io {

/// Facts about a bunch that its coordinates do not tell.
struct OpenPmdOptions {
  std::string species = "electron";  ///< Species, see `rest_energy_of_species`.
  std::string iteration = "1";       ///< Name of the iteration, a whole number such as a turn.
  /// Texts that are attributes of the group /trackplex/metadata, of the first iteration of a file.
  Metadata metadata{};
  /// Whether it is another iteration of a file that `write_openpmd` wrote; else the file is new.
  bool is_next = false;
};

/// Writes the particles of a bunch that are not lost. With ranks, all of them call it, each with
/// its share of the particles, and an error on one is an error on all; the bytes do not depend on
/// ranks. A file is complete after each iteration.
/// @throws UsageError if the mass of the species is not known, the iteration is no whole number or
/// is in the file, the reference momentum is not above 0, columns differ in length, or the build
/// has no HDF5
/// @throws Error if the file cannot be written
void write_openpmd(const std::filesystem::path& path, const beam::ParticleTable& particles,
                   const OpenPmdOptions& options = {}, const Ranks* ranks = nullptr);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/openpmd/detail/openpmd_writer.impl.hpp>
#endif
