// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Bunches as tables, in CSV, HDF5 or SDDS: one row for each particle. Columns, in any order:
///
///   x[m], xp[rad], y[m], yp[rad]
///   s[m], delta    total path length, and (p - p0)/p0
///   t[s], p        time of arrival, and momentum beta gamma
///   id             number of the particle; default: that of the row
///   Sx, Sy, Sz     spin, a unit vector along x, y and the axis; default: no spins
///   lost_turn, lost_element   turn and element of the loss; -1: the particle is not lost
///
/// x, xp, y, yp and one of the pairs s, delta and t, p are required. With both pairs, s and delta
/// are used if BunchOptions::p0 is given, else t and p. Columns of other names are errors, since
/// nobody would notice that they are not used. In CSV the units are optional. Numbers are written
/// with the digits that read back as the same number.
///
/// SDDS files are those of elegant: columns x, xp, y, yp, t, p, particleID for the number, and Sx,
/// Sy, Sz of spins; others are skipped, and all pages are one bunch, as in elegant. The parameter
/// pCentral is the reference momentum where BunchOptions::p0 is not given, and Charge the charge of
/// the bunch. They have no lost particles.
///
/// openPMD files (HDF5, with the extension for beam physics, see io/openpmd/openpmd_particles.hpp)
/// are told by their attributes; names of files to be written end in .openpmd.h5, and their
/// particles are read back to the bit (io/openpmd/openpmd_writer.hpp). Of files of other programs
/// those particles are read that are live, in the plane of their mean z, to which the others drift.
/// The reference momentum is totalMomentumOffset where BunchOptions::p0 is not given, else the
/// mean, and the path length that of the mean time where BunchOptions::path_length is 0. The mass
/// of the species makes momenta beta gamma; its anomalous magnetic moment is that of spins.
///
/// Ranks read and write a file together: each has its share of the particles, as
/// `Share(n, reduce_block, &ranks)` deals n of them, and the bytes do not depend on ranks.

#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/io/table.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Properties of a bunch that its file does not hold.
struct BunchOptions {
  /// momentum beta gamma of the reference particle; 0: mean of column p, of SDDS pCentral if there,
  /// of openPMD totalMomentumOffset if there
  double p0 = 0.;
  double p0_of_delta = 0.;  ///< momentum beta gamma for files with delta that have no p, else as p0
  /// path length of the reference particle up to here, m; 0: of openPMD that of the mean time
  double path_length = 0.;
  std::string iteration{};  ///< of openPMD, such as "7"; empty: the only one of the file
  std::string species{};    ///< of openPMD, as in `read_openpmd`; empty: the only one of the file
};

/// Bunch of a file, with the name of its particles.
struct BunchOfFile {
  beam::ParticleTable particles;
  /// of openPMD, in the spelling of `standard_species`; empty: the file does not tell
  std::string species{};
};

/// Parses the particles in the text of a CSV file; `name` is for messages. Without
/// BunchOptions::p0, the reference momentum is the mean of those that are not lost.
/// @throws InputError if the text does not follow the format, a coordinate of a particle that is
/// not lost is not finite, a momentum is not above 0, or p and delta contradict each other (to 1e-9
/// p0); with line and column
/// @throws UsageError if there is neither p0 nor a column p, or an option is not finite or negative
beam::ParticleTable parse_bunch_csv(std::string_view text, const std::string& name,
                                    const BunchOptions& options = {});

/// Parses the particles in the bytes of an SDDS file; `name` is for messages.
/// @throws InputError if the bytes do not follow the format, pages have different pCentral or Pass,
/// or as parse_bunch_csv()
beam::ParticleTable parse_bunch_sdds(std::string_view bytes, const std::string& name,
                                     const BunchOptions& options = {});

/// Reads the particles of a file of CSV, HDF5 or SDDS, perhaps compressed by gzip, which its first
/// bytes tell; in HDF5, those of the table `particles`, or of openPMD, which its attributes tell.
/// With ranks, all of them call it, each reads a part of the file (of SDDS and openPMD the whole)
/// and gets its share of the particles, and an error on one is an error on all.
/// @throws InputError, UsageError as parse_bunch_csv(), parse_bunch_sdds(), read_openpmd(); and of
/// openPMD if no particle is live, one is still at a cathode or flies at 45 degrees or more to the
/// axis, its spin is no unit vector, or their charges differ
/// @throws UsageError if the options name an iteration or species of a file that is not openPMD
beam::ParticleTable read_bunch(const std::filesystem::path& path, const BunchOptions& options = {},
                               const Ranks* ranks = nullptr);

/// The same, with the species that the file tells.
BunchOfFile read_bunch_file(const std::filesystem::path& path, const BunchOptions& options = {},
                            const Ranks* ranks = nullptr);

/// Converts particles to a table `particles` with the columns id, x, xp, y, yp, t, p, s, delta, and
/// Sx, Sy, Sz if the particles have spins, and lost_turn, lost_element if any particle is lost. The
/// column s is the total path length: that of the reference particle plus the coordinate s.
/// @throws UsageError if the columns of `particles` differ in length
Table bunch_table(const beam::ParticleTable& particles);

/// Writes particles as a .csv or .h5 file, with the columns of bunch_table() and metadata, or those
/// that are not lost as an .sdds file, with the columns of elegant, or as an .openpmd.h5 file,
/// which names their species (see `rest_energy_of_species`). With ranks, all of them call it, each
/// with its share of the particles, and an error on one is an error on all.
///
/// From SDDS, x, xp, y, yp and numbers are read back to the bit; s and delta are rounded, since the
/// file has t and p: delta to 1.2e-16, s to about 4e-16 of the total path length.
/// @throws UsageError if the columns differ in length, the name ends in none of .csv, .h5 and
/// .sdds, metadata have the name of a parameter of elegant, or write_openpmd() does not know the
/// species
/// @throws Error if the file cannot be written
void write_bunch(const std::filesystem::path& path, const beam::ParticleTable& particles,
                 const Metadata& metadata = {}, const Ranks* ranks = nullptr,
                 const std::string& species = "electron");

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/bunch_table.impl.hpp>
#endif
