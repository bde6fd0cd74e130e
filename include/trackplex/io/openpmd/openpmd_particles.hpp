// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Particles of openPMD files (HDF5) with the extension for beam physics, openPMD 2.0.0 (draft of
/// 2024-02-27: https://github.com/openPMD/openPMD-standard, EXT_BeamPhysics.md).
///
/// The attributes basePath and particlesPath of the root say where the particles are: in one
/// iteration, in the group itself or in one of its groups. Of the group, attributes speciesType,
/// numParticles, totalCharge, chargeUnitSI and records position (x, y, z), momentum (x, y, z),
/// time, weight, particleStatus, id, spin (x, y, z), and the offsets positionOffset,
/// momentumOffset, timeOffset and totalMomentumOffset are read, and the records trackplex and
/// trackplexPath of `write_openpmd`; others are skipped. Every component is a column, or constant.
/// Its numbers are those of the file times its unitSI, without which a file is refused.

#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/compiled.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trackplex::io {

/// Particles as an openPMD file has them, with offsets added, in SI units.
struct OpenPmdParticles {
  std::string place;                 ///< path of the particle group in the file
  std::string species;               ///< in the spelling of `standard_species`
  double mass = 0.;                  ///< rest energy of the species, eV; CODATA 2018
  std::vector<double> position[3];   ///< x, y, z, m
  std::vector<double> momentum[3];   ///< x, y, z, kg m/s
  std::vector<double> time;          ///< s (seconds)
  std::vector<double> weight;        ///< absolute value of the charge, C
  std::vector<std::int64_t> status;  ///< 1: live, 0: not yet emitted by the cathode, others: lost
  std::vector<std::int64_t> ids;     ///< numbers of the particles; without record id from 0
  bool has_spins = false;            ///< whether there are spins that are not all 0
  std::vector<double> spin[3];       ///< along x, y, z, in the unit of the file; empty without
  /// anomalous magnetic moment: that of `write_openpmd`, else that of the species
  double anomaly = 0.;
  std::optional<double> momentum_offset;  ///< momentum of the reference particle, kg m/s, if known
  /// coordinates, reference particle and spins as they were before `write_openpmd`, if it wrote the
  /// file: these are exact
  std::optional<beam::ParticleTable> own;

  /// Returns the number of particles, of any status.
  std::size_t size() const { return ids.size(); }
};

/// Returns the rest energy of a species, eV: electron, positron, proton, anti-proton, muon,
/// anti-muon, pion+, pion- (CODATA 2018; muon and pion: PDG 2022); 0 for others. Names are also
/// known without the hyphen, after "other:" and with a semicolon behind them.
double rest_energy_of_species(const std::string& species);

/// Returns the charge of such a species, in units of the elementary one; 0 for others.
double charge_of_species(const std::string& species);

/// Returns the anomalous magnetic moment of such a species, `beam::anomaly`, 0 for pions; none for
/// others.
std::optional<double> anomaly_of_species(const std::string& species);

/// Returns the name of such a species as EXT_SpeciesType.md spells it: "anti-proton" of
/// "antiproton", "other:pion+" of "pion+"; others as they are.
std::string standard_species(const std::string& species);

/// Returns the standard's name of the species of a rest energy, eV, to 1e-6, and a charge, in units
/// of the elementary one; empty without one.
std::string species_of(double mass, double charge);

/// Returns the momentum m c of a species with a rest energy in eV, kg m/s.
double mass_times_light(double mass);

/// Tells by the attributes of its root whether a file is openPMD; false in builds without HDF5.
bool is_openpmd(const std::filesystem::path& path);

/// Reads the particles of an iteration of an openPMD file, such as "7", and of a species: the name
/// of its group, or speciesType of a file that has no group for each. An empty name is that of the
/// only one.
/// @throws InputError with file and path in it if there are several or no iterations or species, a
/// record or unitSI is missing, unitDimension of a component or its record is not that of the
/// record (for `weight` it may be 0), columns differ in length, the mass of the species is not
/// known, a weight is negative, totalMomentumOffset is not the same for all particles, or the
/// records of `write_openpmd` contradict the others
/// @throws UsageError in builds without HDF5
OpenPmdParticles read_openpmd(const std::filesystem::path& path, const std::string& iteration = {},
                              const std::string& species = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/openpmd/detail/openpmd_particles.impl.hpp>
#endif
