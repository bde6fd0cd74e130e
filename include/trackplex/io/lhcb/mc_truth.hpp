// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Truth of simulated LHCb events in binary files: a list of particles with the LHCbIDs of their
/// hits, and a list of primary vertices. Little endian, without padding:
///
///   tracks    u32 n, n particles of one of the forms in McForm; see detail::visit_mc_particle
///   vertices  i32 n, n of {i32 number of tracks, f64 x, y, z (mm)}
///
/// Identifiers are converted to the form of 2020, which is that of reconstructed hits, whatever
/// form the file has; see detail::use_ids_of_2020.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/lhcb/mc_form.hpp>
#include <trackplex/lhcb/mc_event.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Contents of a file of particles.
struct McParticleList {
  std::vector<lhcb::McParticle> particles;  ///< particles with hits in VELO, UT or SciFi
  std::size_t without_hits = 0;             ///< number of particles without hits, which are skipped
  McForm form = McForm::full_2020;          ///< form of the file
};

namespace detail {

/// Translates the identifiers of all hits.
void use_ids_of_2020(std::vector<lhcb::McParticle>& particles, const std::string& name);

/// As read_mc_particles_as, but empty if the form does not fit. Keeps the error that is farthest in
/// the file.
std::optional<McParticleList> try_mc_particles_as(McForm form, std::string_view bytes,
                                                  const std::string& name,
                                                  std::optional<InputError>& farthest);

}  // namespace detail

/// Parses the particles in the contents of a file; `name` is for messages. Unless `form` is given,
/// the form is the one that fits to the last byte.
/// @throws InputError if no form fits (with the byte where the last one failed), if several fit and
/// give different particles, or if the UT identifiers are of 2023, which cannot be converted
McParticleList parse_mc_particles(std::string_view bytes, const std::string& name,
                                  std::optional<McForm> form = {});

/// Reads a file of particles, see parse_mc_particles().
/// @throws InputError if the file cannot be read or parsed
McParticleList read_mc_particles(const std::filesystem::path& path,
                                 std::optional<McForm> form = {});

/// Returns the contents of a file, which read back as these particles as far as the form stores
/// their members.
std::string mc_particles_bytes(std::span<const lhcb::McParticle> particles,
                               McForm form = McForm::full_2020);

/// Parses the primary vertices in the contents of a file; `name` is for messages. Positions in mm.
/// @throws InputError if bytes are missing or left, or a position is not finite
std::vector<lhcb::McVertex> parse_mc_vertices(std::string_view bytes, const std::string& name);

/// Reads a file of primary vertices, see parse_mc_vertices().
/// @throws InputError if the file cannot be read or parsed
std::vector<lhcb::McVertex> read_mc_vertices(const std::filesystem::path& path);

/// Returns the contents of a file, which read back as these vertices.
std::string mc_vertices_bytes(std::span<const lhcb::McVertex> vertices);

/// Reads the truth of the event `name` of a folder: MC_info/tracks/NAME.bin and
/// MC_info/PVs/NAME.bin.
/// @throws InputError if a file cannot be read or parsed
lhcb::McEvent read_mc_event(const std::filesystem::path& folder, const std::string& name,
                            std::optional<McForm> form = {});

/// Writes the truth of the event `name` as these two files, in the form of 2020, and creates the
/// folders.
/// @throws Error if that is not possible
void write_mc_event(const std::filesystem::path& folder, const std::string& name,
                    const lhcb::McEvent& event);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/mc_truth.impl.hpp>
#endif
