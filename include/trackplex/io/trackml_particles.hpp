// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lists of particles of the TrackML challenge, see io/trackml_events.hpp, without an event.

#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detail/particle_table.hpp>
#include <trackplex/io/table_csv.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Parses the text of a list of particles: those with a charge, in the order of the file; `name` is
/// for messages. Lists of ACTS, which have other columns besides, are read, too.
/// @throws InputError with line and column if a row is damaged
inline std::vector<seeding::TrueParticle> parse_trackml_particles(std::string_view text,
                                                                  const std::string& name) {
  using enum ColumnType;
  const auto table = parse_table_csv(text, name,
                                     detail::particle_columns({{"nhits", "", int64, false},
                                                               {"process", "", int64, false},
                                                               {"vt", "", float64, false},
                                                               {"m", "GeV", float64, false}}));
  auto particles = detail::particles_of(table);
  std::erase_if(particles, [](const auto& particle) { return particle.charge == 0; });
  return particles;
}

/// Reads a list of particles, which may be compressed by gzip; see `parse_trackml_particles`.
/// @throws InputError if the file cannot be read or parsed
inline std::vector<seeding::TrueParticle> read_trackml_particles(
    const std::filesystem::path& path) {
  return parse_trackml_particles(detail::read_plain_or_gzip(path), path.string());
}

}  // namespace trackplex::io
